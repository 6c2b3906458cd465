/* payload.h - the threads of graphics of one subslice that wait for what fixed
 * functions make for them. Contract: docs/contract/fixed-functions.md, "Timing". Tests:
 * tests/csim/test_mem_fixed.c
 */
#ifndef MEM_PAYLOAD_H
#define MEM_PAYLOAD_H
#include "csim/ff/fixed.h"
#include "csim/mem/dataport.h"

struct payload {
    struct dataport *port;
    struct {
        uint64_t at;    /* the memory side's cycle in which it is answered */
        uint64_t order; /* of one cycle: by this, then as they came */
        uint8_t record;
    } wait[PORT_RECORDS]; /* the latest first */
    uint32_t count;
    /* The slot's message, whose time is not known yet; PORT_NONE. */
    uint8_t unknown[FIXED_EUS][FIXED_SLOTS];
};

void payload_init(struct payload *payload, struct dataport *port);
/* A MEM_PAYLOAD message; ascending cycles. made: the cycle in which it is there, or
 * FIXED_UNKNOWN: payload_made() will tell. depth: its thread has lines of depth, so
 * when that is told depends on how time is cut into mem_run()s; of one cycle, such
 * threads are behind others and in the order of their messages. */
void payload_send(struct payload *payload, const struct mem_msg *msg, uint64_t made,
                  bool depth);
void payload_made(struct payload *payload, uint8_t eu, uint8_t slot, uint64_t made,
                  bool depth);
void payload_tick(struct payload *payload, uint64_t now);

/* The next cycle in which payload_tick() has something to do; UINT64_MAX. */
static inline uint64_t payload_next(const struct payload *payload)
{
    return payload->count != 0 ? payload->wait[payload->count - 1].at : UINT64_MAX;
}
#endif
