/* texels.c - see texels.h. */
#include "traces/feed/texels.h"

#include <string.h>

#include "igpu/isa.h"

enum { LINE_BYTES = 64 };

/* Lanes mostly follow each other, so the search begins with the last line. */
static bool has_line(const struct mem_msg *msg, uint64_t line)
{
    for (uint32_t i = msg->lanes; i-- > 0;)
        if (msg->addr[i] == line)
            return true;
    return false;
}

static void add_line(struct mem_msg *msg, uint64_t addr)
{
    uint64_t line = addr & ~(uint64_t)(LINE_BYTES - 1);

    if (msg->lanes < MEM_MAX_LANES && !has_line(msg, line))
        msg->addr[msg->lanes++] = line;
}

static uint32_t lanes_in(uint32_t mask)
{
    return (uint32_t)__builtin_popcount(mask);
}

/* Lines of the lanes' own texels, each counted once for each quad of lanes. */
static uint32_t quad_lines(uint32_t mask, const uint64_t *texel)
{
    uint32_t count = 0, first = 0;

    for (uint32_t lane = 0; lane < ISA_TEXEL_FURTHER; lane += 4) {
        uint32_t lanes = lanes_in(mask >> lane & 0xF);

        for (uint32_t i = 0; i < lanes; i++) {
            bool seen = false;

            for (uint32_t k = 0; k < i; k++)
                seen |= texel[first + k] / LINE_BYTES == texel[first + i] / LINE_BYTES;
            count += !seen;
        }
        first += lanes;
    }
    return count;
}

void texels_to_lines(uint32_t mask, struct mem_msg *msg)
{
    const uint32_t own = (UINT32_C(1) << ISA_TEXEL_FURTHER) - 1;
    uint64_t texel[MEM_MAX_LANES];
    uint32_t count = lanes_in(mask), samples = 1;

    memcpy(texel, msg->addr, count * sizeof(texel[0]));
    if (mask >> ISA_TEXEL_SAMPLES != 0)
        samples = texel[--count] % LINE_BYTES;
    msg->texture =
        (struct mem_texture){lanes_in(mask & own) * samples, quad_lines(mask, texel)};
    memset(msg->how, 0, sizeof(msg->how));
    msg->lanes = 0;
    for (uint32_t i = 0; i < count; i++)
        add_line(msg, texel[i]);
}
