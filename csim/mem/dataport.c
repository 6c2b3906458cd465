/* dataport.c - see dataport.h. */
#include "csim/mem/dataport.h"

#include <string.h>

#include "csim/mem/coalesce.h"
#include "igpu/heat.h"
#include "igpu/order.h"

/* There is something to do at `cycle`, or if that is past, in the next one. */
static void wake(struct dataport *port, uint64_t cycle)
{
    if (cycle < *port->at)
        *port->at = cycle;
}

void dataport_init(struct dataport *port, uint8_t number,
                   const struct igpu_config *config, struct lines *table,
                   struct port_in_table *in_table, uint64_t *at, struct l3 *l3,
                   struct wheel *wheel, struct mem_stats *stats)
{
    port->config = config;
    port->number = number;
    port->table = table + (size_t)number * LINES_ENTRIES;
    port->in_table = in_table;
    port->at = at;
    port->l3 = l3;
    port->wheel = wheel;
    port->stats = stats;
    list_clear(&port->landing);
    port->in_at = port->full_from = port->done_at = UINT64_MAX;
    port->records_free = PORT_RECORDS;
    for (uint32_t i = 0; i < PORT_RECORDS; i++)
        port->record_free[i] = (uint8_t)(PORT_RECORDS - 1 - i);
    port->places[PLACE_TABLE].most = (uint32_t)config->dp_messages;
    port->places[PLACE_SLM].most = (uint32_t)config->slm_messages;
    port->entries_free = LINES_MAX_ENTRIES; /* each with a credit: there are no more */
    for (uint32_t i = 0; i < port->entries_free; i++)
        port->entry_free[i] = (uint8_t)(port->entries_free - 1 - i);
}

/* ---- in ---- */

uint8_t dataport_record(struct dataport *port, const struct mem_msg *msg)
{
    uint8_t record;
    struct port_record *r;

    assert(port->records_free > 0);
    record = port->record_free[--port->records_free];
    r = &port->record[record];
    assert(msg->lanes <= MEM_MAX_LANES && msg->bytes >= 1 && msg->bytes <= 256);
    memcpy(&r->msg, msg, offsetof(struct mem_msg, addr));
    r->msg.addr[0] = msg->addr[0];
    if (!msg->even && msg->lanes > 1)
        memcpy(r->msg.addr, msg->addr, msg->lanes * sizeof(msg->addr[0]));
    if (msg->op == MEM_TEXTURE || msg->op == MEM_TARGET)
        memcpy(r->msg.how, msg->how, msg->lanes);
    r->request = msg->op <= MEM_ATOMIC && msg->lanes != 0;
    r->next_fence = PORT_NONE;
    r->entry = PORT_NONE;
    r->place = PLACE_NONE;
    r->waits = 0;
    r->in_flight = false;
    r->queued = 0;
    r->full = 0;
    return record;
}

/* Note when the oldest message begins: not before it is there and the port is free. */
static void next_begins(struct dataport *port)
{
    port->in_at = UINT64_MAX;
    if (port->in.count != 0)
        port->in_at = igpu_later(
            dataport_arrival(port, &port->record[port->in.at[port->in.head]].msg),
            port->busy_until);
}

void dataport_send(struct dataport *port, const struct mem_msg *msg)
{
    uint8_t record = dataport_record(port, msg);

    if (port->record[record].request)
        port->stats->mem_requests++;
    else
        port->stats->mem_others++;
    port_ring_push(&port->in, record);
    port->unseen += port->tells;
    if (port->in.count == 1) {
        next_begins(port);
        wake(port, port->in_at);
    }
}

/* ---- fences ---- */

static bool same_thread(const struct mem_msg *a, const struct mem_msg *b)
{
    return a->eu == b->eu && a->slot == b->slot;
}

/* A fence waits for its thread's writes, atomics and fences that are under way, each
 * unless a fence before it waits for it already. */
static void begin_fence(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *fence = &port->record[record];

    for (uint32_t i = 0; i < PORT_RECORDS; i++) {
        struct port_record *r = &port->record[i];

        if (r->in_flight && r->next_fence == PORT_NONE &&
            same_thread(&r->msg, &fence->msg)) {
            r->next_fence = record;
            fence->waits++;
        }
    }
    fence->in_flight = true;
    if (fence->waits == 0)
        wheel_put(port->wheel, now, now + port->config->dp_empty_latency,
                  wheel_new(port->wheel, PACKET_ANSWER, port->number, record, 0));
}

/* What the record stood for is done: tell the fence behind it. */
static void end_in_flight(struct dataport *port, uint64_t now, struct port_record *r)
{
    uint8_t fence = r->next_fence;

    r->in_flight = false;
    r->next_fence = PORT_NONE;
    if (fence != PORT_NONE && --port->record[fence].waits == 0)
        wheel_put(port->wheel, now, now + port->config->dp_empty_latency,
                  wheel_new(port->wheel, PACKET_ANSWER, port->number, fence, 0));
}

/* ---- messages with lanes ---- */

/* Places whose messages are over are free again. */
static void release_places(struct port_places *places, uint64_t now)
{
    while (places->releasing != 0 && places->release[places->head] <= now) {
        places->head = (places->head + 1) % LINES_MAX_ENTRIES;
        places->releasing--;
    }
}

static bool no_place(const struct port_places *places)
{
    return places->taken + places->releasing >= places->most;
}

/* A message holds a place while something is to come back for registers. */
static uint8_t message_place(const struct mem_msg *msg)
{
    if (msg->rlen == 0)
        return PLACE_NONE;
    return msg->space == MEM_SLM ? PLACE_SLM : PLACE_TABLE;
}

/* Of the ports, in their order, each begins a message and then sends an answer back. An
 * answer that went back before the ports' turn still counts for those before its port.
 */
static void note_early(struct dataport *port, uint64_t now)
{
    struct port_in_table *in = port->in_table;

    if (in->early_at != now)
        in->early = 0;
    in->early_at = now;
    in->early |= UINT32_C(1) << port->number;
}

static void take_place(struct dataport *port, uint64_t now, struct port_record *r)
{
    struct port_in_table *in = port->in_table;
    uint32_t count;

    assert(port->entries_free > 0);
    r->entry = port->entry_free[--port->entries_free];
    r->in_flight = r->msg.op != MEM_READ;
    if (r->place == PLACE_NONE)
        return;
    port->places[r->place].taken++;
    count = ++in->count;
    for (uint32_t early = in->early_at == now ? in->early >> port->number >> 1 : 0;
         early != 0; early &= early - 1)
        count++;
    if (count > port->stats->mem_messages_inflight_peak)
        port->stats->mem_messages_inflight_peak = count;
}

/* Send the message's lines to the L3; returns the cycles this takes. */
static uint64_t send_lines(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *r = &port->record[record];
    struct lines *lines = &port->table[r->entry];
    uint32_t rate = (uint32_t)port->config->dp_lines;

    lines->op = r->msg.op;
    lines->record = record;
    memset(lines->from, 0, sizeof(lines->from));
    coalesce_lines(&r->msg, lines);
    lines->left = lines->count;
    port->stats->mem_lines += lines->count;
    port->counts.messages[lines->op]++;
    port->counts.lines[lines->op] += lines->count;
    port->latest =
        (struct port_latest){now, lines->count, lines->count, rate, r->msg.op, false};
    for (uint32_t i = 0; i < lines->count; i++)
        l3_send(port->l3, now, i / rate, port->number, r->entry, (uint8_t)i);
    return lines->count <= rate ? 1 : (lines->count + rate - 1) / rate;
}

/* Put the message through the SLM's banks; returns the cycles this takes. */
static uint64_t use_slm(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *r = &port->record[record];
    struct coalesce_slm cost;

    coalesce_slm(&r->msg, (uint32_t)port->config->slm_banks,
                 (uint32_t)port->config->slm_atomic, &cost);
    if (port->heat != NULL)
        coalesce_slm_load(&r->msg, (uint32_t)port->config->slm_banks,
                          heat_now(port->heat)->slm[port->number]);
    port->stats->slm_accesses++;
    port->stats->slm_words += cost.words;
    *(r->msg.op == MEM_READ ? &port->stats->slm_read_blocks
                            : &port->stats->slm_write_blocks) += cost.even;
    port->latest =
        (struct port_latest){now, cost.even, cost.cycles, 1, r->msg.op, true};
    port->stats->slm_cycles += cost.cycles;
    port->stats->slm_conflict_cycles += cost.cycles - cost.even;
    port->stats->slm_atomics += r->msg.op == MEM_ATOMIC ? r->msg.lanes : 0;
    wheel_put(port->wheel, now, now + cost.cycles - 1 + port->config->slm_latency,
              wheel_new(port->wheel, PACKET_ANSWER, port->number, record, 0));
    return cost.cycles;
}

/* Messages without lanes need no place. Returns false if the message cannot begin. */
static bool message_begin(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *r = &port->record[record];
    uint64_t cycles = 1, latency = port->config->dp_empty_latency;

    if (r->request) {
        r->place = message_place(&r->msg);
        if (r->place != PLACE_NONE) {
            release_places(&port->places[r->place], now);
            if (no_place(&port->places[r->place]))
                return false;
        }
        take_place(port, now, r);
        cycles = r->msg.space == MEM_SLM ? use_slm(port, now, record)
                                         : send_lines(port, now, record);
    } else if (r->msg.op == MEM_FENCE) {
        begin_fence(port, now, record);
    } else {
        if (r->msg.op == MEM_OTHER)
            latency = port->config->dp_other_latency;
        if (r->msg.op == MEM_INTERPOLATE)
            latency = port->config->pi_latency;
        wheel_put(port->wheel, now, now + latency,
                  wheel_new(port->wheel, PACKET_ANSWER, port->number, record, 0));
    }
    port->busy_until = now + cycles;
    return true;
}

/* ---- back ---- */

/* The kind of place that the oldest message waits for, if it waits for one. */
static uint8_t awaited(const struct dataport *port)
{
    bool waits = port->full_from != UINT64_MAX && port->in_at == UINT64_MAX;

    return waits ? port->record[port->in.at[port->in.head]].place : PLACE_NONE;
}

static void free_place(struct dataport *port, uint64_t now, struct port_record *r)
{
    const struct igpu_config *c = port->config;
    struct port_places *places;
    uint32_t at;

    port->entry_free[port->entries_free++] = r->entry;
    if (r->place == PLACE_NONE)
        return;
    places = &port->places[r->place];
    at = (places->head + places->releasing++) % LINES_MAX_ENTRIES;
    /* In the memory side's cycles: delivered at now + out, released, and a message
     * that takes the place at t is seen here at t + in. */
    places->release[at] =
        now + c->dp_out_latency + c->dp_release_latency + c->dp_in_latency;
    if (awaited(port) == r->place) {
        port->in_at = places->release[at];
        wake(port, port->in_at);
    }
    places->taken--;
    port->in_table->count--;
}

static void count_answer(struct dataport *port, const struct port_record *r,
                         uint64_t at)
{
    struct mem_stats *stats = port->stats;

    if (r->request) {
        uint64_t latency = at - r->msg.cycle;

        stats->mem_answers++;
        stats->mem_latency_cycles += latency;
        stats->latency[mem_stats_bucket(latency)]++;
    } else if (r->msg.op == MEM_BARRIER) {
        stats->gw_notifications++;
    } else {
        stats->mem_others_answered++;
    }
}

/* Where the record's message was answered. */
static enum mem_level level_of(const struct dataport *port, const struct port_record *r)
{
    const uint8_t *from;
    unsigned level = MEM_AT_DRAM;

    if (r->msg.space == MEM_SLM && r->msg.op <= MEM_ATOMIC && r->entry != PORT_NONE)
        return MEM_AT_SLM; /* soon, as they are many */
    switch (r->msg.op) {
    case MEM_BARRIER:
        return MEM_AT_GATEWAY;
    case MEM_PAYLOAD:
        return MEM_AT_PAYLOAD;
    case MEM_TEXTURE:
    case MEM_FLUSH:
        return MEM_AT_SAMPLER;
    case MEM_TARGET:
        return MEM_AT_TARGET;
    default:
        break;
    }
    if (r->entry == PORT_NONE)
        return MEM_AT_PORT;
    if (r->msg.space == MEM_SLM)
        return MEM_AT_SLM;
    from = port->table[r->entry].from;
    while (level != MEM_AT_L3 && from[level] == 0)
        level--;
    return (enum mem_level)level;
}

static void tell_way(const struct dataport *port, const struct port_record *r,
                     struct mem_way *way)
{
    const struct lines *lines;

    way->level = (uint8_t)level_of(port, r);
    way->sent = r->msg.cycle;
    way->queued = r->queued;
    way->full = (uint32_t)r->full;
    way->bytes = r->request ? (uint16_t)(r->msg.lanes * r->msg.bytes) : 0;
    memset(way->from, 0, sizeof(way->from));
    if (way->level >= MEM_LINE_LEVELS)
        return;
    lines = &port->table[r->entry];
    memcpy(way->from, lines->from, sizeof(way->from));
    way->from[MEM_AT_L3] =
        (uint8_t)(lines->count - lines->from[MEM_AT_LLC] - lines->from[MEM_AT_EDRAM] -
                  lines->from[MEM_AT_DRAM]);
}

/* An answer goes back: two GRFs a cycle, and one answer at a time. It is decided in its
 * last cycle. */
static void send_back(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *r = &port->record[record];
    uint32_t rate = (uint32_t)port->config->dp_return_grfs;
    uint32_t cycles = r->msg.rlen <= rate ? 1 : (r->msg.rlen + rate - 1) / rate;
    uint64_t decided = now + cycles - 1, at = decided + port->config->dp_out_latency;

    /* The window: docs/contract/memory.md. */
    assert(at >= dataport_arrival(port, &r->msg) + port->config->dp_out_latency);
    assert(port->done_count < PORT_RECORDS);
    if (port->tells)
        tell_way(port, r, &port->way[(uint8_t)(port->done_head + port->done_count)]);
    port->done[(uint8_t)(port->done_head + port->done_count++)] = (struct mem_done){
        at, r->msg.uop, port->number, r->msg.eu, r->msg.slot, r->msg.credit, r->msg.wb};
    if (port->done_count == 1)
        port->done_at = at;
    port->last_done = at;
    port->back_free = now + cycles;
    count_answer(port, r, at);
    if (r->entry != PORT_NONE)
        free_place(port, decided, r);
    port->record_free[port->records_free++] = record;
}

/* At once, if it is the only one and the port begins no message in this cycle. */
static inline void message_answer(struct dataport *port, uint64_t now, uint8_t record)
{
    struct port_record *r = &port->record[record];

    if (r->in_flight)
        end_in_flight(port, now, r);
    if (port->back.count == 0 && port->back_free <= now && port->in_at > now) {
        if (r->place != PLACE_NONE)
            note_early(port, now);
        send_back(port, now, record);
        return;
    }
    port_ring_push(&port->back, record);
    wake(port, port->back_free);
}

void dataport_answer(struct dataport *port, uint64_t now, uint8_t record)
{
    message_answer(port, now, record);
}

/* A line has passed the bus from the L3. One of the sampler's, of a render target or of
 * depth is there in the next cycle. */
static void land(struct dataport *port, uint64_t now, uint32_t packet)
{
    struct packet *p = &port->wheel->pool[packet];
    struct lines *lines = &port->table[p->a];

    if (p->a >= LINES_MAX_ENTRIES) {
        port->line_bus_free = now + 1;
        port->stats->mem_lines_back++;
        p->kind = p->a >= LINES_DEPTH    ? PACKET_DEPTH
                  : p->a >= LINES_TARGET ? PACKET_PIXEL
                                         : PACKET_TEXEL;
        wheel_put(port->wheel, now, now + 1, packet);
        return;
    }
    wheel_release(port->wheel, packet);
    port->line_bus_free = now + 1;
    port->stats->mem_lines_back++;
    assert(lines->left > 0);
    if (--lines->left == 0)
        message_answer(port, now, lines->record);
}

void dataport_line(struct dataport *port, uint64_t now, uint32_t packet)
{
    if (port->line_bus_free <= now && port->landing.head == PACKET_NONE) {
        land(port, now, packet);
        return;
    }
    list_append(&port->landing, port->wheel->pool, packet);
    wake(port, port->line_bus_free);
}

/* ---- time ---- */

/* Messages that arrived before `now`, up to which the table may have been full: note
 * how often it was, up to their arrival. */
static void see_arrivals(struct dataport *port, uint64_t now)
{
    for (; port->unseen != 0; port->unseen--) {
        struct port_record *r = &port->record[port->in.at[(
            uint8_t)(port->in.head + port->in.count - port->unseen)]];
        uint64_t at = dataport_arrival(port, &r->msg);

        if (at >= now)
            return;
        r->full = port->counts.full_cycles +
                  (at > port->full_from ? at - port->full_from : 0);
    }
}

void dataport_count(struct dataport *port, uint64_t now)
{
    if (port->full_from >= now)
        return;
    see_arrivals(port, now);
    port->stats->mem_message_full_cycles += now - port->full_from;
    port->counts.full_cycles += now - port->full_from;
    port->full_from = now;
}

/* The oldest message, which begins now: how long it was here. */
static void note_wait(struct dataport *port, uint64_t now)
{
    struct port_record *r = &port->record[port->in.at[port->in.head]];

    if (port->unseen == port->in.count) {
        r->full = port->counts.full_cycles;
        port->unseen--;
    }
    r->full = port->counts.full_cycles - r->full;
    r->queued = (uint32_t)(now - dataport_arrival(port, &r->msg));
}

/* The oldest message begins, or waits from now on until a place gets free. */
static void begin_next(struct dataport *port, uint64_t now)
{
    uint8_t record = port->in.at[port->in.head];
    const struct port_places *places;

    if (message_begin(port, now, record)) {
        dataport_count(port, now);
        port->full_from = UINT64_MAX;
        if (port->tells)
            note_wait(port, now);
        (void)port_ring_pop(&port->in);
        next_begins(port);
        return;
    }
    if (port->full_from == UINT64_MAX)
        port->full_from = now;
    places = &port->places[port->record[record].place];
    port->in_at = places->releasing != 0 ? places->release[places->head] : UINT64_MAX;
}

uint64_t dataport_tick(struct dataport *port, uint64_t now)
{
    uint64_t next;

    if (port->landing.head != PACKET_NONE && port->line_bus_free <= now)
        land(port, now, list_pop(&port->landing, port->wheel->pool));
    if (port->in_at <= now)
        begin_next(port, now);
    if (port->back.count != 0 && port->back_free <= now)
        send_back(port, now, port_ring_pop(&port->back));
    next = port->in_at;
    if (port->back.count != 0 && port->back_free < next)
        next = port->back_free;
    if (port->landing.head != PACKET_NONE && port->line_bus_free < next)
        next = port->line_bus_free;
    return next;
}
