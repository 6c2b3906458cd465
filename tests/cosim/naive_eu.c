/* naive_eu.c - docs/contract/model.md sections 4 and 5, one EU, one cycle at a time. */
#include <stdlib.h>
#include <string.h>

#include "naive_part.h"

struct cycles {
    uint64_t occ, fe, lat;
};

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* Section 5's table. */
static struct cycles cycles_of(const struct igpu_config *c, const struct uop *u)
{
    const uint64_t lat3[3][3] = {
        {c->eu_alu32_lat, c->eu_alu32_lat_acc, c->eu_alu32_lat_flag},
        {c->eu_alu64_lat, c->eu_alu64_lat_acc, c->eu_alu64_lat_flag},
        {c->eu_df_lat, c->eu_df_lat_acc, c->eu_df_lat_flag}};
    const uint64_t occ[] = {c->eu_alu32_occ, c->eu_alu64_occ, c->eu_df_occ,
                            c->eu_math_occ,  c->eu_math2_occ, c->eu_idiv_occ,
                            c->eu_dot_occ,   c->eu_lrp_occ};
    const uint64_t fe[] = {c->eu_alu32_fe, c->eu_alu64_fe, c->eu_df_fe,  c->eu_math_fe,
                           c->eu_math2_fe, c->eu_idiv_fe,  c->eu_dot_fe, c->eu_lrp_fe};
    const uint64_t lat1[] = {c->eu_math_lat, c->eu_math2_lat, c->eu_idiv_lat,
                             c->eu_dot_lat, c->eu_lrp_lat};
    struct cycles r = {0, 0, 0};

    if (u->cls == UOP_CTRL) {
        r.fe = c->eu_branch_fe;
    } else if (u->cls == UOP_NOP) {
        r.fe = c->eu_nop_fe;
    } else if (u->cls == UOP_MSG) {
        r.occ = r.fe = u->payload * c->eu_send_grf;
    } else {
        r.occ = u->exec_grfs * occ[u->cls];
        r.fe = u->dst_grfs * fe[u->cls] + u->conflicts * c->eu_conflict_fe;
        r.lat = u->cls <= UOP_DF ? lat3[u->cls][u->dst] : lat1[u->cls - UOP_MATH];
    }
    if (u->switches && r.fe < c->eu_switch_fe)
        r.fe = c->eu_switch_fe;
    r.occ = at_most(r.occ, 255);
    r.fe = at_most(r.fe < 2 ? 2 : r.fe, 255);
    return r;
}

static bool in_mask(const uint64_t *grf, uint8_t x, unsigned bit)
{
    return bit < 128 ? (grf[bit / 64] >> (bit % 64) & 1) != 0
                     : (x >> (bit - 128) & 1) != 0;
}

static bool needs_busy_bit(const struct naive_thread *th, const struct uop *u)
{
    for (unsigned i = 0; i < NAIVE_BITS; i++) {
        if (th->busy[i] && ((u->flags & UOP_EOT) || in_mask(u->need, u->need_x, i)))
            return true;
    }
    return false;
}

static void mark_busy(struct naive_thread *th, const struct uop *u, bool busy)
{
    for (unsigned i = 0; i < NAIVE_BITS; i++) {
        if (in_mask(u->set, u->set_x, i))
            th->busy[i] = busy;
    }
}

static void add_result(struct naive_eu *e, uint64_t cycle, uint32_t uop, unsigned slot,
                       unsigned f)
{
    if (e->results == NAIVE_PENDING)
        abort();
    e->result[e->results++] =
        (struct naive_result){cycle, uop, (uint8_t)slot, (uint8_t)f};
}

/* Results with D = t are there. */
static void complete(const struct naive *g, struct naive_eu *e, uint64_t t)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < e->results; i++) {
        struct naive_result r = e->result[i];

        if (r.cycle == t)
            mark_busy(&e->thread[r.slot], &g->uops[r.uop], false);
        else
            e->result[kept++] = r;
    }
    e->results = kept;
}

static unsigned in_flight(const struct naive_eu *e, unsigned f)
{
    unsigned n = 0;

    for (unsigned i = 0; i < e->results; i++)
        n += e->result[i].f == f;
    return n;
}

void naive_eu_respond(struct naive *g, unsigned tile, const struct naive_token *done)
{
    struct naive_eu *e = &g->tile[tile].eu[done->eu];
    uint64_t rlen = g->uops[done->value].rlen;
    uint64_t start = done->cycle > e->last_result[2] ? done->cycle : e->last_result[2];

    e->last_result[2] = start + (rlen > 0 ? rlen : 1) * g->config.eu_resp_grf;
    add_result(e, e->last_result[2], done->value, done->slot, 2);
}

void naive_set_run(struct naive *g, unsigned tile, unsigned eu, unsigned slot,
                   struct uop_run run, uint64_t t)
{
    struct naive_thread *th = &g->tile[tile].eu[eu].thread[slot];

    th->run = run;
    th->run_from = t + icache_wait(g->icache[tile], icache_of(eu, slot), run, t);
}

static void fetch(struct naive *g, unsigned tile, unsigned eu, unsigned slot,
                  uint64_t t)
{
    struct naive_thread *th = &g->tile[tile].eu[eu].thread[slot];

    th->holds = true;
    th->held_from = t + 1;
    th->uop = th->run.pc++;
    if (--th->run.len == 0 && !(g->uops[th->uop].flags & UOP_EOT))
        naive_set_run(g, tile, eu, slot, g->calls.next(g->calls.ctx, tile, eu, slot),
                      t + 1);
}

static void issue_send(struct naive *g, unsigned tile, unsigned eu, unsigned slot,
                       uint64_t t, uint64_t occ)
{
    struct naive_eu *e = &g->tile[tile].eu[eu];
    struct naive_thread *th = &e->thread[slot];

    if (g->uops[th->uop].flags & UOP_EOT) {
        struct host_end end = {t, (uint8_t)eu, (uint8_t)slot, th->bslot, 0};

        th->eot_issued = true;
        g->calls.end(g->calls.ctx, tile, &end);
        naive_put(&g->tile[tile].ends,
                  (struct naive_token){.cycle = t + g->config.disp_end_latency,
                                       .bslot = th->bslot});
        return;
    }
    e->queue[e->queued++] = (struct naive_message){t + occ, t, th->uop, (uint8_t)slot};
}

static void issue(struct naive *g, unsigned tile, unsigned eu, unsigned slot,
                  unsigned unit, uint64_t t)
{
    struct naive_eu *e = &g->tile[tile].eu[eu];
    struct naive_thread *th = &e->thread[slot];
    const struct uop *u = &g->uops[th->uop];
    struct cycles c = cycles_of(&g->config, u);
    struct host_issue report = {t,           th->uop,       (uint8_t)tile,
                                (uint8_t)eu, (uint8_t)slot, (uint8_t)unit};

    g->calls.issue(g->calls.ctx, &report);
    th->holds = false;
    th->want_from = t + c.fe - 1;
    e->unit_from[unit] = t + c.occ;
    mark_busy(th, u, true);
    if (unit == 2) {
        issue_send(g, tile, eu, slot, t, c.occ);
    } else if (unit < 2) {
        uint64_t d = t + c.occ + c.lat, behind = e->last_result[unit] + c.occ;

        d = d > behind ? d : behind;
        e->last_result[unit] = d;
        add_result(e, d, th->uop, slot, unit);
    }
}

/* Threads whose instruction may issue at t, by unit of the instruction. */
static void find_ready(const struct naive *g, const struct naive_eu *e, uint64_t t,
                       bool ready[4][HOST_SLOTS])
{
    memset(ready, 0, 4 * HOST_SLOTS * sizeof(bool));
    for (unsigned s = 0; s < g->config.eu_threads; s++) {
        const struct naive_thread *th = &e->thread[s];

        if (th->open && !th->eot_issued && th->holds && t >= th->held_from &&
            !needs_busy_bit(th, &g->uops[th->uop]))
            ready[g->uops[th->uop].unit][s] = true;
    }
}

/* Whom unit `unit` chooses of those that request, or HOST_SLOTS. */
static unsigned choose(const struct naive_eu *e, bool oldest, const bool *request,
                       unsigned unit)
{
    unsigned best = HOST_SLOTS;

    if (!oldest)
        return naive_round_robin(request, HOST_SLOTS, e->winner[unit]);
    for (unsigned s = 0; s < HOST_SLOTS; s++)
        if (request[s] &&
            (best == HOST_SLOTS || e->thread[s].opened < e->thread[best].opened))
            best = s;
    return best;
}

/* Section 4.4: winner of each unit, or HOST_SLOTS. */
static void arbitrate(const struct naive_eu *e, bool oldest, uint64_t t,
                      bool ready[4][HOST_SLOTS], unsigned win[4])
{
    bool fpu1[HOST_SLOTS];
    const bool none[HOST_SLOTS] = {false};
    bool fpu0_free = t >= e->unit_from[0] && in_flight(e, 0) < NAIVE_FLIGHT;
    bool fpu1_free = t >= e->unit_from[1] && in_flight(e, 1) < NAIVE_FLIGHT;
    bool send_free = t >= e->unit_from[2] && e->queued < NAIVE_QUEUE;

    win[0] = choose(e, oldest, fpu0_free ? ready[UOP_FPU_ANY] : none, 0);
    for (unsigned s = 0; s < HOST_SLOTS; s++)
        fpu1[s] = ready[UOP_FPU1][s] || (ready[UOP_FPU_ANY][s] && s != win[0]);
    win[1] = choose(e, oldest, fpu1_free ? fpu1 : none, 1);
    win[2] = choose(e, oldest, send_free ? ready[UOP_SEND] : none, 2);
    win[3] = choose(e, oldest, ready[UOP_BRANCH], 3);
}

void naive_eu_tick(struct naive *g, unsigned tile, unsigned eu, uint64_t t)
{
    struct naive_eu *e = &g->tile[tile].eu[eu];
    bool ready[4][HOST_SLOTS], want[HOST_SLOTS] = {false};
    unsigned win[4], fetched;

    complete(g, e, t);
    find_ready(g, e, t, ready);
    arbitrate(e, g->launch.oldest, t, ready, win);
    for (unsigned s = 0; s < g->config.eu_threads; s++) {
        const struct naive_thread *th = &e->thread[s];

        want[s] = th->open && !th->eot_issued && !th->holds && t >= th->want_from &&
                  t >= th->run_from;
    }
    fetched = naive_round_robin(want, HOST_SLOTS, e->winner[4]);
    for (unsigned unit = 0; unit < 4; unit++) {
        if (win[unit] < HOST_SLOTS) {
            e->winner[unit] = win[unit];
            issue(g, tile, eu, win[unit], unit, t);
        }
    }
    if (fetched < HOST_SLOTS) {
        e->winner[4] = fetched;
        fetch(g, tile, eu, fetched, t);
    }
    for (unsigned s = 0; s < HOST_SLOTS; s++) {
        if (e->thread[s].eot_issued)
            memset(&e->thread[s], 0, sizeof(e->thread[s]));
    }
}
