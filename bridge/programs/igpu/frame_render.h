/* frame_render.h - `igpu frame render`. */
#ifndef BRIDGE_IGPU_FRAME_RENDER_H
#define BRIDGE_IGPU_FRAME_RENDER_H

/* argv[0] is "render". Returns the exit status. */
int frame_render(int argc, char **argv);

#endif
