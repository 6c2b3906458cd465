// array_shapes.cpp - see array_shapes.h.
#include "Varray_1x24.h"
#include "Varray_3x8.h"
#include "Varray_flat_1x24.h"
#include "Varray_flat_2x24.h"
#include "bridge/engines/rtl/array_ports.hpp"
ARRAY_SHAPE(flat_1x24, 3, 8, 24, 16384)
ARRAY_SHAPE(flat_2x24, 6, 8, 24, 16384)
ARRAY_SHAPE(1x24, 3, 8, 24, 16384)
ARRAY_SHAPE(3x8, 3, 8, 8, 16384)
