/* feature_alike.h - threads that others are like: what they touch. */
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

/* feature_rows.c: the messages of all models by their order: a row has the first, the
 * second, ... of each. Kernels have so many sends. NULL: memory is short. */
struct feature_rows *feature_rows_new(const struct model *model, uint32_t models,
                                      uint32_t sends);
void feature_rows_free(struct feature_rows *r);
uint32_t feature_rows_count(const struct feature_rows *r);

/* A thread like a model, so many lines further in each send. */
struct feature_turn {
    uint32_t model, thread;
    const uint64_t *way;
};

/* Where touches go that pass the filters, and how many there are in all. */
struct feature_order {
    struct ordered *line, *page; /* room for `most` and one row's, each */
    unsigned rate;
    uint32_t ordinals; /* rows that are looked at */
    uint64_t most;     /* lines and pages that pass */
    uint64_t lines, pages, changed;
};

/* A message of each thread at a time, in the threads' order (at most WINDOW of them,
 * one behind the other). False: more than `most` pass. */
bool feature_rows_order(struct feature_rows *r, const struct feature_turn *turn,
                        uint32_t turns, struct feature_order *o);

#endif
