/* emu_lanes.c - where the lanes of a message with an address a lane find their memory.
 */
#include "emu_lanes.h"
#include "emu_race.h"

enum { MAX_PITCH = 1 << 20 };

__attribute__((noinline)) static void report(struct emu_thread *t,
                                             const struct emu_op *op, uint32_t mask,
                                             enum emu_space space, const uint64_t *addr,
                                             const uint8_t *data)
{
    const struct emu_hooks *hooks = &t->m->launch->hooks;
    const struct isa_message *said = &t->m->p->op[op->index].inst->msg;
    struct emu_access access = {op->index, mask, space, addr};

    if (t->m->watch != NULL)
        emu_race_access(t, op, mask, space, addr, data);
    if (hooks->access == NULL || (hooks->global_only && space == EMU_SPACE_SLM) ||
        !(said->is_read || said->is_write))
        return;
    if (t->m->log != NULL)
        emu_log_access(t, &access);
    else
        hooks->access(hooks->ctx, t->number, &access);
}

void emu_report(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                enum emu_space space, const uint64_t *addr, const uint8_t *data)
{
    if (emu_reports(t))
        report(t, op, mask, space, addr, data);
}

uint32_t emu_payload_at(const struct isa_inst *inst, uint32_t k)
{
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;
    uint32_t reg = split && k >= inst->msg.mlen ? inst->src[1].reg + k - inst->msg.mlen
                                                : inst->src[0].reg + k;

    return reg * ISA_GRF_BYTES;
}

static uint8_t *payload_grf(struct emu_thread *t, const struct isa_inst *inst,
                            uint32_t k)
{
    return t->grf + emu_payload_at(inst, k);
}

/* Of a lane outside: it reads zeros, and what it writes is lost. */
static uint8_t *no_place(uint32_t i, struct emu_lane_msg *l)
{
    l->outside |= 1u << i;
    return memset(l->nowhere[i], 0, sizeof(l->nowhere[i]));
}

/* The host place of a lane of a buffer; NULL after an error. */
static uint8_t *lane_place(struct emu_thread *t, const struct emu_op *op, uint64_t at,
                           uint32_t bytes, bool write, uint32_t i,
                           struct emu_lane_msg *l)
{
    if (bytes <= sizeof(l->nowhere[i]) &&
        emu_read_tail(t, op, at, bytes, l->nowhere[i], &l->addr[i]))
        return l->nowhere[i];
    if (emu_outside(t, op, at, bytes))
        return no_place(i, l);
    if (!emu_address(t, op, at, bytes, i, &l->addr[i]))
        return NULL;
    return emu_global(t, op, l->addr[i], bytes, write, i);
}

/* What a lane's part of the payload says, before it is an address. */
static uint64_t lane_offset(const struct emu_lane_msg *l, uint32_t i)
{
    return l->a64 ? ((const emu_uq *)l->offset)[i]
                  : ((uint64_t)((const emu_ud *)l->offset)[i] << l->shift) + l->base;
}

/* Memory in which a lane needs no look of its own: host[0 .. room] for the offsets
 * from `low`, which lie at the address va. False where there is none. */
struct window {
    uint64_t low, room, va;
    const uint8_t *host;
};

static bool open_window(struct emu_thread *t, const struct emu_op *op, uint32_t bytes,
                        bool write, const struct emu_lane_msg *l, struct window *w)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint64_t size = t->m->slm_bytes, first;

    *w = (struct window){0, 0, 0, t->m->group.slm};
    if (l->a64) {
        first = lane_offset(l, (uint32_t)__builtin_ctz(l->mask));
        w->host = emu_mapping(t->m, first, write, &w->low, &size);
        w->va = w->low;
    } else if (s != NULL && s->bytes != 0) {
        w->host = emu_surface_host(t, s, write);
        w->va = s->va;
        size = s->bytes;
    } else if (!l->slm) {
        return false;
    }
    w->room = size - bytes;
    return w->host != NULL && size >= bytes;
}

/* All lanes at once; false when one of them is not in the window. */
static bool locate_all(const struct window *w, struct emu_lane_msg *l)
{
    uint32_t out = 0;

    for (uint32_t i = 0; i < l->simd; i++) {
        uint64_t at = lane_offset(l, i) - w->low;

        out |= (uint32_t)(at > w->room) << i;
        l->addr[i] = w->va + at;
        l->host[i] = (uint8_t *)((uintptr_t)w->host + at);
    }
    return (out & l->mask) == 0;
}

/* Do n offsets follow each other at l->pitch? Those of a row do not wrap. */
#define FOLLOW(T, n)                                                                   \
    do {                                                                               \
        const T *at = (const T *)l->offset;                                            \
        T first = at[0], step = (T)l->pitch, differ = 0;                               \
                                                                                       \
        for (uint32_t i = 1; i < (n); i++)                                             \
            differ |= at[i] ^ (first + (T)i * step);                                   \
        return differ == 0;                                                            \
    } while (0)

static bool follows(const struct emu_lane_msg *l)
{
    if (l->a64 && l->simd == 16)
        FOLLOW(emu_uq, 16);
    if (l->a64 && l->simd == 8)
        FOLLOW(emu_uq, 8);
    if (!l->a64 && l->simd == 16)
        FOLLOW(emu_ud, 16);
    if (!l->a64 && l->simd == 8)
        FOLLOW(emu_ud, 8);
    return false;
}

/* The same of a row, which only its ends place. Lanes of a write do not overlap. */
static bool locate_row(struct emu_thread *t, const struct window *w, bool write,
                       struct emu_lane_msg *l)
{
    uint64_t at = lane_offset(l, 0) - w->low, pitch = lane_offset(l, 1) - w->low - at;
    uint64_t length = pitch * (l->simd - 1);

    if (!emu_all_lanes(l) || pitch > MAX_PITCH || (write && pitch < l->bytes) ||
        at > w->room || w->room - at < length)
        return false;
    l->pitch = (uint32_t)pitch;
    if (!follows(l))
        return false;
    l->row = (uint8_t *)((uintptr_t)w->host + at);
    l->addr[0] = w->va + at;
    for (uint32_t i = 0; emu_reports(t) && i < l->simd; i++)
        l->addr[i] = w->va + at + i * pitch;
    return true;
}

static bool locate_each(struct emu_thread *t, const struct emu_op *op, uint32_t bytes,
                        bool write, struct emu_lane_msg *l)
{
    for (uint32_t i = 0; i < l->simd; i++) {
        uint64_t at = lane_offset(l, i);

        if (!(l->mask >> i & 1))
            continue;
        l->addr[i] = at;
        if (l->slm) {
            l->addr[i] = emu_slm_offset(at);
            l->host[i] = emu_outside(t, op, l->addr[i], bytes)
                             ? no_place(i, l)
                             : emu_slm(t, op, l->addr[i], bytes, i);
        } else {
            l->host[i] = lane_place(t, op, at, bytes, write, i, l);
        }
        if (l->host[i] == NULL)
            return false;
    }
    return true;
}

static bool find_lanes(struct emu_thread *t, const struct emu_op *op, bool write,
                       bool rows, struct emu_lane_msg *l)
{
    struct window w;

    if (l->mask == 0)
        return true;
    if (open_window(t, op, l->bytes, write, l, &w) &&
        ((rows && locate_row(t, &w, write, l)) || locate_all(&w, l)))
        return true;
    return locate_each(t, op, l->bytes, write, l);
}

/* Who asked to be told of what is written is told of the lanes'. */
static void tell_writes(const struct emu_thread *t, const struct emu_lane_msg *l)
{
    const struct emu_mem_hooks *hooks = &t->m->mem->hooks;

    if (l->row != NULL && l->pitch == l->bytes) {
        hooks->write(hooks->ctx, l->addr[0], l->simd * l->bytes, l->row);
        return;
    }
    for (uint32_t i = 0; l->row != NULL && i < l->simd; i++)
        hooks->write(hooks->ctx, l->addr[0] + i * l->pitch, l->bytes,
                     l->row + i * l->pitch);
    if (l->row != NULL)
        return;
    for (uint32_t rest = l->mask & ~l->outside; rest != 0; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);

        hooks->write(hooks->ctx, l->addr[i], l->bytes, l->host[i]);
    }
}

bool emu_locate(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                uint32_t bytes, bool write, bool rows, struct emu_lane_msg *l)
{
    const struct isa_message *msg = &op->inst->msg;

    l->offset = payload_grf(t, op->inst, msg->header);
    l->a64 = msg->addr_model == ISA_ADDR_A64;
    l->simd = msg->simd;
    l->shift = emu_offset_shift(msg);
    l->base = 0; /* of stateless messages: that of scratch space, in the header */
    if (msg->header && msg->addr_model == ISA_ADDR_STATELESS)
        l->base = ((const emu_ud *)payload_grf(t, op->inst, 0))[5] & 0xFFFFFC00;
    l->bytes = bytes;
    l->mask = mask & ((1u << l->simd) - 1);
    l->slm = msg->addr_model == ISA_ADDR_SLM;
    l->outside = 0;
    l->row = NULL;
    l->dst = t->grf + op->inst->dst.reg * ISA_GRF_BYTES;
    l->data = payload_grf(t, op->inst,
                          msg->header + l->simd * (l->a64 ? 8u : 4u) / ISA_GRF_BYTES);
    if (!find_lanes(t, op, write, rows, l))
        return false;
    if (write && !l->slm && t->m->mem->hooks.write != NULL)
        tell_writes(t, l);
    emu_report(t, op, l->mask & ~l->outside, l->slm ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL,
               l->addr, l->data);
    return true;
}
