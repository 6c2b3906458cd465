/* dram_command.h - the commands that the DRAM controllers issue, for who looks on: a
 * checker of the timing rules, the power model. */
#ifndef IGPU_DRAM_COMMAND_H
#define IGPU_DRAM_COMMAND_H
#include <stdint.h>

enum dram_command { DRAM_ACT, DRAM_PRE, DRAM_RD, DRAM_WR, DRAM_REF };

/* One command as issued. Clocks of dram.clock_hz. A row that is closed because nobody
 * used it is told when that shows: its PRE's clock may lie before commands already
 * told, but not before the last one for its bank. */
struct dram_issue {
    uint64_t clock, row;
    uint32_t channel, bank; /* bank: of its channel, rank x banks of a rank + bank of
                             * the rank; REF: of a rank, its first */
    enum dram_command command;
};

typedef void dram_watch(void *ctx, const struct dram_issue *issue);
#endif
