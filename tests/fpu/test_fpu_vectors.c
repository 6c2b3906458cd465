/* test_fpu_vectors.c - tests/rtl/igpu_fpu_vectors.txt, which igpu_fpu_tb.v runs in a
 * second simulator, holds what the oracle says. `test_fpu_vectors write` makes it anew.
 *
 * A line is a clock: the inputs of igpu_fpu as one number, then result, flags, carries
 * and exceptions, and before each of the latter a mask of the bits that count. */
#include "fpu_random_op.h"
#include "fpu_rig_test.h"

#define FILE_NAME "tests/rtl/igpu_fpu_vectors.txt"
enum { CLOCKS = 700, LINE_SIZE = 512 };

struct words { /* of 128 bits, as two halves */
    uint64_t high, low;
};

static void put(struct words *w, uint32_t at, uint32_t bits, uint64_t value)
{
    if (bits < 64)
        value &= ((uint64_t)1 << bits) - 1;
    if (at >= 64)
        w->high |= value << (at - 64);
    else
        w->low |= value << at;
}

static uint64_t infinity_of(uint32_t type)
{
    return type == ISA_TYPE_HF  ? 0x7C00
           : type == ISA_TYPE_F ? 0x7F800000
                                : (uint64_t)0x7FF << 52;
}

/* Operands that are rare among random ones: a corner, or what cancels the first. */
static void pick_operands(struct fpu_case *c, uint64_t *seed)
{
    static uint64_t corner[512];

    for (uint32_t k = 0; k < c->op.nsrc; k++) {
        uint32_t type = c->op.stype[k], bits = isa_type_bytes((enum isa_type)type) * 8;
        bool is_float = isa_type_is_float((enum isa_type)type);
        uint64_t r = fpu_random(seed);

        c->src[k] = fpu_random_value(seed, type);
        if (is_float && (r & 1))
            c->src[k] = corner[(r >> 8) % fpu_corners(type, 1, corner, 512)];
        if (is_float && (r & 0x30) == 0) /* a zero, an infinity */
            c->src[k] = r >> 8 & 1 ? 0 : infinity_of(type);
        if (k > 0 && (r & 6) == 0 && type == c->op.stype[0])
            c->src[k] =
                c->src[0] ^ (is_float ? (r >> 8 & 1) << (bits - 1) : r >> 8 & 1);
    }
    c->pred = fpu_random(seed) >> 63;
}

/* One clock of op with random operands, as text. */
static void make_line(const struct fpu_op *op, uint64_t *seed, char *line)
{
    struct words src[3] = {{0, 0}}, result = {0, 0}, mask = {0, 0};
    uint32_t bits = fpu_slot_bits(op), exc = 0, exc_mask = 0, pred = 0;
    uint32_t flag = 0, flag_mask = 0, carry = 0, carry_mask = 0;
    uint8_t type[3];

    for (uint32_t i = 0; i < 128 / bits; i++) {
        struct fpu_case c = {.op = *op};

        pick_operands(&c, seed);
        for (uint32_t k = 0; k < op->nsrc; k++)
            put(&src[k], i * bits, bits, c.src[k]);
        fpu_oracle(&c);
        pred |= (uint32_t)c.pred << i;
        put(&result, i * bits, bits, c.want.bits);
        put(&mask, i * bits, bits, c.want.any_bits ? 0 : UINT64_MAX);
        exc |= (uint32_t)c.want.exc << 4 * i;
        exc_mask |= (c.want.any_exc ? 0u : 15u) << 4 * i;
        flag |= (uint32_t)c.want.flag << i;
        flag_mask |= (uint32_t)(op->cmod && !c.want.any_flag) << i;
        carry |= (uint32_t)c.want.carry << i;
        carry_mask |=
            (uint32_t)(op->op == IGPU_FPU_OP_ADDC || op->op == IGPU_FPU_OP_SUBB) << i;
    }
    for (uint32_t k = 0; k < 3; k++)
        type[k] = op->stype[k < op->nsrc ? k : 0];
    snprintf(
        line, LINE_SIZE,
        "%02x%x%x%x%x%x%x%x%x%x%x%x%x%02x%016llx%016llx%016llx%016llx%016llx%016llx "
        "%016llx%016llx %016llx%016llx %02x %02x %02x %02x %08x %08x\n",
        op->op, op->dtype, type[2], type[1], type[0], op->mod[2], op->mod[1],
        op->mod[0], op->cmod, op->saturate, op->rnd, op->int_round, op->ftz, pred,
        (unsigned long long)src[0].high, (unsigned long long)src[0].low,
        (unsigned long long)src[1].high, (unsigned long long)src[1].low,
        (unsigned long long)src[2].high, (unsigned long long)src[2].low,
        (unsigned long long)mask.high, (unsigned long long)mask.low,
        (unsigned long long)(result.high & mask.high),
        (unsigned long long)(result.low & mask.low), flag_mask, flag & flag_mask,
        carry_mask, carry & carry_mask, exc_mask, exc & exc_mask);
}

/* An integer's saturated product can need more bits than the oracle has. */
static bool beyond_oracle(const struct fpu_op *op)
{
    return fpu_slot_bits(op) == 64 && op->saturate &&
           !isa_type_is_float((enum isa_type)op->stype[0]);
}

/* Every operation in turn, then the float ones again. */
static bool wanted(const struct fpu_op *op, uint32_t clock)
{
    uint32_t turn = clock % (IGPU_FPU_OP_COUNT + IGPU_FPU_OP_AND);

    if (turn < IGPU_FPU_OP_COUNT)
        return op->op == turn;
    return op->op == turn - IGPU_FPU_OP_COUNT &&
           isa_type_is_float((enum isa_type)op->stype[0]);
}

/* Also what is not defined: floats of integers other than by mov. */
static void next_line(uint64_t *seed, uint32_t *clock, char *line)
{
    struct fpu_op op;
    bool to_float;

    do {
        fpu_random_op(&op, seed);
        to_float = isa_type_is_float((enum isa_type)op.dtype) &&
                   !isa_type_is_float((enum isa_type)op.stype[0]);
    } while (beyond_oracle(&op) || !wanted(&op, *clock) ||
             (to_float && op.op != IGPU_FPU_OP_MOV && op.op != IGPU_FPU_OP_CMP &&
              op.op != IGPU_FPU_OP_CMPN));
    ++*clock;
    make_line(&op, seed, line);
}

static int write_file(void)
{
    FILE *f = fopen(FILE_NAME, "w");
    uint64_t seed = 0x7ECA;
    char line[LINE_SIZE];

    if (f == NULL)
        return 1;
    for (uint32_t i = 0; i < CLOCKS;) {
        next_line(&seed, &i, line);
        fputs(line, f);
    }
    return fclose(f) != 0;
}

static void test_the_file_is_what_the_oracle_says(void **state)
{
    FILE *f = fopen(FILE_NAME, "r");
    uint64_t seed = 0x7ECA;
    char line[LINE_SIZE], found[LINE_SIZE];

    (void)state;
    assert_non_null(f);
    for (uint32_t i = 0; i < CLOCKS;) {
        next_line(&seed, &i, line);
        assert_non_null(fgets(found, sizeof(found), f));
        assert_string_equal(found, line);
    }
    assert_null(fgets(found, sizeof(found), f));
    fclose(f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_file_is_what_the_oracle_says)};

    if (argc > 1 && strcmp(argv[1], "write") == 0)
        return write_file();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
