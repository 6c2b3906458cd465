/* isa_reach.c - which bytes a lane of a message reaches. See isa.h. */
#include "igpu/isa.h"

enum { LINE_BYTES = 64 };

uint32_t isa_lane_bytes(const struct isa_message *m, uint32_t *first)
{
    uint32_t low = 0, high = 0;

    *first = 0;
    if (m->family == ISA_MSG_UNTYPED_READ || m->family == ISA_MSG_UNTYPED_WRITE) {
        if (m->comp_mask == 0)
            return 4;
        while (!(m->comp_mask >> low & 1U))
            low++;
        for (unsigned c = low; c < 4; c++)
            if (m->comp_mask >> c & 1U)
                high = c;
        *first = 4 * low;
        return 4 * (high - low + 1);
    }
    if (m->family >= ISA_MSG_PAYLOAD)
        return LINE_BYTES;
    if ((m->family == ISA_MSG_TYPED_READ || m->family == ISA_MSG_TYPED_WRITE) &&
        m->sub_type == ISA_TYPED_MEDIA)
        return LINE_BYTES;
    if (m->family >= ISA_MSG_TYPED_READ && m->family <= ISA_MSG_SAMPLER)
        return 4; /* a texel is aligned: it never crosses a line */
    if (m->block_bytes > 0)
        return m->block_bytes;
    if (m->elements > 0 && m->element_bytes > 0)
        return (uint32_t)m->elements * m->element_bytes;
    return 4;
}
