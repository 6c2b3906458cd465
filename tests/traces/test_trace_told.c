/* test_trace_told.c - threads that are told in bulk (igpu/told.h) give the bytes that
 * they give block by block and send by send: rows alone as long as other threads' or
 * longer than a segment, threads that go other ways, and rows among others. */
#include "tests/traces/test_trace_util.h"

enum { THREADS = 96, TOGETHER = 12, INSTS = 7, FIRST = 8, LANES = 16 };

/* What a thread does next: where its log is, and what was told of it send by send. */
struct script {
    struct rng g;
    uint32_t turns, odd; /* turns of its loop; the one that is another, or none */
    enum { SHORTER, LANE_BY_LANE, OTHER_MASK, OTHER_BLOCK } how;
    bool chase; /* all sends of a turn are near to one address */
};

static struct script script_of(uint32_t thread)
{
    /* Six lengths in turn, one of which is several segments. */
    static const uint32_t turns[] = {3, 40, 41, 7, 1100, 12};
    struct script s = {.g = {thread + 1}, .odd = UINT32_MAX};

    /* Alike threads one behind the other, or more shapes together than are kept. */
    s.turns = turns[(thread / TOGETHER % 2 ? thread : thread / 5) % 6];
    if (thread % 3 == 1)
        s.odd = (uint32_t)rng_below(&s.g, s.turns);
    s.how = thread / 3 % 4;
    s.chase = thread % 7 == 6;
    return s;
}

struct group {
    uint64_t word[1 + 2 * TOLD_MOST + INSTS * LANES], addr[INSTS][LANES];
    uint32_t mask[INSTS], sends, words, block;
};

/* The sends of a turn: in columns that stay, step or are anything; with more room than
 * is needed. */
static void make_group(struct script *s, uint32_t thread, uint32_t turn,
                       struct group *g)
{
    uint32_t room = INSTS + turn % 3, at = 1 + 2 * room;
    uint64_t near = rng_next(&s->g) & 0xffffff0;
    bool odd = turn == s->odd;

    g->block = odd && s->how == OTHER_BLOCK ? 0 : 1;
    g->sends = odd && s->how == SHORTER ? INSTS - 2 : INSTS;
    for (uint32_t k = 0; k < g->sends; k++) {
        uint32_t pitch = k % 3 == 0 ? 0 : 4u << k % 3;
        uint64_t base = s->chase ? near + 64 * k
                        : k == 1 ? rng_next(&s->g) & 0xffffff0
                        : k == 2 ? thread * 4096u + turn * 64u
                                 : 0x10000 * k;
        bool lanes = odd && s->how == LANE_BY_LANE && k == 3;

        g->mask[k] = k == 4 || (odd && s->how == OTHER_MASK) ? 0xff : 0xffff;
        for (uint32_t i = 0; i < LANES; i++)
            g->addr[k][i] = lanes ? rng_next(&s->g) & 0xfffc : base + i * pitch;
        g->word[1 + k] = told_head(lanes ? TOLD_LANES : TOLD_ROW, lanes ? LANES : pitch,
                                   FIRST + k, g->mask[k]);
        g->word[1 + room + k] = lanes ? at : base;
        memcpy(g->word + at, g->addr[k], lanes ? sizeof(g->addr[k]) : 0);
        at += LANES;
    }
    g->words = at;
    g->word[0] = told_head(TOLD_GROUP, room, g->sends, at - 1);
}

static void tell(struct trace_thread *t, const struct group *g, bool bulk, uint32_t of)
{
    uint64_t block = told_head(TOLD_BLOCK, 0, g->block, 0),
             all[1 + sizeof(g->word) / 8];

    if (!bulk) {
        trace_thread_block(t, g->block);
        for (uint32_t k = 0; k < g->sends; k++)
            trace_thread_access(t, FIRST + k, g->mask[k], g->addr[k]);
    } else if (of % 3 == 0) { /* the block by itself */
        trace_thread_block(t, g->block);
        trace_thread_told(t, g->word, g->words);
    } else {
        all[0] = block;
        memcpy(all + 1, g->word, g->words * sizeof(*all));
        trace_thread_told(t, all, 1 + g->words);
    }
}

/* Threads take turns at each turn of their loops, as behind barriers. */
static void run_together(struct trace_writer *w, const struct trace_kernel *k,
                         uint32_t first, bool bulk)
{
    struct trace_thread *t[TOGETHER];
    struct script s[TOGETHER];
    uint32_t left = TOGETHER;
    uint64_t per[2];
    struct igpu_err err;

    per[0] = k->blocks.block[0].count;
    per[1] = k->blocks.block[1].count;
    for (uint32_t i = 0; i < TOGETHER; i++) {
        t[i] = trace_thread_begin(w, first + i);
        assert_non_null(t[i]);
        trace_thread_block(t[i], 0);
        s[i] = script_of(first + i);
    }
    for (uint32_t turn = 0; left > 0; turn++)
        for (uint32_t i = 0; i < TOGETHER; i++) {
            struct trace_totals totals = {0, 7, 9};
            struct group g;

            if (turn > s[i].turns)
                continue;
            if (turn < s[i].turns) {
                make_group(&s[i], first + i, turn, &g);
                tell(t[i], &g, bulk, first + i);
                continue;
            }
            trace_thread_block(t[i], 2);
            totals.instructions =
                per[0] + s[i].turns * per[1] + k->blocks.block[2].count;
            if (s[i].odd < s[i].turns && s[i].how == OTHER_BLOCK)
                totals.instructions += per[0] - per[1];
            assert_ok(trace_thread_end(t[i], &totals, &err), err);
            left--;
        }
}

/* A launch of a kernel with so many sends in its loop. */
static void write_launch(struct trace_writer *w, uint32_t sends, bool bulk)
{
    struct trace_launch l = plain_launch(0, THREADS / TOGETHER, TOGETHER);
    struct isa_inst body[INSTS + 1];
    struct trace_kernel k;
    struct igpu_err err;

    for (uint32_t i = 0; i < sends; i++)
        body[i] = read_inst((uint8_t)(20 + 4 * i));
    loop_kernel(&k, "told", body, sends);
    assert_int_equal(k.blocks.block[1].first, FIRST);
    assert_ok(trace_writer_kernel(w, &k, &l.kernel, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < THREADS; i += TOGETHER)
        run_together(w, &k, i, bulk);
    assert_ok(trace_writer_launch_end(w, &err), err);
    free_kernel(&k);
}

/* ---- shapes that are in use ---- */

/* Sends from number `first` on, each a row of words from its address. */
static void send_rows(struct trace_thread *t, bool bulk, uint32_t first, uint32_t sends,
                      const uint64_t *base)
{
    struct group g = {.sends = sends};

    g.word[0] = told_head(TOLD_GROUP, sends, sends, 2 * sends);
    for (uint32_t k = 0; k < sends; k++) {
        for (uint32_t i = 0; i < LANES; i++)
            g.addr[k][i] = base[k] + 4 * i;
        g.word[1 + k] = told_head(TOLD_ROW, 4, FIRST + first + k, 0xffff);
        g.word[1 + sends + k] = base[k];
    }
    if (bulk)
        trace_thread_told(t, g.word, 1 + 2 * sends);
    for (uint32_t k = 0; k < sends && !bulk; k++)
        trace_thread_access(t, FIRST + first + k, 0xffff, g.addr[k]);
}

/* The second send alone; then, behind the first, with another address: that it varies
 * shows only where it is held against itself. Then others, again and again. */
static void send_half(struct trace_thread *t, bool bulk, uint64_t at)
{
    const uint64_t one[] = {at}, two[] = {0x4000, at + 0x100},
                   rest[] = {0x8000, 0xc000};

    send_rows(t, bulk, 1, 1, one);
    send_rows(t, bulk, 0, 2, two);
    for (uint32_t i = 0; i < 20; i++)
        send_rows(t, bulk, 2, 2, rest);
}

static void send_rest(struct trace_thread *t, bool bulk, uint32_t sends)
{
    const uint64_t base[INSTS] = {0x8000, 0xc000, 0x10000, 0x14000, 0x18000};

    for (uint32_t i = 0; i < 20; i++)
        send_rows(t, bulk, 2, sends, base);
}

static struct trace_thread *begin(struct trace_writer *w, uint32_t thread)
{
    struct trace_thread *t = trace_thread_begin(w, thread);

    assert_non_null(t);
    trace_thread_block(t, 0);
    trace_thread_block(t, 1);
    return t;
}

static void end(struct trace_thread *t, const struct trace_kernel *k)
{
    struct trace_totals totals = {0, 7, 9};
    struct igpu_err err;

    trace_thread_block(t, 2);
    for (uint32_t i = 0; i < 3; i++)
        totals.instructions += k->blocks.block[i].count;
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

/* A thread is half done with what one before it did when others, which began before
 * both, end with more shapes than are kept. */
static void write_held(struct trace_writer *w, bool bulk)
{
    enum { OTHERS = 4 };
    struct trace_launch l = plain_launch(0, 3 + OTHERS, 1);
    struct isa_inst body[INSTS];
    struct trace_thread *t, *held, *other[OTHERS];
    struct trace_kernel k;
    struct igpu_err err;

    for (uint32_t i = 0; i < INSTS; i++)
        body[i] = read_inst((uint8_t)(20 + 4 * i));
    loop_kernel(&k, "held", body, INSTS);
    assert_ok(trace_writer_kernel(w, &k, &l.kernel, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < OTHERS; i++) {
        other[i] = begin(w, 2 + i);
        send_rest(other[i], bulk, i == 3 ? 1 : 3 + i);
    }
    t = begin(w, 0);
    send_half(t, bulk, 0x100000);
    send_rest(t, bulk, 2);
    end(t, &k);
    held = begin(w, 1);
    send_half(held, bulk, 0x200000);
    for (uint32_t i = 0; i < OTHERS; i++)
        end(other[i], &k);
    send_rest(held, bulk, 2);
    end(held, &k);
    t = begin(w, 2 + OTHERS);
    send_half(t, bulk, 0x300000);
    send_rest(t, bulk, 2);
    end(t, &k);
    assert_ok(trace_writer_launch_end(w, &err), err);
    free_kernel(&k);
}

static void write_trace(const char *name, bool bulk)
{
    struct trace_writer *w = open_writer(name);
    struct igpu_err err;

    write_held(w, bulk);
    write_launch(w, INSTS, bulk);
    write_launch(w, INSTS + 1, bulk); /* paths of the same blocks, but longer ones */
    assert_ok(trace_writer_close(w, &err), err);
}

static void in_bulk_the_same_bytes(void **state)
{
    char one[256], bulk[256];
    uint8_t *a, *b;
    size_t size, other;

    (void)state;
    write_trace(temp_name(one, sizeof(one), "one"), false);
    write_trace(temp_name(bulk, sizeof(bulk), "bulk"), true);
    a = read_file(one, &size);
    b = read_file(bulk, &other);
    assert_int_equal(size, other);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    remove(one);
    remove(bulk);
}

static void an_instruction_that_does_not_exist(void **state)
{
    struct isa_inst body[1] = {read_inst(20)};
    const uint64_t word[] = {told_head(TOLD_GROUP, 1, 1, 2),
                             told_head(TOLD_ROW, 4, 900, 0xffff), 4096};
    struct trace_launch l = plain_launch(0, 1, 1);
    struct trace_totals totals = {1, 1, 1};
    struct trace_kernel k;
    struct trace_writer *w;
    struct trace_thread *t;
    struct igpu_err err;
    char name[256];
    uint32_t index;

    (void)state;
    w = open_writer(temp_name(name, sizeof(name), "none"));
    loop_kernel(&k, "told", body, 1);
    assert_ok(trace_writer_kernel(w, &k, &index, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    t = trace_thread_begin(w, 0);
    trace_thread_block(t, 0);
    trace_thread_told(t, word, 3);
    assert_int_equal(trace_thread_end(t, &totals, &err), IGPU_SIM_ERROR);
    assert_non_null(strstr(err.text, "instruction 900 does not exist"));
    assert_int_equal(trace_writer_close(w, &err), IGPU_SIM_ERROR);
    free_kernel(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_bulk_the_same_bytes),
        cmocka_unit_test(an_instruction_that_does_not_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
