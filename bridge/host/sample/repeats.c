/* repeats.c - see repeats.h. */
#include "bridge/host/sample/repeats.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t hash;
    uint32_t launch;
};

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const uint8_t *byte = data;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const struct trace_launch *l)
{
    const uint64_t word[] = {l->kernel,
                             l->threads,
                             l->threads_per_group,
                             l->slm_bytes,
                             l->nargs,
                             l->totals.instructions,
                             l->totals.lane_instructions,
                             l->totals.flops,
                             l->blocks,
                             l->accesses,
                             l->lane_accesses};
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), word, sizeof(word));

    hash = mix(hash, l->global, sizeof(l->global));
    hash = mix(hash, l->local, sizeof(l->local));
    hash = mix(hash, l->offset, sizeof(l->offset));
    for (uint32_t i = 0; i < l->nargs; i++) {
        const struct trace_arg *a = &l->args[i];
        const uint64_t arg[] = {(uint64_t)a->kind, a->bytes, a->address};

        hash = mix(hash, arg, sizeof(arg));
        if (a->value != NULL)
            hash = mix(hash, a->value, a->bytes);
    }
    return hash;
}

static int by_hash(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;

    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return left->launch < right->launch ? -1 : left->launch > right->launch;
}

uint32_t *repeats_find(const struct trace_reader *reader)
{
    uint32_t launches = trace_summary(reader)->launches;
    uint32_t *like = malloc(((size_t)launches + 1) * sizeof(*like));
    struct entry *entry = malloc(((size_t)launches + 1) * sizeof(*entry));

    if (like == NULL || entry == NULL) {
        free(like);
        free(entry);
        return NULL;
    }
    for (uint32_t i = 0; i < launches; i++)
        entry[i] = (struct entry){hash_of(trace_launch(reader, i)), i};
    qsort(entry, launches, sizeof(*entry), by_hash);
    for (uint32_t i = 0; i < launches; i++)
        like[entry[i].launch] = i > 0 && entry[i].hash == entry[i - 1].hash
                                    ? like[entry[i - 1].launch]
                                    : entry[i].launch;
    free(entry);
    return like;
}
