/* test_json.c - what the JSON writer makes of containers, numbers and any text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "igpu/json.h"

static char *text;
static size_t size;

static void start(struct igpu_json *j, bool dense)
{
    igpu_json_start(j, open_memstream(&text, &size), dense);
}

static void expect(struct igpu_json *j, const char *want)
{
    assert_int_equal(j->depth, 0);
    (void)fclose(j->out);
    assert_string_equal(text, want);
    free(text);
}

static void sample(struct igpu_json *j)
{
    igpu_json_object(j, NULL, IGPU_JSON_LINES);
    igpu_json_u64(j, "a", UINT64_MAX);
    igpu_json_array(j, "list", IGPU_JSON_LINES);
    igpu_json_object(j, NULL, IGPU_JSON_ROW);
    igpu_json_i64(j, "x", INT64_MIN);
    igpu_json_bool(j, "y", false);
    igpu_json_end(j);
    igpu_json_array(j, NULL, IGPU_JSON_ROW);
    igpu_json_u64(j, NULL, 1);
    igpu_json_u64(j, NULL, 2);
    igpu_json_end(j);
    igpu_json_end(j);
    igpu_json_array(j, "none", IGPU_JSON_LINES);
    igpu_json_end(j);
    igpu_json_end(j);
}

static void layouts(void **state)
{
    struct igpu_json j;

    (void)state;
    start(&j, false);
    sample(&j);
    expect(&j, "{\n"
               "  \"a\": 18446744073709551615,\n"
               "  \"list\": [\n"
               "    {\"x\": -9223372036854775808, \"y\": false},\n"
               "    [1, 2]\n"
               "  ],\n"
               "  \"none\": []\n"
               "}\n");
    start(&j, true);
    sample(&j);
    expect(&j, "{\n"
               "\"a\":18446744073709551615,\n"
               "\"list\":[\n"
               "{\"x\":-9223372036854775808,\"y\":false},\n"
               "[1,2]\n"
               "],\n"
               "\"none\":[]\n"
               "}\n");
}

static void numbers(void **state)
{
    struct igpu_json j;

    (void)state;
    start(&j, true);
    igpu_json_array(&j, NULL, IGPU_JSON_ROW);
    igpu_json_real(&j, NULL, -0.125, 2);
    igpu_json_real(&j, NULL, 1e15, 0);
    igpu_json_real(&j, NULL, (double)NAN, 3);
    igpu_json_real(&j, NULL, (double)INFINITY, 3);
    igpu_json_fixed(&j, NULL, 7, 3);
    igpu_json_fixed(&j, NULL, UINT64_MAX, 6);
    igpu_json_end(&j);
    expect(&j, "[-0.12,1000000000000000,null,null,0.007,18446744073709.551615]\n");
}

static void any_text(void **state)
{
    struct igpu_json j;

    (void)state;
    start(&j, true);
    igpu_json_array(&j, NULL, IGPU_JSON_ROW);
    igpu_json_text(&j, NULL, "");
    igpu_json_text(&j, NULL, "\"\\\n\x1f/\x7f");
    igpu_json_text(&j, NULL, "\xc3\xa9\xf0\x9f\x98\x80");
    igpu_json_text(&j, NULL, "a\xff\xc3");         /* no UTF-8, and cut */
    igpu_json_text(&j, NULL, "\xed\xa0\x80\xc0x"); /* a surrogate, an overlong form */
    igpu_json_end(&j);
    expect(&j, "[\"\",\"\\\"\\\\\\u000a\\u001f/\x7f\",\"\xc3\xa9\xf0\x9f\x98\x80\","
               "\"a\\ufffd\\ufffd\",\"\\ufffd\\ufffd\\ufffd\\ufffdx\"]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(layouts),
                                       cmocka_unit_test(numbers),
                                       cmocka_unit_test(any_text)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
