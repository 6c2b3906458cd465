/* execute.c - see execute.h. */
#include "traces/feed/execute.h"
#include "traces/launch/launch.h"

#include <stdlib.h>
#include <string.h>

struct execute_thread {
    struct execute_thread *next; /* younger thread of the same slot; free ones */
    struct emu_step_thread *t;   /* NULL: it is gone */
    uint64_t number;
    uint32_t at; /* behind what was given */
    bool known;  /* it goes on there */
    bool over;   /* its end has issued */
};

struct execute {
    const struct execute_beside *beside; /* NULL: nobody */
    struct emu_step *step;               /* NULL: no launch has begun */
    uint32_t *ahead; /* by instruction: so many follow in a row, by the code alone */
    struct execute_thread *idle;
};

struct execute *execute_new(const struct execute_beside *beside)
{
    struct execute *e = calloc(1, sizeof(*e));

    if (e != NULL)
        e->beside = beside;
    return e;
}

void execute_free(struct execute *e)
{
    if (e == NULL)
        return;
    emu_step_free(e->step);
    free(e->ahead);
    while (e->idle != NULL) {
        struct execute_thread *next = e->idle->next;

        free(e->idle);
        e->idle = next;
    }
    free(e);
}

/* ---- a launch ------------------------------------------------------------ */

/* No thread goes on behind it, whatever its flags. */
static bool always_leaves(const struct isa_inst *inst)
{
    if (inst->eot)
        return true;
    switch (inst->op) {
    case ISA_OP_ELSE:
        return true;
    case ISA_OP_JMPI:
    case ISA_OP_WHILE:
    case ISA_OP_BREAK:
    case ISA_OP_CONT:
    case ISA_OP_RET:
        return inst->pred == ISA_PRED_NONE;
    default:
        return false;
    }
}

static uint32_t *make_ahead(const struct isa_kernel_code *code)
{
    uint32_t *ahead = calloc(code->count + 1u, sizeof(*ahead));

    for (uint32_t i = code->count; ahead != NULL && i > 0; i--)
        ahead[i - 1] = always_leaves(&code->inst[i - 1]) ? 1 : ahead[i] + 1;
    return ahead;
}

enum igpu_status execute_begin(struct execute *e, const struct launch_file *file,
                               uint32_t index, const struct isa_kernel_code *code,
                               uint32_t slots, struct igpu_err *err)
{
    enum igpu_status status;

    emu_step_free(e->step);
    free(e->ahead);
    e->step = NULL;
    e->ahead = make_ahead(code);
    if (e->ahead == NULL)
        return igpu_no_memory(err, "feeder");
    status =
        emu_step_new(&e->step, launch_file_program(file, index), launch_file_mem(file),
                     launch_file_launch(file, index), slots, err);
    if (status == IGPU_OK && e->beside != NULL)
        status = e->beside->launch(e->beside->ctx, file, index, code, err);
    return status;
}

enum igpu_status execute_status(const struct execute *e, struct igpu_err *err)
{
    enum igpu_status status = e->step != NULL ? emu_step_status(e->step, err) : IGPU_OK;

    if (status == IGPU_OK && e->beside != NULL)
        status = e->beside->status(e->beside->ctx, err);
    return status;
}

void execute_watch(struct execute *e, bool on)
{
    if (e->step != NULL)
        emu_step_watch(e->step, on);
}

bool execute_stuck(const struct execute *e)
{
    return e->step != NULL && emu_step_stuck(e->step);
}

struct emu_counts execute_counts(const struct execute *e)
{
    return e->step != NULL ? emu_step_counts(e->step) : (struct emu_counts){0};
}

/* ---- a thread ------------------------------------------------------------ */

/* Threads that have ended, and whose messages are all granted. */
static void retire(struct execute *e, struct execute_slot *slot)
{
    while (slot->oldest != NULL && slot->oldest->over && slot->oldest->t == NULL) {
        struct execute_thread *x = slot->oldest;

        slot->oldest = x->next;
        if (slot->running == x)
            slot->running = NULL;
        x->next = e->idle;
        e->idle = x;
    }
}

void execute_open(struct execute *e, struct execute_slot *slot, uint64_t thread)
{
    struct execute_thread *x;

    retire(e, slot);
    x = e->idle;
    if (x != NULL)
        e->idle = x->next;
    else
        x = malloc(sizeof(*x));
    if (x == NULL) /* its messages and runs find nobody */
        return;
    *x = (struct execute_thread){.number = thread, .known = true};
    x->t = emu_step_begin(e->step, thread);
    if (slot->oldest == NULL)
        slot->oldest = x;
    else
        slot->running->next = x;
    slot->running = x;
    if (e->beside != NULL && x->t != NULL)
        e->beside->open(e->beside->ctx, slot->place, x->t, thread);
}

bool execute_run(struct execute *e, struct execute_slot *slot, struct uop_run *run)
{
    struct execute_thread *x = slot->running;
    uint32_t straight, ahead;
    bool ends;

    if (x == NULL || x->t == NULL || execute_status(e, NULL) != IGPU_OK)
        return false;
    *run = (struct uop_run){x->at, 0, 0};
    if (!x->known)
        return true;
    straight = emu_step_straight(e->step, x->at, &ends);
    x->known = straight > UOP_RUN_MAX;
    run->len = x->known ? UOP_RUN_MAX : straight;
    ahead = e->ahead[x->at] - run->len;
    run->ahead = ahead < UOP_RUN_MAX ? ahead : UOP_RUN_MAX;
    x->at += run->len;
    return true;
}

bool execute_issue(struct execute *e, struct execute_slot *slot, uint32_t uop,
                   uint64_t cycle)
{
    struct execute_thread *x = slot->running;
    struct emu_step_thread *t = x != NULL ? x->t : NULL;
    bool waits;

    if (t == NULL)
        return false;
    if (e->beside == NULL && emu_step_defer(e->step, t, uop))
        return true;
    if (emu_step_at(t) != uop)
        return false;
    waits = emu_step_waiting(t) != 0;
    if (e->beside != NULL)
        e->beside->settle(e->beside->ctx, slot->place, t);
    if (emu_step_issue(e->step, t, cycle)) {
        x->over = true;
        x->t = waits ? t : NULL;
    } else if (!x->known && uop + 1 == x->at) {
        x->at = emu_step_at(t);
        x->known = true;
    }
    if (e->beside != NULL && !x->over)
        e->beside->issued(e->beside->ctx, slot->place, t, uop, cycle);
    return execute_status(e, NULL) == IGPU_OK;
}

/* Who is beside gets what the message returns. */
static bool send_beside(struct execute *e, const struct execute_slot *slot,
                        struct emu_step_thread *t, struct emu_access *access)
{
    uint32_t at = 0, mask = 0;
    bool waits = emu_step_oldest(t, &at, &mask), told;

    e->beside->settle(e->beside->ctx, slot->place, t);
    told = emu_step_send(e->step, t, access);
    if (waits)
        e->beside->granted(e->beside->ctx, slot->place, t, at, mask);
    return told;
}

bool execute_send(struct execute *e, struct execute_slot *slot,
                  struct emu_access *access)
{
    struct execute_thread *x;
    struct emu_step_thread *t;

    retire(e, slot);
    x = slot->oldest;
    t = x != NULL ? x->t : NULL;
    if (t == NULL)
        return false;
    if (x->over && emu_step_waiting(t) == 1)
        x->t = NULL;
    return x == slot->running && !x->over && e->beside != NULL
               ? send_beside(e, slot, t, access)
               : emu_step_send(e->step, t, access);
}

void execute_clear(struct execute *e, struct execute_slot *slot)
{
    while (slot->oldest != NULL) {
        struct execute_thread *x = slot->oldest;

        if (x->t != NULL)
            emu_step_drop(e->step, x->t);
        slot->oldest = x->next;
        x->next = e->idle;
        e->idle = x;
    }
    slot->running = NULL;
}

bool execute_where(const struct execute_slot *slot, uint64_t *thread,
                   uint32_t *messages)
{
    const struct execute_thread *x = slot->running;

    if (x == NULL || x->over || x->t == NULL)
        return false;
    *thread = x->number;
    *messages = emu_step_waiting(x->t);
    return true;
}
