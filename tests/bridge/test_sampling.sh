#!/bin/bash
# --sample of ./Vigpu and igpu ref (docs/guide/sampling.md): against whole runs, for kernels whose
# groups differ and for launches that repeat; equal for both engines and each time; what is
# refused.
# tests/run: timeout=300 slow turn=1of3
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
k=traces/kernels
own=tests/perf/sampling/sampling.cl

record() { # record NAME FILE KERNEL GLOBAL LOCAL ARGUMENTS...
    local name=$1 file=$2 words=(-k "$3" -g "$4" -l "$5")
    shift 5
    for a; do case $a in --*) words+=("$a") ;; [0-9]*) words+=("$a") ;; *) words+=(--arg "$a") ;; esac; done
    "$igpu" record --quiet "${words[@]}" -o "$IGPU_TMP/$name.pb" "$file" >/dev/null ||
        report 1 "$name is recorded"
}

# against NAME SAMPLE PERCENT SHARE: the sample's cycles within PERCENT of the whole run's,
# its interval not wider than asked, at most SHARE percent of the threads simulated.
against() {
    local name=$1 sample=$2 percent=$3 share=$4
    "$igpu" ref --quiet --json "$IGPU_TMP/$name.json" --csv "$IGPU_TMP/$name.csv" "$IGPU_TMP/$name.pb" >/dev/null
    "$igpu" ref --quiet --json "$IGPU_TMP/part.json" --sample "$sample" "$IGPU_TMP/$name.pb" >/dev/null
    python3 - "$IGPU_TMP/$name.json" "$IGPU_TMP/part.json" "$percent" "$share" "$sample" <<'PY'
import json, sys
whole, part = (json.load(open(p)) for p in sys.argv[1:3])
error = 100 * (part["cycles"] / whole["cycles"] - 1)
share = 100 * part["sample"]["threads"] / whole["threads_dispatched"]
half = 50 * (part["sample"]["cycles_high"] - part["sample"]["cycles_low"]) / part["cycles"]
print(f"# {whole['cycles']} cycles, sample {error:+.2f} % (+-{half:.2f} %), {share:.1f} % of the threads")
assert part["sample"]["cycles_low"] <= part["cycles"] <= part["sample"]["cycles_high"]
if "error=" in sys.argv[5]:
    assert half <= float(sys.argv[5][6:-1]) + .01, half
for key in ("instructions", "lane_instructions", "flops", "threads_dispatched"):
    assert part[key] == whole[key], key
sys.exit(abs(error) > float(sys.argv[3]) or share > float(sys.argv[4]))
PY
    report $? "$name, $sample: within $percent % from at most $share % of the threads"
}

record mandelbrot $k/diverge.cl mandelbrot 1024,512 16,4 buf:2M f32:-2.1 f32:0.8 f32:0.003 u32:100
record skewed $own spmv 524288 64 buf:10M:randi32:1:0:4095 buf:10M:randf32:2 buf:16K:randf32:3 buf:2M u32:2 u32:20 u32:458752
record repeated $k/stencil.cl stencil_tiled 256,128 16,16 buf:128K:randf32:27 buf:128K --repeat 17
against mandelbrot error=2% 3 70
against skewed windows=16 6 50
against repeated error=2% 2 45

"$vigpu" --quiet --csv - --sample error=5% "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/rtl.csv"
"$igpu" ref --quiet --csv - --sample error=5% "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/ref.csv"
"$igpu" ref --quiet --csv - --sample error=5% "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/again.csv"
"$igpu" ref --quiet --csv - --sample error=5%,seed=9 "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/other.csv"
cmp -s "$IGPU_TMP/rtl.csv" "$IGPU_TMP/ref.csv"
report $? "RTL and C reference give the same sample"
# Of a launch that is made longer while it is simulated: more threads than those that it
# begins with.
"$vigpu" --quiet --csv "$IGPU_TMP/rtl2.csv" --sample error=2% "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/rtl2"
"$igpu" ref --quiet --csv "$IGPU_TMP/ref2.csv" --sample error=2% "$IGPU_TMP/mandelbrot.pb" >"$IGPU_TMP/ref2"
cmp -s "$IGPU_TMP/rtl2.csv" "$IGPU_TMP/ref2.csv"
report $? "the same in two steps"
simulated() { awk '$1 == "simulated" { print $2 }' "$IGPU_TMP/$1"; }
[ "$(simulated rtl2)" = "$(simulated ref2)" ] && [ "$(simulated ref2)" -gt 1848 ]
report $? "of as many threads, $(simulated ref2)"
# The host cuts time at other cycles for each engine. A kernel of short threads that caches
# serve, for which the first windows do not suffice.
# Threads that still run find no lines of later groups, and the LLC fills as in the launch.
memory() { # memory NAME WRITES: DRAM reads for a request as in the whole run, writes within so many percent
    "$igpu" ref --quiet --json "$IGPU_TMP/$1.json" "$IGPU_TMP/$1.pb" >/dev/null
    "$igpu" ref --quiet --json "$IGPU_TMP/part.json" --sample windows=16 "$IGPU_TMP/$1.pb" >/dev/null
    python3 - "$IGPU_TMP/$1.json" "$IGPU_TMP/part.json" "$2" <<'PY'
import json, sys
whole, part = (json.load(open(p)) for p in sys.argv[1:3])
times = part["mem"]["requests"] / whole["mem"]["requests"]
reads, writes = (100 * (part["dram"][key] / times / max(1, whole["dram"][key]) - 1) for key in ("reads", "writes"))
print(f"# reads {reads:+.1f} %, writes {writes:+.1f} % of {whole['dram']['writes']}")
sys.exit(abs(reads) > 1 or whole["dram"]["writes"] > 0 and abs(writes) > float(sys.argv[3]))
PY
    report $? "$1: what windows read and write of memory"
}
record halo $k/stencil.cl stencil_tiled 1024,512 16,16 buf:2M:randf32:27 buf:2M
memory halo 10
record stream $k/image.cl dct8 2048,2048 16,4 buf:16M:randf32:114:-128:127 buf:16M
memory stream 10
record median $k/image.cl median3 1024,512 16,4 buf:512K:rand:111 buf:512K
for sample in windows=2 error=2%; do
    "$igpu" ref --quiet --csv "$IGPU_TMP/ref.median" --sample $sample "$IGPU_TMP/median.pb" >/dev/null
    engines="rtl array pipe"
    [ $sample = error=2% ] && engines=rtl # the others make no launch longer
    for engine in $engines; do
        "$vigpu" --engine $engine --quiet --csv "$IGPU_TMP/$engine.median" --sample $sample \
            "$IGPU_TMP/median.pb" >/dev/null
        cmp -s "$IGPU_TMP/$engine.median" "$IGPU_TMP/ref.median"
        report $? "$engine and C reference give the same, --sample $sample"
    done
done
cmp -s "$IGPU_TMP/again.csv" "$IGPU_TMP/ref.csv" && ! cmp -s "$IGPU_TMP/other.csv" "$IGPU_TMP/ref.csv"
report $? "the same each time, and another with another seed"

"$igpu" ref --quiet --csv - --sample error=2% traces/samples/mad_sp.pb | cut -d, -f2 >"$IGPU_TMP/small"
"$igpu" ref --quiet --csv - traces/samples/mad_sp.pb | cut -d, -f2 | cmp -s - "$IGPU_TMP/small"
report $? "a small launch is simulated whole"

# Pieces of the launches, on any number of processes.
for j in 1 2 5; do
    "$igpu" ref --quiet --csv - -j $j "$IGPU_TMP/repeated.pb" >"$IGPU_TMP/j$j.csv"
done
cmp -s "$IGPU_TMP/j1.csv" "$IGPU_TMP/j2.csv" && cmp -s "$IGPU_TMP/j1.csv" "$IGPU_TMP/j5.csv"
report $? "-j 1, -j 2 and -j 5 give the same"
python3 - "$IGPU_TMP/repeated.csv" "$IGPU_TMP/j2.csv" <<'PY'
import csv, sys
serial, pieces = (list(csv.DictReader(open(p))) for p in sys.argv[1:])
assert len(serial) == len(pieces) == 18
for a, b in zip(serial, pieces):
    error = 100 * (int(b["cycles"]) / int(a["cycles"]) - 1)
    assert abs(error) < (1 if a["launch"] == "total" else 5), (a["launch"], error)
    for key in ("instructions", "flops", "threads_dispatched", "mem.requests", "slm.accesses"):
        assert a[key] == b[key], (a["launch"], key)
print(f"# total {error:+.2f} %")
PY
report $? "its cycles within 1 % of one simulation of all, its work the same"
# A kernel that updates what it read: lines are translated before they are written, and
# those that were written long ago are clean.
record update tests/perf/sampling/apps.cl axpy 131072 64 buf:512K:randf32:1 buf:512K:randf32:2 f32:0.5 --repeat 33
"$igpu" ref --quiet --csv - "$IGPU_TMP/update.pb" >"$IGPU_TMP/serial.csv"
"$igpu" ref --quiet --csv - -j 2 "$IGPU_TMP/update.pb" >"$IGPU_TMP/j2.csv"
python3 - "$IGPU_TMP/serial.csv" "$IGPU_TMP/j2.csv" <<'PY'
import csv, sys
serial, pieces = (int(list(csv.DictReader(open(p)))[-1]["cycles"]) for p in sys.argv[1:])
print(f"# {serial} cycles in one simulation, {pieces} in pieces")
sys.exit(abs(pieces / serial - 1) > 0.001)
PY
report $? "pieces of launches that update in place: within 0.1 %"

# One piece after the other, wherever: the same launches, and cycles that add up.
"$igpu" trace pieces "$IGPU_TMP/update.pb" >"$IGPU_TMP/pieces"
while read -r range; do
    "$igpu" ref --quiet --csv - --warm --kernels "$range" "$IGPU_TMP/update.pb"
done <"$IGPU_TMP/pieces" >"$IGPU_TMP/warm.csv"
grep '^[0-9]' "$IGPU_TMP/warm.csv" >"$IGPU_TMP/warm.launches"
grep '^[0-9]' "$IGPU_TMP/j2.csv" | cmp -s - "$IGPU_TMP/warm.launches"
report $? "igpu trace pieces and --warm simulate what -j does"
sum=$(awk -F, '$1 == "total" { sum += $2 } END { print sum }' "$IGPU_TMP/warm.csv")
[ "$sum" = "$(awk -F, '$1 == "total" { print $2 }' "$IGPU_TMP/j2.csv")" ]
report $? "their cycles add up to -j's"
expect 2 "--warm without launches before" "$igpu" ref --warm "$IGPU_TMP/update.pb"
says "it says what to give" "use it with --kernels A..B"
"$igpu" ref --quiet --csv - --warm --kernels 30..32 --sample error=2% "$IGPU_TMP/update.pb" >/dev/null
report $? "a sample of launches with what is before them"

# Samples side by side.
for j in 1 3; do
    "$igpu" ref --quiet --json "$IGPU_TMP/s$j.json" -j $j --sample error=2% "$IGPU_TMP/repeated.pb" >/dev/null
done
python3 - "$IGPU_TMP/s1.json" "$IGPU_TMP/s3.json" "$IGPU_TMP/repeated.json" <<'PY'
import json, sys
one, three, whole = (json.load(open(p)) for p in sys.argv[1:])
for key in ("cycles", "sample", "kernels"):
    assert one[key] == three[key], key
error = 100 * (one["cycles"] / whole["cycles"] - 1)
print(f"# {error:+.2f} %, {one['sample']['threads']} of {whole['threads_dispatched']} threads")
assert one["sample"]["cycles_low"] <= whole["cycles"] <= one["sample"]["cycles_high"]
sys.exit(abs(error) > 2 or one["sample"]["threads"] > whole["threads_dispatched"] / 2)
PY
report $? "a sample on 1 and on 3 processes: the same, and right"

head -c "$(($(wc -c <"$IGPU_TMP/repeated.pb") / 2))" "$IGPU_TMP/repeated.pb" >"$IGPU_TMP/cut.pb"
expect 3 "pieces of a trace cut short" "$igpu" ref -j 2 "$IGPU_TMP/cut.pb"
expect 2 "no processes" "$igpu" ref -j 0 "$IGPU_TMP/repeated.pb"
expect 3 "a sample on processes of a trace cut short" "$igpu" ref -j 2 --sample error=2% "$IGPU_TMP/cut.pb"
expect 2 "a timeline of pieces" "$igpu" ref -j 2 --timeline "$IGPU_TMP/t" "$IGPU_TMP/repeated.pb"

m=$IGPU_TMP/mandelbrot.pb
expect 2 "a bare number" "$igpu" ref --sample 1344 "$m"
says "it says what is expected" "expected error=2% .* or windows=N"
for option in --check --energy "--timeline $IGPU_TMP/t" "--oa $IGPU_TMP/o" "--max-cycles 5" "--cpu chase:1M"; do
    # shellcheck disable=SC2086 # an option and its value
    expect 2 "not with $option" "$vigpu" --sample error=2% $option "$m"
done
expect 2 "no such launch" "$igpu" ref --sample error=2% --kernels 3..4 "$m"
head -c "$(($(wc -c <"$m") / 2))" "$m" >"$IGPU_TMP/cut.pb"
expect 3 "a trace cut short" "$igpu" ref --sample error=2% "$IGPU_TMP/cut.pb"
exit $failures
