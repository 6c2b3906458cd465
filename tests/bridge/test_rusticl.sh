#!/usr/bin/env bash
# test_rusticl.sh - Mesa's own OpenCL driver, rusticl, and so a second compiler, on the
# captured GPU: captured, timed, its kernels equal on both engines.
# tests/run: timeout=300
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
icd=/etc/OpenCL/vendors/rusticl.icd
[ -e $icd ] || { echo "1..0 # SKIP no $icd: apt-get install mesa-opencl-icd" && exit 0; }
gcc -o "$t/adds" tests/ocl/neo/adds.c -lOpenCL 2>"$t/cc" ||
    { echo "1..0 # SKIP $(head -1 "$t/cc"): apt-get install ocl-icd-opencl-dev" && exit 0; }
export RUSTICL_ENABLE=iris OCL_ICD_VENDORS=$icd
expect 0 "a program of OpenCL is right" "$igpu" gl --time --csv "$t/l.csv" -o "$t/r.igf" -- "$t/adds"
cat "$t/out"
[ "$(grep -c ': right$' "$t/out")" = 3 ]
report $? "in all its kernels"
[ "$(grep -c ',dispatch,' "$t/l.csv")" = 3 ]
report $? "each has simulated time"
expect 0 "recorded from the capture" "$igpu" frame trace -o "$t/r.pb" "$t/r.igf"
expect 0 "RTL and reference agree" "$vigpu" --quiet --check "$t/r.pb"
export OCL_ICD_VENDORS=$IGPU_BUILD/lib RUSTICL_ENABLE=
expect 0 "our own driver is right, too" "$igpu" run -- "$t/adds"
expect 0 "and Intel's" "$igpu" run --driver neo -- "$t/adds"
exit $failures
