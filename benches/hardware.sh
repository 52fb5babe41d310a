#!/usr/bin/env bash
# Measures everything that BENCHMARKS.md quotes of a card, in one call, and prints a short table last.
#
#   benches/hardware.sh RONDAG CUB.cu FOLDER [HANDWRITTEN]
#
# RONDAG is a release binary (`cargo build --release`), CUB.cu a program that times `DeviceSelect::Flagged` and prints lines of
# the form `CUB n=1000000 pct=50 k=500096 select 14.2us …`; without nvcc, or with `-` in its place, there is no such column.
# HANDWRITTEN is the example of that name (`cargo build --release --example handwritten`). Tables, JSON and plots go to FOLDER. SIZES, CULLED, REPEAT, ADAPTER and ARCH change what is measured, on what.
set -euo pipefail

rondag=$(realpath "$1")
cub=$2
mkdir -p "$3"
out=$(realpath "$3")
hand=${4:+$(realpath "$4")}
cd "$(dirname "$0")/.."

sizes=${SIZES:-1e5,1e6,4194304,16777216,67108864}
culled=${CULLED:-16777216,67108864}

adapter=${ADAPTER:-gpu}
common=(--adapter "$adapter" --max-memory 16GiB --timeout 60)
lean=(--trusted --indirect-validation off)
repeat=${REPEAT:-200}

# A measurement that fails is told, and the rest goes on.
measure() {
    local name=$1
    shift
    "$rondag" bench "$@" "${common[@]}" --json "$out/$name.json" --plot "$out/$name.svg" >"$out/$name.txt" 2>"$out/$name.err" ||
        echo "$name failed: $(tail -n 1 "$out/$name.err") $(grep -m 1 WRONG "$out/$name.txt" || true)"
}

: >"$out/cub.txt"
if [[ "$cub" != - ]] && command -v nvcc >/dev/null; then
    nvcc -O3 -arch="${ARCH:-sm_90}" -o "$out/cub_select" "$cub"
    "$out/cub_select" >"$out/cub.txt"
    rm "$out/cub_select"
fi

ordered=mask,mask_subgroup,lookback,lookback_subgroup
measure compact graphs/bench/compact.ron --vary density=0.1,0.5,0.9 --vary "instances=$sizes" --vary "compaction=$ordered" \
    --repeat "$repeat" "${lean[@]}"
measure teaching graphs/bench/compact.ron --vary "instances=$sizes" --vary compaction=all --repeat "$repeat" "${lean[@]}"
measure checked graphs/bench/compact.ron --vary "instances=$sizes" --vary "compaction=$ordered" --repeat "$repeat"
measure cull graphs/bench/cull.ron --vary "instances=$culled" --vary road=all --set compaction=mask_subgroup \
    --repeat "$repeat" "${lean[@]}"
# The scene as it is drawn: the CPU's part is the point here.
scene=(graphs/culled_scene.ron --vary instances=100_000 --vary "compaction=scan,mask_subgroup,lookback_subgroup" --repeat "$repeat")
measure scene "${scene[@]}"
measure scene_lean "${scene[@]}" "${lean[@]}"
measure scene_apart "${scene[@]}" --no-merge

for name in teaching checked cull scene scene_lean scene_apart; do
    echo "== $name"
    cat "$out/$name.txt" 2>/dev/null || true
done

if [[ -n "$hand" ]]; then
    echo "== the frame by hand and as a graph"
    { "$hand" "$adapter"; "$hand" "$adapter" lean; } 2>"$out/handwritten.err" | tee "$out/handwritten.txt" || tail -n 1 "$out/handwritten.err"
fi

echo "== ordered compaction against CUB, microseconds (medians)"
awk '
    FILENAME ~ /cub\.txt$/ && $1 == "CUB" {
        split($2, n, "="); split($3, pct, "="); split($6, us, "us")
        reference[n[2] " " pct[2] / 100] = us[1]
        next
    }
    $1 == "density" { header = 1; next }
    header && $4 ~ /^[0-9.]+$/ {
        key = $2 " " $1 + 0
        if (!(key in best)) { order[++rows] = key }
        if (!(key in best) || $4 < best[key]) { best[key] = $4; which[key] = $3; spread[key] = $5 " to " $6 }
        all[key] = all[key] sprintf(" %9.1f", $4)
    }
    END {
        printf "%10s %8s %9s %9s %7s  %-18s %-18s  all: mask, mask_subgroup, lookback, lookback_subgroup\n",
            "instances", "density", "CUB", "best", "ratio", "which", "spread"
        for (row = 1; row <= rows; row++) {
            key = order[row]
            split(key, part, " ")
            known = key in reference
            printf "%10s %8s %9s %9.1f %7s  %-18s %-18s %s\n", part[1], part[2], known ? reference[key] : "-", best[key],
                known ? sprintf("%.2f", best[key] / reference[key]) : "-", which[key], spread[key], all[key]
        }
    }
' "$out/cub.txt" "$out/compact.txt"
