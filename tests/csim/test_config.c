/* test_config.c - configurations: presets, key=value, rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/config.h"

static struct igpu_config skl(void)
{
    struct igpu_config config;

    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    return config;
}

static void every_preset_is_named_and_passes_its_rules(void **state)
{
    static const char *const names[] = {
#define IGPU_PRESET(name, id, value) name,
#include "igpu/presets.def"
#undef IGPU_PRESET
    };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct igpu_config config;
        struct igpu_err err = {.text = ""};

        assert_non_null(strstr(igpu_config_preset_names(), names[i]));
        assert_int_equal(igpu_config_preset(&config, names[i], &err), IGPU_OK);
        assert_string_equal(config.name, names[i]);
        assert_int_equal(igpu_config_check(&config, &err), IGPU_OK);
    }
}

static void presets_differ_from_the_defaults_as_listed(void **state)
{
    struct igpu_config config;

    (void)state;
    assert_int_equal(skl().gpu_subslices, 3);
    assert_int_equal(skl().gpu_clock_hz, 1150000000);
    assert_int_equal(igpu_config_preset(&config, "kbl-gt3e", NULL), IGPU_OK);
    assert_int_equal(config.gpu_subslices, 6);
    assert_int_equal(config.gpu_slices, 2);
    assert_int_equal(igpu_config_preset(&config, "kbl-gt2", NULL), IGPU_OK);
    assert_int_equal(config.gpu_clock_hz, 1050000000);
}

static void an_error_is_one_line_whatever_it_quotes(void **state)
{
    struct igpu_config config;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    assert_int_equal(igpu_config_set(&config, "eu\n\x1b[2J.threads", &err), IGPU_USAGE);
    assert_non_null(strstr(err.text, "eu??[2J.threads"));
    assert_null(strchr(err.text, '\n'));
}

static void an_unknown_preset_is_refused_with_the_known_ones(void **state)
{
    struct igpu_config config;
    struct igpu_err err;

    (void)state;
    assert_int_equal(igpu_config_preset(&config, "hsw", &err), IGPU_USAGE);
    assert_string_equal(
        err.text,
        "configuration 'hsw' is unknown; known: skl-gt2, kbl-gt2, kbl-gt3e, cfl-gt2, "
        "skl-hd530-1ch, kbl-hd620, kbl-uhd620, kbl-hd630, cfl-uhd630, cfl-p630");
}

static void every_default_lies_in_its_range(void **state)
{
    size_t count;
    const struct igpu_param_info *p = igpu_params(&count);
    struct igpu_config config = skl();

    (void)state;
    assert_true(count > 40);
    for (size_t i = 0; i < count; i++) {
        char text[128];

        assert_true(p[i].min <= p[i].def && p[i].def <= p[i].max);
        assert_true(strlen(p[i].source) > 0 && strlen(p[i].unit) > 0);
        assert_true(strlen(p[i].key) < 64);
        (void)snprintf(text, sizeof(text), "%s=%llu", p[i].key,
                       (unsigned long long)p[i].max);
        assert_int_equal(igpu_config_set(&config, text, NULL), IGPU_OK);
        assert_memory_equal((char *)&config + p[i].offset, &p[i].max, sizeof(uint64_t));
    }
}

static void a_value_may_be_decimal_hexadecimal_or_scaled(void **state)
{
    struct igpu_config config = skl();

    (void)state;
    assert_int_equal(igpu_config_set(&config, "eu.threads=5", NULL), IGPU_OK);
    assert_int_equal(config.eu_threads, 5);
    assert_int_equal(igpu_config_set(&config, "disp.launch_cycles=0x1F", NULL),
                     IGPU_OK);
    assert_int_equal(config.disp_launch_cycles, 31);
    assert_int_equal(igpu_config_set(&config, "disp.launch_cycles=2K", NULL), IGPU_OK);
    assert_int_equal(config.disp_launch_cycles, 2048);
    assert_int_equal(igpu_config_set(&config, "gpu.clock_hz=500M", NULL), IGPU_OK);
    assert_int_equal(config.gpu_clock_hz, UINT64_C(500) << 20);
    assert_int_equal(igpu_config_set(&config, "gpu.clock_hz=1g", NULL), IGPU_OK);
    assert_int_equal(config.gpu_clock_hz, UINT64_C(1) << 30);
}

/* `text` is refused with `message`, and nothing changes. */
static void refused(const char *text, const char *message)
{
    struct igpu_config config = skl(), before = config;
    struct igpu_err err;

    assert_int_equal(igpu_config_set(&config, text, &err), IGPU_USAGE);
    assert_string_equal(err.text, message);
    assert_memory_equal(&config, &before, sizeof(config));
}

static void an_unknown_key_is_refused_with_the_nearest_one(void **state)
{
    (void)state;
    refused("eu.thread=3",
            "configuration key 'eu.thread' is unknown; did you mean eu.threads?");
    refused("eu.alu32.latency=3",
            "configuration key 'eu.alu32.latency' is unknown; did you mean "
            "eu.alu32.lat_acc?");
    refused(
        "disp.intervall=3",
        "configuration key 'disp.intervall' is unknown; did you mean disp.interval?");
}

static void a_value_out_of_range_is_refused_with_the_range(void **state)
{
    (void)state;
    refused("eu.threads=8",
            "eu.threads: 8 is out of range; it is 1 to 7 (thread per EU)");
    refused("eu.threads=0",
            "eu.threads: 0 is out of range; it is 1 to 7 (thread per EU)");
}

static void text_that_is_no_number_is_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "-1",
                                      "1.5",
                                      "0x",
                                      "5KB",
                                      "K",
                                      " 5",
                                      "5 ",
                                      "18446744073709551616",
                                      "17179869184G",
                                      "0x1_0"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char text[64], message[256];

        (void)snprintf(text, sizeof(text), "eu.threads=%s", bad[i]);
        (void)snprintf(message, sizeof(message),
                       "eu.threads: '%s' is no number; expected decimal or 0x..., with "
                       "K, M or G behind it for 2^10, 2^20 or 2^30",
                       bad[i]);
        refused(text, message);
    }
    refused("eu.threads",
            "'eu.threads': expected key=value, as in gpu.clock_hz=1150000000");
}

static void a_very_long_key_is_refused_in_one_line(void **state)
{
    struct igpu_config config = skl();
    struct igpu_err err;
    char text[2000];

    (void)state;
    memset(text, 'a', sizeof(text));
    memcpy(text + sizeof(text) - 3, "=1", 3);
    assert_int_equal(igpu_config_set(&config, text, &err), IGPU_USAGE);
    assert_true(strlen(err.text) < 200);
}

static void rules_name_the_keys_that_break_them(void **state)
{
    struct igpu_config config = skl();
    struct igpu_err err;

    (void)state;
    config.gpu_slices = 2;
    assert_int_equal(igpu_config_check(&config, &err), IGPU_USAGE);
    assert_string_equal(err.text,
                        "gpu.subslices = 3 is not a multiple of gpu.slices = 2; "
                        "every slice has as many subslices");
    config = skl();
    config.eu_count = 9;
    assert_int_equal(igpu_config_check(&config, &err), IGPU_USAGE);
    assert_string_equal(err.text,
                        "eu.count: 9 is out of range; it is 1 to 8 (EU per subslice)");
}

static const struct igpu_param_info *info(const char *key)
{
    size_t count;
    const struct igpu_param_info *p = igpu_params(&count);

    while (strcmp(p->key, key) != 0)
        p++;
    return p;
}

static void a_value_may_have_a_name(void **state)
{
    struct igpu_config config = skl();
    const struct igpu_param_info *p = info("eu.arbiter");
    char text[8];

    (void)state;
    assert_int_equal(config.eu_arbiter, IGPU_ARBITER_RR);
    assert_int_equal(igpu_config_set(&config, "eu.arbiter=oldest", NULL), IGPU_OK);
    assert_int_equal(config.eu_arbiter, IGPU_ARBITER_OLDEST);
    assert_int_equal(igpu_config_set(&config, "eu.arbiter=rr", NULL), IGPU_OK);
    assert_int_equal(config.eu_arbiter, IGPU_ARBITER_RR);
    assert_int_equal(igpu_config_set(&config, "eu.arbiter=1", NULL), IGPU_OK);
    assert_int_equal(config.eu_arbiter, IGPU_ARBITER_OLDEST);
    refused("eu.arbiter=old", "eu.arbiter: 'old' is unknown; expected rr|oldest");
    refused("eu.arbiter=rr|oldest",
            "eu.arbiter: 'rr|oldest' is unknown; expected rr|oldest");
    refused("eu.arbiter=", "eu.arbiter: '' is unknown; expected rr|oldest");
    refused("eu.arbiter=2", "eu.arbiter: 2 is out of range; it is 0 to 1 (rr|oldest)");
    assert_string_equal(igpu_param_text(p, 1, text, sizeof(text)), "oldest");
    assert_string_equal(igpu_param_text(p, 2, text, sizeof(text)), "2");
    assert_string_equal(igpu_param_text(info("eu.threads"), 7, text, sizeof(text)),
                        "7");
}

static void an_engine_is_asked_what_it_honours(void **state)
{
    struct igpu_param_info p = *info("eu.threads");

    (void)state;
    assert_string_equal(p.engines, "all");
    assert_true(igpu_param_honoured(&p, "fpga"));
    assert_string_equal(info("l3.banks")->engines, "host");
    assert_true(igpu_param_honoured(info("l3.banks"), "array"));
    p.engines = "rtl ref";
    assert_true(igpu_param_honoured(&p, "rtl"));
    assert_true(igpu_param_honoured(&p, "rtl-full"));
    assert_true(igpu_param_honoured(&p, "ref"));
    assert_false(igpu_param_honoured(&p, "rt"));
    assert_false(igpu_param_honoured(&p, "array:3x8"));
    assert_false(igpu_param_honoured(&p, "fpga"));
}

static void every_engine_takes_the_defaults(void **state)
{
    static const char *const engines[] = {"ref", "rtl", "array", "fpga"};
    struct igpu_config config = skl();

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(igpu_config_engine(&config, engines[i], NULL), IGPU_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_named_and_passes_its_rules),
        cmocka_unit_test(presets_differ_from_the_defaults_as_listed),
        cmocka_unit_test(an_error_is_one_line_whatever_it_quotes),
        cmocka_unit_test(an_unknown_preset_is_refused_with_the_known_ones),
        cmocka_unit_test(every_default_lies_in_its_range),
        cmocka_unit_test(a_value_may_be_decimal_hexadecimal_or_scaled),
        cmocka_unit_test(an_unknown_key_is_refused_with_the_nearest_one),
        cmocka_unit_test(a_value_out_of_range_is_refused_with_the_range),
        cmocka_unit_test(text_that_is_no_number_is_refused),
        cmocka_unit_test(a_very_long_key_is_refused_in_one_line),
        cmocka_unit_test(rules_name_the_keys_that_break_them),
        cmocka_unit_test(a_value_may_have_a_name),
        cmocka_unit_test(an_engine_is_asked_what_it_honours),
        cmocka_unit_test(every_engine_takes_the_defaults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
