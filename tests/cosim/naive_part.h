/* naive_part.h - the pieces of naive.h's engine. */
#ifndef COSIM_NAIVE_PART_H
#define COSIM_NAIVE_PART_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"
#include "igpu/icache.h"

enum {
    NAIVE_BITS = 136,
    NAIVE_PENDING = 2048, /* results under way in an EU */
    NAIVE_TOKENS = 512,   /* starts, ends, dones under way for a tile */
    NAIVE_QUEUE = 4,
    NAIVE_FLIGHT = 16
};

struct naive_thread {
    bool open, holds, eot_issued;
    uint64_t opened;    /* which thread of its EU it is, from 1 */
    uint64_t want_from; /* to fetch */
    uint64_t run_from;  /* its run can be fetched */
    uint64_t held_from; /* first cycle in which its instruction can issue */
    uint32_t uop;       /* held */
    struct uop_run run; /* left of its run */
    uint8_t bslot;
    bool busy[NAIVE_BITS];
};

/* At `cycle` the bits that `uop` of `slot` set are no longer busy; of FPU f, or
 * f = 2: a response. */
struct naive_result {
    uint64_t cycle;
    uint32_t uop;
    uint8_t slot, f;
};

struct naive_message {
    uint64_t from, issued;
    uint32_t uop;
    uint8_t slot;
};

struct naive_eu {
    struct naive_thread thread[HOST_SLOTS];
    uint64_t unit_from[4];
    uint64_t last_result[3]; /* D', D'' */
    unsigned winner[5];
    uint64_t opens; /* threads so far */
    struct naive_message queue[NAIVE_QUEUE];
    unsigned queued;
    unsigned results;
    struct naive_result result[NAIVE_PENDING];
};

struct naive_token {
    uint64_t cycle;
    uint32_t value; /* thread, or uop */
    uint8_t bslot, eu, slot;
    bool credit, wb;
};

struct naive_tokens {
    unsigned count;
    struct naive_token token[NAIVE_TOKENS];
};

struct naive_tile {
    struct naive_tokens starts, ends, dones;
    unsigned next_eu, next_slot[HOST_EUS], winner;
    uint64_t credits;
    struct naive_eu eu[HOST_EUS];
    /* of the global dispatcher */
    uint64_t free_slots, free_slm;
    bool barrier_taken[16];
    uint32_t group_left[16];
};

struct naive {
    struct igpu_config config;
    struct host_calls calls;
    const struct uop *uops;
    struct host_launch launch;
    uint64_t now, may_dispatch, end;
    uint32_t dispatched, ended, group_left;
    unsigned rr, group_tile;
    uint8_t group_bslot;
    struct naive_tile tile[HOST_MAX_TILES];
    struct icache *icache[HOST_MAX_TILES];
};

/* Put a token behind the others / take one with cycle t. */
void naive_put(struct naive_tokens *tokens, struct naive_token token);
bool naive_take(struct naive_tokens *tokens, uint64_t t, struct naive_token *token);
/* First requester strictly after `last`, wrapping at n; n when there is none. */
unsigned naive_round_robin(const bool *request, unsigned n, unsigned last);

/* Cycle t of one EU: completions, fetch, arbitration, issue. */
void naive_eu_tick(struct naive *g, unsigned tile, unsigned eu, uint64_t t);
/* A run is delivered in cycle t. */
void naive_set_run(struct naive *g, unsigned tile, unsigned eu, unsigned slot,
                   struct uop_run run, uint64_t t);
void naive_eu_respond(struct naive *g, unsigned tile, const struct naive_token *done);
#endif
