/* values.c - see values.h. What a tile touches is its own, so that tiles may run on
 * several host threads. */
#include "bridge/engines/rtl/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/rtl/values_fpu.h"
#include "bridge/engines/rtl/values_macro.h"

enum { REASONS = 24, FPUS = 2 };

struct reason {
    const char *text;
    uint64_t instructions;
};

struct slot { /* a running thread */
    struct trace_values_cursor *cursor;
    uint32_t thread;
    bool over; /* no more of its values is stored */
};

struct values_tile {
    struct trace_reader *reader;
    struct values_fpu fpu[HOST_EUS][FPUS];
    struct slot slot[HOST_EUS][HOST_SLOTS];
    uint64_t instructions, idle, missing; /* compared; no lane on; not in the trace */
    uint64_t results, flags, apart;       /* apart: lanes of macros */
    struct reason reason[REASONS];
    enum igpu_status status;
    struct igpu_err err;
};

struct values {
    unsigned tiles, eus;
    uint32_t launch;
    const struct trace_kernel *kernel;
    struct values_plan *plan; /* per instruction of the kernel */
    bool out_of_memory;
    struct values_tile tile[HOST_MAX_TILES];
};

/* ---- making -------------------------------------------------------------- */

static enum igpu_status make_tile(struct values *v, struct values_tile *t,
                                  const char *path, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    t->reader = trace_open(path, &status, err);
    if (t->reader == NULL)
        return status;
    if (trace_summary(t->reader)->values == 0)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "%s: holds no FPU values; record it again with igpu record "
                         "--values",
                         path);
    for (unsigned i = 0; i < v->eus; i++)
        for (unsigned k = 0; k < FPUS; k++)
            if (!values_fpu_make(&t->fpu[i][k]))
                return igpu_no_memory(err, "--check-values");
    return IGPU_OK;
}

static enum igpu_status values_create(struct values **values, const char *path,
                                      const struct igpu_config *config,
                                      struct igpu_err *err)
{
    struct values *v = calloc(1, sizeof(*v));
    enum igpu_status status = IGPU_OK;

    *values = v;
    if (v == NULL)
        return igpu_no_memory(err, "--check-values");
    v->tiles = (unsigned)config->gpu_subslices;
    v->eus = (unsigned)config->eu_count;
    for (unsigned i = 0; status == IGPU_OK && i < v->tiles; i++)
        status = make_tile(v, &v->tile[i], path, err);
    return status;
}

static void close_slots(struct values_tile *t)
{
    for (unsigned i = 0; i < HOST_EUS; i++)
        for (unsigned k = 0; k < HOST_SLOTS; k++) {
            trace_values_close(t->slot[i][k].cursor);
            t->slot[i][k].cursor = NULL;
        }
}

static void values_destroy(struct values *v)
{
    if (v == NULL)
        return;
    for (unsigned i = 0; i < v->tiles; i++) {
        struct values_tile *t = &v->tile[i];

        close_slots(t);
        for (unsigned j = 0; j < HOST_EUS; j++)
            for (unsigned k = 0; k < FPUS; k++)
                values_fpu_free(&t->fpu[j][k]);
        trace_close(t->reader);
    }
    free(v->plan);
    free(v);
}

/* ---- watching ------------------------------------------------------------ */

static void on_launch(void *ctx, uint32_t launch)
{
    struct values *v = ctx;
    const struct trace_reader *r = v->tile[0].reader;

    v->launch = launch;
    v->kernel = trace_kernel(r, trace_launch(r, launch)->kernel);
    free(v->plan);
    v->plan = calloc(v->kernel->code.count, sizeof(*v->plan));
    v->out_of_memory = v->plan == NULL;
    for (uint32_t i = 0; v->plan != NULL && i < v->kernel->code.count; i++)
        values_plan_make(&v->kernel->code.inst[i], &v->plan[i]);
    for (unsigned i = 0; i < v->tiles; i++)
        close_slots(&v->tile[i]);
}

static void tile_fail(struct values_tile *t, enum igpu_status status,
                      const struct igpu_err *err)
{
    if (t->status == IGPU_OK)
        t->err = *err;
    t->status = status;
}

static void on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t thread)
{
    struct values *v = ctx;
    struct values_tile *t = &v->tile[tile];
    struct slot *s = &t->slot[eu][slot];
    struct igpu_err err;

    trace_values_close(s->cursor);
    s->cursor = trace_values_open(t->reader, v->launch, thread, &err);
    s->thread = thread;
    s->over = false;
    if (s->cursor == NULL)
        tile_fail(t, IGPU_BAD_INPUT, &err);
}

static void not_covered(struct values_tile *t, const char *text)
{
    struct reason *r = t->reason;

    while (r < t->reason + REASONS - 1 && r->text != NULL && strcmp(r->text, text) != 0)
        r++;
    r->text = text;
    r->instructions++;
}

/* The thread's next values, which must be of instruction `inst`. */
static bool next_values(struct values *v, struct values_tile *t, struct slot *s,
                        uint32_t inst, struct fpu_values *values)
{
    struct igpu_err err;
    enum trace_next next;

    if (s->over || s->cursor == NULL) {
        t->missing++;
        return false;
    }
    next = trace_values_next(s->cursor, values, &err);
    if (next == TRACE_NEXT_END) {
        s->over = true;
        t->missing++;
        return false;
    }
    if (next == TRACE_NEXT_OK && values->inst != inst) {
        next = TRACE_NEXT_ERROR;
        (void)igpu_fail(&err, IGPU_BAD_INPUT,
                        "launch %u, thread %u: the values are of instruction %u where "
                        "the path has %u; record the trace again",
                        v->launch, s->thread, values->inst, inst);
    }
    if (next == TRACE_NEXT_ERROR)
        tile_fail(t, IGPU_BAD_INPUT, &err);
    return next == TRACE_NEXT_OK;
}

static void on_issue(void *ctx, const struct host_issue *i)
{
    struct values *v = ctx;
    struct values_tile *t = &v->tile[i->tile];
    struct slot *s = &t->slot[i->eu][i->slot];
    const struct values_plan *p = &v->plan[i->uop];
    struct values_origin at = {i->cycle, v->launch, s->thread, i->uop,
                               i->tile,  i->eu,     i->slot,   i->unit};
    struct fpu_values values;
    uint32_t lanes;

    if (i->unit >= FPUS || v->out_of_memory || t->status != IGPU_OK || !p->is_fpu ||
        !next_values(v, t, s, i->uop, &values))
        return;
    lanes = (uint32_t)__builtin_popcount(values.mask);
    if (p->macro && p->reason == NULL) {
        values_macro(p, &values);
        t->apart += lanes;
        lanes = (uint32_t)__builtin_popcount(values.mask);
        t->apart -= lanes;
    }
    if (p->reason != NULL) {
        not_covered(t, p->reason);
    } else if (lanes == 0) {
        t->idle++;
    } else {
        t->instructions++;
        t->results += p->result ? lanes * p->passes : 0;
        t->flags += p->flags || p->carry ? lanes : 0;
        values_fpu_issue(&t->fpu[i->eu][i->unit], p, &values, &at);
        if (t->fpu[i->eu][i->unit].first.found)
            t->status = IGPU_SIM_ERROR;
    }
}

static struct sim_watch values_watch(struct values *v)
{
    return (struct sim_watch){v, on_launch, on_open, on_issue, NULL};
}

/* ---- the outcome --------------------------------------------------------- */

static void values_finish(struct values *v)
{
    for (unsigned i = 0; i < v->tiles; i++)
        for (unsigned j = 0; j < v->eus; j++)
            for (unsigned k = 0; k < FPUS; k++) {
                struct values_fpu *f = &v->tile[i].fpu[j][k];

                values_fpu_drain(f);
                if (f->first.found && v->tile[i].status == IGPU_OK)
                    v->tile[i].status = IGPU_SIM_ERROR;
            }
}

static const struct values_difference *first_difference(const struct values *v)
{
    const struct values_difference *first = NULL;

    for (unsigned i = 0; i < v->tiles; i++)
        for (unsigned j = 0; j < v->eus; j++)
            for (unsigned k = 0; k < FPUS; k++) {
                const struct values_difference *d = &v->tile[i].fpu[j][k].first;

                if (d->found && (first == NULL || d->at.cycle < first->at.cycle))
                    first = d;
            }
    return first;
}

static enum igpu_status say(const struct values *v, const struct values_difference *d,
                            struct igpu_err *err)
{
    const struct trace_reader *r = v->tile[0].reader;
    const struct trace_kernel *kernel =
        trace_kernel(r, trace_launch(r, d->at.launch)->kernel);
    const struct isa_inst *inst = &kernel->code.inst[d->at.inst];
    char text[128], operands[80] = "";
    int n = 0;

    (void)isa_disasm(inst, text, sizeof(text));
    for (uint32_t k = 0; k < d->nsrc; k++)
        n += snprintf(operands + n, sizeof(operands) - (size_t)n, " %#" PRIx64,
                      d->src[k]);
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "FPU values differ first at cycle %" PRIu64
                     ": kernel %s, pc 0x%X, %s; launch %u, thread %u, lane %u, "
                     "subslice %u EU %u FPU%u: operands%s give %s%#" PRIx64
                     " in the RTL, %#" PRIx64 " in the emulator",
                     d->at.cycle, kernel->name, inst->pc, text, d->at.launch,
                     d->at.thread, d->lane, d->at.tile, d->at.eu, d->at.unit, operands,
                     d->is_flag ? "flag " : "", d->got, d->want);
}

static enum igpu_status values_status(const struct values *v, struct igpu_err *err)
{
    const struct values_tile *bad = NULL;

    if (v->out_of_memory)
        return igpu_no_memory(err, "--check-values");
    for (unsigned i = 0; i < v->tiles && bad == NULL; i++)
        if (v->tile[i].status != IGPU_OK)
            bad = &v->tile[i];
    if (bad == NULL)
        return IGPU_OK;
    if (first_difference(v) != NULL)
        return say(v, first_difference(v), err);
    if (err != NULL)
        *err = bad->err;
    return bad->status;
}

static void print_reasons(const struct values_tile *sum, FILE *out)
{
    for (unsigned i = 0; i < REASONS; i++)
        if (sum->reason[i].text != NULL)
            fprintf(out, "not covered   %" PRIu64 " instructions: %s\n",
                    sum->reason[i].instructions, sum->reason[i].text);
    if (sum->apart != 0)
        fprintf(out,
                "not covered   %" PRIu64 " lanes of madm, invm, rsqtm: special, or "
                "exponents too far apart\n",
                sum->apart);
    if (sum->missing != 0)
        fprintf(out, "not covered   %" PRIu64 " instructions: not in the trace\n",
                sum->missing);
}

static void tile_add(struct values_tile *sum, const struct values_tile *t)
{
    sum->instructions += t->instructions;
    sum->idle += t->idle;
    sum->missing += t->missing;
    sum->results += t->results;
    sum->flags += t->flags;
    sum->apart += t->apart;
    for (unsigned i = 0; i < REASONS && t->reason[i].text != NULL; i++) {
        not_covered(sum, t->reason[i].text);
        for (unsigned k = 0; k < REASONS; k++)
            if (sum->reason[k].text != NULL &&
                strcmp(sum->reason[k].text, t->reason[i].text) == 0)
                sum->reason[k].instructions += t->reason[i].instructions - 1;
    }
}

static void values_print(const struct values *v, FILE *out)
{
    struct values_tile *sum = calloc(1, sizeof(*sum));
    uint64_t waited = 0, vectors = 0;

    if (sum == NULL)
        return;
    for (unsigned i = 0; i < v->tiles; i++) {
        tile_add(sum, &v->tile[i]);
        for (unsigned k = 0; k < HOST_EUS * FPUS; k++) {
            const struct values_fpu *f = &v->tile[i].fpu[k / FPUS][k % FPUS];

            waited = f->waited > waited ? f->waited : waited;
            vectors += f->vectors;
        }
    }
    fprintf(out,
            "FPU values    %" PRIu64 " results and %" PRIu64 " flags of %" PRIu64
            " instructions equal; %" PRIu64 " instructions without a lane\n",
            sum->results, sum->flags, sum->instructions, sum->idle);
    fprintf(out,
            "FPU RTL       %" PRIu64 " vectors; operands entered at most %" PRIu64
            " cycles after their issue's turn\n",
            vectors, waited);
    print_reasons(sum, out);
    free(sum);
}

const struct values_ops values_ops = {values_create, values_destroy, values_watch,
                                      values_status, values_finish,  values_print};
