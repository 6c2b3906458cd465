/* emu_send.c - messages with an address a lane: untyped, scattered, atomic.
 * Every payload is one array a component: lane i of component j lies at
 * (j * simd + i) * slot. Registers are taken from lane 0 of the message, whatever the
 * instruction's first channel. */
#include "emu_int.h"

void emu_report(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                enum emu_space space, const uint64_t *addr)
{
    const struct emu_hooks *hooks = &t->m->launch->hooks;
    struct emu_access access = {op->index, mask, space, addr};

    if (hooks->access != NULL && op->inst == t->m->p->op[op->index].inst)
        hooks->access(hooks->ctx, t->number, &access);
}

/* What a lane message's operands are. */
struct lanes {
    uint64_t addr[EMU_LANES]; /* virtual, or offset in SLM */
    uint8_t *host[EMU_LANES];
    const uint8_t *offset; /* of each lane, as the payload has it */
    uint8_t *data, *dst;   /* payload behind the addresses; returned data */
    uint32_t mask, simd;
    uint32_t outside; /* lanes of mask that touch `nowhere` instead of memory */
    bool slm, a64;
    /* where a lenient launch puts them; emu_read_tail() */
    uint8_t nowhere[EMU_LANES][64];
};

static uint8_t *payload_data(struct emu_thread *t, const struct emu_op *op,
                             uint32_t address_bytes)
{
    const struct isa_inst *inst = &*op->inst;

    if (inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF)
        return t->grf + inst->src[1].reg * ISA_GRF_BYTES;
    return t->grf + inst->src[0].reg * ISA_GRF_BYTES +
           (inst->msg.header ? ISA_GRF_BYTES : 0) + address_bytes;
}

/* Of a lane outside: it reads zeros, and what it writes is lost. */
static uint8_t *no_place(uint32_t i, struct lanes *l)
{
    l->outside |= 1u << i;
    return memset(l->nowhere[i], 0, sizeof(l->nowhere[i]));
}

/* The host place of a lane of a buffer; NULL after an error. */
static uint8_t *place(struct emu_thread *t, const struct emu_op *op, uint64_t at,
                      uint32_t bytes, bool write, uint32_t i, struct lanes *l)
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
static uint64_t lane_offset(const struct lanes *l, uint32_t i)
{
    return l->a64 ? ((const emu_uq *)l->offset)[i] : ((const emu_ud *)l->offset)[i];
}

/* Memory in which a lane needs no look of its own: host[0 .. room] for the offsets
 * from `low`, which lie at the address va. False where there is none. */
struct window {
    uint64_t low, room, va;
    const uint8_t *host;
};

static bool open_window(struct emu_thread *t, const struct emu_op *op, uint32_t bytes,
                        bool write, const struct lanes *l, struct window *w)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint64_t size = t->m->slm_bytes, first;

    *w = (struct window){0, 0, 0, t->m->slm};
    if (l->a64) {
        first = lane_offset(l, (uint32_t)__builtin_ctz(l->mask));
        w->host = emu_mapping(t->m, first, write, &w->low, &size);
        w->va = w->low;
    } else if (s != NULL && s->bytes != 0) {
        w->host = emu_mapping(t->m, s->va, write, &first, &size);
        w->va = s->va;
        if (w->host != NULL && s->va - first + s->bytes <= size)
            w->host += s->va - first;
        else
            w->host = NULL;
        size = s->bytes;
    } else if (!l->slm) {
        return false;
    }
    w->room = size - bytes;
    return w->host != NULL && size >= bytes;
}

/* All lanes at once; false when one of them is not in the window. */
static bool locate_all(const struct window *w, struct lanes *l)
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

static bool locate_each(struct emu_thread *t, const struct emu_op *op, uint32_t bytes,
                        bool write, struct lanes *l)
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
            l->host[i] = place(t, op, at, bytes, write, i, l);
        }
        if (l->host[i] == NULL)
            return false;
    }
    return true;
}

/* Addresses and host places of the enabled lanes; false after an error. */
static bool locate(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                   uint32_t bytes, bool write, struct lanes *l)
{
    const struct isa_message *msg = &op->inst->msg;
    struct window w;

    l->offset = t->grf + op->inst->src[0].reg * ISA_GRF_BYTES +
                (msg->header ? ISA_GRF_BYTES : 0);
    l->a64 = msg->addr_model == ISA_ADDR_A64;
    l->simd = msg->simd;
    l->mask = mask & ((1u << l->simd) - 1);
    l->slm = msg->addr_model == ISA_ADDR_SLM;
    l->outside = 0;
    l->dst = t->grf + op->inst->dst.reg * ISA_GRF_BYTES;
    l->data = payload_data(t, op, l->simd * (l->a64 ? 8u : 4u));
    if (l->mask != 0 &&
        !(open_window(t, op, bytes, write, l, &w) && locate_all(&w, l)) &&
        !locate_each(t, op, bytes, write, l))
        return false;
    emu_report(t, op, l->mask & ~l->outside, l->slm ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL,
               l->addr);
    return true;
}

/* Lanes that are off keep whatever the destination held. */
#define EACH_LANE(l, i)                                                                \
    for (uint32_t i = 0; i < (l).simd; i++)                                            \
        if ((l).mask >> i & 1)

/* ---- untyped ------------------------------------------------------------ */

/* Bytes from the lane's address to the end of its highest component. */
static uint32_t untyped_bytes(const struct isa_message *msg)
{
    return 4 * (32 - (uint32_t)__builtin_clz(msg->comp_mask));
}

static void untyped(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    bool write = msg->family == ISA_MSG_UNTYPED_WRITE;
    struct lanes l;
    uint32_t j = 0;

    if (!locate(t, op, mask, untyped_bytes(msg), write, &l))
        return;
    for (uint32_t c = 0; c < 4; c++) {
        if (!(msg->comp_mask >> c & 1))
            continue;
        EACH_LANE(l, i)
        {
            uint8_t *reg = (write ? l.data : l.dst) + (j * l.simd + i) * 4;
            uint8_t *mem = l.host[i] + 4 * c;

            if (write)
                *(emu_ud *)mem = *(emu_ud *)reg;
            else
                *(emu_ud *)reg = *(emu_ud *)mem;
        }
        j++;
    }
}

/* ---- scattered ---------------------------------------------------------- */

/* size: 2, 4 or 8; each its own constant, which memcpy() turns into one move. */
static void copy_element(uint8_t *to, const uint8_t *from, uint32_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, 2);
}

static void scattered_read(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t size = msg->element_bytes;
    struct lanes l;

    if (!locate(t, op, mask, msg->elements * size, false, &l))
        return;
    if (size == 1) { /* packed in the low bytes of a dword */
        EACH_LANE(l, i)
        {
            uint32_t value = 0;

            for (uint32_t j = 0; j < msg->elements; j++)
                value |= (uint32_t)l.host[i][j] << 8 * j;
            ((emu_ud *)l.dst)[i] = value;
        }
        return;
    }
    for (uint32_t j = 0; j < msg->elements; j++)
        EACH_LANE(l, i)
    copy_element(l.dst + (j * l.simd + i) * msg->slot_bytes, l.host[i] + j * size,
                 size);
}

static void scattered_write(struct emu_thread *t, const struct emu_op *op,
                            uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    uint32_t size = msg->element_bytes;
    struct lanes l;

    if (!locate(t, op, mask, msg->elements * size, true, &l))
        return;
    EACH_LANE(l, i)
    {
        if (size == 1) {
            for (uint32_t j = 0; j < msg->elements; j++)
                l.host[i][j] = l.data[4 * i + j];
            continue;
        }
        for (uint32_t j = 0; j < msg->elements; j++)
            copy_element(l.host[i] + j * size,
                         l.data + (j * l.simd + i) * msg->slot_bytes, size);
    }
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

static uint32_t atomic_operands(uint32_t op)
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
static void exchange_pair(const struct emu_op *op, const struct lanes *l, uint32_t i)
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
    uint32_t size = msg->element_bytes, count = atomic_operands(msg->atomic_op);
    struct lanes l;

    if (!locate(t, op, mask, size * msg->elements, true, &l))
        return;
    if (msg->atomic_op == ISA_ATOMIC_CMPXCHG64) {
        EACH_LANE(l, i) exchange_pair(op, &l, i);
        return;
    }
    EACH_LANE(l, i)
    {
        uint64_t old = load_element(l.host[i], size), a = 0, b = 0, value;

        if (count > 0)
            a = load_element(l.data + i * size, size);
        if (count > 1)
            b = load_element(l.data + (l.simd + i) * size, size);
        if (msg->family == ISA_MSG_FLOAT_ATOMIC)
            value = atomic_float(msg->atomic_op, old, a, b);
        else
            value = atomic_int(msg->atomic_op, size, old, a, b);
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
    uint32_t first = address + msg->header + (split ? 0 : data_grfs);

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
    if (msg->mlen < first || (split && data_grfs > msg->ext_mlen))
        return "the message is shorter than its payload";
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
    bool reads = run == scattered_read || msg->family == ISA_MSG_UNTYPED_READ;
    uint32_t grfs = is_atomic ? atomic_operands(msg->atomic_op) * msg->simd *
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
    switch (op->inst->msg.family) {
    case ISA_MSG_UNTYPED_READ:
    case ISA_MSG_UNTYPED_WRITE:
        return lane_message(op, untyped);
    case ISA_MSG_SCATTERED_READ:
        return lane_message(op, scattered_read);
    case ISA_MSG_SCATTERED_WRITE:
        return lane_message(op, scattered_write);
    case ISA_MSG_UNTYPED_ATOMIC:
    case ISA_MSG_FLOAT_ATOMIC:
        return lane_message(op, atomic);
    case ISA_MSG_BLOCK_READ:
    case ISA_MSG_BLOCK_WRITE:
    case ISA_MSG_SCRATCH_READ:
    case ISA_MSG_SCRATCH_WRITE:
        return emu_send_block;
    case ISA_MSG_SAMPLER:
    case ISA_MSG_TYPED_READ:
    case ISA_MSG_TYPED_WRITE:
    case ISA_MSG_TYPED_ATOMIC:
        return emu_pick_image(op);
    case ISA_MSG_SAMPLER_FLUSH:
    case ISA_MSG_FENCE:
        return emu_send_fence;
    case ISA_MSG_BARRIER:
        return emu_send_barrier;
    case ISA_MSG_UNSUPPORTED:
        if (op->inst->msg.desc_reg && !op->inst->msg.exdesc_reg)
            return emu_send_indirect;
        op->reason = isa_message_note(&op->inst->msg);
        return NULL;
    default:
        op->reason = "a message other than memory, images, fences and barriers";
        return NULL;
    }
}
