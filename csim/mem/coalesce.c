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
    lines->count = 0;
    for (uint32_t i = 0; i < msg->lanes; i++)
        add_lane(lines, msg->addr[i], msg->bytes, msg->op == MEM_WRITE);
    if (msg->op == MEM_ATOMIC)
        count_serial(msg, lines);
}

enum { SLM_TABLE = 8192, SLM_MAX_BANKS = 64 };

/* Words that were read before: reads of one word by several lanes are one access.
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

void coalesce_slm(const struct mem_msg *msg, uint32_t banks, uint32_t atomic_cycles,
                  struct coalesce_slm *cost)
{
    uint32_t load[SLM_MAX_BANKS] = {0}, fullest = 1;
    struct seen seen;
    uint32_t each = msg->op == MEM_ATOMIC ? atomic_cycles : 1;

    if (msg->op == MEM_READ)
        seen_init(&seen, msg->lanes * (msg->bytes / 4U + 2U));
    cost->words = 0;
    for (uint32_t i = 0; i < msg->lanes; i++) {
        uint64_t first = msg->addr[i] / 4, last = (msg->addr[i] + msg->bytes - 1) / 4;

        if (msg->op == MEM_ATOMIC && last > first + 1)
            last = first + 1; /* of at most 64 bits */
        for (uint64_t word = first; word <= last; word++) {
            uint32_t bank = (uint32_t)(word & (banks - 1));

            if (msg->op == MEM_READ && seen_before(&seen, word))
                continue;
            load[bank] += each;
            if (load[bank] > fullest)
                fullest = load[bank];
            cost->words++;
        }
    }
    cost->cycles = fullest;
    cost->even = (cost->words * each + banks - 1) / banks;
    if (cost->even == 0)
        cost->even = 1;
}
