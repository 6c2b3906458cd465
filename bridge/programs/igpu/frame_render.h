/* frame_render.h - `igpu frame render`. */
#ifndef BRIDGE_IGPU_FRAME_RENDER_H
#define BRIDGE_IGPU_FRAME_RENDER_H
#include "igpu/option.h"

struct lockstep_ops;

extern const struct igpu_option frame_render_options[]; /* for --help */

/* argv[0] is "render". Returns the exit status. */
int frame_render(int argc, char **argv);
/* The same in a program with the RTL, of --rtl-values; NULL: without, which hands such
 * a command over (hand_over_to_rtl()). */
int frame_render_with(int argc, char **argv, const struct lockstep_ops *rtl);

#endif
