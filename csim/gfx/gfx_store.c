/* gfx_store.c - messages to a render target that do as one before them did: colours of
 * four bytes go from registers to memory, or are blended with what is there, on a host
 * with AVX2. The first one is gfx_target.c's, which knows all others as well. */
#include "gfx_target.h"
#include "gfx_texture.h"

#if defined(EMU_AVX2)
enum { TEXEL = 4, ROOM = TEX_PACKED / 4 };

/* The rows of a block; at NULL: it has no pixels. */
struct block {
    uint32_t mask;
    uint8_t *at;
};

/* The group's blocks with pixels of mask. False: one lies at the target's edge. */
static inline bool find_blocks(const struct gfx_target *t,
                               const struct gfx_group *group, uint32_t first,
                               uint32_t mask, struct block b[ROOM])
{
    for (uint32_t i = 0; i < ROOM; i++, mask >>= 4) {
        const uint32_t x = (uint32_t)group->x[first / 4 + i],
                       y = (uint32_t)group->y[first / 4 + i];

        b[i].mask = mask & 15;
        if (b[i].mask == 0)
            continue;
        if (x + 1 >= t->width || y + 1 >= t->height)
            return false;
        b[i].at = t->host + gfx_tile_offset((enum gfx_tiling)t->tiling, t->pitch,
                                            (t->level.x + x) * TEXEL, t->level.y + y);
    }
    return true;
}

/* In the place of two texels beside each other those of mask. */
static inline void store_row(uint32_t mask, uint8_t from[2][TEXEL], uint8_t *at)
{
    if (mask == 3)
        memcpy(at, from, 2 * TEXEL);
    else if (mask != 0)
        memcpy(at + mask / 2 * TEXEL, from[mask / 2], TEXEL);
}

static inline void store_blocks(const struct gfx_target *t, const struct block b[ROOM],
                                uint8_t texel[TEX_PACKED][TEXEL])
{
    for (uint32_t i = 0; i < ROOM; i++) {
        if (b[i].mask == 0)
            continue;
        store_row(b[i].mask & 3, texel + 4 * i, b[i].at);
        store_row(b[i].mask >> 2, texel + 4 * i + 2, b[i].at + t->row);
    }
}

/* What is there. */
static inline void load_blocks(const struct gfx_target *t, const struct block b[ROOM],
                               uint8_t texel[TEX_PACKED][TEXEL])
{
    for (uint32_t i = 0; i < ROOM; i++)
        for (uint32_t k = 0; k < 2; k++)
            if (b[i].mask != 0)
                memcpy(texel + 4 * i + 2 * k, b[i].at + k * t->row, 2 * TEXEL);
            else
                memset(texel + 4 * i + 2 * k, 0, 2 * TEXEL);
}

static inline void load_colours(const struct gfx_store *s, const uint8_t *grf,
                                struct tex_texels *t)
{
    for (uint32_t c = 0; c < 4; c++)
        if (s->lanes == TEX_PACKED) {
            memcpy(t->rgba[c], grf + s->colour[c], sizeof(t->rgba[c]));
        } else {
            memcpy(t->rgba[c], grf + s->colour[c], sizeof(t->rgba[c]) / 2);
            memset(t->rgba[c] + TEX_PACKED / 2, 0, sizeof(t->rgba[c]) / 2);
        }
}

static inline void count(struct gfx *g, const struct gfx_target *t, uint32_t lanes,
                         uint32_t pixels)
{
    struct gfx_counters *n = &g->counters;

    n->target_messages++;
    n->target_messages_8 += lanes != TEX_PACKED;
    n->target_messages_16 += lanes == TEX_PACKED;
    n->target_bytes += TEXEL * pixels;
    n->pixels_written += pixels;
    if (!t->reads)
        return;
    n->pixels_blended += t->blends ? pixels : 0;
    n->pixels_masked += t->off != 0 ? pixels : 0;
    n->target_bytes_read += TEXEL * pixels;
}

bool gfx_store_avx2(struct gfx *g, const struct isa_inst *inst, const uint8_t *grf,
                    uint32_t mask)
{
    static const struct gfx_second none = {NULL, 0};
    const struct gfx_target *t = &g->d.target;
    const struct gfx_store *s = &t->store[t->store[1].inst == inst];
    const struct gfx_group *group = g->d.group;
    uint8_t texel[TEX_PACKED][TEXEL];
    struct gfx_operands o;
    struct block b[ROOM];

    if (!t->known || s->inst != inst || t->layer != g->d.layer || group->smooth)
        return false;
    mask &= group->mask >> s->first & (s->lanes == TEX_PACKED ? UINT16_MAX : UINT8_MAX);
    if (!find_blocks(t, group, s->first, mask, b))
        return false;
    count(g, t, s->lanes, (uint32_t)__builtin_popcount(mask));
    load_colours(s, grf, &o.from);
    if (t->reads) {
        load_blocks(t, b, texel);
        gfx_merge_lanes_avx2(t, t->format, &none, s->lanes, &o, texel);
    } else {
        tex_pack_bytes4(t->format, &o.from, texel);
    }
    store_blocks(t, b, texel);
    return true;
}
#else
void gfx_find_store(struct gfx *g, const struct gfx_surface *s,
                    const struct gfx_store *store)
{
    struct gfx_target *t = &g->d.target;
    const uint64_t columns = (uint64_t)(t->level.x + t->width) * s->format->bytes;
    const uint64_t rows = (uint64_t)t->level.y + t->height;

    if (gfx_is_watched(g) || g->told.memory.find != NULL || t->drawn_over != NULL ||
        columns > s->pitch || rows > 1 << 20)
        return;
    t->host = emu_mem_host(g->mem, s->va,
                           gfx_surface_bytes(s, (uint32_t)columns, (uint32_t)rows));
    if (t->host == NULL)
        return;
    t->tiling = s->tiling;
    t->pitch = s->pitch;
    t->format = s->format;
    t->store[store->lanes == TEX_PACKED] = *store;
}
#endif
