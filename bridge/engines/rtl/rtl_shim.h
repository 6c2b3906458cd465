/* rtl_shim.h - Verilator's classes (bridge/engines/rtl/igpu_dpi.sv) for C: one EU, the
 * local dispatcher with send arbiter and decode of one tile, the global dispatcher.
 * Each has a step; when it is taken is C (engine_tiles.c). */
#ifndef IGPU_RTL_SHIM_H
#define IGPU_RTL_SHIM_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/host.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RTL_STORE_DEPTH = 16384 }; /* instructions; STORE_DEPTH of igpu_dpi.sv */
#define RTL_NEVER UINT64_MAX

/* Called for an exception of the classes: ends the process as other errors do, with a
 * line on stderr, no output half-written, and exit status IGPU_NO_MEMORY. */
void rtl_fail(void);

/* An instruction as the EU's store holds it. */
struct rtl_store {
    uint32_t place;
    uint32_t set;  /* IGPU_SET_* */
    uint64_t need; /* IGPU_NEED_* */
    uint32_t ctl;  /* IGPU_CTL_* */
    uint8_t dur;
};

/* A run: first index, length, cycles to wait for its code (igpu_dpi_pkg). */
struct rtl_run {
    uint32_t pc;
    uint16_t len;
    uint8_t wait;
};

/* Runs that a visit brings: a thread was opened two cycles ago; a branch issued one
 * ago, whose thread's answer had length 0. */
enum rtl_runs { RTL_OPENED = 1, RTL_REDIRECTED = 2 };

/* What an EU is given in a visit. */
struct rtl_visit {
    bool given;   /* one of the following: */
    bool first;   /* the first visit since the launch */
    bool done;    /* a response came one cycle ago */
    uint8_t runs; /* of enum rtl_runs */
    uint8_t open_slot, done_slot, redirect_slot;
    uint32_t done_uop;
    struct rtl_run run;        /* of the opened thread */
    struct rtl_run redirected; /* where the branch leads */
};

/* What it decided. uop[], slots, eot and from mean something where it issued. */
struct rtl_shows {
    uint8_t valid;  /* issues to FPU0, FPU1, SEND, BRANCH, a bit each */
    bool ask;       /* the next run of thread ask_slot is wanted: rtl_shim.answer */
    bool eot, port; /* SEND's ends its thread, needs a credit */
    uint8_t ask_slot;
    uint16_t wake;  /* the next cycle, modulo 2^11 (after an answer: as that says); the
                       one before this: none by itself */
    uint16_t from;  /* the message can be granted from then on, modulo 2^11 */
    uint16_t slots; /* threads, 3 bits each */
    uint32_t uop[4];
};

/* A message that joins the send queue. */
struct rtl_push {
    uint32_t uop;
    uint16_t from; /* as rtl_shows */
    uint8_t slot;
    bool port; /* it needs a credit */
};

/* The send queue after a step. slot and uop: of the message granted. */
struct rtl_queue {
    bool req, port, full; /* the oldest can be granted, needs a credit; four wait */
    uint8_t slot;
    uint32_t uop;
};

struct rtl_opened {
    struct rtl_run run;
    uint8_t eu, slot;
    bool valid;
};

struct rtl_ends {
    uint64_t valid;                 /* eight bits a tile, one an EU */
    uint64_t bslot[HOST_MAX_TILES]; /* five bits an EU */
};
struct rtl_dispatch {
    uint64_t next; /* next cycle to step if no end comes before; RTL_NEVER: none */
    uint32_t thread;
    uint8_t start; /* tile that gets a thread, a bit each */
    uint8_t bslot;
    bool over; /* the last end takes effect */
};

/* Objects belong to a context and are deleted before it. `tile` is what the DPI imports
 * are given. */
struct rtl_shim {
    void *(*context)(void);
    void (*context_del)(void *context);
    /* Waves of all objects of the context, which exist by now, into `file`, which stays
     * the caller's: ferror() tells what failed. One context at a time. False: this
     * build has no waves, or memory is short. */
    bool (*wave_open)(void *context, FILE *file);
    void (*wave_dump)(void *context, uint64_t cycle);
    bool (*wave_close)(void *context); /* false: what was temporary is lost */

    void *(*eu)(void *context, const char *name);
    /* Its threads that hold an instruction, a bit each, as the last visit left them. */
    const uint8_t *(*eu_held)(const void *eu);
    void (*eu_reset)(void *eu, bool oldest); /* units take the oldest thread */
    void (*eu_store)(void *eu, const struct rtl_store *store);
    /* A visit in cycle `now` modulo 2^11; `old`: the last was over 256 cycles ago.
     * given: NULL if it is given nothing. */
    void (*eu_visit)(void *eu, uint16_t now, bool old, const struct rtl_visit *given,
                     struct rtl_shows *shows);
    void (*eu_answer)(void *eu, const struct rtl_run *run, struct rtl_shows *shows);
    /* The send queue at the end of cycle `now`, before `next`: a message joins, if any;
     * the oldest is granted. */
    void (*eu_queue)(void *eu, uint16_t now, uint16_t next, const struct rtl_push *push,
                     bool grant, struct rtl_queue *queue);
    void (*eu_del)(void *eu);

    void *(*local)(void *context, const char *name, void *tile);
    void (*local_config)(void *local, uint8_t addr, uint8_t data);
    void (*local_launch)(void *local);
    void (*local_decode)(void *local, uint64_t uctl, uint32_t *ctl, uint8_t *dur);
    /* A cycle of the dispatcher: a START or NULL; which EUs end a thread (a bit each)
     * and in which slot (three bits each). */
    void (*local_step)(void *local, const struct host_start *start, uint8_t end,
                       uint32_t end_slot, struct rtl_opened *opened);
    /* A cycle of the send arbiter: which EUs request and need a credit, a bit each; a
     * credit comes back. Returns the grant, one bit or none. */
    uint8_t (*local_send)(void *local, uint8_t req, uint8_t port, bool credit);
    void (*local_del)(void *local);

    void *(*global)(void *context, const char *name);
    void (*global_config)(void *global, uint8_t addr, uint8_t data);
    /* longer: the one that runs gets more threads. */
    void (*global_launch)(void *global, const struct host_launch *launch, bool longer);
    void (*global_step)(void *global, uint64_t cycle, const struct rtl_ends *ends,
                        struct rtl_dispatch *dispatch);
    void (*global_del)(void *global);
};

/* The same classes, compiled without and with waves; with a global dispatcher of three
 * subslices at most. */
extern const struct rtl_shim rtl_shim_plain, rtl_shim_wave, rtl_shim_plain3;

#ifdef __cplusplus
}
#endif
#endif
