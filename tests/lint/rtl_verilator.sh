#!/usr/bin/env bash
# rtl_verilator.sh TOP [NAME=VALUE...] -- FILE... - lint one module as the top.
top=$1 && shift
params=()
while [ "$1" != -- ]; do params+=("-G$1") && shift; done
shift
waivers=()
[ ! -e bridge/engines/rtl/igpu_eu_flat.vlt ] || waivers=(bridge/engines/rtl/igpu_eu_flat.vlt)
exec verilator --lint-only -Wall -Irtl/include -Irtl/eu -Irtl/lib --top-module "$top" "${params[@]}" \
    "${waivers[@]}" "$@"
