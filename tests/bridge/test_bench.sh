#!/bin/sh
# igpu bench: the experiments' options, errors, JSON keys, cached traces, and that the
# results are those of the simulations they name.
# tests/run: timeout=300 slow turn=0of3
. tests/support/cli.sh
own_cache
bench="$igpu bench"

# json WHAT PYTHON: d is what --json printed; PYTHON must hold.
json() {
    python3 -c "import json, sys
d = json.load(open('$IGPU_TMP/out'))
sys.exit(0 if ($2) else repr(d))"
    report $? "$1"
}
# run STATUS WHAT ARGS
# shellcheck disable=SC2086
run() { expect "$1" "$2" $bench $3; }

run 0 "the list" "list"
names=$(sed 's/^ *\([a-z]*\) .*/\1/' "$IGPU_TMP/out")
for name in $names; do
    run 0 "$name: help" "$name --help"
    [ "$(grep -c -e '--' "$IGPU_TMP/out")" -ge 8 ]
    report $? "$name: the help has the options"
done

run 2 "no experiment" ""
run 2 "an unknown experiment" "speed"
run 2 "an unknown option" "flops --nonsense 1"
run 2 "a word too many" "flops 24"
run 2 "an unknown engine" "flops --engine fpga"
run 2 "an unknown configuration" "flops -c skl-gt9"
run 2 "an unknown key" "flops -s eu.thread=4"
run 2 "no job at all" "flops --jobs 0"
run 2 "a result into nowhere" "flops --json /nonexistent/x.json"
expect 0 "the parameters" "$igpu" params --json
json "each with default, range, unit and source" "len(d) > 100 and all(r['min'] <=
    r['default'] <= r['max'] and r['unit'] and r['source'] for r in d)"
expect 0 "some parameters" "$igpu" params l3. gti.
[ "$(grep -c '^l3\.\|^gti\.' "$IGPU_TMP/out")" = "$(wc -l <"$IGPU_TMP/out")" ]
report $? "those whose keys begin so"
expect 2 "a parameter that is not there" "$igpu" params l4.
expect 2 "params: an unknown option" "$igpu" params --yaml
run 2 "a list that is none" "flops --work-groups 1..x"
run 2 "a list that descends" "flops --work-groups 9..1"
run 2 "an operation that is not there" "flops --op sqrt"
says "which ones there are" "mad, add"
run 2 "an operation without that type" "flops --op add --type hp"
run 2 "a vector of three" "flops --vector 3"
run 2 "a working set that is no number of lines" "latency --ws 1000"
run 2 "an agent that is not there" "latency --agent npu"
run 2 "chases beyond 4 GB" "mlp --ws 64M --threads 168"
mkdir -p "$IGPU_TMP/alone" && cp "$igpu" "$IGPU_TMP/alone/igpu" &&
    expect 2 "the RTL engine without Vigpu" "$IGPU_TMP/alone/igpu" bench flops --engine rtl \
        --work-groups 1
says "what to build" "make verilate"

run 0 "flops" "flops --json - --work-groups 3,1 --loops 2"
json "in ascending order" "[r['work_groups'] for r in d] == [1, 3]"
json "the rate is the kernel's operations over the cycles" "all(abs(r['gflops'] -
    r['work_groups'] * 32 * 64 * 2 * 2 / r['cycles'] * 1.15) < 0.01 for r in d)"
run 0 "flops, one point" "flops --json - --work-groups 2 --type dp --op mul --vector 2 --loops 1"
json "is one object" "d['work_groups'] == 2 and d['gflops'] > 0"
json "with all digits" "abs(d['gflops'] / (d['flop_per_cycle'] * 1.15) - 1) < 1e-8"
for variant in unrolled private independent; do
    run 0 "flops --variant $variant" "flops --json - --work-groups 1 --variant $variant --loops 1"
done

run 0 "latency" "latency --json - --ws 1K,64K --jobs 2"
json "125 ns in the L3" "all(r['agent'] == 'gpu' and abs(r['ns'] - 125) < 3 for r in d)"
cp "$IGPU_TMP/out" "$IGPU_TMP/first"
run 0 "latency, one at a time" "latency --json - --ws 1K,64K --jobs 1"
cmp -s "$IGPU_TMP/out" "$IGPU_TMP/first"
report $? "gives the same bytes"
run 0 "latency with another L3" "latency --json - --ws 1K -s l3.latency=87"
json "30 cycles more" "abs(d['ns'] - 125.36 - 30 / 1.15) < 0.3"
run 0 "mlp" "mlp --json - --ws 64,2K --threads 4..8:4"
json "a row for each" "[(r['ws_bytes'], r['threads']) for r in d] ==
    [(64, 4), (64, 8), (2048, 4), (2048, 8)]"
json "flat" "all(abs(r['relative_time'] - 1) < 0.01 for r in d)"

run 0 "coalescing" "coalescing --json - --groups 2 --stride 1..16"
json "1, 2, 4, 8, 16 lines a message" "[(r['stride'], r['lines_per_message']) for r in d] ==
    [(s, s) for s in (1, 2, 4, 8, 16)]"
json "rises with the stride, never above the peak" "all(a['gb_per_s'] < b['gb_per_s'] <
    b['peak_gb_per_s'] for a, b in zip(d, d[1:]))"
run 2 "a stride of three" "coalescing --stride 3"
run 0 "bandwidth" "bandwidth --json - --vector 1,4,16 --subslices 1,3 --bytes 512K"
json "vect4 best, vect16 below scalar" "[sorted((r['bytes_per_cycle'], r['vector'])
    for r in d if r['subslices'] == n) == [(x['bytes_per_cycle'], x['vector'])
    for v in (16, 1, 4) for x in d if (x['vector'], x['subslices']) == (v, n)]
    for n in (1, 3)] == [True, True]"
json "three subslices three times one" "abs(d[3]['bytes_per_cycle'] /
    d[2]['bytes_per_cycle'] - 3) < 0.1"
run 0 "bandwidth of SLM" "bandwidth --json - --level slm --vector 4 --bytes 512K"
run 0 "bandwidth of DRAM" "bandwidth --json - --level dram --vector 4 --bytes 1M"
run 2 "eDRAM that is not there" "bandwidth --level edram"
run 2 "more subslices than there are" "bandwidth --subslices 4"

# What bench measures is what the recorder and the engine give by hand.
"$igpu" record --quiet -k chase_a64 -g 1 -l 1 --repeat 2 --arg buf:64K:chaseidx:7 \
    --arg buf:4 --arg i32:0 --arg u32:256 -o "$IGPU_TMP/hand.pb" \
    -O "-DSIMD=8 -cl-intel-greater-than-4GB-buffer-required" traces/kernels/chase.cl &&
    "$igpu" ref --quiet --json "$IGPU_TMP/out" "$IGPU_TMP/hand.pb" >/dev/null
json "by hand the same" "abs(d['kernels'][1]['time_ns'] / 4096 -
    json.load(open('$IGPU_TMP/first'))[1]['ns']) < 0.01"

run 0 "the CPU alone" "latency --json - --agent cpu --ws 1M"
json "about 10 ns in the LLC" "d['agent'] == 'cpu' and 8.5 < d['ns'] < 11"
run 0 "interference, one cell" "interference --json - --gpu-ws 1 --cpu-ws 1"
json "the GPU beside the CPU's chase" "d['measured'] == 'gpu' and d['gpu_ws_mb'] == 1 and
    d['cpu_ws_mb'] == 1 and abs(d['ns'] / 206.77 - 1) < 0.03"
run 0 "interference, the CPU measured" "interference --json - --table d --gpu-ws 0,1 --cpu-ws 1"
json "slower beside a stream" "[(r['measured'], r['other'], r['gpu_ws_mb']) for r in d] ==
    [('cpu', 'none', 0), ('cpu', 'stream', 1)] and d[0]['ns'] < d[1]['ns'] < 12"
run 2 "a table that is not there" "interference --table e"
run 0 "a measured GPU" "measured --json - --rows fma"
json "its rate, the model's and how far off" "d['machine'] == 'kbl-uhd620' and d['real'] == 208
    and abs(d['model'] / d['real'] - d['ratio']) < 1e-6 and 0.9 < d['ratio'] < 1.1"
run 0 "the same on half the EUs" "measured --json - --rows fma -s eu.count=4"
json "is half" "0.4 < d['ratio'] < 0.6 and abs(d['deviation'] * d['ratio'] - 1) < 1e-6"
run 0 "six slices of an LLC" "measured --json - --rows lud"
run 2 "another machine for all rows" "measured -c kbl-gt2 --rows fma"
run 2 "no such row" "measured --rows nothing"
run 2 "a program that is not recorded" "measured --programs $IGPU_TMP/none --rows hashcat-1600"
says "what to run" "traces/workloads/measured.sh"
run 2 "no measured working set" "interference --gpu-ws 0"

chase() { # chase STATUS WHAT OPTIONS: record a chase of 16 turns with them
    # shellcheck disable=SC2086
    expect "$1" "$2" "$igpu" record --quiet -k chase_a64 -g 1 -l 1 $3 --arg buf:64K:chaseidx:7 \
        --arg buf:4 --arg i32:0 --arg u32:16 -o "$IGPU_TMP/again.pb" \
        -O "-DSIMD=8 -cl-intel-greater-than-4GB-buffer-required" traces/kernels/chase.cl
}
chase 0 "record --again" "--repeat 3 --again 3:u32:1"
"$igpu" ref --quiet --json "$IGPU_TMP/out" "$IGPU_TMP/again.pb" >/dev/null
json "another value from the second launch on" "[k['mem']['requests'] for k in d['kernels']] ==
    [16 * 16 + 1, 16 + 1, 16 + 1]"
chase 2 "record --again of a buffer" "--repeat 2 --again 0:u32:1"
chase 2 "record --again of another type" "--repeat 2 --again 3:u64:1"
chase 2 "record --again of no argument" "--repeat 2 --again 9:u32:1"
chase 2 "record --repeat 0" "--repeat 0"

# Traces are recorded once.
count=$(ls "$XDG_CACHE_HOME/vigpu/traces" | wc -l)
run 0 "latency again" "latency --json - --ws 1K,64K"
[ "$(ls "$XDG_CACHE_HOME/vigpu/traces" | wc -l)" = "$count" ]
report $? "records nothing new"
rm -rf "$XDG_CACHE_HOME/vigpu/traces"
$bench latency --ws 64K --json "$IGPU_TMP/a" &
first=$!
$bench latency --ws 64K --json "$IGPU_TMP/b"
report $? "two at once: one"
wait $first
report $? "two at once: the other"
cmp -s "$IGPU_TMP/a" "$IGPU_TMP/b"
report $? "two at once: the same result"
[ "$(ls "$XDG_CACHE_HOME/vigpu/traces" | wc -l)" = 2 ]
report $? "two at once: one trace and its sum, nothing half-written"

# A damaged trace is recorded again, whatever it is now.
trace=$(ls "$XDG_CACHE_HOME"/vigpu/traces/*.pb)
for damage in 'flipped' 'cut off' 'a pipe' 'without its sum'; do
    case $damage in
    flipped) python3 -c "import sys
data = bytearray(open(sys.argv[1], 'rb').read())
data[len(data) // 2] ^= 16
open(sys.argv[1], 'wb').write(data)" "$trace" ;;
    'cut off') truncate -s -1 "$trace" ;;
    'a pipe') rm "$trace" && mkfifo "$trace" ;;
    'without its sum') rm "$trace.sum" ;;
    esac
    expect 0 "a trace $damage" timeout 60 $bench latency --ws 64K --json "$IGPU_TMP/b"
    cmp "$IGPU_TMP/a" "$IGPU_TMP/b" && "$igpu" trace verify "$trace" && [ -f "$trace.sum" ]
    report $? "a trace $damage is recorded again"
done

# To look whether a result can be written removes nothing that somebody else made.
ln -s "$IGPU_TMP/to-come" "$IGPU_TMP/link"
expect 2 "no folder for traces" env HOME=/nonexistent XDG_CACHE_HOME= \
    $bench latency --ws 1K --json "$IGPU_TMP/link"
[ -L "$IGPU_TMP/link" ] && [ ! -e "$IGPU_TMP/to-come" ]
report $? "a result that cannot be made leaves what is there"

if [ -x "$vigpu" ]; then
    run 0 "flops by the reference" "flops --json - --work-groups 1 --loops 1"
    cp "$IGPU_TMP/out" "$IGPU_TMP/ref"
    run 0 "flops in RTL" "flops --json - --work-groups 1 --loops 1 --engine rtl"
    cmp -s "$IGPU_TMP/out" "$IGPU_TMP/ref"
    report $? "the same numbers"
fi
exit $failures
