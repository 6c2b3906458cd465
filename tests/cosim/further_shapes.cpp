// further_shapes.cpp - see further_shapes.h.
#include "Varray_1x3.h"
#include "Varray_flat_1x3.h"
#include "Varray_small.h"
#include "bridge/engines/rtl/array_ports.hpp"
ARRAY_SHAPE(flat_1x3, 1, 3, 3, 16384)
ARRAY_SHAPE(1x3, 1, 3, 3, 16384)
ARRAY_SHAPE(small, 1, 3, 3, 1024)
