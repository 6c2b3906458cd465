/* gfx_count.c - counters: their definitions, and what each draw counted. */
#include "gfx_int.h"

static const struct gfx_counter counters[] = {
#define GFX_GROUP(title) {.group = (title)},
#define GFX_COUNTER(name, unit, text) {#name, unit, text, NULL},
#include "igpu/gfx_counters.def"
#undef GFX_COUNTER
#undef GFX_GROUP
};

struct gfx_counter gfx_counter(uint32_t index)
{
    struct gfx_counter found = {NULL, NULL, NULL, NULL};
    uint32_t n = 0;

    for (uint32_t i = 0; n <= index && i < sizeof(counters) / sizeof(counters[0]);
         i++) {
        bool first = i > 0 && counters[i - 1].name == NULL;

        if (counters[i].name == NULL)
            continue;
        found = counters[i];
        found.group = first ? counters[i - 1].group : NULL;
        n++;
    }
    return found;
}

uint64_t gfx_counter_value(const struct gfx_counters *c, uint32_t index)
{
    uint64_t value;

    memcpy(&value, (const uint8_t *)c + index * sizeof(value), sizeof(value));
    return value;
}

struct gfx_counters gfx_counters_since(const struct gfx_counters *now,
                                       const struct gfx_counters *before)
{
    uint64_t a[GFX_COUNTER_COUNT], b[GFX_COUNTER_COUNT];
    struct gfx_counters result;

    memcpy(a, now, sizeof(a));
    memcpy(b, before, sizeof(b));
    for (uint32_t i = 0; i < GFX_COUNTER_COUNT; i++)
        a[i] -= b[i];
    memcpy(&result, a, sizeof(result));
    return result;
}

/* ---- packets and draws -------------------------------------------------- */

void gfx_count(struct gfx *g, size_t counter, uint64_t more)
{
    uint64_t value;

    memcpy(&value, (uint8_t *)&g->counters + counter, sizeof(value));
    value += more;
    memcpy((uint8_t *)&g->counters + counter, &value, sizeof(value));
}

void gfx_count_packet(struct gfx *g, uint32_t head)
{
    static const uint16_t of[256] = {
#define GFX_STATE(name, head, handler, counter)                                        \
    [(head)&255] = offsetof(struct gfx_counters, counter),
#include "packets.def"
    };

    g->counters.state_packets++;
    if (of[head & 255] != 0)
        gfx_count(g, of[head & 255], 1);
}

void gfx_count_draw(struct gfx *g, const uint32_t *p)
{
    enum { FIRST_PATCH = 32 };
    static const uint16_t of[64] = {
        [1] = offsetof(struct gfx_counters, point_draws),
        [2] = offsetof(struct gfx_counters, line_draws),
        [3] = offsetof(struct gfx_counters, line_draws),
        [4] = offsetof(struct gfx_counters, triangle_draws),
        [5] = offsetof(struct gfx_counters, strip_draws),
        [6] = offsetof(struct gfx_counters, fan_draws),
        [7] = offsetof(struct gfx_counters, quad_draws),
        [8] = offsetof(struct gfx_counters, quad_draws),
        [9] = offsetof(struct gfx_counters, line_draws),
        [10] = offsetof(struct gfx_counters, line_draws),
        [11] = offsetof(struct gfx_counters, triangle_draws),
        [12] = offsetof(struct gfx_counters, strip_draws),
        [14] = offsetof(struct gfx_counters, fan_draws),
        [15] = offsetof(struct gfx_counters, rectangle_draws),
        [16] = offsetof(struct gfx_counters, line_draws),
    };
    struct gfx_counters *c = &g->counters;

    c->draws++;
    c->driver_draws += !gfx_get(g, GFX_VS_ON);
    c->indexed_draws += gfx_part(p, GFX_DRAW_INDEXED);
    c->indirect_draws += gfx_part(p, GFX_DRAW_INDIRECT);
    c->instanced_draws += p[4] > 1;
    if (of[gfx_get(g, GFX_TOPOLOGY)] != 0)
        gfx_count(g, of[gfx_get(g, GFX_TOPOLOGY)], 1);
    c->patch_draws += gfx_get(g, GFX_TOPOLOGY) >= FIRST_PATCH;
    c->scissor_draws += gfx_get(g, GFX_SCISSOR_ON);
    c->depth_only_draws += !gfx_get(g, GFX_PS_VALID);
}

/* ---- shaders and texels ------------------------------------------------- */

void gfx_count_classes(uint64_t *first, const struct emu_shader_classes *n)
{
    for (uint32_t i = 0; i < EMU_SHADER_CLASSES; i++)
        first[i] += n->count[i];
}

/* A table of what the message touched: open addressing, emptied by a new stamp. */
bool gfx_count_line(struct gfx *g, uint64_t line)
{
    uint32_t at = (uint32_t)(line * 0x9E3779B97F4A7C15u >> 56);

    for (uint32_t i = 0; i < GFX_LINES; i++, at = (at + 1) % GFX_LINES) {
        if (g->cache.line[at].stamp == g->cache.stamp &&
            g->cache.line[at].number == line)
            return true;
        if (g->cache.line[at].stamp == g->cache.stamp)
            continue;
        g->cache.line[at].stamp = g->cache.stamp;
        g->cache.line[at].number = line;
        g->counters.sampler_lines++;
        gfx_touch_line(g, line);
        return true;
    }
    g->counters.sampler_lines++; /* more than fit: those are not told apart */
    return false;
}

void gfx_count_texels(struct gfx *g, const struct tex_format *f, uint64_t count)
{
    struct gfx_counters *c = &g->counters;

    c->texels += count;
    c->texel_bytes += count * f->bytes;
    if (f->block)
        c->texels_compressed += count;
    else if (f->type == TEX_UINT || f->type == TEX_SINT)
        c->texels_integer += count;
    else if (f->type == TEX_FLOAT)
        c->texels_float += count;
    else if (f->bits == 8)
        c->texels_unorm8 += count;
    else
        c->texels_other += count;
}
