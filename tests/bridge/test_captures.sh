#!/usr/bin/env bash
# test_captures.sh - both engines agree on captures of Intel's compute driver, Mesa's GL,
# Vulkan and rusticl: each 17th of tests/perf/captures.py, which has all.
# tests/run: timeout=300 slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
for need in /etc/OpenCL/vendors/intel.icd /etc/OpenCL/vendors/rusticl.icd /usr/include/level_zero/ze_api.h; do
    [ -e $need ] || { echo "1..0 # SKIP no $need: apt-get install intel-opencl-icd mesa-opencl-icd libze-dev" && exit 0; }
done
command -v glslangValidator >"$IGPU_TMP/out" ||
    { echo "1..0 # SKIP no glslangValidator: apt-get install glslang-tools" && exit 0; }
expect 0 "both engines agree" env BUILD="$IGPU_BUILD" /usr/bin/python3 tests/perf/captures.py --every 17 --csv "$IGPU_TMP/c.csv"
cat "$IGPU_TMP/out"
[ "$(grep -c ',equal' "$IGPU_TMP/c.csv")" = 4 ]
report $? "of four drivers' captures"
expect 1 "nothing to compare" env BUILD="$IGPU_BUILD" /usr/bin/python3 tests/perf/captures.py --every 100 --limit 1
exit $failures
