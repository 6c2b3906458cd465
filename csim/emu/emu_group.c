/* emu_group.c - a group on the machine: its threads take turns, and meet at barriers.
 */
#include "emu_alike.h"
#include "emu_jit_int.h"
#include "emu_race.h"

/* One by one, as translated code wrote them: read as vectors they would wait until all
 * that was written before has reached memory. */
void emu_add_counts(struct emu_counts *sum, const struct emu_counts *counts)
{
    const volatile struct emu_counts *c = counts;

    sum->threads += c->threads;
    sum->instructions += c->instructions;
    sum->lane_instructions += c->lane_instructions;
    sum->flops += c->flops;
}

/* A barrier counts the threads that the group began with: one that ended without it is
 * missing for ever. Lenient launches do not wait for it. False: an error. */
static bool all_came(struct emu_machine *m)
{
    uint32_t ended = m->threads_per_group - m->group.running, i = 0;
    const char *hint = m->launch->lenient_hint;

    if (ended == 0 || m->launch->lenient)
        return true;
    while (!m->group.thread[i].arrived)
        i++;
    emu_error(&m->group.thread[i], &m->p->op[m->group.thread[i].at],
              "waits for a barrier that %u of the group's %u threads never reach: they "
              "have ended%s",
              ended, m->threads_per_group, hint != NULL ? hint : "");
    return false;
}

/* All threads of the group that have not ended are at the barrier. False: it was not
 * for them alone. */
static bool release(struct emu_machine *m)
{
    if (!all_came(m))
        return false;
    for (uint32_t i = 0; i < m->group.places; i++) {
        struct emu_thread *t = &m->group.thread[i];

        if (!t->arrived)
            continue;
        t->arrived = false;
        t->notify[0] = 1;
    }
    m->group.waiting = 0;
    if (m->watch != NULL)
        emu_race_barrier(m, m->group.first / m->threads_per_group);
    return true;
}

/* A turn of the thread is over, in which it ran so many instructions. False ends the
 * launch. */
static inline bool turn_is_over(struct emu_machine *m, struct emu_thread *t,
                                uint64_t instructions)
{
    const struct emu_hooks *hooks = &m->launch->hooks;

    m->spent += instructions;
    if (t->stop == EMU_STOP_EOT || t->stop == EMU_STOP_ERROR)
        emu_add_counts(&m->counts, &t->counts);
    if (t->stop == EMU_STOP_ERROR)
        return false;
    if (t->stop == EMU_STOP_EOT) {
        t->ended = true;
        m->group.running--;
        if (m->proves != NULL)
            emu_alike_thread_ended(t);
        if (hooks->thread_end != NULL)
            hooks->thread_end(hooks->ctx, t->number, &t->counts);
    }
    return m->group.waiting == 0 || m->group.waiting != m->group.running || release(m);
}

/* Run a thread until it waits or ends, or its turn is over. False ends the launch. */
static bool turn(struct emu_machine *m, struct emu_thread *t)
{
    uint64_t before = t->counts.instructions;

    t->stop = EMU_STOP_NONE;
    t->turn_end = t->counts.instructions + m->turn;
    if (m->translated == NULL)
        emu_jit_choose(m);
    emu_thread_run(t);
    if (m->translated == NULL)
        emu_jit_ran(m, t->counts.instructions - before);
    return turn_is_over(m, t, t->counts.instructions - before);
}

/* A kernel's thread is filled when it runs first: its registers are near then. */
static bool first_turn(struct emu_machine *m, struct emu_thread *t, uint32_t index,
                       bool translated)
{
    const struct emu_hooks *hooks = &m->launch->hooks;

    if (hooks->thread_begin != NULL &&
        !hooks->thread_begin(hooks->ctx, m->group.first + index)) {
        m->status = igpu_fail(m->err, IGPU_STOPPED, "stopped");
        return false;
    }
    if (translated) {
        emu_thread_start_translated(m, t, index);
        return turn_is_over(m, t, t->counts.instructions);
    }
    emu_thread_start(m, t, index);
    return turn(m, t);
}

static enum emu_over deadlock(struct emu_machine *m)
{
    for (uint32_t i = 0; i < m->group.places; i++) {
        struct emu_thread *t = &m->group.thread[i];

        if (t->ended)
            continue;
        emu_error(t, &m->p->op[t->at],
                  "waits for a barrier that only %u of %u threads reached",
                  m->group.waiting, m->group.running);
        break;
    }
    return EMU_FAILED;
}

void emu_start_group(struct emu_machine *m, uint64_t number)
{
    emu_set_group(m, number);
    if (m->alike != NULL)
        emu_alike_turn(m);
    memset(m->group.slm, 0xCD, m->slm_bytes);
    m->group.begun = m->group.places = 0;
    m->group.running = m->threads_per_group;
    m->group.waiting = 0;
    if (m->watch != NULL)
        emu_race_group(m, number);
}

/* The first turns of the group's threads. False ends the launch. */
static bool first_turns(struct emu_machine *m)
{
    bool translated = emu_begins_translated(m);

    if (m->group.begun == 0 && !translated)
        emu_head_group(m);
    while (m->group.begun < m->threads_per_group) {
        struct emu_thread *t = &m->group.thread[m->group.places++];

        if (!first_turn(m, t, m->group.begun++, translated))
            return false;
        if (t->ended && !t->arrived)
            m->group.places--;
    }
    return true;
}

enum emu_over emu_continue_group(struct emu_machine *m, uint64_t limit)
{
    m->spent = 0;
    while (m->group.running > 0 && m->spent < limit) {
        uint32_t before = m->group.places; /* those that had a turn already */
        bool moved = m->group.begun < m->threads_per_group;

        if (!first_turns(m))
            return EMU_FAILED;
        for (uint32_t i = 0; i < before; i++) {
            struct emu_thread *t = &m->group.thread[i];

            if (t->ended || (t->stop == EMU_STOP_WAIT && t->notify[0] == 0))
                continue;
            moved = true;
            if (!turn(m, t))
                return EMU_FAILED;
        }
        if (!moved)
            return deadlock(m);
    }
    return m->group.running > 0 ? EMU_NOT_OVER : EMU_OVER;
}
