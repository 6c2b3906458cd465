/* random_run.c - see random_run.h. */
#include "random_run.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rng.h"

enum { CI_CASES = 500, LONG_CASES = 2000, MOST_PAIRS = 16 };

struct settings {
    uint64_t cases, seed, first;
    uint64_t commit;  /* seed of further cases, or 0 */
    bool one;         /* case `first` alone */
    bool asked;       /* for cases or a seed */
    const char *pair; /* NULL: all */
};

struct job {
    const struct settings *set;
    const struct random_pair *pair;
    const char *program;
};

static uint64_t case_seed(uint64_t seed, uint64_t index)
{
    return rng_mix(rng_mix(seed) + index);
}

static bool fits(const struct rt_case *c, uint32_t most_uops)
{
    for (uint32_t k = 0; k < c->kernels; k++)
        if (most_uops > 0 && c->kernel[k].count > most_uops)
            return false;
    return true;
}

/* False: it was left out. */
static bool run_case(const struct job *job, uint64_t seed, uint64_t i,
                     struct cosim_report *report)
{
    struct rt_case *c = rt_case_create(case_seed(seed, i), job->pair->large);
    bool equal;

    assert_non_null(c);
    if (!fits(c, job->pair->most_uops)) {
        rt_case_destroy(c);
        return false;
    }
    c->executes = job->pair->executes;
    if (job->pair->subslices > 0)
        rt_case_limit(c, job->pair->subslices, job->pair->eus);
    equal = cosim_run(c, &job->pair->a, &job->pair->b, report);
    rt_case_destroy(c);
    if (!equal)
        fail_msg("case %llu: %s\n  repeat: %s/tests/cosim/%s --pair %s --seed %llu "
                 "--case %llu",
                 (unsigned long long)i, report->text,
                 getenv("IGPU_BUILD") ? getenv("IGPU_BUILD") : "build", job->program,
                 job->pair->name, (unsigned long long)seed, (unsigned long long)i);
    return true;
}

static void run_cases(const struct job *job, uint64_t seed, uint64_t cases,
                      const uint16_t *chosen)
{
    const struct settings *set = job->set;
    struct cosim_report report = {0};
    const struct random_pair *pair = job->pair;
    const bool is_long = getenv("IGPU_LONG") != NULL;
    uint64_t step = is_long && pair->long_every > 0 ? pair->long_every : pair->every;
    uint64_t run = 0;

    if (set->one)
        step = 1;
    else
        report.budget = is_long ? pair->long_budget : pair->budget;
    for (; chosen != NULL && *chosen != NO_CASE; chosen++)
        run += run_case(job, seed, *chosen, &report);
    for (uint64_t i = set->first; i < set->first + cases; i += step)
        run += run_case(job, seed, i, &report);
    print_message("%s: %llu cases of seed %llu equal: %llu cycles, %llu threads, %llu "
                  "instructions, %llu messages\n",
                  job->pair->name, (unsigned long long)run, (unsigned long long)seed,
                  (unsigned long long)report.totals.cycles,
                  (unsigned long long)report.totals.threads,
                  (unsigned long long)report.totals.issues,
                  (unsigned long long)report.totals.messages);
}

static bool has_turn(const struct settings *set, unsigned turns, unsigned turn)
{
    return turns == 0 || set->commit == 0 || set->asked || set->pair != NULL ||
           getenv("IGPU_LONG") != NULL || (set->commit >> 28) % turns == turn;
}

static void engines_agree_in_every_event(void **state)
{
    const struct job *job = *state;
    const struct settings *set = job->set;
    const struct random_pair *pair = job->pair;
    const bool whole = set->asked || getenv("IGPU_LONG") != NULL;
    const uint16_t *chosen = whole ? NULL : pair->chosen;
    uint64_t cases = whole || pair->cases == 0 ? set->cases : pair->cases;

    run_cases(job, set->seed, chosen != NULL ? 0 : cases, chosen);
    if (set->commit != 0 && has_turn(set, pair->own_turns, pair->own_turn))
        run_cases(job, set->commit, cases / 4, NULL);
}

/* ---- settings: environment, then arguments ---- */

static bool set_one(struct settings *set, const char *name, const char *value)
{
    set->asked |= strcmp(name, "pair") != 0;
    if (strcmp(name, "pair") == 0) {
        set->pair = value;
    } else if (strcmp(name, "cases") == 0) {
        set->cases = strtoull(value, NULL, 0);
    } else if (strcmp(name, "seed") == 0) {
        set->seed = strtoull(value, NULL, 0);
        set->commit = 0;
    } else if (strcmp(name, "case") == 0) {
        set->first = strtoull(value, NULL, 0);
        set->cases = 1;
        set->one = true;
        set->commit = 0;
    } else {
        return false;
    }
    return true;
}

static void read_environment(struct settings *set)
{
    static const char *const names[][2] = {{"IGPU_CASES", "cases"},
                                           {"IGPU_SEED", "seed"},
                                           {"IGPU_CASE", "case"},
                                           {"IGPU_PAIR", "pair"}};

    const char *commit = getenv("IGPU_COMMIT");
    char head[9] = "";

    if (getenv("IGPU_LONG") != NULL)
        set->cases = LONG_CASES;
    (void)snprintf(head, sizeof(head), "%s", commit != NULL ? commit : "");
    set->commit = strtoull(head, NULL, 16);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i][0]);

        if (value != NULL)
            (void)set_one(set, names[i][1], value);
    }
}

static bool read_arguments(struct settings *set, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc || strncmp(argv[i], "--", 2) != 0 ||
            !set_one(set, argv[i] + 2, argv[i + 1])) {
            (void)fprintf(stderr,
                          "%s: '%s' is unknown or lacks its value; expected --cases N, "
                          "--seed S, --case I or --pair NAME\n",
                          argv[0], argv[i]);
            return false;
        }
    }
    return true;
}

int random_run(int argc, char **argv, const char *program,
               const struct random_pair *pairs, unsigned count)
{
    struct settings set = {.cases = CI_CASES, .seed = 1};
    struct CMUnitTest tests[MOST_PAIRS];
    struct job jobs[MOST_PAIRS];
    unsigned n = 0;

    read_environment(&set);
    if (!read_arguments(&set, argc, argv))
        return 2;
    assert(count <= MOST_PAIRS);
    for (unsigned i = 0; i < count; i++) {
        if (set.pair != NULL && strcmp(set.pair, pairs[i].name) != 0)
            continue;
        if (!has_turn(&set, pairs[i].turns, pairs[i].turn))
            continue;
        jobs[n] = (struct job){.set = &set, .pair = &pairs[i], .program = program};
        tests[n] = (struct CMUnitTest){.name = pairs[i].name,
                                       .test_func = engines_agree_in_every_event,
                                       .initial_state = &jobs[n]};
        n++;
    }
    if (n == 0) {
        (void)fprintf(stderr, "%s: no pair has the name '%s'\n", argv[0], set.pair);
        return 2;
    }
    return _cmocka_run_group_tests(program, tests, n, NULL, NULL);
}
