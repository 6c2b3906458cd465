#!/bin/sh
# Every kernel of traces/kernels/ on the emulator equals the host's reference, at each
# SIMD width that the compiler allows; and a wrong reference would be found.
set -eu
cd "$(dirname "$0")/../.."
igpu=${BUILD:-build}/bin/igpu
"$igpu" suite traces/kernels/cases.yaml
