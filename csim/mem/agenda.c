/* agenda.c - see agenda.h. */
#include "csim/mem/agenda.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

bool agenda_init(struct agenda *agenda, uint32_t size)
{
    memset(agenda, 0, sizeof(*agenda));
    agenda->next_ps = agenda->near_ps = NEVER;
    agenda->size = size;
    agenda->note = calloc(size, sizeof(*agenda->note));
    agenda->far = calloc(size, sizeof(*agenda->far));
    if (agenda->note == NULL || agenda->far == NULL)
        return false;
    for (uint32_t i = 0; i < size; i++)
        agenda->note[i].next = i + 1 < size ? i + 1 : AGENDA_NONE;
    for (uint32_t i = 0; i < AGENDA_SLOTS; i++)
        agenda->slot[i] = AGENDA_NONE;
    return true;
}

void agenda_free(struct agenda *agenda)
{
    free(agenda->note);
    free(agenda->far);
    agenda->note = NULL;
    agenda->far = NULL;
}

static bool before(const struct agenda_far *a, const struct agenda_far *b)
{
    return a->event.ps < b->event.ps || (a->event.ps == b->event.ps && a->seq < b->seq);
}

/* ---- far events: a heap ---- */

/* Room for an event that was put in now. */
static struct agenda_far *far_put(struct agenda *agenda, uint64_t ps)
{
    uint32_t at = agenda->far_count++;

    assert(at < agenda->size);
    for (; at > 0 && ps < agenda->far[(at - 1) / 2].event.ps; at = (at - 1) / 2)
        agenda->far[at] = agenda->far[(at - 1) / 2];
    return &agenda->far[at];
}

static void far_take(struct agenda *agenda, struct agenda_event *first)
{
    struct agenda_far last = agenda->far[--agenda->far_count];
    uint32_t at = 0;

    *first = agenda->far[0].event;
    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= agenda->far_count)
            break;
        if (child + 1 < agenda->far_count &&
            before(&agenda->far[child + 1], &agenda->far[child]))
            child++;
        if (!before(&agenda->far[child], &last))
            break;
        agenda->far[at] = agenda->far[child];
        at = child;
    }
    agenda->far[at] = last;
}

/* ---- near events: the calendar ---- */

uint64_t agenda_find(const struct agenda *agenda, uint32_t s)
{
    enum { WORDS = AGENDA_SLOTS / 64 };
    uint32_t w = s / 64;
    uint64_t bits = agenda->used[w] & UINT64_MAX << s % 64;

    for (uint32_t i = 0; bits == 0 && i < WORDS; i++) {
        w = (w + 1) % WORDS;
        bits = agenda->used[w];
    }
    if (bits == 0)
        return NEVER;
    return agenda->note[agenda->slot[w * 64 + (uint32_t)__builtin_ctzll(bits)]]
        .event.ps;
}

/* ---- both ---- */

void agenda_put_far(struct agenda *agenda, uint64_t ps, uint32_t kind, uint64_t line,
                    uint32_t tag)
{
    *far_put(agenda, ps) =
        (struct agenda_far){{ps, line, tag, kind}, agenda->far_seq++};
    if (ps < agenda->next_ps)
        agenda->next_ps = ps;
}

void agenda_take_either(struct agenda *agenda, struct agenda_event *first)
{
    if (agenda->far[0].event.ps <= agenda->near_ps)
        far_take(agenda, first);
    else
        agenda_take_near(agenda, first);
    if (first->ps >> AGENDA_SLOT_BITS > agenda->base)
        agenda->base = first->ps >> AGENDA_SLOT_BITS;
    agenda->next_ps = agenda->near_ps;
    if (agenda->far_count != 0 && agenda->far[0].event.ps < agenda->next_ps)
        agenda->next_ps = agenda->far[0].event.ps;
}
