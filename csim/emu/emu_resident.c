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
    struct emu_thread *thread;
    uint8_t *slm;
    uint64_t group[3], number;
    uint32_t waiting, running;
    bool present;
};

struct room {
    struct emu_machine *m;
    const struct emu_room *hooks;
    struct resident *r;
    uint32_t count;        /* of r */
    uint64_t next, groups; /* the next to start; all of the launch */
};

static void leave(struct emu_machine *m, struct resident *r)
{
    memcpy(r->group, m->group, sizeof(r->group));
    r->thread = m->thread;
    r->slm = m->slm;
    r->waiting = m->waiting;
    r->running = m->running;
}

static void enter(struct emu_machine *m, const struct resident *r)
{
    memcpy(m->group, r->group, sizeof(r->group));
    m->thread = r->thread;
    m->slm = r->slm;
    m->waiting = r->waiting;
    m->running = r->running;
}

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
    if (r->thread == NULL)
        r->thread = calloc(m->threads_per_group, sizeof(*r->thread));
    if (r->slm == NULL)
        r->slm = calloc(1, m->slm_bytes + 1u);
    if (r->thread == NULL || r->slm == NULL) {
        m->status = igpu_no_memory(m->err, "resident groups");
        return false;
    }
    r->number = room->next++;
    r->present = true;
    enter(m, r);
    room->hooks->start(room->hooks->ctx, m, r->number, (uint32_t)(r - room->r));
    leave(m, r);
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
        enter(room->m, r);
        over = emu_continue_group(room->m, 1);
        if (over == EMU_OVER &&
            !room->hooks->over(room->hooks->ctx, room->m, r->number, i))
            over = EMU_FAILED;
        leave(room->m, r);
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
    struct resident kept;

    room.r = calloc(room.count, sizeof(*room.r));
    if (room.r == NULL) {
        m->status = igpu_no_memory(m->err, "resident groups");
        return;
    }
    leave(m, &room.r[0]);
    room.r[0].number = first;
    room.r[0].present = true;
    m->turn = m->turn < RESIDENT_TURN ? m->turn : RESIDENT_TURN;
    while (go_round(&room)) {
    }
    kept = room.r[0]; /* what the machine had */
    enter(m, &kept);
    for (uint32_t i = 1; i < room.count; i++) {
        free(room.r[i].thread);
        free(room.r[i].slm);
    }
    free(room.r);
}
