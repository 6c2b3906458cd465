/* feature_reuse.c - see feature_reuse.h. Keys in an open hash table; the order of last
 * touches has a bit for each, and a Fenwick tree over its words of 64 bits, which count
 * those behind a key. */
#include "traces/features/feature_reuse.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/bits.h"

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

/* One last touch less in the word `from`, one more in `to`: the sums that have both in
 * them stay as they are, and most touches move one by a few words. */
static void tree_move(struct reuse *r, uint32_t from, uint32_t to)
{
    for (from++, to++; from != to;)
        if (from < to) {
            r->tree[from]--;
            from += from & -from;
            from = from <= r->words ? from : r->words + 1;
        } else {
            r->tree[to]++;
            to += to & -to;
            to = to <= r->words ? to : r->words + 1;
        }
}

/* Last touches behind the place: of its word, and the sums of words on to the present
 * one without what both have in common. */
static uint32_t touched_behind(const struct reuse *r, uint32_t place)
{
    uint32_t low = place / WORD + 1, high = r->now / WORD + 1;
    uint32_t sum = igpu_count_bits64(r->touched[place / WORD] >> place % WORD >> 1);

    for (uint32_t less = low; less != high;)
        if (high > less) {
            sum += r->tree[high];
            high -= high & -high;
        } else {
            sum -= r->tree[less];
            less -= less & -less;
        }
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
        tree_move(r, before / WORD, now / WORD);
        return;
    }
    tree_add(r, now / WORD, 1);
}

static uint32_t slot_of(const struct reuse *r, uint64_t key)
{
    return (uint32_t)(reuse_hash(key) >> 8) & (r->slots - 1);
}

void reuse_ahead(const struct reuse *r, uint64_t key)
{
    __builtin_prefetch(&r->entry[slot_of(r, key)]);
}

/* The slot of key, or the free one where it belongs. */
static struct entry *entry_find(struct reuse *r, uint64_t key)
{
    uint32_t slot = slot_of(r, key);

    while (r->entry[slot].place != NONE && r->entry[slot].key != key)
        slot = (slot + 1) & (r->slots - 1);
    return &r->entry[slot];
}

/* Is each entry one of the present rate? One that was touched as the rate rose may be
 * none. */
static bool all_in_sample(const struct reuse *r)
{
    for (uint32_t word = 0; word <= r->now / WORD; word++)
        for (uint64_t left = r->touched[word]; left != 0; left &= left - 1) {
            uint32_t place = word * WORD + (uint32_t)__builtin_ctzll(left);

            if (!reuse_in_sample(r->entry[r->owner[place]].key, r->rate))
                return false;
        }
    return true;
}

/* All entries stay where they are: places 1.. in their order. */
static void number_anew(struct reuse *r)
{
    uint32_t last = r->now / WORD;

    r->now = 0;
    for (uint32_t word = 0; word <= last; word++) {
        uint64_t left = r->touched[word];

        /* No place becomes higher: what is written here has been read. */
        for (r->touched[word] = 0; left != 0; left &= left - 1) {
            uint32_t place = word * WORD + (uint32_t)__builtin_ctzll(left);
            uint32_t slot = r->owner[place], now = ++r->now;

            r->owner[now] = slot;
            r->entry[slot].place = now;
            r->touched[now / WORD] |= (uint64_t)1 << now % WORD;
        }
    }
    memset(r->tree, 0, (r->words + 1) * sizeof(*r->tree));
    for (uint32_t word = 0; word <= r->now / WORD; word++)
        tree_add(r, word, igpu_count_bits64(r->touched[word]));
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

    if (r->now == r->places && all_in_sample(r))
        number_anew(r);
    else if (r->now == r->places)
        renew(r);
    while (r->count >= r->keys)
        reuse_set_rate(r, r->rate + 1);
    e = entry_find(r, key);
    *note = &e->note;
    if (e->place != NONE) {
        if (e->place == r->now)
            return 0;
        distance = (uint64_t)touched_behind(r, e->place) << r->rate;
    } else {
        memset(e, 0, sizeof(*e));
        e->key = key;
        r->count++;
    }
    place_next(r, e, e->place);
    return distance;
}

/* ---- sets ---------------------------------------------------------------- */

/* The line's slot: that of its last place, or a free one. A line that is none of the
 * set any more has its slot until places are given anew. */
static uint16_t *set_slot(struct set_stacks *s, uint32_t set, uint64_t line)
{
    uint64_t at = reuse_hash(line) >> 8;

    for (;; at++) {
        uint16_t *slot = &s->slot[set][at % SET_SLOTS];

        if (*slot == 0 || s->line[set][*slot - 1] == line)
            return slot;
    }
}

static void set_place(struct set_stacks *s, uint32_t set, uint64_t line, uint16_t *slot)
{
    uint32_t place = s->now[set]++;

    s->line[set][place] = line;
    s->last[set][place / WORD] |= (uint64_t)1 << place % WORD;
    *slot = (uint16_t)(place + 1);
}

/* Places 0.. for the set's lines, in their order. */
static void set_number_anew(struct set_stacks *s, uint32_t set)
{
    s->now[set] = 0;
    memset(s->slot[set], 0, sizeof(s->slot[set]));
    for (uint32_t word = 0; word < SET_PLACES / WORD; word++) {
        uint64_t left = s->last[set][word];

        /* No place becomes higher: what is written here has been read. */
        for (s->last[set][word] = 0; left != 0; left &= left - 1) {
            uint64_t line = s->line[set][word * WORD + (uint32_t)__builtin_ctzll(left)];

            set_place(s, set, line, set_slot(s, set, line));
        }
    }
}

static void set_drop_last(uint64_t *last)
{
    while (*last == 0)
        last++;
    *last &= *last - 1;
}

uint32_t set_touch(struct set_stacks *s, uint64_t line)
{
    uint32_t set = set_of(line), depth, place;
    uint64_t *last = s->last[set];
    uint16_t *slot;

    if (s->now[set] == SET_PLACES)
        set_number_anew(s, set);
    slot = set_slot(s, set, line);
    place = *slot - 1U;
    if (*slot == 0 || (last[place / WORD] >> place % WORD & 1) == 0) {
        if (s->count[set] == SET_DEPTH)
            set_drop_last(last);
        else
            s->count[set]++;
        set_place(s, set, line, slot);
        return SET_DEPTH;
    }
    depth = igpu_count_bits64(last[place / WORD] >> place % WORD >> 1);
    for (uint32_t word = place / WORD + 1; word * WORD < s->now[set]; word++)
        depth += igpu_count_bits64(last[word]);
    last[place / WORD] &= ~((uint64_t)1 << place % WORD);
    set_place(s, set, line, slot);
    return depth;
}
