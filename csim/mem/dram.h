/* dram.h - DRAM channels: a controller with a read and a write queue each, FR-FCFS
 * over open rows (or another dram.schedule), write draining, refresh. Times inside are
 * clocks of dram.clock_hz, at the border picoseconds. Contract:
 * docs/contract/memory.md. Tests: tests/csim/test_mem_dram.c */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H
#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/agenda.h"
#include "csim/mem/clock.h"
#include "igpu/config.h"
#include "igpu/dram_command.h"
#include "igpu/limits.h"
#include "igpu/mem_stats.h"

enum {
    DRAM_MAX_CHANNELS = LIMIT_DRAM_CHANNELS,
    DRAM_MAX_RANKS = LIMIT_DRAM_RANKS,
    DRAM_MAX_GROUPS = LIMIT_DRAM_GROUPS,
    DRAM_MAX_BANKS = DRAM_MAX_RANKS * DRAM_MAX_GROUPS * LIMIT_DRAM_BANKS
};

/* Where a line lies. bank: of its channel, (rank x groups + group) x banks + bank. */
struct dram_place {
    uint32_t channel, rank, group, bank, column;
    uint64_t row;
};

struct dram_bank {
    uint64_t row; /* DRAM_CLOSED: none open */
    uint64_t act_ok, pre_ok, col_ok, last_use;
    uint64_t idle;    /* clocks without use after which the row is closed */
    uint32_t waiting; /* requests in the queues */
    uint32_t wanted;  /* the scan in which a request wanted the open row */
    uint32_t front;   /* the scan in which one who is not behind wanted the bank */
    uint32_t kept;    /* the scan in which a request had the bank alone */
};
#define DRAM_CLOSED UINT64_MAX
/* Who asks: the GPU, or core i as DRAM_GPU + 1 + i. */
enum { DRAM_GPU = 0, DRAM_MAX_SOURCES = 32 };

/* col_ok: for a read, for a write. */
struct dram_group {
    uint64_t act_ok, col_ok[2];
};

struct dram_rank {
    uint64_t act_ok, col_ok[2], refresh_due;
    uint64_t activates[4]; /* clocks + 1 of the last four, oldest at `oldest` */
    uint32_t oldest;
    struct dram_group group[DRAM_MAX_GROUPS];
};

struct dram_request {
    uint64_t line, row, arrival;
    struct dram_bank *bank; /* where it goes */
    struct dram_rank *rank;
    struct dram_group *group;
    struct dram_request *prev, *next; /* in its queue; next: of the free ones too */
    uint64_t not_before;              /* no command can be issued for it earlier */
    uint32_t tag;
    uint8_t source;
    bool write, begun; /* begun: a command was issued for it */
};

struct dram_queue {
    struct dram_request *head, *tail;
    uint32_t count;
};

struct dram_channel {
    struct dram_bank bank[DRAM_MAX_BANKS];
    struct dram_rank rank[DRAM_MAX_RANKS];
    struct dram_queue reads, writes;
    uint32_t crowded; /* banks with more than one request in the queues */
    /* The bus takes the data of a command from then on: of the rank that had the last
     * burst and of others, for a read and for a write. */
    uint64_t bus_ok[2][2];
    uint64_t wake, wake_ps;
    uint64_t refresh_due;  /* no rank's is before that */
    uint32_t scan, marked; /* scans; that for which wanted rows were marked last */
    const struct dram_rank *bus_rank; /* the last burst's */
    /* dram.schedule bliss: who had the last reads, how many in a row, who is behind the
     * others (a bit each), and the clock when that is forgotten. */
    uint32_t last_source, in_a_row, behind;
    uint64_t forget_at;
    uint32_t index;
    bool draining;
    /* Room for all requests, of which most runs touch little; free: of the touched. */
    struct dram_request *pool, *free;
    uint32_t touched;
};

/* A field of a line's number: a power of two of places. */
struct dram_field {
    uint32_t mask, bits;
};

struct dram_fields {
    struct dram_field channel, group, column, bank, rank;
};

struct dram {
    const struct igpu_config *config;
    struct dram_fields fields;
    struct clock clock;     /* of the DRAM, at tick 0 */
    uint64_t cl, trcd, trp; /* after dram.latency_scale */
    uint32_t channels, ranks, banks_per_rank, requests;
    /* A command only delays what others may be issued, but those of its bank: the bus,
     * where it stays with a rank, is not free earlier either. And any request may be
     * the one to serve (fr-fcfs). */
    bool only_delays;
    struct dram_channel *channel;
    struct heat *heat;     /* NULL: nobody asks */
    uint64_t next_ps;      /* the channels' earliest wake_ps */
    struct agenda *agenda; /* gets a `done_kind` event when a read's data are there */
    uint32_t done_kind;
    struct mem_stats *stats;
    dram_watch *watch; /* may be NULL */
    void *watch_ctx;
};

/* `requests`: most reads and most writes that may wait in one channel.
 * False: no memory. */
bool dram_init(struct dram *dram, const struct igpu_config *config, uint32_t requests,
               struct agenda *agenda, uint32_t done_kind, struct mem_stats *stats);
void dram_free(struct dram *dram);

void dram_place(const struct dram *dram, uint64_t line, struct dram_place *place);

/* A request reaches its controller at `ps`; these and dram_run() in order of time. */
void dram_read(struct dram *dram, uint64_t ps, uint64_t line, uint32_t tag,
               uint8_t source);
void dram_write(struct dram *dram, uint64_t ps, uint64_t line);

/* When a channel has something to decide; UINT64_MAX: nothing waits. */
static inline uint64_t dram_next_ps(const struct dram *dram)
{
    return dram->next_ps;
}
/* Decide what is due at `ps` = dram_next_ps(). */
void dram_run(struct dram *dram, uint64_t ps);

/* True while a channel's writes fill its queue: send no more if possible. */
static inline bool dram_stalled(const struct dram *dram)
{
    for (uint32_t i = 0; i < dram->channels; i++)
        if (dram->channel[i].writes.count >= dram->config->dram_queue)
            return true;
    return false;
}
bool dram_idle(const struct dram *dram);
/* Requests in the queues for which a command was issued: counted as row hit, miss or
 * conflict, but not as a burst yet. */
uint64_t dram_begun(const struct dram *dram);
#endif
