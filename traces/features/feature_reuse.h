/* feature_reuse.h - reuse distances: how many other keys were touched since a key was
 * touched last, exactly, or of a sample of the keys (those whose hash ends in `rate`
 * zero bits; a distance then counts 2^rate for each). Knows nothing of traces.
 * Method: Waldspurger et al., "Efficient MRC construction with SHARDS", FAST 2015.
 * Tests: tests/traces/test_features_parts.c */
#ifndef IGPU_FEATURE_REUSE_H
#define IGPU_FEATURE_REUSE_H
#include <stdbool.h>
#include <stdint.h>

struct reuse;

/* What is kept of a key between touches; zero when it is new. */
struct reuse_note {
    uint32_t launch; /* of the last touch, plus 1 */
    uint32_t thread; /* first one of that launch */
    bool shared, written;
};

#define REUSE_NEW UINT64_MAX

/* At most `keys` (a power of two) are kept: more, and the rate rises. NULL when memory
 * is short. */
struct reuse *reuse_new(uint32_t keys);
void reuse_free(struct reuse *r);
unsigned reuse_rate(const struct reuse *r);
/* Only keys of this rate from now on; a lower one changes nothing. */
void reuse_set_rate(struct reuse *r, unsigned rate);

/* A key's hash, in two steps: of a number, or of a vector of them. */
#define REUSE_MIX(key) (((key) ^ (key) >> 31) * UINT64_C(0x9e3779b97f4a7c15))
#define REUSE_HASH(mixed)                                                              \
    (((mixed) ^ (mixed) >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 24)
static inline uint64_t reuse_hash(uint64_t key)
{
    key = REUSE_MIX(key);
    return REUSE_HASH(key);
}
/* Does a key belong to the sample of that rate? */
static inline bool reuse_in_sample(uint64_t key, unsigned rate)
{
    return rate == 0 || (reuse_hash(key) & ((UINT64_C(1) << rate) - 1)) == 0;
}
/* The key is touched soon: fetch what is known of it. */
void reuse_ahead(const struct reuse *r, uint64_t key);
/* Touch a key of the sample: its distance, or REUSE_NEW. *note is valid until the next
 * call. */
uint64_t reuse_touch(struct reuse *r, uint64_t key, struct reuse_note **note);

/* The sets of a cache of 128 sets: of each the lines that were touched last. A set's
 * touches have places one behind the other, of which a line has its last one. All zero:
 * empty. */
enum { SET_COUNT = 128, SET_DEPTH = 128, SET_PLACES = 256, SET_SLOTS = 512 };
struct set_stacks {
    uint16_t now[SET_COUNT], count[SET_COUNT]; /* places given; lines */
    uint64_t last[SET_COUNT][SET_PLACES / 64]; /* bits: it is a line's place */
    uint64_t line[SET_COUNT][SET_PLACES];
    uint16_t slot[SET_COUNT][SET_SLOTS]; /* by a hash: place of a line, plus 1 */
};
#define SET_FOLD(line)                                                                 \
    (((line) ^ (line) >> 7 ^ (line) >> 14 ^ (line) >> 21) & (SET_COUNT - 1))
static inline uint32_t set_of(uint64_t line)
{
    return (uint32_t)SET_FOLD(line);
}
/* How many other lines of its set were touched since; SET_DEPTH: more, or never. */
uint32_t set_touch(struct set_stacks *s, uint64_t line);

#endif
