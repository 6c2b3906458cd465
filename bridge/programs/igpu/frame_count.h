/* frame_count.h - what a rendered frame and its draws counted, and where it was drawn
 * over. Tests: tests/bridge/test_gfx.sh */
#ifndef BRIDGE_IGPU_FRAME_COUNT_H
#define BRIDGE_IGPU_FRAME_COUNT_H
#include "bridge/programs/igpu/picture.h"
#include "igpu/gfx.h"

/* The draws of a frame, in order; draw is malloc'ed. */
struct frame_draws {
    struct gfx_draw_info *draw;
    uint32_t count, cap;
    bool lost; /* memory was short */
};

/* A gfx_on_draw; ctx is a struct frame_draws. */
void frame_draws_add(void *ctx, const struct gfx_draw_info *info);

/* What each frame counted; frame is malloc'ed. */
struct frame_sums {
    struct frame_sum {
        uint64_t number;
        struct gfx_counters counted;
    } * frame;
    uint32_t count, cap;
    bool lost; /* memory was short */
};

/* Frame `number`, the one of the last call or a further one, counted now - before. */
void frame_sums_set(struct frame_sums *s, uint64_t number,
                    const struct gfx_counters *now, const struct gfx_counters *before);

/* "counter,value,unit" and a line each. */
void frame_print_counters(FILE *out, const struct gfx_counters *counted);
/* A line a draw, a column a counter. IGPU_USAGE, IGPU_SIM_ERROR as of igpu/output.h. */
enum igpu_status frame_write_draws(const char *path, const struct frame_draws *draws,
                                   struct igpu_err *err);
/* A line a frame, a column a counter. */
enum igpu_status frame_write_sums(const char *path, const struct frame_sums *sums,
                                  struct igpu_err *err);
/* Definitions, the frame's sums, each draw's counters. */
enum igpu_status frame_write_json(const char *path, const char *file,
                                  const struct gfx_counters *counted,
                                  const struct frame_draws *draws,
                                  struct igpu_err *err);
/* Of the picture or of the busiest target (struct gfx_map; a turned one's rows in the
 * picture's order). Black: never written; blue, green, yellow, red: once to eight times
 * and more. */
enum igpu_status frame_write_overdraw(const char *path, const struct gfx *g,
                                      bool busiest, struct igpu_err *err);
/* Every counter as a table of Markdown, docs/reference/gfx-counters.md. */
void frame_print_definitions(FILE *out);
#endif
