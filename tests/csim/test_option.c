/* test_option.c - options as a table (igpu/option.h): short and long forms, values,
 * where options end, --help, counts and ranges.
 * Can not find: a program whose table lacks an option. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <getopt.h>

#include <cmocka.h>

#include "igpu/option.h"

enum { OPT_TOP = IGPU_OPTION_LONG, OPT_HIDDEN };
static const struct igpu_option table[] = {
    {'o', "output", "FILE", "what is written"},
    {OPT_TOP, "top-of-the-list-of-rows", "NUMBER", "first line\nsecond line"},
    {OPT_HIDDEN, "hidden", "", NULL},
    {'q', "quiet", "", "no word"},
    {'s', "", "KEY=VALUE", "change one"},
    {0, NULL, NULL, NULL},
};

static int next(bool to_program, int argc, const char **argv)
{
    return igpu_option_next(table, to_program, argc, (char **)(uintptr_t)argv);
}

static void options_in_both_forms(void **state)
{
    const char *argv[] = {"p",  "-o",       "a",     "word", "--output=b",
                          "-q", "--hidden", "--top", "9",    NULL};

    (void)state;
    optind = 0; /* of another argv */
    assert_int_equal(next(false, 9, argv), 'o');
    assert_string_equal(optarg, "a");
    assert_int_equal(next(false, 9, argv), 'o');
    assert_string_equal(optarg, "b");
    assert_int_equal(next(false, 9, argv), 'q');
    assert_int_equal(next(false, 9, argv), OPT_HIDDEN);
    assert_int_equal(next(false, 9, argv), OPT_TOP); /* a beginning is enough */
    assert_string_equal(optarg, "9");
    assert_int_equal(next(false, 9, argv), -1);
    assert_string_equal(argv[optind], "word");
}

static void a_program_has_its_own(void **state)
{
    const char *argv[] = {"p", "-q", "program", "-q", NULL};

    (void)state;
    optind = 0; /* of another argv */
    assert_int_equal(next(true, 4, argv), 'q');
    assert_int_equal(next(true, 4, argv), -1);
    assert_int_equal(optind, 2);
}

static void wrong_ones(void **state)
{
    static const char *const wrong[] = {"-x", "--nothing", "-o", "--quiet=1"};

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        const char *argv[] = {"p", wrong[i], NULL};

        optind = 0; /* of another argv */
        assert_int_equal(next(false, 2, argv), '?');
        assert_string_equal(argv[optind - 1], wrong[i]);
    }
}

static void help_has_a_row_each(void **state)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    (void)state;
    assert_non_null(out);
    igpu_option_help(out, table);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "  -o, --output FILE            what is written\n"
                              "      --top-of-the-list-of-rows NUMBER\n"
                              "                               first line\n"
                              "                               second line\n"
                              "  -q, --quiet                  no word\n"
                              "  -s KEY=VALUE                 change one\n");
    free(text);
}

static void counts(void **state)
{
    static const char *const wrong[] = {"",   "x",  "-1", "+1", " 1",
                                        "1 ", "1x", "0",  "10", "18446744073709551616"};
    uint64_t n = 77;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(igpu_option_count(wrong[i], 1, 9, &n));
    assert_int_equal(n, 77);
    assert_true(igpu_option_count("9", 1, 9, &n));
    assert_int_equal(n, 9);
    assert_true(igpu_option_count("18446744073709551615", 0, UINT64_MAX, &n));
    assert_true(n == UINT64_MAX);
}

static void ranges(void **state)
{
    static const char *const wrong[] = {"",     "..",    "1..", "..2",   "2..1",
                                        "1..9", "1...2", "1-2", "1..2x", "9"};
    uint64_t a = 77, b = 78;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(igpu_option_range(wrong[i], 8, &a, &b));
    assert_int_equal(a, 77);
    assert_int_equal(b, 78);
    assert_true(igpu_option_range("3", 8, &a, &b));
    assert_true(a == 3 && b == 3);
    assert_true(igpu_option_range("0..8", 8, &a, &b));
    assert_true(a == 0 && b == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_in_both_forms),
        cmocka_unit_test(a_program_has_its_own),
        cmocka_unit_test(wrong_ones),
        cmocka_unit_test(help_has_a_row_each),
        cmocka_unit_test(counts),
        cmocka_unit_test(ranges),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
