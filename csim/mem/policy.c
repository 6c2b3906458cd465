/* policy.c - see policy.h. */
#include "csim/mem/policy.h"

#include <stddef.h>

#include "igpu/hash.h"

/* ---- random: each way as likely as another ---- */

/* A set's memory: how many lines have come into it. */
static uint32_t random_bytes(uint32_t ways)
{
    (void)ways;
    return sizeof(uint64_t);
}

static uint32_t random_victim(const void *set, uint32_t ways, uint32_t index)
{
    const uint64_t *fills = set;
    uint64_t state = *fills << 32 | index;

    return (uint32_t)((igpu_splitmix(&state) >> 32) * ways >> 32);
}

static void random_touch(void *set, uint32_t ways, uint32_t way)
{
    (void)set, (void)ways, (void)way;
}

static void random_fill(void *set, uint32_t ways, uint32_t way)
{
    uint64_t *fills = set;

    (void)ways, (void)way;
    ++*fills;
}

static const struct igpu_replacement random_policy = {
    IGPU_POLICY_VERSION, "random",     random_bytes,
    random_victim,       random_touch, random_fill};

/* ---- srrip: static re-reference interval prediction of 2 bits, hit priority ----
 * (Jaleel et al., ISCA 2010.) A byte for each way: 0 none came yet, else 1 + its
 * prediction, 0 near to 3 distant. A line comes with 2, one that is used has 0; the
 * first with 3 gives way, and where there is none all grow until there is. */

enum { NEAR = 1, LONG = 3, DISTANT = 4 };

static uint32_t srrip_bytes(uint32_t ways)
{
    return ways;
}

static uint32_t srrip_victim(const void *set, uint32_t ways, uint32_t index)
{
    const uint8_t *value = set;
    uint32_t most = 0;

    (void)index;
    for (uint32_t way = 1; way < ways; way++)
        if (value[way] > value[most])
            most = way;
    return most;
}

static void srrip_touch(void *set, uint32_t ways, uint32_t way)
{
    uint8_t *value = set;

    (void)ways;
    value[way] = NEAR;
}

static void srrip_fill(void *set, uint32_t ways, uint32_t way)
{
    uint8_t *value = set, old = value[way];

    for (uint32_t i = 0; old != 0 && old < DISTANT && i < ways; i++)
        if (value[i] != 0)
            value[i] = (uint8_t)(value[i] + DISTANT - old);
    value[way] = LONG;
}

static const struct igpu_replacement srrip_policy = {
    IGPU_POLICY_VERSION, "srrip", srrip_bytes, srrip_victim, srrip_touch, srrip_fill};

/* ---- tree-plru: a binary tree over the ways, a bit for each of its nodes ----
 * Node n has 2n and 2n + 1 below it; a bit says in which half the older lines are. Ways
 * beyond the last one are never older. */

static uint32_t leaves(uint32_t ways)
{
    uint32_t n = 1;

    while (n < ways)
        n *= 2;
    return n;
}

static uint32_t tree_bytes(uint32_t ways)
{
    return leaves(ways) / 8 + 1;
}

static uint32_t tree_victim(const void *set, uint32_t ways, uint32_t index)
{
    const uint8_t *bit = set;
    uint32_t node = 1, first = 0;

    (void)index;
    for (uint32_t half = leaves(ways) / 2; half != 0; half /= 2) {
        bool right = (bit[node / 8] >> node % 8 & 1) != 0 && first + half < ways;

        first += right ? half : 0;
        node = 2 * node + right;
    }
    return first;
}

static void tree_touch(void *set, uint32_t ways, uint32_t way)
{
    uint8_t *bit = set;
    uint32_t node = 1;

    for (uint32_t half = leaves(ways) / 2; half != 0; half /= 2) {
        bool right = (way & half) != 0;
        uint8_t mask = (uint8_t)(1U << node % 8);

        bit[node / 8] = (uint8_t)(right ? bit[node / 8] & ~mask : bit[node / 8] | mask);
        node = 2 * node + right;
    }
}

static const struct igpu_replacement tree_policy = {
    IGPU_POLICY_VERSION, "tree-plru", tree_bytes, tree_victim, tree_touch, tree_touch};

const struct igpu_replacement *policy_replacement(uint64_t value)
{
    switch (value) {
    case IGPU_LRU:
        return NULL;
    case IGPU_RANDOM:
        return &random_policy;
    case IGPU_SRRIP:
        return &srrip_policy;
    case IGPU_TREE_PLRU:
        return &tree_policy;
    default:
        return igpu_policy_loaded(value, IGPU_POLICY_REPLACEMENT);
    }
}

/* ---- next-line: behind a line that is not there, the next one ---- */

static uint32_t next_access(void *memory, uint64_t line, bool hit, uint64_t *ask)
{
    (void)memory;
    ask[0] = line + 1;
    return !hit;
}

static const struct igpu_prefetch next_policy = {IGPU_POLICY_VERSION, "next-line", 0,
                                                 next_access};

/* ---- stride: in each of some pages, the step between its accesses ----
 * (Chen and Baer, IEEE ToC 1995, by page instead of by instruction.) A step that was
 * seen twice in a row is taken to go on: the next two lines of it are asked for. */

enum { PAGES = 256, PAGE_LINES = 64, SURE = 2, AHEAD = 2 };

struct page {
    uint64_t page; /* 1 + its number; 0: none */
    int8_t step;
    uint8_t last, seen;
};

static uint32_t stride_access(void *memory, uint64_t line, bool hit, uint64_t *ask)
{
    uint64_t number = 1 + line / PAGE_LINES;
    struct page *p = (struct page *)memory + number % PAGES;
    int at = (int)(line % PAGE_LINES), step = at - p->last;
    uint32_t n = 0;

    (void)hit;
    if (p->page != number) {
        *p = (struct page){number, 0, (uint8_t)at, 0};
        return 0;
    }
    if (step == 0)
        return 0;
    p->seen = (uint8_t)(step != p->step ? 1 : p->seen + (p->seen < SURE));
    p->step = (int8_t)step;
    p->last = (uint8_t)at;
    for (int i = 1; p->seen == SURE && i <= AHEAD; i++)
        ask[n++] = line + (uint64_t)(int64_t)(i * step);
    return n;
}

static const struct igpu_prefetch stride_policy = {
    IGPU_POLICY_VERSION, "stride", PAGES * sizeof(struct page), stride_access};

const struct igpu_prefetch *policy_prefetch(uint64_t value)
{
    switch (value) {
    case IGPU_NO_PREFETCH:
        return NULL;
    case IGPU_NEXT_LINE:
        return &next_policy;
    case IGPU_STRIDE:
        return &stride_policy;
    default:
        return igpu_policy_loaded(value, IGPU_POLICY_PREFETCH);
    }
}
