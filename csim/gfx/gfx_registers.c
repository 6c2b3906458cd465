/* gfx_registers.c - registers by number: those that count, predicates, and the command
 * streamer's arithmetic on its sixteen of 64 bits. */
#include "gfx_commands.h"

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
            g->c->statistic[i] += each[i].more;
}

/* Time goes on by one with each look at it, beside what is done meanwhile: gfx.c. A
 * context's own is the same: what a driver takes of it are differences within a batch.
 */
static bool counting(struct gfx *g, uint32_t offset, uint64_t *value)
{
    if (offset >= GFX_REG_STATISTICS &&
        offset < GFX_REG_STATISTICS + 8 * GFX_STATISTICS) {
        *value = g->c->statistic[(offset - GFX_REG_STATISTICS) / 8];
        return true;
    }
    if (offset == GFX_REG_TIMESTAMP || offset == GFX_REG_CONTEXT_TIME) {
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

enum igpu_status gfx_predicate(struct gfx *g, const uint32_t *p)
{
    enum { KEEP = 0, LOAD = 2, LOAD_INVERSE = 3 };
    uint32_t load = gfx_part(p, GFX_PREDICATE_LOAD);
    uint32_t combine = gfx_part(p, GFX_PREDICATE_COMBINE);
    bool now, before = gfx_register(g, GFX_REG_PREDICATE) & 1;

    if (load == KEEP)
        return IGPU_OK;
    switch (gfx_part(p, GFX_PREDICATE_COMPARE)) {
    case 0:
        now = true;
        break;
    case 1:
        now = false;
        break;
    case 2:
        now =
            wide(g, GFX_REG_PREDICATE_SOURCE_0) == wide(g, GFX_REG_PREDICATE_SOURCE_1);
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

struct alu {
    uint64_t a, b, result;
    bool carry;
};

static enum igpu_status alu_load(struct gfx *g, struct alu *u, uint32_t to, uint64_t v)
{
    if (to != GFX_ALU_SRC_A && to != GFX_ALU_SRC_B)
        return gfx_refuse(g, "an MI_MATH load to 0x%x", to);
    *(to == GFX_ALU_SRC_A ? &u->a : &u->b) = v;
    return IGPU_OK;
}

static enum igpu_status alu_store(struct gfx *g, const struct alu *u, uint32_t to,
                                  uint32_t from, bool inverse)
{
    uint64_t v = from == GFX_ALU_ACCUMULATOR ? u->result
                 : from == GFX_ALU_ZERO_FLAG ? (u->result == 0 ? UINT64_MAX : 0)
                                             : (u->carry ? UINT64_MAX : 0);

    if (to > 15 || from < GFX_ALU_ACCUMULATOR || from > GFX_ALU_CARRY_FLAG)
        return gfx_refuse(g, "an MI_MATH store of 0x%x to 0x%x", from, to);
    v = inverse ? ~v : v;
    gfx_set_register(g, GFX_REG_GPR + 8 * to, (uint32_t)v);
    gfx_set_register(g, GFX_REG_GPR + 8 * to + 4, (uint32_t)(v >> 32));
    return IGPU_OK;
}

static enum igpu_status alu_step(struct gfx *g, struct alu *u, uint32_t word)
{
    uint32_t op = gfx_part_of(word, GFX_ALU_OPCODE);
    uint32_t first = gfx_part_of(word, GFX_ALU_FIRST);
    uint32_t second = gfx_part_of(word, GFX_ALU_SECOND);
    uint64_t gpr = wide(g, GFX_REG_GPR + 8 * (second & 15));

    switch (op) {
    case GFX_ALU_NOOP:
        return IGPU_OK;
    case GFX_ALU_LOAD:
    case GFX_ALU_LOADINV:
        return second > 15 ? gfx_refuse(g, "an MI_MATH load of 0x%x", second)
                           : alu_load(g, u, first, op == GFX_ALU_LOAD ? gpr : ~gpr);
    case GFX_ALU_LOAD0:
    case GFX_ALU_LOAD1:
        return alu_load(g, u, first, op == GFX_ALU_LOAD0 ? 0 : UINT64_MAX);
    case GFX_ALU_ADD:
        u->result = u->a + u->b;
        u->carry = u->result < u->a;
        return IGPU_OK;
    case GFX_ALU_SUB:
        u->result = u->a - u->b;
        u->carry = u->a < u->b;
        return IGPU_OK;
    case GFX_ALU_AND:
        u->result = u->a & u->b;
        return IGPU_OK;
    case GFX_ALU_OR:
        u->result = u->a | u->b;
        return IGPU_OK;
    case GFX_ALU_XOR:
        u->result = u->a ^ u->b;
        return IGPU_OK;
    case GFX_ALU_STORE:
    case GFX_ALU_STOREINV:
        return alu_store(g, u, first, second, op == GFX_ALU_STOREINV);
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
