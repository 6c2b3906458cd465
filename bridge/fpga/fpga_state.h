/* fpga_state.h - what the files of the FPGA engine share. Private to bridge/fpga.
 *
 *   engine_fpga.c  host.h: configuration, kernels, launches, how far time may go
 *   fpga_events.c  what the board made: kept in order, told to the host when due
 *   fpga_counts.c  its counters
 *   fpga_runs.c    runs of threads, sent ahead; what waits for the instruction cache */
#ifndef IGPU_FPGA_STATE_H
#define IGPU_FPGA_STATE_H
#include "bridge/fpga/fpga_link.h"
#include "bridge/rtl/rtl_counts.h"
#include "bridge/rtl/rtl_fields.h"
#include "igpu/host.h"
#include "igpu/icache.h"

enum {
    RUNS_AHEAD = 8,      /* runs that the board holds for a thread slot */
    RUNS_UNSURE = 4,     /* ... while one of them may miss the instruction cache */
    TAKE_RUNS = 4,       /* runs taken, an EV_TAKE */
    LOOKS = 4,           /* kinds of messages */
    FPGA_NEVER = 0x7ff,  /* of an EV_IDLE */
    EVENT_KEPT = 1 << 14 /* at first */
};

struct fpga_slot {
    uint32_t sent, taken; /* runs, as far as the host knows */
    struct uop_run run[RUNS_AHEAD];
    struct uop_run next;  /* the one that goes next, if `has_next` */
    bool has_next, ended; /* ended: the last run has been asked for, or there is none */
    uint8_t bslot;
};

struct fpga_event {
    uint64_t cycle;
    uint32_t word; /* as the board sent it */
};

/* A ring that grows. */
struct fpga_ring {
    struct fpga_event *event;
    uint32_t size, head, tail;
};

struct fpga_times {
    uint64_t cycles, clocks, trips, opens, asks, limits;
};

struct fpga {
    struct host_calls calls;
    struct igpu_config config;
    struct fpga_link *link; /* NULL: not connected */
    struct uop *uops;
    uint32_t uop_count;
    unsigned tiles;
    bool pinned;
    uint64_t now;       /* up to which the host has run */
    uint64_t base;      /* all events of the board before this cycle are here */
    uint64_t cmd_base;  /* of the commands' cycles */
    uint64_t last_done; /* of those sent, or the launch */
    bool idle; /* the board stands at its limit, or where a message may be answered */
    uint32_t soon; /* idle: nothing happens by itself for so long; or FPGA_NEVER */
    uint64_t promised, end;
    uint32_t opened; /* threads of this launch */
    uint16_t marks;  /* messages and ends that came */
    uint64_t look[LOOKS];
    bool over_came, over;
    struct fpga_ring kept;    /* events that the host was not told of */
    struct fpga_ring waiting; /* messages and ends that the memory side lacks */
    struct host_done done[HOST_MAX_TILES * 128]; /* to be sent */
    uint32_t dones;
    struct icache *icache[HOST_MAX_TILES];
    struct fpga_slot slot[HOST_MAX_TILES][HOST_EUS][HOST_SLOTS];
    bool counted;   /* count_of[] is what the board's counters are */
    uint32_t words; /* of them that came */
    struct {
        struct rtl_counts now, before;     /* before: at the launch's begin */
    } count_of[HOST_MAX_TILES * HOST_EUS]; /* by pipeline and context */
    struct fpga_times times;
    double began;
    bool failed;
    enum igpu_status status; /* of what is not the link's fault */
    struct igpu_err err;
};

/* Stop here: what the board says makes no sense. */
void fpga_wrong(struct fpga *f, const char *what);
bool fpga_failed(const struct fpga *f);
/* Words of a command. */
void fpga_put(struct fpga *f, unsigned command, uint32_t rest);

/* ---- fpga_events.c ---- */

/* Take the board's next word. False: the engine has failed. */
bool fpga_take_event(struct fpga *f);
/* Tell the host what is kept and lies before `until`. */
void fpga_deliver(struct fpga *f, uint64_t until);
/* The memory side knows of messages and ends before `until`: they are no walls. */
void fpga_answered(struct fpga *f, uint64_t until);
/* The first kept event's cycle, or HOST_NEVER. */
uint64_t fpga_first_kept(const struct fpga *f);
/* The earliest cycle in which a kept message or end may have an effect. */
uint64_t fpga_kept_wall(const struct fpga *f);
/* Kind of the message that static uop u makes: IGPU_LINK_KIND_*. */
unsigned fpga_kind(const struct uop *u);

/* ---- fpga_counts.c ---- */

/* A launch begins: remember what the counters are. */
void fpga_counts_begin(struct fpga *f);
/* A word of counters came. */
void fpga_counts_take(struct fpga *f, uint32_t word);
void fpga_count(void *engine, unsigned tile, unsigned eu, struct host_counts *counts);

/* ---- fpga_runs.c ---- */

/* A thread was opened: its first runs go to the board. */
void fpga_runs_open(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                    struct uop_run first, uint64_t cycle);
/* The board took half a queue of runs. */
void fpga_runs_taken(struct fpga *f, unsigned tile, unsigned eu, unsigned slot);
/* The board asks how long the run at `place` of its queue waits for its code. */
void fpga_runs_asked(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place, uint64_t cycle);
#endif
