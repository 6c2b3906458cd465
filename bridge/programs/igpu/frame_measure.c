/* frame_measure.c - see frame_measure.h. */
#include "bridge/programs/igpu/frame_measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/eu_counters.h"
#include "igpu/grow.h"
#include "igpu/uop_cycles.h"
#include "traces/feed/uops.h"

enum { MOST_DRAWS = 1 << 20 };

static bool failed(struct frame_measure *m, enum igpu_status status,
                   const struct igpu_err *err)
{
    if (m->status == IGPU_OK && status != IGPU_OK) {
        m->status = status;
        m->err = *err;
    }
    return status != IGPU_OK;
}

static bool measure_no_memory(struct frame_measure *m)
{
    struct igpu_err err;

    (void)igpu_no_memory(&err, "a frame's draws");
    return failed(m, IGPU_SIM_ERROR, &err);
}

/* ---- a launch's threads -------------------------------------------------- */

/* Room for draws up to index `draw`. */
static bool make_room(struct frame_measure *m, uint32_t draw)
{
    return IGPU_RESERVE_ZERO(m->draw, m->draws, (size_t)draw + 1) ||
           !measure_no_memory(m);
}

/* Its draw, stage and instructions, from its payload's access, if it loads one. */
static bool read_thread(struct frame_measure *m, uint32_t launch, uint32_t thread)
{
    const struct trace_launch *l = trace_launch(m->reader, launch);
    bool loads =
        trace_kernel(m->reader, l->kernel)->code.inst[0].msg.family == ISA_MSG_PAYLOAD;
    uint64_t addr[TRACE_MAX_LANES], draw = l->draw - UINT64_C(1);
    enum trace_stage stage = TRACE_STAGE_COMPUTE;
    const struct trace_graphics *g = NULL;
    struct trace_totals totals = {0};
    enum igpu_status status;
    struct igpu_err err;
    uint32_t inst, mask;
    struct trace_cursor *c =
        trace_cursor_open(m->reader, launch, thread, &status, &err);

    if (c != NULL) {
        if (loads &&
            trace_cursor_next_lanes(c, &inst, &mask, addr, &err) == TRACE_NEXT_OK)
            g = trace_cursor_graphics(c);
        if (g != NULL && g->family == ISA_MSG_PAYLOAD) {
            draw = g->payload.draw - UINT64_C(1);
            stage = g->payload.stage;
        }
        status = trace_cursor_totals(c, &totals, &err);
        trace_cursor_close(c);
    }
    if (status == IGPU_OK && draw >= MOST_DRAWS)
        status = igpu_fail(&err, IGPU_BAD_INPUT,
                           "launch %u, thread %u: its payload has draw %" PRIu64,
                           launch, thread, draw + 1);
    if (failed(m, status, &err) || !make_room(m, (uint32_t)draw))
        return false;
    m->draw_of[thread] = (uint32_t)draw;
    m->draw[draw].cost.draw = (uint32_t)draw + 1;
    m->draw[draw].cost.launch = launch;
    m->draw[draw].cost.threads[stage]++;
    m->draw[draw].cost.instructions += totals.instructions;
    m->draw[draw].left++;
    m->first = draw < m->first ? (uint32_t)draw : m->first;
    m->last = draw > m->last ? (uint32_t)draw : m->last;
    return true;
}

static void state_occupancies(struct frame_measure *m,
                              const struct isa_kernel_code *code)
{
    free(m->occ);
    m->occ = malloc(code->count);
    for (uint32_t i = 0; m->occ != NULL && i < code->count; i++) {
        struct uop uop;

        uop_from_inst(&code->inst[i], m->config, &uop);
        m->occ[i] = uop_occupancy(m->config, &uop);
    }
}

static void on_launch(void *ctx, uint32_t launch)
{
    struct frame_measure *m = ctx;
    const struct trace_launch *l = trace_launch(m->reader, launch);

    state_occupancies(m, &trace_kernel(m->reader, l->kernel)->code);
    free(m->draw_of);
    m->draw_of = calloc(l->threads, sizeof(*m->draw_of));
    m->first = UINT32_MAX;
    m->last = 0;
    m->last_end = 0;
    if ((m->draw_of == NULL || m->occ == NULL) && measure_no_memory(m))
        return;
    for (uint32_t i = 0; i < l->threads && m->status == IGPU_OK; i++)
        (void)read_thread(m, launch, i);
}

/* ---- while it runs ------------------------------------------------------- */

static void on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t thread)
{
    struct frame_measure *m = ctx;

    if (m->status == IGPU_OK)
        m->slot[tile][eu][slot] = m->draw_of[thread];
}

static void on_issue(void *ctx, const struct host_issue *issue)
{
    struct frame_measure *m = ctx;

    if (m->status == IGPU_OK && issue->unit <= EU_FPU1)
        m->fpu[issue->unit] += m->occ[issue->uop];
}

static void thread_end(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                       uint64_t cycle)
{
    struct frame_measure *m = ctx;

    if (m->status != IGPU_OK)
        return;
    m->draw[m->slot[tile][eu][slot]].left--;
    m->last_end = cycle > m->last_end ? cycle : m->last_end;
    for (; m->first <= m->last && m->draw[m->first].left == 0; m->first++) {
        struct frame_mark *mark = &m->draw[m->first].mark;

        mark->cycle = m->last_end;
        memcpy(mark->fpu, m->fpu, sizeof(mark->fpu));
        mark->mem = *mem_stats(m->mem);
    }
}

struct sim_watch frame_measure_watch(struct frame_measure *m)
{
    return (struct sim_watch){m, on_launch, on_open, on_issue, thread_end};
}

void frame_measure_free(struct frame_measure *m)
{
    free(m->draw);
    free(m->draw_of);
    free(m->occ);
}
