#!/bin/sh
# Unit tests of the C side on AArch64, where a Zynq board runs it: cross-compiled, under
# qemu-user (.ci/aarch64.sh): configuration, half floats, JSON, instruction cache, memory
# side and reference, translated code against the emulator, what features and traces do in
# vectors. Does not find: what only Verilator's classes or recording reach, and
# what the weaker order of memory of a real processor does to threads.
# tests/run: timeout=1500 long
set -u
.ci/aarch64.sh "$IGPU_BUILD/aarch64" csim/test_config csim/test_half csim/test_json \
    csim/test_icache csim/test_mem_quiet csim/test_ref_issue csim/test_ref_send \
    csim/test_stats_write csim/test_jit_random csim/test_jit_process csim/test_jit_math csim/test_emu_alike \
    csim/test_mem_warm traces/test_features_order traces/test_trace_column
