/* repeats.c - see repeats.h. */
#include "bridge/host/sample/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/hash.h"

struct entry {
    uint64_t hash;
    uint32_t launch;
};

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
    uint64_t hash = igpu_fnv(IGPU_FNV_BEGIN, word, sizeof(word));

    hash = igpu_fnv(hash, l->global, sizeof(l->global));
    hash = igpu_fnv(hash, l->local, sizeof(l->local));
    hash = igpu_fnv(hash, l->offset, sizeof(l->offset));
    for (uint32_t i = 0; i < l->nargs; i++) {
        const struct trace_arg *a = &l->args[i];
        const uint64_t arg[] = {(uint64_t)a->kind, a->bytes, a->address};

        hash = igpu_fnv(hash, arg, sizeof(arg));
        if (a->value != NULL)
            hash = igpu_fnv(hash, a->value, a->bytes);
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
