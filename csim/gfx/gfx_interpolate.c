/* gfx_interpolate.c - the pixel interpolator: barycentric coordinates at places that a
 * shader names, as it gets them in its payload. */
#include "gfx_raster.h"

enum { GRF = 32, SUBPIXELS = 16, HALF = 8 };
enum { SHARED_OFFSET, SAMPLE, CENTROID, OWN_OFFSET }; /* kinds of message */

static int32_t signed4(uint32_t bits)
{
    return (int32_t)(bits << 28) >> 28;
}

/* 1/16 pixel from the pixel's upper left corner. */
struct place {
    int32_t x, y;
};

static struct place pixel_place(const struct gfx *g, const struct isa_inst *inst,
                                const uint8_t *grf, uint32_t lanes, uint32_t lane)
{
    const struct gfx_multisample *m = &g->d.ms;
    uint32_t desc = inst->msg.desc, sample = gfx_part(&desc, GFX_PLACE_SAMPLE), x, y;
    const uint8_t *payload = grf + inst->src[0].reg * GRF;

    switch (gfx_part(&desc, GFX_PLACE_KIND)) {
    case SHARED_OFFSET:
        return (struct place){HALF + signed4(gfx_part(&desc, GFX_PLACE_X)),
                              HALF + signed4(gfx_part(&desc, GFX_PLACE_Y))};
    case SAMPLE:
        return m->spread && sample < m->count
                   ? (struct place){m->x[sample], m->y[sample]}
                   : (struct place){HALF, HALF};
    default: /* registers of x of all lanes, then of y */
        memcpy(&x, payload + lane * 4, sizeof(x));
        memcpy(&y, payload + lanes / 8 * GRF + lane * 4, sizeof(y));
        return (struct place){HALF + signed4(x), HALF + signed4(y)};
    }
}

static struct gfx_point weigh(const struct gfx *g, double x, double y)
{
    const struct gfx_setup *s = g->d.setup;
    double weight[3];

    if (s->t->kind >= GFX_LINE) {
        if (g->d.ms.count > 1)
            (void)gfx_covers_wide(s, x, y, weight);
        else
            (void)gfx_covers(s, x, y, weight);
        return gfx_weigh(s, weight);
    }
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t a = (k + 1) % 3, b = (k + 2) % 3;
        double part = (s->x[a] - x) * (s->y[b] - y) - (s->x[b] - x) * (s->y[a] - y);

        weight[k] = s->thin ? k == 0 : part / s->area;
    }
    return gfx_weigh(s, weight);
}

static struct gfx_point find_point(const struct gfx *g, const struct isa_inst *inst,
                                   const uint8_t *grf, uint32_t lanes, uint32_t lane,
                                   uint32_t pixel)
{
    const struct gfx_group *group = g->d.group;
    const struct gfx_places *centroid = &g->d.ms.centroid;
    struct place at;

    if (gfx_part(&inst->msg.desc, GFX_PLACE_KIND) == CENTROID && g->d.ms.count > 1)
        return (struct gfx_point){0, centroid->b1[pixel], centroid->b2[pixel],
                                  centroid->w[pixel]};
    at = gfx_part(&inst->msg.desc, GFX_PLACE_KIND) == CENTROID
             ? (struct place){HALF, HALF}
             : pixel_place(g, inst, grf, lanes, lane);
    return weigh(
        g, group->x[pixel / 4] + (int32_t)(pixel & 1) + (double)at.x / SUBPIXELS,
        group->y[pixel / 4] + (int32_t)(pixel >> 1 & 1) + (double)at.y / SUBPIXELS);
}

enum igpu_status gfx_interpolate(struct gfx *g, const struct isa_inst *inst,
                                 uint8_t *grf, uint32_t mask)
{
    const struct gfx_setup *s = g->d.setup;
    uint32_t desc = inst->msg.desc, lanes = gfx_part(&desc, GFX_PLACE_SIMD16) ? 16 : 8;
    uint32_t first = gfx_part(&desc, GFX_PLACE_UPPER) ? 16 : 0, sent = lanes / 8 * 2;
    bool own = gfx_part(&desc, GFX_PLACE_KIND) == OWN_OFFSET,
         linear = gfx_part(&desc, GFX_PLACE_LINEAR);
    float b[2][16];

    if (inst->dst.file != ISA_FILE_GRF || inst->dst.reg + sent > ISA_GRF_COUNT ||
        inst->src[0].file != ISA_FILE_GRF ||
        inst->src[0].reg + (own ? sent : 1) > ISA_GRF_COUNT)
        return gfx_refuse(g, "a pixel interpolator message 0x%08x", desc);
    for (uint32_t i = 0; i < lanes; i++) {
        struct gfx_point p = {0};

        if (mask >> i & 1 && (first + i) / 4 < g->d.group->count)
            p = find_point(g, inst, grf, lanes, i, first + i);
        b[0][i] = (float)(linear ? p.b1 * p.w / s->inv_w[1] : p.b1);
        b[1][i] = (float)(linear ? p.b2 * p.w / s->inv_w[2] : p.b2);
    }
    for (uint32_t i = 0; i < lanes; i++)
        for (uint32_t k = 0; k < 2 && mask >> i & 1; k++)
            memcpy(grf + (inst->dst.reg + i / 8 * 2 + k) * GRF + i % 8 * 4, &b[k][i],
                   sizeof(b[k][i]));
    return IGPU_OK;
}
