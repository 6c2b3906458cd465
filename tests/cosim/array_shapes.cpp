// array_shapes.cpp - see array_shapes.h.
#include "array_shapes.h"

#include "Varray_1x1.h"
#include "Varray_1x24.h"
#include "Varray_1x3.h"
#include "Varray_3x1.h"
#include "Varray_3x8.h"
#include "array_ports.hpp"

enum { STORE = 16384 };

void array_1x1(struct array_ports *ports)
{
    ArrayModel<Varray_1x1>::make(ports, {1, 1, 1, STORE});
}

void array_1x3(struct array_ports *ports)
{
    ArrayModel<Varray_1x3>::make(ports, {1, 3, 3, STORE});
}

void array_1x24(struct array_ports *ports)
{
    ArrayModel<Varray_1x24>::make(ports, {3, 8, 24, STORE});
}

void array_3x8(struct array_ports *ports)
{
    ArrayModel<Varray_3x8>::make(ports, {3, 8, 8, STORE});
}

void array_3x1(struct array_ports *ports)
{
    ArrayModel<Varray_3x1>::make(ports, {1, 3, 1, STORE});
}
