/* sends.c - see sends.h. */
#include "traces/feed/sends.h"

#include <string.h>

static uint8_t memory_op(const struct isa_inst *inst)
{
    const struct isa_message *m = &inst->msg;

    if (m->family == ISA_MSG_BARRIER)
        return MEM_BARRIER;
    if (m->family == ISA_MSG_FENCE)
        return MEM_FENCE;
    if (m->family == ISA_MSG_SAMPLER)
        return MEM_TEXTURE;
    if (m->family == ISA_MSG_SAMPLER_FLUSH)
        return MEM_FLUSH;
    if (m->family >= ISA_MSG_PAYLOAD && m->family <= ISA_MSG_TARGET)
        return (uint8_t)(MEM_PAYLOAD + (m->family - ISA_MSG_PAYLOAD));
    if (!trace_has_access(inst))
        return m->sfid == ISA_SFID_PIXEL ? MEM_INTERPOLATE : MEM_OTHER;
    return m->is_read && m->is_write ? MEM_ATOMIC : m->is_write ? MEM_WRITE : MEM_READ;
}

struct feed_send feed_send_of(const struct isa_inst *inst)
{
    const struct isa_message *m = &inst->msg;
    struct feed_send s;

    s.op = memory_op(inst);
    s.space = m->addr_model == ISA_ADDR_SLM ? MEM_SLM : MEM_GLOBAL;
    s.has_access = trace_has_access(inst);
    s.texels = m->family == ISA_MSG_SAMPLER;
    s.graphics = m->family == ISA_MSG_TEXTURE || m->family == ISA_MSG_TARGET;
    s.bytes = (uint16_t)isa_lane_bytes(m, &s.first);
    return s;
}

void feed_graphics(const struct trace_graphics *from, struct mem_msg *msg)
{
    if (msg->op == MEM_TARGET)
        msg->target = (struct mem_target){from->target.written, from->target.read};
    else
        msg->texture = (struct mem_texture){from->texture.samples, 0};
    memcpy(msg->how, from->how, msg->lanes);
}
