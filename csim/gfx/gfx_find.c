/* gfx_find.c - what state says of the buffers and the part of the screen that are drawn
 * to. */
#include "gfx_depth.h"

/* The depth or stencil buffer at `address`. Level, layer and size are those of the
 * depth buffer's packet for both. */
static struct gfx_surface depth_buffer(const struct gfx *g, enum gfx_field address,
                                       uint32_t format)
{
    return (struct gfx_surface){.type = GFX_2D,
                                .format = tex_format(format),
                                .va = gfx_get_address(g, address),
                                .width = gfx_get(g, GFX_DEPTH_WIDTH) + 1,
                                .height = gfx_get(g, GFX_DEPTH_HEIGHT) + 1,
                                .level = gfx_get(g, GFX_DEPTH_LOD),
                                .first_layer = gfx_get(g, GFX_DEPTH_FIRST_LAYER)};
}

void gfx_find_stencil_buffer(const struct gfx *g, struct gfx_surface *s)
{
    *s = depth_buffer(g, GFX_STENCIL_ADDRESS, GFX_R8_UINT);
    s->tiling = GFX_TILE_W;
    s->pitch = gfx_get(g, GFX_STENCIL_PITCH) + 1;
    s->qpitch = gfx_get(g, GFX_STENCIL_QPITCH) * 4;
    s->valign = s->halign = 8;
}

enum igpu_status gfx_find_depth_buffer(struct gfx *g, struct gfx_surface *s)
{
    enum { D32_FLOAT = 1, D24 = 3, D16 = 5 };
    static const uint16_t format[8] = {
        [D32_FLOAT] = GFX_R32_FLOAT, [D24] = GFX_R24_UNORM_X8, [D16] = GFX_R16_UNORM};

    if (format[gfx_get(g, GFX_DEPTH_FORMAT)] == 0)
        return gfx_refuse(g, "a depth format %u", gfx_get(g, GFX_DEPTH_FORMAT));
    *s = depth_buffer(g, GFX_DEPTH_ADDRESS, format[gfx_get(g, GFX_DEPTH_FORMAT)]);
    s->tiling = GFX_TILE_Y;
    s->pitch = gfx_get(g, GFX_DEPTH_PITCH) + 1;
    s->qpitch = gfx_get(g, GFX_DEPTH_QPITCH) * 4;
    s->valign = 4;
    s->halign = gfx_get(g, GFX_DEPTH_FORMAT) == D16 ? 8 : 4;
    return IGPU_OK;
}

static void narrow(int32_t clip[4], int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    clip[0] = x0 > clip[0] ? x0 : clip[0];
    clip[1] = y0 > clip[1] ? y0 : clip[1];
    clip[2] = x1 < clip[2] ? x1 : clip[2];
    clip[3] = y1 < clip[3] ? y1 : clip[3];
}

/* The pixel that has this coordinate, within what a screen can have. */
static int32_t pixel(float v)
{
    const float most = 32768;

    return v > -most ? v < most ? (int32_t)floorf(v) : (int32_t)most : (int32_t)-most;
}

enum igpu_status gfx_find_clip(struct gfx *g)
{
    const uint32_t *r = g->c->rectangle;
    uint32_t scissor[2];
    float view[16];
    enum igpu_status status = IGPU_OK;

    g->d.clip[0] = (int32_t)gfx_part(r, GFX_RECTANGLE_X0);
    g->d.clip[1] = (int32_t)gfx_part(r, GFX_RECTANGLE_Y0);
    g->d.clip[2] = (int32_t)gfx_part(r, GFX_RECTANGLE_X1) + 1;
    g->d.clip[3] = (int32_t)gfx_part(r, GFX_RECTANGLE_Y1) + 1;
    if (gfx_part(r, GFX_RECTANGLE_ORIGIN) != 0)
        return gfx_refuse(g, "a drawing rectangle with an origin");
    if (gfx_get(g, GFX_SCISSOR_ON)) {
        status = gfx_read(g,
                          g->c->dynamic_base + gfx_get_offset(g, GFX_SCISSOR_POINTER) +
                              8 * g->d.viewport,
                          scissor, sizeof(scissor));
        narrow(g->d.clip, (int32_t)gfx_part(scissor, GFX_SCISSOR_X0),
               (int32_t)gfx_part(scissor, GFX_SCISSOR_Y0),
               (int32_t)gfx_part(scissor, GFX_SCISSOR_X1) + 1,
               (int32_t)gfx_part(scissor, GFX_SCISSOR_Y1) + 1);
    }
    if (gfx_get(g, GFX_VIEWPORT_TRANSFORM) && status == IGPU_OK) {
        status =
            gfx_read(g,
                     g->c->dynamic_base + gfx_get_offset(g, GFX_CLIP_VIEWPORT_POINTER) +
                         64 * g->d.viewport,
                     view, sizeof(view));
        g->d.upward = view[1] > 0;
        narrow(g->d.clip, pixel(view[12]), pixel(view[14]), pixel(view[13]) + 1,
               pixel(view[15]) + 1);
    }
    return status;
}
