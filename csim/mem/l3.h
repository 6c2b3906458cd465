/* l3.h - the L3: banks with a queue, tags and MSHRs each. Lines are virtual. A
 * write allocates its line without a fetch and keeps which bytes it wrote; a read
 * or an atomic of a line that is not whole fetches it. Atomics are done in the
 * bank. Contract: docs/contract/memory.md. Tests: tests/csim/test_mem_levels.c */
#ifndef MEM_L3_H
#define MEM_L3_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/cache.h"
#include "csim/mem/lines.h"
#include "csim/mem/mshr.h"
#include "csim/mem/wheel.h"
#include "igpu/config.h"
#include "igpu/limits.h"
#include "igpu/mem_stats.h"
#include "igpu/sample.h"

enum { L3_MAX_BANKS = LIMIT_L3_BANKS };

/* A modified line on its way down. */
struct l3_victim {
    uint64_t line;
    bool whole; /* all of its bytes are known */
};

struct l3_bank {
    struct cache cache;
    uint64_t *bytes; /* per entry: which bytes are there */
    struct mshr mshr;
    struct packet_list queue;
    uint32_t queued;
    uint64_t free_at; /* the bank serves its next line from then on */
    uint8_t *fetch;   /* ring of MSHRs to be asked for, oldest first */
    uint32_t fetch_head, fetch_count;
    struct l3_victim *victim; /* ring: write buffer, and room for the fills' */
    uint32_t victim_head, victim_count, victim_size;
    struct sample_bank counts;
};

struct l3 {
    const struct igpu_config *config;
    uint32_t bank_bits; /* of an index: those that choose the bank */
    uint64_t plain;     /* bits of an index that are the line's own */
    uint32_t banks, banks_per_slice, index_bits;
    uint32_t active;            /* bit: the bank has queued lines */
    uint32_t fetching, sending; /* bit: the bank has lines to fetch / to write */
    uint32_t in_flight;         /* MSHRs in use, all banks */
    uint64_t fabric[L3_MAX_BANKS][LINES_MAX_PORTS]; /* cycles between slices, one way */
    struct l3_bank bank[L3_MAX_BANKS];
    struct wheel *wheel;
    struct lines *table;
    struct mem_stats *stats;
    struct heat *heat; /* NULL: nobody asks */
};

/* *l3 is zero. False: no memory; then call l3_free(). */
bool l3_init(struct l3 *l3, const struct igpu_config *config, struct wheel *wheel,
             struct lines *table, struct mem_stats *stats);
void l3_free(struct l3 *l3);

/* PACKET_L3 takes effect. */
void l3_arrive(struct l3 *l3, uint32_t packet);
/* Cycle `now` of the banks that have something to do. True: some still have. */
bool l3_tick(struct l3 *l3, uint64_t now);
/* The line of MSHR `entry` of `bank` came. */
void l3_fill(struct l3 *l3, uint64_t now, uint32_t bank, uint32_t entry, uint8_t level);

/* The next modified line that the bank sends. */
struct l3_victim l3_take_victim(struct l3 *l3, uint32_t bank);

/* Change the number of ways: `flush` gets every modified line. Only when idle. */
void l3_repartition(struct l3 *l3, uint32_t ways,
                    void (*flush)(void *ctx, uint64_t line), void *ctx);

/* Is there a place for the line that no other has? */
bool l3_has_place(const struct l3 *l3, uint64_t line);
/* Outside of time: make the line the most recently used one, modified if `write`. True:
 * it was not there; *victim gets the modified line that gave way, number 0: none. */
bool l3_warm(struct l3 *l3, uint64_t line, bool write, uint64_t *victim);

/* ---- what every line or miss passes: in the header, so that it is inlined ---- */

/* The set comes from the line's low bits with higher ones mixed in, so that any power
 * of two as a stride spreads and 64 neighbours never meet; the bank without, unless
 * l3.bank_hash says otherwise. */
static inline uint32_t l3_index(const struct l3 *l3, uint64_t line)
{
    uint32_t n = l3->index_bits;
    uint64_t mixed = line ^ line >> n ^ line >> 2 * n ^ line >> 3 * n;

    mixed ^= (mixed ^ line) & l3->plain;
    return (uint32_t)(mixed & ((UINT64_C(1) << n) - 1));
}

static inline uint32_t l3_bank_at(const struct l3 *l3, uint32_t index)
{
    return index & (l3->banks - 1);
}

static inline uint32_t l3_set_at(const struct l3 *l3, uint32_t index)
{
    return index >> l3->bank_bits;
}

static inline struct lines *l3_entry(const struct l3 *l3, uint32_t port, uint32_t entry)
{
    return &l3->table[port * LINES_ENTRIES + entry];
}

/* A line leaves subslice `port` at now + delay: to its bank. */
static inline void l3_send(struct l3 *l3, uint64_t now, uint64_t delay, uint8_t port,
                           uint8_t entry, uint8_t line)
{
    struct line *l = &l3_entry(l3, port, entry)->line[line];
    uint64_t at = now + delay + l3->config->l3_request_latency;

    l->place = l3_index(l3, l->number);
    at += l3->fabric[l3_bank_at(l3, l->place)][port];
    wheel_put(l3->wheel, now, at, wheel_new(l3->wheel, PACKET_L3, port, entry, line));
}

/* The next line that bank b fetches: its MSHR, taken off the list. */
static inline uint32_t l3_take_fetch(struct l3 *l3, uint32_t b)
{
    struct l3_bank *bank = &l3->bank[b];
    uint32_t m = bank->fetch[bank->fetch_head];

    assert(bank->fetch_count > 0);
    bank->fetch_head = (bank->fetch_head + 1) % bank->mshr.entries;
    if (--bank->fetch_count == 0)
        l3->fetching &= ~(UINT32_C(1) << b);
    return m;
}
#endif
