// pipes.cpp - see pipes.h.
#include "Varray_1x1.h"
#include "Varray_24x1.h"
#include "Varray_2x24.h"
#include "Varray_3x1.h"
#include "Varray_6x8.h"
#include "Varray_flat_1x1.h"
#include "bridge/engines/rtl/array_ports.hpp"
ARRAY_SHAPE(flat_1x1, 1, 1, 1, 16384)
ARRAY_SHAPE(1x1, 1, 1, 1, 16384)
ARRAY_SHAPE(3x1, 1, 3, 1, 16384)
ARRAY_SHAPE(24x1, 3, 8, 1, 16384)
ARRAY_SHAPE(6x8, 6, 8, 8, 16384)
ARRAY_SHAPE(2x24, 6, 8, 24, 16384)
