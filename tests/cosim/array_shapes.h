/* array_shapes.h - EU pipelines of several shapes, Verilated for the tests. */
#ifndef COSIM_ARRAY_SHAPES_H
#define COSIM_ARRAY_SHAPES_H
#include "array_ports.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Pipelines x contexts. */
void array_1x1(struct array_ports *ports);
void array_1x3(struct array_ports *ports);
void array_1x24(struct array_ports *ports);
void array_3x8(struct array_ports *ports);
void array_3x1(struct array_ports *ports);
#ifdef __cplusplus
}
#endif
#endif
