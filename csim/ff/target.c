/* target.c - see target.h. */
#include "csim/ff/target.h"

/* What a message may take, and how far ahead of the slice it may begin, so that its
 * lines lie within the wheel. */
enum { MAX_CYCLES = 1024, MAX_AHEAD = 1024 };

void target_init(struct target *all, struct dataport *port, struct pixels *pixels,
                 struct depth *depth, uint64_t *slice_free)
{
    struct target *target = &all[port->number];

    target->port = port;
    target->all = all;
    target->pixels = pixels;
    target->depth = depth;
    target->slice_free = slice_free;
    target->free = UINT32_MAX;
}

void target_send(struct target *target, const struct mem_msg *msg)
{
    target->port->stats->mem_others++;
    target->port->stats->rt_messages++;
    port_ring_push(&target->in, dataport_record(target->port, msg));
}

/* Is it a line of depth or stencil, which late tests touch? */
static bool is_depth(const struct mem_msg *msg, uint32_t lane)
{
    return (msg->how[lane] & (MEM_DEPTH_WRITTEN | MEM_DEPTH_READ)) != 0;
}

static bool has_lines(const struct mem_msg *msg, bool depth)
{
    for (uint32_t i = 0; i < msg->lanes; i++)
        if (is_depth(msg, i) == depth)
            return true;
    return false;
}

/* How long the message takes the slice. */
static uint64_t cycles_of(const struct igpu_config *c, const struct mem_msg *msg)
{
    uint64_t pixels = msg->target.written > 0 ? msg->target.written : msg->target.read,
             rate = msg->target.read > 0 ? c->rt_blend : c->rt_pixels;
    uint64_t cycles = pixels / rate + (pixels % rate != 0);

    return cycles < 1 ? 1 : cycles > MAX_CYCLES ? MAX_CYCLES : cycles;
}

/* Send line k of the table's entry to the L3. */
static void send_line(struct target *t, uint64_t now, uint64_t delay, uint32_t entry,
                      uint32_t k)
{
    t->port->stats->mem_lines++;
    l3_send(t->port->l3, now, delay, t->port->number, (uint8_t)entry, (uint8_t)k);
}

static void push_out(struct target *t, uint64_t now, uint64_t delay, uint32_t place,
                     uint64_t line)
{
    struct lines *lines = &t->port->table[LINES_VICTIM + place];

    lines->op = MEM_WRITE;
    lines->line[lines->count] =
        (struct line){.number = line, .bytes = UINT64_MAX, .serial = 1};
    t->begun[place].victims++;
    send_line(t, now, delay, LINES_VICTIM + place, lines->count++);
}

/* Line k of the message in `place` is looked up `delay` cycles from now. */
static void look_up(struct target *t, uint64_t now, uint64_t delay, uint32_t place,
                    uint32_t k)
{
    struct lines *lines = &t->port->table[LINES_TARGET + place];
    const struct mem_msg *msg = &t->port->record[lines->record].msg;
    bool read = msg->target.read > 0, write = !read || msg->target.written > 0;
    bool packed = t->begun[place].packed >> k & 1,
         packs = t->begun[place].packs >> k & 1;
    const struct pixels_use use = {lines->line[k].number, read, write, packs};
    struct pixels_asked asked = pixels_ask(t->pixels, &use, t->port->number, place);

    t->begun[place].entry[k] = asked.entry;
    if (asked.victim != UINT64_MAX)
        push_out(t, now, delay, place, asked.victim);
    if (asked.result == PIXELS_THERE)
        return;
    t->begun[place].left++;
    if (asked.result == PIXELS_WAIT)
        return;
    if (asked.result == PIXELS_PASS_BY)
        lines->op = !read ? MEM_WRITE : write ? MEM_ATOMIC : MEM_READ;
    if (read ? packed : packs)
        lines->line[k].number = mem_packed_line(lines->line[k].number);
    send_line(t, now, delay, LINES_TARGET + place, k);
}

static void let_go(struct target *t, uint32_t place)
{
    if (t->begun[place].left == 0 && t->begun[place].victims == 0)
        t->free |= UINT32_C(1) << place;
}

static void answer_at(struct target *t, uint64_t now, uint64_t at, uint8_t record)
{
    struct dataport *port = t->port;

    if (at <= now)
        dataport_answer(port, now, record);
    else
        wheel_put(port->wheel, now, at,
                  wheel_new(port->wheel, PACKET_ANSWER, port->number, record, 0));
}

/* Its lines are looked up from `delay` cycles on, one a cycle. */
static void take_lines(struct target *t, uint64_t now, uint64_t delay, uint8_t record)
{
    struct dataport *port = t->port;
    const struct mem_msg *msg = &port->record[record].msg;
    uint32_t place = (uint32_t)__builtin_ctz(t->free), count = 0;
    struct lines *lines = &port->table[LINES_TARGET + place];

    t->free &= t->free - 1;
    lines->op = MEM_READ;
    lines->record = record;
    t->begun[place].packed = t->begun[place].packs = 0;
    for (uint32_t i = 0; i < msg->lanes; i++) {
        if (is_depth(msg, i))
            continue;
        if (port->config->ff_ccs) {
            uint32_t packed = (msg->how[i] & MEM_LINE_PACKED) != 0;
            uint32_t packs = (msg->how[i] & MEM_LINE_PACKS) != 0;

            t->begun[place].packed |= packed << count;
            t->begun[place].packs |= packs << count;
        }
        lines->line[count++] = (struct line){
            .number = msg->addr[i] / 64, .bytes = UINT64_MAX, .serial = 1};
    }
    lines->count = count;
    port->table[LINES_VICTIM + place].count = 0;
    t->begun[place].left = t->begun[place].victims = 0;
    t->begun[place].ready = now + delay + count;
    port->stats->rt_lines += count;
    for (uint32_t k = 0; k < count; k++)
        look_up(t, now, delay + k, place, k);
    if (t->begun[place].left == 0)
        answer_at(t, now, t->begun[place].ready + port->config->dp_empty_latency,
                  record);
    let_go(t, place);
}

/* Lines of depth and stencil: nobody waits for them. */
static void give_depth(struct target *t, uint64_t now, uint64_t at,
                       const struct mem_msg *msg)
{
    struct depth_item item = {
        .came = now, .at = at, .ready = DEPTH_NO_THREAD, .tile = t->port->number};

    if (t->depth->cache.sets == 0 || !has_lines(msg, true))
        return;
    for (uint32_t i = 0; i < msg->lanes; i++)
        if (is_depth(msg, i))
            item.line[item.runs++] = (struct mem_depth){
                msg->addr[i] & ~(uint64_t)(MEM_DEPTH_PAGE - 1),
                UINT64_C(1) << (msg->addr[i] / 64 % 64), msg->how[i]};
    depth_add(t->depth, &item);
}

static void message_begin(struct target *t, uint64_t now)
{
    struct dataport *port = t->port;
    uint8_t record = port_ring_pop(&t->in);
    const struct mem_msg *msg = &port->record[record].msg;
    uint64_t cycles = cycles_of(port->config, msg);
    uint64_t from = *t->slice_free > now ? *t->slice_free : now;

    *t->slice_free = from + cycles;
    port->stats->rt_pixels += msg->target.written;
    port->stats->rt_read_pixels += msg->target.read;
    port->stats->rt_busy_cycles += cycles;
    give_depth(t, now, from, msg);
    if (has_lines(msg, false))
        take_lines(t, now, from - now, record);
    else
        answer_at(t, now, from + cycles + port->config->dp_empty_latency, record);
}

static void came(struct target *t, uint64_t now, uint32_t place)
{
    assert(t->begun[place].left > 0);
    if (--t->begun[place].left == 0)
        answer_at(t, now, t->begun[place].ready,
                  t->port->table[LINES_TARGET + place].record);
    let_go(t, place);
}

void target_line(struct target *t, uint64_t now, uint32_t packet)
{
    struct packet p = t->port->wheel->pool[packet];
    uint32_t place = (uint32_t)(p.a - LINES_TARGET) % LINES_UNIT_ENTRIES, entry;
    uint32_t waiting[LINES_MAX_PORTS];

    wheel_release(t->port->wheel, packet);
    if (p.a >= LINES_VICTIM) {
        t->begun[place].victims--;
        let_go(t, place);
        return;
    }
    entry = t->begun[place].entry[p.b];
    if (entry == CACHE_NONE) {
        came(t, now, place);
        return;
    }
    pixels_filled(t->pixels, entry, waiting);
    for (uint32_t i = 0; i < LINES_MAX_PORTS; i++)
        for (; waiting[i] != 0; waiting[i] &= waiting[i] - 1)
            came(&t->all[i], now, (uint32_t)__builtin_ctz(waiting[i]));
}

uint64_t target_next(const struct target *t)
{
    uint64_t at, room = *t->slice_free > MAX_AHEAD ? *t->slice_free - MAX_AHEAD : 0;

    if (t->in.count == 0 || t->free == 0 || !depth_has_room(t->depth))
        return UINT64_MAX;
    at = t->port->record[t->in.at[t->in.head]].msg.cycle +
         t->port->config->dp_in_latency;
    return at > room ? at : room;
}

void target_tick(struct target *t, uint64_t now)
{
    if (target_next(t) <= now)
        message_begin(t, now);
}
