/* feeder_rig.h - a one-launch trace, written from stories of its threads, and a feeder
 * that reads it. */
#ifndef IGPU_TEST_FEEDER_RIG_H
#define IGPU_TEST_FEEDER_RIG_H
#include "tests/traces/test_trace_util.h"

#include "igpu/config.h"
#include "traces/feed/feeder.h"

struct record {
    uint32_t inst, mask;
    uint64_t addr, stride; /* lane l: addr + l * stride */
};

struct story {
    const char *blocks; /* the path, one digit each */
    struct record record[12];
    uint32_t records;
};

struct rig {
    char name[256];
    struct trace_reader *reader;
    struct igpu_config config;
    struct feeder *feeder;
};

/* Totals of thread t that executed n instructions. */
static inline struct trace_totals totals_of(uint32_t t, uint64_t n)
{
    return (struct trace_totals){n, 16 * n + t, 100 * (t + 1)};
}

static inline void write_thread(struct trace_writer *w, const struct trace_kernel *k,
                                uint32_t number, const struct story *s)
{
    struct trace_thread *t = trace_thread_begin(w, number);
    struct trace_totals totals;
    struct igpu_err err;
    uint64_t n = 0;

    for (const char *c = s->blocks; *c != '\0'; c++) {
        trace_thread_block(t, (uint32_t)(*c - '0'));
        n += k->blocks.block[*c - '0'].count;
    }
    for (uint32_t i = 0; i < s->records; i++) {
        uint64_t addr[TRACE_MAX_LANES];

        for (uint32_t l = 0; l < TRACE_MAX_LANES; l++)
            addr[l] = s->record[i].addr + l * s->record[i].stride;
        trace_thread_access(t, s->record[i].inst, s->record[i].mask, addr);
    }
    totals = totals_of(number, n);
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

/* Frees *k. */
static inline void write_trace(struct rig *rig, struct trace_kernel *k,
                               struct trace_launch launch, const struct story *story)
{
    struct trace_writer *w =
        open_writer(temp_name(rig->name, sizeof(rig->name), "feeder"));
    struct igpu_err err;

    assert_ok(trace_writer_kernel(w, k, &launch.kernel, &err), err);
    assert_ok(trace_writer_launch_begin(w, &launch, NULL, &err), err);
    for (uint32_t i = 0; i < launch.threads; i++)
        write_thread(w, k, i, &story[i]);
    assert_ok(trace_writer_launch_end(w, &err), err);
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(k);
    assert_int_equal(igpu_config_preset(&rig->config, "skl-gt2", NULL), IGPU_OK);
}

static inline void open_feeder(struct rig *rig)
{
    struct igpu_err err = {.text = ""};

    rig->reader = open_reader(rig->name);
    assert_ok(feeder_create(&rig->feeder, rig->reader, &rig->config, &err), err);
    assert_int_equal(feeder_begin(rig->feeder, 0, &err), IGPU_OK);
}

static inline void make_rig(struct rig *rig, struct trace_kernel *k, uint32_t threads,
                            const struct story *story)
{
    write_trace(rig, k, plain_launch(0, threads, 1), story);
    open_feeder(rig);
}

static inline void end_rig(struct rig *rig)
{
    feeder_destroy(rig->feeder);
    trace_close(rig->reader);
    assert_int_equal(remove(rig->name), 0);
}

static inline void expect_no_error(const struct rig *rig)
{
    struct igpu_err err = {.text = ""};

    assert_ok(feeder_error(rig->feeder, &err), err);
}

static inline void expect_error(const struct rig *rig, const char *text)
{
    struct igpu_err err = {.text = ""};

    assert_int_equal(feeder_error(rig->feeder, &err), IGPU_BAD_INPUT);
    if (strstr(err.text, text) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, text);
}

static inline void expect_run(struct uop_run run, uint32_t pc, uint32_t len)
{
    if (run.pc != pc || run.len != len)
        fail_msg("run of %u at %u; expected %u at %u", run.len, run.pc, len, pc);
}

#endif
