#!/bin/sh
# tests/run: timeout=900 slow
# The kernels of traces/kernels/ as -cl-opt-disable leaves them: with stacks, calls of
# functions outside of the kernel and everything in private memory. Some of them; in
# long runs, all.
set -eu
cd "$(dirname "$0")/../.."
igpu=${IGPU_BUILD:-build}/bin/igpu
if [ "${IGPU_LONG:-0}" = 1 ]; then
    exec "$igpu" suite -O -cl-opt-disable traces/kernels/cases.yaml
fi
for name in stencil reduce_u32 slm_transpose chase_a64; do
    "$igpu" suite --case $name -O -cl-opt-disable traces/kernels/cases.yaml
done
