/* dram.c - see dram.h: addresses and queues. Which command is issued when is in
 * dram_schedule.c, its effect on later ones in dram_timing.c. */
#include "csim/mem/dram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/dram_schedule.h"
#include "csim/mem/dram_timing.h"

#define NEVER UINT64_MAX

/* Take a field off *bits. */
static inline uint32_t bits_take(uint64_t *bits, struct dram_field field)
{
    uint32_t value = (uint32_t)*bits & field.mask;

    *bits >>= field.bits;
    return value;
}

static struct dram_field field_of(uint64_t size)
{
    return (struct dram_field){(uint32_t)(size - 1), (uint32_t)__builtin_ctzll(size)};
}

/* Neighbouring lines go to other channels, then bank groups, then columns of the row.
 * Row bits are mixed into the rest, so that rows of one bank are not at a fixed
 * stride (as in Intel's controllers; which bits is an estimate). */
static inline void line_place(const struct dram *dram, uint64_t line,
                              struct dram_place *place)
{
    const struct dram_fields *f = &dram->fields;
    uint64_t bits = line, mix;
    uint32_t bank;

    place->channel = bits_take(&bits, f->channel);
    place->group = bits_take(&bits, f->group);
    place->column = bits_take(&bits, f->column);
    bank = bits_take(&bits, f->bank);
    place->rank = bits_take(&bits, f->rank);
    place->row = mix = bits;
    place->group ^= bits_take(&mix, f->group);
    bank ^= bits_take(&mix, f->bank);
    place->rank ^= bits_take(&mix, f->rank);
    mix ^= bits ^ place->column;
    place->channel ^= (uint32_t)(mix ^ mix >> 3 ^ mix >> 7) & f->channel.mask;
    place->bank =
        ((place->rank << f->group.bits | place->group) << f->bank.bits) | bank;
}

void dram_place(const struct dram *dram, uint64_t line, struct dram_place *place)
{
    line_place(dram, line, place);
}

bool dram_init(struct dram *dram, const struct igpu_config *config, uint32_t requests,
               struct agenda *agenda, uint32_t done_kind, struct mem_stats *stats)
{
    memset(dram, 0, sizeof(*dram));
    dram->config = config;
    clock_init(&dram->clock, config->dram_clock_hz);
    dram->cl = config->dram_cl * config->dram_latency_scale;
    dram->trcd = config->dram_trcd * config->dram_latency_scale;
    dram->trp = config->dram_trp * config->dram_latency_scale;
    dram->channels = (uint32_t)config->dram_channels;
    dram->fields = (struct dram_fields){
        field_of(config->dram_channels), field_of(config->dram_groups),
        field_of(config->dram_row_bytes / 64), field_of(config->dram_banks),
        field_of(config->dram_ranks)};
    dram->ranks = (uint32_t)config->dram_ranks;
    dram->banks_per_rank = (uint32_t)(config->dram_groups * config->dram_banks);
    dram->requests = requests;
    dram->agenda = agenda;
    dram->done_kind = done_kind;
    dram->stats = stats;
    dram->next_ps = NEVER;
    dram->only_delays = config->dram_trtrs <= config->dram_burst &&
                        config->dram_schedule == IGPU_FR_FCFS;
    dram->channel = calloc(dram->channels, sizeof(*dram->channel));
    if (dram->channel == NULL)
        return false;
    for (uint32_t i = 0; i < dram->channels; i++) {
        struct dram_channel *ch = &dram->channel[i];

        ch->index = i;
        dram_take_bus(dram, ch, &ch->rank[0], false, 0);
        ch->wake = ch->wake_ps = NEVER;
        ch->pool = calloc(2 * (size_t)requests, sizeof(*ch->pool));
        if (ch->pool == NULL)
            return false;
        for (uint32_t b = 0; b < DRAM_MAX_BANKS; b++) {
            ch->bank[b].row = DRAM_CLOSED;
            ch->bank[b].idle = config->dram_idle_close;
        }
        for (uint32_t r = 0; r < dram->ranks; r++)
            ch->rank[r].refresh_due = config->dram_trefi == 0
                                          ? NEVER
                                          : config->dram_trefi * (r + 1) / dram->ranks;
    }
    return true;
}

void dram_free(struct dram *dram)
{
    for (uint32_t i = 0; dram->channel != NULL && i < dram->channels; i++)
        free(dram->channel[i].pool);
    free(dram->channel);
    dram->channel = NULL;
}

/* ---- queues ---- */

static void append(struct dram_queue *queue, struct dram_request *r)
{
    r->next = NULL;
    r->prev = queue->tail;
    if (queue->head == NULL)
        queue->head = r;
    else
        queue->tail->next = r;
    queue->tail = r;
    queue->count++;
}

static void enqueue(struct dram *dram, uint64_t ps, uint64_t line,
                    const struct dram_place *place, uint32_t tag, uint8_t source,
                    bool write)
{
    struct dram_channel *ch = &dram->channel[place->channel];
    struct dram_request *r = ch->free != NULL ? ch->free : &ch->pool[ch->touched++];
    uint64_t now = clock_tick(ps, dram->config->dram_clock_hz);

    assert(ch->touched <= 2 * dram->requests);
    ch->free = r->next;
    *r = (struct dram_request){.line = line,
                               .row = place->row,
                               .arrival = now,
                               .bank = &ch->bank[place->bank],
                               .rank = &ch->rank[place->rank],
                               .group = &ch->rank[place->rank].group[place->group],
                               .tag = tag,
                               .source = source,
                               .write = write};
    if (r->bank->waiting == 0 && r->bank->row != DRAM_CLOSED)
        dram_close_idle(dram, ch, r->bank, place->row, now);
    ch->crowded += ++r->bank->waiting == 2;
    r->bank->last_use = now;
    append(write ? &ch->writes : &ch->reads, r);
    dram_joined(dram, ch, r, now);
}

static bool write_waits(const struct dram_channel *ch, uint64_t line)
{
    for (const struct dram_request *r = ch->writes.head; r != NULL; r = r->next)
        if (r->line == line)
            return true;
    return false;
}

void dram_read(struct dram *dram, uint64_t ps, uint64_t line, uint32_t tag,
               uint8_t source)
{
    struct dram_place place;

    line_place(dram, line, &place);
    if (write_waits(&dram->channel[place.channel], line)) {
        dram->stats->dram_forwarded++;
        agenda_put(dram->agenda, ps, dram->done_kind, line, tag);
        return;
    }
    enqueue(dram, ps, line, &place, tag, source, false);
}

void dram_write(struct dram *dram, uint64_t ps, uint64_t line)
{
    struct dram_place place;

    line_place(dram, line, &place);
    enqueue(dram, ps, line, &place, 0, DRAM_GPU, true);
}

bool dram_idle(const struct dram *dram)
{
    for (uint32_t i = 0; i < dram->channels; i++)
        if (dram->channel[i].reads.count != 0 || dram->channel[i].writes.count != 0)
            return false;
    return true;
}

uint64_t dram_begun(const struct dram *dram)
{
    uint64_t begun = 0;

    for (uint32_t c = 0; c < dram->channels; c++) {
        const struct dram_channel *ch = &dram->channel[c];

        for (const struct dram_request *r = ch->reads.head; r != NULL; r = r->next)
            begun += r->begun;
        for (const struct dram_request *r = ch->writes.head; r != NULL; r = r->next)
            begun += r->begun;
    }
    return begun;
}
