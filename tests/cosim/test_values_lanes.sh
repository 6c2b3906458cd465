#!/bin/sh
# The EU's values with one lane of the FPU that all channels share, and one copy of the
# registers from which operands are read one after the other (docs/develop/eu.md, A smaller
# form): single instructions, whole random programs and kernels in lock-step with the
# emulator, whose cycles stay those of the run without values. In test_values_forms and its
# like everything but the class is the same.
# tests/run: long timeout=3600
make -s values-lanes || exit 1
for t in test_values_forms test_values_programs test_values; do
    "$IGPU_BUILD/tests/cosim/lanes/$t" || exit 1
done
