#!/bin/sh
# The EU pipelines as 24x1 and 6x8 give the reference's cycles (shapes/array_shapes.c);
# their classes take two CPU minutes each to compile.
# tests/run: long timeout=3600
make -s array-shapes && exec "$IGPU_BUILD/tests/cosim/array_shapes" "$@"
