/* fpga_counts.c - the board's counters: read all at once, while it stands. They run on
 * from launch to launch, so what a launch did is the difference of two readings. */
#include <string.h>

#include "bridge/engines/fpga/fpga_state.h"

static uint32_t words_wanted(const struct fpga *f)
{
    const struct fpga_build *b = fpga_link_build(f->link);

    return b->tiles * b->eus * IGPU_COUNT_WORDS;
}

void fpga_counts_take(struct fpga *f, uint32_t word)
{
    uint32_t at = f->words++;

    if (at >= words_wanted(f))
        fpga_wrong(f, "more counters came than there are");
    else
        f->count_of[at / IGPU_COUNT_WORDS].now.word[at % IGPU_COUNT_WORDS] =
            FIELD_OF(IGPU_LINK_COUNT_DATA, word);
}

static void read_all(struct fpga *f)
{
    while (!f->idle && fpga_take_event(f)) {
    }
    if (f->counted || fpga_failed(f))
        return;
    f->words = 0;
    fpga_put(f, IGPU_LINK_CMD_COUNT, 0);
    fpga_link_flush(f->link);
    while (f->words < words_wanted(f) && fpga_take_event(f)) {
    }
    f->counted = true;
}

void fpga_counts_begin(struct fpga *f)
{
    read_all(f);
    for (uint32_t i = 0; i < words_wanted(f) / IGPU_COUNT_WORDS; i++)
        f->count_of[i].before = f->count_of[i].now;
}

void fpga_count(void *engine, unsigned tile, unsigned eu, struct host_counts *counts)
{
    struct fpga *f = engine;
    unsigned i;

    memset(counts, 0, sizeof(*counts));
    read_all(f);
    if (fpga_failed(f))
        return;
    i = tile * fpga_link_build(f->link)->eus + eu;
    rtl_counts_since(&f->count_of[i].now, &f->count_of[i].before, counts);
}
