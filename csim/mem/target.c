/* target.c - see target.h. */
#include "csim/mem/target.h"

/* What a message may take, and how far ahead of the slice it may begin, so that its
 * lines lie within the wheel. */
enum { MAX_CYCLES = 1024, MAX_AHEAD = 1024 };

void target_init(struct target *target, struct dataport *port, uint64_t *slice_free)
{
    target->port = port;
    target->slice_free = slice_free;
    target->free = UINT32_MAX;
}

void target_send(struct target *target, const struct mem_msg *msg)
{
    target->port->stats->mem_others++;
    target->port->stats->rt_messages++;
    port_ring_push(&target->in, dataport_record(target->port, msg));
}

static uint64_t lane(const struct mem_msg *msg, uint32_t i)
{
    return i < msg->lanes ? msg->addr[i] : 0;
}

/* How long the message takes the slice. */
static uint64_t cycles_of(const struct igpu_config *c, const struct mem_msg *msg)
{
    uint64_t pixels = lane(msg, 0) > 0 ? lane(msg, 0) : lane(msg, 1),
             rate = lane(msg, 1) > 0 ? c->rt_blend : c->rt_pixels;
    uint64_t cycles = pixels / rate + (pixels % rate != 0);

    return cycles < 1 ? 1 : cycles > MAX_CYCLES ? MAX_CYCLES : cycles;
}

/* The lines leave from `delay` cycles on. */
static void send_lines(struct target *t, uint64_t now, uint64_t delay, uint8_t record)
{
    struct dataport *port = t->port;
    const struct mem_msg *msg = &port->record[record].msg;
    uint32_t place = (uint32_t)__builtin_ctz(t->free), count = 0;
    struct lines *lines = &port->table[LINES_TARGET + place];

    t->free &= t->free - 1;
    lines->op = lane(msg, 1) == 0   ? MEM_WRITE
                : lane(msg, 0) == 0 ? MEM_READ
                                    : MEM_ATOMIC;
    lines->record = record;
    for (uint32_t i = MEM_TARGET_LINES; i < msg->lanes; i++)
        lines->line[count++] = (struct line){
            .number = msg->addr[i] / 64, .bytes = UINT64_MAX, .serial = 1};
    lines->count = count;
    t->left[place] = (uint8_t)count;
    port->stats->rt_lines += count;
    port->stats->mem_lines += count;
    for (uint32_t k = 0; k < count; k++)
        l3_send(port->l3, now, delay + k, port->number, (uint8_t)(LINES_TARGET + place),
                (uint8_t)k);
}

static void begin(struct target *t, uint64_t now)
{
    struct dataport *port = t->port;
    uint8_t record = port_ring_pop(&t->in);
    const struct mem_msg *msg = &port->record[record].msg;
    uint64_t cycles = cycles_of(port->config, msg);
    uint64_t from = *t->slice_free > now ? *t->slice_free : now;

    *t->slice_free = from + cycles;
    port->stats->rt_pixels += lane(msg, 0);
    port->stats->rt_read_pixels += lane(msg, 1);
    port->stats->rt_busy_cycles += cycles;
    if (msg->lanes > MEM_TARGET_LINES)
        send_lines(t, now, from - now, record);
    else
        wheel_put(port->wheel, now, from + cycles + port->config->dp_empty_latency,
                  wheel_new(port->wheel, PACKET_ANSWER, port->number, record, 0));
}

void target_line(struct target *t, uint64_t now, uint32_t packet)
{
    uint32_t place = (uint32_t)t->port->wheel->pool[packet].a - LINES_TARGET;

    wheel_release(t->port->wheel, packet);
    assert(t->left[place] > 0);
    if (--t->left[place] != 0)
        return;
    t->free |= UINT32_C(1) << place;
    dataport_answer(t->port, now, t->port->table[LINES_TARGET + place].record);
}

uint64_t target_next(const struct target *t)
{
    uint64_t at, room = *t->slice_free > MAX_AHEAD ? *t->slice_free - MAX_AHEAD : 0;

    if (t->in.count == 0 || t->free == 0)
        return UINT64_MAX;
    at = t->port->record[t->in.at[t->in.head]].msg.cycle +
         t->port->config->dp_in_latency;
    return at > room ? at : room;
}

void target_tick(struct target *t, uint64_t now)
{
    if (target_next(t) <= now)
        begin(t, now);
}
