#!/bin/sh
# Random cases that once found a defect, and that the seeds of CI do not hold.
# tests/run: timeout=120
. tests/support/cli.sh

same() { # same WHAT SEED CASE
    "$IGPU_BUILD/tests/cosim/test_random" --pair ref-rtl --seed "$2" --case "$3"
    report $? "$1"
}

same "a timer beyond the horizon ends just behind a stop for a full send queue" 777 36
same "a timer ends 64 cycles behind such a stop" 1024149715 87
exit $failures
