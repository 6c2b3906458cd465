/* test_trace_access.c - segments of accesses: what was encoded is decoded; accesses
 * with the shape of the one before cost next to nothing; and nothing that is not well
 * formed is read. */
#include "tests/traces/test_trace_util.h"
#include "traces/format/trace_segment.h"

enum { ROUNDS = 300, INSTS = 64 };

struct tools {
    struct trace_segment_work *work;
    struct trace_access_list list;
    uint64_t base[TRACE_ACCESS_MAX], stride[TRACE_ACCESS_MAX],
        differ[TRACE_DIFFER_MAX + 32];
    uint32_t inst[TRACE_ACCESS_MAX], mask[TRACE_ACCESS_MAX];
    uint8_t kind[TRACE_ACCESS_MAX];
    struct trace_bytes out;
};

static int make_tools(void **state)
{
    struct tools *t = calloc(1, sizeof(*t));

    assert_non_null(t);
    t->work = trace_segment_work_new();
    assert_non_null(t->work);
    t->list = (struct trace_access_list){.base = t->base,
                                         .stride = t->stride,
                                         .differ = t->differ,
                                         .inst = t->inst,
                                         .mask = t->mask,
                                         .kind = t->kind};
    *state = t;
    return 0;
}

static int free_tools(void **state)
{
    struct tools *t = *state;

    trace_segment_work_free(t->work);
    trace_bytes_free(&t->out);
    free(t);
    return 0;
}

static void clear(struct tools *t)
{
    t->list.n = t->list.nbase = t->list.nkind = t->list.nstride = t->list.ndiffer = 0;
    t->out.size = 0;
}

/* Add an access; differ[] has an entry for each lane behind the first, NULL: affine. */
static void add(struct tools *t, uint32_t inst, uint32_t mask, uint64_t base,
                const uint64_t *differ)
{
    struct trace_access_list *l = &t->list;
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);

    l->inst[l->n] = inst;
    l->mask[l->n++] = mask;
    if (lanes > 0)
        l->base[l->nbase++] = base;
    if (lanes < 2)
        return;
    l->kind[l->nkind++] = differ == NULL ? TRACE_KIND_AFFINE : TRACE_KIND_IRREGULAR;
    if (differ == NULL)
        l->stride[l->nstride++] = base % 1000;
    for (uint32_t i = 0; differ != NULL && i + 1 < lanes; i++)
        l->differ[l->ndiffer++] = differ[i];
}

/* The decoded list says what the encoded one did; returns how many are as before. */
static uint32_t compare(const struct tools *t, const struct trace_access_list *got)
{
    uint32_t kind = 0, differ = 0, from = 0, read = 0, repeats = 0;

    assert_int_equal(got->n, t->list.n);
    assert_int_equal(got->nbase, t->list.nbase);
    assert_int_equal(got->nstride, t->list.nstride);
    assert_memory_equal(got->inst, t->inst, got->n * sizeof(t->inst[0]));
    assert_memory_equal(got->mask, t->mask, got->n * sizeof(t->mask[0]));
    assert_memory_equal(got->base, t->base, got->nbase * sizeof(t->base[0]));
    assert_memory_equal(got->stride, t->stride, got->nstride * sizeof(t->stride[0]));
    for (uint32_t i = 0; i < got->n; i++) {
        uint32_t more = (uint32_t)__builtin_popcount(got->mask[i]);

        if (more < 2)
            continue;
        if (t->kind[kind] == TRACE_KIND_AFFINE) {
            assert_int_equal(got->kind[kind++], TRACE_KIND_AFFINE);
            continue;
        }
        if (got->kind[kind] == TRACE_KIND_IRREGULAR) {
            from = read;
            read += more - 1;
        } else {
            assert_int_equal(got->kind[kind], TRACE_KIND_AS_BEFORE);
            repeats++;
        }
        assert_memory_equal(got->differ + from, t->differ + differ,
                            (more - 1) * sizeof(t->differ[0]));
        differ += more - 1;
        kind++;
    }
    assert_int_equal(read, got->ndiffer);
    return repeats;
}

static uint32_t there_and_back(struct tools *t)
{
    struct trace_access_list got;
    struct trace_view in;
    bool short_memory;
    uint32_t repeats;

    t->out.size = 0;
    trace_access_encode(t->work, &t->list, t->list.n, &t->out);
    assert_false(t->out.failed);
    in = trace_view_of(t->out.data, t->out.size);
    assert_true(trace_access_decode(t->work, &in, INSTS, &got, &short_memory));
    assert_ptr_equal(in.at, in.end);
    repeats = compare(t, &got);
    free(got.base);
    return repeats;
}

static void random_list(struct tools *t, struct rng *g)
{
    static const uint32_t masks[] = {0xffff, 0xffff, 0xffff, 0x00ff,
                                     0x8421, 1,      0x80,   0};
    uint32_t n = 1 + rng_below(g, 200), sends = 1 + rng_below(g, 6);
    uint64_t shape[32] = {0};

    clear(t);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mask = masks[rng_below(g, 8)];
        uint64_t base = 0x7f0000000000u + 4u * rng_below(g, 1u << 20);

        if (rng_below(g, 3) == 0)
            for (uint32_t l = 0; l < 32; l++)
                shape[l] = rng_next(g) >> (40 + rng_below(g, 20));
        add(t, rng_below(g, sends), mask, base, rng_below(g, 4) ? shape : NULL);
    }
}

static void test_random_segments_come_back(void **state)
{
    struct tools *t = *state;
    struct rng g = {test_seed(11)};
    uint32_t repeats = 0;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        random_list(t, &g);
        repeats += there_and_back(t);
    }
    assert_true(repeats > ROUNDS);
}

/* Two arrays read at the same random places: the second read is nearly free. */
static void test_a_shape_is_stored_once(void **state)
{
    struct tools *t = *state;
    struct rng g = {test_seed(12)};
    uint64_t shape[15];
    size_t once = 0;

    for (unsigned arrays = 1; arrays <= 2; arrays++) {
        clear(t);
        for (uint32_t i = 0; i < 200; i++) {
            uint64_t base = 0x100000000u + 4u * rng_below(&g, 1u << 16);

            for (uint32_t l = 0; l < 15; l++)
                shape[l] = (uint64_t)4 * rng_below(&g, 1u << 16) - (1u << 17);
            for (uint32_t a = 0; a < arrays; a++)
                add(t, 3 + a, 0xffff, base + ((uint64_t)a << 20), shape);
        }
        assert_int_equal(there_and_back(t), arrays == 1 ? 0 : 200);
        if (arrays == 1)
            once = t->out.size;
    }
    assert_true(t->out.size < once + once / 5);
}

/* Version 1.1's bytes, as the text in igpu_trace.proto reads: two accesses of lanes 0,
 * 1 and 3, 16 bytes apart, the second as the first. */
static const uint8_t written[] = {
    2, 1,                    /* accesses, sends */
    0, 10,                   /* instruction indices: constant 5 */
    0, 22,                   /* masks: constant 11 */
    4, 0,   2,  129, 0,  1,  /* kinds: base 1, a plane of 1 bit: 1, 2 */
    0,                       /* mode: path order */
    5, 128, 64, 0,   32, 0,  /* bases: 0x1000, one difference of 16 */
    4, 5,   8,  130, 0,  3}; /* differences: 4, 4 + (3 << 5) */

static void test_bytes_of_version_1_1(void **state)
{
    struct tools *t = *state;
    const uint64_t shape[2] = {4, 100};
    struct trace_view in = trace_view_of(written, sizeof(written));
    struct trace_access_list got;
    bool short_memory;

    clear(t);
    add(t, 5, 11, 0x1000, shape);
    add(t, 5, 11, 0x1010, shape);
    assert_true(trace_access_decode(t->work, &in, INSTS, &got, &short_memory));
    assert_int_equal(compare(t, &got), 1);
    free(got.base);
    assert_int_equal(there_and_back(t), 1);
}

/* Is a segment read that has one access of two lanes of this kind? */
static bool decodes(struct tools *t, uint8_t kind, unsigned others)
{
    const uint32_t constant[] = {5, 3, kind}; /* send, mask, kind */
    struct trace_access_list got;
    struct trace_view in;
    bool short_memory, good;

    t->out.size = 0;
    trace_bytes_varint(&t->out, 1);
    trace_bytes_varint(&t->out, 1);
    for (unsigned i = 0; i < 3; i++) {
        trace_bytes_u8(&t->out, 0);
        trace_bytes_varint(&t->out, 2 * constant[i]);
    }
    trace_bytes_u8(&t->out, 0); /* mode */
    trace_bytes_u8(&t->out, 0); /* bases */
    trace_bytes_varint(&t->out, 128);
    for (unsigned i = 0; i < others; i++) { /* strides or differences */
        trace_bytes_u8(&t->out, 0);
        trace_bytes_varint(&t->out, 8);
    }
    in = trace_view_of(t->out.data, t->out.size);
    good = trace_access_decode(t->work, &in, INSTS, &got, &short_memory);
    if (good)
        free(got.base);
    return good && in.at == in.end;
}

static void test_a_repeat_needs_something_to_repeat(void **state)
{
    struct tools *t = *state;

    assert_true(decodes(t, TRACE_KIND_AFFINE, 1));
    assert_true(decodes(t, TRACE_KIND_IRREGULAR, 1));
    assert_false(decodes(t, TRACE_KIND_AS_BEFORE, 0));
    assert_false(decodes(t, TRACE_KIND_AS_BEFORE, 1));
    assert_false(decodes(t, 3, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_segments_come_back, make_tools,
                                        free_tools),
        cmocka_unit_test_setup_teardown(test_a_shape_is_stored_once, make_tools,
                                        free_tools),
        cmocka_unit_test_setup_teardown(test_bytes_of_version_1_1, make_tools,
                                        free_tools),
        cmocka_unit_test_setup_teardown(test_a_repeat_needs_something_to_repeat,
                                        make_tools, free_tools),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
