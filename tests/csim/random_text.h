/* random_text.h - random instructions and branches, none of which is refused by what
 * decodes them, and other random choices: the same everywhere for a seed. */
#ifndef RANDOM_TEXT_H
#define RANDOM_TEXT_H
#include "emu_rig.h"

enum { RANDOM_TEXT = 24 }; /* instructions, the thread's end the last */
/* Registers that are small as a whole where a thread is calm: all of a plane's terms
 * are to be denormal at once. */
enum { RANDOM_SMALL_GRFS = 10 };
/* Where messages find 16 offsets each (two registers), and as many addresses (four),
 * and the surface that they name beside shared memory. */
enum {
    RANDOM_OFFSETS = 108,
    RANDOM_OFFSET_SETS = 4,
    RANDOM_ADDRESSES = 116,
    RANDOM_ADDRESS_SETS = 3,
    RANDOM_BTI = 3
};
/* Where calls leave their way back, and the distance to where a register leads. */
enum { RANDOM_LINK = 104, RANDOM_TARGET = 105 };

extern struct random_text {
    uint64_t seed;
    bool math;   /* whose NaNs leave the rest of a block to the emulator */
    bool macros; /* of divisions; most numbers are near 1 */
    bool states; /* words of state are set */
    bool sends;  /* messages to memory */
    bool others; /* what is called: all other opcodes, operands and branches */
} random_text;

void random_text_put(struct isa_inst *text);

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)(emu_rig_random(&random_text.seed) >> 33) % n;
}

static inline bool one_in(uint32_t n)
{
    return below(n) == 0;
}

#define PICK(list) (list)[below((uint32_t)(sizeof(list) / sizeof((list)[0])))]
#endif
