/* texture.c - see texture.h. */
#include "csim/ff/texture.h"

#include <stdlib.h>

/* What a message may take at most, so that its answer lies within the wheel. */
enum { MAX_CYCLES = 2048 };

bool texture_init(struct texture *texture, struct dataport *port)
{
    const struct igpu_config *c = port->config;
    uint32_t ways = (uint32_t)c->tex_l1_ways;
    uint32_t sets = (uint32_t)(c->tex_l1_bytes / 64) / ways;

    texture->port = port;
    texture->free = UINT32_MAX;
    texture->waiting = calloc((size_t)sets * ways, sizeof(*texture->waiting));
    return texture->waiting != NULL && cache_init(&texture->l1, sets, ways) &&
           cache_init(&texture->l2, (uint32_t)(c->tex_l2_bytes / 64 / c->tex_l2_ways),
                      (uint32_t)c->tex_l2_ways);
}

void texture_free(struct texture *texture)
{
    free(texture->waiting);
    cache_free(&texture->l1);
    cache_free(&texture->l2);
}

void texture_forget(struct texture *t)
{
    if (!t->used)
        return;
    t->used = false;
    cache_clear(&t->l2, t->l2.ways);
    for (uint32_t entry = 0; entry < t->l1.sets * t->l1.ways; entry++)
        if (t->waiting[entry] == 0 && t->l1.flags[entry] != 0)
            cache_drop(&t->l1, entry / t->l1.ways, entry);
}

void texture_send(struct texture *texture, const struct mem_msg *msg)
{
    texture->port->stats->mem_others++;
    texture->port->stats->tex_messages++;
    port_ring_push(&texture->in, dataport_record(texture->port, msg));
}

/* The oldest message waits from then on. */
static uint64_t waits_from(const struct texture *t)
{
    uint64_t arrival =
        dataport_arrival(t->port, &t->port->record[t->in.at[t->in.head]].msg);

    return arrival > t->begun_at ? arrival : t->begun_at;
}

void texture_sample(const struct texture *t, uint64_t now, struct sample_port *counts)
{
    if (t->busy_until > now)
        counts->sampler_busy -= t->busy_until - now;
    if (t->in.count > 0 && waits_from(t) < now)
        counts->sampler_waited += now - waits_from(t);
}

/* ---- lines -------------------------------------------------------------- */

/* Is the line in the second cache? It is from now on. */
static bool in_second(struct texture *t, uint64_t line)
{
    uint32_t set = (uint32_t)(line % t->l2.sets);
    uint32_t entry = cache_find(&t->l2, set, line);

    if (entry != CACHE_NONE) {
        cache_touch(&t->l2, set, entry);
        return true;
    }
    cache_fill(&t->l2, set, cache_victim(&t->l2, set), line, false);
    return false;
}

/* Ask for line k of the message in `place`, `delay` cycles from now. */
static void fetch(struct texture *t, uint64_t now, uint64_t delay, uint32_t place,
                  uint32_t k)
{
    struct dataport *port = t->port;
    uint8_t entry = (uint8_t)(LINES_TEXTURE + place);
    uint64_t latency = port->config->tex_l2_latency;

    port->stats->tex_l1_misses++;
    t->begun[place].left++;
    if (in_second(t, port->table[entry].line[k].number)) {
        port->stats->tex_l2_hits++;
        wheel_put(
            port->wheel, now, now + delay + latency,
            wheel_new(port->wheel, PACKET_TEXEL, port->number, entry, (uint8_t)k));
        return;
    }
    port->stats->tex_l2_misses++;
    port->stats->mem_lines++;
    t->begun[place].far |= UINT32_C(1) << k;
    t->misses++;
    l3_send(port->l3, now, delay + latency, port->number, entry, (uint8_t)k);
}

static void look_up(struct texture *t, uint64_t now, uint64_t delay, uint32_t place,
                    uint32_t k)
{
    uint64_t line = t->port->table[LINES_TEXTURE + place].line[k].number;
    uint32_t set = (uint32_t)(line % t->l1.sets);
    uint32_t entry = cache_find(&t->l1, set, line);

    t->port->stats->tex_l1_accesses++;
    if (entry != CACHE_NONE) {
        cache_touch(&t->l1, set, entry);
        t->port->stats->tex_l1_hits += t->waiting[entry] == 0;
        t->port->stats->tex_l1_merged += t->waiting[entry] != 0;
        if (t->waiting[entry] != 0 && !(t->waiting[entry] >> place & 1)) {
            t->begun[place].left++;
            t->waiting[entry] |= UINT32_C(1) << place;
        }
        return;
    }
    entry = cache_victim(&t->l1, set);
    if (t->waiting[entry] != 0) { /* all of the set are on their way: it passes by */
        entry = CACHE_NONE;
    } else {
        cache_fill(&t->l1, set, entry, line, false);
        t->waiting[entry] = UINT32_C(1) << place;
    }
    t->begun[place].entry[k] = entry;
    fetch(t, now, delay, place, k);
}

/* Both lines of a pair that one line holds are that one, in the caches too. */
static uint64_t line_of(const struct texture *t, uint64_t addr, uint8_t how)
{
    uint64_t line = addr / 64;

    if (!t->port->config->ff_ccs || !(how & MEM_LINE_PACKED))
        return line;
    t->port->stats->tex_packed++;
    return mem_packed_line(line);
}

/* ---- messages ----------------------------------------------------------- */

static void message_answer(struct texture *t, uint64_t now, uint32_t place)
{
    struct dataport *port = t->port;
    uint64_t from = t->begun[place].ready > now ? t->begun[place].ready : now;

    t->free |= UINT32_C(1) << place;
    wheel_put(port->wheel, now, from + port->config->tex_latency,
              wheel_new(port->wheel, PACKET_ANSWER, port->number,
                        port->table[LINES_TEXTURE + place].record, 0));
}

static void came(struct texture *t, uint64_t now, uint32_t place)
{
    assert(t->begun[place].left > 0);
    if (--t->begun[place].left == 0)
        message_answer(t, now, place);
}

void texture_line(struct texture *t, uint64_t now, uint32_t packet)
{
    struct packet p = t->port->wheel->pool[packet];
    uint32_t place = (uint32_t)p.a - LINES_TEXTURE;
    uint32_t entry = t->begun[place].entry[p.b], waiting;

    wheel_release(t->port->wheel, packet);
    t->misses -= t->begun[place].far >> p.b & 1;
    if (entry == CACHE_NONE) {
        came(t, now, place);
        return;
    }
    waiting = t->waiting[entry];
    t->waiting[entry] = 0;
    for (; waiting != 0; waiting &= waiting - 1)
        came(t, now, (uint32_t)__builtin_ctz(waiting));
}

/* A MEM_FLUSH message has no work. */
static struct mem_texture work_of(const struct mem_msg *msg)
{
    return msg->op == MEM_TEXTURE ? msg->texture : (struct mem_texture){0, 0};
}

/* How long the message takes the sampler. A quad looks up a line once, several quads
 * each for itself. */
static uint64_t cycles_of(const struct igpu_config *c, const struct mem_msg *msg)
{
    struct mem_texture work = work_of(msg);
    uint64_t cycles =
        work.samples / c->tex_samples + (work.samples % c->tex_samples != 0);
    uint64_t most = msg->lanes > work.look_ups ? msg->lanes : work.look_ups;
    uint64_t look_ups = (most + c->tex_lines - 1) / c->tex_lines;

    cycles = cycles > look_ups ? cycles : look_ups;
    return cycles < 1 ? 1 : cycles > MAX_CYCLES ? MAX_CYCLES : cycles;
}

static void message_begin(struct texture *t, uint64_t now)
{
    struct dataport *port = t->port;
    uint64_t waited = now - waits_from(t);
    uint8_t record = port_ring_pop(&t->in);
    const struct mem_msg *msg = &port->record[record].msg;
    uint32_t place = (uint32_t)__builtin_ctz(t->free);
    struct lines *lines = &port->table[LINES_TEXTURE + place];
    uint64_t cycles = cycles_of(port->config, msg);

    if (msg->op == MEM_FLUSH)
        texture_forget(t);
    t->used = true;
    t->free &= t->free - 1;
    t->busy_until = now + cycles;
    t->begun_at = now;
    t->begun[place].ready = now + cycles;
    t->begun[place].left = 0;
    t->begun[place].far = 0;
    port->stats->tex_samples += work_of(msg).samples;
    port->stats->tex_busy_cycles += cycles;
    port->counts.sampler_busy += cycles;
    port->counts.sampler_waited += waited;
    lines->op = MEM_READ;
    lines->record = record;
    for (uint32_t k = 0; k < msg->lanes; k++)
        lines->line[k] = (struct line){.number = line_of(t, msg->addr[k], msg->how[k]),
                                       .bytes = UINT64_MAX};
    lines->count = msg->lanes;
    for (uint32_t k = 0; k < msg->lanes; k++)
        look_up(t, now, k / port->config->tex_lines, place, k);
    if (t->begun[place].left == 0)
        message_answer(t, now, place);
}

/* ---- time --------------------------------------------------------------- */

uint64_t texture_next(const struct texture *t)
{
    uint64_t at;

    if (t->in.count == 0 || t->free == 0 || t->misses >= t->port->config->tex_misses)
        return UINT64_MAX;
    at = dataport_arrival(t->port, &t->port->record[t->in.at[t->in.head]].msg);
    return at > t->busy_until ? at : t->busy_until;
}

void texture_tick(struct texture *t, uint64_t now)
{
    if (texture_next(t) <= now)
        message_begin(t, now);
}
