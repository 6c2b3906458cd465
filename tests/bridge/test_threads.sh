#!/bin/sh
# The parts that use several host threads, built with ThreadSanitizer: the OpenCL driver or,
# by the commit, the emulator's groups side by side and draws' groups of pixels; the RTL
# engine's pool, and, with --long, a simulation in which its tiles share one feeder, and
# whole draws and dispatches. No report, and the tests' own results. In the last cases a
# defect is put in: the pool's rounds, and groups that draw to the same pixels, without
# order.
# tests/run: timeout=1200 slow builds
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
build=$IGPU_BUILD/tsan
# A child of fork() that has threads of its own is what the driver's tests are about.
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 die_after_fork=0"
driver="ocl/test_ocl_queue ocl/test_ocl_threads ocl/test_ocl_usm ocl/test_ocl_compute"
others="csim/test_emu_parallel csim/test_emu_alike_launch csim/test_gfx_queue csim/test_gfx_band"
loaded="lib/libigpu_ocl.so lib/vigpu.icd lib/igpu_ocloc"
# Only what the tests are linked with is compiled: a third or two thirds of all.
if [ -n "${IGPU_LONG-}" ]; then
    tests="$driver $others" targets=$loaded libraries=""
elif [ "$(part_of 2)" = 0 ]; then
    tests=$driver targets=$loaded libraries="TEST_LIBS=program"
else
    tests=$others targets="" libraries="TEST_LIBS=gfx program"
fi
for t in $tests; do targets="$targets tests/$t"; done
[ -z "${IGPU_LONG-}" ] || targets="$targets bin/Vigpu bin/igpu tests/bridge/test_rtl_pool"
# clang without optimisation: a quarter of the time of gcc -O1, and the same accesses.
# shellcheck disable=SC2046,SC2086 # lists of words
make -j2 CC=clang CXX=clang++ SAN=thread OPT=-O0 BUILD="$build" ${libraries:+"$libraries"} \
    $(printf "$build/%s " $targets) >"$IGPU_TMP/build.log" 2>&1 || {
    tail -5 "$IGPU_TMP/build.log"
    report 1 "build with ThreadSanitizer"
    exit 1
}
[ "${1-}" != build ] || exit 0

# race_free WHAT COMMAND...: exit 0, and the sanitizer has nothing to say.
race_free() {
    what=$1
    shift
    IGPU_BUILD=$build "$@" >"$IGPU_TMP/out" 2>&1
    status=$?
    ! grep -q 'WARNING: ThreadSanitizer' "$IGPU_TMP/out" && [ $status = 0 ] || {
        grep -A12 -m1 'WARNING: ThreadSanitizer' "$IGPU_TMP/out" || tail -5 "$IGPU_TMP/out"
        false
    }
    report $? "$what"
}
for t in $tests; do race_free "$t" timeout 300 "$build/tests/$t"; done
if [ -n "${IGPU_LONG-}" ]; then
    race_free bridge/test_rtl_pool timeout 300 "$build/tests/bridge/test_rtl_pool"
    for name in mad_sp reduce_u32 histogram_local; do
        race_free "$name on three host threads" timeout 600 "$build/bin/Vigpu" --quiet \
            --threads 3 "traces/samples/$name.pb"
    done
    . tests/bridge/graphics/mesa.sh
    for name in crowds compute; do
        build_program $name
        [ $name = crowds ] || mkdir -p "$IGPU_TMP/$name.our" # that one writes a file
        expect 0 "$name: a capture" "$igpu" gl -o "$IGPU_TMP/$name.igf" -- "$IGPU_TMP/$name" "$IGPU_TMP/$name.our"
        race_free "$name on three host threads" env IGPU_HOST_THREADS=3 IGPU_JIT=off timeout 600 \
            "$build/bin/igpu" frame render -o "$IGPU_TMP/$name.png" "$IGPU_TMP/$name.igf"
    done
else # the pool is C alone, the rest of its library is not
    ${CC:-gcc} -std=c11 -g -O1 -fsanitize=thread -pthread -I. -o "$IGPU_TMP/pool" \
        tests/bridge/test_rtl_pool.c bridge/engines/rtl/rtl_pool.c -lcmocka
    race_free bridge/test_rtl_pool timeout 300 "$IGPU_TMP/pool"
fi
sed 's/memory_order_\(acquire\|release\)/memory_order_relaxed/' bridge/engines/rtl/rtl_pool.c >"$IGPU_TMP/relaxed.c"
${CC:-gcc} -std=c11 -g -O1 -fsanitize=thread -pthread -I. -o "$IGPU_TMP/relaxed" \
    tests/bridge/test_rtl_pool.c "$IGPU_TMP/relaxed.c" -lcmocka
"$IGPU_TMP/relaxed" 2>&1 | grep -q 'WARNING: ThreadSanitizer: data race'
report $? "a pool without order between its rounds is reported"
case " $tests " in *" csim/test_gfx_queue "*)
    # The queue of groups of pixels, which does not wait for those before.
    sed 's/memory_order_acquire) > n)/memory_order_acquire) + 1 > 0)/' csim/gfx/gfx_queue.c >"$IGPU_TMP/eager.c"
    # shellcheck disable=SC2046 # a list of words
    ! cmp -s csim/gfx/gfx_queue.c "$IGPU_TMP/eager.c" &&
        clang -std=c11 -D_POSIX_C_SOURCE=200809L -g -O0 -fsanitize=thread -pthread -I. -Icsim/include -Icsim/gfx -o "$IGPU_TMP/eager" \
            tests/csim/test_gfx_queue.c "$IGPU_TMP/eager.c" $(printf "$build/lib/libigpu-%s.a " gfx emu tex fpu isa util) -lcmocka -lm -ldl
    report $? "a queue whose groups do not wait is built"
    "$IGPU_TMP/eager" >"$IGPU_TMP/out" 2>&1
    grep -q 'WARNING: ThreadSanitizer: data race' "$IGPU_TMP/out"
    report $? "and found out"
    ;;
esac
exit $failures
