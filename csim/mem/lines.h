/* lines.h - a message's distinct 64 B lines, as the data port makes them and the L3
 * reads them: the table of messages in flight of each subslice. */
#ifndef MEM_LINES_H
#define MEM_LINES_H
#include <stdint.h>

#include "igpu/limits.h"
#include "igpu/mem.h"

enum {
    LINES_MAX = 160,                   /* of a message: 32 lanes of 256 B, unaligned */
    LINES_MAX_ENTRIES = LIMIT_CREDITS, /* messages that a port has begun: its credits */
    LINES_UNIT_ENTRIES = 32, /* messages that a sampler has begun, or render targets */
    LINES_TEXTURE = LINES_MAX_ENTRIES, /* the first entry of the sampler's */
    LINES_TARGET = LINES_TEXTURE + LINES_UNIT_ENTRIES,
    LINES_VICTIM = LINES_TARGET + LINES_UNIT_ENTRIES, /* what these push out */
    LINES_DEPTH = LINES_VICTIM + LINES_UNIT_ENTRIES, /* lines that depth tests read.. */
    LINES_DEPTH_VICTIM,                              /* ..and push out */
    LINES_ENTRIES,                                   /* of a subslice */
    LINES_MAX_PORTS = LIMIT_SUBSLICES                /* subslices */
};

struct line {
    uint64_t number; /* address / 64 */
    uint64_t bytes;  /* those that a write covers; all ones otherwise */
    uint32_t serial; /* atomics: lanes that follow each other on one word, most */
    uint32_t place;  /* bank and set in the L3, once it was sent there */
};

struct lines {
    uint32_t count;
    uint32_t left;                 /* not come back yet */
    uint8_t op;                    /* enum mem_op */
    uint8_t record;                /* the port's record of the message */
    uint8_t from[MEM_LINE_LEVELS]; /* that came back, by where they were */
    struct line line[LINES_MAX];
};

/* Entry e of subslice s: table[s x LINES_ENTRIES + e]. */
#endif
