/* feature_alike.h - a thread that others are like: what it touches. */
#ifndef IGPU_FEATURE_ALIKE_H
#define IGPU_FEATURE_ALIKE_H
#include "traces/features/feature_state.h"

/* A message to global memory: so many lines from line[first] on. */
struct model_message {
    uint64_t at;   /* line of its first lane */
    uint32_t send; /* as send_kind.pattern */
    uint32_t first, lines;
    bool write;
};

struct model {
    uint64_t *word; /* what it was told, as igpu/told.h has it: blocks and lanes */
    uint32_t words, room;
    struct model_message *message;
    uint32_t messages, message_room;
    uint64_t *line;
    uint32_t lines, line_room;
    uint64_t steps[STRIDES]; /* that it adds to those of the launch */
    uint64_t times;          /* threads like it, not counted yet */
};

#endif
