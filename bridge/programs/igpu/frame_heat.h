/* frame_heat.h - where in a frame's picture its draws' cycles go.
 * Tests: tests/bridge/test_gfx.sh */
#ifndef BRIDGE_IGPU_FRAME_HEAT_H
#define BRIDGE_IGPU_FRAME_HEAT_H
#include "igpu/gfx.h"

/* Of each draw from 1 on, at [draw - 1]; malloc'ed. */
struct frame_times {
    uint64_t *cycles;
    uint32_t count; /* up to the last draw that the file names */
    uint32_t room;
};

/* The columns draw and cycles of what `igpu frame time --csv` printed. IGPU_BAD_INPUT:
 * the text names file, line and what was expected; then there is nothing to free. */
enum igpu_status frame_times_read(const char *path, struct frame_times *t,
                                  struct igpu_err *err);
/* What gfx_lay_cycles() laid, on the picture or on the busiest target (struct gfx_map;
 * a turned one's rows in the picture's order), as a portable float map: "Pf", then rows
 * from the bottom, 32-bit floats, the lowest byte first. IGPU_USAGE, IGPU_SIM_ERROR as
 * of igpu/output.h. */
enum igpu_status frame_heat_write(const char *path, const struct gfx *g, bool busiest,
                                  struct igpu_err *err);
#endif
