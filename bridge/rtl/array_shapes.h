/* array_shapes.h - the shapes of EU pipelines (pipelines x contexts) that ./Vigpu has.
 */
#ifndef IGPU_ARRAY_SHAPES_H
#define IGPU_ARRAY_SHAPES_H
#include "bridge/rtl/array_ports.h"

#ifdef __cplusplus
extern "C" {
#endif
void array_1x24(struct array_ports *ports); /* 3 subslices of 8 EUs */
void array_3x8(struct array_ports *ports);
void array_2x24(struct array_ports *ports); /* 6 subslices of 8 EUs */
#ifdef __cplusplus
}
#endif
#endif
