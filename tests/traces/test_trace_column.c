/* test_trace_column.c - columns of numbers: every kind comes back, repeats cost
 * nothing, and no bytes at all can make the decoder leave its arrays. */
#include "tests/traces/test_trace_util.h"
#include "traces/format/trace_column.h"

enum { N = TRACE_COLUMN_MAX, FUZZ = 20000 };

struct tools {
    struct trace_column_work *work, *other[2]; /* as other hosts have it */
    uint64_t v[N], got[N];
};

static int make_tools(void **state)
{
    struct tools *t = calloc(1, sizeof(*t));

    assert_non_null(t);
    t->work = trace_column_work_new();
    setenv("IGPU_EMU_AVX2", "1", 1);
    t->other[0] = trace_column_work_new();
    setenv("IGPU_EMU_PORTABLE", "1", 1);
    t->other[1] = trace_column_work_new();
    assert_true(t->work != NULL && t->other[0] != NULL && t->other[1] != NULL);
    *state = t;
    return 0;
}

static int free_tools(void **state)
{
    struct tools *t = *state;

    trace_column_work_free(t->work);
    for (unsigned i = 0; i < 2; i++)
        trace_column_work_free(t->other[i]);
    free(t);
    return 0;
}

/* Each host writes the same bytes. */
static void same_elsewhere(struct tools *t, uint32_t n, enum trace_column_hint hint,
                           const struct trace_bytes *wanted)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trace_bytes out = {0};

        trace_column_encode(t->other[i], t->v, n, hint, &out);
        assert_int_equal(out.size, wanted->size);
        if (out.size > 0)
            assert_memory_equal(out.data, wanted->data, out.size);
        trace_bytes_free(&out);
    }
}

/* Encode v[n], decode, compare; the encoded size. */
static size_t there_and_back(struct tools *t, uint32_t n, enum trace_column_hint hint)
{
    struct trace_bytes out = {0};
    struct trace_view in;
    size_t size;

    trace_column_encode(t->work, t->v, n, hint, &out);
    assert_false(out.failed);
    same_elsewhere(t, n, hint, &out);
    size = out.size;
    in = trace_view_of(out.data, out.size);
    assert_true(trace_column_decode(&in, t->got, n));
    assert_ptr_equal(in.at, in.end);
    if (n > 0)
        assert_memory_equal(t->got, t->v, n * sizeof(t->v[0]));
    for (size_t cut = size > 40 ? size - 40 : 0; cut < size; cut++) {
        in = trace_view_of(out.data, cut);
        assert_false(trace_column_decode(&in, t->got, n));
    }
    trace_bytes_free(&out);
    return size;
}

static uint64_t random_value(struct rng *g, uint32_t style, uint32_t i, uint64_t before)
{
    switch (style) {
    case 0:
        return rng_next(g);
    case 1:
        return rng_next(g) & 1;
    case 2:
        return before + 64;
    case 3:
        return 0xffffffffffffff00u + 16u * i;
    case 4:
        return i % 13 * 8;
    case 5:
        return rng_below(g, 10) ? before : rng_next(g);
    case 6:
        return 0x7f0000000040u + (rng_next(g) & 0xfffc0);
    case 7:
        return (uint64_t)1 << rng_below(g, 64);
    default:
        return rng_below(g, 50) ? before + rng_below(g, 3) : rng_next(g) >> 20;
    }
}

static void test_every_kind_of_column_comes_back(void **state)
{
    struct tools *t = *state;
    struct rng g = {test_seed(31)};

    for (uint32_t round = 0; round < 1500; round++) {
        uint32_t n = rng_below(&g, round % 50 ? 200 : N + 1), style = round % 9;
        uint64_t before = rng_next(&g) >> rng_below(&g, 64);

        for (uint32_t i = 0; i < n; i++)
            before = t->v[i] = random_value(&g, style, i, before);
        for (int hint = TRACE_COLUMN_PLAIN; hint <= TRACE_COLUMN_DIFFER; hint++)
            there_and_back(t, n, (enum trace_column_hint)hint);
    }
    for (uint32_t i = 0; i < N; i++)
        t->v[i] = rng_next(&g);
    assert_true(there_and_back(t, N, TRACE_COLUMN_ANY) <= 8 * N + 32);
}

static void test_repeats_cost_the_same_whatever_their_length(void **state)
{
    struct tools *t = *state;
    struct rng g = {test_seed(32)};
    size_t size;

    for (uint32_t i = 0; i < N; i++)
        t->v[i] = 12345678;
    assert_true(there_and_back(t, N, TRACE_COLUMN_ANY) <= 5);
    for (uint32_t i = 0; i < N; i++)
        t->v[i] = 0x1000 + 64u * i;
    assert_true(there_and_back(t, N, TRACE_COLUMN_ANY) <= 16);
    for (uint32_t i = 0; i < N; i++) /* an inner loop of 100 turns: 1 .. 1 0 */
        t->v[i] = i % 100 != 99;
    assert_true(there_and_back(t, N, TRACE_COLUMN_PLAIN) <= 64);
    for (uint32_t i = 0; i < N; i++)
        t->v[i] = i < 1000 ? 64 * (rng_next(&g) & 0x3ff) : t->v[i - 1000];
    size = there_and_back(t, N, TRACE_COLUMN_ANY);
    printf("a lap of 1000 numbers of 10 bits, %d in all: %zu bytes\n", N, size);
    assert_true(size <= 1000 * 10 / 8 + 40);
}

static void test_bits_that_never_change_are_not_stored(void **state)
{
    struct tools *t = *state;
    struct rng g = {test_seed(33)};
    size_t size;

    for (uint32_t i = 0; i < 4096; i++)
        t->v[i] = 0x7f0000000040u + 64 * (rng_next(&g) & 0xfff);
    size = there_and_back(t, 4096, TRACE_COLUMN_ANY);
    printf("4096 lines of 4096: %zu bytes\n", size);
    assert_true(size <= 4096 * 12 / 8 + 24);
}

/* Any bytes: the decoder refuses them or fills exactly n numbers. */
static void test_wrong_bytes_stay_within_the_column(void **state)
{
    struct rng g = {test_seed(34)};
    uint32_t accepted = 0;

    (void)state;
    for (uint32_t i = 0; i < FUZZ; i++) {
        uint32_t n = 1 + rng_below(&g, 60), size = rng_below(&g, 60);
        uint8_t *bytes = malloc(size + 1u); /* exact sizes, for the sanitizer */
        uint64_t *v = malloc(n * sizeof(*v));
        struct trace_view in;

        assert_non_null(bytes);
        assert_non_null(v);
        for (uint32_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)(rng_below(&g, 3) ? rng_below(&g, 12) : rng_next(&g));
        if (size > 0)
            bytes[0] = (uint8_t)(rng_below(&g, 8) ? 4 + rng_below(&g, 4) : bytes[0]);
        bytes = realloc(bytes, size ? size : 1);
        in = trace_view_of(bytes, size);
        accepted += trace_column_decode(&in, v, n);
        free(bytes);
        free(v);
    }
    printf("%u of %d accepted\n", accepted, FUZZ);
    assert_true(accepted > 0 && accepted < FUZZ);
}

/* The same, where the first numbers are right: copies that are too long, or begin
 * before the column, or never end. */
static void test_wrong_copies_are_refused(void **state)
{
    static const struct {
        uint8_t bytes[12];
        bool good;
    } cases[] = {
        {{6, 1, 0, 14, 0, 1, 4, 1}, true},   /* one literal, copy of 4: n = 5 */
        {{6, 1, 0, 14, 0, 1, 5, 1}, false},  /* one too many */
        {{6, 1, 0, 14, 0, 1, 3, 1}, false},  /* one too few, then nothing */
        {{6, 1, 0, 14, 0, 1, 0, 1}, false},  /* empty */
        {{6, 1, 0, 14, 0, 1, 4, 0}, false},  /* of itself */
        {{6, 1, 0, 14, 0, 1, 4, 2}, false},  /* from before the beginning */
        {{6, 1, 0, 14, 0, 0, 4, 1}, false},  /* before the literal */
        {{6, 1, 0, 14, 0, 2, 4, 1}, false},  /* more literals than there are */
        {{6, 6, 0, 14, 0, 1, 4, 1}, false},  /* more literals than numbers */
        {{6, 1, 64, 14, 0, 1, 4, 1}, false}, /* shift of 64 */
        {{6, 1, 0, 14, 65, 1, 4, 1}, false}, /* width of 65 */
        {{3, 1, 0, 14, 0, 1, 4, 1}, false},  /* no such form */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t v[5];
        struct trace_view in = trace_view_of(cases[i].bytes, 8);

        assert_int_equal(trace_column_decode(&in, v, 5), cases[i].good);
        for (int k = 0; cases[i].good && k < 5; k++)
            assert_int_equal(v[k], 7);
    }
}

/* CRC-32C of "123456789" is a published check value. */
static void test_the_checksum_is_crc32c(void **state)
{
    struct trace_crc crc;

    (void)state;
    trace_crc_init(&crc);
    assert_int_equal(trace_crc_add(&crc, 0, "123456789", 9), 0xe3069283);
    assert_int_equal(trace_crc_add(&crc, trace_crc_add(&crc, 0, "1234", 4), "56789", 5),
                     0xe3069283);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_column_comes_back),
        cmocka_unit_test(test_repeats_cost_the_same_whatever_their_length),
        cmocka_unit_test(test_bits_that_never_change_are_not_stored),
        cmocka_unit_test(test_wrong_bytes_stay_within_the_column),
        cmocka_unit_test(test_wrong_copies_are_refused),
        cmocka_unit_test(test_the_checksum_is_crc32c),
    };

    return cmocka_run_group_tests(tests, make_tools, free_tools);
}
