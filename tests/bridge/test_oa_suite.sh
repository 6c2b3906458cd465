#!/bin/sh
# Of every kernel of the suite at each SIMD width: no metric of any set above the greatest
# value that Intel gives for it (test_oa_maxima.c says which three, and why).
# tests/run: timeout=1800 long
set -eu
cd "$(dirname "$0")/../.."
traces=${IGPU_TMP:-$(mktemp -d)}/suite
mkdir -p "$traces"
"${IGPU_BUILD:-build}"/bin/igpu suite --traces "$traces" traces/kernels/cases.yaml
find "$traces" -name '*.pb' -print0 | sort -z | xargs -0 "${IGPU_BUILD:-build}"/tests/bridge/test_oa_maxima
