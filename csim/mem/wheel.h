/* wheel.h - packets that take effect in a later GPU cycle: a calendar with one
 * list for each cycle. Packets of a cycle come out in the order in which they were
 * put in. Tests: tests/csim/test_mem_parts.c */
#ifndef MEM_WHEEL_H
#define MEM_WHEEL_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { WHEEL_SLOTS = 4096 }; /* a packet lies less than this ahead */

enum packet_kind {
    PACKET_L3,     /* a line of a message reaches its L3 bank */
    PACKET_LINE,   /* a line comes back to the data port */
    PACKET_FILL,   /* a line from below reaches the L3 */
    PACKET_ANSWER, /* a message without lines is answered */
    PACKET_FIRE,   /* a barrier's notifications start */
    PACKET_TEXEL,  /* a line is in a sampler's first cache */
    PACKET_PIXEL,  /* the L3 has a line of pixels */
    PACKET_DEPTH   /* the same of depth or stencil */
};

struct packet {
    uint32_t next; /* in its list; PACKET_NONE at the end */
    uint8_t kind;  /* enum packet_kind */
    uint8_t unit;  /* subslice; FILL: bank */
    uint8_t a, b;  /* L3, LINE, TEXEL, PIXEL: table entry, line; FILL: MSHR, enum
                      mem_level; ANSWER: record; FIRE: barrier slot */
};

#define PACKET_NONE UINT32_MAX

/* Packets in order. */
struct packet_list {
    uint32_t head, tail;
};

struct wheel {
    struct packet *pool;
    uint32_t free, size;
    uint32_t waiting; /* packets in the calendar */
    struct packet_list at[WHEEL_SLOTS];
    uint64_t used[WHEEL_SLOTS / 64]; /* bit: the list is not empty */
};

/* Room for `packets`. False: no memory. */
bool wheel_init(struct wheel *wheel, uint32_t packets);
void wheel_free(struct wheel *wheel);

/* wheel_next() behind the word of now's slot. */
uint64_t wheel_find(const struct wheel *wheel, uint64_t now);

static inline void list_clear(struct packet_list *list)
{
    list->head = list->tail = PACKET_NONE;
}

/* ---- what every line passes several times: in the header, so that it is inlined ----
 */

static inline void list_append(struct packet_list *list, struct packet *pool,
                               uint32_t packet)
{
    pool[packet].next = PACKET_NONE;
    if (list->head == PACKET_NONE)
        list->head = packet;
    else
        pool[list->tail].next = packet;
    list->tail = packet;
}

static inline uint32_t list_pop(struct packet_list *list, const struct packet *pool)
{
    uint32_t packet = list->head;

    if (packet != PACKET_NONE)
        list->head = pool[packet].next;
    return packet;
}

/* Take a packet from the pool / give it back. */
static inline uint32_t wheel_new(struct wheel *wheel, enum packet_kind kind,
                                 uint8_t unit, uint8_t a, uint8_t b)
{
    uint32_t packet = wheel->free;

    assert(packet != PACKET_NONE);
    wheel->free = wheel->pool[packet].next;
    wheel->pool[packet] = (struct packet){PACKET_NONE, (uint8_t)kind, unit, a, b};
    return packet;
}

static inline void wheel_release(struct wheel *wheel, uint32_t packet)
{
    wheel->pool[packet].next = wheel->free;
    wheel->free = packet;
}

/* Put packet into cycle `at`; now <= at < now + WHEEL_SLOTS. */
static inline void wheel_put(struct wheel *wheel, uint64_t now, uint64_t at,
                             uint32_t packet)
{
    uint32_t slot = (uint32_t)(at % WHEEL_SLOTS);

    assert(at >= now && at - now < WHEEL_SLOTS);
    (void)now;
    list_append(&wheel->at[slot], wheel->pool, packet);
    wheel->used[slot / 64] |= UINT64_C(1) << slot % 64;
    wheel->waiting++;
}

/* The first packet of cycle `now`, taken out; PACKET_NONE if there is none left. */
static inline uint32_t wheel_take(struct wheel *wheel, uint64_t now)
{
    uint32_t slot = (uint32_t)(now % WHEEL_SLOTS);
    struct packet_list *list = &wheel->at[slot];
    uint32_t packet = list_pop(list, wheel->pool);

    if (packet == PACKET_NONE)
        return packet;
    wheel->waiting--;
    if (list->head == PACKET_NONE)
        wheel->used[slot / 64] ^= UINT64_C(1) << slot % 64;
    return packet;
}

/* The first cycle >= now that has a packet; UINT64_MAX without any. */
static inline uint64_t wheel_next(const struct wheel *wheel, uint64_t now)
{
    uint32_t slot = (uint32_t)(now % WHEEL_SLOTS);
    uint64_t bits = wheel->used[slot / 64] >> slot % 64;

    return bits != 0 ? now + (uint64_t)__builtin_ctzll(bits) : wheel_find(wheel, now);
}
#endif
