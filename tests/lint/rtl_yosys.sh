#!/usr/bin/env bash
# rtl_yosys.sh TOP [NAME=VALUE...] -- FILE... - elaborate one module as the top;
# no unknown module, no driver conflict, no loop, no latch. opt_clean first drops
# what drives nothing, such as the "latch" of a loop variable.
top=$1 && shift
chparam=""
while [ "$1" != -- ]; do chparam+=" -chparam ${1%%=*} ${1#*=}" && shift; done
shift
exec yosys -q -p "read_verilog -Irtl/include $*; hierarchy -check -top $top$chparam; \
proc; check -assert; opt_clean; select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr"
