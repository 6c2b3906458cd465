/* emu_resident.c - groups that wait for each other. A launch runs group after group;
 * one that waits, by an atomic, for what a later group writes would wait for ever. On
 * the device it does not, as long as both are resident at once (barriers over all
 * groups build on that). So a group that does not end (EMU_PATIENCE) shares
 * the machine from then on, in turns of a fixed length, with as many groups behind it
 * as the device holds: results and traces do not depend on the host. */
#include "emu_int.h"

#include <stdlib.h>

enum { RESIDENT_TURN = 1024 }; /* instructions of a thread */

struct resident {
    struct emu_group group;
    uint64_t number;
    bool present;
};

struct room {
    struct emu_machine *m;
    const struct emu_room *hooks;
    struct resident *r;
    uint32_t count;        /* of r */
    uint64_t next, groups; /* the next to start; all of the launch */
};

/* The number of the oldest group that has not ended. */
static uint64_t oldest(const struct room *room)
{
    uint64_t number = room->next;

    for (uint32_t i = 0; i < room->count; i++)
        if (room->r[i].present && room->r[i].number < number)
            number = room->r[i].number;
    return number;
}

/* A group for the empty place r, unless none is left, or its threads would share the
 * pools of scratch and private memory with those of the oldest. False: out of memory.
 */
static bool room_fill(struct room *room, struct resident *r)
{
    struct emu_machine *m = room->m;

    if (room->next == room->groups || room->next - oldest(room) >= room->count)
        return true;
    if (r->group.thread == NULL)
        r->group.thread =
            aligned_alloc(EMU_LINE, m->threads_per_group * sizeof(*r->group.thread));
    if (r->group.slm == NULL)
        r->group.slm = calloc(1, m->slm_bytes + 1u);
    if (r->group.thread == NULL || r->group.slm == NULL) {
        m->status = igpu_no_memory(m->err, "resident groups");
        return false;
    }
    r->number = room->next++;
    r->present = true;
    m->group = r->group;
    room->hooks->start(room->hooks->ctx, m, r->number, (uint32_t)(r - room->r));
    r->group = m->group;
    return true;
}

/* One turn of each; false when all groups are over, or after an error. */
static bool go_round(struct room *room)
{
    bool any = false;

    for (uint32_t i = 0; i < room->count; i++) {
        struct resident *r = &room->r[i];
        enum emu_over over;

        if (!r->present && !room_fill(room, r))
            return false;
        if (!r->present)
            continue;
        room->m->group = r->group;
        over = emu_continue_group(room->m, 1);
        if (over == EMU_OVER &&
            !room->hooks->over(room->hooks->ctx, room->m, r->number, i))
            over = EMU_FAILED;
        r->group = room->m->group;
        if (over == EMU_FAILED)
            return false;
        r->present = over == EMU_NOT_OVER;
        any = true;
    }
    return any;
}

void emu_run_resident(struct emu_machine *m, uint64_t first,
                      const struct emu_room *hooks)
{
    struct room room = {.m = m,
                        .hooks = hooks,
                        .count = m->hw_threads / m->threads_per_group,
                        .next = first + 1,
                        .groups = m->end_group};

    room.r = calloc(room.count, sizeof(*room.r));
    if (room.r == NULL) {
        m->status = igpu_no_memory(m->err, "resident groups");
        return;
    }
    room.r[0].group = m->group;
    room.r[0].number = first;
    room.r[0].present = true;
    m->turn = m->turn < RESIDENT_TURN ? m->turn : RESIDENT_TURN;
    while (go_round(&room)) {
    }
    m->group = room.r[0].group; /* what the machine had */
    for (uint32_t i = 1; i < room.count; i++) {
        free(room.r[i].group.thread);
        free(room.r[i].group.slm);
    }
    free(room.r);
}
