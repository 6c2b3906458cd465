/* view_heat.c - banks and reuse of a launch (docs/guide/profile.md, section 7); see
 * view.h. */
#include <inttypes.h>

#include "bridge/programs/view/view.h"
#include "igpu/heat.h"
#include "igpu/json.h"

static const struct heat_result *heat_of(const struct view *v, uint32_t at)
{
    uint32_t count = 0;
    const struct heat_result *h =
        v->heat != NULL ? heat_results(v->heat, &count) : NULL;

    return at < count ? &h[at] : NULL;
}

static uint32_t dram_banks(const struct igpu_config *c)
{
    return (uint32_t)(c->dram_ranks * c->dram_groups * c->dram_banks);
}

static void json_cells(struct igpu_json *j, const char *key,
                       const struct heat_cell *cell, uint64_t count)
{
    igpu_json_array(j, key, IGPU_JSON_ROW);
    for (uint64_t i = 0; i < count; i++) {
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, cell[i].uses);
        igpu_json_u64(j, NULL, cell[i].lost);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

/* [[from, how many], ...] of the buckets that have some. */
static void json_buckets(struct igpu_json *j, const char *key,
                         const uint64_t bucket[HEAT_BUCKETS])
{
    igpu_json_array(j, key, IGPU_JSON_ROW);
    for (unsigned i = 0; i < HEAT_BUCKETS; i++) {
        if (bucket[i] == 0)
            continue;
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        igpu_json_u64(j, NULL, UINT64_C(1) << i);
        igpu_json_u64(j, NULL, bucket[i]);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

static void json_slm(struct igpu_json *j, const struct igpu_config *c,
                     const struct heat_result *h)
{
    igpu_json_array(j, "slm", IGPU_JSON_ROW);
    for (uint64_t i = 0; i < c->gpu_subslices; i++) {
        igpu_json_array(j, NULL, IGPU_JSON_ROW);
        for (uint64_t k = 0; k < c->slm_banks; k++)
            igpu_json_u64(j, NULL, h->slm[i][k]);
        igpu_json_end(j);
    }
    igpu_json_end(j);
}

void view_json_heat(struct igpu_json *j, const struct view *v, uint32_t at)
{
    const struct igpu_config *c = v->config;
    const struct heat_result *h = heat_of(v, at);

    if (h == NULL)
        return;
    igpu_json_object(j, "heat", IGPU_JSON_ROW);
    json_cells(j, "l3", h->l3, c->l3_banks * c->gpu_slices);
    json_cells(j, "llc", h->llc, c->llc_slices);
    igpu_json_array(j, "dram", IGPU_JSON_ROW);
    for (uint64_t i = 0; i < c->dram_channels; i++)
        json_cells(j, NULL, h->dram[i], dram_banks(c));
    igpu_json_end(j);
    json_slm(j, c, h);
    igpu_json_bool(j, "whole", h->whole);
    igpu_json_u64(j, "lines", h->lines);
    json_buckets(j, "again", h->again);
    json_buckets(j, "times", h->times);
    igpu_json_end(j);
}

struct spread {
    uint64_t sum, most, lost;
    uint32_t count;
};

static void count(struct spread *s, uint64_t uses, uint64_t lost)
{
    s->sum += uses;
    s->most = uses > s->most ? uses : s->most;
    s->lost += lost;
    s->count++;
}

static void print_spread(FILE *out, const char *what, const struct spread *s,
                         const char *lost)
{
    if (s->sum == 0)
        return;
    fprintf(out, "%12" PRIu64 "  %9.2f x  %s", s->sum,
            (double)s->most * s->count / (double)s->sum, what);
    if (lost[0] != '\0')
        fprintf(out, "; %" PRIu64 " %s", s->lost, lost);
    fputc('\n', out);
}

static void print_buckets(FILE *out, const char *what,
                          const uint64_t bucket[HEAT_BUCKETS])
{
    fprintf(out, "  %s:", what);
    for (unsigned i = 0; i < HEAT_BUCKETS; i++)
        if (bucket[i] != 0)
            fprintf(out, " %" PRIu64 ": %" PRIu64, UINT64_C(1) << i, bucket[i]);
    fputc('\n', out);
}

void view_text_heat(FILE *out, const struct view *v, uint32_t at)
{
    const struct igpu_config *c = v->config;
    const struct heat_result *h = heat_of(v, at);
    struct spread l3 = {0}, llc = {0}, dram = {0}, slm = {0};

    if (h == NULL)
        return;
    for (uint64_t i = 0; i < c->l3_banks * c->gpu_slices; i++)
        count(&l3, h->l3[i].uses, h->l3[i].lost);
    for (uint64_t i = 0; i < c->llc_slices; i++)
        count(&llc, h->llc[i].uses, h->llc[i].lost);
    for (uint64_t i = 0; i < c->dram_channels; i++)
        for (uint32_t k = 0; k < dram_banks(c); k++)
            count(&dram, h->dram[i][k].uses, h->dram[i][k].lost);
    for (uint64_t i = 0; i < c->gpu_subslices; i++)
        for (uint64_t k = 0; k < c->slm_banks; k++)
            count(&slm, h->slm[i][k], 0);
    fprintf(out, "\n%12s  %11s  banks: uses, and the fullest over their mean\n", "uses",
            "fullest");
    print_spread(out, "lines of the L3's banks", &l3, "cycles stalled");
    print_spread(out, "lines of the LLC's slices", &llc, "ps in front of them");
    print_spread(out, "lines of the DRAM's banks", &dram, "rows opened");
    print_spread(out, "words of the SLM's banks", &slm, "");
    fprintf(out, "  %" PRIu64 " different lines in the L3's banks%s\n", h->lines,
            h->whole ? "" : ", or more: memory was short");
    print_buckets(out, "lines, by how often they are used", h->times);
    print_buckets(out, "uses, by lines served since the one before", h->again);
}
