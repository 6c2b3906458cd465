#!/bin/sh
# Every mutant of rtl/eu and rtl/sched in mutants.py is seen by test_array.
# tests/run: long timeout=14400 alone
exec python3 tests/cosim/mutants.py
