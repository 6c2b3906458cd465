#!/bin/sh
# The EU pipelines as 1x1, 3x1, 24x1, 6x8 and 2x24 give the reference's cycles
# (shapes/array_shapes.c); the classes of the last three take two CPU minutes each to compile. With bounded cases also here: a
# cycle of 24 pipelines is slow.
# tests/run: long timeout=3600
make -s array-shapes && exec env -u IGPU_LONG "$IGPU_BUILD/tests/cosim/array_shapes" "$@"
