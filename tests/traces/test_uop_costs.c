/* test_uop_costs.c - class, unit, E, G and C of docs/contract/model.md
 * sections 5.1, 5.3 and 5.5 derived a second time, from mnemonics and byte by byte, for
 * every FPU instruction of the compiled kernels, as it is and with operands changed at
 * random. tests/run: timeout=600 */
#include "test_trace_util.h"

#include <stdio.h>

#include "igpu/isa_decode.h"
#include "tests/support/isa_material.h"
#include "traces/feed/uops.h"

enum { MOST = 15, CHANGES = 3 /* changed forms of each instruction */ };

/* What section 5 says of an instruction. */
struct costs {
    unsigned cls, unit, exec, front, conflicts;
};

static bool is_one_of(const char *name, const char *list)
{
    char word[32];

    (void)snprintf(word, sizeof(word), " %s ", name);
    return strstr(list, word) != NULL;
}

/* Bytes of a lane of `type` where it executes: bytes as words. */
static unsigned lane_bytes(unsigned type)
{
    switch (type) {
    case ISA_TYPE_Q:
    case ISA_TYPE_UQ:
    case ISA_TYPE_DF:
        return 8;
    case ISA_TYPE_D:
    case ISA_TYPE_UD:
    case ISA_TYPE_F:
    case ISA_TYPE_VF:
        return 4;
    default:
        return 2;
    }
}

static unsigned own_bytes(unsigned type)
{
    return type == ISA_TYPE_B || type == ISA_TYPE_UB ? 1 : lane_bytes(type);
}

/* Lanes execute in so many bytes, and as double floats or not. */
static unsigned executes(const struct isa_inst *i, bool *df)
{
    unsigned bytes = 0, to = own_bytes(i->dst.type);

    *df = false;
    for (unsigned s = 0; s < i->nsrc; s++) {
        unsigned one = lane_bytes(i->src[s].type);

        bytes = one > bytes ? one : bytes;
        *df |= i->src[s].type == ISA_TYPE_DF;
    }
    if (to > bytes && (i->nsrc == 0 || i->op == ISA_OP_MOV || to == 8)) {
        bytes = to;
        *df = i->dst.type == ISA_TYPE_DF;
    }
    return bytes;
}

static unsigned up(unsigned bytes)
{
    unsigned n = bytes / 32 + (bytes % 32 != 0);

    return n == 0 ? 1 : n > 8 ? 8 : n;
}

static bool dwords(const struct isa_operand *a, const struct isa_operand *b)
{
    return (a->type == ISA_TYPE_D || a->type == ISA_TYPE_UD) &&
           (b->type == ISA_TYPE_D || b->type == ISA_TYPE_UD);
}

static unsigned class_of(const struct isa_inst *i, unsigned bytes, bool df)
{
    const char *op = isa_opcode_name((enum isa_opcode)i->op);

    if (strcmp(op, "math") == 0) {
        const char *f = isa_math_name((enum isa_math)i->math);

        return is_one_of(f, " pow fdiv ")         ? UOP_MATH2
               : is_one_of(f, " idiv iqot irem ") ? UOP_IDIV
                                                  : UOP_MATH;
    }
    if (is_one_of(op, " dp2 dp3 dp4 dph "))
        return UOP_DOT;
    if (is_one_of(op, " lrp line pln "))
        return UOP_LRP;
    if (df)
        return UOP_DF;
    if (bytes == 8 ||
        (is_one_of(op, " mul mac mach ") && dwords(&i->src[0], &i->src[1])) ||
        (strcmp(op, "mad") == 0 && dwords(&i->src[1], &i->src[2])))
        return UOP_ALU64;
    return UOP_ALU32;
}

static bool in_grfs(const struct isa_operand *s)
{
    return s->file == ISA_FILE_GRF && !s->indirect && s->vstride + s->hstride != 0;
}

static unsigned conflicts_of(const struct isa_inst *i)
{
    const struct isa_operand *b = &i->src[1], *c = &i->src[2];

    if (i->nsrc < 3 || !in_grfs(b) || !in_grfs(c) || b->reg == c->reg)
        return 0;
    if (b->reg % 2 != c->reg % 2 || b->reg / 64 != c->reg / 64)
        return 0;
    return up(i->exec_size * own_bytes(b->type));
}

/* GRFs that the first bytes of the source's lanes lie in. */
static unsigned read_by(const struct isa_operand *s, unsigned lanes)
{
    uint8_t touched[256] = {0};
    unsigned sum = 0, row = s->byte, at = row;

    for (unsigned i = 0; i < lanes; i++) {
        if (i != 0 && (s->width <= 1 || i % s->width == 0)) {
            row += s->vstride * own_bytes(s->type);
            at = row;
        }
        touched[at / 32 % 256] = 1;
        at += s->hstride * own_bytes(s->type);
    }
    for (unsigned g = 0; g < sizeof(touched); g++)
        sum += touched[g];
    return sum;
}

/* Words of a0 that a VxH source takes. */
static unsigned addresses(const struct isa_operand *s, unsigned lanes)
{
    unsigned n = 0;

    for (unsigned i = 0; i < lanes; i++)
        n += s->width <= 1 || i % s->width == 0;
    return n;
}

static struct costs expected(const struct isa_inst *i, const struct igpu_config *config)
{
    bool df, null = i->dst.file == ISA_FILE_NULL || i->dst.file == ISA_FILE_NONE;
    unsigned bytes = executes(i, &df), stride = i->dst.hstride ? i->dst.hstride : 1;
    bool address = i->dst.indirect;
    unsigned rows = 0, grfs = 0, passes = up(i->exec_size * bytes);
    struct costs c = {.cls = class_of(i, bytes, df), .conflicts = conflicts_of(i)};

    c.unit = c.cls >= UOP_DF && c.cls <= UOP_IDIV ? UOP_FPU1 : UOP_FPU_ANY;
    for (unsigned s = 0; s < i->nsrc; s++) {
        const struct isa_operand *src = &i->src[s];
        unsigned n = src->indirect && src->vxh ? addresses(src, i->exec_size) : 0;
        unsigned g = in_grfs(src) ? read_by(src, i->exec_size) : 0;

        address |= src->indirect;
        rows = n > rows ? n : rows;
        grfs = g > grfs ? g : grfs;
    }
    c.exec = passes;
    c.front = null ? 1 : up(i->exec_size * own_bytes(i->dst.type) * stride);
    if (config != NULL) {
        unsigned scattered = rows * (unsigned)config->eu_indirect_row;

        c.exec = scattered > c.exec ? scattered : c.exec;
        c.front += scattered;
        if (address)
            c.front += (unsigned)config->eu_indirect_grf;
        if (grfs > passes)
            c.front += (grfs - passes) * (unsigned)config->eu_region_grf;
        c.exec = c.exec > MOST ? MOST : c.exec;
        c.front = c.front > MOST ? MOST : c.front;
    }
    return c;
}

static void check(const char *name, uint32_t at, const struct isa_inst *inst,
                  const struct igpu_config *config)
{
    struct costs c = expected(inst, config);
    struct uop u;

    uop_from_inst(inst, config, &u);
    if (u.cls != c.cls || u.unit != c.unit || u.exec_grfs != c.exec ||
        u.dst_grfs != c.front || u.conflicts != c.conflicts) {
        char text[256];

        (void)isa_disasm(inst, text, sizeof(text));
        fail_msg("%s, instruction %u: %s: class %u unit %u E %u G %u C %u; expected "
                 "class %u unit %u E %u G %u C %u",
                 name, (unsigned)at, text, u.cls, u.unit, u.exec_grfs, u.dst_grfs,
                 u.conflicts, c.cls, c.unit, c.exec, c.front, c.conflicts);
    }
}

/* Another region, place or way to address for one operand in GRFs. */
static void change(struct isa_inst *inst, uint64_t *seed)
{
    static const uint8_t regions[][3] = {{8, 8, 1}, {16, 8, 2}, {4, 1, 0},
                                         {2, 1, 0}, {0, 1, 0},  {1, 1, 0},
                                         {8, 2, 4}, {4, 4, 1},  {32, 8, 4}};
    uint32_t r = material_random(seed);
    struct isa_operand *op = r % 4 < inst->nsrc ? &inst->src[r % 4] : &inst->dst;
    const uint8_t *region = regions[r / 4 % 9];

    if (op->file != ISA_FILE_GRF)
        return;
    if (op != &inst->dst) {
        op->vstride = region[0];
        op->width = region[1];
        op->hstride = region[2];
        op->byte = (uint8_t)(r / 64 % 32 / own_bytes(op->type) * own_bytes(op->type));
        op->vxh = r / 2048 % 2;
    }
    op->indirect = r / 4096 % 3 == 0;
}

static const struct {
    unsigned grf, row, region;
} charges[] = {{0, 0, 0}, {2, 1, 0}, {1, 2, 1}, {7, 2, 7}, {0, 1, 3}};

/* What the visits share: the noise, and how many FPU instructions there were. */
struct visits {
    struct igpu_config config;
    uint64_t seed;
    uint32_t count;
};

static void visit(void *ctx, const char *kernel, uint32_t index,
                  const struct isa_inst *inst)
{
    struct visits *v = ctx;
    struct uop u;

    uop_from_inst(inst, NULL, &u);
    if (u.unit != UOP_FPU_ANY && u.unit != UOP_FPU1)
        return;
    v->count++;
    check(kernel, index, inst, NULL);
    for (unsigned k = 0; k < sizeof(charges) / sizeof(charges[0]); k++) {
        v->config.eu_indirect_grf = charges[k].grf;
        v->config.eu_indirect_row = charges[k].row;
        v->config.eu_region_grf = charges[k].region;
        check(kernel, index, inst, &v->config);
        for (unsigned n = 0; n < CHANGES; n++) {
            struct isa_inst changed = *inst;

            change(&changed, &v->seed);
            check(kernel, index, &changed, &v->config);
        }
    }
}

static void costs_follow_from_the_text_for_all_compiled_kernels(void **state)
{
    struct visits v = {.seed = 5};

    (void)state;
    assert_int_equal(igpu_config_preset(&v.config, "skl-gt2", NULL), IGPU_OK);
    (void)material_instructions(visit, &v);
    print_message("%u FPU instructions\n", v.count);
    assert_true(v.count > 30000);
}

/* ---- by hand ---- */

/* mov of `lanes` dwords, packed. */
static struct isa_inst moved(uint8_t lanes)
{
    struct isa_inst i = plain_inst(ISA_OP_MOV);

    i.exec_size = lanes;
    i.dst = grf(100, ISA_TYPE_UD);
    i.nsrc = 1;
    i.src[0] = grf(10, ISA_TYPE_UD);
    return i;
}

/* The uop under a configuration with these costs of operands. */
static struct uop charged(struct isa_inst inst, unsigned grf, unsigned row,
                          unsigned region)
{
    struct igpu_config config;
    struct uop uop;

    assert_int_equal(igpu_config_preset(&config, "skl-gt2", NULL), IGPU_OK);
    config.eu_indirect_grf = grf;
    config.eu_indirect_row = row;
    config.eu_region_grf = region;
    uop_from_inst(&inst, &config, &uop);
    return uop;
}

static void expect_passes(struct uop uop, unsigned exec, unsigned front)
{
    assert_int_equal(uop.exec_grfs, exec);
    assert_int_equal(uop.dst_grfs, front);
}

static void an_operand_by_address_costs_the_thread(void **state)
{
    struct isa_inst i = moved(1);

    (void)state;
    expect_passes(charged(i, 2, 1, 0), 1, 1);
    i.src[0].indirect = true;
    expect_passes(charged(i, 2, 1, 0), 1, 3);
    expect_passes(charged(i, 0, 1, 0), 1, 1);
    i.dst.indirect = true; /* once for the instruction */
    expect_passes(charged(i, 2, 1, 0), 1, 3);
    i.src[0].indirect = false;
    expect_passes(charged(i, 2, 1, 0), 1, 3);
}

static void a_source_with_an_address_a_row_is_read_row_by_row(void **state)
{
    struct isa_inst i = moved(8);

    (void)state;
    i.src[0].indirect = i.src[0].vxh = true;
    i.src[0].width = 1;
    expect_passes(charged(i, 2, 1, 0), 8, 11);
    expect_passes(charged(i, 2, 0, 0), 1, 3);
    i.src[0].width = 4; /* two rows of four lanes */
    expect_passes(charged(i, 2, 1, 0), 2, 5);
    i.exec_size = 16; /* sixteen rows: up to the most */
    i.src[0].width = 1;
    expect_passes(charged(i, 2, 1, 0), 15, 15);
}

static void a_region_costs_what_it_reads_beyond_its_passes(void **state)
{
    struct isa_inst i = moved(8);

    (void)state;
    i.op = ISA_OP_ADD;
    i.nsrc = 2;
    i.src[1] = grf(30, ISA_TYPE_UD);
    i.src[0].vstride = i.src[1].vstride = 8;
    i.src[0].width = i.src[1].width = 8;
    i.src[0].hstride = i.src[1].hstride = 1;
    expect_passes(charged(i, 0, 0, 3), 1, 1);
    i.src[0].byte = 4; /* the last lane lies in the next GRF */
    expect_passes(charged(i, 0, 0, 3), 1, 4);
    expect_passes(charged(i, 0, 0, 0), 1, 1);
    i.src[1].hstride = 2; /* both in two GRFs: once */
    i.src[1].vstride = 16;
    expect_passes(charged(i, 0, 0, 3), 1, 4);
    i.src[0].vstride = i.src[0].hstride = 0; /* a scalar reads one */
    i.src[1].vstride = i.src[1].hstride = 0;
    expect_passes(charged(i, 0, 0, 3), 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_follow_from_the_text_for_all_compiled_kernels),
        cmocka_unit_test(an_operand_by_address_costs_the_thread),
        cmocka_unit_test(a_source_with_an_address_a_row_is_read_row_by_row),
        cmocka_unit_test(a_region_costs_what_it_reads_beyond_its_passes),
    };

    return cmocka_run_group_tests_name("uop_costs", tests, NULL, NULL);
}
