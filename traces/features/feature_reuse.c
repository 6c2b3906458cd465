/* feature_reuse.c - see feature_reuse.h. Keys in an open hash table; a Fenwick tree
 * over the order of last touches counts those behind a key. */
#include "traces/features/feature_reuse.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 }; /* of entry.place: free */

struct entry {
    uint64_t key;
    uint32_t place; /* of its last touch, 1..places */
    struct reuse_note note;
};

struct reuse {
    uint32_t keys, count; /* at most; now */
    uint32_t slots, places, now;
    unsigned rate;
    struct entry *entry; /* slots, never more than half full */
    uint32_t *tree;      /* places + 1 */
    uint32_t *owner;     /* places + 1: slot of the entry that was touched there */
};

static uint64_t hash(uint64_t key)
{
    key = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 24;
}

bool reuse_in_sample(uint64_t key, unsigned rate)
{
    return (hash(key) & ((UINT64_C(1) << rate) - 1)) == 0;
}

struct reuse *reuse_new(uint32_t keys)
{
    struct reuse *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return NULL;
    r->keys = keys;
    r->slots = 2 * keys;
    r->places = 4 * keys;
    r->entry = calloc(r->slots, sizeof(*r->entry));
    r->tree = calloc(r->places + 1, sizeof(*r->tree));
    r->owner = calloc(r->places + 1, sizeof(*r->owner));
    if (r->entry != NULL && r->tree != NULL && r->owner != NULL)
        return r;
    reuse_free(r);
    return NULL;
}

void reuse_free(struct reuse *r)
{
    if (r == NULL)
        return;
    free(r->entry);
    free(r->tree);
    free(r->owner);
    free(r);
}

unsigned reuse_rate(const struct reuse *r)
{
    return r->rate;
}

static void tree_add(struct reuse *r, uint32_t place, uint32_t what)
{
    for (; place <= r->places; place += place & -place)
        r->tree[place] += what;
}

static uint32_t tree_sum(const struct reuse *r, uint32_t place)
{
    uint32_t sum = 0;

    for (; place > 0; place -= place & -place)
        sum += r->tree[place];
    return sum;
}

/* The slot of key, or the free one where it belongs. */
static struct entry *entry_find(struct reuse *r, uint64_t key)
{
    uint32_t slot = (uint32_t)(hash(key) >> 8) & (r->slots - 1);

    while (r->entry[slot].place != NONE && r->entry[slot].key != key)
        slot = (slot + 1) & (r->slots - 1);
    return &r->entry[slot];
}

/* Keep the entries of the present rate alone, with places 1.. in their order. */
static void renew(struct reuse *r)
{
    uint32_t now = r->now, kept = 0;
    struct entry *old = malloc((r->count + 1) * sizeof(*old));

    if (old == NULL) { /* begin afresh: what was touched before counts as new */
        memset(r->entry, 0, r->slots * sizeof(*r->entry));
        now = 0;
    }
    for (uint32_t place = 1; place <= now; place++) {
        const struct entry *e = &r->entry[r->owner[place]];

        if (e->place == place && reuse_in_sample(e->key, r->rate))
            old[kept++] = *e;
    }
    memset(r->entry, 0, r->slots * sizeof(*r->entry));
    memset(r->tree, 0, (r->places + 1) * sizeof(*r->tree));
    r->now = r->count = 0;
    for (uint32_t i = 0; i < kept; i++) {
        struct entry *e = entry_find(r, old[i].key);

        *e = old[i];
        e->place = ++r->now;
        r->owner[e->place] = (uint32_t)(e - r->entry);
        tree_add(r, e->place, 1);
        r->count++;
    }
    free(old);
}

void reuse_set_rate(struct reuse *r, unsigned rate)
{
    if (rate <= r->rate)
        return;
    r->rate = rate;
    renew(r);
}

uint64_t reuse_touch(struct reuse *r, uint64_t key, struct reuse_note **note)
{
    uint64_t distance = REUSE_NEW;
    struct entry *e;

    if (r->now == r->places)
        renew(r);
    while (r->count >= r->keys)
        reuse_set_rate(r, r->rate + 1);
    e = entry_find(r, key);
    if (e->place != NONE) {
        distance = (uint64_t)(r->count - tree_sum(r, e->place)) << r->rate;
        tree_add(r, e->place, UINT32_MAX); /* - 1 */
    } else {
        memset(e, 0, sizeof(*e));
        e->key = key;
        r->count++;
    }
    e->place = ++r->now;
    r->owner[e->place] = (uint32_t)(e - r->entry);
    tree_add(r, e->place, 1);
    *note = &e->note;
    return distance;
}

/* ---- sets ---------------------------------------------------------------- */

uint32_t set_of(uint64_t line)
{
    return (uint32_t)(line ^ line >> 7 ^ line >> 14 ^ line >> 21) & (SET_COUNT - 1);
}

uint32_t set_touch(struct set_stacks *s, uint64_t line)
{
    uint32_t set = set_of(line), depth = 0;
    uint64_t *stack = s->line[set];

    while (depth < s->count[set] && stack[depth] != line)
        depth++;
    if (depth == s->count[set]) {
        uint32_t last = depth < SET_DEPTH ? s->count[set]++ : SET_DEPTH - 1;

        memmove(stack + 1, stack, last * sizeof(*stack));
        depth = SET_DEPTH;
    } else {
        memmove(stack + 1, stack, depth * sizeof(*stack));
    }
    stack[0] = line;
    return depth;
}
