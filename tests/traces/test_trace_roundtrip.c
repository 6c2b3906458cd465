/* test_trace_roundtrip.c - what was written is what is read: random kernels, paths and
 * accesses, threads interleaved as barriers make them, long threads. */
#include "tests/traces/test_trace_util.h"

enum { MAX_BLOCKS = 40, KERNELS = 3, ROUNDS = 40 };

/* ---- random kernels ----------------------------------------------------- */

static struct isa_operand random_operand(struct rng *g)
{
    struct isa_operand o;

    memset(&o, 0, sizeof(o));
    o.file = (uint8_t)(1 + rng_below(g, ISA_FILE_COUNT - 1));
    o.type = (uint8_t)rng_below(g, ISA_TYPE_COUNT);
    o.mod = (uint8_t)rng_below(g, 4);
    o.indirect = rng_below(g, 2);
    o.vxh = rng_below(g, 2);
    o.reg = (uint8_t)rng_next(g);
    o.subreg = (uint8_t)rng_next(g);
    o.byte = (uint8_t)rng_next(g);
    o.vstride = (uint8_t)rng_next(g);
    o.width = (uint8_t)rng_next(g);
    o.hstride = (uint8_t)rng_next(g);
    o.mme = (int8_t)((int)rng_below(g, 10) - 1);
    o.addr_sub = (uint8_t)rng_next(g);
    o.addr_imm = (int16_t)((int)rng_below(g, 65536) - 32768);
    o.imm = rng_next(g);
    return o;
}

static void random_message(struct rng *g, struct isa_message *m)
{
    m->sfid = (uint8_t)rng_below(g, 14);
    m->family = (uint8_t)(1 + rng_below(g, ISA_MSG_FAMILY_COUNT - 1));
    m->addr_model = (uint8_t)rng_below(g, ISA_ADDR_COUNT);
    m->atomic_op = (uint8_t)rng_below(g, 32);
    m->desc = (uint32_t)rng_next(g);
    m->exdesc = (uint32_t)rng_next(g);
    m->desc_reg = rng_below(g, 2);
    m->exdesc_reg = rng_below(g, 2);
    m->mlen = (uint8_t)rng_next(g);
    m->ext_mlen = (uint8_t)rng_next(g);
    m->rlen = (uint8_t)rng_next(g);
    m->header = rng_below(g, 2);
    m->simd = (uint8_t)rng_next(g);
    m->bti = (uint8_t)rng_next(g);
    m->elements = (uint8_t)rng_next(g);
    m->element_bytes = (uint8_t)rng_next(g);
    m->slot_bytes = (uint8_t)rng_next(g);
    m->comp_mask = (uint8_t)rng_next(g);
    m->slot_group = (uint8_t)rng_next(g);
    m->sub_type = (uint8_t)rng_next(g);
    m->sampler_index = (uint8_t)rng_next(g);
    m->high_half = rng_below(g, 2);
    m->commit = rng_below(g, 2);
    m->returns_data = rng_below(g, 2);
    m->is_read = rng_below(g, 2);
    m->is_write = rng_below(g, 2);
    m->block_bytes = (uint16_t)rng_next(g);
    m->block_unit = (uint16_t)rng_next(g);
    m->scratch_offset = (uint32_t)rng_next(g);
}

/* Any field may have any value that the format holds. */
static struct isa_inst random_inst(struct rng *g)
{
    struct isa_inst i = plain_inst((enum isa_opcode)rng_below(g, ISA_OP_COUNT));

    while (isa_opcode_class((enum isa_opcode)i.op) == ISA_CLASS_BRANCH ||
           isa_opcode_class((enum isa_opcode)i.op) == ISA_CLASS_SEND)
        i.op = (uint8_t)rng_below(g, ISA_OP_COUNT);
    i.compacted = rng_below(g, 2);
    i.size = i.compacted ? 8 : 16;
    i.math = (uint8_t)rng_below(g, ISA_MATH_COUNT);
    i.exec_size = (uint8_t)(1u << rng_below(g, 6));
    i.chan_offset = (uint8_t)(4 * rng_below(g, 8));
    i.no_mask = rng_below(g, 2);
    i.pred = (uint8_t)rng_below(g, ISA_PRED_COUNT);
    i.pred_inverse = rng_below(g, 2);
    i.cmod = (uint8_t)rng_below(g, ISA_CMOD_COUNT);
    i.flag = (int8_t)((int)rng_below(g, 5) - 1);
    i.saturate = rng_below(g, 2);
    i.acc_wr_en = rng_below(g, 2);
    i.thread_switch = rng_below(g, 2);
    i.branch_ctrl = rng_below(g, 2);
    i.nsrc = (uint8_t)rng_below(g, ISA_MAX_SRC + 1);
    if (rng_below(g, 4))
        i.dst = random_operand(g);
    for (int s = 0; s < i.nsrc; s++)
        i.src[s] = random_operand(g);
    if (rng_below(g, 8) == 0) {
        /* Those without an access record, and what no send with the rest can be. */
        static const uint8_t families[] = {ISA_MSG_UNSUPPORTED, ISA_MSG_SAMPLER_FLUSH,
                                           ISA_MSG_FENCE, ISA_MSG_GATEWAY};

        i.op = ISA_OP_SENDS;
        random_message(g, &i.msg);
        i.msg.family = families[rng_below(g, sizeof(families))];
        i.msg.is_read = i.msg.is_write = false;
        i.msg.block_bytes %= 257;
        i.msg.element_bytes = 1;
    }
    return i;
}

/* Of as many lanes as an access can have. */
static struct isa_inst wide_read(uint8_t dst)
{
    struct isa_inst i = read_inst(dst);

    i.msg.simd = TRACE_MAX_LANES;
    return i;
}

/* A block's last instruction: falls through, jumps, branches, or returns. */
static void end_block(struct rng *g, struct trace_kernel *k, uint32_t b,
                      uint32_t blocks)
{
    static const enum isa_opcode ops[] = {ISA_OP_JMPI, ISA_OP_IF, ISA_OP_GOTO,
                                          ISA_OP_RET};
    /* The block before the last branches, so that a path can avoid the last. */
    uint32_t kind = rng_below(g, b + 2 == blocks ? 4 : 6);
    struct isa_inst i = kind < 4 ? plain_inst(ops[kind]) : wide_read(20);
    struct isa_block *block;

    if (kind > 0 && kind < 4)
        i.jip = i.uip = (int32_t)rng_below(g, 1000) * 8;
    add_inst(k, i);
    block = add_block(k);
    if (kind != 0 && kind != 3)
        block->succ[block->nsucc++] = b + 1;
    if (kind < 3)
        block->succ[block->nsucc++] = (b + 2 + rng_below(g, blocks - 2)) % blocks;
    if (kind == 2)
        block->succ[block->nsucc++] = (block->succ[1] + 1) % blocks;
    if (kind == 2 && block->succ[2] == b + 1)
        block->nsucc = 2;
    block->is_dynamic = kind == 3;
    block->is_call = rng_below(g, 10) == 0;
}

static void random_kernel(struct rng *g, struct trace_kernel *k, const char *name)
{
    uint32_t blocks = 4 + rng_below(g, MAX_BLOCKS - 4);

    make_kernel(k, name, blocks * 16, blocks);
    k->simd = 8u << rng_below(g, 3);
    k->slm_bytes = rng_below(g, 65536);
    k->source_hash = rng_next(g);
    k->barriers = rng_below(g, 2);
    for (uint32_t b = 0; b + 1 < blocks; b++) {
        for (uint32_t i = rng_below(g, 10); i > 0; i--)
            add_inst(k, rng_below(g, 4) ? random_inst(g) : wide_read(30));
        end_block(g, k, b, blocks);
    }
    add_inst(k, eot_inst());
    add_block(k)->ends_thread = true;
}

/* ---- random threads ----------------------------------------------------- */

struct thread_log {
    uint32_t *block, nblocks;
    struct trace_access *access;
    uint32_t naccesses;
    bool rows; /* nothing but rows of addresses */
    struct trace_totals totals;
};

struct launch_log {
    struct trace_launch launch;
    struct thread_log *thread;
};

/* Room for one element more than `count`: doubles at each power of two. */
static void *grown(void *array, uint32_t count, size_t width)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * (size_t)count : 1) * width);
    assert_non_null(array);
    return array;
}

/* How the addresses of a send go on, to meet every form of the encoder. */
static void random_addresses(struct rng *g, uint32_t inst, uint32_t turn,
                             struct trace_access *a)
{
    uint64_t base = 0x100000000u * (inst % 3) + 64u * turn;
    uint32_t style = (inst + turn / 50) % 6;

    a->mask = style == 4 ? (uint32_t)rng_next(g) : style == 5 ? 1u : 0xffffu;
    if (rng_below(g, 20) == 0)
        a->mask = rng_below(g, 2) ? 0 : (uint32_t)rng_next(g);
    for (uint32_t l = 0; l < TRACE_MAX_LANES; l++) {
        uint64_t addr = base + 4u * l;

        if (style == 1)
            addr = rng_next(g);
        if (style == 2)
            addr = base + 64 * (rng_next(g) & 0xfffff);
        if (style == 3)
            addr = base - 12u * l + (l & 4) * 4096;
        a->addr[l] = a->mask & (1u << l) ? addr : 0;
    }
}

/* Of a thread that has nothing but rows. */
static void row_addresses(struct rng *g, uint32_t inst, uint32_t turn,
                          struct trace_access *a)
{
    uint64_t base = 0x100000000u * (inst % 3) + 64u * turn,
             pitch = 4 + rng_below(g, 60);

    a->mask = 0xffffu;
    for (uint32_t l = 0; l < TRACE_MAX_LANES; l++)
        a->addr[l] = a->mask & (1u << l) ? base + pitch * l : 0;
}

static void random_accesses(struct rng *g, const struct trace_kernel *k, uint32_t block,
                            struct thread_log *t)
{
    const struct isa_block *b = &k->blocks.block[block];

    for (uint32_t i = b->first; i < b->first + b->count; i++) {
        if (!k->code.inst[i].msg.is_read)
            continue;
        t->access = grown(t->access, t->naccesses, sizeof(*t->access));
        t->access[t->naccesses].inst = i;
        (t->rows ? row_addresses : random_addresses)(g, i, t->naccesses,
                                                     &t->access[t->naccesses]);
        t->naccesses++;
    }
    t->totals.instructions += b->count;
    t->totals.lane_instructions += b->count * rng_below(g, 17);
    t->totals.flops += rng_below(g, 100);
}

static bool may_leave(const struct trace_kernel *k, uint32_t block)
{
    const struct isa_block *b = &k->blocks.block[block];

    return isa_opcode_class(
               (enum isa_opcode)k->code.inst[b->first + b->count - 1].op) ==
           ISA_CLASS_BRANCH;
}

static void random_thread(struct rng *g, const struct trace_kernel *k, uint32_t steps,
                          struct thread_log *t)
{
    uint32_t now = 0, bias = rng_below(g, 8);

    memset(t, 0, sizeof(*t));
    t->rows = rng_below(g, 4) == 0;
    for (uint32_t i = 0;; i++) {
        const struct isa_block *b = &k->blocks.block[now];

        t->block = grown(t->block, i, sizeof(*t->block));
        t->block[i] = now;
        t->nblocks = i + 1;
        random_accesses(g, k, now, t);
        if (b->ends_thread)
            return;
        if (i >= steps && may_leave(k, now))
            now = k->blocks.count - 1;
        else if (b->nsucc == 0 || (may_leave(k, now) && rng_below(g, 30) == 0))
            now = rng_below(g, k->blocks.count - 1);
        else
            now = b->succ[rng_below(g, 8) < bias ? 0 : rng_below(g, b->nsucc)];
        if (i < steps && now == k->blocks.count - 1)
            now = rng_below(g, k->blocks.count - 1);
    }
}

static void free_launch(struct launch_log *l)
{
    for (uint32_t t = 0; t < l->launch.threads; t++) {
        free(l->thread[t].block);
        free(l->thread[t].access);
    }
    free(l->thread);
}

/* Write one launch, `open` threads at a time, in turns of random length. */
static void write_launch(struct rng *g, struct trace_writer *w, struct launch_log *l,
                         uint32_t open)
{
    struct trace_thread *t[64] = {0};
    uint32_t at[64][2] = {{0}}, id[64], next = 0, ended = 0;
    struct igpu_err err;

    assert_ok(trace_writer_launch_begin(w, &l->launch, NULL, &err), err);
    while (ended < l->launch.threads) {
        uint32_t s = rng_below(g, open);
        const struct thread_log *log;

        if (!t[s] && next == l->launch.threads)
            continue;
        if (!t[s]) {
            id[s] = next++;
            at[s][0] = at[s][1] = 0;
            t[s] = trace_thread_begin(w, id[s]);
            assert_non_null(t[s]);
        }
        log = &l->thread[id[s]];
        for (uint32_t n = rng_below(g, 2000); n > 0 && at[s][0] < log->nblocks; n--)
            trace_thread_block(t[s], log->block[at[s][0]++]);
        for (uint32_t n = rng_below(g, 2000); n > 0 && at[s][1] < log->naccesses; n--) {
            const struct trace_access *a = &log->access[at[s][1]++];

            trace_thread_access(t[s], a->inst, a->mask, a->addr);
        }
        if (at[s][0] == log->nblocks && at[s][1] == log->naccesses) {
            assert_ok(trace_thread_end(t[s], &log->totals, &err), err);
            t[s] = NULL;
            ended++;
        }
    }
    assert_ok(trace_writer_launch_end(w, &err), err);
}

/* ---- comparison --------------------------------------------------------- */

static void compare_kernel(const struct trace_kernel *a, const struct trace_kernel *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->build_options, b->build_options);
    assert_int_equal(a->source_hash, b->source_hash);
    assert_int_equal(a->simd, b->simd);
    assert_int_equal(a->slm_bytes, b->slm_bytes);
    assert_int_equal(a->grf_count, b->grf_count);
    assert_int_equal(a->barriers, b->barriers);
    assert_int_equal(a->code.count, b->code.count);
    assert_int_equal(a->code.text_bytes, b->code.text_bytes);
    assert_memory_equal(a->code.inst, b->code.inst,
                        a->code.count * sizeof(*a->code.inst));
    assert_int_equal(a->blocks.count, b->blocks.count);
    assert_memory_equal(a->blocks.block, b->blocks.block,
                        a->blocks.count * sizeof(*a->blocks.block));
    assert_memory_equal(a->blocks.block_of, b->blocks.block_of,
                        a->code.count * sizeof(*a->blocks.block_of));
}

/* Read a launch with all cursors open, each stream at its own pace. */
static void compare_launch(struct rng *g, struct trace_reader *r, uint32_t launch,
                           const struct launch_log *l)
{
    uint32_t n = l->launch.threads, done = 0;
    struct trace_cursor **c = calloc(n, sizeof(struct trace_cursor *));
    uint32_t(*at)[2] = calloc(n, sizeof(*at));
    struct igpu_err err;

    assert_non_null(c);
    assert_non_null(at);
    for (uint32_t t = 0; t < n; t++)
        c[t] = trace_cursor_open(r, launch, t, NULL, &err);
    while (done < n) {
        uint32_t t = rng_below(g, n), block;
        const struct thread_log *log = &l->thread[t];
        struct trace_access access;
        struct trace_totals totals;

        if (!c[t])
            continue;
        for (uint32_t k = rng_below(g, 3000); k > 0 && at[t][0] < log->nblocks; k--) {
            assert_int_equal(trace_cursor_next_block(c[t], &block, &err),
                             TRACE_NEXT_OK);
            assert_int_equal(block, log->block[at[t][0]++]);
        }
        for (uint32_t k = rng_below(g, 3000); k > 0 && at[t][1] < log->naccesses; k--) {
            assert_int_equal(trace_cursor_next_access(c[t], &access, &err),
                             TRACE_NEXT_OK);
            assert_memory_equal(&access, &log->access[at[t][1]++], sizeof(access));
        }
        if (rng_below(g, 4) == 0) {
            assert_ok(trace_cursor_totals(c[t], &totals, &err), err);
            assert_memory_equal(&totals, &log->totals, sizeof(totals));
        }
        if (at[t][0] < log->nblocks || at[t][1] < log->naccesses)
            continue;
        assert_int_equal(trace_cursor_next_block(c[t], &block, &err), TRACE_NEXT_END);
        assert_int_equal(trace_cursor_next_access(c[t], &access, &err), TRACE_NEXT_END);
        assert_int_equal(trace_cursor_next_block(c[t], &block, &err), TRACE_NEXT_END);
        trace_cursor_close(c[t]);
        c[t] = NULL;
        done++;
    }
    free(c);
    free(at);
}

/* Accesses of some instructions, the others passed over. */
static void compare_some(struct rng *g, struct trace_reader *r, uint32_t launch,
                         const struct launch_log *l)
{
    uint32_t insts = trace_kernel(r, l->launch.kernel)->code.count;
    bool *wanted = calloc(insts, sizeof(*wanted));
    struct igpu_err err;

    assert_non_null(wanted);
    for (uint32_t t = 0; t < l->launch.threads; t++) {
        struct trace_cursor *c = trace_cursor_open(r, launch, t, NULL, &err);
        uint64_t addr[TRACE_MAX_LANES], stride;
        uint32_t inst, mask;
        bool even;

        for (uint32_t i = 0; i < insts; i++)
            wanted[i] = rng_below(g, 2) != 0;
        for (uint32_t k = 0; k < l->thread[t].naccesses; k++) {
            const struct trace_access *a = &l->thread[t].access[k];
            uint32_t lane = 0;

            if (!wanted[a->inst])
                continue;
            assert_int_equal(trace_cursor_next_of(c, wanted, &inst, &mask, addr, &even,
                                                  &stride, &err),
                             TRACE_NEXT_OK);
            assert_int_equal(inst, a->inst);
            assert_int_equal(mask, a->mask);
            for (uint32_t m = mask; m; m &= m - 1, lane++)
                assert_int_equal(even ? addr[0] + lane * stride : addr[lane],
                                 a->addr[__builtin_ctz(m)]);
        }
        assert_int_equal(
            trace_cursor_next_of(c, wanted, &inst, &mask, addr, &even, &stride, &err),
            TRACE_NEXT_END);
        trace_cursor_close(c);
    }
    free(wanted);
}

/* ---- tests -------------------------------------------------------------- */

static const uint8_t arg_bytes[5] = {1, 2, 3, 4, 5};
static const struct trace_arg args[] = {
    {TRACE_ARG_BUFFER, 1u << 20, 0x100000000u, NULL},
    {TRACE_ARG_VALUE, sizeof(arg_bytes), 0, arg_bytes},
    {TRACE_ARG_LOCAL, 512, 0, NULL}};

/* protobuf's strings are UTF-8: readers in other languages refuse the rest. */
static void test_strings_become_utf8(void **state)
{
    static const struct {
        const char *given, *kept;
    } cases[] = {
        {"na\xC3\xAFve \xF0\x9F\x98\x80.cl", "na\xC3\xAFve \xF0\x9F\x98\x80.cl"},
        {"na\xEFve.cl", "na?ve.cl"},
        {"\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80", "?????????"},
        {"cut \xE2\x82", "cut ??"}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct trace_header header = {"test",         "skl", cases[i].given,
                                      cases[i].given, false, false};
        char path[256];
        struct trace_writer *w;
        struct trace_reader *r;
        struct igpu_err err;

        w = trace_writer_open(temp_name(path, sizeof(path), "utf8"), &header, NULL,
                              &err);
        assert_non_null(w);
        assert_ok(trace_writer_close(w, &err), err);
        r = open_reader(path);
        assert_string_equal(trace_header(r)->program, cases[i].kept);
        assert_string_equal(trace_header(r)->command_line, cases[i].kept);
        trace_close(r);
        remove(path);
    }
    (void)state;
}

static void compare_header(struct trace_reader *r)
{
    const struct trace_launch *l = trace_launch(r, 0);

    assert_string_equal(trace_header(r)->producer, "test 1.0");
    assert_string_equal(trace_header(r)->device, "skl");
    assert_string_equal(trace_header(r)->program, "test.cl");
    assert_string_equal(trace_header(r)->command_line, "igpu record -k test");
    assert_int_equal(l->nargs, 3);
    assert_int_equal(l->args[0].address, 0x100000000u);
    assert_int_equal(l->args[0].bytes, 1u << 20);
    assert_int_equal(l->args[1].bytes, sizeof(arg_bytes));
    assert_memory_equal(l->args[1].value, arg_bytes, sizeof(arg_bytes));
    assert_int_equal(l->args[2].kind, TRACE_ARG_LOCAL);
    assert_int_equal(l->args[2].bytes, 512);
}

/* How many thread sections a trace has. */
static uint32_t thread_sections(struct trace_reader *r)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < trace_summary(r)->chunks; i++)
        n += strcmp(trace_chunk(r, i).kind, "threads") == 0;
    return n;
}

/* A trace of random kernels and threads of up to `steps` blocks, there and back, with
 * at least `sections` thread sections. */
static void one_round(uint64_t seed, uint32_t steps, uint32_t sections)
{
    struct rng g = {seed};
    struct trace_kernel kernel[KERNELS];
    struct launch_log log[4];
    uint32_t launches = 1 + rng_below(&g, 4), index;
    char name[256];
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "roundtrip"));
    struct trace_reader *r;
    struct igpu_err err;

    for (uint32_t k = 0; k < KERNELS; k++) {
        random_kernel(&g, &kernel[k], k ? "other" : "first");
        assert_ok(trace_writer_kernel(w, &kernel[k], &index, &err), err);
        assert_int_equal(index, k);
    }
    for (uint32_t i = 0; i < launches; i++) {
        struct launch_log *l = &log[i];

        l->launch = plain_launch(rng_below(&g, KERNELS), 1 + rng_below(&g, 20),
                                 1 + rng_below(&g, 4));
        l->launch.nargs = 3;
        l->launch.args = args;
        l->thread = calloc(l->launch.threads, sizeof(*l->thread));
        assert_non_null(l->thread);
        for (uint32_t t = 0; t < l->launch.threads; t++)
            random_thread(&g, &kernel[l->launch.kernel], rng_below(&g, steps),
                          &l->thread[t]);
        write_launch(&g, w, l, 1 + rng_below(&g, 64));
    }
    assert_ok(trace_writer_close(w, &err), err);
    r = open_reader(name);
    assert_true(thread_sections(r) >= sections);
    compare_header(r);
    for (uint32_t k = 0; k < KERNELS; k++)
        compare_kernel(trace_kernel(r, k), &kernel[k]);
    for (uint32_t i = 0; i < launches; i++) {
        compare_launch(&g, r, i, &log[i]);
        compare_some(&g, r, i, &log[i]);
    }
    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
    remove(name);
    for (uint32_t i = 0; i < launches; i++)
        free_launch(&log[i]);
    for (uint32_t k = 0; k < KERNELS; k++)
        free_kernel(&kernel[k]);
}

static void test_random_traces_come_back_unchanged(void **state)
{
    uint64_t seed = test_seed(1);

    (void)state;
    for (uint32_t i = 0; i < ROUNDS; i++)
        one_round(seed + i, i % 4 ? 300 : 3, 1);
}

static void test_long_random_threads_come_back_unchanged(void **state)
{
    (void)state;
    one_round(test_seed(100), 30000, 8);
    one_round(test_seed(101), 6000, 2);
}

static void test_an_empty_trace_is_valid(void **state)
{
    char name[256];
    struct igpu_err err;
    struct trace_writer *w = open_writer(temp_name(name, sizeof(name), "empty"));
    struct trace_reader *r;

    (void)state;
    assert_ok(trace_writer_close(w, &err), err);
    r = open_reader(name);
    assert_int_equal(trace_summary(r)->launches, 0);
    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
    remove(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traces_come_back_unchanged),
        cmocka_unit_test(test_long_random_threads_come_back_unchanged),
        cmocka_unit_test(test_an_empty_trace_is_valid),
        cmocka_unit_test(test_strings_become_utf8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
