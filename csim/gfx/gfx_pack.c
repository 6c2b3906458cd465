/* gfx_pack.c - compressed colour: which pairs of lines one line holds. What is public:
 * a surface's notes have two bits for each pair of lines side by side in tile Y, 128 B
 * (Skylake PRM, volume 12, "Color Control Surface"), and no pair takes less than a
 * line. How the pair is packed is an estimate, docs/contract/frames.md, "Compressed
 * colour". */
#include "gfx_int.h"

enum { LINE = 64, PARTNER = 8, CHANNELS = 4, LINE_BITS = 8 * LINE };

/* A texel's channels, in bits from the lowest on. */
struct layout {
    uint32_t channels, bytes, bits[CHANNELS];
};

static struct layout layout_of(const struct tex_format *f)
{
    struct layout l = {.channels = f->bits != 0 ? f->channels : CHANNELS,
                       .bytes = f->bytes};

    for (uint32_t c = 0; c < l.channels; c++)
        l.bits[c] = f->bits != 0 ? f->bits : f->width[c];
    return l;
}

static bool may_pack(const struct gfx_surface *s)
{
    return s->aux == GFX_AUX_COLOUR && s->tiling == GFX_TILE_Y &&
           s->samples_log2 == 0 && s->format != NULL && !s->format->block &&
           (s->format->bytes == 4 || s->format->bytes == 8 || s->format->bytes == 16);
}

void gfx_touch_pairs(struct gfx *g, const struct gfx_surface *s)
{
    g->told.touched.packed = may_pack(s) ? s : NULL;
}

/* Channel of `bits` bits from bit `at` on. */
static int64_t channel_of(const uint8_t *texel, uint32_t at, uint32_t bits)
{
    uint64_t word = 0;

    memcpy(&word, texel + at / 32 * 4, 4);
    return (int64_t)(word >> at % 32 & ((UINT64_C(1) << bits) - 1));
}

/* Bits of the least signed numbers that hold both; 0 of zeros. */
static uint32_t width_of(int64_t least, int64_t most)
{
    uint32_t width = least != 0 || most != 0;

    while (width > 0 &&
           (least < -(INT64_C(1) << (width - 1)) || most >= INT64_C(1) << (width - 1)))
        width++;
    return width;
}

/* Bits of a number that tells a width: from 0 to one more than the channel's. */
static uint32_t width_bits(uint32_t bits)
{
    return 32 - (uint32_t)__builtin_clz(bits + 1);
}

/* What a line's channel takes: a width, and differences from the pair's first texel. */
static uint32_t cost_of(const uint8_t *line, const struct layout *l, uint32_t at,
                        uint32_t bits, int64_t base)
{
    int64_t least = 0, most = 0;

    for (uint32_t i = 0; i < LINE; i += l->bytes) {
        int64_t d = channel_of(line + i, at, bits) - base;

        least = d < least ? d : least;
        most = d > most ? d : most;
    }
    return width_bits(bits) + width_of(least, most) * (LINE / l->bytes);
}

bool gfx_pair_fits(struct gfx *g, const struct gfx_surface *s, uint64_t line)
{
    struct layout l = layout_of(s->format);
    const uint8_t *first = gfx_host(g, (line & ~(uint64_t)PARTNER) * LINE, LINE);
    const uint8_t *second = gfx_host(g, (line | PARTNER) * LINE, LINE);
    uint32_t total = 8 * l.bytes, at = 0;

    if (first == NULL || second == NULL)
        return false;
    for (uint32_t c = 0; c < l.channels && total <= LINE_BITS; at += l.bits[c++]) {
        int64_t base;

        if (l.bits[c] == 0)
            continue;
        base = channel_of(first, at, l.bits[c]);
        total += cost_of(first, &l, at, l.bits[c], base) +
                 cost_of(second, &l, at, l.bits[c], base);
    }
    return total <= LINE_BITS;
}
