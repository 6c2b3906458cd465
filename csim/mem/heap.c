/* heap.c - see heap.h. A binary heap. */
#include "csim/mem/heap.h"

#include <assert.h>
#include <stdlib.h>

bool heap_init(struct heap *heap, uint32_t size)
{
    heap->event = calloc(size, sizeof(*heap->event));
    heap->count = 0;
    heap->size = size;
    heap->seq = 0;
    return heap->event != NULL;
}

void heap_free(struct heap *heap)
{
    free(heap->event);
    heap->event = NULL;
}

static bool before(const struct heap_event *a, const struct heap_event *b)
{
    return a->ps < b->ps || (a->ps == b->ps && a->seq < b->seq);
}

void heap_put(struct heap *heap, uint64_t ps, uint32_t kind, uint64_t line,
              uint32_t tag)
{
    struct heap_event event = {ps, heap->seq++, line, tag, kind};
    uint32_t at = heap->count++;

    assert(heap->count <= heap->size);
    while (at > 0 && before(&event, &heap->event[(at - 1) / 2])) {
        heap->event[at] = heap->event[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->event[at] = event;
}

struct heap_event heap_take(struct heap *heap)
{
    struct heap_event first = heap->event[0];
    struct heap_event last;
    uint32_t at = 0;

    assert(heap->count > 0);
    last = heap->event[--heap->count];
    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= heap->count)
            break;
        if (child + 1 < heap->count &&
            before(&heap->event[child + 1], &heap->event[child]))
            child++;
        if (!before(&heap->event[child], &last))
            break;
        heap->event[at] = heap->event[child];
        at = child;
    }
    heap->event[at] = last;
    return first;
}
