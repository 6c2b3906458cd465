#!/bin/sh
# Every mutant of rtl/eu (mutants_eu.py, both shells) and rtl/sched (mutants.py) is seen by
# test_array, every one of what decodes and computes (mutants_values.py) by test_isa,
# test_values_forms or test_values.
# tests/run: long timeout=14400 alone
status=0
python3 tests/cosim/mutants_eu.py || status=1
python3 tests/cosim/mutants_values.py || status=1
python3 tests/cosim/mutants.py || status=1
exit $status
