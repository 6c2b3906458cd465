/* rtl_regs.c - see rtl_regs.h */
#include "bridge/engines/rtl/rtl_regs.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/engines/rtl/rtl_fields.h"
#include "igpu_regs_words.h"

/* The numbers of the table and those of igpu/uop.h are the same. */
#define SAME(name)                                                                     \
    _Static_assert((int)IGPU_CLASS_##name == (int)UOP_##name, "class " #name)
SAME(ALU32);
SAME(ALU64);
SAME(DF);
SAME(MATH);
SAME(MATH2);
SAME(IDIV);
SAME(DOT);
SAME(LRP);
SAME(CTRL);
SAME(NOP);
SAME(MSG);
#undef SAME
_Static_assert((int)IGPU_UNIT_FPU_ANY == (int)UOP_FPU_ANY &&
                   (int)IGPU_UNIT_FPU1 == (int)UOP_FPU1 &&
                   (int)IGPU_UNIT_SEND == (int)UOP_SEND &&
                   (int)IGPU_UNIT_BRANCH == (int)UOP_BRANCH,
               "units");
_Static_assert((int)IGPU_DST_GRF == (int)UOP_DST_GRF &&
                   (int)IGPU_DST_ACC == (int)UOP_DST_ACC &&
                   (int)IGPU_DST_FLAG == (int)UOP_DST_FLAG,
               "kinds of destination");
_Static_assert(1 << (IGPU_UCTL_EOT_AT - IGPU_UCTL_FLAGS_AT) == (int)UOP_EOT &&
                   1 << (IGPU_UCTL_PORT_AT - IGPU_UCTL_FLAGS_AT) == (int)UOP_PORT,
               "flags");
_Static_assert((int)UOP_RUN_MAX < 1 << IGPU_LEN_W &&
                   (int)UOP_MAX_KERNEL <= 1 << IGPU_UOP_W,
               "runs");

/* The write port holds every parameter's maximum (the registers' widths are made from
 * it): MAX_x is x's, or what is too much. */
enum {
#define IGPU_PARAM(id, key, def, min, max, unit, source)                               \
    MAX_##id = (max) < (1 << IGPU_CFG_W) ? (int)(max) : 1 << IGPU_CFG_W,
#include "igpu/params.def"
#undef IGPU_PARAM
};

/* FITS: 0, for an offset to which nothing is added. */
#define FITS(id) (sizeof(char[MAX_##id < 1 << IGPU_CFG_W ? 1 : -1]) - 1)
#define REG(addr, id)                                                                  \
    {                                                                                  \
        (addr), offsetof(struct igpu_config, id) + FITS(id)                            \
    }
/* A class's timing registers. */
#define TIMING(class, field)                                                           \
    (UOP_##class << IGPU_ADDR_CLASS_AT | IGPU_FIELD_##field << IGPU_ADDR_FIELD_AT)
#define CLASS(class, id)                                                               \
    REG(TIMING(class, OCC), id##_occ), REG(TIMING(class, FE), id##_fe),                \
        REG(TIMING(class, LAT), id##_lat)
#define CLASS_ACC_FLAG(class, id)                                                      \
    CLASS(class, id), REG(TIMING(class, LAT_ACC), id##_lat_acc),                       \
        REG(TIMING(class, LAT_FLAG), id##_lat_flag)

static const struct rtl_reg regs[] = {
    CLASS_ACC_FLAG(ALU32, eu_alu32),
    CLASS_ACC_FLAG(ALU64, eu_alu64),
    CLASS_ACC_FLAG(DF, eu_df),
    CLASS(MATH, eu_math),
    CLASS(MATH2, eu_math2),
    CLASS(IDIV, eu_idiv),
    CLASS(DOT, eu_dot),
    CLASS(LRP, eu_lrp),
    REG(IGPU_REG_CONFLICT_FE, eu_conflict_fe),
    REG(IGPU_REG_BRANCH_FE, eu_branch_fe),
    REG(IGPU_REG_NOP_FE, eu_nop_fe),
    REG(IGPU_REG_SEND_GRF, eu_send_grf),
    REG(IGPU_REG_RESP_GRF, eu_resp_grf),
    REG(IGPU_REG_DP_QUEUE, dp_queue),
    REG(IGPU_REG_EU_COUNT, eu_count),
    REG(IGPU_REG_EU_THREADS, eu_threads),
    REG(IGPU_REG_SUBSLICES, gpu_subslices),
    REG(IGPU_REG_INTERVAL, disp_interval),
    REG(IGPU_REG_START_LATENCY, disp_start_latency),
    REG(IGPU_REG_END_LATENCY, disp_end_latency),
    REG(IGPU_REG_BARRIERS, disp_barriers),
    REG(IGPU_REG_SLM_KB, disp_slm_kb),
    REG(IGPU_REG_SWITCH_FE, eu_switch_fe),
    REG(IGPU_REG_DISP_POLICY, disp_policy),
};

const struct rtl_reg *rtl_regs(size_t *count)
{
    *count = sizeof(regs) / sizeof(regs[0]);
    return regs;
}

uint64_t rtl_uctl(const struct uop *u)
{
    return FIELD64(IGPU_UCTL_UNIT, u->unit) | FIELD64(IGPU_UCTL_CLASS, u->cls) |
           FIELD64(IGPU_UCTL_EXEC, u->exec_grfs) |
           FIELD64(IGPU_UCTL_GRFS, u->dst_grfs) |
           FIELD64(IGPU_UCTL_CONFLICTS, u->conflicts) | FIELD64(IGPU_UCTL_DST, u->dst) |
           FIELD64(IGPU_UCTL_PAYLOAD, u->payload) | FIELD64(IGPU_UCTL_RLEN, u->rlen) |
           FIELD64(IGPU_UCTL_FLAGS, u->flags) | FIELD64(IGPU_UCTL_SWITCH, u->switches);
}

enum igpu_status rtl_keep_uops(struct uop **kept, const struct uop *uops,
                               uint32_t count, uint32_t depth, struct igpu_err *err)
{
    struct uop *copy;

    if (count == 0 || count > depth)
        return igpu_fail(err, IGPU_USAGE,
                         "kernel has %u instructions, the RTL's instruction store "
                         "holds 1 to %u; use --engine ref",
                         count, depth);
    copy = malloc(count * sizeof(*copy));
    if (!copy)
        return igpu_no_memory(err, "RTL engine");
    memcpy(copy, uops, count * sizeof(*copy));
    free(*kept);
    *kept = copy;
    return IGPU_OK;
}
