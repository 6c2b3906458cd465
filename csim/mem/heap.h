/* heap.h - events of the parts that have clocks of their own, ordered by time in
 * picoseconds and, at the same time, by the order in which they were put in. */
#ifndef MEM_HEAP_H
#define MEM_HEAP_H
#include <stdbool.h>
#include <stdint.h>

struct heap_event {
    uint64_t ps, seq;
    uint64_t line; /* physical line number */
    uint32_t tag;  /* the owner's */
    uint32_t kind; /* the owner's */
};

struct heap {
    struct heap_event *event;
    uint32_t count, size;
    uint64_t seq;
};

/* Room for `size` events. False: no memory. */
bool heap_init(struct heap *heap, uint32_t size);
void heap_free(struct heap *heap);
void heap_put(struct heap *heap, uint64_t ps, uint32_t kind, uint64_t line,
              uint32_t tag);
/* The first event, taken out; there is one. */
struct heap_event heap_take(struct heap *heap);

/* Time of the first event; UINT64_MAX without any. */
static inline uint64_t heap_next(const struct heap *heap)
{
    return heap->count != 0 ? heap->event[0].ps : UINT64_MAX;
}
#endif
