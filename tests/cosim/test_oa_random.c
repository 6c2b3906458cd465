/* test_oa_random.c - OA reports of random traces: RTL and C reference write the same
 * bytes, by the timer and launch by launch, on random configurations. 30 traces, 300
 * with IGPU_LONG=1; TRACE_SEED starts elsewhere. Does not find: a counter that is wrong
 * in both, as both take the samples of one host loop from their events (test_sample.c
 * and test_oa_sim.sh compare with the statistics). tests/run: timeout=1800 slow */
#include "bridge/engines/rtl/engine_array.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/host/sim/oa_stream.h"
#include "igpu/ref.h"
#include "tests/traces/test_trace_util.h"

enum { CASES = 30, LONG_CASES = 300, BODY = 24, STREAMS = 2 };

/* ---- a random trace -------------------------------------------------------- */

static struct isa_inst message(struct rng *g, enum isa_family family, bool read,
                               bool write)
{
    return message_inst((uint8_t)(20 + 4 * rng_below(g, 8)), family, read, write);
}

static struct isa_inst random_inst(struct rng *g)
{
    struct isa_inst i;

    switch (rng_below(g, 16)) {
    case 0:
        i = message(g, ISA_MSG_UNTYPED_WRITE, false, true);
        break;
    case 1:
        i = message(g, ISA_MSG_UNTYPED_READ, true, false);
        i.msg.addr_model = ISA_ADDR_SLM;
        break;
    case 2:
        i = message(g, ISA_MSG_UNTYPED_WRITE, false, true);
        i.msg.addr_model = ISA_ADDR_SLM;
        break;
    case 3:
        i = message(g, ISA_MSG_SCATTERED_READ, true, false);
        i.msg.elements = 2;
        i.msg.element_bytes = 8;
        break;
    case 4:
        i = message(g, ISA_MSG_BLOCK_WRITE, false, true);
        i.msg.block_bytes = 128;
        i.msg.simd = 1;
        break;
    case 5:
        i = message(g, ISA_MSG_UNTYPED_ATOMIC, true, true);
        break;
    case 6:
        i = message(g, ISA_MSG_FENCE, false, false);
        i.msg.rlen = 1;
        break;
    case 7:
        i = message(g, ISA_MSG_BARRIER, false, false);
        break;
    case 8:
        i = message(g, ISA_MSG_SAMPLER_FLUSH, false, false);
        break;
    case 9:
    case 10:
        i = message(g, ISA_MSG_UNTYPED_READ, true, false);
        break;
    default:
        i = mad_inst((uint8_t)(10 + rng_below(g, 60)));
        break;
    }
    return i;
}

static bool has_access(const struct isa_inst *i)
{
    return i->op == ISA_OP_SEND && !i->eot && (i->msg.is_read || i->msg.is_write);
}

static void put_access(struct trace_thread *t, struct rng *g, uint32_t inst,
                       const struct isa_inst *i)
{
    uint64_t addr[TRACE_MAX_LANES], base = rng_below(g, 1 << 18) * 4u;
    bool affine = rng_below(g, 2), slm = i->msg.addr_model == ISA_ADDR_SLM;
    uint32_t mask =
        i->msg.family == ISA_MSG_BLOCK_WRITE ? 1 : (uint32_t)rng_next(g) & 0xffff;

    for (uint32_t l = 0; l < TRACE_MAX_LANES; l++) {
        addr[l] = affine ? base + 4 * l : rng_next(g) & 0xffffc;
        if (slm)
            addr[l] &= 0xffc;
    }
    trace_thread_access(t, inst, mask, addr);
}

static void put_thread(struct trace_writer *w, const struct trace_kernel *k,
                       uint32_t number, struct rng *g)
{
    const struct isa_block *body = &k->blocks.block[1];
    uint32_t laps = 1 + rng_below(g, 4);
    struct trace_totals totals = {0};
    struct trace_thread *t = trace_thread_begin(w, number);
    struct igpu_err err;

    trace_thread_block(t, 0);
    for (uint32_t lap = 0; lap < laps; lap++) {
        trace_thread_block(t, 1);
        for (uint32_t i = body->first; i < body->first + body->count; i++)
            if (has_access(&k->code.inst[i]))
                put_access(t, g, i, &k->code.inst[i]);
    }
    trace_thread_block(t, 2);
    totals.instructions =
        k->blocks.block[0].count + laps * body->count + k->blocks.block[2].count;
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

static void write_trace(const char *name, struct rng *g)
{
    struct isa_inst body[BODY];
    struct trace_writer *w = open_writer(name);
    uint32_t count = 2 + rng_below(g, BODY - 2), launches = 1 + rng_below(g, 3), index;
    struct trace_kernel k;
    struct igpu_err err;

    for (uint32_t i = 0; i < count; i++)
        body[i] = random_inst(g);
    loop_kernel(&k, "random", body, count);
    k.barriers = true;
    k.slm_bytes = 4096;
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    for (uint32_t i = 0; i < launches; i++) {
        struct trace_launch l =
            plain_launch(0, 1 + rng_below(g, 24), 1 + rng_below(g, 7));

        l.slm_bytes = 4096;
        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t n = 0; n < l.threads; n++)
            put_thread(w, &k, n, g);
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

/* ---- both engines ---------------------------------------------------------- */

static void set(struct igpu_config *config, const char *key, uint32_t value)
{
    struct igpu_err err;
    char text[64];

    (void)snprintf(text, sizeof(text), "%s=%u", key, value);
    assert_ok(igpu_config_set(config, text, &err), err);
}

static void random_config(struct igpu_config *config, struct rng *g)
{
    assert_int_equal(igpu_config_preset(config, "skl-gt2", NULL), IGPU_OK);
    set(config, "gpu.subslices", 1 + rng_below(g, 3));
    set(config, "eu.count", 1 + rng_below(g, 8));
    set(config, "disp.launch_cycles", rng_below(g, 3) * 500);
    if (rng_below(g, 3) == 0)
        set(config, "dp.in_latency", rng_below(g, 40));
    if (rng_below(g, 4) == 0)
        set(config, "llc.size", 1 << 20);
}

struct reports {
    struct oa_stream *stream[STREAMS];
};

static void simulate(const char *name, const struct igpu_config *config,
                     const struct host_engine_ops *engine,
                     const struct oa_stream_options *how, struct reports *out)
{
    struct sim_options options = {.engine = engine,
                                  .config = config,
                                  .host_threads = 1,
                                  .samplers = STREAMS,
                                  .kinds = true};
    struct trace_reader *r = open_reader(name);
    enum sim_state state;
    struct igpu_err err = {.text = ""};
    struct sim *sim;

    for (unsigned i = 0; i < STREAMS; i++) {
        assert_ok(oa_stream_create(&out->stream[i], config, &how[i], &err), err);
        options.sampler[i] = oa_stream_sampler(out->stream[i]);
    }
    options.last_launch = trace_summary(r)->launches - 1;
    assert_ok(sim_create(&sim, r, &options, &err), err);
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    (void)sim_status(sim, &err);
    if (state != SIM_DONE)
        fail_msg("%s: state %d: %s", engine->name, (int)state, err.text);
    for (unsigned i = 0; i < STREAMS; i++)
        assert_ok(oa_stream_finish(out->stream[i], &err), err);
    sim_destroy(sim);
    trace_close(r);
}

static uint32_t one_case(const char *name, uint64_t seed, bool top)
{
    struct rng g = {seed};
    struct igpu_config config;
    struct reports ref, rtl;
    struct igpu_err err;
    uint32_t sets, count = 0, reports = 0;
    const struct oa_set *all = oa_sets(&sets);
    struct oa_stream_options how[STREAMS];

    write_trace(name, &g);
    random_config(&config, &g);
    how[0] = (struct oa_stream_options){&all[rng_below(&g, sets)], OA_EVERY,
                                        rng_below(&g, 3)};
    how[1] = (struct oa_stream_options){&all[rng_below(&g, sets)], OA_PER_LAUNCH, 0};
    simulate(name, &config, &host_engine_ref, how, &ref);
    simulate(name, &config, top ? &host_engine_array : &host_engine_rtl, how, &rtl);
    for (unsigned i = 0; i < STREAMS; i++) {
        if (oa_stream_compare(rtl.stream[i], ref.stream[i], &err) != IGPU_OK)
            fail_msg("TRACE_SEED=%llu: %s", (unsigned long long)seed, err.text);
        (void)oa_stream_reports(ref.stream[i], &count);
        assert_true(count >= 2);
        reports += count;
        oa_stream_destroy(rtl.stream[i]);
        oa_stream_destroy(ref.stream[i]);
    }
    return reports;
}

static void reports_of_random_traces_are_the_same(void **state)
{
    uint32_t cases = getenv("IGPU_LONG") != NULL ? LONG_CASES : CASES;
    uint64_t seed = test_seed(1), reports = 0;
    char name[256];

    (void)state;
    temp_name(name, sizeof(name), "oa-random");
    for (uint32_t i = 0; i < cases; i++)
        reports += one_case(name, seed + i, i % 5 == 4);
    printf("%u traces, %llu reports equal byte for byte\n", cases,
           (unsigned long long)reports);
    (void)remove(name);
}

/* The comparison can fail: by a byte, and by a report too few. */
static void other_reports_are_told(void **state)
{
    struct oa_stream_options how[STREAMS] = {{oa_set_find("ComputeBasic"), OA_EVERY, 0},
                                             {oa_set_find("RenderBasic"), OA_EVERY, 0}};
    struct reports one, two;
    struct igpu_config config;
    struct igpu_err err;
    struct rng g = {3};
    char name[256];

    (void)state;
    temp_name(name, sizeof(name), "oa-other");
    write_trace(name, &g);
    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    simulate(name, &config, &host_engine_ref, how, &one);
    assert_int_equal(oa_stream_compare(one.stream[0], one.stream[1], &err),
                     IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "engines differ in OA report 1 "));
    how[0].exponent = how[1].exponent = 20; /* the begin and the end alone */
    simulate(name, &config, &host_engine_ref, how, &two);
    assert_int_equal(oa_stream_compare(one.stream[0], two.stream[0], &err),
                     IGPU_SIM_ERROR);
    for (unsigned i = 0; i < STREAMS; i++) {
        oa_stream_destroy(one.stream[i]);
        oa_stream_destroy(two.stream[i]);
    }
    (void)remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_reports_are_told),
        cmocka_unit_test(reports_of_random_traces_are_the_same),
    };

    return cmocka_run_group_tests_name("oa_random", tests, NULL, NULL);
}
