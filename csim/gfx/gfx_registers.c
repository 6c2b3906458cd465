/* gfx_registers.c - registers by number: those that count, predicates, and the command
 * streamer's arithmetic on its sixteen of 64 bits. */
#include "gfx_int.h"

enum { REG_STATISTICS = 0x2300, REG_TIMESTAMP = 0x2358, REG_CONTEXT_TIME = 0x23A8 };

/* ---- registers ---------------------------------------------------------- */

/* Drivers have their own draws, clears and copies, not counted. */
void gfx_count_statistics(struct gfx *g, const struct gfx_counters *counted)
{
    const struct {
        enum gfx_field on;
        uint64_t more;
    } each[GFX_STATISTICS] = {
        [GFX_STATISTIC_HS] = {GFX_HS_STATISTICS, counted->hs_invocations},
        [GFX_STATISTIC_DS] = {GFX_DS_STATISTICS, counted->ds_invocations},
        [GFX_STATISTIC_IA_VERTICES] = {GFX_VF_STATISTICS, counted->ia_vertices},
        [GFX_STATISTIC_IA_PRIMITIVES] = {GFX_VF_STATISTICS, counted->ia_primitives},
        [GFX_STATISTIC_VS] = {GFX_VS_STATISTICS, counted->vs_invocations},
        [GFX_STATISTIC_GS] = {GFX_GS_STATISTICS, counted->gs_invocations},
        [GFX_STATISTIC_GS_PRIMITIVES] = {GFX_GS_STATISTICS, counted->gs_primitives},
        [GFX_STATISTIC_CL] = {GFX_CLIP_STATISTICS, counted->cl_invocations},
        [GFX_STATISTIC_CL_PRIMITIVES] = {GFX_CLIP_STATISTICS, counted->cl_primitives},
        [GFX_STATISTIC_PS] = {GFX_WM_STATISTICS, counted->ps_invocations},
        [GFX_STATISTIC_DEPTH] = {GFX_WM_STATISTICS, counted->samples_passed},
    };

    for (uint32_t i = 0; i < GFX_STATISTICS; i++)
        if (gfx_get(g, each[i].on))
            g->statistic[i] += each[i].more;
}

/* Time goes on by one with each look at it, beside what is done meanwhile: gfx.c. A
 * context's own is the same: what a driver takes of it are differences within a batch.
 */
static bool counting(struct gfx *g, uint32_t offset, uint64_t *value)
{
    if (offset >= REG_STATISTICS && offset < REG_STATISTICS + 8 * GFX_STATISTICS) {
        *value = g->statistic[(offset - REG_STATISTICS) / 8];
        return true;
    }
    if (offset == REG_TIMESTAMP || offset == REG_CONTEXT_TIME) {
        *value = gfx_look(g);
        return true;
    }
    return gfx_stream_counts(g, offset, value);
}

uint32_t gfx_read_register(struct gfx *g, uint32_t offset)
{
    uint64_t value;

    if (counting(g, offset & ~4u, &value))
        return (uint32_t)(offset & 4 ? value >> 32 : value);
    return (uint32_t)gfx_register(g, offset);
}

/* ---- predicates --------------------------------------------------------- */

static uint64_t wide(struct gfx *g, uint32_t offset)
{
    return gfx_register(g, offset) | gfx_register(g, offset + 4) << 32;
}

enum igpu_status gfx_predicate(struct gfx *g, uint32_t head)
{
    enum { SOURCE_0 = 0x2400, SOURCE_1 = 0x2408, KEEP = 0, LOAD = 2, LOAD_INVERSE = 3 };
    uint32_t load = gfx_bits(head, 6, 7), combine = gfx_bits(head, 3, 4);
    bool now, before = gfx_register(g, GFX_REG_PREDICATE) & 1;

    if (load == KEEP)
        return IGPU_OK;
    switch (head & 3) {
    case 0:
        now = true;
        break;
    case 1:
        now = false;
        break;
    case 2:
        now = wide(g, SOURCE_0) == wide(g, SOURCE_1);
        break;
    default:
        return gfx_refuse(g, "a predicate of differences");
    }
    now = load == LOAD_INVERSE ? !now : now;
    now = combine == 1   ? now && before
          : combine == 2 ? now || before
          : combine == 3 ? now != before
                         : now;
    gfx_set_register(g, GFX_REG_PREDICATE, now);
    return IGPU_OK;
}

/* ---- arithmetic --------------------------------------------------------- */

enum { GPR = 0x2600, SRC_A = 0x20, SRC_B, ACCUMULATOR = 0x31, ZERO_FLAG, CARRY_FLAG };

struct alu {
    uint64_t a, b, result;
    bool carry;
};

static enum igpu_status alu_load(struct gfx *g, struct alu *u, uint32_t to, uint64_t v)
{
    if (to != SRC_A && to != SRC_B)
        return gfx_refuse(g, "an MI_MATH load to 0x%x", to);
    *(to == SRC_A ? &u->a : &u->b) = v;
    return IGPU_OK;
}

static enum igpu_status alu_store(struct gfx *g, const struct alu *u, uint32_t to,
                                  uint32_t from, bool inverse)
{
    uint64_t v = from == ACCUMULATOR ? u->result
                 : from == ZERO_FLAG ? (u->result == 0 ? UINT64_MAX : 0)
                                     : (u->carry ? UINT64_MAX : 0);

    if (to > 15 || from < ACCUMULATOR || from > CARRY_FLAG)
        return gfx_refuse(g, "an MI_MATH store of 0x%x to 0x%x", from, to);
    v = inverse ? ~v : v;
    gfx_set_register(g, GPR + 8 * to, (uint32_t)v);
    gfx_set_register(g, GPR + 8 * to + 4, (uint32_t)(v >> 32));
    return IGPU_OK;
}

static enum igpu_status alu_step(struct gfx *g, struct alu *u, uint32_t word)
{
    uint32_t op = word >> 20, first = word >> 10 & 0x3FF, second = word & 0x3FF;
    uint64_t gpr = wide(g, GPR + 8 * (second & 15));

    switch (op) {
    case 0x000:
        return IGPU_OK;
    case 0x080:
    case 0x480:
        return second > 15 ? gfx_refuse(g, "an MI_MATH load of 0x%x", second)
                           : alu_load(g, u, first, op == 0x080 ? gpr : ~gpr);
    case 0x081:
    case 0x481:
        return alu_load(g, u, first, op == 0x081 ? 0 : UINT64_MAX);
    case 0x100:
        u->result = u->a + u->b;
        u->carry = u->result < u->a;
        return IGPU_OK;
    case 0x101:
        u->result = u->a - u->b;
        u->carry = u->a < u->b;
        return IGPU_OK;
    case 0x102:
        u->result = u->a & u->b;
        return IGPU_OK;
    case 0x103:
        u->result = u->a | u->b;
        return IGPU_OK;
    case 0x104:
        u->result = u->a ^ u->b;
        return IGPU_OK;
    case 0x180:
    case 0x580:
        return alu_store(g, u, first, second, op == 0x580);
    default:
        return gfx_refuse(g, "an MI_MATH instruction 0x%08x", word);
    }
}

enum igpu_status gfx_math(struct gfx *g, const uint32_t *p, uint32_t n)
{
    struct alu u = {0, 0, 0, false};
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 1; i < n && status == IGPU_OK; i++)
        status = alu_step(g, &u, p[i]);
    return status;
}
