/* rtl_dpi.c - the DPI imports of igpu_dpi.sv. The prototypes are Verilator's own, so
 * one that drifts does not compile. */
#include "Vigpu_dpi_eu__Dpi.h"
#include "Vigpu_dpi_local__Dpi.h"

#include "bridge/rtl/rtl_tile.h"

void igpu_dpi_issue(void *tile, unsigned int eu, unsigned int slot, unsigned int unit,
                    unsigned int uop)
{
    struct rtl_tile *t = tile;

    if (t->calls.issue == NULL) {
        host_count_issue(&t->counts[eu], slot, unit, t->now, t->occ[uop]);
    } else {
        struct host_issue issue = {t->now,      uop,           t->number,
                                   (uint8_t)eu, (uint8_t)slot, (uint8_t)unit};

        t->calls.issue(t->calls.ctx, &issue);
    }
}

void igpu_dpi_msg(void *tile, unsigned int eu, unsigned int slot, unsigned int uop)
{
    const struct rtl_tile *t = tile;
    struct host_msg msg = {t->now, uop, t->number, (uint8_t)eu, (uint8_t)slot};

    t->calls.msg(t->calls.ctx, &msg);
}

void igpu_dpi_end(void *tile, unsigned int eu, unsigned int slot, unsigned int bslot)
{
    struct rtl_tile *t = tile;
    struct host_end end = {t->now, (uint8_t)eu, (uint8_t)slot, (uint8_t)bslot, 0};

    t->end[t->ends++] = end;
}

/* A run is delivered to the EU in the cycle after this. */
static unsigned long long deliver(const struct rtl_tile *t, unsigned eu,
                                  struct uop_run run)
{
    uint32_t wait = icache_wait(t->icache, eu, run, t->now + 1);

    return (unsigned long long)wait << 48 | (unsigned long long)run.len << 32 | run.pc;
}

unsigned long long igpu_dpi_open(void *tile, unsigned int eu, unsigned int slot,
                                 unsigned int thread, unsigned int bslot)
{
    const struct rtl_tile *t = tile;

    return deliver(t, eu,
                   t->calls.open(t->calls.ctx, t->number, eu, slot, thread,
                                 (uint8_t)bslot, t->now));
}

unsigned long long igpu_dpi_next(void *tile, unsigned int eu, unsigned int slot,
                                 unsigned int uop)
{
    const struct rtl_tile *t = tile;

    if (t->uops[uop].flags & UOP_EOT)
        return 0;
    return deliver(t, eu, t->calls.next(t->calls.ctx, t->number, eu, slot));
}

void rtl_tile_flush(struct rtl_tile *tile)
{
    for (unsigned i = 0; i < tile->ends; i++) {
        struct host_end *end = &tile->end[i];

        end->left = (uint8_t)(tile->counts[end->eu].eu.active_until - end->cycle);
        tile->calls.end(tile->calls.ctx, tile->number, end);
    }
    tile->ends = 0;
}
