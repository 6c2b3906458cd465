/* gfx_depth.c - depth and stencil tests of pixels, and their buffers. */
#include "gfx_depth.h"

typedef float depths4 __attribute__((vector_size(16)));
typedef int32_t flags4 __attribute__((vector_size(16)));

static bool depth_compare(uint32_t function, double a, double b)
{
    switch (function) { /* 0 always, 1 never, then < == <= > != >= */
    case 0:
        return true;
    case 2:
        return a < b;
    case 3:
        return a == b;
    case 4:
        return a <= b;
    case 5:
        return a > b;
    case 6:
        return a != b;
    case 7:
        return a >= b;
    default:
        return false;
    }
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

enum { DEPTH_24 = (1 << 24) - 1 };

static double depth_load(const struct gfx_surface *s, const uint8_t *at)
{
    uint16_t half;
    uint32_t word;

    if (s->format->bytes == 2) {
        memcpy(&half, at, sizeof(half));
        return half;
    }
    memcpy(&word, at, sizeof(word));
    return s->format->type == TEX_FLOAT ? (double)tex_float(word) : word & DEPTH_24;
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

static bool one_pixel(struct gfx *g, struct gfx_tests *t, uint32_t reference, double z,
                      uint8_t *depth, uint8_t *stencil)
{
    uint32_t value = stencil != NULL ? *stencil : 0, op;
    bool pass = true, depth_pass = true;
    double now = 0;

    if (stencil != NULL) {
        pass = depth_compare(t->s.function, reference & t->s.test_mask,
                             value & t->s.test_mask);
        g->counters.stencil_tested++;
        g->counters.stencil_passed += pass;
    }
    if (depth != NULL)
        now = depth_of(g, t, z);
    if (depth != NULL && pass && t->depth_test) {
        depth_pass = depth_compare(t->function, now, depth_load(&g->d.depth, depth));
        g->counters.depth_tested++;
        g->counters.depth_passed += depth_pass;
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
    return pass && depth_pass;
}

/* Depth alone is tested, once a pixel, and nobody is told of what is touched; a block
 * lies in one column of a tile. */
static bool has_blocks(const struct gfx *g, const struct gfx_tests *t)
{
    return g->d.depth_on && !g->d.stencil_on && g->d.ms.count == 1 &&
           g->told.threads.message == NULL && g->told.memory.write == NULL &&
           g->d.depth.tiling == GFX_TILE_Y && gfx_is_side_by_side(&g->d.depth) &&
           t->depth_level.x % 2 == 0 && t->depth_level.y % 2 == 0;
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
    t->blocks = has_blocks(g, t);
    return t;
}

/* What was counted before a block's tests. */
struct counted {
    uint64_t depth_tested, depth_passed, stencil_tested, stencil_passed;
};

/* By when they were made. */
static void count_tests(struct gfx *g, const struct counted *before)
{
    struct gfx_counters *c = &g->counters;
    uint64_t depth = c->depth_tested - before->depth_tested;
    uint64_t depth_passed = c->depth_passed - before->depth_passed;
    uint64_t stencil = c->stencil_tested - before->stencil_tested;
    uint64_t stencil_passed = c->stencil_passed - before->stencil_passed;

    *(g->d.late ? &c->late_depth_tested : &c->early_depth_tested) += depth;
    *(g->d.late ? &c->late_depth_passed : &c->early_depth_passed) += depth_passed;
    *(g->d.late ? &c->late_stencil_tested : &c->early_stencil_tested) += stencil;
    *(g->d.late ? &c->late_stencil_passed : &c->early_stencil_passed) += stencil_passed;
}

/* What the note on the pixels' block settled, and what it should not have. */
static void count_settled(struct gfx *g, const struct counted *before, uint32_t pixels,
                          uint32_t passed)
{
    struct gfx_counters *c = &g->counters;
    uint64_t depth = c->depth_tested - before->depth_tested;
    uint64_t stencil = c->stencil_tested - before->stencil_tested;

    if (g->d.decision == GFX_AMBIGUOUS)
        return;
    c->hiz_depth_tests += depth;
    if (g->d.decision == GFX_PASSES) {
        c->hiz_pixels_passed += pixels;
        c->hiz_stale += depth != c->depth_passed - before->depth_passed;
    } else {
        c->hiz_pixels_failed += pixels;
        c->hiz_stencil_tests += stencil;
        c->hiz_stale += passed != 0;
    }
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

/* The last pixel's lines. False: memory is short. Of a depth that a note settles, or
 * that was written before in its line, memory is not asked. */
static bool touch(struct gfx *g, const struct gfx_tests *t, uint32_t x, uint32_t y,
                  const uint64_t *depth, const uint64_t *stencil)
{
    bool read = t->depth_read, room = true;

    if (g->d.decision == GFX_FAILS)
        return true;
    if (depth != NULL && g->hiz.now != NULL) {
        read = read && g->d.decision != GFX_PASSES && !gfx_hiz_is_clear(g, x, y) &&
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
static __attribute__((noinline)) bool test_pixel(struct gfx *g, struct gfx_tests *t,
                                                 const struct gfx_group *group,
                                                 uint32_t i, double z,
                                                 enum igpu_status *status)
{
    uint32_t x = (uint32_t)group->x[i / 4] + (i & 1);
    uint32_t y = (uint32_t)group->y[i / 4] + (i >> 1 & 1);
    uint8_t *depth = NULL, *stencil = NULL;
    uint64_t depth_va = 0, stencil_va = 0;
    bool passed;

    if (g->d.depth_on)
        depth = sample_place(g, &g->d.depth, &t->depth_level, x, y, &depth_va);
    if (g->d.stencil_on)
        stencil = sample_place(g, &g->d.stencil, &t->stencil_level, x, y, &stencil_va);
    if ((g->d.depth_on && depth == NULL) || (g->d.stencil_on && stencil == NULL)) {
        *status = refuse_place(g, x, y);
        return false;
    }
    if (depth != NULL && t->depth_write)
        gfx_tell_write(g, depth_va, g->d.depth.format->bytes, depth);
    if (stencil != NULL && t->stencil_write)
        gfx_tell_write(g, stencil_va, 1, stencil);
    passed =
        one_pixel(g, t, g->d.references != NULL ? g->d.references[i] : t->s.reference,
                  z, depth, stencil);
    if (!touch(g, t, x, y, depth ? &depth_va : NULL, stencil ? &stencil_va : NULL))
        *status = gfx_refuse(g, "memory is short for lines of depth");
    return passed;
}

/* ---- blocks ------------------------------------------------------------- */

enum { ROW = 16 }; /* bytes from a block's first row to its second */

/* As depth_of() and quantize(), of a block. */
static inline struct gfx_depths depths_of(const struct gfx_surface *s,
                                          const struct gfx_tests *t, const double z[4])
{
    const double low = (double)t->low, high = (double)t->high;
    const double most = s->format->bytes == 2 ? 65535.0 : 16777215.0;
    struct gfx_depths d;
    double v[4];

    for (uint32_t i = 0; i < 4; i++) {
        v[i] = z[i] > low ? z[i] : low;
        v[i] = v[i] < high ? v[i] : high;
    }
    if (s->format->type == TEX_FLOAT) {
        for (uint32_t i = 0; i < 4; i++)
            d.of[i] = (float)v[i];
        return d;
    }
    for (uint32_t i = 0; i < 4; i++) {
        v[i] = v[i] > 0 ? v[i] : 0;
        v[i] = v[i] < 1 ? v[i] : 1;
        d.of[i] = (float)(int32_t)(v[i] * most + 0.5);
    }
    return d;
}

static inline struct gfx_depths load_block(const struct gfx_surface *s,
                                           const uint8_t *at)
{
    struct gfx_depths d;
    uint16_t half[4];
    uint32_t word[4];

    if (s->format->bytes == 2) {
        memcpy(half, at, 2 * sizeof(*half));
        memcpy(half + 2, at + ROW, 2 * sizeof(*half));
        for (uint32_t i = 0; i < 4; i++)
            d.of[i] = (float)half[i];
        return d;
    }
    memcpy(word, at, 2 * sizeof(*word));
    memcpy(word + 2, at + ROW, 2 * sizeof(*word));
    if (s->format->type == TEX_FLOAT) {
        memcpy(d.of, word, sizeof(word));
        return d;
    }
    for (uint32_t i = 0; i < 4; i++)
        d.of[i] = (float)(int32_t)(word[i] & DEPTH_24);
    return d;
}

/* Those of mask. */
static inline void save_block(const struct gfx_surface *s, const struct gfx_depths *d,
                              uint32_t mask, uint8_t *at)
{
    const bool floats = s->format->type == TEX_FLOAT;
    const uint32_t others = floats ? 0 : ~(uint32_t)DEPTH_24;
    uint32_t word[4], now[4];

    for (; mask != 0 && s->format->bytes == 2; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);

        save(s, (double)d->of[i], at + i / 2 * ROW + i % 2 * 2);
    }
    if (mask == 0)
        return;
    memcpy(word, at, 2 * sizeof(*word));
    memcpy(word + 2, at + ROW, 2 * sizeof(*word));
    memcpy(now, d->of, sizeof(now));
    if (!floats)
        for (uint32_t i = 0; i < 4; i++)
            now[i] = (uint32_t)(int32_t)d->of[i];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t on = -(mask >> i & 1);

        word[i] = (word[i] & (others | ~on)) | (now[i] & on);
    }
    memcpy(at, word, 2 * sizeof(*word));
    memcpy(at + ROW, word + 2, 2 * sizeof(*word));
}

/* Which of a block's pixels pass, whose depths are a, where b were. */
static inline uint32_t compare_block(uint32_t function, const struct gfx_depths *now,
                                     const struct gfx_depths *before)
{
    const flags4 bits = {1, 2, 4, 8};
    flags4 passed = {0, 0, 0, 0};
    depths4 a, b;

    memcpy(&a, now->of, sizeof(a));
    memcpy(&b, before->of, sizeof(b));
    switch (function) { /* as depth_compare() */
    case 0:
        return 15;
    case 2:
        passed = a < b;
        break;
    case 3:
        passed = a == b;
        break;
    case 4:
        passed = a <= b;
        break;
    case 5:
        passed = a > b;
        break;
    case 6:
        passed = a != b;
        break;
    case 7:
        passed = a >= b;
        break;
    default:
        break;
    }
    passed &= bits;
    return (uint32_t)(passed[0] | passed[1] | passed[2] | passed[3]);
}

/* NULL: outside of the batch's memory. */
static inline uint8_t *block_place(struct gfx *g, const struct gfx_tests *t, uint32_t x,
                                   uint32_t y)
{
    const struct gfx_surface *s = &g->d.depth;
    const struct gfx_level *l = &t->depth_level;
    uint32_t bytes = s->format->bytes;

    return gfx_host(
        g, s->va + gfx_tile_offset(GFX_TILE_Y, s->pitch, (l->x + x) * bytes, l->y + y),
        ROW + 2 * bytes);
}

/* Those of mask, of the block at x, y, whose depths are z and lie at `at`. */
static inline uint32_t test_block(struct gfx *g, const struct gfx_tests *t, uint32_t x,
                                  uint32_t y, uint32_t mask, const double *z,
                                  uint8_t *at)
{
    const struct gfx_depths now = depths_of(&g->d.depth, t, z);
    uint32_t passed = mask;

    if (t->depth_test) {
        struct gfx_depths before = load_block(&g->d.depth, at);

        passed &= compare_block(t->function, &now, &before);
        g->counters.depth_tested += igpu_count_bits4(mask);
        g->counters.depth_passed += igpu_count_bits4(passed);
    }
    if (!t->depth_write || passed == 0)
        return passed;
    g->counters.depth_written += igpu_count_bits4(passed);
    save_block(&g->d.depth, &now, passed, at);
    if (g->d.decision != GFX_FAILS && g->hiz.now != NULL)
        gfx_hiz_written_block(g, x, y, passed, &now);
    return passed;
}

/* The group's block's, as far as they are in mask. */
static uint32_t test_pixels(struct gfx *g, struct gfx_tests *t,
                            const struct gfx_group *group, uint32_t block,
                            uint32_t mask, const double *z, enum igpu_status *status)
{
    uint32_t x = (uint32_t)group->x[block], y = (uint32_t)group->y[block], passed = 0;
    uint8_t *at = t->blocks ? block_place(g, t, x, y) : NULL;

    if (at != NULL)
        return test_block(g, t, x, y, mask, z + 4 * block, at);
    for (uint32_t i = 0; i < 4 && *status == IGPU_OK; i++)
        if ((mask >> i & 1) &&
            test_pixel(g, t, group, 4 * block + i, z[4 * block + i], status))
            passed |= 1u << i;
    return passed;
}

uint32_t gfx_depth_stencil(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                           const double *z, bool front, enum igpu_status *status)
{
    uint32_t passed = 0;
    struct gfx_tests *t;
    const struct counted before = {g->counters.depth_tested, g->counters.depth_passed,
                                   g->counters.stencil_tested,
                                   g->counters.stencil_passed};

    if (!g->d.depth_on && !g->d.stencil_on) {
        g->counters.samples_passed += igpu_count_bits(mask);
        return mask;
    }
    t = find_tests(g, front, status);
    for (uint32_t rest = mask; rest != 0 && *status == IGPU_OK;) {
        uint32_t first = (uint32_t)__builtin_ctz(rest) & ~3u;

        passed |= test_pixels(g, t, group, first / 4, rest >> first & 15, z, status)
                  << first;
        rest &= ~(15u << first);
    }
    count_tests(g, &before);
    count_settled(g, &before, igpu_count_bits(mask), passed);
    g->counters.samples_passed += igpu_count_bits(passed);
    return passed;
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

/* Do so many depths from `at` on lie in the note's range? Floats are enough: they hold
 * 24 bits. */
static bool are_within(const struct gfx_surface *s, const uint8_t *at, uint32_t count,
                       const struct gfx_note *note)
{
    const bool floats = s->format->type == TEX_FLOAT;
    const depths4 least = {note->least, note->least, note->least, note->least};
    const depths4 most = {note->most, note->most, note->most, note->most};
    flags4 within = {-1, -1, -1, -1};
    uint32_t i = 0;

    for (; i + 4 <= count && s->format->bytes == 4; i += 4) {
        flags4 word;
        depths4 z;

        memcpy(&word, at + i * 4, sizeof(word));
        memcpy(&z, at + i * 4, sizeof(z));
        if (!floats)
            z = __builtin_convertvector(word & DEPTH_24, depths4);
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

bool gfx_depth_is_within(struct gfx *g, const struct gfx_notes *n, uint32_t x,
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
