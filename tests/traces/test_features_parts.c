/* test_features_parts.c - reuse distances, stacks of sets and SLM banks of
 * traces/features, against sequences worked out by hand. */
#include "tests/traces/test_trace_util.h"

#include "traces/features/feature_state.h"

static void a_distance_counts_other_keys(void **state)
{
    static const char keys[] = "abcabbda";
    static const uint64_t wanted[] = {REUSE_NEW, REUSE_NEW, REUSE_NEW, 2,
                                      2,         0,         REUSE_NEW, 2};
    struct reuse *r = reuse_new(64);
    struct reuse_note *note;

    (void)state;
    assert_non_null(r);
    for (unsigned i = 0; keys[i] != '\0'; i++)
        assert_int_equal(reuse_touch(r, (uint64_t)keys[i], &note), wanted[i]);
    assert_int_equal(reuse_rate(r), 0);
    reuse_free(r);
}

/* Longer than the places that it keeps: they are given anew. */
static void a_long_walk_keeps_its_distances(void **state)
{
    struct reuse *r = reuse_new(64);
    struct reuse_note *note;

    (void)state;
    for (unsigned i = 0; i < 5000; i++)
        assert_int_equal(reuse_touch(r, i % 50, &note), i < 50 ? REUSE_NEW : 49);
    reuse_free(r);
}

/* 4,096 lines with room for 1,024: a part of them is followed, and the distance of a
 * cyclic walk is still 4,095, within what such a sample gives. */
static void a_sample_estimates_distances(void **state)
{
    struct reuse *r = reuse_new(1024);
    struct reuse_note *note;
    double sum = 0, n = 0;

    (void)state;
    for (uint64_t i = 0; i < 3 * 4096; i++)
        if (reuse_in_sample(i % 4096, reuse_rate(r))) {
            uint64_t distance = reuse_touch(r, i % 4096, &note);

            if (i >= 2 * 4096 && distance != REUSE_NEW) {
                sum += (double)distance;
                n++;
            }
        }
    assert_true(reuse_rate(r) == 2 || reuse_rate(r) == 3);
    assert_true(n > 400);
    assert_true(sum / n > 0.85 * 4095 && sum / n < 1.15 * 4095);
    reuse_free(r);
}

static uint32_t next_random(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 8;
}

/* To the top of a list, what was above it one lower: how many those were, or `count`.
 */
static uint32_t to_top(uint64_t *list, uint32_t *count, uint64_t key)
{
    uint32_t at = 0, above;

    while (at < *count && list[at] != key)
        at++;
    above = at;
    *count += at == *count;
    memmove(list + 1, list, at * sizeof(*list));
    list[0] = key;
    return above;
}

/* Near and far ones, over more touches than there are places, against a list. */
static void distances_are_those_of_a_list(void **state)
{
    enum { KEYS = 1000, TOUCHES = 40000 };
    struct reuse *r = reuse_new(1024);
    uint64_t list[KEYS];
    uint32_t count = 0, x = 1;
    struct reuse_note *note;

    (void)state;
    for (uint32_t i = 0; i < TOUCHES; i++) {
        uint64_t key = next_random(&x) % (next_random(&x) % 3 == 0 ? KEYS : 20);
        uint32_t before = count, above = to_top(list, &count, key);

        assert_int_equal(reuse_touch(r, key, &note),
                         before == count ? above : REUSE_NEW);
    }
    assert_int_equal(reuse_rate(r), 0);
    reuse_free(r);
}

/* Lines of one set, more than it has room for, against a list. */
static void depths_are_those_of_a_list(void **state)
{
    enum { LINES = 160, TOUCHES = 20000 };
    struct set_stacks *s = calloc(1, sizeof(*s));
    uint64_t line[LINES], list[LINES], at = 0;
    uint32_t count = 0, x = 1;

    (void)state;
    for (uint32_t i = 0; i < LINES; at++)
        if (set_of(at) == 9)
            line[i++] = at;
    for (uint32_t i = 0; i < TOUCHES; i++) {
        uint64_t now = line[next_random(&x) % (next_random(&x) % 2 ? LINES : 30)];
        uint32_t before = count, above = to_top(list, &count, now);

        assert_int_equal(set_touch(s, now),
                         before == count && above < SET_DEPTH ? above : SET_DEPTH);
    }
    free(s);
}

static void a_set_is_a_stack(void **state)
{
    struct set_stacks *s = calloc(1, sizeof(*s));
    uint64_t line[4], at = 0;

    (void)state;
    for (unsigned i = 0; i < 4; at++)
        if (set_of(at) == 5)
            line[i++] = at;
    assert_int_equal(set_touch(s, line[0]), SET_DEPTH);
    assert_int_equal(set_touch(s, line[1]), SET_DEPTH);
    assert_int_equal(set_touch(s, line[2]), SET_DEPTH);
    assert_int_equal(set_touch(s, line[0]), 2);
    assert_int_equal(set_touch(s, line[0]), 0);
    assert_int_equal(set_touch(s, line[1]), 2);
    for (unsigned i = 0; i < SET_DEPTH; at++)
        if (set_of(at) == 5 && ++i)
            assert_int_equal(set_touch(s, at), SET_DEPTH);
    assert_int_equal(set_touch(s, line[0]), SET_DEPTH);
    free(s);
}

static uint32_t cycles(uint32_t lanes, uint32_t stride, uint32_t bytes, bool merge,
                       uint32_t *even)
{
    uint64_t addr[TRACE_MAX_LANES];

    for (uint32_t i = 0; i < lanes; i++)
        addr[i] = (uint64_t)i * stride;
    return feature_slm_cycles(addr, lanes, bytes, merge, even);
}

static void banks_conflict_by_stride(void **state)
{
    uint32_t even;

    (void)state;
    assert_int_equal(cycles(16, 4, 4, true, &even), 1);
    assert_int_equal(cycles(16, 8, 4, true, &even), 2);
    assert_int_equal(cycles(16, 64, 4, true, &even), 16);
    assert_int_equal(even, 1);
    assert_int_equal(cycles(16, 68, 4, true, &even), 1);  /* padded rows */
    assert_int_equal(cycles(16, 16, 16, true, &even), 4); /* 64 words */
    assert_int_equal(even, 4);
    assert_int_equal(cycles(16, 0, 4, true, &even), 1);   /* one word, read */
    assert_int_equal(cycles(16, 0, 4, false, &even), 16); /* written, or an atomic */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_distance_counts_other_keys),
        cmocka_unit_test(a_long_walk_keeps_its_distances),
        cmocka_unit_test(a_sample_estimates_distances),
        cmocka_unit_test(distances_are_those_of_a_list),
        cmocka_unit_test(depths_are_those_of_a_list),
        cmocka_unit_test(a_set_is_a_stack),
        cmocka_unit_test(banks_conflict_by_stride),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
