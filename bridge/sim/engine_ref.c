/* engine_ref.c - the C reference (csim/ref) behind csim/include/igpu/host.h. */
#include "bridge/sim/engine_ref.h"

#include <stdlib.h>

#include "igpu/host.h"
#include "igpu/ref.h"

_Static_assert((int)HOST_NO_BARRIER == (int)REF_NO_BARRIER,
               "one number for no barrier");
_Static_assert((int)HOST_MAX_TILES == (int)REF_TILES, "as many tiles");

struct engine_ref {
    struct ref_gpu *gpu;
    struct host_calls calls;
};

/* ---- reports of the reference, handed on ---- */

static struct uop_run on_open(void *ctx, const struct ref_open *open)
{
    const struct engine_ref *e = ctx;

    return e->calls.open(e->calls.ctx, open->tile, open->eu, open->slot, open->thread,
                         open->bslot, open->cycle);
}

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    const struct engine_ref *e = ctx;

    return e->calls.next(e->calls.ctx, tile, eu, slot);
}

static void on_issue(void *ctx, const struct ref_issue *r)
{
    const struct engine_ref *e = ctx;
    struct host_issue issue = {.cycle = r->cycle,
                               .uop = r->uop,
                               .tile = r->tile,
                               .eu = r->eu,
                               .slot = r->slot,
                               .unit = r->unit};

    e->calls.issue(e->calls.ctx, &issue);
}

static void on_msg(void *ctx, const struct ref_msg *r)
{
    const struct engine_ref *e = ctx;
    struct host_msg msg = {.cycle = r->cycle,
                           .uop = r->uop,
                           .tile = r->tile,
                           .eu = r->eu,
                           .slot = r->slot};

    e->calls.msg(e->calls.ctx, &msg);
}

static void on_end(void *ctx, const struct ref_end *r)
{
    const struct engine_ref *e = ctx;
    struct host_end end = {
        .cycle = r->cycle, .eu = r->eu, .slot = r->slot, .bslot = r->bslot};

    e->calls.end(e->calls.ctx, r->tile, &end);
}

/* ---- struct host_engine_ops ---- */

static enum igpu_status create(void **engine, const struct igpu_config *config,
                               const struct host_calls *calls, struct igpu_err *err)
{
    struct engine_ref *e = malloc(sizeof(*e));
    struct ref_calls own = {.ctx = e,
                            .open = on_open,
                            .next = on_next,
                            .issue = on_issue,
                            .msg = on_msg,
                            .end = on_end};
    enum igpu_status status;

    if (e == NULL)
        return igpu_fail(err, IGPU_SIM_ERROR, "no memory for the C reference engine");
    e->calls = *calls;
    status = ref_gpu_create(&e->gpu, config, &own, err);
    if (status != IGPU_OK) {
        free(e);
        return status;
    }
    *engine = e;
    return IGPU_OK;
}

static enum igpu_status create_reverse(void **engine, const struct igpu_config *config,
                                       const struct host_calls *calls,
                                       struct igpu_err *err)
{
    enum igpu_status status = create(engine, config, calls, err);

    if (status == IGPU_OK)
        ref_gpu_reverse(((struct engine_ref *)*engine)->gpu, true);
    return status;
}

static void destroy(void *engine)
{
    struct engine_ref *e = engine;

    if (e == NULL)
        return;
    ref_gpu_destroy(e->gpu);
    free(e);
}

static enum igpu_status load(void *engine, const struct uop *uops, uint32_t count,
                             struct igpu_err *err)
{
    return ref_gpu_load(((struct engine_ref *)engine)->gpu, uops, count, err);
}

static void launch(void *engine, const struct host_launch *l)
{
    struct ref_launch own = {.cycle = l->cycle,
                             .threads = l->threads,
                             .tpg = l->tpg,
                             .pinned = l->pinned,
                             .slm_kb = l->slm_kb};

    ref_gpu_launch(((struct engine_ref *)engine)->gpu, &own);
}

static void done(void *engine, const struct host_done *d)
{
    struct ref_done own = {.cycle = d->cycle,
                           .uop = d->uop,
                           .tile = d->tile,
                           .eu = d->eu,
                           .slot = d->slot,
                           .credit = d->credit,
                           .wb = d->wb};

    ref_gpu_done(((struct engine_ref *)engine)->gpu, &own);
}

static void run(void *engine, uint64_t until)
{
    ref_gpu_run(((struct engine_ref *)engine)->gpu, until);
}

static uint64_t next_event(void *engine)
{
    return ref_gpu_next_event(((struct engine_ref *)engine)->gpu);
}

static void skip(void *engine, uint64_t cycle)
{
    ref_gpu_skip(((struct engine_ref *)engine)->gpu, cycle);
}

static bool launch_over(void *engine, uint64_t *end)
{
    return ref_gpu_over(((struct engine_ref *)engine)->gpu, end);
}

const struct host_engine_ops host_engine_ref = {.name = "ref",
                                                .create = create,
                                                .destroy = destroy,
                                                .load = load,
                                                .launch = launch,
                                                .done = done,
                                                .run = run,
                                                .next_event = next_event,
                                                .skip = skip,
                                                .launch_over = launch_over};

const struct host_engine_ops host_engine_ref_reverse = {.name = "ref-reverse",
                                                        .create = create_reverse,
                                                        .destroy = destroy,
                                                        .load = load,
                                                        .launch = launch,
                                                        .done = done,
                                                        .run = run,
                                                        .next_event = next_event,
                                                        .skip = skip,
                                                        .launch_over = launch_over};
