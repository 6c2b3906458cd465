/* test_trace_follow.c - threads that do what others did elsewhere, told in bulk, give
 * the bytes that they give block by block and send by send: short ones told at once,
 * with one behind the other at equal distances or not, those that are told of bit by
 * bit, in turns, long ones, and some that do something else.
 *
 *   test_trace_follow [THREADS]    of the launch of the shortest, default 40,000 */
#include "igpu/told.h"
#include "tests/traces/test_trace_util.h"

enum { SENDS = 12, FIRST = 8, LANES = 16, MOST_TOGETHER = 12, MOST_WORDS = 1 << 14 };

static uint32_t most_threads = 40000;

/* How far a thread's sends are from those of the first: by as much each time, also
 * across the first's own place, not at all, by anything, or by as much for a while. */
enum ways { STEADY, ACROSS, STILL, ANYHOW, AT_TIMES, WAYS };

struct plan {
    uint32_t threads, together; /* threads; so many in turns */
    uint32_t turns;             /* of the loop */
    uint32_t sends, groups;     /* of a turn: all in so many groups */
    bool at_once;               /* what a thread does is told in one piece */
    uint32_t odd;               /* one of so many does something else; 0: none */
    bool mixed;                 /* threads are not in order.. */
    uint32_t plain;             /* ..and each so many-th is never told of in bulk */
    enum ways ways;
};

/* What a thread does that is not what others do. */
enum odd {
    NOT,
    OTHER_ADDRESS,
    OTHER_DISTANCE,
    OTHER_LANES,
    LONGER,
    SHORTER,
    OTHER_BLOCK,
    OTHER_TOTALS,
    ODDS
};

struct script {
    uint32_t number, turns, at; /* at: the turn that is another */
    enum odd odd;
    uint64_t way[SENDS];
};

static struct script script_of(const struct plan *p, uint32_t number)
{
    struct rng g = {number + 1};
    struct script s = {.number = number, .turns = p->turns};
    uint64_t n = p->ways == ACROSS ? (uint64_t)number - p->threads / 2 : number;

    if (p->ways == AT_TIMES)
        n = number + number / 50 * 7;
    for (uint32_t i = 0; i < p->sends; i++)
        s.way[i] = p->ways == STILL    ? 0
                   : p->ways == ANYHOW ? rng_next(&g) & 0xfff0
                                       : n * (i % 3) * 64;
    if (p->ways == ACROSS && number == 0)
        memset(s.way, 0, sizeof(s.way));
    if (p->odd != 0 && rng_below(&g, p->odd) == 0)
        s.odd = (enum odd)rng_below(&g, ODDS);
    s.turns += s.odd == LONGER;
    s.turns -= s.odd == SHORTER;
    s.at = (uint32_t)rng_below(&g, p->turns);
    return s;
}

/* ---- what a thread does in a turn ------------------------------------------- */

static uint64_t address_of(const struct script *s, uint32_t turn, uint32_t send)
{
    uint64_t base =
        0x1000000u * (send + 1) + turn * (send % 2 ? 64u : 0u) + s->way[send];

    return base +
           (s->odd == OTHER_ADDRESS && turn == s->at && send == s->at % 2 ? 4 : 0);
}

static uint32_t distance_of(const struct script *s, uint32_t turn, uint32_t send)
{
    return s->odd == OTHER_DISTANCE && turn == s->at && send == 1 ? 8 : send % 3 * 4;
}

static uint32_t block_of(const struct script *s, uint32_t turn)
{
    return s->odd == OTHER_BLOCK && turn == s->at ? 0 : 1;
}

static void one_by_one(struct trace_thread *t, const struct plan *p,
                       const struct script *s, uint32_t turn)
{
    trace_thread_block(t, block_of(s, turn));
    for (uint32_t k = 0; k < p->sends && block_of(s, turn) == 1; k++) {
        uint64_t addr[LANES];

        for (uint32_t i = 0; i < LANES; i++)
            addr[i] = address_of(s, turn, k) + (uint64_t)i * distance_of(s, turn, k);
        trace_thread_access(t, FIRST + k, 0xffff, addr);
    }
}

/* A group of sends from `send` on, with more room than is needed, which holds anything.
 */
static uint64_t *put_group(uint64_t *to, const struct script *s, uint32_t turn,
                           uint32_t send, uint32_t sends)
{
    uint32_t room = sends + turn % 2, at = 1 + 2 * room, lanes = at;
    uint64_t *head = to + 1, *first = head + room;

    for (uint32_t i = 1; i < at; i++)
        to[i] = 0x123456789abcdefu * (s->number + i);
    for (uint32_t k = 0; k < sends; k++) {
        uint64_t base = address_of(s, turn, send + k);
        uint32_t by = distance_of(s, turn, send + k);
        bool apart = s->odd == OTHER_LANES && turn == s->at && k == 0;

        head[k] = told_head(apart ? TOLD_LANES : TOLD_ROW, apart ? LANES : by,
                            FIRST + send + k, 0xffff);
        first[k] = apart ? lanes : base;
        for (uint32_t i = 0; i < LANES; i++)
            to[lanes + i] = base + (uint64_t)i * by;
        lanes += LANES;
    }
    to[0] = told_head(TOLD_GROUP, room, sends, lanes - 1);
    return to + lanes;
}

static uint64_t *put_turn(uint64_t *to, const struct plan *p, const struct script *s,
                          uint32_t turn)
{
    uint32_t each = p->sends / p->groups;

    *to++ = told_head(TOLD_BLOCK, 0, block_of(s, turn), 0);
    for (uint32_t k = 0; k < p->groups && block_of(s, turn) == 1; k++)
        to = put_group(to, s, turn, k * each, each);
    return to;
}

static void all_at_once(struct trace_thread *t, const struct plan *p,
                        const struct script *s)
{
    uint64_t *word = malloc(MOST_WORDS * sizeof(*word)), *to = word;

    assert_non_null(word);
    *to++ = told_head(TOLD_BLOCK, 0, 0, 0);
    for (uint32_t turn = 0; turn < s->turns; turn++)
        to = put_turn(to, p, s, turn);
    *to++ = told_head(TOLD_BLOCK, 0, 2, 0);
    assert_true(to - word <= MOST_WORDS);
    trace_thread_told(t, word, (size_t)(to - word));
    free(word);
}

/* Its first block, a turn, or its last block. */
static void in_parts(struct trace_thread *t, const struct plan *p,
                     const struct script *s, uint32_t part, bool bulk)
{
    uint64_t word[MOST_WORDS / 8], block = part == 0 ? 0 : 2;

    if (part > 0 && part <= s->turns && bulk) {
        trace_thread_told(t, word, (size_t)(put_turn(word, p, s, part - 1) - word));
    } else if (part > 0 && part <= s->turns) {
        one_by_one(t, p, s, part - 1);
    } else if (bulk) {
        word[0] = told_head(TOLD_BLOCK, 0, (uint32_t)block, 0);
        trace_thread_told(t, word, 1);
    } else {
        trace_thread_block(t, (uint32_t)block);
    }
}

static void end(struct trace_thread *t, const struct trace_kernel *k,
                const struct script *s)
{
    const struct isa_block *b = k->blocks.block;
    struct trace_totals totals = {b[0].count + (uint64_t)s->turns * b[1].count +
                                      b[2].count,
                                  s->odd == OTHER_TOTALS ? 8 : 7, 9};
    struct igpu_err err;

    if (s->odd == OTHER_BLOCK)
        totals.instructions += b[0].count - (uint64_t)b[1].count;
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

/* ---- launches ----------------------------------------------------------------- */

static void run_together(struct trace_writer *w, const struct trace_kernel *k,
                         const struct plan *p, uint32_t first, bool bulk)
{
    struct trace_thread *t[MOST_TOGETHER];
    struct script s[MOST_TOGETHER];
    bool is_bulk[MOST_TOGETHER];
    uint32_t left = p->together;

    for (uint32_t i = 0; i < p->together; i++) {
        uint32_t number = first + (p->mixed ? p->together - 1 - i : i);

        s[i] = script_of(p, number);
        assert_non_null(t[i] = trace_thread_begin(w, number));
        is_bulk[i] = bulk && !(p->plain != 0 && number % p->plain == 0);
        if (p->at_once && is_bulk[i])
            all_at_once(t[i], p, &s[i]);
    }
    for (uint32_t part = 0; left > 0; part++)
        for (uint32_t i = 0; i < p->together; i++) {
            if (part > s[i].turns + 1)
                continue;
            if (!p->at_once || !is_bulk[i])
                in_parts(t[i], p, &s[i], part, is_bulk[i]);
            if (part == s[i].turns + 1) {
                end(t[i], k, &s[i]);
                left--;
            }
        }
}

static void write_plan(struct trace_writer *w, const struct trace_kernel *k,
                       uint32_t kernel, const struct plan *p, bool bulk)
{
    struct trace_launch l = plain_launch(kernel, p->threads / p->together, p->together);
    struct igpu_err err;

    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < p->threads; i += p->together)
        run_together(w, k, p, i, bulk);
    assert_ok(trace_writer_launch_end(w, &err), err);
}

/* With so many sends in its loop. */
static void put_kernel(struct trace_kernel *k, uint32_t sends)
{
    struct isa_inst body[SENDS];

    for (uint32_t i = 0; i < sends; i++)
        body[i] = read_inst((uint8_t)(20 + 4 * i));
    loop_kernel(k, "follow", body, sends);
    assert_int_equal(k->blocks.block[1].first, FIRST);
}

static void write_plans(const char *name, const struct plan *plan, uint32_t plans,
                        bool bulk)
{
    struct trace_writer *w = open_writer(name);
    struct trace_kernel k[SENDS];
    struct igpu_err err;
    uint32_t kernel[SENDS];

    for (uint32_t i = 0; i < SENDS; i++) {
        put_kernel(&k[i], i + 1);
        assert_ok(trace_writer_kernel(w, &k[i], &kernel[i], &err), err);
    }
    for (uint32_t i = 0; i < plans; i++)
        write_plan(w, &k[plan[i].sends - 1], kernel[plan[i].sends - 1], &plan[i], bulk);
    assert_ok(trace_writer_close(w, &err), err);
    for (uint32_t i = 0; i < SENDS; i++)
        free_kernel(&k[i]);
}

static void is_sound(const char *name)
{
    struct trace_reader *r = open_reader(name);
    struct igpu_err err;

    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
}

static void is_same(const char *name, const uint8_t *want, size_t size)
{
    size_t bytes;
    uint8_t *got = read_file(name, &bytes);

    assert_int_equal(bytes, size);
    assert_memory_equal(got, want, size);
    free(got);
}

/* Told in bulk or not, compared in vectors or not: the same bytes. */
static void same_bytes(const struct plan *plan, uint32_t plans)
{
    char one[256], bulk[256];
    uint8_t *want;
    size_t size;

    write_plans(temp_name(one, sizeof(one), "alone"), plan, plans, false);
    want = read_file(one, &size);
    write_plans(temp_name(bulk, sizeof(bulk), "follow"), plan, plans, true);
    is_same(bulk, want, size);
    if (plans == 1 && plan->odd == 0) /* others may go ways that the kernel has not */
        is_sound(bulk);
    setenv("IGPU_EMU_PORTABLE", "1", 1);
    write_plans(bulk, plan, plans, true);
    unsetenv("IGPU_EMU_PORTABLE");
    is_same(bulk, want, size);
    free(want);
    remove(one);
    remove(bulk);
}

static void test_short_threads_at_once(void **state)
{
    (void)state;
    for (uint32_t ways = 0; ways < WAYS; ways++) {
        struct plan p = {most_threads, 1, 1, 6, 3, true, 0, false, 0, (enum ways)ways};

        same_bytes(&p, 1);
        p.threads /= 10;
        same_bytes(&p, 1);
        p.plain = 17;
        same_bytes(&p, 1);
        p.together = 4;
        p.mixed = true;
        same_bytes(&p, 1);
        p.odd = 30;
        same_bytes(&p, 1);
        p.together = 1;
        same_bytes(&p, 1);
    }
}

static void test_threads_in_turns(void **state)
{
    static const uint32_t groups[] = {1, 1, 3, 12};

    (void)state;
    for (uint32_t i = 0; i < 4 * WAYS; i++) {
        struct plan p = {
            480, MOST_TOGETHER,     30, SENDS, groups[i % 4], false, 0, false,
            0,   (enum ways)(i / 4)};

        same_bytes(&p, 1);
        p.odd = 20;
        p.mixed = i % 3 == 0;
        same_bytes(&p, 1);
    }
}

static void test_long_threads(void **state)
{
    (void)state;
    for (uint32_t ways = 0; ways < WAYS; ways++) {
        struct plan p = {60, 1, 40, SENDS, 2, true, 0, false, 0, (enum ways)ways};

        same_bytes(&p, 1);
        p.odd = 6;
        same_bytes(&p, 1);
        p.at_once = false;
        p.turns = 600; /* more than one segment */
        same_bytes(&p, 1);
    }
}

/* A kernel's launches of one kind and another, and another kernel's. */
static void test_launches(void **state)
{
    struct rng g = {test_seed(7)};
    struct plan p[24];

    (void)state;
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t together = 1 + (uint32_t)rng_below(&g, MOST_TOGETHER);
        uint32_t groups = 1 + (uint32_t)rng_below(&g, 3);

        p[i] = (struct plan){together * (20 + (uint32_t)rng_below(&g, 60)),
                             together,
                             1 + (uint32_t)rng_below(&g, 20),
                             groups * (1 + (uint32_t)rng_below(&g, 4)),
                             groups,
                             rng_below(&g, 2) == 0,
                             rng_below(&g, 2) ? 2 + (uint32_t)rng_below(&g, 40) : 0,
                             rng_below(&g, 4) == 0,
                             rng_below(&g, 3) ? 0 : 5,
                             (enum ways)rng_below(&g, WAYS)};
    }
    same_bytes(p, 24);
}

/* The last one counts an instruction that its path has not. */
static void test_a_wrong_count(void **state)
{
    struct plan p = {20, 1, 1, 6, 3, true, 0, false, 0, STEADY};
    struct trace_launch l = plain_launch(0, p.threads, 1);
    struct trace_totals totals = {0, 7, 9};
    struct trace_writer *w;
    struct trace_kernel k;
    struct igpu_err err;
    char name[256];

    (void)state;
    w = open_writer(temp_name(name, sizeof(name), "count"));
    put_kernel(&k, p.sends);
    for (uint32_t i = 0; i < 3; i++)
        totals.instructions += k.blocks.block[i].count;
    assert_ok(trace_writer_kernel(w, &k, &l.kernel, &err), err);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    for (uint32_t i = 0; i < p.threads; i++) {
        struct trace_thread *t = trace_thread_begin(w, i);
        struct script s = script_of(&p, i);

        all_at_once(t, &p, &s);
        totals.instructions += i + 1 == p.threads;
        assert_int_equal(trace_thread_end(t, &totals, &err),
                         i + 1 == p.threads ? IGPU_SIM_ERROR : IGPU_OK);
    }
    assert_non_null(strstr(err.text, "instructions counted"));
    assert_int_equal(trace_writer_close(w, &err), IGPU_SIM_ERROR);
    free_kernel(&k);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_threads_at_once),
        cmocka_unit_test(test_threads_in_turns),
        cmocka_unit_test(test_long_threads),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_a_wrong_count),
    };

    if (argc > 1)
        most_threads = (uint32_t)strtoul(argv[1], NULL, 0) / 40 * 40;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
