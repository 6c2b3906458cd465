/* profile_load.c - a launch's kernel: cycles of its instructions, and their scoreboard
 * bits. A kernel of SIMD16 has its registers in pairs, and of each pair both are needed
 * or neither is: one bit says as much as two. */
#include <stdlib.h>
#include <string.h>

#include "csim/profile/profile_int.h"

/* Bits by the class of those that no instruction tells apart. */
struct classes {
    uint32_t count;
    uint8_t of[PROFILE_BITS], size[PROFILE_BITS];
};

static unsigned bits_in(const uint64_t set[2], uint8_t set_x, uint8_t bit[PROFILE_BITS])
{
    const uint64_t word[3] = {set[0], set[1], set_x};
    unsigned n = 0;

    for (unsigned k = 0; k < 3; k++)
        for (uint64_t left = word[k]; left; left &= left - 1)
            bit[n++] = (uint8_t)(64 * k + (unsigned)__builtin_ctzll(left));
    return n;
}

/* Bits in the set and those out of it are no more of one class. */
static void classes_split(struct classes *c, const uint64_t set[2], uint8_t set_x)
{
    uint8_t bit[PROFILE_BITS], in[PROFILE_BITS] = {0}, to[PROFILE_BITS] = {0};
    unsigned n = bits_in(set, set_x, bit);

    for (unsigned i = 0; i < n; i++)
        in[c->of[bit[i]]]++;
    for (unsigned i = 0; i < n; i++) {
        uint8_t was = c->of[bit[i]];

        if (in[was] == c->size[was]) /* all of it: it stays together */
            continue;
        if (to[was] == 0)
            to[was] = (uint8_t)c->count++;
        c->of[bit[i]] = to[was];
    }
    for (unsigned i = 0; i < PROFILE_BITS; i++)
        if (to[i] != 0) {
            c->size[to[i]] = in[i];
            c->size[i] -= in[i];
        }
}

static void find_classes(struct classes *c, const struct ref_uop *uops, uint32_t count)
{
    memset(c, 0, sizeof(*c));
    c->count = 1;
    c->size[0] = PROFILE_BITS;
    for (uint32_t i = 0; i < count; i++) {
        classes_split(c, uops[i].need, uops[i].need_x);
        classes_split(c, uops[i].set, uops[i].set_x);
    }
}

/* The classes of a set's bits, into word[] (3 words) and, one by one, list[]. */
static uint8_t map(const struct classes *c, const uint64_t set[2], uint8_t set_x,
                   uint64_t word[3], uint8_t list[PROFILE_BITS])
{
    unsigned n = bits_in(set, set_x, list), kept = 0;

    memset(word, 0, 3 * sizeof(*word));
    for (unsigned i = 0; i < n; i++) {
        uint8_t class = c->of[list[i]];

        if (!(word[class / 64] >> class % 64 & 1))
            list[kept++] = class;
        word[class / 64] |= UINT64_C(1) << class % 64;
    }
    return (uint8_t)kept;
}

static struct profile_uop uop_of(const struct classes *c, const struct ref_uop *u,
                                 uint8_t list[PROFILE_BITS])
{
    struct profile_uop to = {.fpu1 = u->unit == UOP_FPU1,
                             .fe = u->fe,
                             .occ = u->occ,
                             .eot = (u->flags & UOP_EOT) != 0,
                             .message = u->unit == UOP_SEND,
                             .use_lat = u->use_lat,
                             .sum.producer = PROFILE_NONE};
    uint64_t word[3];

    (void)map(c, u->need, u->need_x, word, list);
    to.need[0] = word[0];
    to.need[1] = word[1];
    to.need_x = (uint8_t)word[2];
    to.sets = map(c, u->set, u->set_x, word, list);
    to.set[0] = word[0];
    to.set[1] = word[1];
    to.set_x = (uint8_t)word[2];
    to.wide = (to.need[1] | to.set[1] | to.need_x | to.set_x) != 0;
    return to;
}

static uint32_t bits_of(const struct ref_uop *u)
{
    return (uint32_t)(__builtin_popcountll(u->set[0]) +
                      __builtin_popcountll(u->set[1]) + __builtin_popcount(u->set_x));
}

static enum igpu_status list_uops(struct profile *p, uint32_t count,
                                  struct igpu_err *err)
{
    struct classes classes;
    uint32_t bits = 0;

    for (uint32_t i = 0; i < count; i++)
        bits += bits_of(&p->uops[i]);
    p->bits = malloc(bits + 1);
    p->uop = malloc(count * sizeof(*p->uop));
    if (p->bits == NULL || p->uop == NULL)
        return igpu_no_memory(err, "profile");
    find_classes(&classes, p->uops, count);
    bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t list[PROFILE_BITS];

        p->uop[i] = uop_of(&classes, &p->uops[i], list);
        p->uop[i].response = (p->uops[i].rlen > 0 ? p->uops[i].rlen : 1U) *
                             (uint32_t)p->config->eu_resp_grf;
        p->uop[i].set_bits = bits;
        p->uop[i].first = p->uop[i].sets > 0 ? list[0] : PROFILE_BITS;
        memcpy(&p->bits[bits], list, p->uop[i].sets);
        bits += p->uop[i].sets;
    }
    return IGPU_OK;
}

enum igpu_status profile_load(struct profile *p, const struct uop *uops, uint32_t count,
                              struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    free(p->uops);
    free(p->source);
    free(p->uop);
    free(p->bits);
    p->uop = NULL;
    p->bits = NULL;
    p->uops = malloc(count * sizeof(*p->uops));
    p->source = malloc(count * sizeof(*p->source));
    if (p->uops == NULL || p->source == NULL)
        return igpu_no_memory(err, "profile");
    memcpy(p->source, uops, count * sizeof(*uops));
    for (unsigned i = 0; i < p->config->gpu_subslices && status == IGPU_OK; i++)
        status = icache_load(p->tile[i].icache, p->source, count, err);
    if (status == IGPU_OK)
        status = ref_timing_decode(p->uops, uops, count, p->config, err);
    return status == IGPU_OK ? list_uops(p, count, err) : status;
}
