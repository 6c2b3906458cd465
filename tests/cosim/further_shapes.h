/* further_shapes.h - EU pipelines of further shapes, Verilated for the tests: pipelines
 * x contexts, and one whose instruction store is small. */
#ifndef COSIM_FURTHER_SHAPES_H
#define COSIM_FURTHER_SHAPES_H
#include "bridge/engines/rtl/array_ports.h"

#ifdef __cplusplus
extern "C" {
#endif
void array_flat_1x3(struct array_ports *ports);
void array_1x3(struct array_ports *ports);
void array_small(struct array_ports *ports); /* 1x3 */
#ifdef __cplusplus
}
#endif
#endif
