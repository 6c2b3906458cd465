/* array_pages.c - see array_pages.h */
#include "bridge/engines/rtl/array_pages.h"

#include <assert.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX

struct array_pages {
    uint32_t size;          /* instructions of a page */
    uint32_t kernel, store; /* pages */
    uint32_t hand;          /* where the next search for a page begins */
    uint32_t *place;        /* of each page of the kernel: page of the store */
    uint32_t *holds;        /* of each page of the store: page of the kernel */
    uint32_t *promised;     /* ... and its promised instructions */
};

struct array_pages *array_pages_create(uint32_t count, uint32_t depth, uint32_t page)
{
    struct array_pages *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->size = page;
    p->kernel = (count + page - 1) / page;
    p->store = depth / page;
    p->place = malloc(p->kernel * sizeof(*p->place));
    p->holds = malloc(p->store * sizeof(*p->holds));
    p->promised = calloc(p->store, sizeof(*p->promised));
    if (!p->place || !p->holds || !p->promised) {
        array_pages_destroy(p);
        return NULL;
    }
    for (uint32_t i = 0; i < p->kernel; i++)
        p->place[i] = NOWHERE;
    for (uint32_t i = 0; i < p->store; i++)
        p->holds[i] = NOWHERE;
    return p;
}

void array_pages_destroy(struct array_pages *p)
{
    if (!p)
        return;
    free(p->place);
    free(p->holds);
    free(p->promised);
    free(p);
}

/* A page of the store without a promise, in turn; NOWHERE: there is none. */
static uint32_t find_free(struct array_pages *p)
{
    for (uint32_t i = 0; i < p->store; i++) {
        uint32_t at = p->hand;

        p->hand = at + 1 == p->store ? 0 : at + 1;
        if (p->promised[at] == 0)
            return at;
    }
    return NOWHERE;
}

uint32_t array_pages_promise(struct array_pages *p, uint32_t uop, uint32_t n,
                             bool *load)
{
    uint32_t page = uop / p->size, at = p->place[page];

    *load = at == NOWHERE;
    if (*load) {
        at = find_free(p);
        if (at == NOWHERE)
            return NOWHERE;
        if (p->holds[at] != NOWHERE)
            p->place[p->holds[at]] = NOWHERE;
        p->holds[at] = page;
        p->place[page] = at;
    }
    p->promised[at] += n;
    return at * p->size + uop % p->size;
}

bool array_pages_have(const struct array_pages *p, uint32_t uop)
{
    return p->place[uop / p->size] != NOWHERE;
}

uint32_t array_pages_place(const struct array_pages *p, uint32_t uop)
{
    assert(p->place[uop / p->size] != NOWHERE);
    return p->place[uop / p->size] * p->size + uop % p->size;
}

bool array_pages_release(struct array_pages *p, uint32_t uop)
{
    uint32_t at = p->place[uop / p->size];

    if (at == NOWHERE || p->promised[at] == 0)
        return false;
    p->promised[at]--;
    return true;
}

uint32_t array_pages_uop(const struct array_pages *p, uint32_t place)
{
    uint32_t page = place / p->size;

    if (page >= p->store || p->holds[page] == NOWHERE)
        return UINT32_MAX;
    return p->holds[page] * p->size + place % p->size;
}
