/* sim_event.c - the order of a simulation's events, see sim.h. */
#include "bridge/host/sim/sim.h"

int sim_event_compare(const void *left, const void *right)
{
    const struct sim_event *a = left, *b = right;

    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->eu != b->eu)
        return a->eu < b->eu ? -1 : 1;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}
