/* config_memory.c - the rules of igpu_config_check_memory() (igpu/config.h). */
#include <inttypes.h>

#include "igpu/config.h"

static enum igpu_status power_of_two(const char *what, uint64_t value,
                                     struct igpu_err *err)
{
    if (value != 0 && (value & (value - 1)) == 0)
        return IGPU_OK;
    return igpu_fail(err, IGPU_USAGE, "%s is %" PRIu64 ", must be a power of two", what,
                     value);
}

struct rule {
    const char *what;
    uint64_t value;
};

static enum igpu_status check_powers(const struct igpu_config *c, struct igpu_err *err)
{
    const struct rule rules[] = {
        {"slm.banks", c->slm_banks},
        {"l3.banks", c->l3_banks},
        {"l3.sets", c->l3_sets},
        {"l3.ecc_bytes", c->l3_ecc_bytes},
        {"page.bytes", c->page_bytes},
        {"llc.size / (64 x llc.ways x llc.slices), the sets of a slice,",
         c->llc_size / 64 / c->llc_ways / c->llc_slices},
        {"cpu.page_bytes", c->cpu_page_bytes},
        {"cpu.l1_bytes / (64 x cpu.l1_ways), the L1's sets,",
         c->cpu_l1_bytes / 64 / c->cpu_l1_ways},
        {"cpu.l2_bytes / (64 x cpu.l2_ways), the L2's sets,",
         c->cpu_l2_bytes / 64 / c->cpu_l2_ways},
        {"dram.channels", c->dram_channels},
        {"dram.ranks", c->dram_ranks},
        {"dram.groups", c->dram_groups},
        {"dram.banks", c->dram_banks},
        {"dram.row_bytes", c->dram_row_bytes}};

    for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        enum igpu_status status = power_of_two(rules[i].what, rules[i].value, err);

        if (status != IGPU_OK)
            return status;
    }
    if (c->edram_size != 0 &&
        power_of_two("edram.size / (64 x edram.ways), the sets,",
                     c->edram_size / 64 / c->edram_ways, err) != IGPU_OK)
        return IGPU_USAGE;
    if (c->tlb_entries != 0 &&
        power_of_two("tlb.entries / tlb.ways, the sets,", c->tlb_entries / c->tlb_ways,
                     err) != IGPU_OK)
        return IGPU_USAGE;
    return IGPU_OK;
}

/* The caches of samplers and render targets have whole sets; how many does not matter.
 */
static enum igpu_status check_caches(const struct igpu_config *c, struct igpu_err *err)
{
    const struct rule rules[] = {
        {"tex.l1_bytes", c->tex_l1_bytes % (64 * c->tex_l1_ways)},
        {"tex.l2_bytes", c->tex_l2_bytes % (64 * c->tex_l2_ways)},
        {"rt.cache_bytes", c->rt_cache_bytes % (64 * c->rt_cache_ways)},
        {"ds.cache_bytes", c->ds_cache_bytes % (64 * c->ds_cache_ways)}};

    for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].value != 0)
            return igpu_fail(err, IGPU_USAGE,
                             "%s must be a multiple of 64 x the cache's ways",
                             rules[i].what);
    return IGPU_OK;
}

/* Sizes that a division above may have rounded. */
static enum igpu_status check_sizes(const struct igpu_config *c, struct igpu_err *err)
{
    if (c->llc_size % (64 * c->llc_ways * c->llc_slices) != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "llc.size must be a multiple of 64 x llc.ways x llc.slices");
    if (c->edram_size % (64 * c->edram_ways) != 0)
        return igpu_fail(err, IGPU_USAGE,
                         "edram.size must be a multiple of 64 x edram.ways");
    if (c->tlb_entries % c->tlb_ways != 0)
        return igpu_fail(err, IGPU_USAGE, "tlb.entries must be a multiple of tlb.ways");
    return IGPU_OK;
}

static enum igpu_status check_orders(const struct igpu_config *c, struct igpu_err *err)
{
    if (c->l3_ways_slm > c->l3_ways)
        return igpu_fail(err, IGPU_USAGE, "l3.ways_slm must not exceed l3.ways");
    if (c->dram_write_high > c->dram_queue)
        return igpu_fail(err, IGPU_USAGE, "dram.write_high must not exceed dram.queue");
    if (c->dram_write_low >= c->dram_write_high)
        return igpu_fail(err, IGPU_USAGE,
                         "dram.write_low must be less than dram.write_high");
    return IGPU_OK;
}

enum igpu_status igpu_config_check_memory(const struct igpu_config *config,
                                          struct igpu_err *err)
{
    enum igpu_status status = check_powers(config, err);

    if (status == IGPU_OK)
        status = check_caches(config, err);
    if (status == IGPU_OK)
        status = check_sizes(config, err);
    if (status == IGPU_OK)
        status = check_orders(config, err);
    return status;
}
