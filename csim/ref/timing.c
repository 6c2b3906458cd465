/* timing.c - see timing.h. */
#include "timing.h"

#include <stdbool.h>

#include "igpu/uop_cycles.h"

/* The parameters of one class; latencies by enum uop_dst. */
struct class_cycles {
    uint64_t fe, lat[3];
};

static struct class_cycles class_cycles(const struct igpu_config *c, unsigned cls)
{
    switch (cls) {
    case UOP_ALU32:
        return (struct class_cycles){
            c->eu_alu32_fe,
            {c->eu_alu32_lat, c->eu_alu32_lat_acc, c->eu_alu32_lat_flag}};
    case UOP_ALU64:
        return (struct class_cycles){
            c->eu_alu64_fe,
            {c->eu_alu64_lat, c->eu_alu64_lat_acc, c->eu_alu64_lat_flag}};
    case UOP_DF:
        return (struct class_cycles){
            c->eu_df_fe, {c->eu_df_lat, c->eu_df_lat_acc, c->eu_df_lat_flag}};
#define ONE_LATENCY(CLASS, id)                                                         \
    case CLASS:                                                                        \
        return (struct class_cycles)                                                   \
        {                                                                              \
            c->eu_##id##_fe,                                                           \
            {                                                                          \
                c->eu_##id##_lat, c->eu_##id##_lat, c->eu_##id##_lat                   \
            }                                                                          \
        }
        ONE_LATENCY(UOP_MATH, math);
        ONE_LATENCY(UOP_MATH2, math2);
        ONE_LATENCY(UOP_IDIV, idiv);
        ONE_LATENCY(UOP_DOT, dot);
        ONE_LATENCY(UOP_LRP, lrp);
#undef ONE_LATENCY
    default:
        return (struct class_cycles){0};
    }
}

static uint8_t clamp(uint64_t cycles, uint64_t least)
{
    if (cycles < least)
        return (uint8_t)least;
    return (uint8_t)(cycles > UOP_MAX_CYCLES ? UOP_MAX_CYCLES : cycles);
}

static void decode(struct ref_uop *out, const struct uop *u,
                   const struct igpu_config *config)
{
    struct class_cycles cc = class_cycles(config, u->cls);
    uint64_t send = u->payload * config->eu_send_grf;

    *out = (struct ref_uop){
        .need = {u->need[0], u->need[1]},
        .set = {u->set[0], u->set[1]},
        .need_x = u->need_x,
        .set_x = u->set_x,
        .unit = u->unit,
        .flags = u->flags,
        .rlen = u->rlen,
        .sets = (u->set[0] | u->set[1]) != 0 || u->set_x != 0,
    };
    if (u->flags & UOP_EOT) {
        out->need[0] = out->need[1] = UINT64_MAX;
        out->need_x = UINT8_MAX;
    }
    if (u->unit == UOP_SEND) {
        out->occ = clamp(uop_occupancy(config, u), 1);
        out->fe = clamp(send, 2);
    } else if (u->unit == UOP_BRANCH) {
        out->fe =
            clamp(u->cls == UOP_CTRL ? config->eu_branch_fe : config->eu_nop_fe, 2);
    } else {
        out->occ = clamp(uop_occupancy(config, u), 1);
        out->fe = clamp(u->dst_grfs * cc.fe + u->conflicts * config->eu_conflict_fe, 2);
        out->use_lat = (uint16_t)(out->occ + cc.lat[u->dst]);
    }
    if (u->switches)
        out->fe = clamp(out->fe, config->eu_switch_fe);
}

/* Why *u is not an instruction of section 5, or NULL. */
static const char *wrong(const struct uop *u)
{
    bool sets = (u->set[0] | u->set[1]) != 0 || u->set_x != 0;
    bool fpu = u->unit == UOP_FPU_ANY || u->unit == UOP_FPU1;

    if (u->unit > UOP_BRANCH || u->cls > UOP_MSG || u->dst > UOP_DST_FLAG)
        return "its unit, class or kind of destination is unknown";
    if (fpu != (u->cls <= UOP_LRP) || (u->unit == UOP_SEND) != (u->cls == UOP_MSG))
        return "its class does not belong to its unit";
    if ((u->set[0] & ~u->need[0]) | (u->set[1] & ~u->need[1]) |
        (uint64_t)(u->set_x & ~u->need_x))
        return "it sets a bit that it does not need";
    if (sets && u->unit == UOP_BRANCH)
        return "a BRANCH instruction sets nothing";
    if (u->flags != 0 && u->unit != UOP_SEND)
        return "only a SEND instruction has flags";
    if (sets && u->unit == UOP_SEND && !(u->flags & UOP_WB))
        return "a message without UOP_WB sets nothing";
    if ((u->flags & UOP_EOT) && u->flags != UOP_EOT)
        return "EOT makes no message";
    return NULL;
}

enum igpu_status ref_timing_decode(struct ref_uop *out, const struct uop *uops,
                                   uint32_t count, const struct igpu_config *config,
                                   struct igpu_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *why = wrong(&uops[i]);

        if (why != NULL)
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "instruction %u of the kernel: %s (docs/contract/model.md "
                             "section 5); record the trace again",
                             (unsigned)i, why);
        decode(&out[i], &uops[i], config);
        out[i].index = i;
    }
    return IGPU_OK;
}
