/* emu_send.c - messages with an address a lane: untyped, scattered, atomic.
 * Every payload is one array a component: lane i of component j lies at
 * (j * simd + i) * slot. Registers are taken from lane 0 of the message, whatever the
 * instruction's first channel. */
#include "emu_lanes.h"
#include "igpu/emu_shader.h"

/* Lanes that are off keep whatever the destination held. */
#define EACH_LANE(l, i)                                                                \
    for (uint32_t i = 0; i < (l)->simd; i++)                                           \
        if ((l)->mask >> i & 1)

/* ---- reads and writes --------------------------------------------------- */

/* A row of n lanes of `count` components each, a lane at every `pitch` bytes. */
#define AT(i, j, pitch) (*(T *)(mem + (i) * (pitch) + (j) * sizeof(T)))
#define TURN(n, count, pitch)                                                          \
    do {                                                                               \
        if (write)                                                                     \
            for (uint32_t i = 0; i < (n); i++)                                         \
                for (uint32_t j = 0; j < (count); j++)                                 \
                    AT(i, j, pitch) = reg[j * (n) + i];                                \
        else                                                                           \
            for (uint32_t j = 0; j < (count); j++)                                     \
                for (uint32_t i = 0; i < (n); i++)                                     \
                    reg[j * (n) + i] = AT(i, j, pitch);                                \
    } while (0)

/* Numbers that are constants make shuffles. */
#define TURN_LANES(n)                                                                  \
    do {                                                                               \
        if (count == 1 && pitch == sizeof(T))                                          \
            TURN(n, 1, sizeof(T));                                                     \
        else if (count == 2 && pitch == 2 * sizeof(T))                                 \
            TURN(n, 2, 2 * sizeof(T));                                                 \
        else if (count == 4 && pitch == 4 * sizeof(T))                                 \
            TURN(n, 4, 4 * sizeof(T));                                                 \
        else if (count == 4 && pitch == 8 * sizeof(T))                                 \
            TURN(n, 4, 8 * sizeof(T));                                                 \
        else                                                                           \
            TURN(n, count, pitch);                                                     \
    } while (0)

/* Dwords or qwords: a component is an array over the lanes in the payload, and all of
 * a lane's lie together in memory, component c at c elements from its address. */
#define MOVE(name, ELEMENT)                                                            \
    static void name##_row(const struct emu_lane_msg *l, uint32_t count, bool write)   \
    {                                                                                  \
        typedef ELEMENT T;                                                             \
        T *reg = (T *)(write ? l->data : l->dst);                                      \
        uint8_t *mem = l->row;                                                         \
        size_t pitch = l->pitch;                                                       \
                                                                                       \
        if (l->simd == 16)                                                             \
            TURN_LANES(16);                                                            \
        else                                                                           \
            TURN_LANES(8);                                                             \
    }                                                                                  \
                                                                                       \
    static void name(const struct emu_lane_msg *l, uint32_t components, bool write)    \
    {                                                                                  \
        typedef ELEMENT T;                                                             \
        T *reg = (T *)(write ? l->data : l->dst);                                      \
                                                                                       \
        if (l->row != NULL) {                                                          \
            name##_row(l, l->bytes / (uint32_t)sizeof(T), write);                      \
            return;                                                                    \
        }                                                                              \
        for (uint32_t c = 0; components >> c != 0; c++) {                              \
            if (!(components >> c & 1))                                                \
                continue;                                                              \
            EACH_LANE(l, i)                                                            \
            {                                                                          \
                T *mem = (T *)l->host[i] + c;                                          \
                                                                                       \
                if (write)                                                             \
                    *mem = reg[i];                                                     \
                else                                                                   \
                    reg[i] = *mem;                                                     \
            }                                                                          \
            reg += l->simd;                                                            \
        }                                                                              \
    }

MOVE(move_dwords, emu_ud)
MOVE(move_qwords, emu_uq)

/* One, two or four bytes a lane, in the low part of a dword. */
#define MOVE_BYTES(name, T)                                                            \
    static void name(const struct emu_lane_msg *l, bool write)                         \
    {                                                                                  \
        emu_ud *reg = (emu_ud *)(write ? l->data : l->dst);                            \
        uint8_t *row = l->row;                                                         \
                                                                                       \
        for (uint32_t i = 0; row != NULL && i < l->simd; i++, row += l->pitch) {       \
            if (write)                                                                 \
                *(T *)row = (T)reg[i];                                                 \
            else                                                                       \
                reg[i] = *(const T *)row;                                              \
        }                                                                              \
        if (row != NULL)                                                               \
            return;                                                                    \
        EACH_LANE(l, i)                                                                \
        {                                                                              \
            if (write)                                                                 \
                *(T *)l->host[i] = (T)reg[i];                                          \
            else                                                                       \
                reg[i] = *(const T *)l->host[i];                                       \
        }                                                                              \
    }

MOVE_BYTES(move_1, emu_ub)
MOVE_BYTES(move_2, emu_uw)
MOVE_BYTES(move_4, emu_ud)

/* Bytes from the lane's address to the end of its highest component. */
static uint32_t untyped_bytes(const struct isa_message *msg)
{
    return 4 * (32 - (uint32_t)__builtin_clz(msg->comp_mask));
}

static void untyped(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    bool write = msg->family == ISA_MSG_UNTYPED_WRITE;
    bool gaps = (msg->comp_mask & (msg->comp_mask + 1)) != 0;
    struct emu_lane_msg l;

    if (emu_locate(t, op, mask, untyped_bytes(msg), write, !gaps, &l))
        move_dwords(&l, msg->comp_mask, write);
}

static void scattered(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    bool write = msg->family == ISA_MSG_SCATTERED_WRITE;
    uint32_t size = msg->element_bytes, elements = msg->elements;
    struct emu_lane_msg l;

    if (!emu_locate(t, op, mask, elements * size, write, true, &l))
        return;
    if (size == 8)
        move_qwords(&l, (1u << elements) - 1, write);
    else if (size == 4)
        move_dwords(&l, (1u << elements) - 1, write);
    else if (elements == 1)
        move_1(&l, write);
    else if (elements == 2)
        move_2(&l, write);
    else
        move_4(&l, write);
}

/* ---- atomics ------------------------------------------------------------ */

static int64_t as_signed(uint64_t x, uint32_t size)
{
    return size == 4 ? (int64_t)(int32_t)(uint32_t)x : (int64_t)x;
}

/* New value of a location that holds `old`; a and b are the payload's operands. */
static uint64_t atomic_int(uint32_t op, uint32_t size, uint64_t old, uint64_t a,
                           uint64_t b)
{
    switch (op) {
    case ISA_ATOMIC_AND:
        return old & a;
    case ISA_ATOMIC_OR:
        return old | a;
    case ISA_ATOMIC_XOR:
        return old ^ a;
    case ISA_ATOMIC_XCHG:
        return a;
    case ISA_ATOMIC_INC:
        return old + 1;
    case ISA_ATOMIC_DEC:
    case ISA_ATOMIC_PREDEC:
        return old - 1;
    case ISA_ATOMIC_ADD:
        return old + a;
    case ISA_ATOMIC_SUB:
        return old - a;
    case ISA_ATOMIC_REVSUB:
        return a - old;
    case ISA_ATOMIC_IMAX:
        return as_signed(old, size) > as_signed(a, size) ? old : a;
    case ISA_ATOMIC_IMIN:
        return as_signed(old, size) < as_signed(a, size) ? old : a;
    case ISA_ATOMIC_UMAX:
        return old > a ? old : a;
    case ISA_ATOMIC_UMIN:
        return old < a ? old : a;
    default:
        return old == a ? b : old;
    }
}

static float as_float(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static uint64_t atomic_float(uint32_t op, uint64_t old, uint64_t a, uint64_t b)
{
    float x = as_float(old), y = as_float(a);

    if (op == ISA_ATOMIC_FMAX)
        return x >= y || y != y ? old : a;
    if (op == ISA_ATOMIC_FMIN)
        return x < y || y != y ? old : a;
    return x == y ? b : old;
}

uint64_t emu_atomic(uint32_t op, uint32_t size, uint64_t old, uint64_t a, uint64_t b)
{
    return op == ISA_ATOMIC_FMAX || op == ISA_ATOMIC_FMIN || op == ISA_ATOMIC_FCMPXCHG
               ? atomic_float(op, old, a, b)
               : atomic_int(op, size, old, a, b);
}

uint32_t emu_atomic_operands(uint32_t op)
{
    switch (op) {
    case ISA_ATOMIC_INC:
    case ISA_ATOMIC_DEC:
    case ISA_ATOMIC_PREDEC:
        return 0;
    case ISA_ATOMIC_CMPXCHG:
    case ISA_ATOMIC_FCMPXCHG:
        return 2;
    case ISA_ATOMIC_CMPXCHG64: /* two of each */
        return 4;
    default:
        return 1;
    }
}

uint32_t emu_shader_atomic_operands(uint32_t op)
{
    return emu_atomic_operands(op);
}

uint32_t emu_shader_atomic(uint32_t op, uint32_t old, uint32_t a, uint32_t b)
{
    return (uint32_t)emu_atomic(op, 4, old, a, b);
}

static uint64_t load_element(const uint8_t *p, uint32_t size)
{
    return size == 8 ? *(const emu_uq *)p : *(const emu_ud *)p;
}

static void store_element(uint8_t *p, uint32_t size, uint64_t value)
{
    if (size == 8)
        *(emu_uq *)p = value;
    else
        *(emu_ud *)p = (uint32_t)value;
}

/* Compares two elements and replaces both: low and high of the old value, then of the
 * new one, each an array over the lanes. */
static void exchange_pair(const struct emu_op *op, const struct emu_lane_msg *l,
                          uint32_t i)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t size = msg->element_bytes, step = l->simd * size;
    uint8_t old[16];

    memcpy(old, l->host[i], 2 * size);
    if (memcmp(old, l->data + i * size, size) == 0 &&
        memcmp(old + size, l->data + step + i * size, size) == 0) {
        memcpy(l->host[i], l->data + 2 * step + i * size, size);
        memcpy(l->host[i] + size, l->data + 3 * step + i * size, size);
    }
    if (msg->rlen > 0 && op->inst->dst.file == ISA_FILE_GRF) {
        memcpy(l->dst + i * size, old, size);
        memcpy(l->dst + step + i * size, old + size, size);
    }
}

/* Lanes in lane order, each whole: also right when they share an address. */
static void atomic_lanes(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t size = msg->element_bytes, count = emu_atomic_operands(msg->atomic_op);
    struct emu_lane_msg l;

    if (!emu_locate(t, op, mask, size * msg->elements, true, false, &l))
        return;
    if (msg->atomic_op == ISA_ATOMIC_CMPXCHG64) {
        EACH_LANE(&l, i) exchange_pair(op, &l, i);
        return;
    }
    EACH_LANE(&l, i)
    {
        uint64_t old = load_element(l.host[i], size), a = 0, b = 0, value;

        if (count > 0)
            a = load_element(l.data + i * size, size);
        if (count > 1)
            b = load_element(l.data + (l.simd + i) * size, size);
        value = emu_atomic(msg->atomic_op, size, old, a, b);
        store_element(l.host[i], size, value);
        if (msg->rlen > 0 && op->inst->dst.file == ISA_FILE_GRF)
            store_element(l.dst + i * size, size,
                          msg->atomic_op == ISA_ATOMIC_PREDEC ? value : old);
    }
}

static void atomic(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    pthread_mutex_t *lock = t->m->atomics;

    if (lock != NULL)
        (void)pthread_mutex_lock(lock);
    atomic_lanes(t, op, mask);
    if (lock != NULL)
        (void)pthread_mutex_unlock(lock);
}

/* ---- choice ------------------------------------------------------------- */

/* Payload and response must lie in the register file, and the descriptor must have
 * the lengths that the message needs. */
static const char *check_lengths(const struct isa_inst *inst, uint32_t data_grfs,
                                 bool returns)
{
    const struct isa_message *msg = &inst->msg;
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;
    uint32_t address = msg->simd * (msg->addr_model == ISA_ADDR_A64 ? 8u : 4u) / 32;
    uint32_t first = address + msg->header, sent = msg->mlen;

    if (inst->src[0].file != ISA_FILE_GRF || inst->src[0].indirect)
        return "a message payload outside r";
    if (inst->src[0].reg + msg->mlen > ISA_GRF_COUNT ||
        (split && inst->src[1].reg + msg->ext_mlen > ISA_GRF_COUNT))
        return "the message payload runs off the registers";
    if (msg->rlen > 0 && inst->dst.file == ISA_FILE_GRF &&
        inst->dst.reg + msg->rlen > ISA_GRF_COUNT)
        return "the message response runs off the registers";
    if (returns && inst->dst.file != ISA_FILE_GRF && inst->dst.file != ISA_FILE_NULL)
        return "a message response outside r";
    sent += split ? msg->ext_mlen : 0u;
    if ((msg->mlen < first && msg->mlen != msg->header) || sent < first + data_grfs)
        return "the message is shorter than its payload";
    if (split && msg->mlen > first && msg->mlen < first + data_grfs)
        return "a message whose data begins in one source and ends in the other";
    return NULL;
}

static uint32_t data_grfs(const struct isa_message *msg)
{
    uint32_t slots =
        msg->family == ISA_MSG_SCATTERED_READ || msg->family == ISA_MSG_SCATTERED_WRITE
            ? (msg->element_bytes == 1 ? 1u : msg->elements)
            : msg->elements;

    return slots * msg->simd * msg->slot_bytes / ISA_GRF_BYTES;
}

static emu_run_fn *lane_message(struct emu_op *op, emu_run_fn *run)
{
    const struct isa_message *msg = &op->inst->msg;
    bool is_atomic = run == atomic;
    bool reads =
        msg->family == ISA_MSG_SCATTERED_READ || msg->family == ISA_MSG_UNTYPED_READ;
    uint32_t grfs = is_atomic ? emu_atomic_operands(msg->atomic_op) * msg->simd *
                                    msg->element_bytes / ISA_GRF_BYTES
                    : reads ? 0
                            : data_grfs(msg);

    if (op->reason == NULL)
        op->reason = check_lengths(op->inst, grfs, reads);
    if (op->reason == NULL && reads &&
        (msg->rlen < data_grfs(msg) || op->inst->dst.file != ISA_FILE_GRF))
        op->reason = "a read without room for its data";
    if (op->reason == NULL && is_atomic && op->inst->dst.file == ISA_FILE_GRF &&
        msg->rlen > 0 && msg->rlen < data_grfs(msg))
        op->reason = "an atomic without room for what it returns";
    if (op->reason == NULL && msg->addr_model == ISA_ADDR_BTI &&
        msg->bti >= EMU_MAX_SURFACES)
        op->reason = "a reserved binding table index";
    return run;
}

emu_run_fn *emu_pick_send(struct emu_op *op)
{
    if (op->inst->msg.desc_reg && !op->inst->msg.exdesc_reg)
        return emu_send_indirect;
    switch (op->inst->msg.family) {
    case ISA_MSG_UNTYPED_READ:
    case ISA_MSG_UNTYPED_WRITE:
        return lane_message(op, untyped);
    case ISA_MSG_SCATTERED_READ:
    case ISA_MSG_SCATTERED_WRITE:
        return lane_message(op, scattered);
    case ISA_MSG_UNTYPED_ATOMIC:
    case ISA_MSG_FLOAT_ATOMIC:
        return lane_message(op, atomic);
    case ISA_MSG_BLOCK_READ:
    case ISA_MSG_BLOCK_WRITE:
    case ISA_MSG_SCRATCH_READ:
    case ISA_MSG_SCRATCH_WRITE:
        return emu_send_block;
    case ISA_MSG_TYPED_READ:
    case ISA_MSG_TYPED_WRITE:
        return op->inst->msg.sub_type == ISA_TYPED_MEDIA ? emu_pick_media(op)
                                                         : emu_pick_image(op);
    case ISA_MSG_SAMPLER:
    case ISA_MSG_TYPED_ATOMIC:
        return emu_pick_image(op);
    case ISA_MSG_SAMPLER_FLUSH:
    case ISA_MSG_FENCE:
        return emu_send_fence;
    case ISA_MSG_BARRIER:
        return emu_send_barrier;
    case ISA_MSG_UNSUPPORTED:
        op->reason = isa_message_note(&op->inst->msg);
        return NULL;
    default:
        op->reason = "a message other than memory, images, fences and barriers";
        return NULL;
    }
}

/* Code without optimisation takes its images from memory, and shaders count through
 * tables of surfaces: their descriptors are in a0.0. What such a message is, is known
 * only now. A trace has one description of it; where there is none (msg.desc 0) nothing
 * is recorded. */
void emu_send_indirect(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    struct isa_inst inst;
    uint32_t desc = emu_descriptor(t);
    bool as_said = isa_resolve(op->inst, desc, &inst);
    struct emu_op now = *op;
    emu_run_fn *run;

    now.inst = &inst;
    now.reason = NULL;
    if (!inst.msg.is_read && !inst.msg.is_write) {
        emu_error(t, op,
                  "the descriptor 0x%X in a0.0 is not that of a message to memory",
                  desc);
        return;
    }
    if (!as_said && op->inst->msg.desc != 0 && t->m->launch->hooks.access != NULL) {
        emu_error(t, op,
                  "the descriptor 0x%X in a0.0 is another than the code in front of it "
                  "says, while it is recorded",
                  desc);
        return;
    }
    run = emu_pick_send(&now);
    if (now.reason != NULL)
        emu_error(t, op, "%s (descriptor 0x%X in a0.0)", now.reason, desc);
    else
        run(t, &now, mask);
}
