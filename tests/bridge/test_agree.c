/* test_agree.c - `trace verify` and the engines agree on which traces are good:
 * sections with right checksums and changed content, thousands of them, verified and
 * then run on the reference engine. What verify passes must run to its end, with the
 * totals that the trace promises, in every configuration that is large enough. Does not
 * find: a damage that both take for good. TRACE_SEED repeats a run.
 * tests/run: slow */
#include "bridge/host/sim/sim.h"
#include "bridge/programs/cli/run.h"
#include "igpu/ref.h"
#include "tests/support/capture.h"
#include "tests/support/trace_parts.h"

enum { ROUNDS = 2500, THREADS = 6, MAX_CYCLES = 20000000 };

static char good_name[256], bad_name[256];

/* ---- a small trace with everything in it ---------------------------------- */

enum {
    RD,
    MAD,
    RD_XZ,
    WR,
    SLM_RD,
    SCATTERED,
    BLOCK,
    ATOMIC,
    FENCE,
    BARRIER,
    FLUSH,
    SENDS
};

static void every_kind(struct isa_inst *i)
{
    i[RD] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false);
    i[MAD] = mad_inst(40);
    i[RD_XZ] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false);
    i[RD_XZ].msg.comp_mask = 0xa;
    i[WR] = message_inst(20, ISA_MSG_UNTYPED_WRITE, false, true);
    i[SLM_RD] = message_inst(20, ISA_MSG_UNTYPED_READ, true, false);
    i[SLM_RD].msg.addr_model = ISA_ADDR_SLM;
    i[SCATTERED] = message_inst(20, ISA_MSG_SCATTERED_READ, true, false);
    i[SCATTERED].msg.elements = 2;
    i[SCATTERED].msg.element_bytes = 8;
    i[BLOCK] = message_inst(20, ISA_MSG_BLOCK_WRITE, false, true);
    i[BLOCK].msg.block_bytes = 128;
    i[BLOCK].msg.simd = 1;
    i[ATOMIC] = message_inst(20, ISA_MSG_UNTYPED_ATOMIC, true, true);
    i[FENCE] = message_inst(20, ISA_MSG_FENCE, false, false);
    i[FENCE].msg.rlen = 1;
    i[BARRIER] = message_inst(20, ISA_MSG_BARRIER, false, false);
    i[FLUSH] = message_inst(20, ISA_MSG_SAMPLER_FLUSH, false, false);
}

static void put_access(struct trace_thread *t, struct rng *g, uint32_t inst,
                       uint32_t mask)
{
    uint64_t addr[TRACE_MAX_LANES], base = rng_below(g, 1 << 20) * 4u;
    bool affine = rng_below(g, 2);

    for (uint32_t l = 0; l < TRACE_MAX_LANES; l++)
        addr[l] = affine ? base + 4 * l : rng_next(g) & 0xffffc;
    trace_thread_access(t, inst, mask, addr);
}

/* A few laps of the loop, each with all messages, and values of its mads. */
static void put_thread(struct trace_writer *w, const struct trace_kernel *k,
                       uint32_t number, struct rng *g)
{
    static const uint8_t with_access[] = {RD,        RD_XZ, WR,    SLM_RD,
                                          SCATTERED, BLOCK, ATOMIC};
    uint32_t first = k->blocks.block[1].first, laps = 1 + number % 3;
    struct trace_totals totals = {0, 100 + number, 7};
    struct trace_thread *t = trace_thread_begin(w, number);
    struct igpu_err err;

    trace_thread_block(t, 0);
    for (uint32_t i = 0; i < laps; i++) {
        struct fpu_values v = {.inst = first + MAD, .mask = 0xffff};

        trace_thread_block(t, 1);
        for (uint32_t s = 0; s < sizeof(with_access); s++)
            put_access(t, g, first + with_access[s],
                       with_access[s] == BLOCK ? 1 : (uint32_t)rng_next(g) & 0xffff);
        for (uint32_t m = 0; i == 0 && m < k->blocks.block[0].count; m++) {
            v.inst = m;
            trace_thread_values(t, &v);
        }
        v.inst = first + MAD;
        trace_thread_values(t, &v);
    }
    trace_thread_block(t, 2);
    totals.instructions = k->blocks.block[0].count + laps * k->blocks.block[1].count +
                          k->blocks.block[2].count;
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

static void write_good(void)
{
    struct isa_inst body[SENDS];
    struct trace_writer *w = open_writer(good_name);
    struct trace_kernel k;
    struct rng g = {5};
    struct igpu_err err;
    uint32_t index;

    every_kind(body);
    loop_kernel(&k, "every", body, SENDS);
    k.barriers = true;
    k.slm_bytes = 4096;
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    for (uint32_t i = 0; i < 2; i++) {
        struct trace_launch l = plain_launch(0, THREADS / 2, 2);

        l.slm_bytes = 4096;
        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t n = 0; n < THREADS; n++)
            put_thread(w, &k, n, &g);
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

/* ---- both opinions -------------------------------------------------------- */

/* Nothing in the trace may be too large for it. */
static struct igpu_config large_config(void)
{
    struct igpu_config config;

    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    return config;
}

static enum igpu_status run_engine(struct trace_reader *r, struct sim_stats *stats,
                                   struct igpu_err *err)
{
    struct igpu_config config = large_config();
    struct sim_options options = {.engine = &host_engine_ref,
                                  .config = &config,
                                  .last_launch = trace_summary(r)->launches - 1,
                                  .max_cycles = MAX_CYCLES,
                                  .host_threads = 1};
    const struct sim_stats *launch;
    enum sim_state state;
    struct sim *sim;
    uint32_t launches;
    enum igpu_status status = sim_create(&sim, r, &options, err);

    if (status != IGPU_OK)
        return status;
    do
        state = sim_step(sim);
    while (state == SIM_RUNNING);
    *stats = *sim_stats(sim, &launches, &launch);
    status = sim_status(sim, err);
    sim_destroy(sim);
    return state == SIM_STOPPED ? IGPU_STOPPED : status;
}

/* True when verify passes the file; then the engine must run it. */
static bool agree(void)
{
    struct igpu_err err = {.text = ""};
    struct trace_reader *r = trace_open(bad_name, NULL, &err);
    bool good = r && trace_verify(r, &err) == IGPU_OK;

    if (good && trace_summary(r)->launches > 0) {
        const struct trace_summary *s = trace_summary(r);
        struct sim_stats stats;
        enum igpu_status status = run_engine(r, &stats, &err);

        /* IGPU_USAGE: a work-group that the configuration has no room for. */
        if (status != IGPU_OK && status != IGPU_USAGE)
            fail_msg("verify passes what the engine refuses: %s", err.text);
        if (status == IGPU_OK && (stats.run_instructions != s->totals.instructions ||
                                  stats.run_threads_dispatched != s->threads ||
                                  stats.run_flops != s->totals.flops))
            fail_msg("the engine's totals are not the trace's");
    }
    trace_close(r);
    return good;
}

/* ---- tests ---------------------------------------------------------------- */

static int set_up(void **state)
{
    (void)state;
    temp_name(good_name, sizeof(good_name), "agree-good");
    temp_name(bad_name, sizeof(bad_name), "agree-bad");
    write_good();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove(good_name);
    remove(bad_name);
    return 0;
}

static void mutate_rounds(const char *name, uint64_t seed, uint32_t rounds)
{
    struct rng g = {test_seed(seed)};
    struct trace_parts p;
    uint32_t good = 0;

    parts_read(&p, name);
    parts_write(&p, NULL, bad_name);
    assert_true(agree());
    for (uint32_t i = 0; i < rounds; i++) {
        struct trace_part *part = &p.part[rng_below(&g, p.count)];
        struct trace_bytes keep = part->raw, copy = {0};

        trace_bytes_put(&copy, keep.data, keep.size);
        parts_mutate(&g, copy.data, copy.size);
        part->raw = copy;
        parts_write(&p, NULL, bad_name);
        good += agree();
        trace_bytes_free(&copy);
        part->raw = keep;
    }
    printf("%s: %u of %u pass\n", name, good, rounds);
    assert_true(good > 0 && good < rounds);
    parts_free(&p);
}

static void damaged_traces_of_every_message_pass_both_or_neither(void **state)
{
    (void)state;
    mutate_rounds(good_name, 31, ROUNDS);
}

static void damaged_recordings_pass_both_or_neither(void **state)
{
    static const char *const samples[] = {"atomics32", "ext_native", "ids_3d",
                                          "histogram_local", "slm_stream_1"};

    (void)state;
    for (uint32_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        char name[64];

        snprintf(name, sizeof(name), "traces/samples/%s.pb", samples[i]);
        mutate_rounds(name, 40 + i, ROUNDS / 10);
    }
}

/* The last launch promises a FLOP more than its threads have, the footer too. */
static void a_wrong_count_is_refused_before_the_first_cycle(void **state)
{
    const struct engine_set engines = {
        .program = "igpu ref", .engine = &engine_reference_only, .engines = 1};
    char *argv[] = {"ref", "--quiet", bad_name, NULL};
    struct trace_parts p;
    struct trace_bytes *raw;
    Vigpu__Trace__Launch *launch;
    struct capture printed;
    char text[4096];
    size_t size;

    (void)state;
    parts_read(&p, good_name);
    raw = &p.part[p.count - 1].raw;
    assert_int_equal(p.part[p.count - 1].kind, TRACE_KIND_LAUNCH);
    launch = vigpu__trace__launch__unpack(NULL, raw->size, raw->data);
    assert_non_null(launch);
    launch->totals->flops++;
    p.footer->totals->flops++;
    raw->size = 0;
    size = vigpu__trace__launch__get_packed_size(launch);
    vigpu__trace__launch__pack(launch, trace_bytes_extend(raw, size));
    vigpu__trace__launch__free_unpacked(launch, NULL);
    parts_write(&p, NULL, bad_name);
    parts_free(&p);
    capture_begin(&printed, STDERR_FILENO);
    assert_int_equal(run_main(3, argv, &engines), IGPU_BAD_INPUT);
    capture_end(&printed, text, sizeof(text));
    assert_non_null(strstr(text, "launch 1: its totals are not its threads' sums"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_traces_of_every_message_pass_both_or_neither),
        cmocka_unit_test(damaged_recordings_pass_both_or_neither),
        cmocka_unit_test(a_wrong_count_is_refused_before_the_first_cycle),
    };

    return cmocka_run_group_tests_name("agree", tests, set_up, tear_down);
}
