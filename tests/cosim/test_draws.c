/* test_draws.c - random launches of graphics: threads of several draws and shaders,
 * resident together, that wait for others' deliveries. Every engine has the reference's
 * cycles, however the host cuts time into windows, and no payload comes before what its
 * thread needs. IGPU_SEED, IGPU_LONG as in random_run.h.
 * tests/run: timeout=900 slow */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/engine_array.h"
#include "bridge/engines/rtl/engine_rtl.h"
#include "bridge/host/sim/sim.h"
#include "igpu/ref.h"
#include "side_by_side.h"
#include "tests/support/rng.h"
#include "traces/format/trace.h"

enum { MOST_THREADS = 700, MOST_DRAWS = 14, MOST_SHADERS = 6, MOST_LAUNCHES = 3 };
enum { CI_CASES = 12, LONG_CASES = 400, INST_BYTES = 16, SLOTS = 6 * 8 * 7 };

/* Whose code and threads serve as shaders: no barrier and no local memory. */
static const char *const samples[] = {"copy", "triad", "strided_16", "atomics32",
                                      "mandelbrot"};
enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

/* ---- a trace ------------------------------------------------------------- */

struct shader {
    struct trace_reader *from;
    uint32_t first; /* of its payload's message in the kernel */
};

struct maker {
    struct rng r;
    struct trace_writer *w;
    struct trace_reader *sample[SAMPLES];
    struct shader shader[MOST_SHADERS];
    uint32_t shaders, kernel;
    struct isa_kernel_code code;
    struct isa_block_list blocks;
    struct igpu_err err;
};

/* What a launch's threads wait for, as it was written. */
struct told {
    uint32_t launches, threads[MOST_LAUNCHES];
    uint32_t shaders, first[MOST_SHADERS]; /* indices of payloads' messages */
    struct {
        bool pixel;
        uint32_t needed, draw;
    } thread[MOST_LAUNCHES][MOST_THREADS];
};

static struct isa_inst payload_message(struct maker *m, uint32_t pc)
{
    struct isa_inst in = {.op = ISA_OP_SEND,
                          .pc = pc,
                          .size = INST_BYTES,
                          .exec_size = 8,
                          .no_mask = true,
                          .flag = -1,
                          .nsrc = 1,
                          .jip = ISA_NO_TARGET,
                          .uip = ISA_NO_TARGET};

    in.dst = (struct isa_operand){
        .file = ISA_FILE_GRF, .type = ISA_TYPE_UD, .mme = ISA_MME_NONE};
    for (unsigned s = 0; s < ISA_MAX_SRC; s++)
        in.src[s].mme = ISA_MME_NONE;
    in.src[0] = in.dst;
    in.msg.atomic_op = ISA_ATOMIC_NONE;
    in.msg.sfid = ISA_SFID_SPAWNER;
    in.msg.family = ISA_MSG_PAYLOAD;
    in.msg.mlen = 1;
    in.msg.rlen = (uint8_t)rng_in(&m->r, 1, 16);
    in.msg.is_read = in.msg.returns_data = true;
    return in;
}

static void add_shader(struct maker *m)
{
    struct shader *s = &m->shader[m->shaders++];
    const struct isa_kernel_code *own;
    struct isa_inst *to;
    uint32_t base = m->code.text_bytes + INST_BYTES;

    s->from = m->sample[rng_in(&m->r, 0, SAMPLES - 1)];
    own = &trace_kernel(s->from, 0)->code;
    s->first = m->code.count;
    m->code.inst = realloc(m->code.inst, (s->first + 1 + own->count) * sizeof(*to));
    assert_non_null(m->code.inst);
    to = m->code.inst + s->first;
    *to++ = payload_message(m, m->code.text_bytes);
    for (uint32_t i = 0; i < own->count; i++, to++) {
        *to = own->inst[i];
        to->pc += base;
        to->jip += to->jip != ISA_NO_TARGET ? (int32_t)base : 0;
        to->uip += to->uip != ISA_NO_TARGET ? (int32_t)base : 0;
    }
    m->code.count += 1 + own->count;
    m->code.text_bytes = base + own->text_bytes;
}

static void make_kernel(struct maker *m)
{
    struct trace_kernel kernel = {
        .name = "shaders", .simd = 32, .grf_count = ISA_GRF_COUNT, .graphics = true};

    for (uint64_t n = rng_in(&m->r, 1, MOST_SHADERS); n > 0; n--)
        add_shader(m);
    assert_int_equal(isa_blocks(&m->code, &m->blocks, &m->err), IGPU_OK);
    kernel.code = m->code;
    kernel.blocks = m->blocks;
    if (trace_writer_kernel(m->w, &kernel, &m->kernel, &m->err) != IGPU_OK)
        fail_msg("%s", m->err.text);
}

/* A thread of a sample, behind its payload. */
static void write_thread(struct maker *m, uint32_t number, const struct shader *s,
                         const struct trace_graphics *payload)
{
    const struct trace_kernel *own = trace_kernel(s->from, 0);
    uint32_t which = (uint32_t)rng_in(&m->r, 0, trace_launch(s->from, 0)->threads - 1);
    struct trace_cursor *c = trace_cursor_open(s->from, 0, which, NULL, &m->err);
    struct trace_thread *t = trace_thread_begin(m->w, number);
    uint32_t block, begin = m->blocks.block_of[s->first], done = 0;
    struct trace_totals totals;
    struct trace_access a;

    assert_non_null(c);
    trace_thread_block(t, begin);
    for (; trace_cursor_next_block(c, &block, &m->err) == TRACE_NEXT_OK; done++) {
        uint32_t b = m->blocks.block_of[s->first + 1 + own->blocks.block[block].first];

        if (done > 0 || b != begin)
            trace_thread_block(t, b);
    }
    trace_thread_graphics(t, s->first, 0, NULL, payload);
    while (trace_cursor_next_access(c, &a, &m->err) == TRACE_NEXT_OK)
        trace_thread_access(t, s->first + 1 + a.inst, a.mask, a.addr);
    assert_int_equal(trace_cursor_totals(c, &totals, &m->err), IGPU_OK);
    totals.instructions++;
    trace_cursor_close(c);
    if (trace_thread_end(t, &totals, &m->err) != IGPU_OK)
        fail_msg("%s", m->err.text);
}

/* Lines of depth, from eight pages, so that threads meet. */
static void add_depth(struct maker *m, struct trace_payload *payload)
{
    for (uint32_t runs = rng_once_in(&m->r, 3) ? (uint32_t)rng_in(&m->r, 0, 12) : 0;
         runs > 0; runs--) {
        struct trace_depth *run = &payload->depth[payload->runs++];

        run->page = rng_in(&m->r, 0x400, 0x407) * TRACE_DEPTH_PAGE;
        run->how = (uint8_t)rng_in(&m->r, 0, 7);
        run->lines = rng_next(&m->r) & rng_next(&m->r) & rng_next(&m->r);
    }
}

static void add_launch(struct maker *m, struct told *told)
{
    uint32_t l = told->launches++, threads = 0, delivering = 0, needed = 0, draw = 1;
    uint32_t count =
        (uint32_t)rng_in(&m->r, 1, rng_once_in(&m->r, 8) ? MOST_THREADS : 90);
    struct trace_launch launch = {.kernel = m->kernel,
                                  .dims = 1,
                                  .global = {count, 1, 1},
                                  .local = {1, 1, 1},
                                  .threads_per_group = 1,
                                  .threads = count,
                                  .draw = 1};
    uint64_t vertices = rng_in(&m->r, 2, 8), bits = rng_in(&m->r, 0, 8);

    assert_int_equal(trace_writer_launch_begin(m->w, &launch, NULL, &m->err), IGPU_OK);
    for (; threads < count; threads++) {
        struct trace_graphics g = {.family = ISA_MSG_PAYLOAD};
        struct trace_payload *payload = &g.payload;
        bool pixel = !rng_once_in(&m->r, vertices);

        draw += draw < MOST_DRAWS && rng_once_in(&m->r, 20);
        for (uint32_t w = 0; w < TRACE_WORKS; w++)
            payload->work[w] = rng_in(&m->r, 0, UINT64_C(1) << bits);
        if (rng_once_in(&m->r, 3))
            needed += (uint32_t)rng_in(&m->r, 0, delivering - needed);
        payload->needed = pixel || rng_once_in(&m->r, 4) ? needed : 0;
        payload->draw = draw;
        payload->stage = pixel                   ? TRACE_STAGE_PIXEL
                         : rng_once_in(&m->r, 4) ? TRACE_STAGE_GEOMETRY
                                                 : TRACE_STAGE_VERTEX;
        told->thread[l][threads].pixel = pixel;
        told->thread[l][threads].needed = (uint32_t)payload->needed;
        told->thread[l][threads].draw = draw;
        delivering += !pixel;
        add_depth(m, payload);
        write_thread(m, threads, &m->shader[rng_in(&m->r, 0, m->shaders - 1)], &g);
    }
    told->threads[l] = count;
    assert_int_equal(trace_writer_launch_end(m->w, &m->err), IGPU_OK);
}

static void make_trace(const char *path, uint64_t seed, struct told *told)
{
    static const struct trace_header header = {"test_draws", "skl", "",
                                               "",           true,  false};
    struct maker m = {.r = {.state = seed}};
    enum igpu_status status;
    char name[100];

    memset(told, 0, sizeof(*told));
    m.w = trace_writer_open(path, &header, &status, &m.err);
    assert_non_null(m.w);
    for (unsigned i = 0; i < SAMPLES; i++) {
        (void)snprintf(name, sizeof(name), "traces/samples/%s.pb", samples[i]);
        m.sample[i] = trace_open(name, &status, &m.err);
        assert_non_null(m.sample[i]);
    }
    make_kernel(&m);
    for (; told->shaders < m.shaders; told->shaders++)
        told->first[told->shaders] = m.shader[told->shaders].first;
    for (uint64_t n = rng_in(&m.r, 1, MOST_LAUNCHES); n > 0; n--)
        add_launch(&m, told);
    for (unsigned i = 0; i < SAMPLES; i++)
        trace_close(m.sample[i]);
    if (trace_writer_close(m.w, &m.err) != IGPU_OK)
        fail_msg("%s", m.err.text);
    free(m.code.inst);
    isa_blocks_free(&m.blocks);
}

static void make_config(struct igpu_config *c, uint64_t seed)
{
    struct rng r = {.state = seed + 1};

    assert_int_equal(igpu_config_preset(c, "skl-gt2", NULL), IGPU_OK);
    c->ff_latency = rng_once_in(&r, 3) ? 0 : rng_in(&r, 0, 300);
    c->ff_vertex_cycles = rng_in(&r, 0, 8);
    c->ff_primitive_cycles = rng_in(&r, 0, 8);
    c->ff_pixels = rng_in(&r, 1, 64);
    c->disp_launch_cycles = rng_in(&r, 0, 40);
    if (rng_once_in(&r, 2)) {
        c->dp_in_latency = rng_in(&r, 0, 63);
        c->dp_out_latency = rng_in(&r, 1, 63);
        c->disp_start_latency = rng_in(&r, 1, 40);
        c->disp_end_latency = rng_in(&r, 1, 40);
        c->disp_interval = rng_in(&r, 1, 8);
    }
    if (rng_once_in(&r, 3))
        c->eu_count = rng_in(&r, 1, 7);
    if (rng_once_in(&r, 3))
        c->eu_threads = rng_in(&r, 1, 6);
    if (rng_once_in(&r, 3))
        c->gpu_subslices = rng_in(&r, 1, 2);
    if (rng_once_in(&r, 4))
        c->icache_kb = 4;
}

/* ---- a run against the contract ------------------------------------------ */

struct seen {
    uint32_t thread[SLOTS];                           /* in each slot */
    uint64_t made[MOST_THREADS], ended[MOST_THREADS]; /* of a launch */
    uint32_t draws[MOST_DRAWS + 1]; /* threads of each that are resident */
    uint64_t together; /* opens while threads of another draw were resident */
    uint64_t launch[MOST_LAUNCHES];
};

static int by_cycle(const void *left, const void *right)
{
    return sim_event_compare(left, right);
}

static bool others_are_resident(const struct seen *s, uint32_t draw)
{
    for (uint32_t d = 0; d <= MOST_DRAWS; d++)
        if (d != draw && s->draws[d] > 0)
            return true;
    return false;
}

/* An answer to a message that loads a payload; others may be to a thread before. */
static bool loads(const struct told *told, const struct sim_event *e)
{
    for (uint32_t i = 0; i < told->shaders; i++)
        if (e->kind == SIM_ANSWER && e->value == told->first[i])
            return true;
    return false;
}

static void take_event(struct seen *s, const struct told *told, uint32_t l,
                       const struct sim_event *e)
{
    uint32_t slot = (uint32_t)(e->tile * 56 + e->eu * 7 + e->slot), thread;

    if (e->kind == SIM_OPEN) {
        thread = e->value;
        s->thread[slot] = thread;
        s->together += others_are_resident(s, told->thread[l][thread].draw);
        s->draws[told->thread[l][thread].draw]++;
    } else if (loads(told, e)) {
        s->made[s->thread[slot]] = e->cycle;
    } else if (e->kind == SIM_END) {
        thread = s->thread[slot];
        s->ended[thread] = e->cycle;
        s->draws[told->thread[l][thread].draw]--;
    }
}

/* No payload came before what its thread needs. */
static void check_launch(const struct seen *s, const struct told *told, uint32_t l,
                         const struct igpu_config *c)
{
    for (uint32_t i = 0; i < told->threads[l]; i++) {
        uint32_t delivering = 0;

        for (uint32_t k = 0; k < i && delivering < told->thread[l][i].needed; k++) {
            if (told->thread[l][k].pixel)
                continue;
            delivering++;
            assert_true(s->made[i] >= s->ended[k] + c->dp_in_latency + c->ff_latency +
                                          c->dp_out_latency);
        }
        assert_int_equal(delivering, told->thread[l][i].needed);
    }
}

static void run(const char *path, const struct sim_options *options,
                const struct told *told, struct seen *s)
{
    struct igpu_err err = {.text = ""};
    struct trace_reader *reader = trace_open(path, NULL, &err);
    struct sim_options with = *options;
    enum sim_state state = SIM_RUNNING;
    const struct sim_stats *launch;
    static struct sim_event event[1 << 16];
    struct sim *sim;
    uint32_t launches;

    assert_non_null(reader);
    memset(s, 0, sizeof(*s));
    with.log = true;
    with.last_launch = trace_summary(reader)->launches - 1;
    assert_int_equal(sim_create(&sim, reader, &with, &err), IGPU_OK);
    while (state == SIM_RUNNING) {
        uint32_t l = sim_launch(sim), count = 0, n;

        state = sim_step(sim);
        for (unsigned i = 0; i < with.config->gpu_subslices; i++) {
            const struct sim_event *e = sim_events(sim, i, &n);

            for (; n > 0; n--, e++)
                if (e->kind == SIM_OPEN || e->kind == SIM_ANSWER || e->kind == SIM_END)
                    event[count++] = *e;
        }
        qsort(event, count, sizeof(*event), by_cycle);
        for (uint32_t i = 0; i < count; i++)
            take_event(s, told, l, &event[i]);
        if (state != SIM_RUNNING || sim_launch(sim) != l)
            check_launch(s, told, l, with.config);
    }
    (void)sim_status(sim, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(state, SIM_DONE);
    (void)sim_stats(sim, &launches, &launch);
    for (uint32_t i = 0; i < launches; i++)
        s->launch[i] = launch[i].run_cycles;
    sim_destroy(sim);
    trace_close(reader);
}

static void draws_run_side_by_side_as_the_contract_says(void **state)
{
    const char *text = getenv("IGPU_SEED"), *tmp = getenv("IGPU_TMP");
    uint64_t first = text != NULL ? strtoull(text, NULL, 0) : 1, together = 0;
    uint64_t cases = getenv("IGPU_LONG") != NULL ? LONG_CASES : CI_CASES;
    char path[300];

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/draws.pb", tmp != NULL ? tmp : "/tmp");
    for (uint64_t seed = first; seed < first + cases; seed++) {
        static struct seen seen, other;
        static struct told told;
        struct igpu_config config;
        struct sim_options options = {
            .engine = &host_engine_ref, .config = &config, .host_threads = 1};
        struct rng r = {.state = seed + 2};

        make_trace(path, rng_mix(seed), &told);
        make_config(&config, rng_mix(seed));
        run(path, &options, &told, &seen);
        together += seen.together;
        options.window = rng_in(&r, 1, sim_window(&config));
        run(path, &options, &told, &other);
        assert_memory_equal(&seen, &other, sizeof(seen));
        check_side_by_side(path, &config, &host_engine_ref_reverse, seed);
        check_side_by_side(path, &config, &host_engine_rtl, seed);
        if (seed % 6 == 0)
            check_side_by_side(path, &config, &host_engine_array, seed);
        if (seed % 6 == 3)
            check_side_by_side(path, &config, &host_engine_pipe_3x8, seed);
        (void)remove(path);
    }
    print_message("%llu threads opened beside those of another draw\n",
                  (unsigned long long)together);
    assert_true(cases < CI_CASES || together > 100 * cases / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_run_side_by_side_as_the_contract_says)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
