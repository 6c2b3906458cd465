#!/bin/bash
# A frame's pictures and counters are the same in a program that has set another rounding
# and has denormals flushed; of a kernel's launch: tests/csim/test_emu_rounding.c.
# tests/run: timeout=240
. tests/support/cli.sh
cat >"$IGPU_TMP/rounds.c" <<'END'
#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif
__attribute__((constructor)) static void set(void)
{
    fesetround(FE_UPWARD);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}
END
${CC:-gcc} -shared -fPIC -o "$IGPU_TMP/rounds.so" "$IGPU_TMP/rounds.c" -lm
report $? "a library that sets it is built"
render() { # render WHERE JIT THREADS CAPTURE
    IGPU_JIT=$2 IGPU_HOST_THREADS=$3 "$igpu" frame render --counters -o "$1.png" "$4" >"$1.txt"
}
for name in blend depth fast_samples geometry storage; do
    capture=tests/fuzzing/corpus/render/$name.igf
    render "$IGPU_TMP/plain" off 1 "$capture"
    for how in "off 1" "now 1" "off 2"; do
        # shellcheck disable=SC2086 # two words
        LD_PRELOAD=$IGPU_TMP/rounds.so render "$IGPU_TMP/other" $how "$capture"
        cmp -s "$IGPU_TMP/plain.png" "$IGPU_TMP/other.png" && cmp -s "$IGPU_TMP/plain.txt" "$IGPU_TMP/other.txt"
        report $? "$name, JIT and threads $how"
    done
done
exit $failures
