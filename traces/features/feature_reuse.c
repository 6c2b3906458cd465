/* feature_reuse.c - see feature_reuse.h. Keys in an open hash table; the order of last
 * touches has a bit for each, and a Fenwick tree over its words of 64 bits, which count
 * those behind a key. */
#include "traces/features/feature_reuse.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 }; /* of entry.place: free */
enum { WORD = 64 };

struct entry {
    uint64_t key;
    uint32_t place; /* of its last touch, 1..places */
    struct reuse_note note;
};

struct reuse {
    uint32_t keys, count; /* at most; now */
    uint32_t slots, places, words, now;
    unsigned rate;
    struct entry *entry; /* slots, never more than half full */
    uint64_t *touched;   /* a bit for each place: it is a key's last touch */
    uint32_t *tree;      /* WORD of the places each, from 1 on */
    uint32_t *owner;     /* places + 1: slot of the entry that was touched there */
};

struct reuse *reuse_new(uint32_t keys)
{
    struct reuse *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return NULL;
    r->keys = keys;
    r->slots = 2 * keys;
    r->places = 4 * keys;
    r->entry = calloc(r->slots, sizeof(*r->entry));
    r->words = r->places / WORD + 1;
    r->touched = calloc(r->words, sizeof(*r->touched));
    r->tree = calloc(r->words + 1, sizeof(*r->tree));
    r->owner = calloc(r->places + 1, sizeof(*r->owner));
    if (r->entry != NULL && r->touched != NULL && r->tree != NULL && r->owner != NULL)
        return r;
    reuse_free(r);
    return NULL;
}

void reuse_free(struct reuse *r)
{
    if (r == NULL)
        return;
    free(r->entry);
    free(r->touched);
    free(r->tree);
    free(r->owner);
    free(r);
}

unsigned reuse_rate(const struct reuse *r)
{
    return r->rate;
}

static void tree_add(struct reuse *r, uint32_t word, uint32_t what)
{
    for (word++; word <= r->words; word += word & -word)
        r->tree[word] += what;
}

/* Last touches at the place and before it. */
static uint32_t touched_until(const struct reuse *r, uint32_t place)
{
    uint64_t here = r->touched[place / WORD] << (WORD - 1 - place % WORD);
    uint32_t sum = (uint32_t)__builtin_popcountll(here);

    for (uint32_t word = place / WORD; word > 0; word -= word & -word)
        sum += r->tree[word];
    return sum;
}

/* The next place is the entry's, instead of `before`, or NONE. */
static void place_next(struct reuse *r, struct entry *e, uint32_t before)
{
    uint32_t now = ++r->now;

    r->owner[now] = (uint32_t)(e - r->entry);
    e->place = now;
    r->touched[now / WORD] |= (uint64_t)1 << now % WORD;
    if (before != NONE) {
        r->touched[before / WORD] &= ~((uint64_t)1 << before % WORD);
        if (before / WORD == now / WORD)
            return;
        tree_add(r, before / WORD, UINT32_MAX); /* - 1 */
    }
    tree_add(r, now / WORD, 1);
}

/* The slot of key, or the free one where it belongs. */
static struct entry *entry_find(struct reuse *r, uint64_t key)
{
    uint32_t slot = (uint32_t)(reuse_hash(key) >> 8) & (r->slots - 1);

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
    memset(r->touched, 0, r->words * sizeof(*r->touched));
    memset(r->tree, 0, (r->words + 1) * sizeof(*r->tree));
    r->now = r->count = 0;
    for (uint32_t i = 0; i < kept; i++) {
        struct entry *e = entry_find(r, old[i].key);

        *e = old[i];
        place_next(r, e, NONE);
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
    *note = &e->note;
    if (e->place != NONE) {
        if (e->place == r->now)
            return 0;
        distance = (uint64_t)(r->count - touched_until(r, e->place)) << r->rate;
    } else {
        memset(e, 0, sizeof(*e));
        e->key = key;
        r->count++;
    }
    place_next(r, e, e->place);
    return distance;
}

/* ---- sets ---------------------------------------------------------------- */

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
