/* array_shapes.h - the shapes of EU pipelines (pipelines x contexts) that ./Vigpu has.
 */
#ifndef IGPU_ARRAY_SHAPES_H
#define IGPU_ARRAY_SHAPES_H
#include "bridge/engines/rtl/array_ports.h"

#ifdef __cplusplus
extern "C" {
#endif
/* The simulator's shell: 3 and 6 subslices of 8 EUs. */
void array_flat_1x24(struct array_ports *ports);
void array_flat_2x24(struct array_ports *ports);
/* The hardware's: 3 subslices of 8 EUs. */
void array_1x24(struct array_ports *ports);
void array_3x8(struct array_ports *ports);
#ifdef __cplusplus
}
#endif
#endif
