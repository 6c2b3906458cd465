/* rtl_regs.c - see rtl_regs.h */
#include "bridge/rtl/rtl_regs.h"

#include <stdlib.h>
#include <string.h>

/* A class's timing register has address class * 8 + field. */
enum { FIELD_OCC, FIELD_FE, FIELD_LAT, FIELD_LAT_ACC, FIELD_LAT_FLAG };

#define REG(addr, id)                                                                  \
    {                                                                                  \
        (addr), offsetof(struct igpu_config, id)                                       \
    }
#define CLASS(class, id)                                                               \
    REG((class) * 8 + FIELD_OCC, id##_occ), REG((class) * 8 + FIELD_FE, id##_fe),      \
        REG((class) * 8 + FIELD_LAT, id##_lat)
#define CLASS_ACC_FLAG(class, id)                                                      \
    CLASS(class, id), REG((class) * 8 + FIELD_LAT_ACC, id##_lat_acc),                  \
        REG((class) * 8 + FIELD_LAT_FLAG, id##_lat_flag)

static const struct rtl_reg regs[] = {
    CLASS_ACC_FLAG(UOP_ALU32, eu_alu32),
    CLASS_ACC_FLAG(UOP_ALU64, eu_alu64),
    CLASS_ACC_FLAG(UOP_DF, eu_df),
    CLASS(UOP_MATH, eu_math),
    CLASS(UOP_MATH2, eu_math2),
    CLASS(UOP_IDIV, eu_idiv),
    CLASS(UOP_DOT, eu_dot),
    CLASS(UOP_LRP, eu_lrp),
    REG(0x60, eu_conflict_fe),
    REG(0x61, eu_branch_fe),
    REG(0x62, eu_nop_fe),
    REG(0x63, eu_send_grf),
    REG(0x64, eu_resp_grf),
    REG(0x65, dp_queue),
    REG(0x66, eu_count),
    REG(0x67, eu_threads),
    REG(0x68, gpu_subslices),
    REG(0x69, disp_interval),
    REG(0x6a, disp_start_latency),
    REG(0x6b, disp_end_latency),
    REG(0x6c, disp_barriers),
    REG(0x6d, disp_slm_kb),
    REG(0x6e, eu_switch_fe),
};

const struct rtl_reg *rtl_regs(size_t *count)
{
    *count = sizeof(regs) / sizeof(regs[0]);
    return regs;
}

uint64_t rtl_uctl(const struct uop *u)
{
    return (uint64_t)u->unit | (uint64_t)u->cls << 2 | (uint64_t)u->exec_grfs << 6 |
           (uint64_t)u->dst_grfs << 10 | (uint64_t)u->conflicts << 14 |
           (uint64_t)u->dst << 18 | (uint64_t)u->payload << 20 |
           (uint64_t)u->rlen << 25 | (uint64_t)u->flags << 30 |
           (uint64_t)u->switches << 34;
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
        return igpu_fail(err, IGPU_SIM_ERROR, "RTL engine: out of memory");
    memcpy(copy, uops, count * sizeof(*copy));
    free(*kept);
    *kept = copy;
    return IGPU_OK;
}
