/* test_stats_write.c - the JSON of a report parses and has every counter once, its
 * beginning is as written down here, and the CSV is a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/stats.h"

/* ---- a report ----------------------------------------------------------- */

struct stat {
    const char *section, *name, *unit;
    size_t offset;
};

static const struct stat stats[] = {
#define IGPU_STAT(section, name, unit, text)                                           \
    {#section, #name, unit, offsetof(struct sim_stats, section##_##name)},
#include "igpu/stats.def"
#undef IGPU_STAT
};
enum { STATS = sizeof(stats) / sizeof(stats[0]) };

/* Each counter of launch `k` has a value of its own. */
static uint64_t value(unsigned k, size_t i)
{
    return 1000 * (uint64_t)(k + 1) + 7 * i;
}

struct material {
    struct igpu_config config;
    struct sim_stats launch[2], total;
    struct stats_report report;
};

static void fill(struct sim_stats *s, unsigned k)
{
    memset(s, 0, sizeof(*s));
    for (size_t i = 0; i < STATS; i++) {
        uint64_t v = value(k, i);

        memcpy((char *)s + stats[i].offset, &v, sizeof(v));
    }
    s->index = k;
    s->queue = 3 * k;
    s->complete = k != 1;
}

static int setup(void **state)
{
    struct material *m = calloc(1, sizeof(*m));

    if (m == NULL || igpu_config_preset(&m->config, "skl-gt2", NULL) != IGPU_OK)
        return -1;
    m->config.gpu_clock_hz = 1000000000; /* a cycle takes 1 ns */
    fill(&m->launch[0], 0);
    fill(&m->launch[1], 1);
    fill(&m->total, 2);
    (void)strcpy(m->launch[0].kernel, "saxpy");
    (void)strcpy(m->launch[1].kernel, "odd \"name\\\n");
    m->report = (struct stats_report){.engine = "ref",
                                      .trace_path = "some \"path\".pb",
                                      .config = &m->config,
                                      .kernels = 2,
                                      .launches_total = 5,
                                      .threads_total = 77,
                                      .total = &m->total,
                                      .launch = m->launch,
                                      .launches = 2,
                                      .host = {2.0, 0.5, 4096}};
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

typedef void writer(FILE *out, const struct stats_report *report);

static char *written(writer *write, const struct stats_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    write(out, report);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

/* ---- a small reader of JSON --------------------------------------------- */

/* Every value that is no object or array, under its path: "a.b", "list[0].c". */
enum { MAX_LEAVES = 2000, PATH = 200 };

struct leaf {
    char path[PATH];
    char text[PATH]; /* as written, a string without its quotes */
};

struct json {
    const char *at;
    struct leaf *leaf;
    unsigned leaves;
};

static void space(struct json *j)
{
    j->at += strspn(j->at, " \n");
}

static void take(struct json *j, char c)
{
    space(j);
    if (*j->at != c)
        fail_msg("expected %c, found: %.40s", c, j->at);
    j->at++;
}

static void string(struct json *j, char *out)
{
    size_t n = 0;

    take(j, '"');
    while (*j->at != '"') {
        unsigned code = (unsigned char)*j->at++;

        assert_true(code >= 0x20);
        if (code == '\\') {
            code = (unsigned char)*j->at++;
            if (code == 'u') {
                int used = 0;

                assert_int_equal(sscanf(j->at, "%4x%n", &code, &used), 1);
                assert_int_equal(used, 4);
                j->at += 4;
            } else {
                assert_true(code == '"' || code == '\\');
            }
        }
        assert_true(n + 1 < PATH);
        out[n++] = (char)code;
    }
    out[n] = '\0';
    j->at++;
}

/* -?digits(.digits)? without leading zeros, or true or false. */
static void scalar(struct json *j, char *out)
{
    size_t n = strcspn(j->at, ",}] \n"), digits, rest;

    assert_true(n > 0 && n < PATH);
    (void)snprintf(out, PATH, "%.*s", (int)n, j->at);
    j->at += n;
    if (strcmp(out, "true") == 0 || strcmp(out, "false") == 0)
        return;
    digits = strspn(out, "0123456789");
    if (digits == 0 || (digits > 1 && out[0] == '0'))
        fail_msg("no number: %s", out);
    rest = digits;
    if (out[digits] == '.') {
        rest += 1 + strspn(out + digits + 1, "0123456789");
        assert_true(rest > digits + 1);
    }
    assert_int_equal(out[rest], '\0');
}

static void any(struct json *j, const char *path);

static void members(struct json *j, const char *path, bool object)
{
    char close = object ? '}' : ']', key[PATH], inner[2 * PATH + 8];

    j->at++;
    for (unsigned i = 0;; i++) {
        space(j);
        if (i == 0 && *j->at == close)
            break;
        if (object) {
            string(j, key);
            take(j, ':');
            (void)snprintf(inner, sizeof(inner), "%s%s%s", path, *path ? "." : "", key);
        } else {
            (void)snprintf(inner, sizeof(inner), "%s[%u]", path, i);
        }
        any(j, inner);
        space(j);
        if (*j->at != ',')
            break;
        j->at++;
    }
    take(j, close);
}

static void any(struct json *j, const char *path)
{
    space(j);
    if (*j->at == '{' || *j->at == '[') {
        members(j, path, *j->at == '{');
        return;
    }
    assert_true(j->leaves < MAX_LEAVES && strlen(path) < PATH);
    memcpy(j->leaf[j->leaves].path, path, strlen(path) + 1);
    if (*j->at == '"')
        string(j, j->leaf[j->leaves].text);
    else
        scalar(j, j->leaf[j->leaves].text);
    j->leaves++;
}

static struct json parse(const char *text)
{
    struct json j = {text, calloc(MAX_LEAVES, sizeof(struct leaf)), 0};

    assert_non_null(j.leaf);
    any(&j, "");
    assert_string_equal(j.at, "\n"); /* one newline, and the end */
    return j;
}

/* The value at path, which must be there exactly once. */
static const char *at(const struct json *j, const char *path)
{
    const char *found = NULL;

    for (unsigned i = 0; i < j->leaves; i++)
        if (strcmp(j->leaf[i].path, path) == 0) {
            if (found != NULL)
                fail_msg("%s occurs twice", path);
            found = j->leaf[i].text;
        }
    if (found == NULL)
        fail_msg("%s is missing", path);
    return found;
}

/* ---- JSON --------------------------------------------------------------- */

static void expect_counters(const struct json *j, const char *prefix, unsigned k)
{
    char path[PATH], text[40];

    for (size_t i = 0; i < STATS; i++) {
        bool top = strcmp(stats[i].section, "run") == 0;
        bool agent = strcmp(stats[i].section, "cpu") == 0;
        uint64_t v = value(k, i);

        (void)snprintf(path, sizeof(path), "%s%s%s%s%s", prefix, agent ? "agents." : "",
                       top ? "" : stats[i].section, top ? "" : ".", stats[i].name);
        if (strcmp(stats[i].unit, "ps") == 0)
            (void)snprintf(text, sizeof(text), "%" PRIu64 ".%03u", v / 1000,
                           (unsigned)(v % 1000));
        else
            (void)snprintf(text, sizeof(text), "%" PRIu64, v);
        if (strcmp(at(j, path), text) != 0)
            fail_msg("%s is %s, expected %s", path, at(j, path), text);
    }
}

static void every_counter_is_in_the_total_and_in_each_launch_once(void **state)
{
    const struct material *m = *state;
    char *text = written(stats_write_json, &m->report);
    struct json j = parse(text);

    expect_counters(&j, "", 2);
    expect_counters(&j, "kernels[0].", 0);
    expect_counters(&j, "kernels[1].", 1);
    free(j.leaf);
    free(text);
}

static void no_path_of_the_json_occurs_twice(void **state)
{
    const struct material *m = *state;
    char *text = written(stats_write_json, &m->report);
    struct json j = parse(text);

    for (unsigned i = 0; i < j.leaves; i++)
        (void)at(&j, j.leaf[i].path);
    free(j.leaf);
    free(text);
}

static void a_latency_in_ps_is_printed_in_ns_with_three_decimals(void **state)
{
    struct material *m = *state;
    static const struct {
        uint64_t ps;
        const char *ns;
    } c[] = {{0, "0.000"},    {7, "0.007"},        {999, "0.999"},
             {1000, "1.000"}, {123456, "123.456"}, {5040, "5.040"}};

    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
        char *text;
        struct json j;

        m->total.mem_latency_ns_avg = c[i].ps;
        text = written(stats_write_json, &m->report);
        j = parse(text);
        assert_string_equal(at(&j, "mem.latency_ns_avg"), c[i].ns);
        free(j.leaf);
        free(text);
    }
}

static void the_largest_counter_survives(void **state)
{
    struct material *m = *state;
    char *text;
    struct json j;

    m->total.run_cycles = UINT64_MAX;
    m->total.mem_latency_ns_p99 = UINT64_MAX;
    text = written(stats_write_json, &m->report);
    j = parse(text);
    assert_string_equal(at(&j, "cycles"), "18446744073709551615");
    assert_string_equal(at(&j, "mem.latency_ns_p99"), "18446744073709551.615");
    free(j.leaf);
    free(text);
}

static void names_and_derived_values_are_where_they_belong(void **state)
{
    struct material *m = *state;
    char *text, ratio[40];
    struct json j;

    m->total.run_cycles = 4000; /* at 1 GHz: 4 us */
    m->total.run_flops = 10000;
    m->total.run_instructions = 3000000;
    text = written(stats_write_json, &m->report);
    j = parse(text);
    assert_string_equal(at(&j, "engine"), "ref");
    assert_string_equal(at(&j, "trace.path"), "some \"path\".pb");
    assert_string_equal(at(&j, "trace.kernels"), "2");
    assert_string_equal(at(&j, "trace.launches"), "5");
    assert_string_equal(at(&j, "trace.threads"), "77");
    assert_string_equal(at(&j, "config.name"), "skl-gt2");
    assert_string_equal(at(&j, "config.gpu.clock_hz"), "1000000000");
    assert_string_equal(at(&j, "clock_hz"), "1000000000");
    assert_string_equal(at(&j, "time_ns"), "4000.000000");
    assert_string_equal(at(&j, "gflops"), "2.500000");
    assert_string_equal(at(&j, "complete"), "true");
    assert_string_equal(at(&j, "kernels[0].name"), "saxpy");
    assert_string_equal(at(&j, "kernels[1].name"), "odd \"name\\\n");
    assert_string_equal(at(&j, "kernels[1].launch"), "1");
    assert_string_equal(at(&j, "kernels[1].complete"), "false");
    assert_string_equal(at(&j, "host.rss_bytes"), "4096");
    (void)snprintf(ratio, sizeof(ratio), "%.3f", 4000 / 1e3 / 0.5);
    assert_string_equal(at(&j, "host.target_kcycles_per_s"), ratio);
    assert_string_equal(at(&j, "host.thread_minstr_per_s"), "6.000000");
    free(j.leaf);
    free(text);
}

static void every_parameter_is_in_the_json(void **state)
{
    const struct material *m = *state;
    char *text = written(stats_write_json, &m->report), path[PATH], v[40];
    struct json j = parse(text);
    size_t count;
    const struct igpu_param_info *params = igpu_params(&count);

    for (size_t i = 0; i < count; i++) {
        uint64_t now;

        memcpy(&now, (const char *)&m->config + params[i].offset, sizeof(now));
        (void)snprintf(path, sizeof(path), "config.%s", params[i].key);
        (void)snprintf(v, sizeof(v), "%" PRIu64, now);
        assert_string_equal(at(&j, path), v);
    }
    free(j.leaf);
    free(text);
}

static void a_run_without_launches_or_time_has_no_nan(void **state)
{
    struct material *m = *state;
    char *text;
    struct json j;

    memset(&m->total, 0, sizeof(m->total));
    memset(&m->report.host, 0, sizeof(m->report.host));
    m->report.launches = 0;
    text = written(stats_write_json, &m->report); /* the reader refuses nan */
    j = parse(text);
    assert_string_equal(at(&j, "gflops"), "0.000000");
    assert_string_equal(at(&j, "host.target_kcycles_per_s"), "0.000");
    free(j.leaf);
    free(text);
    text = written(stats_write_text, &m->report);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

/* ---- CSV ---------------------------------------------------------------- */

static unsigned split(char *line, char **field, unsigned most)
{
    unsigned n = 0;

    for (char *from = line; n < most; from = field[n - 1] + strlen(field[n - 1]) + 1) {
        char *end = strchr(from, ',');

        field[n++] = from;
        if (end == NULL)
            break;
        *end = '\0';
    }
    return n;
}

enum { MAX_FIELDS = 400, FIELDS = 1 + STATS + 2 + 2 };

static char *column(char **name, char **field, const char *wanted)
{
    for (unsigned i = 0; i < FIELDS; i++)
        if (strcmp(name[i], wanted) == 0)
            return field[i];
    fail_msg("no column %s", wanted);
    return NULL;
}

static void every_line_of_the_csv_has_as_many_columns(void **state)
{
    struct material *m = *state;
    char *text, *field[4][MAX_FIELDS], *rest;

    (void)strcpy(m->launch[1].kernel, "plain");
    text = written(stats_write_csv, &m->report);
    rest = text;
    for (unsigned line = 0; line < 4; line++) {
        char *end = strchr(rest, '\n');

        assert_non_null(end);
        *end = '\0';
        assert_int_equal(split(rest, field[line], MAX_FIELDS), FIELDS);
        rest = end + 1;
    }
    assert_string_equal(rest, "");
    for (unsigned i = 0; i < FIELDS; i++)
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(field[0][i], field[0][k]);

    assert_string_equal(field[1][0], "0:saxpy");
    assert_string_equal(field[2][0], "1:plain");
    assert_string_equal(field[3][0], "total");
    for (unsigned line = 1; line < 4; line++)
        for (size_t i = 0; i < STATS; i++)
            assert_int_equal(strtoull(field[line][1 + i], NULL, 10),
                             value(line - 1, i));
    assert_string_equal(column(field[0], field[3], "complete"), "1");
    assert_string_equal(column(field[0], field[2], "complete"), "0");
    assert_string_equal(column(field[0], field[2], "queue"), "3");
    assert_int_equal(strtoull(column(field[0], field[1], "cycles"), NULL, 10), 1000);
    /* picoseconds stay picoseconds, and the column says so */
    assert_non_null(column(field[0], field[1], "mem.latency_ps_avg"));
    assert_non_null(column(field[0], field[1], "l3.hits"));
    free(text);
}

static void the_longest_kernel_name_is_in_the_csv_whole(void **state)
{
    struct material *m = *state;
    char *text, expected[200];

    memset(m->launch[0].kernel, 'k', sizeof(m->launch[0].kernel) - 1);
    m->launch[0].index = UINT32_MAX;
    (void)snprintf(expected, sizeof(expected), "\n4294967295:%s,1000,",
                   m->launch[0].kernel);
    text = written(stats_write_csv, &m->report);
    assert_non_null(strstr(text, expected));
    free(text);
}

static void a_kernel_name_with_commas_stays_one_field_of_the_csv(void **state)
{
    struct material *m = *state;
    char *text;

    (void)strcpy(m->launch[0].kernel, "a,\"b\",c");
    text = written(stats_write_csv, &m->report);
    assert_non_null(strstr(text, "\n\"0:a,\"\"b\"\",c\",1000,"));
    free(text);
}

/* ---- text --------------------------------------------------------------- */

static void the_text_names_each_launch_when_there_are_several(void **state)
{
    struct material *m = *state;
    char *text = written(stats_write_text, &m->report);

    assert_ptr_equal(strstr(text, "launch 0      saxpy: 1000 cycles"), text);
    assert_non_null(strstr(text, "cycles        3000\n"));
    free(text);
    m->report.launches = 1;
    m->total.complete = false;
    text = written(stats_write_text, &m->report);
    assert_ptr_equal(strstr(text, "kernel        saxpy\n"), text);
    assert_non_null(strstr(text, "cycles        3000 (stopped early)\n"));
    free(text);
}

static void the_help_explains_every_counter(void **state)
{
    char *text = NULL, line[PATH];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_non_null(out);
    stats_write_help(out);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < STATS; i++) {
        bool top = strcmp(stats[i].section, "run") == 0;
        const char *unit = strcmp(stats[i].unit, "ps") == 0 ? "ns" : stats[i].unit;

        (void)snprintf(line, sizeof(line), "%s%s%s%s [%s]: ", i == 0 ? "" : "\n",
                       top ? "" : stats[i].section, top ? "" : ".", stats[i].name,
                       unit);
        if (strstr(text, line) == NULL)
            fail_msg("not explained: %s", line);
    }
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_counter_is_in_the_total_and_in_each_launch_once),
        TEST(no_path_of_the_json_occurs_twice),
        TEST(a_latency_in_ps_is_printed_in_ns_with_three_decimals),
        TEST(the_largest_counter_survives),
        TEST(names_and_derived_values_are_where_they_belong),
        TEST(every_parameter_is_in_the_json),
        TEST(a_run_without_launches_or_time_has_no_nan),
        TEST(every_line_of_the_csv_has_as_many_columns),
        TEST(the_longest_kernel_name_is_in_the_csv_whole),
        TEST(a_kernel_name_with_commas_stays_one_field_of_the_csv),
        TEST(the_text_names_each_launch_when_there_are_several),
        TEST(the_help_explains_every_counter),
    };

    return cmocka_run_group_tests_name("stats_write", tests, NULL, NULL);
}
