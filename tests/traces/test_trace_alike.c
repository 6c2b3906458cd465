/* test_trace_alike.c - threads of which the writer hears only that they are like others
 * (traces/format/trace_alike.h) give the bytes that they give when they are told of:
 * rows, lanes that lie anyhow, single lanes and none; equal steps from group to group,
 * none, and any; with groups in between that are told of, in launches one after the
 * other; and threads that are too long for one piece are refused.
 *
 *   test_trace_alike [PART]       one of so many groups */
#include "igpu/told.h"
#include "tests/traces/test_trace_util.h"

enum { SENDS = 6, FIRST = 8, LANES = 16, GROUPS = 1500 };

/* How lanes of a send lie, and how far a group's sends are from the first one's. */
enum lanes { ROWS, ANYHOW, ONE, MIXED, LANES_KINDS };
enum ways { STEADY, STILL, AT_TIMES, ANY, FAR, WAYS };

static uint32_t part = 1; /* one of so many groups */

struct plan {
    uint32_t groups, turns;
    enum lanes lanes;
    enum ways ways;
    uint32_t told;     /* groups that are told of, in bulk: is_told(); 0: none */
    uint32_t together; /* threads of a group.. */
    uint32_t apart;    /* ..and turns that each thread of a group has more than the one
                          before */
};

static uint32_t groups_of(const struct plan *p)
{
    return p->groups / part;
}

static uint32_t turns_of(const struct plan *p, uint32_t index)
{
    return p->turns + index * (p->apart + 1);
}

static uint64_t way_of(const struct plan *p, uint32_t group, uint32_t send)
{
    struct rng g = {group * SENDS + send + 1};

    switch (p->ways) {
    case STEADY:
        return (uint64_t)group * (send % 3) * 64;
    case AT_TIMES:
        return (group + group / 40 * 5) * (uint64_t)send * 4;
    case ANY:
        return group == 0 || rng_below(&g, 4) == 0 ? 0 : rng_next(&g) & 0xFFFFFC;
    case FAR:
        return group == 0 ? 0 : rng_next(&g) & 0xFFFFFFFFFFFC;
    default:
        return 0;
    }
}

static uint32_t mask_of(const struct plan *p, uint32_t index, uint32_t turn,
                        uint32_t send)
{
    if (p->lanes == ONE || (p->lanes == MIXED && send == 1))
        return 1u << (turn + index) % LANES;
    if (p->lanes == MIXED && (send == 5 || (send == 2 && turn % 2)))
        return 0;
    return p->lanes == MIXED && send == 3 ? 0xF0F0 : 0xFFFF;
}

static void find_addresses(const struct plan *p, uint32_t index, uint32_t turn,
                           uint32_t send, uint64_t way, uint64_t *addr)
{
    struct rng g = {index * 1000 + turn * SENDS + send + 1};
    uint64_t base = 0x1000000u * (send + 1) + index * 0x800u + turn * 64u + way;
    bool anyhow = p->lanes == ANYHOW || (p->lanes == MIXED && send == 0);

    for (uint32_t i = 0; i < LANES; i++)
        addr[i] = base + (anyhow ? rng_next(&g) & 0xFFFC : i * 4u);
}

static struct trace_totals totals_of(const struct trace_kernel *k, const struct plan *p,
                                     uint32_t group, uint32_t index)
{
    const struct isa_block *b = k->blocks.block;
    uint64_t turns = turns_of(p, index);

    return (struct trace_totals){b[0].count + turns * b[1].count + b[2].count,
                                 p->ways == ANY ? group % 7 : 7, 9};
}

/* A turn of rows, as translated code tells it. */
static size_t put_turn(const struct plan *p, uint32_t group, uint32_t index,
                       uint32_t turn, uint64_t *to)
{
    to[0] = told_head(TOLD_BLOCK, 0, 1, 0);
    to[1] = told_head(TOLD_GROUP, SENDS, SENDS, 2 * SENDS);
    for (uint32_t send = 0; send < SENDS; send++) {
        uint64_t addr[LANES];

        find_addresses(p, index, turn, send, way_of(p, group, send), addr);
        to[2 + send] = told_head(TOLD_ROW, 4, FIRST + send, 0xFFFF);
        to[2 + SENDS + send] = addr[0];
    }
    return 2 + 2 * SENDS;
}

static void tell_in_bulk(struct trace_thread *t, const struct plan *p, uint32_t group,
                         uint32_t index)
{
    uint64_t *word = malloc((turns_of(p, index) + 1) * (2 + 2 * SENDS) * sizeof(*word));
    size_t words = 1;

    assert_non_null(word);
    word[0] = told_head(TOLD_BLOCK, 0, 0, 0);
    for (uint32_t turn = 0; turn < turns_of(p, index); turn++)
        words += put_turn(p, group, index, turn, word + words);
    word[words++] = told_head(TOLD_BLOCK, 0, 2, 0);
    trace_thread_told(t, word, words);
    free(word);
}

static void tell_one_by_one(struct trace_thread *t, const struct plan *p,
                            uint32_t group, uint32_t index)
{
    trace_thread_block(t, 0);
    for (uint32_t turn = 0; turn < turns_of(p, index); turn++) {
        trace_thread_block(t, 1);
        for (uint32_t send = 0; send < SENDS; send++) {
            uint64_t addr[LANES];

            find_addresses(p, index, turn, send, way_of(p, group, send), addr);
            trace_thread_access(t, FIRST + send, mask_of(p, index, turn, send), addr);
        }
    }
    trace_thread_block(t, 2);
}

static void tell(struct trace_writer *w, const struct trace_kernel *k,
                 const struct plan *p, uint32_t group, uint32_t index)
{
    struct trace_thread *t = trace_thread_begin(w, group * p->together + index);
    struct trace_totals totals = totals_of(k, p, group, index);
    struct igpu_err err;

    assert_non_null(t);
    (p->told != 0 && p->lanes == ROWS ? tell_in_bulk : tell_one_by_one)(t, p, group,
                                                                        index);
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

static void add_alike(struct trace_writer *w, const struct trace_kernel *k,
                      const struct plan *p, uint32_t group, uint32_t index)
{
    struct trace_totals totals = totals_of(k, p, group, index);
    uint32_t inst[SENDS], sends = 0;
    uint64_t way[SENDS];

    for (uint32_t send = SENDS; send-- > 0;) /* in any order, but for some at 0 */
        if (way_of(p, group, send) != 0 || send % 2) {
            inst[sends] = FIRST + send;
            way[sends++] = way_of(p, group, send);
        }
    trace_thread_alike(w, group * p->together + index, index, sends, inst, way,
                       &totals);
}

/* Every so many-th group, or so many of twice as many. */
static bool is_told(const struct plan *p, uint32_t group)
{
    return p->told > 4 ? group / p->told % 2 == 1
                       : p->told != 0 && group % p->told == p->told - 1;
}

static void write_plan(struct trace_writer *w, const struct trace_kernel *k,
                       uint32_t kernel, const struct plan *p, bool alike, bool whole)
{
    struct trace_launch l = plain_launch(kernel, groups_of(p), p->together);
    struct igpu_err err;

    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    if (alike)
        trace_writer_alike_begin(w, 0, p->together);
    for (uint32_t group = 0; group < groups_of(p); group++) {
        bool told = group == 0 || !alike || !whole || is_told(p, group);

        for (uint32_t i = 0; i < p->together; i++)
            (told ? tell : add_alike)(w, k, p, group, (i + group) % p->together);
        if (alike && group == 0)
            assert_true(trace_writer_alike_ended(w, true) == whole);
    }
    assert_ok(trace_writer_launch_end(w, &err), err);
}

static void write_plans(const char *name, const struct plan *plan, uint32_t plans,
                        bool alike, bool whole)
{
    struct trace_writer *w = open_writer(name);
    struct isa_inst body[SENDS];
    struct trace_kernel k;
    struct igpu_err err;
    uint32_t kernel;

    for (uint32_t i = 0; i < SENDS; i++)
        body[i] = read_inst((uint8_t)(20 + 4 * i));
    loop_kernel(&k, "alike", body, SENDS);
    assert_int_equal(k.blocks.block[1].first, FIRST);
    assert_ok(trace_writer_kernel(w, &k, &kernel, &err), err);
    for (uint32_t i = 0; i < plans; i++)
        write_plan(w, &k, kernel, &plan[i], alike, whole);
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

static void same_bytes(const struct plan *plan, uint32_t plans, bool whole)
{
    char one[256], other[256];
    size_t size, bytes;
    uint8_t *want, *got;
    struct trace_reader *r;
    struct igpu_err err;

    write_plans(temp_name(one, sizeof(one), "told"), plan, plans, false, whole);
    write_plans(temp_name(other, sizeof(other), "alike"), plan, plans, true, whole);
    want = read_file(one, &size);
    got = read_file(other, &bytes);
    assert_int_equal(bytes, size);
    assert_memory_equal(got, want, size);
    r = open_reader(other);
    assert_ok(trace_verify(r, &err), err);
    trace_close(r);
    free(want);
    free(got);
    remove(one);
    remove(other);
}

static void threads_alike_give_the_same_bytes(void **state)
{
    static const uint32_t told[] = {0, 2, 50};

    (void)state;
    for (uint32_t lanes = 0; lanes < LANES_KINDS; lanes++)
        for (uint32_t ways = 0; ways < WAYS; ways++) {
            struct plan p = {GROUPS,
                             1 + ways,
                             (enum lanes)lanes,
                             (enum ways)ways,
                             told[(lanes + ways) % 3],
                             1 + ways % 2 * 2,
                             0};

            same_bytes(&p, 1, true);
        }
}

/* More than a section has; paths that take the place of each other among those known;
 * runs that are told of, and those that are not, in turn. */
static void many_threads(void **state)
{
    const struct plan plans[] = {
        {6000, 1, ROWS, STEADY, 0, 3, 0},  {6000, 2, ROWS, ANY, 3, 3, 0},
        {3000, 1, MIXED, STEADY, 0, 3, 0}, {300, 1, ROWS, STEADY, 2, 3, 255},
        {3000, 1, ROWS, STEADY, 2, 3, 0},  {3000, 1, ROWS, STEADY, 2, 1, 0},
        {3000, 1, ROWS, STEADY, 2, 1, 0},  {3000, 1, ROWS, STEADY, 7, 1, 0}};

    (void)state;
    same_bytes(plans, sizeof(plans) / sizeof(plans[0]), true);
}

static void wrong_totals_are_an_error(void **state)
{
    const struct plan p = {4, 3, ROWS, STEADY, 0, 3, 0};
    struct trace_launch l;
    struct trace_totals totals;
    struct trace_writer *w;
    struct isa_inst body[SENDS];
    struct trace_kernel k;
    char name[256];
    struct igpu_err err;
    uint32_t kernel;

    (void)state;
    w = open_writer(temp_name(name, sizeof(name), "totals"));
    for (uint32_t i = 0; i < SENDS; i++)
        body[i] = read_inst((uint8_t)(20 + 4 * i));
    loop_kernel(&k, "alike", body, SENDS);
    assert_ok(trace_writer_kernel(w, &k, &kernel, &err), err);
    l = plain_launch(kernel, p.groups, p.together);
    assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
    trace_writer_alike_begin(w, 0, p.together);
    for (uint32_t i = 0; i < p.together; i++)
        tell(w, &k, &p, 0, i);
    assert_true(trace_writer_alike_ended(w, true));
    add_alike(w, &k, &p, 1, 0);
    totals = totals_of(&k, &p, 1, 0);
    totals.instructions++;
    trace_thread_alike(w, 2 * p.together, 0, 0, NULL, NULL, &totals);
    assert_int_not_equal(trace_writer_launch_end(w, &err), IGPU_OK);
    assert_non_null(strstr(err.text, "instructions counted, but its path has"));
    (void)trace_writer_close(w, &err);
    free_kernel(&k);
}

/* What the one leaves behind does not get into the other; long threads, of which each
 * section has its own. */
static void launches_follow_each_other(void **state)
{
    struct plan p[LANES_KINDS * 2];

    (void)state;
    for (uint32_t i = 0; i < LANES_KINDS * 2; i++)
        p[i] = (struct plan){100,
                             1 + i * 12,
                             (enum lanes)(i % LANES_KINDS),
                             (enum ways)(i / 2 % WAYS),
                             i == 3 ? 9 : 0,
                             3,
                             0};
    same_bytes(p, LANES_KINDS * 2, true);
}

static void long_threads_are_refused(void **state)
{
    const struct plan p = {20, 800, ROWS, STEADY, 0, 3, 0};

    (void)state;
    same_bytes(&p, 1, false);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_alike_give_the_same_bytes),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(launches_follow_each_other),
        cmocka_unit_test(long_threads_are_refused),
        cmocka_unit_test(wrong_totals_are_an_error),
    };

    part = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
