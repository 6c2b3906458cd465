/* coalesce.c - see coalesce.h. */
#include "csim/mem/coalesce.h"

#include <assert.h>
#include <string.h>

/* The entry of line `number`, made if there is none. Lanes mostly follow each other,
 * so the search begins with the last line. */
static struct line *line_of(struct lines *lines, uint64_t number)
{
    for (uint32_t i = lines->count; i-- > 0;)
        if (lines->line[i].number == number)
            return &lines->line[i];
    assert(lines->count < LINES_MAX);
    lines->line[lines->count] = (struct line){number, 0, 1, 0};
    return &lines->line[lines->count++];
}

/* Bits first .. first + count - 1. */
static uint64_t bits(uint64_t first, uint64_t count)
{
    return (count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
}

static void add_lane(struct lines *lines, uint64_t addr, uint64_t left, bool write)
{
    while (left != 0) {
        uint64_t first = addr % 64, count = left < 64 - first ? left : 64 - first;
        struct line *line = line_of(lines, addr / 64);

        line->bytes = write ? line->bytes | bits(first, count) : UINT64_MAX;
        addr += count;
        left -= count;
    }
}

/* Bytes one after the other, and none before them. */
static void add_run(struct lines *lines, uint64_t addr, uint64_t left, bool write)
{
    uint64_t number = addr / 64, first = addr % 64;

    for (uint32_t i = 0; left != 0; i++) {
        uint64_t count = left < 64 - first ? left : 64 - first;

        assert(i < LINES_MAX);
        lines->line[i] =
            (struct line){number + i, write ? bits(first, count) : UINT64_MAX, 1, 0};
        lines->count = i + 1;
        left -= count;
        first = 0;
    }
}

/* For each line the most lanes with one address: they follow each other. */
static void count_serial(const struct mem_msg *msg, struct lines *lines)
{
    for (uint32_t i = 0; i < msg->lanes; i++) {
        struct line *line = line_of(lines, msg->addr[i] / 64);
        uint32_t same = 0;

        for (uint32_t j = 0; j <= i; j++)
            same += msg->addr[j] == msg->addr[i];
        if (same > line->serial)
            line->serial = same;
    }
}

void coalesce_lines(const struct mem_msg *msg, struct lines *lines)
{
    bool write = msg->op == MEM_WRITE;

    lines->count = 0;
    if (msg->even && (msg->stride == msg->bytes || msg->lanes == 1))
        add_run(lines, msg->addr[0], (uint64_t)msg->lanes * msg->bytes, write);
    else
        for (uint32_t i = 0; i < msg->lanes; i++)
            add_lane(lines, mem_lane(msg, i), msg->bytes, write);
    if (msg->op == MEM_ATOMIC)
        count_serial(msg, lines);
}

enum { SLM_TABLE = 8192, SLM_MAX_BANKS = 64 };

/* Words that lanes in no order read before: reads of one word by several lanes are one
 * access.
 * An open hash table of word numbers + 1, never more than half full. */
struct seen {
    uint64_t word[SLM_TABLE];
    uint32_t mask;
};

static void seen_init(struct seen *seen, uint32_t words)
{
    uint32_t size = 16;

    while (size < 2 * words)
        size *= 2;
    assert(size <= SLM_TABLE);
    seen->mask = size - 1;
    memset(seen->word, 0, size * sizeof(seen->word[0]));
}

static bool seen_before(struct seen *seen, uint64_t word)
{
    uint32_t at = (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 51) & seen->mask;

    while (seen->word[at] != 0 && seen->word[at] != word + 1)
        at = (at + 1) & seen->mask;
    if (seen->word[at] != 0)
        return true;
    seen->word[at] = word + 1;
    return false;
}

/* Does lane after lane lie one stride (modulo 2^64) apart, on whole words? */
static bool even_lanes(const struct mem_msg *msg, uint64_t *stride)
{
    uint64_t step = msg->lanes > 1 ? mem_lane(msg, 1) - msg->addr[0] : msg->bytes;
    uint64_t at = msg->addr[0], differ = 0;

    for (uint32_t i = 1; i < msg->lanes && !msg->even; i++)
        differ |= msg->addr[i] ^ (at += step);
    *stride = step;
    return differ == 0 && ((step | msg->addr[0] | msg->bytes) & 3) == 0;
}

/* Words one after the other, or (one a lane) at a stride: what most messages read and
 * write. False: other lanes, and nothing is done. */
static bool slm_of_stride(const struct mem_msg *msg, uint32_t banks,
                          struct coalesce_slm *cost)
{
    uint32_t each = msg->bytes / 4U, apart = 1;
    uint64_t stride;

    if (msg->op == MEM_ATOMIC || !even_lanes(msg, &stride))
        return false;
    cost->words = msg->lanes * each;
    if (stride == 0 && msg->op == MEM_READ)
        cost->words = each; /* for all lanes */
    else if (stride != msg->bytes && (each != 1 || stride == 0))
        return false;
    else if (stride != msg->bytes) /* every apart-th bank, in turn */
        apart = (uint32_t)(stride / 4 & -(stride / 4) & (banks - 1));
    if (apart == 0)
        apart = banks;
    cost->cycles = (cost->words * apart + banks - 1) / banks;
    return true;
}

static bool ascend(const struct mem_msg *msg)
{
    for (uint32_t i = 1; i < msg->lanes; i++)
        if (mem_lane(msg, i) < mem_lane(msg, i - 1))
            return false;
    return true;
}

/* Words of each bank; returns their number. */
static uint32_t load_banks(const struct mem_msg *msg, uint32_t banks,
                           uint32_t load[SLM_MAX_BANKS])
{
    uint32_t words = 0;
    bool once = msg->op == MEM_READ, in_order = once && ascend(msg);
    uint64_t next = 0; /* in_order: no lane has read from here on */
    struct seen seen;

    if (once && !in_order)
        seen_init(&seen, msg->lanes * (msg->bytes / 4U + 2U));
    for (uint32_t i = 0; i < msg->lanes; i++) {
        uint64_t at = mem_lane(msg, i);
        uint64_t first = at / 4, last = (at + msg->bytes - 1) / 4;

        if (msg->op == MEM_ATOMIC && last > first + 1)
            last = first + 1; /* of at most 64 bits */
        if (first < next)
            first = next;
        if (in_order)
            next = last + 1;
        for (uint64_t word = first; word <= last; word++) {
            uint32_t bank = (uint32_t)(word & (banks - 1));

            if (once && !in_order && seen_before(&seen, word))
                continue;
            load[bank]++;
            words++;
        }
    }
    return words;
}

static void slm_of_lanes(const struct mem_msg *msg, uint32_t banks,
                         uint32_t atomic_cycles, struct coalesce_slm *cost)
{
    uint32_t load[SLM_MAX_BANKS] = {0}, fullest = 0;

    cost->words = load_banks(msg, banks, load);
    for (uint32_t i = 0; i < banks; i++)
        fullest = load[i] > fullest ? load[i] : fullest;
    cost->cycles = fullest * (msg->op == MEM_ATOMIC ? atomic_cycles : 1);
    if (cost->cycles == 0)
        cost->cycles = 1;
}

void coalesce_slm_load(const struct mem_msg *msg, uint32_t banks, uint64_t *words)
{
    uint32_t load[SLM_MAX_BANKS] = {0};

    (void)load_banks(msg, banks, load);
    for (uint32_t i = 0; i < banks; i++)
        words[i] += load[i];
}

void coalesce_slm(const struct mem_msg *msg, uint32_t banks, uint32_t atomic_cycles,
                  struct coalesce_slm *cost)
{
    uint32_t each = msg->op == MEM_ATOMIC ? atomic_cycles : 1;

    if (!slm_of_stride(msg, banks, cost))
        slm_of_lanes(msg, banks, atomic_cycles, cost);
    cost->even = (cost->words * each + banks - 1) / banks;
    if (cost->even == 0)
        cost->even = 1;
}
