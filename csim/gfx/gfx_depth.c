/* gfx_depth.c - depth and stencil tests of pixels, and their buffers. */
#include "gfx_int.h"

static bool compare(uint32_t function, double a, double b)
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

/* The side's functions and operations, masks and reference. */
struct stencil {
    uint32_t function, fail, depth_fail, pass, test_mask, write_mask, reference;
};

static struct stencil stencil_of(const struct gfx *g, bool front)
{
    uint32_t p = gfx_get(g, GFX_STENCIL_FRONT), masks = gfx_get(g, GFX_STENCIL_MASKS);
    uint32_t references = gfx_get(g, GFX_STENCIL_REFERENCES);

    if (front || !gfx_get(g, GFX_STENCIL_TWO_SIDES))
        return (struct stencil){p >> 8 & 7,           p >> 29,     p >> 26 & 7,
                                p >> 23 & 7,          masks >> 24, masks >> 16 & 255,
                                references >> 8 & 255};
    return (struct stencil){p >> 20 & 7,      p >> 17 & 7, p >> 14 & 7,     p >> 11 & 7,
                            masks >> 8 & 255, masks & 255, references & 255};
}

/* Depth as the buffer holds it: an integer, or a float's value. */
static double quantize(const struct gfx_surface *s, double z)
{
    double most = s->format->bytes == 2 ? 65535.0 : 16777215.0;

    if (s->format->type == GFX_FLOAT)
        return (double)(float)z;
    return !(z > 0) ? 0 : z >= 1 ? most : floor(z * most + 0.5);
}

static double load(const struct gfx_surface *s, const uint8_t *at)
{
    uint32_t word = 0;

    memcpy(&word, at, s->format->bytes);
    if (s->format->type == GFX_FLOAT)
        return (double)gfx_float(word);
    return s->format->bytes == 2 ? word : word & 0xFFFFFF;
}

static void save(const struct gfx_surface *s, double z, uint8_t *at)
{
    uint32_t word = (uint32_t)z;
    float f = (float)z;

    if (s->format->type == GFX_FLOAT)
        memcpy(at, &f, sizeof(f));
    else
        memcpy(at, &word, s->format->bytes == 2 ? 2 : 3);
}

/* Operations: zero and replace do not look at what is there. */
enum { KEEP, REPLACE = 2 };

static bool function_reads(uint32_t function)
{
    return function > 1; /* neither always nor never */
}

static bool stencil_reads(const struct stencil *s, bool write)
{
    return function_reads(s->function) ||
           (write && (s->fail > REPLACE || s->depth_fail > REPLACE ||
                      s->pass > REPLACE || s->write_mask != 255));
}

void gfx_store_depth(const struct gfx_surface *s, double z, uint8_t *at)
{
    save(s, quantize(s, z), at);
}

struct tests {
    struct gfx_level depth_level, stencil_level;
    uint32_t function; /* of depth */
    bool depth_test, depth_write, stencil_write;
    struct stencil s;
    float low, high;                     /* of depth */
    bool depth_read, stencil_read;       /* what is there matters */
    bool depth_written, stencil_written; /* by the last pixel */
};

static bool one_pixel(struct gfx *g, struct tests *t, double z, uint8_t *depth,
                      uint8_t *stencil)
{
    uint32_t value = stencil != NULL ? *stencil : 0, op;
    bool pass = true, depth_pass = true;
    double now = 0;

    if (stencil != NULL) {
        pass = compare(t->s.function, t->s.reference & t->s.test_mask,
                       value & t->s.test_mask);
        g->counters.stencil_tested++;
        g->counters.stencil_passed += pass;
    }
    if (depth != NULL)
        now = quantize(&g->d.depth, fmin(fmax(z, t->low), t->high));
    if (depth != NULL && pass && t->depth_test) {
        depth_pass = compare(t->function, now, load(&g->d.depth, depth));
        g->counters.depth_tested++;
        g->counters.depth_passed += depth_pass;
    }
    op = !pass ? t->s.fail : !depth_pass ? t->s.depth_fail : t->s.pass;
    g->counters.stencil_written += stencil != NULL && t->stencil_write;
    t->stencil_written = stencil != NULL && t->stencil_write && op != KEEP;
    if (stencil != NULL && t->stencil_write)
        *stencil =
            (uint8_t)((value & ~t->s.write_mask) |
                      (stencil_operation(op, value, t->s.reference) & t->s.write_mask));
    t->depth_written = depth != NULL && pass && depth_pass && t->depth_write;
    if (t->depth_written) {
        save(&g->d.depth, now, depth);
        g->counters.depth_written++;
    }
    return pass && depth_pass;
}

static enum igpu_status find_tests(struct gfx *g, bool front, struct tests *t)
{
    float range[2] = {0, 1};
    enum igpu_status status = IGPU_OK;

    if (gfx_get(g, GFX_VIEWPORT_TRANSFORM))
        status = gfx_read(
            g, g->c->dynamic_base + (g->c->state[0x23][1] & ~31u) + 8 * g->d.viewport,
            range, sizeof(range));
    *t = (struct tests){.function = gfx_get(g, GFX_DEPTH_FUNCTION),
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
    return status;
}

/* By when they were made. */
static void count_tests(struct gfx *g, const struct gfx_counters *before)
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

/* NULL: outside of the batch's memory. */
static uint8_t *place(struct gfx *g, const struct gfx_surface *s,
                      const struct gfx_level *level, uint32_t x, uint32_t y,
                      uint64_t *va)
{
    if (g->d.ms.count > 1)
        gfx_interleave(g->d.ms.count, g->d.ms.sample, &x, &y);
    *va = s->va + gfx_offset_in(s, level, x, y);
    return gfx_host(g, *va, s->format->bytes);
}

uint32_t gfx_depth_stencil(struct gfx *g, const struct gfx_group *group, uint32_t mask,
                           const double *z, bool front, enum igpu_status *status)
{
    uint32_t passed = 0;
    struct tests t = {false};
    const struct gfx_counters before = {.depth_tested = g->counters.depth_tested,
                                        .depth_passed = g->counters.depth_passed,
                                        .stencil_tested = g->counters.stencil_tested,
                                        .stencil_passed = g->counters.stencil_passed};

    if (!g->d.depth_on && !g->d.stencil_on) {
        g->counters.samples_passed += (uint32_t)__builtin_popcount(mask);
        return mask;
    }
    *status = find_tests(g, front, &t);
    for (uint32_t rest = mask; rest != 0 && *status == IGPU_OK; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint32_t x = (uint32_t)group->x[i / 4] + (i & 1);
        uint32_t y = (uint32_t)group->y[i / 4] + (i >> 1 & 1);
        uint8_t *depth = NULL, *stencil = NULL;
        uint64_t depth_va = 0, stencil_va = 0;

        if (g->d.depth_on)
            depth = place(g, &g->d.depth, &t.depth_level, x, y, &depth_va);
        if (g->d.stencil_on)
            stencil = place(g, &g->d.stencil, &t.stencil_level, x, y, &stencil_va);
        if ((g->d.depth_on && depth == NULL) || (g->d.stencil_on && stencil == NULL))
            *status = gfx_refuse(g,
                                 "pixel %u, %u lies outside the depth or stencil "
                                 "buffer",
                                 x, y);
        if (g->d.references != NULL)
            t.s.reference = g->d.references[i];
        if (*status == IGPU_OK && ((depth == NULL && stencil == NULL) ||
                                   one_pixel(g, &t, z[i], depth, stencil)))
            passed |= 1u << i;
        if ((depth != NULL &&
             !gfx_touch_depth(g, depth_va, t.depth_read, t.depth_written)) ||
            (stencil != NULL &&
             !gfx_touch_depth(g, stencil_va, t.stencil_read, t.stencil_written)))
            *status = gfx_refuse(g, "memory is short for lines of depth");
    }
    count_tests(g, &before);
    g->counters.samples_passed += (uint32_t)__builtin_popcount(passed);
    return passed;
}
