/* trace_lead.h - what was told of a thread that others may follow (trace_follow.h), in
 * steps, and how many of them are alike. Internal to traces/format. */
#ifndef IGPU_TRACE_LEAD_H
#define IGPU_TRACE_LEAD_H
#include "traces/format/trace_writer_state.h"

enum {
    LEAD_STEPS = 1 << 12, /* and what it has of the others, at most */
    LEAD_HEADS = 1 << 12,
    LEAD_PLACES = 1 << 12,
    LEAD_WAYS = 1 << 10,
    LEAD_SENDS = 1 << 8,
    LEAD_KINDS = 1 << 6,
    LEAD_SHORT = 512 /* words, told at once */
};

/* All that is told at once, if it is short; else blocks one behind the other, then a
 * group of sends, or none. */
struct lead_step {
    uint32_t words, addr; /* all; where from the first one addresses are.. */
    bool apart, first;    /* ..or heads and addresses are where place[] says; the first
                             of its kind */
    uint16_t heads, head; /* words that are the same, and where in the lead's head[] */
    uint16_t sends, way;  /* addresses, and where in a thread's ways theirs are */
    uint16_t place;       /* where in the lead's place[] */
};

struct lead {
    uint32_t kernel, steps, kinds, heads, bases, ways, sends, places;
    struct lead_step step[LEAD_STEPS], kind[LEAD_KINDS];
    uint64_t head[LEAD_HEADS];
    uint64_t base[TRACE_ACCESS_MAX]; /* addresses, in path order */
    uint16_t place[LEAD_PLACES];     /* of a step's heads, then of its addresses */
    uint16_t same[LEAD_WAYS];        /* the way that this one is, not a later one */
    uint32_t inst[LEAD_SENDS];       /* of a send, by first use */
    uint16_t way[LEAD_SENDS],
        first[LEAD_SENDS]; /* its first address's way, and which */
    struct trace_path_known *path;
    uint64_t path_times, blocks, lane_accesses;
    /* The segment to which its own is moved, and by how much each send is. */
    struct trace_moved_link link;
    bool linked;
    uint64_t from[LEAD_SENDS];
    bool glanced; /* it is one short step */
};

/* Of a step, while it is put together. */
struct lead_parts {
    uint64_t head[LEAD_HEADS], addr[LEAD_HEADS];
    uint32_t inst[LEAD_HEADS];
    uint16_t place[2][LEAD_SHORT]; /* of heads and of addresses */
};

void lead_begin(struct lead *l, uint32_t kernel);
/* What is told next (igpu/told.h). False: it has anything but rows, or is too long. */
bool lead_keep(struct lead *l, struct lead_parts *parts, const uint64_t *word,
               const uint64_t *end);

#endif
