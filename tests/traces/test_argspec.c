/* test_argspec.c - traces/program/argspec.c, argfill.c and half.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/program/argspec.h"
#include "traces/program/half.h"

static struct argspec parsed(const char *text)
{
    struct argspec spec;
    struct igpu_err err = {.text = ""};

    if (argspec_parse(text, &spec, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    return spec;
}

/* The buffer of a spec, filled; the caller frees it. */
static void *filled(const char *text)
{
    struct argspec spec = parsed(text);
    void *mem = malloc(spec.bytes);
    struct igpu_err err = {.text = ""};

    assert_non_null(mem);
    memset(mem, 0xa5, spec.bytes);
    if (argspec_fill(&spec, mem, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    return mem;
}

static void byte_counts_take_units(void **state)
{
    (void)state;
    assert_int_equal(parsed("buf:17").bytes, 17);
    assert_int_equal(parsed("buf:0x40").bytes, 64);
    assert_int_equal(parsed("buf:3K:zero").bytes, 3072);
    assert_int_equal(parsed("buf:5M:iota").bytes, 5 << 20);
    assert_true(parsed("buf:1024G").bytes == (uint64_t)1 << 40);
    assert_int_equal(parsed("local:64K").kind, ARGSPEC_LOCAL);
    assert_int_equal(parsed("local:64K").bytes, 65536);
}

static void assert_value(const char *text, const void *bytes, size_t count)
{
    struct argspec spec = parsed(text);

    assert_int_equal(spec.kind, ARGSPEC_VALUE);
    assert_int_equal(spec.bytes, count);
    assert_memory_equal(spec.value, bytes, count);
}

static void values_are_little_endian_of_their_type(void **state)
{
    (void)state;
    assert_value("i8:-128", "\x80", 1);
    assert_value("u8:255", "\xff", 1);
    assert_value("i16:-2", "\xfe\xff", 2);
    assert_value("u32:0x01020304", "\4\3\2\1", 4);
    assert_value("i32:-2147483648", "\0\0\0\x80", 4);
    assert_value("i64:-1", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_value("u64:18446744073709551615", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_value("f32:1.5", "\0\0\xc0\x3f", 4);
    assert_value("f64:-2", "\0\0\0\0\0\0\0\xc0", 8);
    assert_value("f16:1", "\0\x3c", 2);
    assert_value("u16:1,2,3", "\1\0\2\0\3\0", 6);
}

static void what_is_no_spec_is_refused_by_name(void **state)
{
    static const char *const bad[] = {"",
                                      "buf",
                                      "buf:",
                                      "buf:0",
                                      "buf:12Q",
                                      "buf:-1",
                                      "buf: 1",
                                      "buf:K",
                                      "buf:1KK",
                                      "buf:1025G",
                                      "buf:99999999999999999999",
                                      "buf:64:nothing",
                                      "buf:64:iota:1",
                                      "buf:64:rand",
                                      "buf:64:rand:x",
                                      "buf:64:rand:-1",
                                      "buf:64:rand:1:2",
                                      "buf:64:fill:0x100000000",
                                      "buf:64:ramp:1",
                                      "buf:64:randf32:1:2",
                                      "buf:64:randf32:1:2:1",
                                      "buf:64:randf32:1:nan:2",
                                      "buf:64:randf32:1:0:inf",
                                      "buf:64:randi32:1:0.5:2",
                                      "buf:64:randi32:1:0:2147483648",
                                      "buf:64:prefix:1:-1:2",
                                      "buf:65:chase:1",
                                      "buf:128:chase:1:0",
                                      "buf:192:chase:1:2",
                                      "buf:8G:chase:1",
                                      "buf:16G:chaseidx:1",
                                      "buf:64:file:",
                                      "buf:64:1:2:3:4:5:6",
                                      "local:0",
                                      "local:65K",
                                      "local:4:4",
                                      "i32",
                                      "i32:",
                                      "i32:1.5",
                                      "i32:2147483648",
                                      "i32:1,",
                                      "i32:1:2",
                                      "u8:256",
                                      "u8:-1",
                                      "i8:128",
                                      "i8:-129",
                                      "f32:",
                                      "f32:1x",
                                      "f33:1",
                                      "int:3",
                                      "u8:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct argspec spec;
        struct igpu_err err = {.text = ""};
        char quoted[128];

        (void)snprintf(quoted, sizeof(quoted), "argument '%s'", bad[i]);
        if (argspec_parse(bad[i], &spec, &err) != IGPU_USAGE)
            fail_msg("'%s' was taken", bad[i]);
        if (strstr(err.text, quoted) != err.text || strchr(err.text, '\n') != NULL)
            fail_msg("'%s' gave: %s", bad[i], err.text);
    }
}

static void a_very_long_spec_is_refused(void **state)
{
    char text[5000];
    struct argspec spec;
    struct igpu_err err = {.text = ""};

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(argspec_parse(text, &spec, &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "4999 characters"));
}

static void words_count_up_and_stop_at_the_end(void **state)
{
    static const uint8_t iota[] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0};
    static const uint8_t ramp[] = {0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0};
    void *mem = filled("buf:10:iota");

    (void)state;
    assert_memory_equal(mem, iota, sizeof(iota));
    free(mem);
    mem = filled("buf:8:ramp:-1:3");
    assert_memory_equal(mem, ramp, sizeof(ramp));
    free(mem);
    mem = filled("buf:6:fill:0x04030201");
    assert_memory_equal(mem, "\1\2\3\4\1\2", 6);
    free(mem);
    mem = filled("buf:3");
    assert_memory_equal(mem, "\0\0\0", 3);
    free(mem);
}

/* The generator's first outputs for seed 0, as published with the algorithm. */
static void rand_is_splitmix64(void **state)
{
    static const uint64_t expected[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u,
                                        0x06c45d188009454fu};
    void *mem = filled("buf:24:rand:0");
    void *other = filled("buf:24:rand:1");

    (void)state;
    assert_memory_equal(mem, expected, sizeof(expected));
    assert_memory_not_equal(mem, other, 24);
    free(mem);
    free(other);
}

static void random_numbers_fill_their_range(void **state)
{
    int32_t *whole = filled("buf:4000:randi32:7:-3:3");
    float *single = filled("buf:4000:randf32:7:-1:3");
    double *wide = filled("buf:8000:randf64:7");
    uint16_t *half = filled("buf:2000:randf16:7:0:2");
    int32_t seen = 0;
    double sum = 0.0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        assert_in_range((uint64_t)(whole[i] + 3), 0, 6);
        seen |= 1 << (whole[i] + 3);
        assert_true(single[i] >= -1.0f && single[i] <= 3.0f);
        assert_true(wide[i] >= 0.0 && wide[i] < 1.0);
        assert_true(half_to_double(half[i]) >= 0.0 && half_to_double(half[i]) <= 2.0);
        sum += wide[i];
    }
    assert_int_equal(seen, 0x7f);
    assert_true(sum > 450.0 && sum < 550.0);
    free(whole);
    free(single);
    free(wide);
    free(half);
}

static void prefix_sums_start_at_zero(void **state)
{
    uint32_t *row = filled("buf:4000:prefix:9:2:5");

    (void)state;
    assert_int_equal(row[0], 0);
    for (int i = 1; i < 1000; i++)
        assert_in_range(row[i] - row[i - 1], 2, 5);
    free(row);
}

/* Walk every region's cycle: each of its lines once, then back at its start. */
static void expect_cycles(const char *text, unsigned word, uint64_t unit,
                          uint64_t regions)
{
    struct argspec spec = parsed(text);
    uint8_t *mem = filled(text);
    uint64_t lines = spec.bytes / ARGSPEC_LINE / regions;
    uint8_t *seen = calloc(spec.bytes / ARGSPEC_LINE, 1);

    assert_non_null(seen);
    for (uint64_t r = 0; r < regions; r++) {
        uint64_t first = r * lines * ARGSPEC_LINE, at = first;

        for (uint64_t i = 0; i < lines; i++) {
            uint64_t next = 0;

            assert_int_equal(at % ARGSPEC_LINE, 0);
            assert_in_range(at, first, first + (lines - 1) * ARGSPEC_LINE);
            assert_int_equal(seen[at / ARGSPEC_LINE]++, 0);
            memcpy(&next, mem + at, word);
            for (unsigned k = word; k < ARGSPEC_LINE; k++)
                assert_int_equal(mem[at + k], 0);
            at = next * unit;
        }
        assert_int_equal(at, first);
    }
    free(seen);
    free(mem);
}

static void a_chase_is_one_cycle_over_each_region(void **state)
{
    (void)state;
    expect_cycles("buf:64:chase:1", 4, 1, 1);
    expect_cycles("buf:128:chase:1", 4, 1, 1);
    expect_cycles("buf:64000:chase:1", 4, 1, 1);
    expect_cycles("buf:64K:chase:2:16", 4, 1, 16);
    expect_cycles("buf:64K:chase:2:1024", 4, 1, 1024);
    expect_cycles("buf:64K:chaseidx:3:4", 4, 4, 4);
    expect_cycles("buf:64K:chase64:4", 8, 1, 1);
}

static void chase_seeds_differ_and_forms_agree(void **state)
{
    uint8_t *a = filled("buf:4K:chase:5"), *b = filled("buf:4K:chase:6");
    uint8_t *idx = filled("buf:4K:chaseidx:5"), *wide = filled("buf:4K:chase64:5");

    (void)state;
    assert_memory_not_equal(a, b, 4096);
    assert_memory_equal(a, wide, 4096);
    for (size_t at = 0; at < 4096; at += ARGSPEC_LINE) {
        uint32_t bytes, words;

        memcpy(&bytes, a + at, 4);
        memcpy(&words, idx + at, 4);
        assert_int_equal(bytes, words * 4);
    }
    free(a);
    free(b);
    free(idx);
    free(wide);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static void a_file_must_have_the_buffers_size(void **state)
{
    const char *folder = getenv("IGPU_TMP");
    char path[512], text[600], mem[8];
    struct argspec spec;
    struct igpu_err err = {.text = ""};

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/a:b.bin", folder != NULL ? folder : "/tmp");
    (void)snprintf(text, sizeof(text), "buf:5:file:%s", path);
    spec = parsed(text);
    assert_string_equal(spec.path, path);
    write_file(path, "abcde");
    assert_int_equal(argspec_fill(&spec, mem, &err), IGPU_OK);
    assert_memory_equal(mem, "abcde", 5);
    write_file(path, "abcd");
    assert_int_equal(argspec_fill(&spec, mem, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "fewer bytes than the buffer's 5"));
    write_file(path, "abcdef");
    assert_int_equal(argspec_fill(&spec, mem, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "more bytes than the buffer's 5"));
    assert_int_equal(remove(path), 0);
    assert_int_equal(argspec_fill(&spec, mem, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, path));
}

static void every_half_survives_a_round_trip(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        double value = half_to_double((uint16_t)bits);

        if (isnan(value))
            assert_int_equal(half_from_double(value) & 0x7e00, 0x7e00);
        else
            assert_int_equal(half_from_double(value), bits);
    }
    assert_true(half_to_double(0x0001) == 0x1p-24);
    assert_true(half_to_double(0x7bff) == 65504.0);
    assert_true(half_to_double(0x3555) == 0.333251953125);
}

/* Between each two neighbours: the midpoint goes to the even one, and whatever is
 * next to the midpoint in double precision goes to its side. */
static void halves_round_to_nearest_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        double low = half_to_double((uint16_t)bits);
        double high = bits == 0x7bff ? 65536.0 : half_to_double((uint16_t)(bits + 1));
        double middle = (low + high) / 2;

        assert_int_equal(half_from_double(middle), bits + (bits & 1));
        assert_int_equal(half_from_double(nextafter(middle, 0.0)), bits);
        assert_int_equal(half_from_double(nextafter(middle, 1e9)), bits + 1);
        assert_int_equal(half_from_double(-middle), 0x8000 | (bits + (bits & 1)));
    }
    assert_int_equal(half_from_double(1e300), 0x7c00);
    assert_int_equal(half_from_double(-INFINITY), 0xfc00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_counts_take_units),
        cmocka_unit_test(values_are_little_endian_of_their_type),
        cmocka_unit_test(what_is_no_spec_is_refused_by_name),
        cmocka_unit_test(a_very_long_spec_is_refused),
        cmocka_unit_test(words_count_up_and_stop_at_the_end),
        cmocka_unit_test(rand_is_splitmix64),
        cmocka_unit_test(random_numbers_fill_their_range),
        cmocka_unit_test(prefix_sums_start_at_zero),
        cmocka_unit_test(a_chase_is_one_cycle_over_each_region),
        cmocka_unit_test(chase_seeds_differ_and_forms_agree),
        cmocka_unit_test(a_file_must_have_the_buffers_size),
        cmocka_unit_test(every_half_survives_a_round_trip),
        cmocka_unit_test(halves_round_to_nearest_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
