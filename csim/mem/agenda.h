/* agenda.h - events of the parts that have clocks of their own, ordered by time in
 * picoseconds and, at the same time, by the order in which they were put in. A calendar
 * of the next half microsecond; what lies further ahead (or behind what was taken last)
 * waits in a binary heap. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_AGENDA_H
#define MEM_AGENDA_H
#include <stdbool.h>
#include <stdint.h>

enum { AGENDA_SLOTS = 1024, AGENDA_SLOT_BITS = 9 /* a slot has 512 ps */ };

struct agenda_event {
    uint64_t ps, seq;
    uint64_t line; /* physical line number */
    uint32_t tag;  /* the owner's */
    uint32_t kind; /* the owner's */
};

/* An event of the calendar. */
struct agenda_note {
    struct agenda_event event;
    uint32_t next; /* of its slot, in order; or of the free ones */
};

struct agenda {
    uint64_t next_ps; /* of the first event; UINT64_MAX: none */
    uint64_t near_ps; /* of the first in the calendar */
    uint64_t base;    /* number of the first slot that the calendar has */
    uint64_t seq;
    uint32_t size; /* of each: events in the calendar, far ones */
    uint32_t free, far_count;
    uint64_t used[AGENDA_SLOTS / 64]; /* bit: the slot has events */
    uint32_t slot[AGENDA_SLOTS];      /* its first note; UINT32_MAX: none */
    struct agenda_note *note;
    struct agenda_event *far;
};

/* Room for `size` events near and far. False: no memory; then call agenda_free(). */
bool agenda_init(struct agenda *agenda, uint32_t size);
void agenda_free(struct agenda *agenda);
void agenda_put(struct agenda *agenda, uint64_t ps, uint32_t kind, uint64_t line,
                uint32_t tag);
/* The first event, taken out; there is one. */
void agenda_take(struct agenda *agenda, struct agenda_event *first);

/* Time of the first event; UINT64_MAX without any. */
static inline uint64_t agenda_next(const struct agenda *agenda)
{
    return agenda->next_ps;
}
#endif
