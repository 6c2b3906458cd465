/* fpga_state.h - what the files of the FPGA engine share. Private to
 * bridge/engines/fpga.
 *
 *   engine_fpga.c  host.h: configuration, kernels, launches, how far time may go
 *   fpga_events.c  what the board made: kept in order, told to the host when due
 *   fpga_counts.c  its counters
 *   fpga_runs.c    runs of threads, sent ahead; what waits for the instruction cache
 *   fpga_pages.c   the instruction store; kernels that are larger */
#ifndef IGPU_FPGA_STATE_H
#define IGPU_FPGA_STATE_H
#include "bridge/engines/fpga/fpga_link.h"
#include "bridge/engines/rtl/array_pages.h"
#include "bridge/engines/rtl/rtl_counts.h"
#include "bridge/engines/rtl/rtl_fields.h"
#include "igpu/host.h"
#include "igpu/icache.h"

enum {
    RUNS_AHEAD = 8,      /* runs that the board holds for a thread slot */
    RUNS_UNSURE = 4,     /* ... while one of them may miss the instruction cache */
    LOOKS = 4,           /* kinds of messages */
    READS = 1 << 11,     /* answers that the board has not read yet */
    FPGA_NEVER = 0x7ff,  /* of an EV_IDLE */
    EVENT_KEPT = 1 << 14 /* at first */
};

struct fpga_slot {
    uint32_t sent, taken;           /* pieces, as far as the host knows */
    struct uop_run run[RUNS_AHEAD]; /* ... whose runs these are */
    uint32_t order[RUNS_AHEAD];     /* ... and of their runs how many were asked for */
    uint32_t asked;                 /* runs that its thread has given */
    struct uop_run next;            /* the one that goes next, if `has_next` */
    uint32_t given;                 /* instructions of it that are ready or sent */
    bool has_next, ended; /* ended: the last run has been asked for, or there is none */
    bool open, opening;   /* opening: its first piece was not sent, */
    bool redirects;       /* ... which is where its branch leads */
    bool branching;       /* it has no run before its last branch has issued */
    uint32_t ready[RUNS_AHEAD + 1], readies; /* pieces to be sent, as words */
    uint32_t extras;     /* pieces beyond the one that the thread takes next */
    uint8_t bslot, wait; /* wait: of the first run for its code */
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
    uint64_t cycles, clocks, opens, asks, limits, held, branches;
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
    bool idle;   /* the board stands at its limit, or where a message may be answered */
    bool stands; /* ... where it needs a run: it says nothing more until one comes */
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
    struct array_pages *pages; /* NULL: the store has all of the kernel */
    uint32_t spare, extras;    /* pages for pieces that are not needed yet; in use */
    bool held;          /* time is held and nothing moves: the store may be written */
    bool branched;      /* since it was, a branch has issued that waits for its run, */
    bool redirects;     /* ... and the host was told of one */
    uint16_t pieces;    /* sent since the board was reset */
    bool held_before;   /* since then it was told that time is held, at last */
    uint16_t held_with; /* ... with so many pieces come */
    struct host_done read[READS]; /* answers whose instruction the board has to read */
    uint32_t read_head, read_tail;
    uint64_t busy_until[HOST_MAX_TILES][HOST_EUS]; /* units, by reported issues */
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
/* A branch has issued whose thread has no run: it is found; fpga_runs_answer() sends
 * it, with those of all other branches, once the board has said that it holds time. */
void fpga_runs_redirect(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                        uint64_t cycle);
void fpga_runs_answer(struct fpga *f);
/* The board took a run, from `place` of its queue, and all before it. */
void fpga_runs_taken(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place);
/* The board holds time, after it got so many pieces. */
void fpga_runs_held(struct fpga *f, uint16_t pieces);
/* The board asks how long the run at `place` of its queue waits for its code. */
void fpga_runs_asked(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place, uint64_t cycle);

/* ---- fpga_pages.c ---- */

/* A kernel: into the store, or as much of it as is needed, later. */
enum igpu_status fpga_pages_load(struct fpga *f, const struct uop *uops, uint32_t count,
                                 struct igpu_err *err);
/* Shorten *piece to what lies in one page, see that it is in the store, and that it
 * stays there until all of it was issued and its messages were answered. False: it is
 * not there, and the store cannot be written now. */
bool fpga_pages_get(struct fpga *f, struct uop_run *piece, uint32_t *place);
/* May a thread have a piece more than it needs? */
bool fpga_pages_spare(const struct fpga *f);
/* The instruction in this place of the store; UINT32_MAX: there is none. */
uint32_t fpga_pages_uop(const struct fpga *f, uint32_t place);
void fpga_pages_issued(struct fpga *f, uint32_t uop, unsigned unit);
void fpga_pages_sent(struct fpga *f, uint32_t uop);
/* The place of an answered message's instruction. */
uint32_t fpga_pages_done(struct fpga *f, const struct host_done *done);
/* The board has come to f->base. */
void fpga_pages_passed(struct fpga *f);
#endif
