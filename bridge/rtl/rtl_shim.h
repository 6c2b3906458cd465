/* rtl_shim.h - Verilator's classes for C: the boundary to engine_rtl.cpp. C++ makes,
 * evaluates and deletes objects and says where their ports are; what is put on the
 * ports, and when, is C (rtl_parts.h). */
#ifndef IGPU_RTL_SHIM_H
#define IGPU_RTL_SHIM_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "igpu/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called for an exception of the classes: ends the process as other errors do, with a
 * line on stderr, no output half-written, and exit status 1. */
void rtl_fail(void);

/* Ports of bridge/rtl/igpu_dpi.sv, where the object has them. */
struct rtl_eu_ports {
    void *model;
    uint64_t *tile, *now, *need_lo, *need_hi, *set_lo, *set_hi, *wake, *from;
    uint32_t *done_uop, *open_pc, *ctl;
    uint16_t *open_len, *store_addr;
    uint8_t *clk, *rst_n, *store_clk, *number, *grant;
    uint8_t *done, *done_slot, *open, *open_slot, *need_x, *set_x, *dur;
    uint8_t *open_wait;
};

/* What an EU shows after a clock (bridge/rtl/igpu_dpi.sv). */
struct rtl_eu_shows {
    uint64_t wake, from; /* as RTL_EU_NEVER, see rtl_parts.h */
    uint8_t msg_valid,
        msg_port;          /* a message waits for the arbiter; it needs a credit */
    uint8_t end, end_slot; /* a thread ends in the cycle decided last, in this slot */
};

struct rtl_local_ports {
    void *model;
    uint64_t *tile, *uctl, *open_run;
    uint32_t *start_thread, *end_slot, *ctl;
    uint8_t *clk, *rst_n, *restart, *load, *ce, *cfg_we, *cfg_addr, *cfg_data;
    uint8_t *start, *start_bslot, *end, *open, *open_eu, *open_slot;
    uint8_t *uctl_load, *dur, *send_clk, *req, *port, *credit;
};

struct rtl_global_ports {
    void *model;
    uint64_t *now, *end, *end_bslot[HOST_MAX_TILES], *next;
    uint32_t *threads, *start_thread;
    uint8_t *clk, *rst_n, *ce, *cfg_we, *cfg_addr, *cfg_data;
    uint8_t *launch, *tpg, *pinned, *slm_kb, *start, *start_bslot, *over, *wait;
};

/* Objects belong to a context and are deleted before it. */
struct rtl_shim {
    void *(*context)(void);
    void (*context_del)(void *context);
    /* Waves of all objects of the context, which exist by now, into `file`, which stays
     * the caller's: ferror() tells what failed. One context at a time. False: this
     * build has no waves, or memory is short. */
    bool (*wave_open)(void *context, FILE *file);
    void (*wave_dump)(void *context, uint64_t cycle);
    bool (*wave_close)(void *context); /* false: what was temporary is lost */

    void (*eu)(void *context, const char *name, struct rtl_eu_ports *ports);
    void (*eu_eval)(void *model);
    /* A rising edge of clk alone in cycle `now`: with eval, and one of report if there
     * is something to; with ce. The shown wake follows, the rest when SEND has issued
     * (then eu_decide returns true) or with a grant. */
    bool (*eu_decide)(void *model, uint64_t now, struct rtl_eu_shows *shows);
    void (*eu_take)(void *model, uint64_t now, struct rtl_eu_shows *shows);
    void (*eu_del)(void *model);

    void (*local)(void *context, const char *name, struct rtl_local_ports *ports);
    void (*local_eval)(void *model);
    /* A rising edge of send_load, one of send_clk, no other. Returns the grant. */
    uint8_t (*local_send)(void *model);
    void (*local_del)(void *model);

    void (*global)(void *context, const char *name, struct rtl_global_ports *ports);
    void (*global_eval)(void *model);
    void (*global_del)(void *model);
};

/* The same classes, compiled without and with waves. */
extern const struct rtl_shim rtl_shim_plain, rtl_shim_wave;

#ifdef __cplusplus
}
#endif
#endif
