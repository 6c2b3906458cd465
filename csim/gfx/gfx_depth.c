/* gfx_depth.c - depth and stencil tests of pixels, and their buffers. */
#include "gfx_depth.h"

static bool depth_compare(uint32_t function, double a, double b)
{
    const gfx_depths4 of_a = {(float)a}, of_b = {(float)b};

    return gfx_compare_depths(function, of_a, of_b)[0] != 0;
}

static uint32_t stencil_operation(uint32_t op, uint32_t value, uint32_t reference)
{
    switch (op) {
    case 1:
        return 0;
    case 2:
        return reference;
    case 3:
        return value < 255 ? value + 1 : 255;
    case 4:
        return value > 0 ? value - 1 : 0;
    case 5:
        return (value + 1) & 255;
    case 6:
        return (value - 1) & 255;
    case 7:
        return ~value & 255;
    default:
        return value;
    }
}

static struct gfx_stencil stencil_of(const struct gfx *g, bool front)
{
    if (front || !gfx_get(g, GFX_STENCIL_TWO_SIDES))
        return (struct gfx_stencil){.function = gfx_get(g, GFX_FRONT_FUNCTION),
                                    .fail = gfx_get(g, GFX_FRONT_FAIL),
                                    .depth_fail = gfx_get(g, GFX_FRONT_DEPTH_FAIL),
                                    .pass = gfx_get(g, GFX_FRONT_PASS),
                                    .test_mask = gfx_get(g, GFX_FRONT_TEST_MASK),
                                    .write_mask = gfx_get(g, GFX_FRONT_WRITE_MASK),
                                    .reference = gfx_get(g, GFX_FRONT_REFERENCE)};
    return (struct gfx_stencil){.function = gfx_get(g, GFX_BACK_FUNCTION),
                                .fail = gfx_get(g, GFX_BACK_FAIL),
                                .depth_fail = gfx_get(g, GFX_BACK_DEPTH_FAIL),
                                .pass = gfx_get(g, GFX_BACK_PASS),
                                .test_mask = gfx_get(g, GFX_BACK_TEST_MASK),
                                .write_mask = gfx_get(g, GFX_BACK_WRITE_MASK),
                                .reference = gfx_get(g, GFX_BACK_REFERENCE)};
}

/* Depth as the buffer holds it: an integer, or a float's value. */
static double quantize(const struct gfx_surface *s, double z)
{
    double most = s->format->bytes == 2 ? 65535.0 : 16777215.0;

    if (s->format->type == TEX_FLOAT)
        return (double)(float)z;
    return !(z > 0) ? 0 : z >= 1 ? most : (double)(int32_t)(z * most + 0.5);
}

static double depth_load(const struct gfx_surface *s, const uint8_t *at)
{
    uint16_t half;
    uint32_t word;

    if (s->format->bytes == 2) {
        memcpy(&half, at, sizeof(half));
        return half;
    }
    memcpy(&word, at, sizeof(word));
    return s->format->type == TEX_FLOAT ? (double)tex_float(word) : word & GFX_DEPTH_24;
}

static void save(const struct gfx_surface *s, double z, uint8_t *at)
{
    const bool floats = s->format->type == TEX_FLOAT;
    uint32_t word = floats ? tex_bits((float)z) : (uint32_t)z;

    memcpy(at, &word, floats ? 4 : s->format->bytes == 2 ? 2 : 3);
}

/* Operations: zero and replace do not look at what is there. */
enum { KEEP, REPLACE = 2 };

static bool function_reads(uint32_t function)
{
    return function > 1; /* neither always nor never */
}

static bool stencil_reads(const struct gfx_stencil *s, bool write)
{
    return function_reads(s->function) ||
           (write && (s->fail > REPLACE || s->depth_fail > REPLACE ||
                      s->pass > REPLACE || s->write_mask != 255));
}

void gfx_store_depth(const struct gfx_surface *s, double z, uint8_t *at)
{
    save(s, quantize(s, z), at);
}

uint32_t gfx_store_depths(const struct gfx_surface *s, double z, uint8_t *at,
                          uint32_t count)
{
    double value = quantize(s, z);

    for (uint32_t i = 0; i < count; i++)
        save(s, value, at + i * s->format->bytes);
    return s->format->type == TEX_FLOAT || s->format->bytes == 2 ? s->format->bytes : 3;
}

/* The range of depths that viewports leave. */
static enum igpu_status find_limits(struct gfx *g, float range[2])
{
    range[0] = 0;
    range[1] = 1;
    if (!gfx_get(g, GFX_VIEWPORT_TRANSFORM))
        return IGPU_OK;
    return gfx_read(g,
                    g->c->dynamic_base + gfx_get_offset(g, GFX_DEPTH_VIEWPORT_POINTER) +
                        8 * g->d.viewport,
                    range, 2 * sizeof(*range));
}

/* The pixel's depth as the buffer would have it. */
static double depth_of(const struct gfx *g, const struct gfx_tests *t, double z)
{
    z = z > (double)t->low ? z : (double)t->low;
    return quantize(&g->d.depth, z < (double)t->high ? z : (double)t->high);
}

/* Which of a group's pixels were tested, and passed; all: both. written: blocks' depths
 * that were. */
struct passed {
    uint32_t all, depth_tested, depth, stencil_tested, stencil, written;
};

/* Pixel i of the group's. */
static void one_pixel(struct gfx *g, struct gfx_tests *t, uint32_t i,
                      uint32_t reference, double z, uint8_t *depth, uint8_t *stencil,
                      struct passed *p)
{
    uint32_t value = stencil != NULL ? *stencil : 0, op;
    bool pass = true, depth_pass = true;
    double now = 0;

    if (stencil != NULL) {
        pass = depth_compare(t->s.function, reference & t->s.test_mask,
                             value & t->s.test_mask);
        p->stencil_tested |= 1u << i;
        p->stencil |= (uint32_t)pass << i;
    }
    if (depth != NULL)
        now = depth_of(g, t, z);
    if (depth != NULL && pass && t->depth_test) {
        depth_pass = depth_compare(t->function, now, depth_load(&g->d.depth, depth));
        p->depth_tested |= 1u << i;
        p->depth |= (uint32_t)depth_pass << i;
    }
    op = !pass ? t->s.fail : !depth_pass ? t->s.depth_fail : t->s.pass;
    g->counters.stencil_written += stencil != NULL && t->stencil_write;
    t->stencil_written = stencil != NULL && t->stencil_write && op != KEEP;
    if (stencil != NULL && t->stencil_write)
        *stencil =
            (uint8_t)((value & ~t->s.write_mask) |
                      (stencil_operation(op, value, reference) & t->s.write_mask));
    t->depth_written = depth != NULL && pass && depth_pass && t->depth_write;
    t->value = now;
    if (t->depth_written) {
        save(&g->d.depth, now, depth);
        g->counters.depth_written++;
    }
    p->all |= (uint32_t)(pass && depth_pass) << i;
}

/* Depth alone is tested, once a pixel, and nobody is told of what is touched; a block
 * lies in one column of a tile. */
static bool may_have_blocks(const struct gfx *g, const struct gfx_tests *t)
{
    return g->d.depth_on && !g->d.stencil_on && g->d.ms.count == 1 &&
           g->told.threads.message == NULL && g->told.memory.write == NULL &&
           g->told.memory.find == NULL && g->d.depth.tiling == GFX_TILE_Y &&
           gfx_is_side_by_side(&g->d.depth) && t->depth_level.x % 2 == 0 &&
           t->depth_level.y % 2 == 0;
}

static void find_blocks(const struct gfx *g, struct gfx_tests *t)
{
    const struct gfx_surface *s = &g->d.depth;
    uint64_t columns, rows;

    t->width = (gfx_minify(s->width, s->level) + 1) & ~1u;
    t->height = (gfx_minify(s->height, s->level) + 1) & ~1u;
    columns = ((uint64_t)t->depth_level.x + t->width) * s->format->bytes;
    rows = (uint64_t)t->depth_level.y + t->height;
    t->host =
        columns <= s->pitch && rows <= 1 << 20
            ? emu_mem_host(g->mem, s->va,
                           gfx_surface_bytes(s, (uint32_t)columns, (uint32_t)rows))
            : NULL;
    t->blocks = t->host != NULL;
}

/* What is tested, and how; kept as long as the draw's primitives go to one place. */
static struct gfx_tests *find_tests(struct gfx *g, bool front, enum igpu_status *status)
{
    struct gfx_tests *t = &g->d.tests;
    float range[2];

    if (t->known && t->front == front && t->layer == g->d.layer &&
        t->viewport == g->d.viewport)
        return t;
    *status = find_limits(g, range);
    *t = (struct gfx_tests){.known = *status == IGPU_OK,
                            .front = front,
                            .layer = g->d.layer,
                            .viewport = g->d.viewport,
                            .function = gfx_get(g, GFX_DEPTH_FUNCTION),
                            .depth_test = gfx_get(g, GFX_DEPTH_TEST_ON),
                            .depth_write = gfx_get(g, GFX_DEPTH_WRITE_ON) &&
                                           gfx_get(g, GFX_DEPTH_BUFFER_WRITE),
                            .stencil_write = gfx_get(g, GFX_STENCIL_WRITE_ON),
                            .s = stencil_of(g, front),
                            .low = range[0],
                            .high = range[1]};
    t->depth_read = t->depth_test && function_reads(t->function);
    t->stencil_read = stencil_reads(&t->s, t->stencil_write);
    if (g->d.depth_on)
        t->depth_level = gfx_find_level(&g->d.depth, g->d.depth.level,
                                        g->d.depth.first_layer + g->d.layer);
    if (g->d.stencil_on)
        t->stencil_level = gfx_find_level(&g->d.stencil, g->d.stencil.level,
                                          g->d.stencil.first_layer + g->d.layer);
    if (may_have_blocks(g, t))
        find_blocks(g, t);
    return t;
}

/* Also by when they were made. */
static void count_tests(struct gfx *g, const struct passed *p)
{
    struct gfx_counters *c = &g->counters;
    const uint32_t depth = igpu_count_bits(p->depth_tested);
    const uint32_t depth_passed =
        p->depth == p->depth_tested ? depth : igpu_count_bits(p->depth);
    const uint32_t all = p->all == p->depth ? depth_passed : igpu_count_bits(p->all);
    uint32_t stencil, stencil_passed;

    c->samples_passed += all;
    c->depth_written += p->written == p->all ? all : igpu_count_bits(p->written);
    c->depth_tested += depth;
    c->depth_passed += depth_passed;
    *(g->d.late ? &c->late_depth_tested : &c->early_depth_tested) += depth;
    *(g->d.late ? &c->late_depth_passed : &c->early_depth_passed) += depth_passed;
    if (p->stencil_tested == 0)
        return;
    stencil = igpu_count_bits(p->stencil_tested);
    stencil_passed = igpu_count_bits(p->stencil);
    c->stencil_tested += stencil;
    c->stencil_passed += stencil_passed;
    *(g->d.late ? &c->late_stencil_tested : &c->early_stencil_tested) += stencil;
    *(g->d.late ? &c->late_stencil_passed : &c->early_stencil_passed) += stencil_passed;
}

/* Of the pixels of mask those that notes settled, and what they should not have. */
static void count_settled(struct gfx *g, const struct passed *p, uint32_t mask)
{
    struct gfx_counters *c = &g->counters;
    const uint32_t passes = g->d.passes & mask, fails = g->d.fails & mask;
    const uint32_t tested = p->depth_tested & (passes | fails),
                   count = igpu_count_bits(tested);

    c->hiz_depth_tests += count;
    c->hiz_pixels_passed += passes == tested ? count : igpu_count_bits(passes);
    if ((p->depth_tested & ~p->depth & passes) != 0)
        c->hiz_stale += igpu_count_fours(p->depth_tested & ~p->depth & passes);
    if (fails == 0)
        return;
    c->hiz_pixels_failed += igpu_count_bits(fails);
    c->hiz_stencil_tests += igpu_count_bits(p->stencil_tested & fails);
    c->hiz_stale += igpu_count_fours(p->all & fails);
}

/* NULL: outside of the batch's memory. */
static uint8_t *sample_place(struct gfx *g, const struct gfx_surface *s,
                             const struct gfx_level *level, uint32_t x, uint32_t y,
                             uint64_t *va)
{
    if (g->d.ms.count > 1)
        gfx_interleave(g->d.ms.count, g->d.ms.sample, &x, &y);
    *va = s->va + gfx_offset_in(s, level, x, y);
    return gfx_host(g, *va, s->format->bytes);
}

/* The last pixel's lines, i of the group's. False: memory is short. Of a depth that a
 * note settles, or that was written before in its line, memory is not asked. */
static bool touch(struct gfx *g, const struct gfx_tests *t, uint32_t i, uint32_t x,
                  uint32_t y, const uint64_t *depth, const uint64_t *stencil)
{
    bool read = t->depth_read, room = true;

    if (g->d.fails >> i & 1)
        return true;
    if (depth != NULL && g->hiz.now != NULL) {
        read = read && !(g->d.passes >> i & 1) && !gfx_hiz_is_clear(g, x, y) &&
               !gfx_wrote_depth(g, *depth);
        if (t->depth_written)
            room = gfx_hiz_written(g, x, y, (float)t->value);
    }
    if (depth != NULL)
        room = gfx_touch_depth(g, *depth, read, t->depth_written) && room;
    if (stencil != NULL)
        room =
            gfx_touch_depth(g, *stencil, t->stencil_read, t->stencil_written) && room;
    return room;
}

static enum igpu_status refuse_place(struct gfx *g, uint32_t x, uint32_t y)
{
    return gfx_refuse(g, "pixel %u, %u lies outside the depth or stencil buffer", x, y);
}

uint32_t gfx_depth_reject(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                          const double *z, enum igpu_status *status)
{
    uint32_t left = 0, rejected;
    const struct gfx_tests *t;

    if (!g->d.rejected)
        return mask;
    t = find_tests(g, true, status);
    for (uint32_t rest = mask; rest != 0 && *status == IGPU_OK; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint32_t x = (uint32_t)group->x[i / 4] + (i & 1);
        uint32_t y = (uint32_t)group->y[i / 4] + (i >> 1 & 1);
        uint64_t va;
        const uint8_t *depth = sample_place(g, &g->d.depth, &t->depth_level, x, y, &va);

        if (depth == NULL)
            *status = refuse_place(g, x, y);
        else if (depth_compare(t->function, depth_of(g, t, z[i]),
                               depth_load(&g->d.depth, depth)))
            left |= 1u << i;
    }
    rejected = igpu_count_bits(mask & ~left);
    g->counters.depth_tested += rejected;
    g->counters.early_depth_tested += rejected;
    g->counters.hiz_depth_tests += rejected;
    g->counters.hiz_pixels_failed += rejected;
    g->counters.hiz_stale += left != 0;
    return left;
}

/* The pixel's, i of the group's. */
static __attribute__((noinline)) void test_pixel(struct gfx *g, struct gfx_tests *t,
                                                 const struct gfx_group *group,
                                                 uint32_t i, double z, struct passed *p,
                                                 enum igpu_status *status)
{
    uint32_t x = (uint32_t)group->x[i / 4] + (i & 1);
    uint32_t y = (uint32_t)group->y[i / 4] + (i >> 1 & 1);
    uint8_t *depth = NULL, *stencil = NULL;
    uint64_t depth_va = 0, stencil_va = 0;

    if (g->d.depth_on)
        depth = sample_place(g, &g->d.depth, &t->depth_level, x, y, &depth_va);
    if (g->d.stencil_on)
        stencil = sample_place(g, &g->d.stencil, &t->stencil_level, x, y, &stencil_va);
    if ((g->d.depth_on && depth == NULL) || (g->d.stencil_on && stencil == NULL)) {
        *status = refuse_place(g, x, y);
        return;
    }
    if (depth != NULL && t->depth_write)
        gfx_tell_write(g, depth_va, g->d.depth.format->bytes, depth);
    if (stencil != NULL && t->stencil_write)
        gfx_tell_write(g, stencil_va, 1, stencil);
    one_pixel(g, t, i, g->d.references != NULL ? g->d.references[i] : t->s.reference, z,
              depth, stencil, p);
    if (!touch(g, t, i, x, y, depth ? &depth_va : NULL, stencil ? &stencil_va : NULL))
        *status = gfx_refuse(g, "memory is short for lines of depth");
}

/* ---- blocks ------------------------------------------------------------- */

/* What was written there, into notes: of blocks that have one and the same at once. */
static void note_blocks(struct gfx *g, const struct gfx_group *group, uint32_t written,
                        const struct gfx_depths now[GFX_BLOCKS])
{
    while (written != 0) {
        uint32_t first = (uint32_t)__builtin_ctz(written) / 4, end = first + 1;
        uint32_t x = (uint32_t)group->x[first], y = (uint32_t)group->y[first], later;

        while (end < GFX_BLOCKS && (written >> 4 * end & 15) != 0 &&
               gfx_is_one_note(group, first, end))
            end++;
        later = end < GFX_BLOCKS ? UINT32_MAX << 4 * end : 0;
        gfx_hiz_written_blocks(g, x, y, (written & ~later) >> 4 * first, end - first,
                               now + first);
        written &= later;
    }
}

/* All blocks that have pixels in mask, but for those that lie outside of the buffer,
 * whose pixels are left there. */
static void test_blocks(struct gfx *g, const struct gfx_tests *t,
                        const struct gfx_group *group, uint32_t *mask, const double *z,
                        struct passed *p)
{
    const struct gfx_surface *s = &g->d.depth;
    const struct gfx_level *l = &t->depth_level;
    uint32_t some = *mask, passed;
    uint8_t *at[GFX_BLOCKS];
    struct gfx_depths now[GFX_BLOCKS];

    for (uint32_t b = 0, rest = some; rest != 0; b++, rest >>= 4) {
        const uint32_t x = (uint32_t)group->x[b], y = (uint32_t)group->y[b];

        if ((rest & 15) == 0)
            continue;
        if (x < t->width && y < t->height)
            at[b] = t->host + gfx_tile_offset(GFX_TILE_Y, s->pitch,
                                              (l->x + x) * s->format->bytes, l->y + y);
        else
            some &= ~(15u << 4 * b);
    }
    *mask &= ~some;
#if defined(__x86_64__)
    passed = emu_has_avx2() ? gfx_test_blocks_avx2(s, t, some, z, at, now)
                            : gfx_test_blocks_any(s, t, some, z, at, now);
#else
    passed = gfx_test_blocks_any(s, t, some, z, at, now);
#endif
    if (t->depth_write && g->hiz.now != NULL)
        note_blocks(g, group, passed & ~g->d.fails, now);
    p->all = passed;
    p->depth_tested = t->depth_test ? some : 0;
    p->depth = t->depth_test ? passed : 0;
    p->written = t->depth_write ? passed : 0;
}

uint32_t gfx_depth_stencil(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                           const double *z, bool front, enum igpu_status *status)
{
    struct passed p = {.all = 0};
    uint32_t rest = mask;
    struct gfx_tests *t;

    if (!g->d.depth_on && !g->d.stencil_on) {
        g->counters.samples_passed += igpu_count_bits(mask);
        return mask;
    }
    t = find_tests(g, front, status);
    if (t->blocks && *status == IGPU_OK)
        test_blocks(g, t, group, &rest, z, &p);
    for (; rest != 0 && *status == IGPU_OK; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);

        test_pixel(g, t, group, i, z[i], &p, status);
    }
    count_tests(g, &p);
    if ((mask & (g->d.passes | g->d.fails)) != 0)
        count_settled(g, &p, mask);
    return p.all;
}

/* ---- for notes ---------------------------------------------------------- */

static bool keeps(const struct gfx *g, bool front)
{
    struct gfx_stencil s = stencil_of(g, front);

    return s.fail == KEEP && s.depth_fail == KEEP;
}

bool gfx_stencil_keeps(const struct gfx *g)
{
    return !g->d.stencil_on || !gfx_get(g, GFX_STENCIL_WRITE_ON) ||
           (keeps(g, true) && keeps(g, false));
}

enum igpu_status gfx_depth_range(struct gfx *g, double z[2])
{
    const struct gfx_tests *t = &g->d.tests;
    float range[2] = {t->low, t->high};
    enum igpu_status status = IGPU_OK;

    if (!t->known || t->viewport != g->d.viewport)
        status = find_limits(g, range);
    for (uint32_t i = 0; i < 2 && status == IGPU_OK; i++) {
        z[i] = z[i] > (double)range[0] ? z[i] : (double)range[0];
        z[i] = z[i] < (double)range[1] ? z[i] : (double)range[1];
        z[i] = quantize(&g->d.depth, z[i]);
    }
    return status;
}

float gfx_depth_value(const struct gfx_surface *s, double z)
{
    return (float)quantize(s, z);
}

/* Do so many depths from `at` on lie in the note's range? */
static bool are_within(const struct gfx_surface *s, const uint8_t *at, uint32_t count,
                       const struct gfx_note *note)
{
    const bool floats = s->format->type == TEX_FLOAT;
    const gfx_depths4 least = {note->least, note->least, note->least, note->least};
    const gfx_depths4 most = {note->most, note->most, note->most, note->most};
    gfx_flags4 within = {-1, -1, -1, -1};
    uint32_t i = 0;

    for (; i + 4 <= count && s->format->bytes == 4; i += 4) {
        gfx_flags4 word;
        gfx_depths4 z;

        memcpy(&word, at + i * 4, sizeof(word));
        memcpy(&z, at + i * 4, sizeof(z));
        if (!floats)
            z = __builtin_convertvector(word & GFX_DEPTH_24, gfx_depths4);
        within &= (z >= least) & (z <= most);
    }
    for (; i < count; i++) {
        float z = (float)depth_load(s, at + i * s->format->bytes);

        within[0] &= -(int32_t)(z >= note->least && z <= note->most);
    }
    return (within[0] & within[1] & within[2] & within[3]) != 0;
}

/* The block's column of 16 bytes that begins at pixel x: all rows at once where they
 * lie side by side, as of tiles. */
static bool column_is_within(struct gfx *g, const struct gfx_level *level,
                             const struct gfx_note_pixels *p, uint32_t x,
                             uint32_t count, const struct gfx_note *note)
{
    enum { COLUMN = GFX_SIDE_BY_SIDE };
    const struct gfx_surface *s = &g->d.depth;
    uint32_t bytes = s->format->bytes;
    bool whole = count * bytes == COLUMN && s->tiling == GFX_TILE_Y &&
                 level->y % GFX_NOTE_HIGH == 0;
    uint32_t at_once = whole ? p->y1 - p->y : 1;

    for (uint32_t y = p->y; y < p->y1; y += at_once) {
        const uint8_t *at =
            gfx_host(g, s->va + gfx_offset_in(s, level, x, y), at_once * count * bytes);

        if (at == NULL || !are_within(s, at, at_once * count, note))
            return false;
    }
    return true;
}

/* A whole block of dwords in a tile, of the buffer that is tested by blocks: two
 * columns beside each other. NULL: it is not such. */
static const uint8_t *columns_of(const struct gfx *g, const struct gfx_notes *n,
                                 uint32_t x, uint32_t y)
{
    const struct gfx_surface *s = &g->d.depth;
    const struct gfx_tests *t = &g->d.tests;
    const struct gfx_level *l = &t->depth_level;

    if (!t->known || !t->blocks || t->layer != g->d.layer || s->format->bytes != 4 ||
        l->x % GFX_NOTE_WIDE != 0 || l->y % GFX_NOTE_HIGH != 0 ||
        (x + 1) * GFX_NOTE_WIDE > n->width || (y + 1) * GFX_NOTE_HIGH > n->height)
        return NULL;
    return t->host + gfx_tile_offset(GFX_TILE_Y, s->pitch,
                                     (l->x + x * GFX_NOTE_WIDE) * 4,
                                     l->y + y * GFX_NOTE_HIGH);
}

static bool columns_are_within(const struct gfx_surface *s, const uint8_t *at,
                               const struct gfx_note *note)
{
    const bool floats = s->format->type == TEX_FLOAT;

    for (uint32_t k = 2; k < 4; k++) /* the block to the right, tested next */
        __builtin_prefetch(at + k * GFX_NEXT_COLUMN, 1);
#if defined(__x86_64__)
    if (emu_has_avx2())
        return gfx_are_within_avx2(floats, at, note->least, note->most);
#endif
    return gfx_are_within_any(floats, at, note->least, note->most);
}

/* The same of any block. */
static bool pixels_are_within(struct gfx *g, const struct gfx_notes *n, uint32_t x,
                              uint32_t y, const struct gfx_note *note)
{
    const struct gfx_surface *s = &g->d.depth;
    struct gfx_level level = gfx_find_level(s, n->level, n->layer);
    struct gfx_note_pixels p = gfx_note_pixels(n, x, y);
    uint32_t samples = 1u << n->samples_log2, bytes = s->format->bytes;
    uint32_t step = GFX_SIDE_BY_SIDE / bytes;

    for (uint32_t i = p.x; i < p.x1 && samples == 1; i += step)
        if (!column_is_within(g, &level, &p, i, p.x1 - i < step ? p.x1 - i : step,
                              note))
            return false;
    for (uint32_t j = p.y; j < p.y1 && samples > 1; j++)
        for (uint32_t i = p.x; i < p.x1; i++)
            for (uint32_t k = 0; k < samples; k++) {
                const uint8_t *at = gfx_host(
                    g, gfx_note_va(s, &level, n->samples_log2, k, i, j), bytes);

                if (at == NULL || !are_within(s, at, 1, note))
                    return false;
            }
    return true;
}

bool gfx_depth_is_within(struct gfx *g, const struct gfx_notes *n, uint32_t x,
                         uint32_t y, const struct gfx_note *note)
{
    const uint8_t *both = columns_of(g, n, x, y);

    return both != NULL ? columns_are_within(&g->d.depth, both, note)
                        : pixels_are_within(g, n, x, y, note);
}
