/* emu_block_msg.c - messages of the thread as a whole: blocks, scratch, fences,
 * barriers. */
#include "emu_int.h"

enum { OWORD = 16, BLOCK_MAX = 256 };

static bool is_scratch(const struct isa_message *msg)
{
    return msg->family == ISA_MSG_SCRATCH_READ || msg->family == ISA_MSG_SCRATCH_WRITE;
}

/* A scratch write in dword mode (bit 16 of the descriptor) leaves the dwords of lanes
 * that are off; in oword mode it is of the thread as a whole. */
static const char *check_lanes(const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;

    if (!is_scratch(msg) || !msg->is_write || mask == op->full)
        return NULL;
    if ((msg->desc & 1u << 16) == 0 || msg->block_bytes > op->inst->exec_size * 4u)
        return "a scratch write with some lanes off, of other than a dword a lane, is "
               "not modelled";
    return NULL;
}

/* What check_lanes() let pass is either whole or dwords of lanes. */
static void write_block(const struct emu_op *op, uint8_t *host, const uint8_t *reg,
                        uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;

    if (!is_scratch(msg) || mask == op->full) {
        memcpy(host, reg, msg->block_bytes);
        return;
    }
    for (uint32_t i = 0; i < msg->block_bytes / 4u; i++)
        if ((mask >> i & 1) != 0)
            memcpy(host + i * 4, reg + i * 4, 4);
}

/* First byte of the block, as emu_address() takes it. Stateless blocks are relative
 * to the header's scratch base. */
static uint64_t block_offset(const struct isa_message *msg, const uint8_t *header)
{
    uint32_t base = ((const emu_ud *)header)[5] & 0xFFFFFC00;

    if (is_scratch(msg))
        return (uint64_t)base + msg->scratch_offset;
    if (msg->addr_model == ISA_ADDR_A64)
        return *(const emu_uq *)header;
    if (msg->addr_model != ISA_ADDR_STATELESS)
        base = 0;
    return (uint64_t)base + (uint64_t)((const emu_ud *)header)[2] * msg->block_unit;
}

static const char *check_block(const struct isa_inst *inst)
{
    const struct isa_message *msg = &inst->msg;
    bool split = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF;
    uint32_t grfs = (msg->block_bytes + ISA_GRF_BYTES - 1u) / ISA_GRF_BYTES;

    if (inst->src[0].file != ISA_FILE_GRF ||
        inst->src[0].reg + msg->mlen > ISA_GRF_COUNT || msg->mlen < 1 ||
        (split && inst->src[1].reg + msg->ext_mlen > ISA_GRF_COUNT))
        return "the message payload runs off the registers";
    if (!msg->header)
        return "a block message without a header";
    if (msg->is_write && (split ? msg->ext_mlen < grfs : msg->mlen < grfs + 1))
        return "the message is shorter than its payload";
    if (!msg->is_write &&
        (inst->dst.file != ISA_FILE_GRF || inst->dst.reg + msg->rlen > ISA_GRF_COUNT ||
         msg->rlen < grfs))
        return "a read without room for its data";
    return NULL;
}

static uint8_t *block_register(struct emu_thread *t, const struct isa_inst *inst)
{
    uint32_t reg = inst->dst.reg;

    if (inst->msg.is_write)
        reg = inst->nsrc > 1 && inst->src[1].file == ISA_FILE_GRF
                  ? inst->src[1].reg
                  : inst->src[0].reg + 1u;
    return t->grf + reg * ISA_GRF_BYTES + (inst->msg.high_half ? 16 : 0);
}

static void tell_write(const struct emu_thread *t, uint64_t va, uint32_t bytes,
                       const uint8_t *host)
{
    const struct emu_mem_hooks *hooks = &t->m->mem->hooks;

    if (hooks->write != NULL)
        hooks->write(hooks->ctx, va, bytes, host);
}

/* Of a block that is partly outside its surface the owords inside are moved; those
 * outside read as zero. */
static void part_of_block(struct emu_thread *t, const struct emu_op *op, uint64_t *addr)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint8_t *host, *reg = block_register(t, op->inst);
    uint32_t inside =
        addr[0] < s->bytes ? (uint32_t)(s->bytes - addr[0]) & ~(OWORD - 1u) : 0;

    if (!msg->is_write)
        memset(reg, 0, msg->block_bytes);
    if (inside == 0) {
        emu_report(t, op, 0, EMU_SPACE_GLOBAL, addr, NULL);
        return;
    }
    addr[0] += s->va;
    host = emu_global(t, op, addr[0], inside, msg->is_write, 0);
    if (host == NULL)
        return;
    if (msg->is_write)
        tell_write(t, addr[0], inside, host);
    emu_report(t, op, 1, EMU_SPACE_GLOBAL, addr, NULL);
    if (msg->is_write)
        memcpy(host, reg, inside);
    else
        memcpy(reg, host, inside);
}

void emu_send_block(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_message *msg = &op->inst->msg;
    const char *reason = check_block(op->inst);
    bool slm = msg->addr_model == ISA_ADDR_SLM;
    uint64_t addr[EMU_LANES] = {0};
    uint8_t *host, *reg, tail[BLOCK_MAX];

    if (reason != NULL) {
        emu_error(t, op, "%s", reason);
        return;
    }
    if (mask == 0) {
        emu_report(t, op, 0, slm ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL, addr, NULL);
        return;
    }
    reason = check_lanes(op, mask);
    if (reason != NULL) {
        emu_error(t, op, "%s", reason);
        return;
    }
    addr[0] = block_offset(msg, t->grf + op->inst->src[0].reg * ISA_GRF_BYTES);
    if (slm)
        addr[0] = emu_slm_offset(addr[0]);
    if (!slm && msg->block_bytes <= BLOCK_MAX &&
        emu_read_tail(t, op, addr[0], msg->block_bytes, tail, &addr[0])) {
        host = tail;
    } else if (!slm && emu_outside(t, op, addr[0], msg->block_bytes)) {
        part_of_block(t, op, addr);
        return;
    } else if (slm) {
        host = emu_slm(t, op, addr[0], msg->block_bytes, 0);
    } else if (emu_address(t, op, addr[0], msg->block_bytes, 0, &addr[0])) {
        host = emu_global(t, op, addr[0], msg->block_bytes, msg->is_write, 0);
    } else {
        return;
    }
    if (host == NULL)
        return;
    reg = block_register(t, op->inst);
    emu_report(t, op, 1, slm ? EMU_SPACE_SLM : EMU_SPACE_GLOBAL, addr, reg);
    if (msg->is_write && !slm)
        tell_write(t, addr[0], msg->block_bytes, host);
    if (msg->is_write)
        write_block(op, host, reg, mask);
    else
        memcpy(reg, host, msg->block_bytes);
}

/* One thread runs at a time, so memory is in order anyway. */
void emu_send_fence(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    const struct isa_inst *inst = op->inst;

    if (mask == 0 || inst->msg.rlen == 0 || inst->dst.file != ISA_FILE_GRF)
        return;
    if (inst->dst.reg + inst->msg.rlen > ISA_GRF_COUNT)
        emu_error(t, op, "the message response runs off the registers");
    else
        memset(t->grf + inst->dst.reg * ISA_GRF_BYTES, 0,
               (size_t)inst->msg.rlen * ISA_GRF_BYTES);
}

void emu_send_barrier(struct emu_thread *t, const struct emu_op *op, uint32_t mask)
{
    if (mask == 0)
        return;
    if (t->arrived) {
        emu_error(t, op, "a second arrival at the barrier before the first is over");
        return;
    }
    t->arrived = true;
    t->m->group.waiting++;
}
