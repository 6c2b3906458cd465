/* texels.c - see texels.h. */
#include "traces/feed/texels.h"

#include <string.h>

enum { LINE_BYTES = 64 };

/* Lanes mostly follow each other, so the search begins with the last line. */
static bool has_line(const struct mem_msg *msg, uint64_t line)
{
    for (uint32_t i = msg->lanes; i-- > MEM_TEXTURE_LINES;)
        if (msg->addr[i] == line)
            return true;
    return false;
}

void texels_to_lines(uint32_t mask, struct mem_msg *msg)
{
    uint64_t texel[MEM_MAX_LANES];
    uint32_t count = (uint32_t)__builtin_popcount(mask);

    memcpy(texel, msg->addr, count * sizeof(texel[0]));
    msg->addr[0] = count;
    msg->lanes = MEM_TEXTURE_LINES;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t line = texel[i] & ~(uint64_t)(LINE_BYTES - 1);

        if (msg->lanes < MEM_MAX_LANES && !has_line(msg, line))
            msg->addr[msg->lanes++] = line;
    }
}
