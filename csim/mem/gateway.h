/* gateway.h - barriers: for each (subslice, barrier slot) a group of threads. When
 * every thread that has not ended has arrived, each arrival is answered.
 * Times are in the memory side's cycles, as in dataport.h.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_gateway.c */
#ifndef MEM_GATEWAY_H
#define MEM_GATEWAY_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/dataport.h"
#include "csim/mem/wheel.h"
#include "igpu/config.h"
#include "igpu/mem_stats.h"

enum {
    GATEWAY_SLOTS = 32, /* barrier slots of a subslice that can be named */
    GATEWAY_EUS = 8,
    GATEWAY_THREADS = 56, /* of a subslice: EU x 7 + slot */
    GATEWAY_QUEUE = 512
};

struct gateway_group {
    uint64_t arrived; /* bit: the thread waits */
    uint64_t telling; /* bit: its notification is under way */
    uint32_t threads; /* that have not ended */
    uint32_t use;     /* counts the groups that had this slot */
};

/* An arrival (record) or an end (record PORT_NONE). */
struct gateway_event {
    uint64_t at;
    uint32_t use;
    uint8_t slot, thread, record;
};

struct gateway {
    const struct igpu_config *config;
    uint8_t number;
    struct gateway_group group[GATEWAY_SLOTS];
    struct gateway_event queue[GATEWAY_QUEUE]; /* ring, ascending times */
    uint32_t head, count;
    uint8_t record[GATEWAY_THREADS]; /* of the thread's arrival */
    struct dataport *port;
    struct wheel *wheel;
    struct mem_stats *stats;
};

void gateway_init(struct gateway *gateway, uint8_t number,
                  const struct igpu_config *config, struct dataport *port,
                  struct wheel *wheel, struct mem_stats *stats);

/* A new group has the slot; every event of the one before has been announced. */
void gateway_group(struct gateway *gateway, uint8_t slot, uint32_t threads);
/* A thread arrives (the record is its message's) / ends, at message time `cycle`. */
void gateway_arrive(struct gateway *gateway, uint8_t record);
void gateway_end(struct gateway *gateway, uint8_t slot, uint64_t cycle);

/* What happens at `now`. */
void gateway_tick(struct gateway *gateway, uint64_t now);
/* PACKET_FIRE takes effect: notify the slot's threads, lowest EU and slot first. */
void gateway_fire(struct gateway *gateway, uint64_t now, uint8_t slot);
/* The time of the next arrival or end; UINT64_MAX without any. */
static inline uint64_t gateway_next(const struct gateway *gateway)
{
    return gateway->count != 0 ? gateway->queue[gateway->head].at : UINT64_MAX;
}
#endif
