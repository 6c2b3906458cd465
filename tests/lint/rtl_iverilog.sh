#!/usr/bin/env bash
# rtl_iverilog.sh TOP [NAME=VALUE...] -- FILE... - lint one module as the top.
top=$1 && shift
params=()
while [ "$1" != -- ]; do params+=("-P$top.$1") && shift; done
shift
exec iverilog -g2005 -Wall -t null -Irtl/include -Irtl/eu -Irtl/lib -s "$top" "${params[@]}" "$@"
