/* frame_set.c - the contents of pages by their hash. 128 bits: that two different pages
 * of a file have one hash is less likely than a fault of the memory. */
#include "frame_int.h"

#include <stdlib.h>

const uint8_t frame_magic[8] = {'i', 'g', 'p', 'u', 'f', 'r', 'm', '\n'};
const uint8_t frame_zeros[FRAME_PAGE_BYTES];

static uint32_t page_place(const struct frame_set *s, XXH128_hash_t hash)
{
    uint32_t i = (uint32_t)hash.low64 & (s->cap - 1);

    while (s->entry[i].number != 0 && !XXH128_isEqual(s->entry[i].hash, hash))
        i = (i + 1) & (s->cap - 1);
    return i;
}

uint32_t frame_set_find(const struct frame_set *s, XXH128_hash_t hash)
{
    return s->cap == 0 ? 0 : s->entry[page_place(s, hash)].number;
}

static bool set_grow(struct frame_set *s)
{
    struct frame_set bigger = {.count = s->count, .cap = s->cap ? s->cap * 2 : 1024};

    bigger.entry = calloc(bigger.cap, sizeof(*bigger.entry));
    if (bigger.entry == NULL)
        return false;
    for (uint32_t i = 0; i < s->cap; i++)
        if (s->entry[i].number != 0)
            bigger.entry[page_place(&bigger, s->entry[i].hash)] = s->entry[i];
    free(s->entry);
    *s = bigger;
    return true;
}

bool frame_set_add(struct frame_set *s, XXH128_hash_t hash, uint32_t number)
{
    if (s->count * 2 >= s->cap && !set_grow(s))
        return false;
    s->entry[page_place(s, hash)] = (struct frame_set_entry){hash, number};
    s->count++;
    return true;
}

void frame_set_free(struct frame_set *s)
{
    free(s->entry);
    *s = (struct frame_set){.entry = NULL};
}
