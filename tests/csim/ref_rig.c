/* ref_rig.c - see ref_rig.h. */
#include "ref_rig.h"
#include "igpu/ref.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct uop_run next_run(struct rig *r, unsigned tile, unsigned eu, unsigned slot)
{
    uint32_t thread = r->slot[tile][eu][slot].thread;
    uint32_t at = r->slot[tile][eu][slot].at, len = 1;
    uint32_t path = r->path[thread].own ? thread : 0;
    const uint32_t *step = r->path[path].step;

    if (at == r->path[path].steps)
        return (struct uop_run){0, 1, 0};
    while (at + len < r->path[path].steps && step[at + len] == step[at] + len &&
           (r->run_length == 0 || len < r->run_length))
        len++;
    r->slot[tile][eu][slot].at = at + len;
    return (struct uop_run){step[at], len, 0};
}

static struct uop_run on_next(void *ctx, unsigned tile, unsigned eu, unsigned slot)
{
    return next_run(ctx, tile, eu, slot);
}

static struct uop_run on_open(void *ctx, unsigned tile, unsigned eu, unsigned slot,
                              uint32_t thread, uint8_t bslot, uint64_t cycle)
{
    struct rig *r = ctx;

    assert_true(thread < RIG_THREADS);
    r->open[thread] =
        (struct rig_open){cycle, (uint8_t)tile, (uint8_t)eu, (uint8_t)slot, bslot};
    r->opens++;
    r->slot[tile][eu][slot].thread = thread;
    r->slot[tile][eu][slot].at = 0;
    return next_run(r, tile, eu, slot);
}

static void on_issue(void *ctx, const struct host_issue *i)
{
    struct rig *r = ctx;

    assert_true(r->issues < RIG_LOG);
    r->issue_thread[r->issues] = r->slot[i->tile][i->eu][i->slot].thread;
    r->issue[r->issues++] = *i;
}

static void on_msg(void *ctx, const struct host_msg *m)
{
    struct rig *r = ctx;

    assert_true(r->msgs < RIG_LOG);
    r->msg[r->msgs++] = *m;
}

static void on_end(void *ctx, unsigned tile, const struct host_end *e)
{
    struct rig *r = ctx;

    assert_true(r->ends < RIG_THREADS);
    (void)tile;
    r->end[r->ends++] = *e;
}

struct rig *rig_new(void)
{
    struct rig *r = calloc(1, sizeof(*r));

    assert_non_null(r);
    r->ops = &host_engine_ref;
    assert_int_equal(igpu_config_preset(&r->config, "skl-gt2", NULL), IGPU_OK);
    r->config.icache_miss = 0; /* tests/csim/test_icache.c */
    r->config.gpu_subslices = 1;
    r->config.eu_count = 1;
    r->config.disp_interval = 1;
    r->uops = 1;
    r->uop[0] =
        (struct uop){.unit = UOP_SEND, .cls = UOP_MSG, .payload = 1, .flags = UOP_EOT};
    return r;
}

void rig_free(struct rig *r)
{
    r->ops->destroy(r->gpu);
    free(r);
}

uint32_t rig_add(struct rig *r, struct uop uop)
{
    assert_true(r->uops < RIG_UOPS);
    r->uop[r->uops] = uop;
    return r->uops++;
}

void rig_path(struct rig *r, uint32_t thread, const uint32_t *steps)
{
    uint32_t n = 0;

    for (; steps[n] != RIG_END; n++) {
        assert_true(n < RIG_STEPS);
        r->path[thread].step[n] = steps[n];
    }
    r->path[thread].steps = n;
    r->path[thread].own = true;
}

void rig_launch(struct rig *r, const struct host_launch *launch)
{
    if (r->gpu == NULL) {
        struct host_calls calls = {.ctx = r,
                                   .open = on_open,
                                   .next = on_next,
                                   .issue = on_issue,
                                   .msg = on_msg,
                                   .end = on_end};

        assert_int_equal(r->ops->create(&r->gpu, &r->config, &calls, NULL), IGPU_OK);
        assert_int_equal(r->ops->load(r->gpu, r->uop, r->uops, NULL), IGPU_OK);
    }
    r->ops->launch(r->gpu, launch);
}

void rig_start(struct rig *r, uint32_t threads)
{
    rig_launch(r, &(struct host_launch){.threads = threads, .tpg = 1});
}

void rig_start_pinned(struct rig *r, uint32_t threads, uint32_t tpg, uint8_t slm_kb)
{
    rig_launch(r,
               &(struct host_launch){
                   .threads = threads, .tpg = tpg, .pinned = true, .slm_kb = slm_kb});
}

void rig_run(struct rig *r, uint64_t until)
{
    r->ops->run(r->gpu, until);
}

void rig_done(struct rig *r, uint64_t cycle, uint8_t eu, uint8_t slot, uint32_t uop,
              bool credit, bool wb)
{
    struct host_done done = {
        .cycle = cycle, .uop = uop, .eu = eu, .slot = slot, .credit = credit, .wb = wb};

    r->ops->done(r->gpu, &done);
}

/* Index in issue[] of the thread's instruction number k, or issues. */
static uint32_t find(const struct rig *r, uint32_t thread, uint32_t k)
{
    uint32_t i = 0;

    for (; i < r->issues; i++) {
        if (r->issue_thread[i] == thread && k-- == 0)
            break;
    }
    return i;
}

uint64_t rig_cycle(const struct rig *r, uint32_t thread, uint32_t k)
{
    uint32_t i = find(r, thread, k);

    return i < r->issues ? r->issue[i].cycle : HOST_NEVER;
}

unsigned rig_unit(const struct rig *r, uint32_t thread, uint32_t k)
{
    uint32_t i = find(r, thread, k);

    return i < r->issues ? r->issue[i].unit : EU_UNITS;
}

uint64_t rig_end(const struct rig *r, uint32_t thread)
{
    for (uint32_t i = 0; i < r->issues; i++) {
        if (r->issue_thread[i] == thread && r->issue[i].uop == 0)
            return r->issue[i].cycle;
    }
    return HOST_NEVER;
}

static void bits(uint64_t *mask, unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count && i < 128; i++)
        mask[i / 64] |= UINT64_C(1) << (i % 64);
}

struct uop rig_fpu(unsigned cls, unsigned src, unsigned dst, uint8_t grfs)
{
    bool fpu1 = cls == UOP_DF || cls == UOP_MATH || cls == UOP_MATH2 || cls == UOP_IDIV;
    struct uop u = {.unit = fpu1 ? UOP_FPU1 : UOP_FPU_ANY,
                    .cls = (uint8_t)cls,
                    .exec_grfs = grfs,
                    .dst_grfs = grfs};

    bits(u.need, src, 1);
    bits(u.need, dst, 1);
    bits(u.set, dst, 1);
    return u;
}

struct uop rig_send(unsigned src, uint8_t payload, unsigned dst, uint8_t rlen)
{
    struct uop u = {.unit = UOP_SEND,
                    .cls = UOP_MSG,
                    .payload = payload,
                    .rlen = rlen,
                    .flags = (uint8_t)(rlen > 0 ? UOP_PORT | UOP_WB : UOP_PORT)};

    bits(u.need, src, payload);
    bits(u.need, dst, rlen);
    bits(u.set, dst, rlen);
    return u;
}

struct uop rig_gate(void)
{
    return (struct uop){.unit = UOP_SEND,
                        .cls = UOP_MSG,
                        .payload = 1,
                        .need_x = UOP_X_N0,
                        .set_x = UOP_X_N0,
                        .flags = UOP_GATE | UOP_WB};
}

struct uop rig_branch(unsigned cls, uint8_t need_x)
{
    return (struct uop){.unit = UOP_BRANCH, .cls = (uint8_t)cls, .need_x = need_x};
}
