/* fpga_link.h - words to and from a board, all of them and in order, over a port that
 * may lose, repeat, delay and reorder frames (docs/develop/fpga.md, Frames). The
 * counterpart of rtl/link/igpu_link_rx.v and igpu_link_tx.v. All timers are here.
 * Tests: tests/bridge/test_fpga.sh */
#ifndef IGPU_FPGA_LINK_H
#define IGPU_FPGA_LINK_H
#include <signal.h>
#include <stdint.h>

#include "bridge/engines/fpga/fpga_port.h"
#include "igpu_link_words.h"

struct fpga_link;

/* What was built, as the board says. */
struct fpga_build {
    uint32_t version, tiles, eus, contexts, store, runs, rx_slots, clock_khz;
    bool retire;
};

struct fpga_traffic {
    uint64_t frames_out, frames_in, words_out, words_in;
    uint64_t again, waits; /* frames sent again; times that the host waited */
    double waited;         /* seconds in all */
};

/* Begin a session over *port, which the link owns from then on (on failure too). `name`
 * stays the caller's. IGPU_SIM_ERROR: no answer, or not from a board of ours. */
enum igpu_status fpga_link_open(struct fpga_link **link, const struct fpga_port *port,
                                const char *name, struct igpu_err *err);
void fpga_link_close(struct fpga_link *link);
const struct fpga_build *fpga_link_build(const struct fpga_link *link);

/* Append a word; a full frame is sent. After a failure nothing is done. */
void fpga_link_put(struct fpga_link *link, uint32_t word);
/* Send what was put. */
void fpga_link_flush(struct fpga_link *link);
/* The next word from the board; waits for it. False: the link has failed. */
bool fpga_link_get(struct fpga_link *link, uint32_t *word);

/* IGPU_OK, or why it failed: no answer for 5 s, nothing new for 60 s, a reset board,
 * another host. */
enum igpu_status fpga_link_status(const struct fpga_link *link, struct igpu_err *err);
struct fpga_traffic fpga_link_traffic(const struct fpga_link *link);
/* *stop, which stays the caller's, becomes true when the run is to end: then a board
 * that does nothing new is waited for no longer. */
void fpga_link_heed(struct fpga_link *link, const volatile sig_atomic_t *stop);
#endif
