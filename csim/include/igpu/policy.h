/* policy.h - policies of the caches: the small interfaces that a named policy has
 * inside (csim/mem/policy.c) and a shared object has outside
 * (docs/guide/change-the-machine.md).
 *
 * A shared object is given as a parameter's value with a slash in it, as in
 * -s llc.policy=./mine.so, and exports one object of C:
 *
 *   l3.policy, llc.policy   const struct igpu_replacement igpu_replacement;
 *   llc.prefetch            const struct igpu_prefetch igpu_prefetch;
 *
 * Functions keep what they know in the memory they are given and nowhere else, call
 * nothing that could answer otherwise another time, and may be called from several
 * threads at once, each with memory of its own: same trace and object, same cycles.
 * Tests: tests/csim/test_mem_policy.c, tests/bridge/test_policy.sh */
#ifndef IGPU_POLICY_H
#define IGPU_POLICY_H
#include <stdbool.h>
#include <stdint.h>

/* The interface's version; an object of another one is refused. */
#define IGPU_POLICY_VERSION 1

enum {
    IGPU_POLICY_WAYS = 128,    /* most ways of a set */
    IGPU_POLICY_BYTES = 65536, /* most memory of a set, or of a prefetcher */
    IGPU_PREFETCH_LINES = 16   /* most lines that one access may ask for */
};

/* Which line of a full set gives way. A way that holds no line is filled before one is
 * replaced; the policy is not asked for that. */
struct igpu_replacement {
    uint32_t version; /* IGPU_POLICY_VERSION */
    const char *name; /* for messages */
    /* The memory of a set of so many ways (1 to IGPU_POLICY_WAYS), in bytes; it is all
     * zero at the start and after a flush. */
    uint32_t (*bytes)(uint32_t ways);
    /* The way to replace in set number `index`, all of whose ways hold lines. Changes
     * nothing: it may be asked again before anything is filled. */
    uint32_t (*victim)(const void *set, uint32_t ways, uint32_t index);
    /* The line in `way` was used. */
    void (*touch)(void *set, uint32_t ways, uint32_t way);
    /* A line came into `way`, which held none or the victim. */
    void (*fill)(void *set, uint32_t ways, uint32_t way);
};

/* Which lines the LLC fetches that nobody asked for. */
struct igpu_prefetch {
    uint32_t version;
    const char *name;
    uint32_t bytes; /* of memory, all zero at the start of a run */
    /* The GPU reads the line with this number (of 64 bytes, physical); `hit`: the LLC
     * has it. Writes at most IGPU_PREFETCH_LINES line numbers to `ask` and returns how
     * many; those outside the line's page of 4 KB are not fetched. */
    uint32_t (*access)(void *memory, uint64_t line, bool hit, uint64_t *ask);
};
#endif
