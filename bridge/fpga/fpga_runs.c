/* fpga_runs.c - runs of threads, sent before the board needs them (docs/fpga.md, Runs).
 * A run whose code is certain to be in the instruction cache is marked so; of another
 * the board asks, in the cycle in which it is due. */
#include "bridge/fpga/fpga_state.h"

static uint32_t run_word(struct uop_run run)
{
    return FIELD(IGPU_LINK_RUN_PC, run.pc) | FIELD(IGPU_LINK_RUN_LEN, run.len);
}

static uint32_t place_word(unsigned tile, unsigned eu, unsigned slot)
{
    return FIELD(IGPU_LINK_TILE, tile) | FIELD(IGPU_LINK_EU, eu) |
           FIELD(IGPU_LINK_SLOT, slot);
}

static bool ends_thread(const struct fpga *f, struct uop_run run)
{
    return run.len == 0 || run.pc + run.len > f->uop_count ||
           (f->uops[run.pc + run.len - 1].flags & UOP_EOT) != 0;
}

static void fetch_next(struct fpga *f, struct fpga_slot *s, unsigned tile, unsigned eu,
                       unsigned slot)
{
    if (s->has_next || s->ended)
        return;
    s->next = f->calls.next(f->calls.ctx, tile, eu, slot);
    s->has_next = true;
    s->ended = ends_thread(f, s->next);
}

/* As many as the board has room for. */
static void send_ahead(struct fpga *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t words[RUNS_AHEAD], count = 0;

    for (fetch_next(f, s, tile, eu, slot); s->has_next && count < RUNS_AHEAD;
         fetch_next(f, s, tile, eu, slot)) {
        bool sure = icache_sure(f->icache[tile], s->next, f->base);
        uint32_t most = sure ? RUNS_AHEAD : RUNS_UNSURE;

        if (s->sent - s->taken >= most)
            break;
        words[count++] = run_word(s->next) | FIELD(IGPU_LINK_RUN_HIT, sure);
        s->run[s->sent++ % RUNS_AHEAD] = s->next;
        s->has_next = false;
    }
    if (count == 0)
        return;
    fpga_put(f, IGPU_LINK_CMD_RUN,
             place_word(tile, eu, slot) | FIELD(IGPU_LINK_RUN_WORDS, count));
    for (uint32_t i = 0; i < count; i++)
        fpga_link_put(f->link, words[i]);
}

void fpga_runs_open(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                    struct uop_run first, uint64_t cycle)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t wait = icache_wait(f->icache[tile], eu, first, cycle + 1);

    s->has_next = false;
    s->ended = ends_thread(f, first);
    fpga_put(f, IGPU_LINK_CMD_FIRST,
             FIELD(IGPU_LINK_TILE, tile) | FIELD(IGPU_LINK_WAIT, wait));
    fpga_link_put(f->link, run_word(first));
    send_ahead(f, tile, eu, slot);
    fpga_link_flush(f->link);
    f->times.opens++;
}

void fpga_runs_taken(struct fpga *f, unsigned tile, unsigned eu, unsigned slot)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];

    if (s->sent - s->taken < TAKE_RUNS) {
        fpga_wrong(f, "it took more runs than it was sent");
        return;
    }
    s->taken += TAKE_RUNS;
    send_ahead(f, tile, eu, slot);
    fpga_link_flush(f->link);
}

void fpga_runs_asked(struct fpga *f, unsigned tile, unsigned eu, unsigned slot,
                     unsigned place, uint64_t cycle)
{
    struct fpga_slot *s = &f->slot[tile][eu][slot];
    uint32_t behind = (s->sent - 1 - place) % RUNS_AHEAD; /* runs sent after it */
    uint32_t wait;

    if (s->sent - s->taken <= behind) {
        fpga_wrong(f, "it asks about a run that it was not sent");
        return;
    }
    wait = icache_wait(f->icache[tile], eu, s->run[place % RUNS_AHEAD], cycle + 1);
    fpga_put(f, IGPU_LINK_CMD_WAIT, wait);
    send_ahead(f, tile, eu, slot);
    fpga_link_flush(f->link);
    f->times.asks++;
}
