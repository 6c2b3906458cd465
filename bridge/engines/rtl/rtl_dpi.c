/* rtl_dpi.c - the DPI imports of igpu_dpi.sv. The prototypes are Verilator's own, so
 * one that drifts does not compile. */
#include "Vigpu_dpi_local__Dpi.h"

#include "bridge/engines/rtl/rtl_tile.h"

void igpu_dpi_end(void *tile, unsigned int eu, unsigned int slot, unsigned int bslot)
{
    struct rtl_tile *t = tile;
    struct host_end end = {t->now, (uint8_t)eu, (uint8_t)slot, (uint8_t)bslot, 0};

    t->end[t->ends++] = end;
}

unsigned long long igpu_dpi_open(void *tile, unsigned int eu, unsigned int slot,
                                 unsigned int thread, unsigned int bslot)
{
    const struct rtl_tile *t = tile;
    struct uop_run run = t->calls.open(t->calls.ctx, t->number, eu, slot, thread,
                                       (uint8_t)bslot, t->now);
    uint32_t wait = icache_wait(t->icache, icache_of(eu, slot), run, t->now + 1);

    return (unsigned long long)wait << 48 | (unsigned long long)run.len << 32 | run.pc;
}
