#!/usr/bin/env bash
# rtl_verilator.sh TOP [NAME=VALUE...] -- FILE... - lint one module as the top.
top=$1 && shift
params=()
while [ "$1" != -- ]; do params+=("-G$1") && shift; done
shift
waivers=()
[ -e rtl/lint.vlt ] && waivers=(rtl/lint.vlt)
exec verilator --lint-only -Wall -Irtl/include --top-module "$top" "${params[@]}" \
    "${waivers[@]}" "$@"
