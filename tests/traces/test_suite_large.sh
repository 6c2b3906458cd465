#!/bin/sh
# Whole problems of 1e5 to 1e8 instructions equal the host's references.
# tests/run: slow turn=0of3
set -eu
cd "$(dirname "$0")/../.."
igpu=${BUILD:-build}/bin/igpu
"$igpu" suite traces/kernels/cases_large.yaml
