/* test_cases.c - traces/kernels/cases.c, and the list itself: cases.yaml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/cases.h"

#define LIST "traces/kernels/cases.yaml"

/* A whole case but for its last lines. */
#define START                                                                          \
    "cases:\n"                                                                         \
    "  - name: a\n"                                                                    \
    "    file: f.cl\n"                                                                 \
    "    kernel: k\n"
#define SIZES                                                                          \
    "    global: [64]\n"                                                               \
    "    local: [32]\n"
#define ARGS "    args: [\"buf:64\", \"buf:64\"]\n"
#define REST                                                                           \
    "    check: copy\n"                                                                \
    "    simd: [8, 32]\n"

static enum igpu_status load_text(const char *text, size_t length,
                                  struct case_list *list, struct igpu_err *err)
{
    const char *folder = getenv("IGPU_TMP");
    char path[512];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/cases.yaml",
                   folder != NULL ? folder : "/tmp");
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return cases_load(path, list, err);
}

static void load(struct case_list *list)
{
    struct igpu_err err = {.text = ""};

    if (cases_load(LIST, list, &err) != IGPU_OK)
        fail_msg("%s", err.text);
}

static void every_key_is_read(void **state)
{
    static const char text[] =
        START "    options: \"-DX=1\"\n    global: [64, 6, 2]\n    local: [32, 3, 1]\n"
              "    args: [\"buf:64:iota\", \"f32:2\", \"local:1K\"]\n"
              "    check: copy\n    params: {elements: 4, other: -1}\n"
              "    tolerance: [exact, ulp 2.5, rel 1e-6]\n    simd: [16, 8]\n"
              "    sample: 16\n";
    struct case_list list;
    struct igpu_err err = {.text = ""};
    const struct kernel_case *c;
    char options[64];

    (void)state;
    if (load_text(text, sizeof(text) - 1, &list, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    assert_int_equal(list.count, 1);
    c = cases_find(&list, "a");
    assert_ptr_equal(c, &list.cases[0]);
    assert_null(cases_find(&list, "b"));
    assert_string_equal(c->file, "f.cl");
    assert_string_equal(c->kernel, "k");
    assert_int_equal(c->dims, 3);
    assert_int_equal(c->global[1], 6);
    assert_int_equal(c->local[1], 3);
    assert_int_equal(case_items(c), 768);
    assert_int_equal(c->arg_count, 3);
    assert_int_equal(c->args[0].init, ARGSPEC_IOTA);
    assert_string_equal(c->arg_texts[2], "local:1K");
    assert_int_equal(case_param(c, "elements", 7), 4);
    assert_int_equal(case_param(c, "other", 7), -1);
    assert_int_equal(case_param(c, "absent", 7), 7);
    assert_int_equal(c->tolerance_count, 3);
    assert_int_equal(c->tolerance[1].kind, TOLERANCE_ULP);
    assert_true(c->tolerance[1].limit == 2.5);
    assert_int_equal(c->simd_count, 2);
    assert_int_equal(c->simd[0], 16);
    assert_int_equal(c->sample_simd, 16);
    assert_int_equal(case_options(c, 8, options, sizeof(options)), 0);
    assert_string_equal(options, "-DX=1 -DSIMD=8");
    assert_int_equal(case_options(c, 8, options, 14), -1);
    cases_free(&list);
    assert_int_equal(list.count, 0);
}

static void a_bad_list_names_its_line(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "1 to 1048576 bytes"},
        {"cases", "one key"},
        {"cases: 3\n", ":1: expected a list"},
        {"cases: []\n", ":1: a list of 0"},
        {"other: [1]\n", ":1: expected the key 'cases'"},
        {"cases: [1]\n", ":1: expected a case"},
        {"cases: [\n", "not YAML"},
        {"a: \x01\n", "not YAML"},
        {START SIZES ARGS "    check: copy\n", ":2: a case needs"},
        {START SIZES REST, ":2: a case needs"},
        {START SIZES ARGS REST "    colour: red\n", ":10: unknown key 'colour'"},
        {START SIZES ARGS REST "    kernel: k\n", ":10: the key is given twice"},
        {START SIZES ARGS REST "    simd: [24]\n", "a SIMD width is"},
        {START SIZES ARGS REST "    sample: 16\n", ":2: sample is not one"},
        {START SIZES ARGS REST "    tolerance: about 3\n", ":10: expected exact"},
        {START SIZES ARGS REST "    tolerance: ulp -1\n", ":10: expected exact"},
        {START SIZES ARGS REST "    tolerance: exact 1\n", ":10: expected exact"},
        {START SIZES ARGS REST "    params: [1]\n", ":10: expected name"},
        {START SIZES ARGS REST "    params: {a: x}\n", ":10: 'x', expected a number"},
        {START SIZES "    args: [\"buf:x\"]\n" REST, ":7: argument 'buf:x'"},
        {START SIZES ARGS "    check: none\n    simd: [8]\n",
         ":2: no check is named 'none'"},
        {START "    global: [65]\n    local: [32]\n" ARGS REST, "does not divide"},
        {START "    global: [64, 2]\n    local: [32]\n" ARGS REST, ":6: global and"},
        {START "    global: [0]\n    local: [1]\n" ARGS REST, ":5: '0', expected"},
        {START "    global: [1, 1, 1, 1]\n", ":5: a list of 4, expected 1 to 3"},
        {START SIZES ARGS REST
         "  - name: a\n    file: f\n    kernel: k\n" SIZES ARGS REST,
         ":10: another case has the same name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct case_list list;
        struct igpu_err err = {.text = ""};

        assert_int_equal(load_text(bad[i].text, strlen(bad[i].text), &list, &err),
                         IGPU_BAD_INPUT);
        assert_int_equal(list.count, 0);
        if (strstr(err.text, bad[i].says) == NULL || strchr(err.text, '\n') != NULL)
            fail_msg("list %zu gave: %s", i, err.text);
    }
}

static void a_missing_list_is_named(void **state)
{
    struct case_list list;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(cases_load("/no/such.yaml", &list, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "/no/such.yaml"));
}

/* Cut off anywhere, a list is refused or shorter, and nothing leaks or crashes. */
static void a_truncated_list_does_no_harm(void **state)
{
    static char text[1 << 17];
    FILE *file = fopen(LIST, "rb");
    size_t length;

    (void)state;
    assert_non_null(file);
    length = fread(text, 1, sizeof(text), file);
    assert_int_equal(fclose(file), 0);
    assert_in_range(length, 1000, sizeof(text) - 1);
    for (size_t cut = 1; cut < length; cut += 173) {
        struct case_list list;
        struct igpu_err err = {.text = ""};

        if (load_text(text, cut, &list, &err) == IGPU_OK)
            cases_free(&list);
        else
            assert_int_not_equal(strlen(err.text), 0);
    }
}

static void the_list_covers_its_folder(void **state)
{
    static const char *const needed[] = {
        "mad_sp",        "mad_dp",          "mad_hp",           "mad_int",
        "chase",         "chase_n",         "chase_a64",        "copy",
        "scale",         "triad",           "strided_16",       "l3_stream",
        "slm_stream_16", "reduce_u32",      "matmul_naive",     "matmul_tiled",
        "stencil",       "histogram_local", "histogram_global", "divergent"};
    struct case_list list;

    (void)state;
    load(&list);
    assert_string_equal(list.folder, "traces/kernels");
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (cases_find(&list, needed[i]) == NULL)
            fail_msg("no case %s", needed[i]);
    }
    for (size_t i = 0; i < list.count; i++) {
        char path[256];
        FILE *file;

        (void)snprintf(path, sizeof(path), "%s/%s", list.folder, list.cases[i].file);
        file = fopen(path, "rb");
        if (file == NULL)
            fail_msg("%s: no file %s", list.cases[i].name, path);
        assert_int_equal(fclose(file), 0);
    }
    cases_free(&list);
}

static void the_flagship_fills_168_threads(void **state)
{
    struct case_list list;
    const struct kernel_case *c;

    (void)state;
    load(&list);
    c = cases_find(&list, "mad_sp");
    assert_non_null(c);
    assert_int_equal(c->sample_simd, 32);
    assert_int_equal(c->local[0], 32);
    assert_int_equal(c->global[0], 168 * 32);
    cases_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(a_bad_list_names_its_line),
        cmocka_unit_test(a_missing_list_is_named),
        cmocka_unit_test(a_truncated_list_does_no_harm),
        cmocka_unit_test(the_list_covers_its_folder),
        cmocka_unit_test(the_flagship_fills_168_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
