/* test_one_sided.c - the cross-check can fail: each timing parameter, changed by one in
 * one engine alone, makes it report a difference. A parameter that nothing notices
 * would be one that an engine ignores, or that no random case exercises.
 * tests/run: timeout=900 slow turn=0of3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/engine_rtl.h"
#include "cosim.h"
#include "igpu/ref.h"
#include "tests/support/rng.h"

enum { MAX_CASES = 400 };

/* What the changed engine does to its configuration. cmocka's tests are one thread. */
static const struct igpu_param_info *changed;
static const struct host_engine_ops *inner;

static enum igpu_status create_changed(void **engine, const struct igpu_config *config,
                                       const struct host_calls *calls,
                                       struct igpu_err *err)
{
    struct igpu_config other = *config;
    uint64_t value;

    memcpy(&value, (const char *)config + changed->offset, sizeof(value));
    value = value < changed->max ? value + 1 : value - 1;
    memcpy((char *)&other + changed->offset, &value, sizeof(value));
    return inner->create(engine, &other, calls, err);
}

/* Parameters that an engine turns into cycles; not its size, nor what comes with each
 * launch (names). */
static bool is_timing(const struct igpu_param_info *p)
{
    return strcmp(p->engines, "host") != 0 && p->names == NULL &&
           strcmp(p->key, "gpu.subslices") != 0 && strcmp(p->key, "eu.count") != 0 &&
           strcmp(p->key, "eu.threads") != 0;
}

/* How many cases it takes until a change of *info is noticed; 0: never. */
static unsigned cases_until_noticed(const struct igpu_param_info *info)
{
    struct host_engine_ops other = *inner;
    struct cosim_engine a = {"the changed engine", &other, 0, true};
    struct cosim_engine b = {"the reference", &host_engine_ref, 0, true};

    changed = info;
    other.create = create_changed;
    for (unsigned i = 0; i < MAX_CASES; i++) {
        struct cosim_report report = {0};
        struct rt_case *c = rt_case_create(rng_mix(7777 + i), false);
        bool equal;

        assert_non_null(c);
        equal = cosim_run(c, &a, &b, &report);
        rt_case_destroy(c);
        if (!equal)
            return i + 1;
    }
    return 0;
}

static void every_parameter_matters(const struct host_engine_ops *engine)
{
    size_t count;
    const struct igpu_param_info *params = igpu_params(&count);
    unsigned unnoticed = 0;

    inner = engine;
    for (size_t i = 0; i < count; i++) {
        unsigned cases;

        if (!is_timing(&params[i]))
            continue;
        cases = cases_until_noticed(&params[i]);
        if (cases == 0) {
            print_error("%s + 1 in %s: not noticed in %d cases\n", params[i].key,
                        engine->name, MAX_CASES);
            unnoticed++;
        } else {
            print_message("%s + 1: noticed in case %u\n", params[i].key, cases);
        }
    }
    assert_int_equal(unnoticed, 0);
}

static void changes_in_the_reference_alone_are_noticed(void **state)
{
    (void)state;
    every_parameter_matters(&host_engine_ref);
}

static void changes_in_the_rtl_alone_are_noticed(void **state)
{
    (void)state;
    every_parameter_matters(&host_engine_rtl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_in_the_reference_alone_are_noticed),
        cmocka_unit_test(changes_in_the_rtl_alone_are_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
