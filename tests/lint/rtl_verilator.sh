#!/usr/bin/env bash
# rtl_verilator.sh TOP [NAME=VALUE...] -- FILE... - lint one module as the top.
top=$1 && shift
params=()
while [ "$1" != -- ]; do params+=("-G$1") && shift; done
shift
waivers=()
for file in rtl/lint.vlt bridge/rtl/igpu_eu_flat.vlt; do
    [ -e "$file" ] && waivers+=("$file")
done
exec verilator --lint-only -Wall -Irtl/include -Irtl/eu -Irtl/lib --top-module "$top" "${params[@]}" \
    "${waivers[@]}" "$@"
