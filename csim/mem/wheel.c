/* wheel.c - see wheel.h. */
#include "csim/mem/wheel.h"

#include <stdlib.h>
#include <string.h>

bool wheel_init(struct wheel *wheel, uint32_t packets)
{
    memset(wheel, 0, sizeof(*wheel));
    wheel->pool = calloc(packets, sizeof(*wheel->pool));
    if (wheel->pool == NULL)
        return false;
    wheel->size = packets;
    wheel->free = PACKET_NONE;
    for (uint32_t i = packets; i-- > 0;) {
        wheel->pool[i].next = wheel->free;
        wheel->free = i;
    }
    for (uint32_t i = 0; i < WHEEL_SLOTS; i++)
        list_clear(&wheel->at[i]);
    return true;
}

void wheel_free(struct wheel *wheel)
{
    free(wheel->pool);
    wheel->pool = NULL;
}

uint64_t wheel_find(const struct wheel *wheel, uint64_t now)
{
    uint32_t slot = (uint32_t)(now % WHEEL_SLOTS);

    if (wheel->waiting == 0)
        return UINT64_MAX;
    for (uint32_t i = 1; i <= WHEEL_SLOTS / 64; i++) {
        uint32_t word = (slot / 64 + i) % (WHEEL_SLOTS / 64);

        if (wheel->used[word] != 0)
            return now - slot % 64 + i * 64 +
                   (uint64_t)__builtin_ctzll(wheel->used[word]);
    }
    return UINT64_MAX;
}
