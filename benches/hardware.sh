#!/usr/bin/env bash
# Measures everything that BENCHMARKS.md quotes of a card, in one call, and prints a short table last.
#
#   benches/hardware.sh RONDAG FOLDER [HANDWRITTEN]
#
# RONDAG is a release binary (`cargo build --release`), HANDWRITTEN the example of that name (`cargo build --release --example
# handwritten`). With nvcc, `benches/cub_select.cu` is measured, too; CUB names another such program. Tables, JSON and plots go to
# FOLDER. SIZES, CULLED, REPEAT, ADAPTER and ARCH change what is measured, on what.
set -euo pipefail

rondag=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
hand=${3:+$(realpath "$3")}
cub=$(realpath "${CUB:-$(dirname "$0")/cub_select.cu}")
cd "$(dirname "$0")/.."

sizes=${SIZES:-1e5,1e6,4194304,16777216,67108864}
culled=${CULLED:-16777216,67108864}
repeat=${REPEAT:-100}
adapter=${ADAPTER:-gpu}
common=(--adapter "$adapter" --max-memory 16GiB --timeout 60 --repeat "$repeat")
lean=(--trusted --indirect-validation off)

# A measurement that fails is told, and the rest goes on.
measure() {
    local name=$1
    shift
    "$rondag" bench "$@" "${common[@]}" --json "$out/$name.json" --plot "$out/$name.svg" >"$out/$name.txt" 2>"$out/$name.err" ||
        echo "$name failed: $(tail -n 1 "$out/$name.err") $(grep -m 1 WRONG "$out/$name.txt" || true)"
}

# Compiled beside the first measurement; run alone.
compiler=
if command -v nvcc >/dev/null; then
    nvcc -O3 -arch="${ARCH:-sm_90}" -o "$out/cub_select" "$cub" >"$out/nvcc.txt" 2>&1 &
    compiler=$!
fi
measure plot graphs/bench/compact.ron --vary "instances=1e4,$sizes" --vary compaction=all "${lean[@]}"
: >"$out/cub.txt"
if [[ -n "$compiler" ]] && wait "$compiler"; then
    "$out/cub_select" >"$out/cub.txt"
    rm "$out/cub_select"
fi
measure compact graphs/bench/compact.ron --vary density=0.1,0.5,0.9 --vary "instances=$sizes" --vary chains=1,4 \
    --vary compaction=mask,mask_subgroup "${lean[@]}"
measure cull graphs/bench/cull.ron --vary "instances=$culled" --vary road=all --set compaction=mask_subgroup "${lean[@]}"
measure again graphs/bench/cull.ron --vary "instances=$culled" --vary road=mask_subgroup,packed_subgroup "${lean[@]}"

# What each of the two flags gains, on the card and on the CPU.
gains() {
    local name=$1
    shift
    measure "compact_$name" graphs/bench/compact.ron --vary instances=1e5,4194304,67108864 --set compaction=mask_subgroup "$@"
    measure "cull_$name" graphs/bench/cull.ron --set instances=16777216 --vary road=mask_subgroup "$@"
    measure "scene_$name" graphs/culled_scene.ron --size 320x180 --set instances=100_000 --vary compaction=scan,mask_subgroup "$@"
}
gains checked
gains trusted --trusted
gains unvalidated --indirect-validation off
gains lean "${lean[@]}"
gains apart "${lean[@]}" --no-merge

for table in "$out"/{cub,plot,compact,cull,again,{compact,cull,scene}_{checked,trusted,unvalidated,lean,apart}}.txt; do
    echo "== $(basename "$table" .txt)"
    tail -n +2 "$table" 2>/dev/null || true
done

if [[ -n "$hand" ]]; then
    echo "== the frame by hand and as a graph"
    for _ in 1 2 3; do
        "$hand" "$adapter" || true
        "$hand" "$adapter" lean || true
    done 2>"$out/handwritten.err" | tee "$out/handwritten.txt"
fi

echo "== ordered compaction against CUB, microseconds (medians): a frame against a call, and one more chain of a pass against a call of a row"
awk '
    FILENAME ~ /cub\.txt$/ && $1 == "CUB" {
        split($2, n, "="); split($3, pct, "=")
        key = n[2] " " pct[2] / 100
        alone[key] = $6 + 0; row[key] = $10 + 0
        next
    }
    $1 == "density" { header = 1; next }
    header && $5 ~ /^[0-9.]+$/ {
        key = $2 " " $1 + 0
        if (!(key in best)) { order[++rows] = key; best[key] = 1e9; least[key] = 1e9 }
        if ($3 == 1) { first[key $4] = $8; if ($5 < best[key]) { best[key] = $5; which[key] = $4; spread[key] = $6 " to " $7 } }
        else { more = ($8 - first[key $4]) / ($3 - 1); if (more < least[key]) least[key] = more }
    }
    function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
    END {
        printf "%10s %8s %8s %8s %6s %-16s %-14s %8s %8s %6s\n", "instances", "density", "CUB", "frame", "ratio", "spread", "which",
            "CUB row", "chain", "ratio"
        for (at = 1; at <= rows; at++) {
            key = order[at]
            split(key, part, " ")
            printf "%10s %8s %8s %8.1f %6s %-16s %-14s %8s %8.1f %6s\n", part[1], part[2], alone[key], best[key],
                ratio(best[key], alone[key]), spread[key], which[key], row[key], least[key], ratio(least[key], row[key])
        }
    }
' "$out/cub.txt" "$out/compact.txt"
