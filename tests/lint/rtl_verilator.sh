#!/usr/bin/env bash
# rtl_verilator.sh TOP [NAME=VALUE...] -- FILE... - lint one module as the top.
top=$1 && shift
params=()
while [ "$1" != -- ]; do params+=("-G$1") && shift; done
shift
waivers=()
[ ! -e bridge/engines/rtl/igpu_eu_flat.vlt ] || waivers=(bridge/engines/rtl/igpu_eu_flat.vlt)
# The program itself: `verilator` is a script that takes seven times as long to start.
exec "$(command -v verilator_bin || echo verilator)" --lint-only -Wall -Irtl/include -Irtl/eu -Irtl/lib --top-module "$top" "${params[@]}" \
    "${waivers[@]}" "$@"
