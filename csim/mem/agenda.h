/* agenda.h - events of the parts that have clocks of their own, ordered by time in
 * picoseconds and, at the same time, by the order in which they were put in. A calendar
 * of the next half microsecond; what lies further ahead (or behind what was taken last)
 * waits in a binary heap. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_AGENDA_H
#define MEM_AGENDA_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define AGENDA_NONE UINT32_MAX
enum { AGENDA_SLOTS = 1024, AGENDA_SLOT_BITS = 9 /* a slot has 512 ps */ };

struct agenda_event {
    uint64_t ps;
    uint64_t line; /* physical line number */
    uint32_t tag;  /* the owner's */
    uint32_t kind; /* the owner's */
};

/* An event of the calendar. */
struct agenda_note {
    struct agenda_event event;
    uint32_t next; /* of its slot, in order; or of the free ones */
};

/* A far event: `seq` counts those that were put in. Of the same time, it was put in
 * before any event of the calendar. */
struct agenda_far {
    struct agenda_event event;
    uint64_t seq;
};

struct agenda {
    uint64_t next_ps; /* of the first event; UINT64_MAX: none */
    uint64_t near_ps; /* of the first in the calendar */
    uint64_t base;    /* number of the first slot that the calendar has */
    uint64_t far_seq;
    uint32_t size; /* of each: events in the calendar, far ones */
    uint32_t free, far_count;
    uint64_t used[AGENDA_SLOTS / 64]; /* bit: the slot has events */
    uint32_t slot[AGENDA_SLOTS];      /* its first note; AGENDA_NONE */
    struct agenda_note *note;
    struct agenda_far *far;
};

/* Room for `size` events near and far. False: no memory; then call agenda_free(). */
bool agenda_init(struct agenda *agenda, uint32_t size);
void agenda_free(struct agenda *agenda);

/* ---- inside: what is rare, or long ---- */

void agenda_put_far(struct agenda *agenda, uint64_t ps, uint32_t kind, uint64_t line,
                    uint32_t tag);
/* Time of the first event of the calendar, slot s or behind it, around its end. */
uint64_t agenda_find(const struct agenda *agenda, uint32_t s);
/* agenda_take() with events in both places. */
void agenda_take_either(struct agenda *agenda, struct agenda_event *first);

/* ---- what every event passes: in the header, so that it is inlined ---- */

static inline uint32_t agenda_slot(uint64_t ps)
{
    return (uint32_t)(ps >> AGENDA_SLOT_BITS) % AGENDA_SLOTS;
}

static inline void agenda_put(struct agenda *agenda, uint64_t ps, uint32_t kind,
                              uint64_t line, uint32_t tag)
{
    uint64_t slot = ps >> AGENDA_SLOT_BITS;
    uint32_t s = (uint32_t)slot % AGENDA_SLOTS, i = agenda->free,
             *at = &agenda->slot[s];
    struct agenda_note *note = &agenda->note[i];

    if (slot - agenda->base >= AGENDA_SLOTS) {
        agenda_put_far(agenda, ps, kind, line, tag);
        return;
    }
    assert(i != AGENDA_NONE);
    agenda->free = note->next;
    while (*at != AGENDA_NONE && agenda->note[*at].event.ps <= ps)
        at = &agenda->note[*at].next;
    *note = (struct agenda_note){{ps, line, tag, kind}, *at};
    *at = i;
    agenda->used[s / 64] |= UINT64_C(1) << s % 64;
    if (ps < agenda->near_ps) {
        agenda->near_ps = ps;
        if (ps < agenda->next_ps)
            agenda->next_ps = ps;
    }
}

/* agenda_find(), which mostly looks no further than this. */
static inline uint64_t agenda_first(const struct agenda *agenda, uint32_t s)
{
    uint64_t bits = agenda->used[s / 64] >> s % 64;

    if (bits == 0)
        return agenda_find(agenda, s);
    return agenda->note[agenda->slot[s + (uint32_t)__builtin_ctzll(bits)]].event.ps;
}

static inline void agenda_take_near(struct agenda *agenda, struct agenda_event *first)
{
    uint32_t s = agenda_slot(agenda->near_ps), i = agenda->slot[s];
    struct agenda_note *note = &agenda->note[i];
    uint32_t next = note->next;

    *first = note->event;
    note->next = agenda->free;
    agenda->free = i;
    agenda->slot[s] = next;
    if (next != AGENDA_NONE) {
        agenda->near_ps = agenda->note[next].event.ps;
        return;
    }
    agenda->used[s / 64] ^= UINT64_C(1) << s % 64;
    agenda->near_ps = agenda_first(agenda, s);
}

/* The first event, taken out; there is one. */
static inline void agenda_take(struct agenda *agenda, struct agenda_event *first)
{
    assert(agenda->next_ps != UINT64_MAX);
    if (agenda->far_count != 0) {
        agenda_take_either(agenda, first);
        return;
    }
    agenda_take_near(agenda, first);
    /* Time goes on; the slots behind it are empty, as events before them are far. */
    agenda->base = first->ps >> AGENDA_SLOT_BITS;
    agenda->next_ps = agenda->near_ps;
}

/* Time of the first event; UINT64_MAX without any. */
static inline uint64_t agenda_next(const struct agenda *agenda)
{
    return agenda->next_ps;
}
#endif
