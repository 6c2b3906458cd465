/* gfx_notes.c - see gfx_hiz.h: notes on blocks of depth, where they and their blocks'
 * depths lie, and what becomes of a note when a depth is written. */
#include "gfx_depth.h"

enum gfx_decision gfx_hiz_decide(uint32_t function, double least, double most,
                                 double low, double high)
{
    switch (function) { /* 0 always, 1 never, then < == <= > != >= */
    case 0:
        return GFX_PASSES;
    case 1:
        return GFX_FAILS;
    case 2:
        return most < low ? GFX_PASSES : least >= high ? GFX_FAILS : GFX_AMBIGUOUS;
    case 4:
        return most <= low ? GFX_PASSES : least > high ? GFX_FAILS : GFX_AMBIGUOUS;
    case 5:
        return least > high ? GFX_PASSES : most <= low ? GFX_FAILS : GFX_AMBIGUOUS;
    case 7:
        return least >= high ? GFX_PASSES : most < low ? GFX_FAILS : GFX_AMBIGUOUS;
    case 3:
        return most < low || least > high ? GFX_FAILS : GFX_AMBIGUOUS;
    default:
        return GFX_AMBIGUOUS;
    }
}

bool gfx_note_widen(struct gfx_note *note, float v)
{
    bool changes = note->state != GFX_NOTE_NONE && (v < note->least || v > note->most);

    if (changes) {
        note->least = v < note->least ? v : note->least;
        note->most = v > note->most ? v : note->most;
        note->state = GFX_NOTE_RANGE;
    }
    return changes;
}

/* Not by pixels: a clear may count those that are there to make blocks whole. */
static bool are_of(const struct gfx_notes *n, const struct gfx_notes *wanted)
{
    return n->note != NULL && n->va == wanted->va && n->hiz_va == wanted->hiz_va &&
           n->level == wanted->level && n->layer == wanted->layer &&
           n->wide == wanted->wide && n->high == wanted->high &&
           n->pitch == wanted->pitch && n->hiz_pitch == wanted->hiz_pitch &&
           n->samples_log2 == wanted->samples_log2 && n->format == wanted->format;
}

struct gfx_notes *gfx_hiz_find(struct gfx *g, const struct gfx_surface *s,
                               uint32_t layer, uint32_t samples_log2)
{
    struct gfx_hiz *h = &g->hiz;
    struct gfx_notes *oldest = h->notes;
    struct gfx_notes wanted = {.va = s->va,
                               .hiz_va = gfx_get_address(g, GFX_HIER_ADDRESS),
                               .level = s->level,
                               .layer = layer,
                               .width = gfx_minify(s->width, s->level),
                               .height = gfx_minify(s->height, s->level),
                               .pitch = s->pitch,
                               .hiz_pitch = gfx_get(g, GFX_HIER_PITCH) + 1,
                               .samples_log2 = samples_log2,
                               .format = s->format->number};

    wanted.wide = (wanted.width + GFX_NOTE_WIDE - 1) / GFX_NOTE_WIDE;
    wanted.high = (wanted.height + GFX_NOTE_HIGH - 1) / GFX_NOTE_HIGH;
    wanted.used = ++h->clock;
    for (struct gfx_notes *n = h->notes; n < h->notes + GFX_NOTED; n++) {
        if (are_of(n, &wanted)) {
            n->used = wanted.used;
            n->width = wanted.width;
            n->height = wanted.height;
            return n;
        }
        oldest = n->used < oldest->used ? n : oldest;
    }
    if ((uint64_t)wanted.wide * wanted.high > GFX_NOTES_MOST)
        return NULL;
    wanted.note = calloc((size_t)wanted.wide * wanted.high, sizeof(*wanted.note));
    if (wanted.note == NULL)
        return NULL;
    free(oldest->note);
    *oldest = wanted;
    return oldest;
}

void gfx_hiz_free(struct gfx *g)
{
    for (uint32_t i = 0; i < GFX_NOTED; i++)
        free(g->hiz.notes[i].note);
    free(g->hiz.block);
}

bool gfx_hiz_touch(struct gfx *g, const struct gfx_notes *n, uint32_t x, uint32_t y,
                   bool written)
{
    g->counters.hiz_notes_written += written;
    return g->told.threads.message == NULL ||
           gfx_touch_note(g,
                          n->hiz_va + gfx_tile_offset(GFX_TILE_Y, n->hiz_pitch,
                                                      x * GFX_NOTE_BYTES, y),
                          true, written);
}

uint64_t gfx_note_va(const struct gfx_surface *s, const struct gfx_level *level,
                     uint32_t log2, uint32_t sample, uint32_t x, uint32_t y)
{
    if (log2 > 0)
        gfx_interleave(1u << log2, sample, &x, &y);
    return s->va + gfx_offset_in(s, level, x, y);
}

struct gfx_note_pixels gfx_note_pixels(const struct gfx_notes *n, uint32_t x,
                                       uint32_t y)
{
    struct gfx_note_pixels p = {x * GFX_NOTE_WIDE, y * GFX_NOTE_HIGH,
                                (x + 1) * GFX_NOTE_WIDE, (y + 1) * GFX_NOTE_HIGH};

    p.x1 = p.x1 < n->width ? p.x1 : n->width;
    p.y1 = p.y1 < n->height ? p.y1 : n->height;
    return p;
}

bool gfx_touch_depth_block(struct gfx *g, const struct gfx_surface *s,
                           const struct gfx_notes *n, uint32_t x, uint32_t y)
{
    struct gfx_level level = gfx_find_level(s, n->level, n->layer);
    struct gfx_note_pixels p = gfx_note_pixels(n, x, y);
    bool room = true;

    for (uint32_t j = p.y; j < p.y1 && g->told.threads.message != NULL; j++)
        for (uint32_t i = p.x; i < p.x1; i++)
            for (uint32_t k = 0; k < 1u << n->samples_log2; k++)
                room =
                    gfx_touch_depth(g, gfx_note_va(s, &level, n->samples_log2, k, i, j),
                                    false, true) &&
                    room;
    return room;
}

bool gfx_hiz_is_clear(const struct gfx *g, uint32_t x, uint32_t y)
{
    const struct gfx_notes *n = g->hiz.now;
    const struct gfx_note *note =
        n != NULL ? gfx_note_at(n, x / GFX_NOTE_WIDE, y / GFX_NOTE_HIGH) : NULL;

    return note != NULL && note->state == GFX_NOTE_CLEAR;
}

/* Pixel by pixel: how often the note changes is counted; until it holds all. A pixel
 * that was not written has what another one of its block has, and changes nothing that
 * this one does not. */
static void widen_blocks(struct gfx *g, struct gfx_note *note, uint32_t mask,
                         const struct gfx_depths *v, const float range[2])
{
    float least = note->least, most = note->most;
    bool clear = note->state == GFX_NOTE_CLEAR;
    uint64_t changes = 0;

    for (; mask != 0 && (clear || !(least <= range[0] && most >= range[1]));
         mask >>= 4, v++)
        for (uint32_t i = 0; i < 4 && (mask & 15) != 0; i++) {
            const float own = v->of[i];

            changes += (uint64_t)((own < least) | (own > most) | clear);
            least = own < least ? own : least;
            most = own > most ? own : most;
            clear = false;
        }
    if (changes == 0)
        return;
    *note = (struct gfx_note){least, most, GFX_NOTE_RANGE};
    g->counters.hiz_notes_written += changes;
}

static inline void find_range(uint32_t count, const struct gfx_depths *v,
                              float range[2])
{
#if defined(__x86_64__)
    if (emu_has_avx2()) {
        gfx_find_range_avx2(count, v, range);
        return;
    }
#endif
    gfx_find_range_any(count, v, range);
}

void gfx_hiz_written_blocks(struct gfx *g, uint32_t x, uint32_t y, uint32_t mask,
                            uint32_t count, const struct gfx_depths *v)
{
    struct gfx_hiz *h = &g->hiz;
    uint32_t column = x / GFX_NOTE_WIDE, row = y / GFX_NOTE_HIGH;
    struct gfx_note *note = gfx_note_at(h->now, column, row);
    struct gfx_hiz_block *b = column < h->block_cap ? &h->block[column] : NULL;
    float range[2];

    if (note == NULL)
        return;
    find_range(count, v, range);
    if (note->state == GFX_NOTE_CLEAR ||
        (note->state == GFX_NOTE_RANGE &&
         (range[0] < note->least || range[1] > note->most)))
        widen_blocks(g, note, mask, v, range);
    if (b == NULL || g->d.late || b->stamp != h->stamp)
        return;
    b->least = b->written > 0 && b->least < range[0] ? b->least : range[0];
    b->most = b->written > 0 && b->most > range[1] ? b->most : range[1];
    b->written += igpu_count_bits(mask);
}

bool gfx_hiz_written(struct gfx *g, uint32_t px, uint32_t py, float v)
{
    struct gfx_hiz *h = &g->hiz;
    uint32_t x = px / GFX_NOTE_WIDE, y = py / GFX_NOTE_HIGH;
    struct gfx_note *note = h->now != NULL ? gfx_note_at(h->now, x, y) : NULL;
    struct gfx_hiz_block *b = x < h->block_cap ? &h->block[x] : NULL;
    bool room = true, clear;

    if (note == NULL)
        return true;
    if (b != NULL && !g->d.late && b->stamp == h->stamp) {
        b->least = b->written > 0 && b->least < v ? b->least : v;
        b->most = b->written > 0 && b->most > v ? b->most : v;
        b->written++;
    }
    clear = note->state == GFX_NOTE_CLEAR;
    if (clear) /* from now on its lines are in memory */
        room = gfx_touch_depth_block(g, &g->d.depth, h->now, x, y);
    if (gfx_note_widen(note, v) || clear) {
        note->state = GFX_NOTE_RANGE;
        room = gfx_hiz_touch(g, h->now, x, y, true) && room;
    }
    return room;
}
