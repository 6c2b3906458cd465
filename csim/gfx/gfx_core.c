/* gfx_core.c - what everything else stands on: refusals, time, the work that is
 * allowed, fields of kept packets, registers by number. */
#include "gfx_int.h"

#include <inttypes.h>
#include <stdarg.h>

/* Time is not modelled, but it goes on where something is done: TIMESTAMP counts one
 * for so much of what gfx_spend() is told of. An estimate: some 24 EUs' instructions in
 * 1/12 microsecond. */
enum { WORK_A_TICK = 2048 };

enum igpu_status gfx_refuse(struct gfx *g, const char *format, ...)
{
    char reason[320];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    return igpu_fail(g->batch.err, IGPU_SIM_ERROR,
                     "command 0x%08" PRIx32 " at 0x%" PRIx64 ": not executed: %s",
                     g->batch.head, g->batch.at, reason);
}

uint64_t gfx_time(const struct gfx *g)
{
    return g->hw.time;
}

void gfx_pass_time(struct gfx *g, uint64_t until)
{
    if (g->hw.clock.now == NULL && g->hw.time < until)
        g->hw.time = until;
}

void gfx_set_clock(struct gfx *g, uint64_t (*now)(void *ctx), void *ctx)
{
    g->hw.clock.now = now;
    g->hw.clock.ctx = ctx;
}

void gfx_set_reports(struct gfx *g, gfx_on_report *on_report, void *ctx)
{
    g->told.on_report = on_report;
    g->told.report_ctx = ctx;
}

uint64_t gfx_look(struct gfx *g)
{
    uint64_t now =
        g->hw.clock.now != NULL ? g->hw.clock.now(g->hw.clock.ctx) : g->hw.time + 1;

    if (g->hw.time < now)
        g->hw.time = now;
    return g->hw.time;
}

void gfx_set_threads(struct gfx *g, uint32_t threads)
{
    g->hw.threads = threads;
}

void gfx_use_host_threads(struct gfx *g, uint32_t threads)
{
    g->host_threads = threads;
}

void gfx_limit_work(struct gfx *g, uint64_t most)
{
    g->batch.most_work = most;
}

enum igpu_status gfx_spend(struct gfx *g, uint64_t work)
{
    if (work > g->batch.most_work - g->batch.work)
        return gfx_refuse(g, "a batch that makes more work than %" PRIu64,
                          g->batch.most_work);
    if (g->hw.clock.now == NULL)
        g->hw.time +=
            (g->batch.work + work) / WORK_A_TICK - g->batch.work / WORK_A_TICK;
    g->batch.work += work;
    emu_shader_limit(g->thread.machine, g->batch.most_work - g->batch.work + 1);
    return IGPU_OK;
}

const struct gfx_counters *gfx_get_counters(const struct gfx *g)
{
    return &g->counters;
}

void gfx_begin_draws(struct gfx *g)
{
    g->before = g->counters;
}

bool gfx_has_drawn(const struct gfx *g)
{
    return g->batch.drawn;
}

float gfx_get_float(const struct gfx *g, enum gfx_field field)
{
    return tex_float(gfx_get(g, field));
}

uint64_t gfx_get_address(const struct gfx *g, enum gfx_field field)
{
    return gfx_address(&g->c->state[gfx_fields[field].packet][gfx_fields[field].dword],
                       gfx_fields[field].low);
}

uint64_t gfx_register(struct gfx *g, uint32_t offset)
{
    for (uint32_t i = 0; i < g->hw.registers; i++)
        if (g->hw.reg[i].offset == offset)
            return g->hw.reg[i].value;
    return 0;
}

void gfx_set_register(struct gfx *g, uint32_t offset, uint32_t value)
{
    for (uint32_t i = 0; i < g->hw.registers; i++)
        if (g->hw.reg[i].offset == offset) {
            g->hw.reg[i].value = value;
            return;
        }
    if (g->hw.registers == GFX_REGISTERS) /* the first was for a while not read */
        memmove(&g->hw.reg[0], &g->hw.reg[1], sizeof(g->hw.reg[0]) * --g->hw.registers);
    g->hw.reg[g->hw.registers].offset = offset;
    g->hw.reg[g->hw.registers++].value = value;
}

bool gfx_is_lasting(const struct gfx *g, const struct isa_inst *inst)
{
    bool found = false;

    for (uint32_t i = 0; i < 3; i++) {
        const struct isa_kernel_code *code =
            g->d.ps[i] != NULL ? emu_shader_code(g->d.ps[i]->shader) : NULL;

        if (code != NULL)
            found |= (uintptr_t)inst - (uintptr_t)code->inst <
                     code->count * sizeof(*code->inst);
    }
    return found;
}
