/* feeder.c - see feeder.h. */
#include "traces/feed/feeder.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/limits.h"
#include "traces/feed/execute.h"
#include "traces/feed/sends.h"
#include "traces/feed/uops.h"

enum {
    TILES = LIMIT_SUBSLICES,
    EUS = LIMIT_EUS,
    SLOTS = LIMIT_SLOTS,
    QUEUED = 4, /* messages of an EU's send queue */
    KB = 1024,
    SLM_MIN_KB = 4 /* guide: smallest allocation of a work-group */
};

struct kernel {
    const struct trace_kernel *code;
    struct uop *uops;
    struct feed_send *sends; /* one for each uop */
    struct uop_run eot;      /* where an error leads */
};

struct thread {
    struct trace_cursor *cursor;
    const uint32_t *blocks; /* read from the cursor, not yet used */
    uint32_t left;
    uint32_t taken; /* instructions of *blocks that earlier runs have */
    uint32_t number;
    bool ended;
    bool loads;               /* its first message loads its payload, */
    struct mem_graphics made; /* of which this is what fixed functions do */
    enum trace_stage stage;
    uint64_t sends; /* issued, once it has ended */
    uint64_t granted;
    struct thread *next; /* younger thread of the same slot */
};

struct slot {
    struct thread *oldest, *running;
    struct feeder_issues issues; /* of *running */
};

struct feeder {
    struct trace_reader *reader;
    const struct igpu_config *config;
    struct kernel *kernels;
    uint32_t kernel_count;
    const struct kernel *now;
    uint32_t launch;
    const struct feeder_part *part; /* parts 0: all threads */
    uint32_t parts;
    struct slot slots[TILES][EUS][SLOTS];
    const struct launch_file *file; /* NULL: paths are the trace's */
    struct execute *execute;
    struct execute_slot executed[TILES][EUS][SLOTS];
    uint64_t lane_instructions, flops;
    enum igpu_status status;
    struct igpu_err err;
};

static void keep_error(struct feeder *f, enum igpu_status status,
                       const struct igpu_err *err)
{
    if (f->status == IGPU_OK) {
        f->status = status;
        f->err = *err;
    }
}

static enum igpu_status make_kernel(struct kernel *k, const struct trace_kernel *code,
                                    const struct igpu_config *config,
                                    struct igpu_err *err)
{
    uint32_t count = code->code.count;
    uint32_t i = 0;

    while (!code->code.inst[i].eot) /* the reader has seen that there is one */
        i++;
    k->code = code;
    k->eot = (struct uop_run){i, 1, 0};
    k->uops = calloc(count, sizeof(*k->uops));
    k->sends = calloc(count, sizeof(*k->sends));
    if (k->uops == NULL || k->sends == NULL)
        return igpu_no_memory(err, "kernel %s", code->name);
    uops_from_code(&code->code, config, k->uops);
    for (i = 0; i < count; i++)
        k->sends[i] = feed_send_of(&code->code.inst[i]);
    return IGPU_OK;
}

enum igpu_status feeder_create(struct feeder **feeder, struct trace_reader *reader,
                               const struct igpu_config *config, struct igpu_err *err)
{
    struct feeder *f = calloc(1, sizeof(*f));
    enum igpu_status status = IGPU_OK;

    *feeder = NULL;
    if (f == NULL)
        return igpu_no_memory(err, "feeder");
    f->reader = reader;
    f->config = config;
    f->kernel_count = trace_summary(reader)->kernels;
    f->kernels = calloc(f->kernel_count + 1, sizeof(*f->kernels));
    if (f->kernels == NULL)
        status = igpu_no_memory(err, "feeder");
    for (uint32_t i = 0; status == IGPU_OK && i < f->kernel_count; i++)
        status = make_kernel(&f->kernels[i], trace_kernel(reader, i), config, err);
    if (status != IGPU_OK) {
        feeder_destroy(f);
        return status;
    }
    *feeder = f;
    return IGPU_OK;
}

static void free_thread(struct thread *t)
{
    trace_cursor_close(t->cursor);
    free(t);
}

static void clear_slot(struct slot *s)
{
    while (s->oldest != NULL) {
        struct thread *t = s->oldest;

        s->oldest = t->next;
        free_thread(t);
    }
    s->running = NULL;
}

static void clear_slots(struct feeder *f)
{
    for (unsigned i = 0; i < TILES; i++)
        for (unsigned j = 0; j < EUS; j++)
            for (unsigned k = 0; k < SLOTS; k++) {
                clear_slot(&f->slots[i][j][k]);
                execute_clear(f->execute, &f->executed[i][j][k]);
            }
}

void feeder_destroy(struct feeder *f)
{
    if (f == NULL)
        return;
    clear_slots(f);
    execute_free(f->execute);
    for (uint32_t i = 0; f->kernels != NULL && i < f->kernel_count; i++) {
        free(f->kernels[i].uops);
        free(f->kernels[i].sends);
    }
    free(f->kernels);
    free(f);
}

const struct uop *feeder_uops(const struct feeder *f, uint32_t kernel, uint32_t *count)
{
    *count = f->kernels[kernel].code->code.count;
    return f->kernels[kernel].uops;
}

enum igpu_status feeder_launch(const struct feeder *f, uint32_t index,
                               struct feeder_launch *shape, struct igpu_err *err)
{
    const struct trace_launch *l = trace_launch(f->reader, index);
    const struct trace_kernel *k = trace_kernel(f->reader, l->kernel);
    uint64_t slots = f->config->eu_count * f->config->eu_threads;
    uint64_t kb = (l->slm_bytes + KB - 1) / KB;

    if (kb > 0 && kb < SLM_MIN_KB)
        kb = SLM_MIN_KB;
    if (kb > f->config->disp_slm_kb)
        return igpu_fail(err, IGPU_USAGE,
                         "launch %u (%s): a work-group needs %llu KB of SLM, a "
                         "subslice has disp.slm_kb = %llu; raise the key",
                         index, k->name, (unsigned long long)kb,
                         (unsigned long long)f->config->disp_slm_kb);
    shape->kernel = l->kernel;
    shape->threads = l->threads;
    for (uint32_t i = 0; i < f->parts; i++)
        shape->threads = (uint32_t)f->part[i].threads + (i > 0 ? shape->threads : 0);
    shape->tpg = l->threads_per_group;
    shape->graphics = k->graphics;
    shape->pinned = k->barriers || kb > 0;
    shape->slm_kb = (uint8_t)kb;
    if (shape->pinned && shape->tpg > slots)
        return igpu_fail(err, IGPU_USAGE,
                         "launch %u (%s): a work-group with barrier or SLM has %u "
                         "threads, a subslice has eu.count x eu.threads = %llu slots; "
                         "raise the keys",
                         index, k->name, shape->tpg, (unsigned long long)slots);
    return IGPU_OK;
}

void feeder_pick(struct feeder *f, const struct feeder_part *part, uint32_t count)
{
    f->part = part;
    f->parts = count;
}

/* The launch's number of a thread that is the engine's `thread`. */
static uint32_t in_launch(const struct feeder *f, uint32_t thread)
{
    uint64_t left = thread;

    for (uint32_t i = 0; i < f->parts; i++) {
        if (left < f->part[i].threads)
            return (uint32_t)(f->part[i].first + left);
        left -= f->part[i].threads;
    }
    return thread;
}

enum igpu_status feeder_execute(struct feeder *f, const struct launch_file *file,
                                const struct execute_beside *beside,
                                struct igpu_err *err)
{
    f->file = file;
    f->execute = execute_new(beside);
    for (unsigned i = 0; i < TILES * EUS * SLOTS; i++)
        f->executed[i / SLOTS / EUS][i / SLOTS % EUS][i % SLOTS].place = i;
    return f->execute != NULL ? IGPU_OK : igpu_no_memory(err, "feeder");
}

enum igpu_status feeder_begin(struct feeder *f, uint32_t index, struct igpu_err *err)
{
    uint64_t slots =
        f->config->gpu_subslices * f->config->eu_count * f->config->eu_threads;

    clear_slots(f);
    f->launch = index;
    f->now = &f->kernels[trace_launch(f->reader, index)->kernel];
    f->lane_instructions = f->flops = 0;
    if (f->execute == NULL)
        return IGPU_OK;
    /* Ended threads keep theirs as long as a message waits in their EU's queue. */
    return execute_begin(f->execute, f->file, index, &f->now->code->code,
                         (uint32_t)(slots + EUS * TILES * QUEUED), err);
}

void feeder_watch(struct feeder *f, bool on)
{
    execute_watch(f->execute, on);
}

bool feeder_stuck(const struct feeder *f)
{
    return execute_stuck(f->execute);
}

/* The next run of an executed thread. */
static struct uop_run executed_run(struct feeder *f, struct execute_slot *slot)
{
    struct uop_run run;
    struct igpu_err err;
    enum igpu_status status = execute_status(f->execute, &err);

    if (status != IGPU_OK)
        keep_error(f, status, &err);
    return execute_run(f->execute, slot, &run) ? run : f->now->eot;
}

void feeder_issue(struct feeder *f, unsigned tile, unsigned eu, unsigned slot,
                  uint32_t uop, uint64_t cycle)
{
    struct igpu_err err;
    enum igpu_status status;

    if (execute_issue(f->execute, &f->executed[tile][eu][slot], uop, cycle))
        return;
    status = execute_status(f->execute, &err);
    if (status != IGPU_OK)
        keep_error(f, status, &err);
}

/* The block after the ones taken, without taking it. False: none, or an error. */
static bool peek_block(struct feeder *f, struct thread *t, uint32_t *block)
{
    struct igpu_err err;

    if (t->left == 0) {
        enum trace_next got =
            trace_cursor_blocks(t->cursor, &t->blocks, &t->left, &err);

        if (got == TRACE_NEXT_ERROR)
            keep_error(f, IGPU_BAD_INPUT, &err);
        if (got != TRACE_NEXT_OK) {
            t->left = 0;
            return false;
        }
    }
    *block = *t->blocks;
    return true;
}

/* Blocks that follow each other in the code make one run, up to UOP_RUN_MAX. A block
 * that is longer than a run makes several. */
static struct uop_run take_run(struct feeder *f, struct thread *t)
{
    const struct isa_block *list = f->now->code->blocks.block;
    struct uop_run run = {0, 0, 0};
    uint32_t block;

    while (t->cursor != NULL && peek_block(f, t, &block)) {
        const struct isa_block *b = &list[block];
        uint32_t first = b->first + t->taken, count = b->count - t->taken;

        if (run.len == 0)
            run.pc = first;
        else if (first != run.pc + run.len || run.len + count > UOP_RUN_MAX)
            break;
        if (count > UOP_RUN_MAX) {
            t->taken += UOP_RUN_MAX;
            run.len = UOP_RUN_MAX;
            break;
        }
        run.len += count;
        t->taken = 0;
        t->blocks++;
        t->left--;
        if (b->ends_thread)
            break;
    }
    if (run.len == 0) {
        struct igpu_err err;

        (void)igpu_fail(&err, IGPU_BAD_INPUT,
                        "launch %u, thread %u: its path ends without EOT", f->launch,
                        t->number);
        keep_error(f, IGPU_BAD_INPUT, &err);
        return f->now->eot;
    }
    return run;
}

_Static_assert((int)TRACE_WORKS == (int)MEM_WORKS &&
                   (int)TRACE_WORK_TESTS == (int)MEM_WORK_TESTS &&
                   (int)TRACE_WORK_HIZ == (int)MEM_WORK_HIZ,
               "fixed functions are numbered alike");
_Static_assert((int)TRACE_DEPTH_RUNS == (int)MEM_DEPTH_RUNS &&
                   (int)TRACE_DEPTH_PAGE == (int)MEM_DEPTH_PAGE &&
                   (int)TRACE_DEPTH_WRITTEN == (int)MEM_DEPTH_WRITTEN &&
                   (int)TRACE_DEPTH_READ == (int)MEM_DEPTH_READ &&
                   (int)TRACE_DEPTH_NOTE == (int)MEM_DEPTH_NOTE &&
                   (int)TRACE_LINE_PACKED == (int)MEM_LINE_PACKED &&
                   (int)TRACE_LINE_PACKS == (int)MEM_LINE_PACKS,
               "lines are told alike");

static void keep_payload(struct thread *t, const struct trace_payload *p)
{
    memcpy(t->made.work, p->work, sizeof(t->made.work));
    t->made.needed = p->needed;
    t->made.draw = p->draw;
    t->stage = p->stage;
    t->made.pixel = t->stage == TRACE_STAGE_PIXEL;
    t->made.runs = p->runs;
    for (uint32_t i = 0; i < p->runs; i++)
        t->made.depth[i] =
            (struct mem_depth){p->depth[i].page, p->depth[i].lines, p->depth[i].how};
}

/* What the payload of a thread of graphics waits for: its first access, read ahead. */
static void read_payload(struct feeder *f, struct thread *t)
{
    const struct trace_graphics *g = NULL;
    uint64_t addr[TRACE_MAX_LANES];
    uint32_t inst, mask, block;
    struct igpu_err err;

    t->made.pixel = true;
    if (!peek_block(f, t, &block) ||
        f->now->sends[f->now->code->blocks.block[block].first].op != MEM_PAYLOAD)
        return;
    t->loads = true;
    if (trace_cursor_next_lanes(t->cursor, &inst, &mask, addr, &err) == TRACE_NEXT_OK)
        g = trace_cursor_graphics(t->cursor);
    if (g != NULL && g->family == ISA_MSG_PAYLOAD) {
        keep_payload(t, &g->payload);
        return;
    }
    (void)igpu_fail(&err, IGPU_BAD_INPUT,
                    "launch %u, thread %u: no access of its payload", f->launch,
                    t->number);
    keep_error(f, IGPU_BAD_INPUT, &err);
}

bool feeder_graphics(const struct feeder *f, unsigned tile, unsigned eu, unsigned slot,
                     struct mem_graphics *made)
{
    const struct thread *t = f->slots[tile][eu][slot].running;

    if (!f->now->code->graphics || t == NULL || !t->loads)
        return false;
    *made = t->made;
    return true;
}

enum trace_stage feeder_stage(const struct feeder *f, unsigned tile, unsigned eu,
                              unsigned slot)
{
    const struct thread *t = f->slots[tile][eu][slot].running;

    return t == NULL ? TRACE_STAGE_COMPUTE : t->stage;
}

struct uop_run feeder_open(struct feeder *f, unsigned tile, unsigned eu, unsigned slot,
                           uint32_t thread)
{
    struct slot *s = &f->slots[tile][eu][slot];
    struct thread *t;
    enum igpu_status status = IGPU_OK;
    struct igpu_err err;

    if (f->execute != NULL) {
        s->issues = (struct feeder_issues){0, 0};
        execute_open(f->execute, &f->executed[tile][eu][slot], thread);
        return executed_run(f, &f->executed[tile][eu][slot]);
    }
    t = calloc(1, sizeof(*t));
    if (t == NULL) {
        (void)igpu_no_memory(&err, "feeder");
        keep_error(f, IGPU_BAD_INPUT, &err);
        return f->now->eot;
    }
    t->number = in_launch(f, thread);
    t->cursor = trace_cursor_open(f->reader, f->launch, t->number, &status, &err);
    if (t->cursor == NULL)
        keep_error(f, status, &err);
    else if (f->now->code->graphics)
        read_payload(f, t);
    if (s->oldest == NULL)
        s->oldest = t;
    else
        s->running->next = t;
    s->running = t;
    s->issues = (struct feeder_issues){0, 0};
    return take_run(f, t);
}

struct uop_run feeder_next(struct feeder *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct thread *t = f->slots[tile][eu][slot].running;

    if (f->execute != NULL)
        return executed_run(f, &f->executed[tile][eu][slot]);
    return t == NULL ? f->now->eot : take_run(f, t);
}

struct feeder_issues *feeder_issues(struct feeder *f, unsigned tile, unsigned eu,
                                    unsigned slot)
{
    return &f->slots[tile][eu][slot].issues;
}

/* Drop ended threads whose last message was granted. */
static void retire(struct slot *s)
{
    while (s->oldest != NULL && s->oldest->ended &&
           s->oldest->granted == s->oldest->sends) {
        struct thread *t = s->oldest;

        s->oldest = t->next;
        if (s->running == t)
            s->running = NULL;
        free_thread(t);
    }
}

/* Count the work of a thread that issued so many instructions and has ended or not. */
static void credit_work(struct feeder *f, struct thread *t, uint64_t issued, bool all)
{
    struct trace_totals totals;
    struct igpu_err err;
    enum igpu_status status;

    if (t->cursor == NULL)
        return;
    status = trace_cursor_totals(t->cursor, &totals, &err);
    if (status != IGPU_OK) {
        keep_error(f, status, &err);
        return;
    }
    if (!all && totals.instructions > 0) {
        double share = (double)issued / (double)totals.instructions;

        totals.lane_instructions = (uint64_t)((double)totals.lane_instructions * share);
        totals.flops = (uint64_t)((double)totals.flops * share);
    }
    f->lane_instructions += totals.lane_instructions;
    f->flops += totals.flops;
}

void feeder_end(struct feeder *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct slot *s = &f->slots[tile][eu][slot];
    struct thread *t = s->running;

    if (t == NULL)
        return;
    credit_work(f, t, s->issues.all, true);
    t->ended = true;
    t->sends = s->issues.sends;
    retire(s);
}

void feeder_work(struct feeder *f, uint64_t *lane_instructions, uint64_t *flops)
{
    uint64_t lanes = f->lane_instructions, done = f->flops;

    if (f->execute != NULL) {
        *lane_instructions = execute_counts(f->execute).lane_instructions;
        *flops = execute_counts(f->execute).flops;
        return;
    }
    for (unsigned i = 0; i < TILES; i++)
        for (unsigned j = 0; j < EUS; j++)
            for (unsigned k = 0; k < SLOTS; k++) {
                const struct slot *s = &f->slots[i][j][k];

                if (s->running != NULL && !s->running->ended)
                    credit_work(f, s->running, s->issues.all, false);
            }
    *lane_instructions = f->lane_instructions;
    *flops = f->flops;
    f->lane_instructions = lanes;
    f->flops = done;
}

/* Keep the error of a thread whose next access is not the one its path executes. */
static void bad_access(struct feeder *f, const struct thread *t, uint32_t uop,
                       enum trace_next got, uint32_t inst,
                       const struct igpu_err *read_err)
{
    struct igpu_err err = *read_err;

    if (got == TRACE_NEXT_OK)
        (void)igpu_fail(&err, IGPU_BAD_INPUT,
                        "launch %u, thread %u: access of instruction %u where its path "
                        "executes %u",
                        f->launch, t->number, inst, uop);
    else if (got == TRACE_NEXT_END || t->cursor == NULL)
        (void)igpu_fail(&err, IGPU_BAD_INPUT, "launch %u, thread %u: no access left",
                        f->launch, t->number);
    keep_error(f, IGPU_BAD_INPUT, &err);
}

/* The message's addresses. Where lanes lie at a stride, it alone is handed on for what
 * the memory side takes so. */
static inline __attribute__((always_inline)) void
fill_addresses(struct feeder *f, struct thread *t, uint32_t uop,
               const struct feed_send *send, struct mem_msg *msg)
{
    enum trace_next got = TRACE_NEXT_ERROR;
    uint32_t inst = 0, mask = 0;
    struct igpu_err err;

    err.text[0] = '\0';
    if (t->cursor != NULL && send->op <= MEM_WRITE)
        got = trace_cursor_next_even(t->cursor, &inst, &mask, msg->addr, &msg->even,
                                     &msg->stride, &err);
    else if (t->cursor != NULL)
        got = trace_cursor_next_lanes(t->cursor, &inst, &mask, msg->addr, &err);
    if (got != TRACE_NEXT_OK || inst != uop) {
        bad_access(f, t, uop, got, inst, &err);
        return;
    }
    feed_put_lanes(mask, send, msg);
    if (send->graphics)
        feed_graphics(trace_cursor_graphics(t->cursor), msg);
}

/* The message takes effect; what it accesses is what the memory side is told. */
static void executed_message(struct feeder *f, struct execute_slot *slot,
                             const struct feed_send *send, struct mem_msg *msg)
{
    struct emu_access access;
    struct igpu_err err;
    enum igpu_status status;
    uint32_t n = 0;

    if (execute_send(f->execute, slot, &access) && send->has_access) {
        for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
            msg->addr[n++] = access.addr[__builtin_ctz(rest)];
        feed_put_lanes(access.mask, send, msg);
    }
    status = execute_status(f->execute, &err);
    if (status != IGPU_OK)
        keep_error(f, status, &err);
}

void feeder_message(struct feeder *f, unsigned tile, unsigned eu, unsigned slot,
                    uint32_t uop, struct mem_msg *msg)
{
    struct slot *s = &f->slots[tile][eu][slot];
    struct thread *t = s->oldest;
    const struct uop *u = &f->now->uops[uop];
    const struct feed_send *send = &f->now->sends[uop];

    msg->subslice = (uint8_t)tile;
    msg->eu = (uint8_t)eu;
    msg->slot = (uint8_t)slot;
    msg->op = send->op;
    msg->space = send->space;
    msg->rlen = u->rlen;
    msg->lanes = 0;
    msg->even = false;
    msg->stride = 0; /* and any other body */
    msg->bytes = 4;
    msg->uop = uop;
    msg->credit = (u->flags & UOP_PORT) != 0;
    msg->wb = (u->flags & UOP_WB) != 0;
    if (f->execute != NULL)
        executed_message(f, &f->executed[tile][eu][slot], send, msg);
    if (t == NULL)
        return;
    if (t->loads && t->granted == 0) /* read when it was opened */
        msg->bytes = send->bytes;
    else if (send->has_access)
        fill_addresses(f, t, uop, send, msg);
    t->granted++;
    retire(s);
}

enum igpu_status feeder_error(const struct feeder *f, struct igpu_err *err)
{
    if (f->status != IGPU_OK && err != NULL)
        *err = f->err;
    return f->status;
}

bool feeder_where(const struct feeder *f, unsigned tile, unsigned eu, unsigned slot,
                  struct feeder_where *where)
{
    const struct slot *s = &f->slots[tile][eu][slot];
    const struct thread *t = s->running;

    if (f->execute != NULL) {
        uint64_t thread;
        uint32_t messages;

        if (!execute_where(&f->executed[tile][eu][slot], &thread, &messages))
            return false;
        *where = (struct feeder_where){(uint32_t)thread, s->issues.all, messages};
        return true;
    }
    if (t == NULL || t->ended)
        return false;
    where->thread = t->number;
    where->issued = s->issues.all;
    where->messages_waiting = s->issues.sends - t->granted;
    return true;
}
