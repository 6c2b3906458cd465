/* tile.h - one subslice: local dispatcher, EUs, send arbiter (docs/contract/model.md
 * sections 3 and 4.7). */
#ifndef REF_TILE_H
#define REF_TILE_H
#include <stdbool.h>
#include <stdint.h>

#include "disp.h"
#include "eu.h"
#include "igpu/host.h"

struct ref_tile {
    uint64_t now; /* next cycle to simulate */
    uint8_t id, eus;
    uint8_t slots; /* of an EU, bit set */
    /* local dispatcher */
    uint8_t eu_at, slot_at[HOST_EUS];
    uint32_t start_first, start_count; /* ring start[] */
    struct ref_start start[REF_RING];
    /* send arbiter */
    uint8_t last;     /* round-robin winner */
    uint64_t granted; /* every grant before this cycle has been made */
    uint32_t credits;
    uint32_t back_first, back_count; /* ring back[]: DONEs with a credit */
    uint64_t back[REF_RING];
    /* out.end[]: ends of the last ref_tile_run(), by cycle, then EU. */
    struct ref_eu_out out;
    struct ref_eu eu[HOST_EUS];
};

/* *tile is zero. */
void ref_tile_init(struct ref_tile *tile, unsigned id,
                   const struct igpu_config *config);
/* All as at the start, at `cycle`; the launch before is over and answered. */
void ref_tile_launch(struct ref_tile *tile, const struct ref_env *env, uint64_t cycle);
/* A START that takes effect at start->cycle; cycles ascend strictly. */
void ref_tile_start(struct ref_tile *tile, const struct ref_start *start);
void ref_tile_done(struct ref_tile *tile, const struct ref_env *env,
                   const struct host_done *done);
/* Simulate up to `until`, all starts and dones below it being there. At most
 * 56 threads end on the way; tile->out gets them. */
void ref_tile_run(struct ref_tile *tile, const struct ref_env *env, uint64_t until,
                  bool reverse);
uint64_t ref_tile_next(const struct ref_tile *tile);
/* Nothing happens before `cycle`: go there. */
void ref_tile_skip(struct ref_tile *tile, uint64_t cycle);
#endif
