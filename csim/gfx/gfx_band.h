/* gfx_band.h - large triangles on several host threads (gfx_queue.h): bands of rows, as
 * pieces in the order of primitives and from the top down. Whoever takes one makes its
 * tests, and then has its blocks shaded. A thread of the shader has blocks of its
 * primitive in the order of the whole: so those that fill none are the next band's, and
 * a band is tested before it knows the first of its own. Bands of the same rows go one
 * after the other. Tests: tests/csim/test_gfx_band.c, with ThreadSanitizer by
 * tests/bridge/test_threads.sh; tests/bridge/test_frame_threads.sh */
#ifndef GFX_BAND_H
#define GFX_BAND_H
#include "gfx_int.h"

/* What is done of a simple primitive, on the copy of a host thread, in a draw whose
 * payloads are plain and tests early: tests, behind which the blocks of rows[0] to
 * before rows[1] are left that pass, after a failure those before it; then groups of
 * these. */
struct gfx_band_steps {
    enum igpu_status (*find)(struct gfx *w, const struct gfx_setup *s,
                             const int32_t rows[2], struct gfx_left *left);
    enum igpu_status (*shade)(struct gfx *w, const struct gfx_setup *s,
                              struct gfx_group *group);
};
/* Rows from y on that are worth it. */
static inline bool gfx_is_high(const struct gfx_setup *s, int32_t y)
{
    enum { ROWS = 32 };

    return s->max_y - y >= ROWS;
}
/* Before the first block of a primitive behind one in bands: they are over then, unless
 * it is going to be in bands, too. */
enum igpu_status gfx_bands_begin(struct gfx *g, const struct gfx_setup *s);
/* The rest of a high primitive from row y on, before which blocks of the group wait for
 * a thread of the shader. False: it is drawn otherwise. */
bool gfx_bands_take(struct gfx *g, const struct gfx_setup *s, int32_t y,
                    struct gfx_group *group, const struct gfx_band_steps *steps,
                    enum igpu_status *status);
void gfx_bands_free(struct gfx *g);
#endif
