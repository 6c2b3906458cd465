/* profile_credit.c - credits of the data port: when a subslice had none. */
#include <string.h>

#include "csim/profile/profile_int.h"

/* At `to` it gets a credit, or has no more. */
static void change(struct profile_tile *tile, uint64_t to, bool none)
{
    uint64_t at = tile->until;
    uint32_t sum = tile->none[at % PROFILE_ZERO_RING];

    if (to - at > PROFILE_ZERO_RING) { /* nobody has looked at what is overwritten */
        sum += none ? (uint32_t)(to - at - PROFILE_ZERO_RING) : 0;
        at = to - PROFILE_ZERO_RING;
    }
    while (at != to) {
        sum += none;
        tile->none[++at % PROFILE_ZERO_RING] = sum;
    }
    tile->until = to;
}

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

/* HOST_NEVER behind both. */
static bool end_arrays(struct profile_tile *tile)
{
    if (!profile_room((void **)&tile->grant, tile->grants, &tile->grant_room,
                      sizeof(*tile->grant)) ||
        !profile_room((void **)&tile->back, tile->backs, &tile->back_room,
                      sizeof(*tile->back))) {
        tile->out_of_memory = true;
        return false;
    }
    tile->grant[tile->grants] = tile->back[tile->backs] = HOST_NEVER;
    return true;
}

/* Both are felt in the cycle behind theirs. */
void profile_credit_step(struct profile_tile *tile)
{
    const uint64_t *grant, *back;
    uint64_t credits = tile->credits;

    drop_zeros(tile);
    if (tile->grants + tile->backs == 0 || !end_arrays(tile))
        return;
    grant = tile->grant;
    back = tile->back;
    for (;;) {
        uint64_t at = *grant < *back ? *grant : *back;

        if (at == HOST_NEVER)
            break;
        for (; *back == at; back++)
            credits++;
        for (; *grant == at; grant++)
            credits--;
        if ((credits == 0) == (tile->zero_from != HOST_NEVER))
            continue;
        change(tile, at + 1, credits != 0);
        if (credits == 0)
            tile->zero_from = at + 1;
        else
            end_zero(tile, at + 1);
    }
    tile->credits = credits;
    tile->grants = tile->backs = 0;
}

/* The first interval that begins at `cycle` or later. Waits are of late: it is sought
 * from the end, in steps that double. */
static uint32_t zero_from(const struct profile_tile *tile, uint64_t cycle)
{
    uint32_t low = tile->zeros, high = low, step = 1;

    if (low == 0 || tile->zero[low - 1].from < cycle)
        return low;
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

/* Cycles before `cycle` in which the tile had no credit. */
static uint64_t zero_before(const struct profile_tile *tile, uint64_t cycle)
{
    uint64_t sum = tile->zero_from < cycle ? cycle - tile->zero_from : 0;
    uint32_t next = zero_from(tile, cycle);
    const struct profile_zero *last;

    if (next == 0) /* those before it may have been dropped */
        return sum + (tile->zeros > 0 ? tile->zero[0].before : 0);
    last = &tile->zero[next - 1];
    return sum + last->before + (cycle < last->to ? cycle : last->to) - last->from;
}

/* The same of late, modulo 2^32. */
static uint32_t late_before(const struct profile_tile *tile, uint64_t cycle)
{
    uint64_t until = tile->until;

    if (cycle <= until)
        return tile->none[cycle % PROFILE_ZERO_RING];
    return tile->none[until % PROFILE_ZERO_RING] +
           (tile->zero_from != HOST_NEVER ? (uint32_t)(cycle - until) : 0);
}

uint64_t profile_zero_far(const struct profile_tile *tile, uint64_t from, uint64_t to)
{
    if (from >= to)
        return 0;
    if (from + PROFILE_ZERO_RING > tile->until)
        return (uint32_t)(late_before(tile, to) - late_before(tile, from));
    return zero_before(tile, to) - zero_before(tile, from);
}
