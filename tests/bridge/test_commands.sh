#!/usr/bin/env bash
# The subcommands of igpu: their options do what --help says, and each misuse is one line.
# Those of a simulation: test_cli.sh.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
cases=traces/kernels/cases.yaml
cat >"$IGPU_TMP/some.cl" <<'END'
kernel void where(global uint *out) { out[get_global_id(0) & 15] = (uint)get_global_id(0); }
kernel void say(global uint *out) { printf("item %d\n", (int)get_global_id(0)); *out = 0; }
kernel void count(global uint *out) { out[get_global_id(0) + 1] = atomic_inc(out); }
kernel void early(global int *out) { local int x[64];
 if (get_local_id(0) >= 32) return;
 x[get_local_id(0)] = out[get_local_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); out[get_local_id(0)] = x[31 - get_local_id(0)]; }
ulong __builtin_IB_read_cycle_counter(void);
kernel void clocked(global ulong *out) { out[get_global_id(0)] = __builtin_IB_read_cycle_counter(); }
kernel void endless(global volatile uint *out) { while (*out == 0) { } }
kernel void texel(read_only image2d_t image, sampler_t s, global float4 *out)
{ *out = read_imagef(image, s, (float2)(1.5f, 0.5f)); }
END
cl=$IGPU_TMP/some.cl

for command in record suite counters params bench "trace convert" "bench latency" trace; do
    # shellcheck disable=SC2086 # two words
    expect 0 "$command --help" "$igpu" $command --help
    grep -q "^usage: igpu $command" "$IGPU_TMP/out"
    report $? "tells how to use it"
done
for command in "" record run suite features trace gl frame ref counters bench params "trace convert" "frame render" \
    "bench latency" "trace dump"; do
    # shellcheck disable=SC2086 # two words, or none
    [ "$("$igpu" $command -h 2>&1)" = "$("$igpu" $command --help 2>&1)" ] && "$igpu" $command -h >/dev/null 2>&1
    report $? "igpu $command -h is --help"
done
for word in recrod:record smaple: trce:trace Bench:bench rec:record feat:features x:; do
    expect 2 "an unknown command" "$igpu" "${word%:*}"
    if [ "${word#*:}" != "" ]; then says "the nearest" "unknown command ${word%:*}; did you mean ${word#*:}?"; fi
done
# libiga64 is asked for when the first kernel is decoded, not by what decodes none.
mkdir "$IGPU_TMP/none" && echo none >"$IGPU_TMP/none/libiga64.so.1"
expect 3 "no decoder" env LD_LIBRARY_PATH="$IGPU_TMP/none" "$igpu" record -k where -g 16 -l 16 --arg buf:64 -o "$IGPU_TMP/none.pb" "$cl"
says "which library lacks" "kernel where: no decoder .*libiga64.so.1"
expect 0 "a simulation without it" env LD_LIBRARY_PATH="$IGPU_TMP/none" "$igpu" ref --quiet traces/samples/copy.pb

for command in record suite counters params "trace convert"; do
    # shellcheck disable=SC2086 # two words
    expect 2 "$command with an unknown option" "$igpu" $command --nonsense
    says "which" "--nonsense"
done

# ---- record
record() { "$igpu" record -k "$@" "$cl"; }
bad() { # bad WHAT PATTERN ARGUMENT...: a usage error that says PATTERN
    expect 2 "record: $1" "$igpu" record -k where "${@:3}" "$cl"
    says "what was expected" "$2"
}
range="-g 16 -l 16"
# shellcheck disable=SC2086 # two options
{
    bad "a size with a letter" "expected X, X,Y or X,Y,Z" -g 16x -l 16
    bad "a fourth dimension" "expected X, X,Y or X,Y,Z" -g 1,2,3,4 -l 1
    bad "other dimensions of a group" "same number of dimensions" -g 16,1 -l 16
    bad "no size" "are needed" -l 16
    bad "an unknown device" "expected skl, kbl, kbl-gt2 or cfl-gt2" $range -d bdw
    bad "a dump without a file" "ARGUMENT:FILE" $range --dump-buf 0
    bad "a dump of no buffer" "argument 7 is no buffer" $range --arg buf:64 --dump-buf "7:$IGPU_TMP/x"
    bad "another argument without a value" "ARGUMENT:SPEC" $range --again 0
    bad "values without a trace" "needs a trace" $range --values
    bad "no threads" "expected a number" $range --threads 0
    bad "too many arguments" "at most 128" $range $(printf ' --arg i32:0%.0s' {1..129})
    bad "too many dumps" "at most 32" $range $(printf ' --dump-buf 0:x%.0s' {1..33})
    bad "two files" "expected one" $range --arg buf:64 "$cl"
}
expect 0 "record with an offset, on Kaby Lake" record where -d kbl -g 4 -l 4 --offset 100 --arg buf:64:zero \
    --dump-buf "0:$IGPU_TMP/where.bin"
[ "$(od -An -v -tu4 -w4 "$IGPU_TMP/where.bin" | tr -d ' ' | tr '\n' ' ')" = "0 0 0 0 100 101 102 103 0 0 0 0 0 0 0 0 " ]
report $? "the items' numbers begin there"
# What the compiler says is all there, before our line; a trace's machine is its device's.
printf 'kernel void k(global int *a) {\n a[0] = b;\n a[1] = c; }\n' >"$IGPU_TMP/two.cl"
"$igpu" record -g 8 -l 8 --arg buf:64 "$IGPU_TMP/two.cl" 2>"$IGPU_TMP/err"
[ $? = 3 ] && [ "$(grep -c "^$IGPU_TMP/two.cl:[23]:9: error: " "$IGPU_TMP/err")" = 2 ] &&
    [ "$(tail -1 "$IGPU_TMP/err")" = "igpu record: $IGPU_TMP/two.cl: does not compile for skl: $(head -1 "$IGPU_TMP/err")" ]
report $? "a source with two errors: both, then one line"
printf 'kernel void k(global int *a) { if (*a = 1) a[1] = 5; }\n' >"$IGPU_TMP/odd.cl"
expect 0 "record of a source with a warning" "$igpu" record -g 8 -l 8 --arg buf:64 "$IGPU_TMP/odd.cl"
says "the warning" "odd.cl:1:39: warning: "
expect 0 "the same, quietly" "$igpu" record --quiet -g 8 -l 8 --arg buf:64 "$IGPU_TMP/odd.cl"
[ ! -s "$IGPU_TMP/err" ]
report $? "no warning"
for pair in skl:skl-gt2 kbl:kbl-gt3e kbl-gt2:kbl-gt2 cfl-gt2:cfl-gt2; do
    device=${pair%%:*}
    expect 0 "record for $device" record where --quiet -d "$device" -g 4 -l 4 --arg buf:64 -o "$IGPU_TMP/$device.pb"
    expect 0 "simulate it" "$igpu" ref "$IGPU_TMP/$device.pb"
    grep -q "^config  *${pair##*:}, " "$IGPU_TMP/out" && [ ! -s "$IGPU_TMP/err" ]
    report $? "on ${pair##*:}"
done
expect 0 "simulate it on another machine" "$igpu" ref -c skl-gt2 "$IGPU_TMP/kbl.pb"
says "a note" "note: .* compiled for kbl and is simulated on skl-gt2; without -c it is simulated on kbl-gt3e"
expect 0 "on another of its generation" "$igpu" ref -c kbl-gt2 "$IGPU_TMP/kbl.pb"
[ ! -s "$IGPU_TMP/err" ]
report $? "no note"
expect 0 "quietly" "$igpu" ref --quiet -c skl-gt2 "$IGPU_TMP/kbl.pb"
[ ! -s "$IGPU_TMP/err" ]
report $? "no note"
expect 0 "record with printf" record say -g 3 -l 1 --arg buf:4
[ "$(grep -c '^item [012]$' "$IGPU_TMP/out")" = 3 ]
report $? "prints what the kernel prints"
expect 0 "record of atomics' results" record count -g 8 -l 8 --threads 2 --arg buf:64:zero -o "$IGPU_TMP/count.pb"
says "that their order is kept" "note: the kernel uses values returned by global atomics"
expect 1 "record of a barrier that half of a group never reaches" record early -g 64 -l 64 --arg buf:256:zero
says "what is missing" "waits for a barrier that [124] of the group's [248] threads never reach"
says "no line without -g" "kernel early, pc 0x[0-9A-F]*, thread"
cat >"$IGPU_TMP/beyond.cl" <<'END'
kernel void beyond(global int *out, int n)
{
    out[n] = 1;
}
END
for g in -gline-tables-only -g; do
    expect 1 "record with $g of a barrier" record early -g 64 -l 64 -O $g --arg buf:256:zero
    says "the barrier's line, of several kernels" "pc 0x[0-9A-F]*, $cl:6, thread"
    expect 1 "record with $g of an access outside" "$igpu" record -g 8 -l 8 -O $g --arg buf:256 --arg i32:900000 "$IGPU_TMP/beyond.cl"
    says "the access's line" "kernel beyond, pc 0x[0-9A-F]*, $IGPU_TMP/beyond.cl:3, thread"
done
expect 0 "record of a kernel that reads its clock" record clocked -g 8 -l 8 --arg buf:64 -o "$IGPU_TMP/clock.pb"
says "what it reads" "note: the kernel reads its clock, which counts the thread's instructions"
expect 1 "record of a kernel that does not end" record endless -g 1 -l 1 --max-instructions 5000 --arg buf:4:zero
says "where it was stopped" "limit of instructions, 5000"
expect 0 "record with image and sampler" record texel -g 1 -l 1 --arg image2d:4x4:rgba-f32:iota \
    --arg sampler:texels:nearest:clamp_to_edge --arg buf:16 --dump-buf "2:$IGPU_TMP/texel.bin"
expect 2 "a sampler's word that is none" record texel -g 1 -l 1 --arg sampler:round
says "which" "round"
expect 2 "an image without a format" record texel -g 1 -l 1 --arg image2d:4x4
expect 2 "an image's size that is none" record texel -g 1 -l 1 --arg image2d:4x:rgba-f32
says "which" "4x"
expect 2 "an image's format that is none" record texel -g 1 -l 1 --arg image2d:4x4:rgba-f64

# ---- suite
expect 2 "suite without a list" "$igpu" suite
expect 2 "suite with two places for traces" "$igpu" suite --samples "$IGPU_TMP" --traces "$IGPU_TMP" $cases
expect 2 "suite with an unknown case" "$igpu" suite --case nothing $cases
says "its name" "has no case nothing"
expect 2 "suite with no threads' values" "$igpu" suite --values-threads 0 $cases
expect 3 "suite with a list that is not there" "$igpu" suite "$IGPU_TMP/none.yaml"
expect 0 "suite on Kaby Lake" "$igpu" suite -d kbl --case mad_sp_v2 $cases
expect 0 "suite with an option of the compiler" "$igpu" suite --case mad_sp_v2 -O -cl-opt-disable $cases
expect 0 "suite's samples" "$igpu" suite --samples "$IGPU_TMP" --case mad_sp $cases
cmp -s "$IGPU_TMP/mad_sp.pb" traces/samples/mad_sp.pb
report $? "the committed one, byte for byte"
cp traces/kernels/mad.cl "$IGPU_TMP/mad.cl"
cat >"$IGPU_TMP/wrong.yaml" <<'END'
cases:
  - name: wrong
    file: mad.cl
    kernel: mad_sp
    global: [96]
    local: [32]
    args: ["buf:384", "i32:3", "f32:3.7", "f32:0.125"]
    check: div_f32
    simd: [8]
END
expect 1 "suite with a case that computes something else" "$igpu" suite "$IGPU_TMP/wrong.yaml"
grep -q '^not ok wrong SIMD8: ' "$IGPU_TMP/out"
report $? "says which"

# ---- counters
"$IGPU_BUILD/tests/csim/test_oa" --write "$IGPU_TMP/some.oa" ComputeBasic
expect 0 "counters as text" "$igpu" counters "$IGPU_TMP/some.oa"
grep -q '^GpuTime  *[0-9.]* ns$' "$IGPU_TMP/out"
report $? "has a metric with its unit"
expect 0 "counters of each report as text" "$igpu" counters --reports "$IGPU_TMP/some.oa"
[ "$(grep -c '^report [0-9]* to [0-9]*,' "$IGPU_TMP/out")" = 4 ]
report $? "has four intervals"
"$igpu" counters --list --set ComputeBasic --format csv >"$IGPU_TMP/list" 2>&1
[ "$(head -n 1 "$IGPU_TMP/list")" = metric,unit,name,equation,maximum,available,simulated ] && grep -q '^GpuTime,ns,' "$IGPU_TMP/list"
report $? "counters: a set's metrics as CSV"
expect 2 "counters with an unknown format" "$igpu" counters --format xml "$IGPU_TMP/some.oa"
expect 2 "counters: a list as JSON" "$igpu" counters --list --format json
expect 2 "counters of nothing" "$igpu" counters
expect 2 "counters: a list of a file" "$igpu" counters --list "$IGPU_TMP/some.oa"

# ---- convert
mad=traces/samples/mad_sp.pb
expect 2 "convert with an unknown variant" "$igpu" trace convert --to macsim --variant new -o "$IGPU_TMP/m" $mad
says "which there are" "intel, 2018 or main"
expect 2 "convert without an output" "$igpu" trace convert --to macsim $mad
expect 2 "convert of nothing" "$igpu" trace convert --to macsim -o "$IGPU_TMP/m"
expect 2 "convert of two" "$igpu" trace convert --to macsim -o "$IGPU_TMP/m" $mad $mad
expect 2 "convert for an unknown device" "$igpu" trace convert --from gtpin -d bdw -o "$IGPU_TMP/g.pb" $mad

# ---- the CPU beside the GPU, in a simulation
t=traces/samples/reduce_u32.pb
printf '0x1000 r\n0x2040 w\n' >"$IGPU_TMP/cpu.txt"
expect 0 "a CPU that walks a list" "$igpu" ref --quiet --cpu chase:64K --json "$IGPU_TMP/cpu.json" $t
expect 2 "an agent that is none" "$igpu" ref --quiet --cpu walk:64K $t
expect 2 "a CPU's trace without its file" "$igpu" ref --quiet --cpu trace $t
says "trace:FILE" "trace:FILE"
expect 2 "the key of a CPU's trace without the file" "$igpu" ref --quiet -s cpu.agent=trace $t
expect 3 "a CPU's trace that is not there" "$igpu" ref --quiet --cpu "trace:$IGPU_TMP/none" $t
expect 2 "the reference checked against itself" "$igpu" ref --check --quiet $t
# shellcheck disable=SC2046 # words
expect 2 "too many settings" "$igpu" ref --quiet $(printf ' -s eu.threads=7%.0s' {1..257}) $t
expect 0 "values as text" "$igpu" suite --case mad_sp --values --traces "$IGPU_TMP" $cases
expect 0 "their dump" "$igpu" trace dump --threads 0 "$IGPU_TMP/mad_sp_simd16.pb"
grep -q '^value: ins_uid "[0-9_]*" mask 0x[0-9a-f]* mode 0x[0-9a-f]* src .* src .* result ' "$IGPU_TMP/out"
report $? "has operands and results"
exit $failures
