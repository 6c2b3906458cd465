/* values_fpu.c - see values_fpu.h. */
#include "bridge/engines/rtl/values_fpu.h"

#include <string.h>

enum { DRAIN_CLOCKS = FPU_RTL_MATH_DRAIN };

bool values_fpu_make(struct values_fpu *f)
{
    memset(f, 0, sizeof(*f));
    f->rtl = fpu_rtl_new();
    return f->rtl != NULL;
}

void values_fpu_free(struct values_fpu *f)
{
    if (f->rtl != NULL)
        fpu_rtl_free(f->rtl);
}

/* ---- results ------------------------------------------------------------- */

static uint64_t slot_of(const void *words, uint32_t bytes, uint32_t slot)
{
    uint64_t value = 0;

    memcpy(&value, (const uint8_t *)words + slot * bytes, bytes);
    return value;
}

/* The first slot that differs. */
static void differ(struct values_fpu *f, const struct values_expect *e,
                   const struct fpu_rtl_out *out)
{
    struct values_difference *d = &f->first;

    for (uint32_t s = 0; s < 16u / e->slot_bytes; s++) {
        uint64_t care = slot_of(e->care, e->slot_bytes, s);
        uint64_t got = slot_of(&out->result, e->slot_bytes, s) & care;
        uint64_t want = slot_of(e->want, e->slot_bytes, s) & care;
        uint32_t bits = (((uint32_t)out->flag ^ e->flags) & e->flags_care) |
                        (((uint32_t)out->carry ^ e->carry) & e->carry_care);

        if (got == want && !(bits >> s & 1))
            continue;
        d->found = true;
        d->is_flag = got == want;
        d->at = e->at;
        d->lane = (uint8_t)(e->first_lane + s);
        d->nsrc = e->nsrc;
        for (uint32_t k = 0; k < e->nsrc; k++)
            d->src[k] = slot_of(e->src[k], e->slot_bytes, s);
        d->got = d->is_flag
                     ? (uint64_t)(e->flags_care ? out->flag : out->carry) >> s & 1
                     : got;
        d->want = d->is_flag ? (uint64_t)(e->flags_care ? e->flags : e->carry) >> s & 1
                             : want;
        return;
    }
}

static void results_compare(struct values_fpu *f, struct values_queue *q,
                            const struct fpu_rtl_out *out)
{
    const struct values_expect *e = &q->ring[q->out % VALUES_RING];

    if (q->out++ == q->in) { /* nothing was asked for */
        q->in++;
        f->first.found = true;
        return;
    }
    if (((out->result.q[0] ^ e->want[0]) & e->care[0]) |
        ((out->result.q[1] ^ e->want[1]) & e->care[1]) |
        (((uint64_t)out->flag ^ e->flags) & e->flags_care) |
        (((uint64_t)out->carry ^ e->carry) & e->carry_care))
        if (!f->first.found)
            differ(f, e, out);
}

static bool clock_once(struct values_fpu *f, const struct fpu_rtl_in *in)
{
    struct fpu_rtl_out out;
    bool taken = false, is_pow;

    if (fpu_rtl_clock(f->rtl, in, &taken, &out))
        results_compare(f, &f->lanes, &out);
    if (fpu_rtl_math(f->rtl, &out, &is_pow)) {
        out.flag = out.carry = 0;
        results_compare(f, is_pow ? &f->pow : &f->math, &out);
    }
    return taken;
}

/* ---- operands ------------------------------------------------------------ */

/* Lanes first.. that `mask` names, `bytes` of each, into slots of the 16 bytes at
 * words; the rest is 0. */
static void pack(void *words, const uint64_t *lane, uint32_t mask, uint32_t slot_bytes,
                 uint32_t bytes)
{
    uint32_t w[4];
    uint8_t *p = words;

    if (bytes == 4 && slot_bytes == 4 && mask == 15) {
        for (uint32_t s = 0; s < 4; s++)
            w[s] = (uint32_t)lane[s];
        memcpy(words, w, 16);
        return;
    }
    memset(words, 0, 16);
    for (; mask != 0; mask &= mask - 1) {
        uint32_t s = (uint32_t)__builtin_ctz(mask);

        memcpy(p + s * slot_bytes, &lane[s], bytes);
    }
}

static void expect(struct values_queue *q, const struct values_plan *p,
                   const struct fpu_values *v, const struct values_origin *at,
                   const struct fpu_rtl_in *in, const uint64_t *result, uint32_t first,
                   uint32_t mask)
{
    static const uint64_t ones[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    struct values_expect *e = &q->ring[q->in++ % VALUES_RING];
    uint32_t bytes = p->result_bytes;

    e->at = *at;
    e->flags_care = e->carry_care = 0;
    e->flags = (uint8_t)(v->flags >> first);
    if (p->flags)
        e->flags_care = (uint8_t)mask;
    if (p->carry) {
        e->carry_care = (uint8_t)mask;
        e->carry = 0;
        for (uint32_t left = mask; left != 0; left &= left - 1) {
            uint32_t s = (uint32_t)__builtin_ctz(left);

            e->carry |= (uint8_t)((v->carry[first + s] & 1) << s);
        }
    }
    e->first_lane = (uint8_t)first;
    e->slot_bytes = p->slot_bytes;
    e->nsrc = p->nsrc;
    for (uint32_t k = 0; k < p->nsrc; k++)
        memcpy(e->src[k], &in->src[k], sizeof(e->src[k]));
    pack(e->want, result + first, p->result ? mask : 0, p->slot_bytes, bytes);
    pack(e->care, ones, p->result ? mask : 0, p->slot_bytes, bytes);
}

static struct values_queue *queue_of(struct values_fpu *f, const struct fpu_rtl_in *in)
{
    if (!in->math)
        return &f->lanes;
    return in->op == ISA_MATH_POW ? &f->pow : &f->math;
}

static void vector(struct values_fpu *f, const struct values_plan *p,
                   const struct fpu_values *v, const struct values_origin *at,
                   struct fpu_rtl_in *in, const uint64_t *result, uint32_t first,
                   uint32_t mask)
{
    uint64_t enters = f->free > at->cycle ? f->free : at->cycle;

    for (uint32_t k = 0; k < p->nsrc; k++) {
        pack(&in->src[k], v->src[k] + first, mask, p->slot_bytes, p->source_bytes[k]);
    }
    in->pred = (uint8_t)(in->math ? mask : v->pred >> first);
    expect(queue_of(f, in), p, v, at, in, result, first, mask);
    f->vectors++;
    while (!clock_once(f, in))
        enters++;
    f->free = enters + 1;
}

void values_fpu_issue(struct values_fpu *f, const struct values_plan *p,
                      const struct fpu_values *v, const struct values_origin *at)
{
    uint32_t slots = 16u / p->slot_bytes;
    struct fpu_rtl_in in = p->in;

    if (f->free > at->cycle && f->free - at->cycle > f->waited)
        f->waited = f->free - at->cycle;
    in.rnd = v->mode & FPU_MODE_ROUND;
    in.int_round = (v->mode & FPU_MODE_INT_ROUND) != 0;
    in.ftz = (uint8_t)(v->mode / FPU_MODE_FTZ_HF);
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        for (uint32_t first = 0; first < p->lanes; first += slots) {
            uint32_t mask = v->mask >> first & ((1u << slots) - 1);

            if (mask != 0)
                vector(f, p, v, at, &in, pass == 0 ? v->result : v->second, first,
                       mask);
        }
        in.op = ISA_MATH_IREM; /* of the second pass of math.idiv */
    }
}

void values_fpu_drain(struct values_fpu *f)
{
    for (uint32_t i = 0; i < DRAIN_CLOCKS; i++)
        (void)clock_once(f, NULL);
    /* What has not come out by now never will. */
    const struct values_queue *const queues[] = {&f->lanes, &f->math, &f->pow};
    for (uint32_t i = 0; i < 3 && !f->first.found; i++) {
        const struct values_queue *q = queues[i];

        if (q->in == q->out)
            continue;
        f->first.found = true;
        f->first.at = q->ring[q->out % VALUES_RING].at;
        f->first.lane = q->ring[q->out % VALUES_RING].first_lane;
    }
}
