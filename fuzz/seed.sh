#!/usr/bin/env bash
# Fills the corpora with every graph and shader of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for target in graph check; do
    mkdir -p "corpus/$target"
    find ../graphs ../tests/fixtures -name '*.ron' | while read -r file; do
        cp "$file" "corpus/$target/$(md5sum "$file" | cut -c1-16).ron"
    done
done
mkdir -p corpus/size corpus/import
grep -rhoE '"[^"]*[-+*/(][^"]*"' ../graphs ../tests/fixtures --include='*.ron' | sort -u | while read -r text; do
    printf '%s' "${text:1:-1}" > "corpus/size/$(printf '%s' "$text" | md5sum | cut -c1-16)"
done
find ../shaders ../tests/fixtures -name '*.wgsl' | while read -r file; do
    cp "$file" "corpus/import/$(md5sum "$file" | cut -c1-16).wgsl"
done
