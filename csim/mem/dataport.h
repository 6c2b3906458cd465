/* dataport.h - one subslice's data port: an input queue in order, the table of
 * messages in flight, lines out to the L3, bank cycles of the SLM, fences, and the
 * one way back to the EUs (also for barrier notifications). Times are in the memory
 * side's cycles: a message granted at c arrives at c + dp.in_latency, an answer
 * decided at s reaches the EU at s + dp.out_latency.
 * Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_levels.c,
 * test_mem_random.c */
#ifndef MEM_DATAPORT_H
#define MEM_DATAPORT_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/l3.h"
#include "csim/mem/lines.h"
#include "csim/mem/wheel.h"
#include "igpu/config.h"
#include "igpu/mem.h"
#include "igpu/mem_stats.h"

enum {
    PORT_RECORDS = 192, /* messages in a port: 64 credits, 56 threads at a barrier,
                           and answers that nobody has taken yet */
    PORT_NONE = 255
};

/* What a message that has begun holds until its answer is there: the table keeps those
 * whose answers go to registers. */
enum port_place { PLACE_TABLE, PLACE_SLM, PORT_PLACES, PLACE_NONE = PORT_PLACES };

/* Places of a kind. A message's is free some time after its answer. */
struct port_places {
    uint64_t release[LINES_MAX_ENTRIES];   /* ring: when they get free, ascending */
    uint32_t head, releasing, taken, most; /* taken: without those that are released */
};

struct port_record {
    struct mem_msg msg;
    bool request;       /* it has a lane that reads or writes */
    uint8_t next_fence; /* the fence that waits for this; PORT_NONE */
    uint8_t waits;      /* FENCE: what it waits for */
    uint8_t entry;      /* for its lines; PORT_NONE */
    uint8_t place;      /* enum port_place */
    bool in_flight;     /* a write, atomic or fence that is not answered yet */
    /* struct mem_way; full: until it begins, what counts.full_cycles was when it
     * arrived. */
    uint32_t queued;
    uint64_t full;
};

/* Record numbers, first in first out. */
struct port_ring {
    uint8_t at[256]; /* the indices wrap by themselves */
    uint8_t head;
    uint32_t count;
};

static inline void port_ring_push(struct port_ring *ring, uint8_t record)
{
    assert(ring->count < PORT_RECORDS);
    ring->at[(uint8_t)(ring->head + ring->count++)] = record;
}

static inline uint8_t port_ring_pop(struct port_ring *ring)
{
    assert(ring->count > 0);
    ring->count--;
    return ring->at[ring->head++];
}

/* The message that the port began last: its lines, or cycles of SLM's banks. */
struct port_latest {
    uint64_t begun;
    uint32_t parts;  /* lines, or SLM blocks */
    uint32_t cycles; /* the fullest bank's */
    uint32_t rate;   /* of parts in a cycle */
    uint8_t op;
    bool slm;
};

/* Messages with a place in all ports. Bit i of `early`: of port i, one that was
 * answered in cycle `early_at` before the ports' turn. */
struct port_in_table {
    uint32_t count, early;
    uint64_t early_at;
};

struct dataport {
    const struct igpu_config *config;
    uint8_t number; /* of the subslice */
    struct port_record record[PORT_RECORDS];
    struct port_ring in, back;
    uint32_t unseen; /* of `in`, the youngest ones: `full` is not noted yet */
    uint8_t record_free[PORT_RECORDS]; /* stack: those used last are in the host's
                                          cache */
    uint32_t records_free;
    uint8_t entry_free[LINES_MAX_ENTRIES]; /* stack */
    uint32_t entries_free;
    struct port_places places[PORT_PLACES];
    uint64_t busy_until;    /* the port takes its next message from then on */
    uint64_t *at;           /* the subslice has nothing to do before, shared */
    uint64_t in_at;         /* the oldest in `in` begins then; UINT64_MAX: none, or it
                               waits for a place and none is free soon */
    uint64_t full_from;     /* cycles in which it waited for a place are counted up to
                               this one; UINT64_MAX: it does not wait for one */
    uint64_t line_bus_free; /* the same for lines that come from the L3 */
    struct packet_list landing; /* lines that wait for that bus */
    uint64_t back_free;         /* and for answers */
    struct mem_done done[256];  /* ring */
    struct mem_way way[256];    /* the same, where `tells` */
    bool tells;
    uint64_t done_at; /* cycle of its first; UINT64_MAX: none */
    uint8_t done_head;
    uint32_t done_count;
    uint64_t last_done;             /* cycle of the latest; 0: none */
    struct port_in_table *in_table; /* shared */
    struct lines *table;
    struct l3 *l3;
    struct wheel *wheel;
    struct heat *heat; /* NULL: nobody asks */
    struct mem_stats *stats;
    struct sample_port counts; /* of *stats, this port's */
    struct port_latest latest;
};

/* *port is zero. */
void dataport_init(struct dataport *port, uint8_t number,
                   const struct igpu_config *config, struct lines *table,
                   struct port_in_table *in_table, uint64_t *at, struct l3 *l3,
                   struct wheel *wheel, struct mem_stats *stats);

/* Take a record for *msg (any kind); it is in no queue yet. */
uint8_t dataport_record(struct dataport *port, const struct mem_msg *msg);
/* When the port sees it. */
static inline uint64_t dataport_arrival(const struct dataport *port,
                                        const struct mem_msg *msg)
{
    return msg->cycle + port->config->dp_in_latency;
}
/* A message for the port; ascending cycles. */
void dataport_send(struct dataport *port, const struct mem_msg *msg);

/* Take out of *sample what is counted of this port and lies in cycle `now` or later. */
void dataport_take_back(const struct dataport *port, uint64_t now,
                        struct sample_mem *sample);

/* PACKET_LINE takes effect. */
void dataport_line(struct dataport *port, uint64_t now, uint32_t packet);
/* The record's message is answered, as soon as the way back is free. */
void dataport_answer(struct dataport *port, uint64_t now, uint8_t record);

/* Cycle `now`: a line lands, a message begins, an answer goes back. Returns the first
 * cycle in which there is something to do by itself, UINT64_MAX; if it is past, there
 * is in the next one. */
uint64_t dataport_tick(struct dataport *port, uint64_t now);
/* The statistics are looked at: count the cycles before `now`. */
void dataport_count(struct dataport *port, uint64_t now);

/* Take the first of the answers that go back; there is one. */
static inline void dataport_take_done(struct dataport *port, struct mem_done *done)
{
    *done = port->done[port->done_head++];
    port->done_at =
        --port->done_count != 0 ? port->done[port->done_head].cycle : UINT64_MAX;
}
#endif
