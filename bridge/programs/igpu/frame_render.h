/* frame_render.h - `igpu frame render`. */
#ifndef BRIDGE_IGPU_FRAME_RENDER_H
#define BRIDGE_IGPU_FRAME_RENDER_H

struct lockstep_ops;

/* argv[0] is "render". Returns the exit status. */
int frame_render(int argc, char **argv);
/* The same in a program with the RTL, of --rtl-values; NULL: without, which hands such
 * a command over (hand_over_to_rtl()). */
int frame_render_with(int argc, char **argv, const struct lockstep_ops *rtl);

#endif
