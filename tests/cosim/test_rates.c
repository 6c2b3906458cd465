/* test_rates.c - each rule of the EU as a closed form, tight in both directions, on
 * the C reference and the RTL (rates.h). docs/reference/rates.md holds what it prints:
 *   test_rates --write docs/reference/rates.md
 * puts the tables between the page's markers. Can not find: a rule that both engines
 * and the closed form have wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rates.h"
#include "traces/program/file_cache.h"

static const char page[] = "docs/reference/rates.md";
static const char begin[] = "<!-- rates: begin -->\n", end[] = "<!-- rates: end -->\n";
static const char *write_to; /* instead of comparing */

/* The tables of all rows. */
static char *make_tables(void)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    rates_print_rules(out);
    rates_print_ops(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The page with its tables replaced; *same: they were the same. */
static char *replace(const char *old, const char *tables, bool *same)
{
    const char *from = strstr(old, begin), *to = strstr(old, end);
    size_t head, length = strlen(tables);
    char *text;

    if (from == NULL || to == NULL)
        fail_msg("%s has lost its markers", page);
    from += strlen(begin);
    head = (size_t)(from - old);
    *same = (size_t)(to - from) == length && memcmp(from, tables, length) == 0;
    text = malloc(head + length + strlen(to) + 1);
    assert_non_null(text);
    memcpy(text, old, head);
    (void)strcpy(text + head, tables);
    (void)strcat(text, to);
    return text;
}

static void rates_are_as_their_closed_forms_and_as_documented(void **state)
{
    char *tables = make_tables(), *text;
    size_t bytes;
    uint8_t *raw = read_whole_file(page, 1 << 20, &bytes);
    char *old = calloc(bytes + 1, 1);
    bool same;

    (void)state;
    assert_int_equal(rates_failures(), 0);
    assert_non_null(raw);
    assert_non_null(old);
    memcpy(old, raw, bytes);
    text = replace(old, tables, &same);
    if (write_to != NULL) {
        FILE *out = fopen(write_to, "w");

        assert_non_null(out);
        assert_true(fputs(text, out) >= 0);
        assert_int_equal(fclose(out), 0);
    } else if (!same) {
        fail_msg("%s is not up to date: make rates", page);
    }
    free(text);
    free(old);
    free(raw);
    free(tables);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_as_their_closed_forms_and_as_documented),
    };

    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        write_to = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
