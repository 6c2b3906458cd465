#!/bin/sh
# Translated code on an x86-64 without AVX (docs/contract/jit.md): random programs against the
# emulator, and functions of floats, on a processor with SSE2 that qemu-user makes.
# Does not find: what recording reaches; the processor's own timing.
# tests/run: timeout=3600 long
set -u
command -v qemu-x86_64 >"$IGPU_TMP/qemu" && [ -e "$IGPU_BUILD/lib/libigpu_jit.so" ] || {
    echo "1..0 # SKIP no qemu-user, or no LLVM 14: nothing is translated"
    exit 0
}
unset IGPU_LONG # the few programs take minutes
failures=0
for test in test_jit_process test_jit_random test_jit_math; do
    if qemu-x86_64 -cpu qemu64 "$IGPU_BUILD/tests/csim/$test" >"$IGPU_TMP/out" 2>&1; then
        echo "ok $test"
    else
        echo "not ok $test"
        tail -5 "$IGPU_TMP/out"
        failures=1
    fi
done
exit $failures
