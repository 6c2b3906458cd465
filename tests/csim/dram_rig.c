/* dram_rig.c - see dram_rig.h. */
#include "tests/csim/dram_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NEAR = 400 }; /* commands between which no rule reaches */

static void watch(void *ctx, const struct dram_issue *issue)
{
    struct dram_rig *rig = ctx;

    assert_true(rig->issues < DRAM_RIG_ISSUES);
    rig->issue[rig->issues++] = *issue;
}

void dram_rig_build(struct dram_rig *rig, const char *const *settings)
{
    memset(rig, 0, sizeof(*rig));
    assert_int_equal(igpu_config_preset(&rig->config, "skl-gt2", NULL), IGPU_OK);
    for (; settings != NULL && *settings != NULL; settings++)
        assert_int_equal(igpu_config_set(&rig->config, *settings, NULL), IGPU_OK);
    rig->issue = calloc(DRAM_RIG_ISSUES, sizeof(*rig->issue));
    assert_non_null(rig->issue);
    assert_true(agenda_init(&rig->agenda, 4 * DRAM_RIG_REQUESTS));
    assert_true(dram_init(&rig->dram, &rig->config, DRAM_RIG_REQUESTS, &rig->agenda, 0,
                          &rig->stats));
    rig->dram.watch = watch;
    rig->dram.watch_ctx = rig;
}

void dram_rig_over(struct dram_rig *rig)
{
    dram_free(&rig->dram);
    agenda_free(&rig->agenda);
    free(rig->issue);
}

void dram_rig_run_until(struct dram_rig *rig, uint64_t ps)
{
    while (dram_next_ps(&rig->dram) <= ps)
        dram_run(&rig->dram, dram_next_ps(&rig->dram));
}

void dram_rig_run(struct dram_rig *rig)
{
    while (dram_next_ps(&rig->dram) != UINT64_MAX)
        dram_run(&rig->dram, dram_next_ps(&rig->dram));
}

uint32_t dram_rig_answers(struct dram_rig *rig, uint64_t *ps)
{
    struct agenda_event event;
    uint32_t count = 0;

    for (; agenda_next(&rig->agenda) != UINT64_MAX; count++) {
        agenda_take(&rig->agenda, &event);
        *ps = event.ps;
    }
    return count;
}

bool dram_rig_column(const struct dram_issue *issue)
{
    return issue->command == DRAM_RD || issue->command == DRAM_WR;
}

uint32_t dram_rig_rank(const struct dram_rig *rig, const struct dram_issue *issue)
{
    return issue->bank / rig->dram.banks_per_rank;
}

/* ---- the checker ---- */

/* Two commands of one channel, `a` before `b`, and what was found. */
struct pair {
    const struct dram_issue *a, *b;
    const struct igpu_config *rules;
    bool bank, group, rank; /* the same */
    const char *rule;
    uint64_t tight;
};

static void apart(struct pair *p, uint64_t clocks, const char *rule)
{
    if (clocks == 0)
        return;
    if (p->b->clock < p->a->clock + clocks)
        p->rule = rule;
    p->tight += p->b->clock == p->a->clock + clocks;
}

static uint64_t to_data(const struct pair *p, const struct dram_issue *issue)
{
    return issue->command == DRAM_RD ? p->rules->dram_cl : p->rules->dram_cwl;
}

/* Two bursts on one data bus, and a write's data before a read. */
static void columns(struct pair *p)
{
    const struct igpu_config *c = p->rules;
    bool turn = !p->rank || p->a->command != p->b->command;
    uint64_t first = to_data(p, p->a) + c->dram_burst + (turn ? c->dram_trtrs : 0);
    uint64_t written = c->dram_cwl + c->dram_burst;

    if (first > to_data(p, p->b))
        apart(p, first - to_data(p, p->b), turn ? "trtrs" : "burst");
    if (!p->rank)
        return;
    if (p->group)
        apart(p, c->dram_tccd_l, "tccd_l");
    else
        apart(p, c->dram_tccd_s, "tccd_s");
    if (p->a->command == DRAM_WR && p->b->command == DRAM_RD && p->group)
        apart(p, written + c->dram_twtr_l, "twtr_l");
    else if (p->a->command == DRAM_WR && p->b->command == DRAM_RD)
        apart(p, written + c->dram_twtr_s, "twtr_s");
}

static void within_bank(struct pair *p)
{
    const struct igpu_config *c = p->rules;

    if (p->a->command == DRAM_ACT && p->b->command == DRAM_PRE)
        apart(p, c->dram_tras, "tras");
    else if (p->a->command == DRAM_ACT)
        apart(p, c->dram_trcd, "trcd");
    else if (p->a->command == DRAM_PRE)
        apart(p, c->dram_trp, "trp");
    else if (p->b->command == DRAM_PRE && p->a->command == DRAM_RD)
        apart(p, c->dram_trtp, "trtp");
    else if (p->b->command == DRAM_PRE)
        apart(p, c->dram_cwl + c->dram_burst + c->dram_twr, "twr");
}

static void check_pair(struct pair *p)
{
    const struct igpu_config *c = p->rules;
    enum dram_command a = p->a->command, b = p->b->command;

    if (dram_rig_column(p->a) && dram_rig_column(p->b)) {
        columns(p);
    } else if (a == DRAM_ACT && b == DRAM_ACT && p->rank) {
        if (p->group)
            apart(p, c->dram_trrd_l, "trrd_l");
        else
            apart(p, c->dram_trrd_s, "trrd_s");
    } else if (a == DRAM_REF && p->rank) {
        apart(p, c->dram_trfc, "trfc");
    } else if (b == DRAM_REF && p->rank) {
        apart(p, a == DRAM_PRE ? c->dram_trp : 0, "trp");
    } else if (p->bank) {
        within_bank(p);
    }
}

static struct pair make_pair(const struct dram_rig *rig,
                             const struct igpu_config *rules, uint32_t first,
                             uint32_t second)
{
    const struct dram_issue *a = &rig->issue[first], *b = &rig->issue[second];

    return (struct pair){a,
                         b,
                         rules,
                         a->bank == b->bank,
                         a->bank / rig->config.dram_banks ==
                             b->bank / rig->config.dram_banks,
                         dram_rig_rank(rig, a) == dram_rig_rank(rig, b),
                         NULL,
                         0};
}

/* The n-th refresh of a rank (from 0) is due n intervals after the first, which the
 * ranks share out evenly. */
static bool refreshed_early(const struct dram_rig *rig, const struct igpu_config *rules,
                            uint32_t at)
{
    const struct dram_issue *b = &rig->issue[at];
    uint32_t rank = dram_rig_rank(rig, b);
    uint64_t n = 0;

    for (uint32_t i = 0; i < at; i++)
        n += rig->issue[i].command == DRAM_REF && rig->issue[i].channel == b->channel &&
             dram_rig_rank(rig, &rig->issue[i]) == rank;
    return b->clock <
           rules->dram_trefi * (rank + 1) / rules->dram_ranks + n * rules->dram_trefi;
}

/* Command `at` against those before it. */
static const char *check_at(const struct dram_rig *rig, const struct igpu_config *rules,
                            uint32_t at, uint64_t *tight)
{
    const struct dram_issue *b = &rig->issue[at];
    uint32_t activates = 0;
    bool seen = false;

    if (b->command == DRAM_REF && refreshed_early(rig, rules, at))
        return "trefi";
    for (uint32_t j = at; j-- > 0 && at - j < NEAR;) {
        struct pair p = make_pair(rig, rules, j, at);

        /* A refresh closes its rank's rows by itself, some time ahead. */
        if (p.a->channel != b->channel)
            continue;
        if (b->clock >= p.a->clock)
            check_pair(&p);
        if (b->command == DRAM_ACT && p.a->command == DRAM_ACT && p.rank &&
            ++activates == 4)
            apart(&p, rules->dram_tfaw, "tfaw");
        if (dram_rig_column(b) && !seen && p.bank && !dram_rig_column(p.a)) {
            if (p.a->command != DRAM_ACT || p.a->row != b->row)
                return "row";
            seen = true;
        }
        *tight += p.tight;
        if (p.rule != NULL)
            return p.rule;
    }
    return NULL;
}

struct dram_broken dram_rig_check(const struct dram_rig *rig,
                                  const struct igpu_config *rules, uint64_t *tight)
{
    struct dram_broken broken = {NULL, 0};
    uint64_t unused = 0;

    for (; broken.at < rig->issues; broken.at++) {
        broken.rule = check_at(rig, rules, broken.at, tight != NULL ? tight : &unused);
        if (broken.rule != NULL)
            return broken;
    }
    return broken;
}
