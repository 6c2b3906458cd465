/* profile_credit.c - credits of the data port: when a subslice had none. */
#include <string.h>

#include "csim/profile/profile_int.h"

static void end_zero(struct profile_tile *tile, uint64_t to)
{
    uint64_t before = 0;

    if (tile->zeros > 0) {
        const struct profile_zero *last = &tile->zero[tile->zeros - 1];

        before = last->before + last->to - last->from;
    }
    if (!profile_room((void **)&tile->zero, tile->zeros, &tile->zero_room,
                      sizeof(*tile->zero))) {
        tile->out_of_memory = true;
        return;
    }
    tile->zero[tile->zeros++] = (struct profile_zero){tile->zero_from, to, before};
    tile->zero_from = HOST_NEVER;
}

/* Intervals that no wait can meet any more go before the array grows. */
static void drop_zeros(struct profile_tile *tile)
{
    uint64_t floor = HOST_NEVER;
    uint32_t n = 0;

    if (tile->zeros == 0 || tile->zeros < tile->zero_room)
        return;
    for (unsigned i = 0; i < HOST_EUS; i++)
        if (profile_floor(&tile->eu[i]) < floor)
            floor = profile_floor(&tile->eu[i]);
    while (n + 1 < tile->zeros && tile->zero[n].to < floor)
        n++;
    if (n < tile->zeros / 2)
        return;
    tile->zeros -= n;
    memmove(tile->zero, tile->zero + n, tile->zeros * sizeof(*tile->zero));
}

/* Both are felt in the cycle behind theirs. */
void profile_credit_step(struct profile_tile *tile)
{
    uint32_t g = 0, b = 0;

    drop_zeros(tile);
    while (g < tile->grants || b < tile->backs) {
        uint64_t at = g < tile->grants ? tile->grant[g] : HOST_NEVER;

        if (b < tile->backs && tile->back[b] < at)
            at = tile->back[b];
        for (; b < tile->backs && tile->back[b] == at; b++)
            tile->credits++;
        for (; g < tile->grants && tile->grant[g] == at; g++)
            tile->credits--;
        if (tile->credits == 0 && tile->zero_from == HOST_NEVER)
            tile->zero_from = at + 1;
        else if (tile->credits != 0 && tile->zero_from != HOST_NEVER)
            end_zero(tile, at + 1);
    }
    tile->grants = tile->backs = 0;
}

/* The first interval that begins at `cycle` or later. Waits are of late: it is sought
 * from the end, in steps that double. */
static uint32_t zero_from(const struct profile_tile *tile, uint64_t cycle)
{
    uint32_t low = tile->zeros, high = low, step = 1;

    while (low != 0 && tile->zero[low - 1].from >= cycle) {
        high = low - 1;
        low = low > step ? low - step : 0;
        step *= 2;
    }
    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (tile->zero[middle].from < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t profile_zero_before(const struct profile_tile *tile, uint64_t cycle)
{
    uint64_t sum = tile->zero_from < cycle ? cycle - tile->zero_from : 0;
    uint32_t next = zero_from(tile, cycle);
    const struct profile_zero *last;

    if (next == 0) /* those before it may have been dropped */
        return sum + (tile->zeros > 0 ? tile->zero[0].before : 0);
    last = &tile->zero[next - 1];
    return sum + last->before + (cycle < last->to ? cycle : last->to) - last->from;
}
