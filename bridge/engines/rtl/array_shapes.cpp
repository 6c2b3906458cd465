// array_shapes.cpp - see array_shapes.h.
#include "Varray_1x24.h"
#include "Varray_1x24___024root.h"
#include "Varray_3x8.h"
#include "Varray_3x8___024root.h"
#include "Varray_flat_1x24.h"
#include "Varray_flat_1x24___024root.h"
#include "Varray_flat_2x24.h"
#include "Varray_flat_2x24___024root.h"
#include "bridge/engines/rtl/verilator_direct.hpp"
IGPU_DIRECT(Varray_1x24)
IGPU_DIRECT(Varray_3x8)
IGPU_DIRECT(Varray_flat_1x24)
IGPU_DIRECT(Varray_flat_2x24)
#define ARRAY_EDGE IGPU_EDGE
#include "bridge/engines/rtl/array_ports.hpp"
ARRAY_SHAPE(flat_1x24, 3, 8, 24, 16384)
ARRAY_SHAPE(flat_2x24, 6, 8, 24, 16384)
ARRAY_SHAPE(1x24, 3, 8, 24, 16384)
ARRAY_SHAPE(3x8, 3, 8, 8, 16384)
