/* pipes.h - shapes of one context a pipeline, and shapes with many pipelines, which
 * take minutes to compile. */
#ifndef COSIM_SHAPES_PIPES_H
#define COSIM_SHAPES_PIPES_H
#include "bridge/engines/rtl/array_ports.h"

#ifdef __cplusplus
extern "C" {
#endif
void array_flat_1x1(struct array_ports *ports);
void array_1x1(struct array_ports *ports);
void array_3x1(struct array_ports *ports);
void array_24x1(struct array_ports *ports);
void array_6x8(struct array_ports *ports);
void array_2x24(struct array_ports *ports);
#ifdef __cplusplus
}
#endif
#endif
