/* test_features_order.c - touched lines and pages of threads that run side by side,
 * against plain lists: those that come in laps, once again by one thread, and in no
 * order. Can not find: what is left out of long launches (test_features_parts.c). */
#include "tests/traces/test_trace_util.h"

#include "traces/features/features.h"

enum { THREADS = 400, WINDOW = 168, MESSAGES = 48, MOST = 20000 };

/* Touched by a thread's message: a line; writes. */
static uint64_t touched[THREADS][MESSAGES];
static bool writes[THREADS][MESSAGES];
static uint32_t messages[THREADS];

static uint32_t next_random(uint32_t *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 8;
}

/* Of so many messages the same kind: laps over the threads, one line in all, threads'
 * own lines again and again, any. */
static void make_touches(uint32_t seed)
{
    uint32_t x = seed, kind = 0, lap = 1, base = 0;

    for (uint32_t m = 0; m < MESSAGES; m++) {
        if (next_random(&x) % 3 == 0) {
            kind = next_random(&x) % 4;
            lap = 1 + next_random(&x) % 40;
            base = next_random(&x) % 2000;
        }
        for (uint32_t t = 0; t < THREADS; t++) {
            uint32_t odd = next_random(&x) % 100 == 0 ? 7 : 0;

            touched[t][m] = kind == 0   ? base + (t % lap) * 17 + odd
                            : kind == 1 ? base
                            : kind == 2 ? 5000 + 3 * t + m % 2
                                        : next_random(&x) % 3000;
            writes[t][m] = m % 5 == 0 && next_random(&x) % 50 != 0;
            messages[t] = t % 7 == 0 ? MESSAGES / 2 : MESSAGES;
        }
    }
}

/* ---- plain lists -------------------------------------------------------------------
 */

struct list {
    uint64_t key[MOST];
    uint32_t count;
};

/* How many others were touched since, or UINT32_MAX. */
static uint32_t to_top(struct list *l, uint64_t key)
{
    uint32_t at = 0;

    while (at < l->count && l->key[at] != key)
        at++;
    memmove(l->key + 1, l->key, at * sizeof(*l->key));
    l->key[0] = key;
    if (at < l->count)
        return at;
    l->count++;
    return UINT32_MAX;
}

static void count(double *value, uint32_t cold, uint32_t bins, const uint32_t *limit,
                  uint32_t distance)
{
    uint32_t bin = 0;

    while (bin < bins && distance >= limit[bin])
        bin++;
    value[distance == UINT32_MAX ? cold : cold + 1 + bin]++;
}

static void touch(double *value, uint32_t t, uint32_t m)
{
    static const uint32_t near[] = {16,    128,   512,   2048,  4096,   6144,   8192,
                                    12288, 16384, 32768, 65536, 131072, 1048576};
    static const uint32_t in_set[] = {16, 32, 48, 64, 96};
    static const uint32_t pages[] = {16, 64, 256, 512, 1024, 4096};
    static struct list line, page, set[128];
    static uint32_t first[MOST];
    static bool shared[MOST], written[MOST];
    uint64_t now = touched[t][m];
    uint32_t depth;

    if (t == 0 && m == 0) {
        line.count = page.count = 0;
        for (uint32_t i = 0; i < 128; i++)
            set[i].count = 0;
        memset(shared, 0, sizeof(shared));
        memset(written, 0, sizeof(written));
        memset(first, 0xff, sizeof(first));
    }
    count(value, FEATURE_REUSE_COLD, 13, near, to_top(&line, now));
    depth = to_top(&set[(now ^ now >> 7 ^ now >> 14) % 128], now);
    count(value, FEATURE_SET_COLD, 5, in_set, depth < 128 ? depth : UINT32_MAX);
    if (m == 0 || touched[t][m - 1] / 64 != now / 64)
        count(value, FEATURE_PAGE_COLD, 6, pages, to_top(&page, now / 64));
    if (first[now] == UINT32_MAX)
        first[now] = t;
    value[FEATURE_FOOT_SHARED] += first[now] != t && !shared[now];
    shared[now] |= first[now] != t;
    value[FEATURE_FOOT_WRITTEN] += writes[t][m] && !written[now];
    written[now] |= writes[t][m];
    value[FEATURE_FOOT_LINES] = value[FEATURE_FOOT_NEW] = line.count;
    value[FEATURE_FOOT_PAGES] = page.count;
}

static void expected(double *value)
{
    memset(value, 0, FEATURE_COUNT * sizeof(*value));
    for (uint32_t from = 0; from < THREADS; from += WINDOW)
        for (uint32_t m = 0; m < MESSAGES; m++)
            for (uint32_t t = from; t < from + WINDOW && t < THREADS; t++)
                if (m < messages[t])
                    touch(value, t, m);
}

/* ---- features ----------------------------------------------------------------------
 */

static void tell(const struct emu_hooks *hooks, uint32_t t)
{
    const struct emu_counts counts = {.threads = 1, .instructions = 100000};

    assert_true(hooks->thread_begin(hooks->ctx, t));
    hooks->block(hooks->ctx, t, 0);
    for (uint32_t m = 0; m < messages[t]; m++) {
        uint64_t addr[TRACE_MAX_LANES];
        const struct emu_access access = {
            .inst = writes[t][m], .mask = 0xffff, .addr = addr};

        for (uint32_t lane = 0; lane < TRACE_MAX_LANES; lane++)
            addr[lane] = touched[t][m] * 64 + 4 * lane;
        hooks->access(hooks->ctx, t, &access);
    }
    hooks->thread_end(hooks->ctx, t, &counts);
}

static void found(double *value)
{
    struct trace_launch launch = plain_launch(0, THREADS, 1);
    struct features *f = features_new();
    struct igpu_err err = {.text = ""};
    struct trace_kernel k;
    struct emu_hooks hooks;

    make_kernel(&k, "order", 3, 1);
    add_inst(&k, read_inst(20));
    add_inst(&k, message_inst(30, ISA_MSG_UNTYPED_WRITE, false, true));
    add_inst(&k, eot_inst());
    add_block(&k)->ends_thread = true;
    assert_non_null(f);
    assert_ok(features_begin(f, &k, &launch, THREADS, &err), err);
    hooks = features_hooks(f);
    for (uint32_t t = 0; t < THREADS; t++)
        tell(&hooks, t);
    assert_ok(features_end(f, value, &err), err);
    features_free(f);
    free_kernel(&k);
}

static void touches_are_those_of_plain_lists(void **state)
{
    static const uint32_t range[][2] = {{FEATURE_REUSE_COLD, FEATURE_REUSE_MORE},
                                        {FEATURE_SET_COLD, FEATURE_SET_128},
                                        {FEATURE_PAGE_COLD, FEATURE_PAGE_MORE},
                                        {FEATURE_FOOT_LINES, FEATURE_FOOT_PAGES}};
    double is[FEATURE_COUNT], wanted[FEATURE_COUNT];

    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        make_touches(seed);
        expected(wanted);
        found(is);
        for (uint32_t i = 0; i < sizeof(range) / sizeof(range[0]); i++)
            for (uint32_t k = range[i][0]; k <= range[i][1]; k++)
                if (is[k] < wanted[k] - 1e-6 || is[k] > wanted[k] + 1e-6)
                    fail_msg("seed %u: %s is %.9g; expected %.9g", seed,
                             feature_table[k].name, is[k], wanted[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_are_those_of_plain_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
