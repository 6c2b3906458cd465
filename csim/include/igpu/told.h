/* told.h - what a hardware thread did, in bulk: words of 64 bits, as translated code
 * writes them (igpu/jit.h), the emulator's hooks are told (igpu/emu.h) and a trace
 * takes them (traces/format/trace.h). A head, then the words that it counts. */
#ifndef IGPU_TOLD_H
#define IGPU_TOLD_H
#include <stdint.h>

enum { TOLD_MOST = 32 }; /* sends of a group */
enum {
    TOLD_BLOCK = 0, /* a basic block was entered; no words */
    TOLD_LANES = 1, /* a send's addresses, one for each lane */
    TOLD_ROW = 2,   /* in a group alone: all lanes are on, each so many bytes behind
                       the one before as the head has in its count */
    TOLD_GROUP = 3, /* sends one behind the other: `what` of them, heads first. The
                       count is how many heads there is room for; behind it are as many
                       words, one for each send: a row's first address, or where in the
                       group (word 0: this head) a send's lanes are. The mask's bits are
                       the words that follow in all. */
    TOLD_KIND = 3,  /* bits of those */
    TOLD_SLM = 4,   /* and addresses are offsets in shared memory */
    /* The first bit of each field of a head. */
    TOLD_COUNT = 8, /* 8 bits: words that follow */
    TOLD_WHAT = 16, /* 16 bits: number of the block, or index of the instruction */
    TOLD_MASK = 32  /* 32 bits: lanes that are on */
};

static inline uint64_t told_head(uint32_t kind, uint32_t count, uint32_t what,
                                 uint32_t mask)
{
    return kind | (uint64_t)count << TOLD_COUNT | (uint64_t)what << TOLD_WHAT |
           (uint64_t)mask << TOLD_MASK;
}
static inline uint32_t told_count(uint64_t head)
{
    return (uint8_t)(head >> TOLD_COUNT);
}
/* Words that follow a head that is in no group. */
static inline uint32_t told_words(uint64_t head)
{
    return (head & TOLD_KIND) == TOLD_GROUP ? (uint32_t)(head >> TOLD_MASK)
                                            : told_count(head);
}
static inline uint32_t told_what(uint64_t head)
{
    return (uint16_t)(head >> TOLD_WHAT);
}
static inline uint32_t told_mask(uint64_t head)
{
    return (uint32_t)(head >> TOLD_MASK);
}

#endif
