/* uop_cycles.c - see igpu/uop_cycles.h */
#include "igpu/uop_cycles.h"

static uint64_t per_grf(const struct igpu_config *config, unsigned cls)
{
    const uint64_t occ[] = {
        [UOP_ALU32] = config->eu_alu32_occ, [UOP_ALU64] = config->eu_alu64_occ,
        [UOP_DF] = config->eu_df_occ,       [UOP_MATH] = config->eu_math_occ,
        [UOP_MATH2] = config->eu_math2_occ, [UOP_IDIV] = config->eu_idiv_occ,
        [UOP_DOT] = config->eu_dot_occ,     [UOP_LRP] = config->eu_lrp_occ};

    return cls < sizeof(occ) / sizeof(occ[0]) ? occ[cls] : 0;
}

uint8_t uop_occupancy(const struct igpu_config *config, const struct uop *uop)
{
    uint64_t cycles;

    if (uop->unit == UOP_BRANCH)
        return 1;
    if (uop->unit == UOP_SEND)
        cycles = uop->payload * config->eu_send_grf;
    else
        cycles = uop->exec_grfs * per_grf(config, uop->cls);
    return (uint8_t)(cycles > UOP_MAX_CYCLES ? UOP_MAX_CYCLES : cycles);
}
