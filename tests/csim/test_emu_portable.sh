#!/usr/bin/env bash
# The emulator's tests once more with the handlers for any host, which a machine with AVX2
# would never run.
# tests/run: timeout=600 slow
set -u
failures=0
export IGPU_EMU_PORTABLE=1
for name in test_emu_float test_emu_int test_emu_flow test_emu_kernels test_isa_cover; do
    if "$IGPU_BUILD/tests/csim/$name" >"$IGPU_TMP/out" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        grep -v '  OK ' "$IGPU_TMP/out" | tail -n 30
        failures=1
    fi
done
# It was those: the last test says which it ran.
if grep -q 'portable handlers' "$IGPU_TMP/out"; then
    echo "ok portable handlers"
else
    echo "not ok portable handlers: $(grep handlers "$IGPU_TMP/out")"
    failures=1
fi
exit $failures
