#!/bin/sh
# Every C test of csim, traces and bridge and those of the OpenCL driver, and ./igpu, built
# with clang, AddressSanitizer and UBSan: no report, and the tests' own results. Each commit
# has an eighth of the tests that are not slow, and fewer operations of some, --long all. With that ./igpu samples simulate,
# to the default build's results, the kernel suite's samples record, and broken traces (60
# seeded cuts and 40 flipped bits; 500 and 500 with --long) end with exit 2 or 3 and one line, never a report of the sanitizer. A flipped bit that
# still decodes may run. Cuts at every chunk boundary: tests/traces/test_trace_bad.c; many
# more damaged traces: tests/fuzzing. Every second commit renders scenes of test_gfx, a third
# of them.
# Does not find: what only the Verilated classes or a thread reach (test_threads.sh).
# tests/run: timeout=1800 slow builds
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
build=$IGPU_BUILD/sanitized
# Over four seconds so (some take minutes), and those
# that leave a process too little memory for the sanitizer's own.
slow="bridge/test_agree bridge/test_oa_maxima bridge/test_sample csim/test_emu_float csim/test_emu_int
    csim/test_emu_kernels csim/test_gfx_cover csim/test_gfx_flat csim/test_gfx_state csim/test_gfx_store csim/test_gfx_weights csim/test_isa
    csim/test_isa_cover csim/test_jit csim/test_mem_chase csim/test_mem_cpu csim/test_mem_dram
    csim/test_mem_parts csim/test_mem_policy csim/test_mem_quiet csim/test_mem_random ocl/test_ocl_image
    ocl/test_ocl_memory ocl/test_ocl_queue ocl/test_ocl_sample ocl/test_ocl_time traces/test_cases_compile traces/test_trace_follow
    traces/test_compile traces/test_spirv traces/test_trace_bad traces/test_trace_column
    traces/test_trace_roundtrip traces/test_trace_size traces/test_uop_costs"
never="traces/test_short_memory"
# An eighth of the tests; with --long all.
eighth=$(part_of 8)
chosen="" number=0
for file in tests/csim/test_*.c tests/traces/test_*.c tests/bridge/test_*.c tests/ocl/test_*.c; do
    test=${file#tests/}
    test=${test%.c}
    if [ -z "${IGPU_LONG-}" ]; then
        case " $(echo $slow) " in *" $test "*) continue ;; esac
        number=$((number + 1))
        [ $((number % 8)) = $eighth ] || continue
    fi
    case " $never " in *" $test "*) continue ;; esac
    chosen="$chosen $test"
done
# shellcheck disable=SC2046,SC2086 # lists of words
BUILD=$IGPU_BUILD tests/fuzzing/build sanitized -O0 \
    $(printf "$build/%s " bin/igpu lib/libigpu_ocl.so lib/vigpu.icd lib/igpu_ocloc) \
    $(printf "$build/tests/%s " $chosen) >"$IGPU_TMP/build.log" 2>&1 || {
    tail -5 "$IGPU_TMP/build.log"
    report 1 "build with clang and sanitizers"
    exit 1
}
[ "${1-}" != build ] || exit 0
# clean TEST: it passes, and no sanitizer has anything to say.
clean() {
    test=$1
    fewer=""
    # What takes long by how often it does the same: 200,000 random operations, 1,000 turns, five
    # traces.
    [ -n "${IGPU_LONG-}" ] || case $test in
    csim/test_emu_alike) fewer=200 ;;
    csim/test_emu_madm) fewer=10000 ;;
    traces/test_trace_alike) fewer=20 ;;
    traces/test_trace_moved) fewer=15 ;;
    esac
    mkdir -p "$IGPU_TMP/$test"
    IGPU_BUILD=$build IGPU_TMP=$IGPU_TMP/$test timeout 900 "$build/tests/$test" $fewer >"$IGPU_TMP/$test.out" 2>&1
    status=$?
    # What the allocator refuses is no report: it returns NULL, as malloc() does.
    sed -i '/WARNING: AddressSanitizer failed to allocate/d' "$IGPU_TMP/$test.out"
    [ $status = 0 ] && ! grep -q -e Sanitizer -e 'runtime error' "$IGPU_TMP/$test.out" || {
        { grep -A12 -m1 -e Sanitizer -e 'runtime error' "$IGPU_TMP/$test.out" ||
            tail -5 "$IGPU_TMP/$test.out"; } | sed 's/^/# /'
        echo "# exit $status"
        false
    }
    report $? "$test"
}
# detect_leaks=0: the tests leave to the end of their process what it still has.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
for test in $chosen; do clean "$test"; done
san=$build/bin/igpu
# Another compiler and another optimisation give the same statistics, byte for byte.
for name in mad_sp reduce_u32 histogram_local divergent chase_n stencil; do
    sample=traces/samples/$name.pb
    expect 0 "$name simulates" "$san" ref --quiet --json "$IGPU_TMP/san.json" "$sample"
    "$igpu" ref --quiet --json - "$sample" | strip_host >"$IGPU_TMP/plain.json" &&
        strip_host <"$IGPU_TMP/san.json" | cmp -s - "$IGPU_TMP/plain.json"
    report $? "$name: with the results of the default build, gcc -O2"
done
mkdir -p "$IGPU_TMP/samples"
expect 0 "the samples record" "$san" suite --samples "$IGPU_TMP/samples" \
    traces/kernels/cases.yaml
for f in "$IGPU_TMP"/samples/*.pb; do
    cmp -s "$f" "traces/samples/$(basename "$f")" || echo "# $(basename "$f") differs"
done >"$IGPU_TMP/differ"
[ ! -s "$IGPU_TMP/differ" ] || cat "$IGPU_TMP/differ"
[ ! -s "$IGPU_TMP/differ" ]
report $? "and are byte for byte the committed ones"

# The 3D pipeline: scenes of test_gfx, captured by the plain build.
t=$IGPU_TMP
programs="scenes textures primitives"
# shellcheck disable=SC2086 # a list of words
[ -n "${IGPU_LONG-}" ] || programs=$(printf '%s\n\n' $programs | sed -n "$((eighth % 6 + 1))p")
for program in $programs; do
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L -o "$t/$program" "tests/bridge/graphics/$program.c" -lEGL -lGLESv2 -lm \
        2>"$t/cc" && env -u DISPLAY timeout 120 "$igpu" gl -o "$t/$program.igf" -- "$t/$program" "$t" >"$t/gl.log" 2>&1 || {
        echo "# $program left out: $(cat "$t/cc" "$t/gl.log" 2>/dev/null | head -1)"
        continue
    }
    expect 0 "graphics: $program" timeout 600 "$san" frame render --counters "$t/$program.igf"
    ! grep -q -e Sanitizer -e 'runtime error' "$t/err"
    report $? "and no sanitizer has anything to say"
done

python3 - "$san" traces/samples/reduce_u32.pb "$IGPU_TMP/broken.pb" <<'PY'
import os, random, subprocess, sys

program, source, broken = sys.argv[1:4]
data = open(source, "rb").read()
seed = 20180402
rng = random.Random(seed)
count, flips = (500, 500) if "IGPU_LONG" in os.environ else (60, 40)
print(f"# seed {seed}")
cuts = sorted(set(rng.sample(range(len(data)), count)) |
              {0, 1, 7, 8, 9, len(data) - 1, len(data) - 8, len(data) - 16})
bad = []


def run(content, may_run):
    open(broken, "wb").write(content)
    done = subprocess.run([program, "ref", "--quiet", "--max-cycles", "5000", broken],
                          capture_output=True, text=True, timeout=120)
    lines = done.stderr.strip().splitlines()
    if done.returncode in (0, 4) and may_run:
        return
    if done.returncode not in (2, 3) or len(lines) != 1 or "Sanitizer" in done.stderr:
        bad.append((done.returncode, lines[:2]))


for cut in cuts:
    run(data[:cut], False)
for _ in range(flips):
    flipped = bytearray(data)
    flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    run(bytes(flipped), True)
print(f"# {len(cuts)} cuts, {flips} flips, {len(bad)} bad: {bad[:3]}")
sys.exit(1 if bad else 0)
PY
report $? "cut and flipped traces"
exit $failures
