/* test_trace_moved.c - threads that do the same elsewhere: what is read is what was
 * written, such threads take few bytes, a cursor reads on when the section with the
 * ways is forgotten, and ways that do not fit their segment are refused.
 *
 *   test_trace_moved [TURNS]    of the longest loop of small threads, default 1,000;
 * what is read has loops of up to 2.5 times as many */
#include "tests/support/trace_parts.h"
#include "traces/format/trace_segment.h"

enum { THREADS = 400, SENDS = 6, FIRST = 8, LANES = 16 };

static uint32_t most_turns = 1000;

/* ---- threads ---------------------------------------------------------------- */

/* How the threads of a launch differ: nothing moves, all sends by the same, each send
 * by another, downwards, by anything, or every seventh thread does something else. */
enum form { STAYS, TOGETHER, APART, DOWN, ANYWHERE, SEVENTH, FORMS };

struct plan {
    enum form form;
    uint32_t turns; /* of the loop */
    bool masks;     /* some accesses have no lane, one or some */
    bool uneven;    /* lanes of every second send are no row */
};

static uint64_t way_of(const struct plan *p, uint32_t thread, uint32_t send)
{
    struct rng g = {thread * 64u + send + 1};

    switch (p->form) {
    case STAYS:
        return 0;
    case TOGETHER:
        return thread * 64u;
    case ANYWHERE:
        return rng_next(&g);
    case DOWN:
        return 0 - (uint64_t)thread * 4096 * (send + 1);
    default:
        return thread * (send % 3) * 128u;
    }
}

/* Access `turn` of send `send`: a row, one that comes back, or lanes far apart. */
static struct trace_access access_of(const struct plan *p, uint32_t thread,
                                     uint32_t turn, uint32_t send)
{
    struct trace_access a = {.inst = FIRST + send, .mask = 0xffff};
    bool other = p->form == SEVENTH && thread % 7 == 6 && turn == p->turns / 2;
    bool uneven = p->uneven && send % 2 == 0;
    uint64_t base = 0x10000000u * (send + 1) + way_of(p, thread, send) +
                    (send % 2 ? turn * 64u : turn % 5 * 16u) +
                    (uneven ? 0 : other * 8u);

    if (p->masks && send == 3)
        a.mask = turn % 3 == 0 ? 0 : 0x10;
    if (p->masks && send == 4)
        a.mask = 0xf0f0;
    for (uint32_t l = 0; l < LANES; l++)
        if (a.mask >> l & 1)
            a.addr[l] = base + l * (send == 5 ? 4096u : uneven ? 4 * l : 4u);
    if (uneven && other) /* one lane is elsewhere */
        a.addr[31 - __builtin_clz(a.mask)] += 4;
    return a;
}

static void put_thread(struct trace_writer *w, const struct trace_kernel *k,
                       const struct plan *p, uint32_t thread)
{
    struct trace_thread *t = trace_thread_begin(w, thread);
    const struct isa_block *b = k->blocks.block;
    struct trace_totals totals = {
        b[0].count + (uint64_t)p->turns * b[1].count + b[2].count, 7, 9};
    struct igpu_err err;

    assert_non_null(t);
    trace_thread_block(t, 0);
    for (uint32_t turn = 0; turn < p->turns; turn++) {
        trace_thread_block(t, 1);
        for (uint32_t s = 0; s < SENDS; s++) {
            struct trace_access a = access_of(p, thread, turn, s);

            trace_thread_access(t, a.inst, a.mask, a.addr);
        }
    }
    trace_thread_block(t, 2);
    assert_ok(trace_thread_end(t, &totals, &err), err);
}

static void put_kernel(struct trace_writer *w, struct trace_kernel *k, uint32_t *index)
{
    struct isa_inst body[SENDS];
    struct igpu_err err;

    for (uint32_t s = 0; s < SENDS; s++)
        body[s] = read_inst((uint8_t)(20 + 4 * s));
    loop_kernel(k, "moved", body, SENDS);
    assert_int_equal(k->blocks.block[1].first, FIRST);
    assert_ok(trace_writer_kernel(w, k, index, &err), err);
}

/* A launch for each plan. */
static void write_plans(const char *name, const struct plan *plan, uint32_t plans,
                        uint32_t threads)
{
    struct trace_writer *w = open_writer(name);
    struct trace_kernel k;
    struct igpu_err err;
    uint32_t index;

    put_kernel(w, &k, &index);
    for (uint32_t i = 0; i < plans; i++) {
        struct trace_launch l = plain_launch(index, threads, 1);

        assert_ok(trace_writer_launch_begin(w, &l, NULL, &err), err);
        for (uint32_t t = 0; t < threads; t++)
            put_thread(w, &k, &plan[i], t);
        assert_ok(trace_writer_launch_end(w, &err), err);
    }
    assert_ok(trace_writer_close(w, &err), err);
    free_kernel(&k);
}

/* ---- reading ---------------------------------------------------------------- */

static void check_thread(struct trace_cursor *c, const struct plan *p, uint32_t thread)
{
    struct igpu_err err;
    struct trace_access got;

    for (uint32_t turn = 0; turn < p->turns; turn++)
        for (uint32_t s = 0; s < SENDS; s++) {
            struct trace_access want = access_of(p, thread, turn, s);

            assert_int_equal(trace_cursor_next_access(c, &got, &err), TRACE_NEXT_OK);
            assert_memory_equal(&got, &want, sizeof(got));
        }
    assert_int_equal(trace_cursor_next_access(c, &got, &err), TRACE_NEXT_END);
}

static void check_file(const char *name, const struct plan *plan, uint32_t plans)
{
    struct trace_reader *r = open_reader(name);
    enum igpu_status status;
    struct igpu_err err;

    assert_ok(trace_verify(r, &err), err);
    for (uint32_t i = 0; i < plans; i++)
        for (uint32_t t = 0; t < trace_launch(r, i)->threads; t++) {
            struct trace_cursor *c = trace_cursor_open(r, i, t, &status, &err);

            assert_non_null(c);
            check_thread(c, &plan[i], t);
            trace_cursor_close(c);
        }
    trace_close(r);
}

static void test_what_is_read_is_what_was_written(void **state)
{
    const uint32_t turns[] = {1, 2, 40, most_turns * 5 / 2};
    struct plan plan[4 * FORMS];
    char name[256];

    (void)state;
    for (uint32_t n = 0; n < 4; n++) {
        for (uint32_t i = 0; i < 4 * FORMS; i++)
            plan[i] =
                (struct plan){(enum form)(i / 4), turns[n], i % 2 == 1, i % 4 > 1};
        write_plans(temp_name(name, sizeof(name), "moved"), plan, 4 * FORMS,
                    turns[n] > 100 ? 9 : 60);
        check_file(name, plan, 4 * FORMS);
        remove(name);
    }
}

/* All cursors at once, a turn each: each keeps its ways, though the sections that they
 * came from are more than a reader keeps. */
static void test_cursors_in_turns(void **state)
{
    struct plan p = {APART, 30, false, false};
    struct trace_cursor *c[THREADS];
    struct trace_access got;
    struct trace_reader *r;
    enum igpu_status status;
    struct igpu_err err;
    char name[256];

    (void)state;
    write_plans(temp_name(name, sizeof(name), "turns"), &p, 1, THREADS);
    r = open_reader(name);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_non_null(c[t] = trace_cursor_open(r, 0, t, &status, &err));
    for (uint32_t turn = 0; turn < p.turns; turn++)
        for (uint32_t t = 0; t < THREADS; t++)
            for (uint32_t s = 0; s < SENDS; s++) {
                struct trace_access want = access_of(&p, t, turn, s);

                assert_int_equal(trace_cursor_next_access(c[t], &got, &err),
                                 TRACE_NEXT_OK);
                assert_memory_equal(&got, &want, sizeof(got));
            }
    for (uint32_t t = 0; t < THREADS; t++)
        trace_cursor_close(c[t]);
    trace_close(r);
    remove(name);
}

/* ---- size, version ------------------------------------------------------------ */

static uint64_t bytes_of(const struct plan *p, uint8_t *minor)
{
    struct trace_reader *r;
    char name[256];
    uint64_t bytes;

    write_plans(temp_name(name, sizeof(name), "size"), p, 1, THREADS);
    r = open_reader(name);
    *minor = (uint8_t)trace_summary(r)->minor;
    trace_close(r);
    bytes = file_bytes(name);
    remove(name);
    return bytes;
}

/* A thread that does the same elsewhere takes two bytes more than one at the same
 * place; one that is not moved has the version that it had. */
static void test_moved_threads_are_small(void **state)
{
    uint64_t stays, moved;
    uint8_t minor;
    bool uneven = false;

    (void)state;
    for (uint32_t turns = 1; turns <= most_turns; turns *= uneven ? 1 : 10) {
        struct plan p = {STAYS, turns, false, uneven};

        stays = bytes_of(&p, &minor);
        assert_true(minor == 1 ||
                    (uneven && turns > 100)); /* a piece of a long one moves */
        p.form = APART;
        moved = bytes_of(&p, &minor);
        assert_int_equal(minor, TRACE_MINOR_MOVED);
        uneven = !uneven;
        printf("%u turns: %llu bytes, moved %llu\n", turns, (unsigned long long)stays,
               (unsigned long long)moved);
        assert_true(moved < stays + 2 * THREADS);
    }
}

/* ---- bad ------------------------------------------------------------------------ */

typedef Vigpu__Trace__ThreadChunk chunk_message;
enum damage { FEWER_WAYS, ANOTHER_COUNT, NO_COUNT, NO_ACCESS, ONE_LEFT, TOO_MANY };

static void damage(chunk_message *m, enum damage how)
{
    uint32_t piece = 0;

    while (!(m->piece_flags[piece] & 8))
        assert_true(++piece < m->n_piece_flags);
    switch (how) {
    case FEWER_WAYS:
        m->n_segment_way = 1;
        break;
    case ANOTHER_COUNT: /* and as many ways in all */
        for (size_t i = 0; i < m->n_segment_index; i++)
            if (m->segment_index[i] == SENDS) {
                m->segment_index[i] = SENDS - 1;
                break;
            }
        m->n_segment_way--;
        break;
    case NO_COUNT:
        m->n_segment_index--;
        break;
    case NO_ACCESS:
        m->piece_flags[piece] &= ~2u;
        break;
    case ONE_LEFT:
        m->piece_flags[piece] &= ~8u;
        break;
    case TOO_MANY:
        m->n_segment_way = TRACE_MAX_WAYS + 1;
        m->segment_way = calloc(m->n_segment_way, sizeof(*m->segment_way));
        assert_non_null(m->segment_way);
        break;
    }
}

/* Change the first section of threads so. */
static void damage_file(const char *name, enum damage how)
{
    struct trace_parts parts;
    struct trace_bytes *raw;
    chunk_message *m, changed;
    uint32_t i = 0;

    parts_read(&parts, name);
    while (parts.part[i].kind != TRACE_KIND_THREADS)
        i++;
    raw = &parts.part[i].raw;
    m = vigpu__trace__thread_chunk__unpack(NULL, raw->size, raw->data);
    assert_non_null(m);
    changed = *m;
    damage(&changed, how);
    raw->size = 0;
    vigpu__trace__thread_chunk__pack(
        &changed,
        trace_bytes_extend(raw, vigpu__trace__thread_chunk__get_packed_size(&changed)));
    if (changed.segment_way != m->segment_way)
        free(changed.segment_way);
    vigpu__trace__thread_chunk__free_unpacked(m, NULL);
    parts_write(&parts, NULL, name);
    parts_free(&parts);
}

static void test_bad_ways_are_refused(void **state)
{
    static const char *const says[] = {[FEWER_WAYS] = "too few ways",
                                       [ANOTHER_COUNT] = "5 ways of a segment of 6",
                                       [NO_COUNT] = "too few ways",
                                       [NO_ACCESS] = "without accesses is moved",
                                       [ONE_LEFT] = "columns do not match",
                                       [TOO_MANY] = "too many ways"};
    struct plan p = {APART, 3, false, false};
    struct igpu_err err;
    char name[256];

    (void)state;
    for (enum damage how = FEWER_WAYS; how <= TOO_MANY; how++) {
        struct trace_reader *r;

        write_plans(temp_name(name, sizeof(name), "bad"), &p, 1, 5);
        damage_file(name, how);
        r = open_reader(name);
        assert_int_equal(trace_verify(r, &err), IGPU_BAD_INPUT);
        if (!strstr(err.text, says[how]))
            fail_msg("%s: %s expected", err.text, says[how]);
        trace_close(r);
        remove(name);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read_is_what_was_written),
        cmocka_unit_test(test_cursors_in_turns),
        cmocka_unit_test(test_moved_threads_are_small),
        cmocka_unit_test(test_bad_ways_are_refused),
    };

    if (argc > 1)
        most_turns = (uint32_t)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
