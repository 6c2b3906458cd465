/* test_gfx_flat.c - the sampler's short ways for textures of two dimensions, one lane
 * and all lanes at once, against its general one: random surfaces, states and
 * coordinates must give the same bits (but which NaN it is) and the same counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csim/gfx/gfx_plain.h"
#include "tests/support/rng.h"

#define BASE ((uint64_t)1 << 32)
enum { BYTES = (1 << 20) - 20, CALLS = 40000 }; /* the last line is not whole */

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
    return lcg_below(&state, below);
}

static float between(float low, float high)
{
    return low + (high - low) * ((float)any(1 << 24) / (float)(1 << 24));
}

/* ---- random things ------------------------------------------------------ */

static const struct tex_format *any_format(void)
{
    static const uint16_t frequent[] = {0xC7, 0xC0, 0xE9, 0xC8, 0xC1};
    const struct tex_format *f = NULL;

    if (any(2) == 0)
        f = tex_format(frequent[any(5)]);
    while (f == NULL || f->block)
        f = tex_format(any(0x200));
    return f;
}

static struct gfx_surface any_surface(void)
{
    static const uint8_t tilings[] = {GFX_LINEAR, GFX_TILE_X, GFX_TILE_Y, GFX_TILE_Y};
    struct gfx_surface s = {.format = any_format(),
                            .type = any(4) == 0 ? GFX_CUBE : GFX_2D,
                            .tiling = tilings[any(4)],
                            .width = 1 + any(60),
                            .height = 1 + any(60),
                            .depth = 1 + any(3),
                            .levels = 1 + any(5),
                            .halign = 4,
                            .valign = 4,
                            .first_layer = any(2),
                            .min_lod = any(4) == 0,
                            .va = BASE + 4096 * (uint64_t)any(8),
                            .select = {4, 5, 6, 7}};

    if (s.type == GFX_CUBE)
        s.height = s.width;
    s.array = s.depth > 1;
    s.pitch = 128 * s.format->bytes;
    s.pitch += s.pitch % 512 != 0 && s.tiling == GFX_TILE_X ? 512 - s.pitch % 512 : 0;
    s.qpitch = (s.height + 3) / 4 * 12;
    s.x_offset = 4 * any(2);
    s.y_offset = 4 * any(2);
    if (any(16) == 0) /* some of it is not there */
        s.va = BASE + (1 << 20) - 8192;
    return s;
}

static float any_coordinate(uint32_t size)
{
    static const float odd[] = {0,        -0.0f,     1,   -1,     0.5f,  1e30f, 1e-30f,
                                INFINITY, -INFINITY, NAN, 63.99f, 64.1f, -3e6f};

    switch (any(8)) {
    case 0:
        return odd[any(sizeof(odd) / sizeof(odd[0]))];
    case 1: /* on texels' edges and centres */
        return (float)any(4 * size + 1) / (float)(2 * size) - 0.5f;
    default:
        return between(-1.5f, 2.5f);
    }
}

static struct gfx_call any_call(const struct gfx_surface *s)
{
    static const uint8_t mips[] = {MIP_NONE, 1, MIP_LINEAR};
    struct gfx_call c = {.s = s,
                         .lanes = any(2) ? 16 : 8,
                         .mask = any(1 << 16),
                         .type = GFX_SAMPLE,
                         .dims = 2,
                         .share = 1,
                         .sampler = {.min_filter = any(3),
                                     .mag_filter = any(2),
                                     .mip = mips[any(3)],
                                     .compare = any(8),
                                     .bias = any(2) ? between(-1, 1) : 0,
                                     .min_lod = any(2) ? 0 : between(0, 2),
                                     .max_lod = between(0, 14),
                                     .seamless = any(2),
                                     .unnormalized = any(8) == 0},
                         .compares = any(16) == 0};

    for (uint32_t d = 0; d < 3; d++) {
        c.sampler.wrap[d] = any(7);
        c.offset[d] = any(4) == 0 ? (int32_t)any(16) - 8 : 0;
    }
    for (uint32_t k = 0; k < 4; k++)
        c.border[k] = any(UINT32_MAX);
    for (uint32_t i = 0; i < GFX_LANES; i++) {
        bool other = any(4) == 0; /* than its neighbour */

        for (uint32_t d = 0; d < 2; d++) {
            c.u[d][i] = any_coordinate(d == 0 ? s->width : s->height);
            c.u[d][i] *= c.sampler.unnormalized ? (float)s->width : 1;
            c.way[d][i] = between(-0.2f, 0.2f);
        }
        c.lod[i] = i > 0 && !other ? c.lod[i - 1] : between(-3, 6);
        c.layer[i] = i > 0 && !other ? c.layer[i - 1] : any(s->depth);
        c.face[i] = s->type == GFX_CUBE ? any(6) : 0;
        c.probes[i] = c.sampler.min_filter == FILTER_ANISOTROPIC ? any(6) : 1;
        c.ref[i] = between(0, 1);
    }
    return c;
}

/* ---- both ways ---------------------------------------------------------- */

/* Which way; from LANES on all lanes at once, as far as that goes. */
enum way { GENERAL, FLAT, LANES, LANES_AVX2, BYTES_AVX2, BYTES_AVX512, WAYS };

#if defined(__x86_64__)
static bool bytes(struct gfx *g, struct gfx_call *c, gfx_bytes_fn *run)
{
    struct gfx_plain p;

    gfx_plan(g, c->s, &c->sampler, &p);
    return p.on && run(g, &p, c);
}
#endif

static bool all_at_once(struct gfx *g, struct gfx_call *c, enum way way)
{
#if defined(__x86_64__)
    if (way == LANES_AVX2 && emu_has_avx2())
        return gfx_sample_lanes_avx2(g, c);
    if (way == BYTES_AVX2)
        return emu_has_avx2() && bytes(g, c, gfx_sample_bytes_avx2);
    if (way == BYTES_AVX512)
        return emu_has_avx512() && bytes(g, c, gfx_sample_bytes_avx512);
#endif
    return way >= LANES && gfx_sample_lanes_any(g, c);
}

/* The lane behind the last one that was sampled. */
static uint32_t sample(struct gfx *g, struct gfx_call *c, enum way way, uint64_t *whole)
{
    uint32_t i = 0;

    memset(&g->counters, 0, sizeof(g->counters));
    memset(&c->flat, 0, sizeof(c->flat));
    g->cache.stamp++;
    if (way != GENERAL)
        gfx_flat_begin(c);
    if (all_at_once(g, c, way)) {
        i = c->lanes;
        ++*whole;
    }
    while (i < c->lanes && (!(c->mask >> i & 1) || gfx_sample_lane(g, c, i)))
        i++;
    if (way != GENERAL)
        gfx_flat_end(g, c);
    return i;
}

static bool same(uint32_t a, uint32_t b)
{
    const uint32_t infinite = 0x7F800000, size = 0x7FFFFFFF;

    return a == b || ((a & size) > infinite && (b & size) > infinite);
}

static void compare(const struct gfx_call *a, const struct gfx_call *b, uint32_t lanes,
                    uint32_t call)
{
    for (uint32_t i = 0; i < lanes; i++)
        for (uint32_t k = 0; k < 4 && (a->mask >> i & 1); k++)
            if (!same(a->rgba[k][i], b->rgba[k][i]))
                fail_msg("call %u, format 0x%X, lane %u, channel %u: 0x%08X, the "
                         "general way 0x%08X",
                         call, a->s->format->number, i, k, a->rgba[k][i],
                         b->rgba[k][i]);
}

/* The centre of the texel that has the coordinate, of the largest level. */
static float centre_of(const struct gfx_call *c, float u, uint32_t size)
{
    float texels = c->sampler.unnormalized ? 1 : (float)size;

    return (floorf(u * texels) + 0.5f) / texels;
}

/* Lanes that sample side by side, of textures that all lanes at once know; some have no
 * weight along u or v. */
static void make_calm(struct gfx_call *c, struct gfx_surface *s)
{
    static const uint16_t bytes[] = {0xC7, 0xC8, 0xC0, 0xE9};
    float step = between(0.2f, 3) / (float)s->width, u[2];
    uint32_t centred = any(3) == 0 ? any(4) : 0;

    if (any(2) == 0) { /* gfx_bytes.c's */
        s->type = GFX_2D;
        s->array = false;
        memset(c->face, 0, sizeof(c->face));
        memset(c->layer, 0, sizeof(c->layer));
    }
    s->pitch = 512;
    for (uint32_t d = 0; d < 2; d++)
        if (s->type == GFX_2D && any(2) == 0)
            *(d == 0 ? &s->width : &s->height) = 1u << any(6);
    s->qpitch = (s->height + 3) / 4 * 12;
    s->format = tex_format(bytes[any(4)]);
    c->sampler.min_filter = c->sampler.mag_filter = any(8) != 0;
    c->compares = false;
    for (uint32_t d = 0; d < 2; d++) {
        u[d] = between(-1.5f, 2.5f);
        c->sampler.wrap[d] = any(4) != 0 ? any(2) * TEX_CLAMP : c->sampler.wrap[d];
    }
    for (uint32_t i = 0; i < GFX_LANES; i++) {
        c->u[0][i] = u[0] + step * (float)(i / 4 * 2 + i % 2);
        c->u[1][i] = u[1] + step * (float)(i / 2 % 2);
        for (uint32_t d = 0; d < 2; d++)
            if (centred >> d & 1)
                c->u[d][i] = centre_of(c, c->u[d][i], d == 0 ? s->width : s->height);
        c->probes[i] = 1;
    }
}

static struct gfx *with_memory(uint8_t *host)
{
    const struct gfx_buffer buffer = {BASE, BYTES, host};
    struct gfx *g = gfx_new();

    assert_non_null(g);
    for (uint32_t i = 0; i < BYTES; i++)
        host[i] = (uint8_t)any(256);
    assert_int_equal(gfx_map(g, &buffer, 1, NULL), IGPU_OK);
    return g;
}

static void both_ways_give_the_same(void **unused)
{
    uint8_t *host = malloc(BYTES);
    uint64_t taken = 0, general = 0, faults = 0, outside = 0, whole[WAYS] = {0};
    struct gfx *g;

    (void)unused;
    assert_non_null(host);
    g = with_memory(host);
    for (uint32_t call = 0; call < CALLS; call++) {
        struct gfx_surface s = any_surface();
        struct gfx_call a = any_call(&s), b;
        struct gfx_counters counted;
        uint32_t lanes;

        if (any(2) == 0)
            make_calm(&a, &s);
        b = a;
        lanes = sample(g, &b, GENERAL, &whole[GENERAL]);
        counted = g->counters;
        for (uint32_t way = FLAT; way < WAYS; way++) {
            struct gfx_call way_call = a;

            assert_int_equal(sample(g, &way_call, way, &whole[way]), lanes);
            compare(&way_call, &b, lanes, call);
            if (memcmp(&counted, &g->counters, sizeof(counted)) != 0)
                fail_msg("call %u, way %u: other counts", call, way);
            taken += way == FLAT ? way_call.flat.texels : 0;
            outside += way == FLAT ? way_call.flat.outside : 0;
        }
        general += counted.texels;
        faults += lanes < a.lanes;
    }
    print_message("%llu calls of all lanes at once, %llu of 8 bits\n",
                  (unsigned long long)whole[LANES],
                  (unsigned long long)whole[BYTES_AVX2]);
    print_message("%llu of %llu texels, %llu borders, %llu faults\n",
                  (unsigned long long)taken, (unsigned long long)general,
                  (unsigned long long)outside, (unsigned long long)faults);
    assert_true(taken > general / 2 && taken < general);
    assert_true(outside > 1000 && faults > 100);
    assert_true(whole[LANES] > CALLS / 8 && whole[LANES] == whole[LANES_AVX2]);
    assert_true(!emu_has_avx2() || whole[BYTES_AVX2] > CALLS / 20);
    assert_true(!emu_has_avx512() || whole[BYTES_AVX512] == whole[BYTES_AVX2]);
    gfx_free(g);
    free(host);
}

#if defined(__x86_64__)
/* A pixel shader's message, from registers to registers, is what the levels of its
 * blocks and the same filter give. False: neither takes it. */
static bool by_registers(struct gfx *g, struct gfx_call *c, gfx_plain_fn *plain,
                         gfx_bytes_fn *by_call, gfx_lods_fn *lods)
{
    enum { CHANNELS = 4, FILL = 0x5A };
    const float *const u[2] = {c->u[0], c->u[1]};
    uint32_t grf[CHANNELS * GFX_LANES], channels = 1 + any(CHANNELS);
    const struct gfx_plain_message m = {.s = c->s,
                                        .t = &c->sampler,
                                        .u = {c->u[0], c->u[1]},
                                        .level = any(2) ? c->ref : NULL,
                                        .blocks = any(2),
                                        .sign = c->sampler.mip == MIP_NONE &&
                                                c->sampler.bias == 0 && any(2),
                                        .lanes = c->lanes,
                                        .mask = c->mask,
                                        .channels = channels,
                                        .to = (uint8_t *)grf};
    struct gfx_counters counted;
    struct gfx_plain p;
    bool done;

    gfx_plan(g, c->s, &c->sampler, &p);
    if (!p.on)
        return false;
    memset(c->lod, 0, sizeof(c->lod));
    if (m.blocks)
        lods(&p, u, m.sign, c->lod);
    for (uint32_t i = 0; i < GFX_LANES && m.level != NULL; i++)
        c->lod[i] += m.level[i];
    memset(&g->counters, 0, sizeof(g->counters));
    g->cache.stamp++;
    done = by_call(g, &p, c);
    counted = g->counters;
    memset(&g->counters, 0, sizeof(g->counters));
    memset(grf, FILL, sizeof(grf));
    g->cache.stamp++;
    assert_int_equal(plain(g, &p, &m), done);
    assert_memory_equal(&counted, &g->counters, sizeof(counted));
    for (uint32_t k = 0; k < CHANNELS && done; k++)
        for (uint32_t i = 0; i < c->lanes; i++) {
            const uint32_t select = c->s->select[k];
            uint32_t value = select == 0 ? 0 : GFX_FLOAT_ONE;

            value = select >= 4 ? c->rgba[select - 4][i] : value;
            if (k >= channels || !(c->mask >> i & 1))
                memset(&value, FILL, sizeof(value));
            assert_int_equal(grf[k * c->lanes + i], value);
        }
    return done;
}

static void messages_are_answered_from_registers_to_registers(void **unused)
{
    uint8_t *host = malloc(BYTES);
    uint32_t done = 0;
    struct gfx *g;

    (void)unused;
    assert_non_null(host);
    g = with_memory(host);
    for (uint32_t call = 0; call < CALLS && emu_has_avx2(); call++) {
        struct gfx_surface s = any_surface();
        struct gfx_call c = any_call(&s);

        make_calm(&c, &s);
        memset(c.offset, 0, sizeof(c.offset));
        c.mask = (1u << c.lanes) - 1;
        c.mask = any(2) ? c.mask : 1 + any(c.mask);
        for (uint32_t k = 0; k < 4; k++)
            s.select[k] = any(4) == 0 ? (uint8_t)any(2) : (uint8_t)(4 + any(4));
        done += by_registers(g, &c, gfx_sample_plain_avx2, gfx_sample_bytes_avx2,
                             gfx_find_block_lods_avx2);
        if (emu_has_avx512())
            (void)by_registers(g, &c, gfx_sample_plain_avx512, gfx_sample_bytes_avx512,
                               gfx_find_block_lods_avx512);
    }
    assert_true(!emu_has_avx2() || done > CALLS / 8);
    gfx_free(g);
    free(host);
}
#endif

/* As between the pixels of blocks. */
static void share_gradients(struct gfx_call *c)
{
    c->share = 4;
    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t i = 0; i < GFX_LANES; i++) {
            c->dx[d][i] = c->dx[d][i & ~3u];
            c->dy[d][i] = c->dy[d][i & ~3u];
        }
}

static void levels_are_found_once_a_block_and_their_signs_without(void **unused)
{
    static const float near[] = {0.5f,           1, 2,   0x1.000002p0f,
                                 0x1.fffffep-1f, 0, NAN, INFINITY};

    (void)unused;
    for (uint32_t call = 0; call < CALLS; call++) {
        struct gfx_surface s = any_surface();
        struct gfx_call a = any_call(&s), b;

        a.sampler.min_filter = any(2);
        a.dims = 1 + any(3);
        for (uint32_t d = 0; d < 3; d++)
            for (uint32_t i = 0; i < GFX_LANES; i++) {
                float scale = a.sampler.unnormalized ? 1 : 1.0f / (float)s.width;

                a.dx[d][i] = scale * (any(2) ? near[any(8)] : between(-2, 2));
                a.dy[d][i] = scale * (any(2) ? near[any(8)] : between(-2, 2));
            }
        if (any(2) == 0)
            share_gradients(&a);
        b = a;
        b.share = 1;
        gfx_find_lod(&a);
        gfx_find_lod(&b);
        assert_memory_equal(a.lod, b.lod, a.lanes * sizeof(a.lod[0]));
        gfx_find_lod_sign(&b);
        for (uint32_t i = 0; i < a.lanes; i++)
            assert_int_equal(a.lod[i] > 0, b.lod[i] > 0);
    }
}

#if defined(__x86_64__)
static void check_lods(const struct gfx_call *c, bool sign, gfx_lods_fn *find)
{
    const float *const u[2] = {c->u[0], c->u[1]};
    struct gfx_plain p = {.on = true};
    float lod[GFX_LANES];

    for (uint32_t d = 0; d < 2; d++)
        p.first[d] =
            c->sampler.unnormalized
                ? 1.0
                : gfx_minify(d == 0 ? c->s->width : c->s->height, c->s->min_lod);
    find(&p, u, sign, lod);
    for (uint32_t i = 0; i < GFX_LANES; i++)
        assert_true(same(tex_bits(lod[i]), tex_bits(c->lod[i])));
}
#endif

/* Sizes, scales and signs of gradients all over, and blocks that are like the one
 * before. */
static void blocks_have_the_levels_of_their_gradients(void **unused)
{
    (void)unused;
    for (uint32_t call = 0; call < CALLS; call++) {
        struct gfx_surface s = any_surface();
        struct gfx_call a = any_call(&s), b;
        float step = between(0, 4) / (float)s.width;

        a.lanes = GFX_LANES;
        a.dims = 2;
        a.share = 1;
        a.sampler.min_filter = any(2);
        for (uint32_t i = 0; i < GFX_LANES && any(2) == 0; i++) {
            a.u[0][i] = step * (float)(i / 4 * 2 + i % 2);
            a.u[1][i] = step * (float)(i / 2 % 2);
        }
        b = a;
        gfx_find_gradients(&a);
        gfx_find_lod(&a);
        gfx_find_block_lods(&b, false);
        for (uint32_t i = 0; i < GFX_LANES; i++)
            assert_true(same(tex_bits(a.lod[i]), tex_bits(b.lod[i])));
#if defined(__x86_64__)
        for (uint32_t sign = 0; sign < 2 && emu_has_avx2(); sign++) {
            gfx_find_block_lods(&a, sign);
            check_lods(&a, sign, gfx_find_block_lods_avx2);
            if (emu_has_avx512())
                check_lods(&a, sign, gfx_find_block_lods_avx512);
        }
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_give_the_same),
#if defined(__x86_64__)
        cmocka_unit_test(messages_are_answered_from_registers_to_registers),
#endif
        cmocka_unit_test(levels_are_found_once_a_block_and_their_signs_without),
        cmocka_unit_test(blocks_have_the_levels_of_their_gradients),
    };

    return cmocka_run_group_tests_name("gfx_flat", tests, NULL, NULL);
}
