/* frame_launch.c - the threads of draws that are in the pipeline together, as a launch:
 * in which order they are dispatched, and what a trace has of each. */
#include <stdlib.h>
#include <string.h>

#include "traces/draws/frame_threads.h"

/* ---- order -------------------------------------------------------------- */

struct order {
    const struct frame_thread **pixel, **other; /* each as they ended */
    size_t pixels, others;
};

static bool sort_apart(const struct frame_threads *t, struct order *o)
{
    const struct frame_thread *thread = t->thread.item;

    o->pixels = o->others = 0;
    o->pixel = calloc(t->thread.count, sizeof(*o->pixel));
    o->other = calloc(t->thread.count, sizeof(*o->other));
    if (o->pixel == NULL || o->other == NULL)
        return false;
    for (size_t i = 0; i < t->thread.count; i++)
        if (thread[i].stage == TRACE_STAGE_PIXEL)
            o->pixel[o->pixels++] = &thread[i];
        else
            o->other[o->others++] = &thread[i];
    return true;
}

/* How many threads that deliver come before pixel shaders' thread i: those which it
 * needs, and of the next ones as many as the URB has room for. */
static size_t before(const struct order *o, size_t i)
{
    size_t most = o->pixel[i]->needed + o->pixel[i]->ahead;

    return most < o->others ? most : o->others;
}

/* ---- lines of tests ----------------------------------------------------- */

/* Where in the launch's pages: a page has a run for each way in which lines of it are
 * touched. */
struct runs {
    size_t page;
    uint32_t kind; /* TRACE_DEPTH_ bits; those below are done */
};

static uint64_t lines_of(const struct gfx_depth_page *p, uint32_t kind)
{
    uint64_t none = ~(p->read | p->written);

    return ~none & (kind & TRACE_DEPTH_READ ? p->read : ~p->read) &
           (kind & TRACE_DEPTH_WRITTEN ? p->written : ~p->written);
}

/* The next runs of the first `end` pages, as many as a thread has room for; returns how
 * many. */
static uint32_t take_runs(const struct frame_threads *t, struct runs *r, size_t end,
                          struct trace_depth depth[TRACE_DEPTH_RUNS])
{
    enum { KINDS = TRACE_DEPTH_READ + TRACE_DEPTH_WRITTEN + 1 };
    const struct gfx_depth_page *page = t->depth.item;
    uint32_t runs = 0;

    for (; r->page < end; r->page++, r->kind = 0)
        for (; r->kind < KINDS; r->kind++) {
            uint64_t lines = lines_of(&page[r->page], r->kind);

            if (lines == 0)
                continue;
            if (runs == TRACE_DEPTH_RUNS)
                return runs;
            depth[runs++] = (struct trace_depth){
                page[r->page].number * TRACE_DEPTH_PAGE, lines,
                (uint8_t)(r->kind | (page[r->page].notes ? TRACE_DEPTH_NOTE : 0))};
        }
    return runs;
}

/* How the launch's tests are told of: by each pixel shader's thread those up to its
 * own, and by the last of the other threads what is left. */
struct tests {
    struct runs pixel, other;
    size_t first; /* of the other threads that tell of some */
};

static void share_tests(struct frame_threads *t, const struct order *o,
                        struct tests *tests)
{
    struct trace_depth depth[TRACE_DEPTH_RUNS];
    struct runs r = {0};
    size_t threads = 0;

    for (size_t i = 0; i < o->pixels; i++)
        (void)take_runs(t, &r, o->pixel[i]->pages, depth);
    *tests = (struct tests){.other = r};
    while (take_runs(t, &r, t->depth.count, depth) > 0)
        threads++;
    tests->first = threads < o->others ? o->others - threads : 0;
    if (threads > o->others)
        t->depth_cut += (threads - o->others) * TRACE_DEPTH_RUNS;
}

/* ---- a thread ----------------------------------------------------------- */

static void write_path(const struct frame_threads *t, const struct frame_thread *from,
                       const struct frame_kernel *k, struct trace_thread *to)
{
    const struct isa_block *own =
        emu_shader_blocks(k->of.shader[from->shader].shader)->block;
    const uint32_t *block = (const uint32_t *)t->block.item + from->block;
    uint32_t first = k->first[from->shader], begin = k->blocks.block_of[first];
    uint32_t own_first = first + (from->stage != TRACE_STAGE_COMPUTE);

    trace_thread_block(to, begin);
    for (size_t i = 0; i < from->blocks; i++) {
        uint32_t b = k->blocks.block_of[own_first + own[block[i]].first];

        if (i > 0 || b != begin)
            trace_thread_block(to, b);
    }
}

/* The message that loads its payload. */
static void write_payload(const struct frame_threads *t,
                          const struct frame_thread *from, uint32_t inst,
                          struct runs *runs, struct trace_thread *to)
{
    struct trace_graphics g = {.family = ISA_MSG_PAYLOAD};

    memcpy(g.payload.work, from->work, sizeof(g.payload.work));
    g.payload.needed = from->needed;
    g.payload.draw = from->draw;
    g.payload.stage = (enum trace_stage)from->stage;
    if (runs != NULL)
        g.payload.runs = take_runs(
            t, runs, from->stage == TRACE_STAGE_PIXEL ? from->pages : t->depth.count,
            g.payload.depth);
    trace_thread_graphics(to, inst, 0, NULL, &g);
}

/* A message of the sampler or to a render target. */
static void write_message(const struct frame_about *from, uint8_t family, uint32_t inst,
                          uint32_t mask, const uint64_t *addr, struct trace_thread *to)
{
    struct trace_graphics g = {.family = family};

    if (family == ISA_MSG_TARGET) {
        g.target.written = from->work;
        g.target.read = from->read;
    } else {
        g.texture.samples = from->work;
    }
    memcpy(g.how, from->how, sizeof(g.how));
    trace_thread_graphics(to, inst, mask, addr, &g);
}

static void write_accesses(const struct frame_threads *t,
                           const struct frame_thread *from,
                           const struct frame_kernel *k, struct runs *runs,
                           struct trace_thread *to)
{
    const struct frame_access *a =
        (const struct frame_access *)t->access.item + from->access;
    const struct frame_about *about = t->about.item;
    uint64_t addr[TRACE_MAX_LANES];
    uint32_t first = k->first[from->shader];

    if (from->stage != TRACE_STAGE_COMPUTE)
        write_payload(t, from, first++, runs, to);
    for (size_t i = 0; i < from->accesses; i++, a++) {
        const uint64_t *lane = (const uint64_t *)t->addr.item + a->addr;
        uint32_t inst = first + a->inst;

        for (uint32_t l = 0; l < TRACE_MAX_LANES; l++)
            addr[l] = a->mask >> l & 1 ? *lane++ : 0;
        if (a->about != 0)
            write_message(&about[a->about - 1], k->code.inst[inst].msg.family, inst,
                          a->mask, addr, to);
        else
            trace_thread_access(to, inst, a->mask, addr);
    }
}

static enum igpu_status write_thread(struct frame_threads *t,
                                     const struct frame_kernel *k, uint32_t number,
                                     const struct frame_thread *from, struct runs *runs)
{
    struct trace_thread *to = trace_thread_begin(t->writer, number);

    if (to == NULL)
        return IGPU_OK; /* the launch's end tells why */
    write_path(t, from, k, to);
    write_accesses(t, from, k, runs, to);
    return trace_thread_end(to, &from->totals, &t->err);
}

/* ---- a launch ----------------------------------------------------------- */

static enum igpu_status write_threads(struct frame_threads *t,
                                      const struct frame_kernel *k,
                                      const struct order *o)
{
    enum igpu_status status = IGPU_OK;
    uint32_t number = 0;
    size_t other = 0;
    struct tests tests;

    if (t->dispatch.threads > 0)
        tests.first = o->others;
    else
        share_tests(t, o, &tests);
    for (size_t i = 0; i < o->pixels && status == IGPU_OK; i++) {
        size_t least = before(o, i);

        for (; other < least && status == IGPU_OK; other++)
            status = write_thread(t, k, number++, o->other[other],
                                  other >= tests.first ? &tests.other : NULL);
        if (status == IGPU_OK)
            status = write_thread(t, k, number++, o->pixel[i], &tests.pixel);
    }
    for (; other < o->others && status == IGPU_OK; other++)
        status = write_thread(t, k, number++, o->other[other],
                              other >= tests.first ? &tests.other : NULL);
    return status;
}

/* Work that no thread has, of a draw without any, or without pixel shaders' behind its
 * vertices: the launch's last thread's. */
static void give_rest(struct frame_threads *t, const struct order *o)
{
    const struct frame_thread *first = t->thread.item;
    const struct frame_thread *last =
        o->others > 0 && (o->pixels == 0 || before(o, o->pixels - 1) < o->others)
            ? o->other[o->others - 1]
            : o->pixel[o->pixels - 1];
    struct frame_thread *to = (struct frame_thread *)t->thread.item + (last - first);

    for (uint32_t w = 0; w < TRACE_WORKS; w++)
        to->work[w] += t->carried[w];
    memset(t->carried, 0, sizeof(t->carried));
}

enum igpu_status frame_launch_write(struct frame_threads *t)
{
    const struct frame_thread *thread = t->thread.item;
    uint32_t group = t->dispatch.threads > 0 ? t->dispatch.threads : 1;
    struct trace_launch launch = {.dims = 1,
                                  .global = {t->thread.count, 1, 1},
                                  .local = {group, 1, 1},
                                  .slm_bytes = t->shaders.slm_bytes,
                                  .threads_per_group = group,
                                  .threads = (uint32_t)t->thread.count,
                                  .draw = thread[0].draw};
    const struct frame_kernel *k =
        frame_kernels_find(&t->kernels, &t->shaders, t->writer, &t->err);
    enum igpu_status status;
    struct order o;

    if (k == NULL)
        return IGPU_SIM_ERROR;
    launch.kernel = k->number;
    status = trace_writer_launch_begin(t->writer, &launch, NULL, &t->err);
    if (!sort_apart(t, &o))
        status = igpu_no_memory(&t->err, "threads");
    if (status == IGPU_OK) {
        if (t->dispatch.threads == 0)
            give_rest(t, &o);
        status = write_threads(t, k, &o);
    }
    free(o.pixel);
    free(o.other);
    return status == IGPU_OK ? trace_writer_launch_end(t->writer, &t->err) : status;
}
