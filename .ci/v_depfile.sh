#!/bin/sh
# v_depfile.sh TARGET VER.D - make rules from Verilator's dependency file: TARGET
# depends on each Verilog source, and a source that was deleted is no error.
sed 's/^.* : //' "$2" | tr ' ' '\n' | grep -v -e '^$' -e verilator_bin | sort -u |
    awk -v target="$1" '{ print target ": " $0; print $0 ":" }'
