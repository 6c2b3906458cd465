/* test_values_forms.c - legal instructions one by one through the RTL of an EU's values
 * and the emulator, from the same registers: results, flags, accumulator, addresses and
 * channels. The generator is that of test_isa_cover: every opcode, type, region,
 * modifier, predicate, condition and stride that Gen9 allows, in the native encoding.
 *
 *   test_values_forms                a part of the bins
 *   IGPU_LONG=1 test_values_forms    all of them
 *   test_values_forms --seed N       other registers
 *
 * Can not find: branches, messages (test_values); what the emulator does wrongly too,
 * which test_isa_cover compares with an oracle.
 * tests/run: timeout=1800 slow turn=1of3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/eu_registers.h"
#include "bridge/engines/rtl/lockstep_refuse.h"
#include "igpu/isa_decode.h"
#include "tests/csim/emu_rig.h"
#include "tests/csim/isa_encode.h"
#include "tests/csim/isa_form.h"

enum {
    BATCH = 256,
    CI_SHARE = 160,
    LONG_SHARE = 8,
    PATIENCE = 2000,
    PLACE = 5,
    SHOWN = 20
};
enum {
    FIRST_SOURCE = 20,
    SOURCE_STEP = 20,
    SOURCE_REGS = 16,
    DST = 100,
    DST_REGS = 20
};

struct batch {
    struct isa_inst inst[BATCH];
    uint8_t text[(BATCH + 1) * ISA_NATIVE_BYTES];
    uint32_t count;
};

static struct emu_rig rig;
static void *rtl;
static struct eu_registers regs;
static uint64_t seed = 1;
static struct {
    uint64_t instructions, refused, lanes, clocks, wrong;
} sum;

/* ---- registers -------------------------------------------------------------- */

static void poke(enum eu_poke kind, uint32_t row, const void *data, uint32_t bytes)
{
    struct eu_values_in in = {.poke = true,
                              .poke_thread = PLACE,
                              .poke_kind = (uint8_t)kind,
                              .poke_row = (uint8_t)row,
                              .block = true};
    struct eu_values_out out = {.poked = false};

    memcpy(in.data, data, bytes);
    while (!out.poked)
        eu_values_clock(rtl, &in, &out);
}

/* A number of the type, often one at an edge. */
static uint64_t number(uint32_t type)
{
    uint64_t r = emu_rig_random(&seed), how = r >> 50 & 15;
    uint32_t bits = 8 * isa_type_bytes((enum isa_type)type);
    uint32_t frac = type == ISA_TYPE_HF ? 10 : type == ISA_TYPE_F ? 23 : 52;
    uint64_t top = (uint64_t)1 << (bits - 1), inf = ((top - 1) >> frac) << frac;
    uint64_t one = (inf >> (frac + 1)) << frac, sign = r & 1 ? top : 0;

    if (!isa_type_is_float((enum isa_type)type))
        return how == 0   ? 0
               : how == 1 ? top - (r & 1)
               : how == 2 ? UINT64_MAX
               : how < 8  ? r >> 40 & 63
                          : r >> how * 3;
    return sign |
           (how == 0   ? 0
            : how == 1 ? inf | (r >> 4 & 1) << (frac - 1)
            : how == 2 ? r >> 12 & (((uint64_t)1 << frac) - 1)
            : how == 3 ? inf - 1 - (r >> 40 & 3)
            : how < 8  ? one + ((r >> 30 & 7) << frac) + ((r >> 40 & 7) << (frac - 3))
                       : one + (r >> 8 & (((uint64_t)4 << frac) - 1)));
}

static void fill_source(const struct isa_operand *o, uint32_t reg)
{
    uint32_t size = isa_type_bytes((enum isa_type)o->type);

    for (uint32_t b = 0; b < SOURCE_REGS * ISA_GRF_BYTES; b += size) {
        uint64_t x = number(o->type);

        memcpy(rig.t->grf + reg * ISA_GRF_BYTES + b, &x, size);
    }
    if (!o->indirect)
        return;
    for (uint32_t w = o->addr_sub; w < o->addr_sub + (o->vxh ? 8u : 1u) && w < 16; w++)
        rig.t->addr[w] = (uint16_t)((int32_t)((reg + 1) * ISA_GRF_BYTES) - o->addr_imm +
                                    (int32_t)(emu_rig_random(&seed) % 24 * size));
}

static void fill(const struct isa_inst *in)
{
    static const uint32_t modes[] = {0x4C0, 0x4D0, 0x4E0, 0x4F0, 0x000, 0x14F0};

    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].file == ISA_FILE_GRF)
            fill_source(&in->src[k], FIRST_SOURCE + SOURCE_STEP * k);
    if (in->dst.indirect)
        rig.t->addr[in->dst.addr_sub] =
            (uint16_t)(DST * ISA_GRF_BYTES - in->dst.addr_imm);
    for (uint32_t f = 0; f < 2; f++) /* often all ones: all32h is to hold */
        rig.t->flag[f] =
            emu_rig_random(&seed) % 4 ? (uint32_t)emu_rig_random(&seed) : UINT32_MAX;
    rig.t->ctrl[0] = modes[(emu_rig_random(&seed) >> 33) % 6];
    emu_ctrl_changed(rig.t);
}

/* The RTL gets what is other than it has. */
static void bring(bool all)
{
    for (uint32_t i = 0; i < GRF_BYTES; i += ISA_GRF_BYTES)
        if (all || memcmp(regs.grf + i, rig.t->grf + i, ISA_GRF_BYTES) != 0)
            poke(EU_POKE_GRF, i / ISA_GRF_BYTES, rig.t->grf + i, ISA_GRF_BYTES);
    for (uint32_t i = 0; i < ACC_BYTES; i += ISA_GRF_BYTES)
        if (all || memcmp(regs.acc + i, rig.t->acc + i, ISA_GRF_BYTES) != 0)
            poke(EU_POKE_ACC, i / ISA_GRF_BYTES, rig.t->acc + i, ISA_GRF_BYTES);
    memcpy(regs.grf, rig.t->grf, GRF_BYTES);
    memcpy(regs.acc, rig.t->acc, ACC_BYTES);
    memcpy(regs.flag, rig.t->flag, sizeof(regs.flag));
    memcpy(regs.addr, rig.t->addr, sizeof(regs.addr));
    regs.ctrl = rig.t->ctrl[0];
    poke(EU_POKE_FLAG, 0, regs.flag, sizeof(regs.flag));
    poke(EU_POKE_ADDR, 0, regs.addr, sizeof(regs.addr));
    poke(EU_POKE_CTRL, 0, &regs.ctrl, sizeof(regs.ctrl));
}

/* ---- an instruction ------------------------------------------------------------ */

/* So many differences are shown, to see what they have in common. */
static void wrong(const struct isa_inst *in, const char *what, uint64_t expected,
                  uint64_t found)
{
    char text[256];

    if (sum.wrong++ == SHOWN)
        fail_msg("more than %d instructions differ", SHOWN);
    (void)isa_disasm(in, text, sizeof(text));
    fprintf(stderr, "%s: %s: expected 0x%llX, found 0x%llX (cr0 0x%X)\n", text, what,
            (unsigned long long)expected, (unsigned long long)found, regs.ctrl);
}

static void compare_bytes(const struct isa_inst *in, const char *file,
                          const uint8_t *expected, const uint8_t *found, uint32_t bytes)
{
    char what[32];

    for (uint32_t b = 0; b < bytes; b += 4)
        if (memcmp(expected + b, found + b, 4) != 0) {
            snprintf(what, sizeof(what), "%s%u, byte %u", file, b / ISA_GRF_BYTES,
                     b % ISA_GRF_BYTES);
            wrong(in, what, *(const emu_ud *)(expected + b),
                  *(const emu_ud *)(found + b));
            return;
        }
}

static void compare(const struct isa_inst *in)
{
    for (uint32_t f = 0; f < 2; f++)
        if (regs.flag[f] != rig.t->flag[f])
            wrong(in, f ? "f1" : "f0", rig.t->flag[f], regs.flag[f]);
    compare_bytes(in, "r", rig.t->grf, regs.grf, GRF_BYTES);
    compare_bytes(in, "acc0 + ", rig.t->acc, regs.acc, ACC_BYTES);
    compare_bytes(in, "a", (const uint8_t *)rig.t->addr, (const uint8_t *)regs.addr,
                  sizeof(regs.addr));
}

/* mach without the mul before it, which leaves acc0 half done, is no instruction of its
 * own. */
static bool is_apart(const struct isa_inst *in)
{
    return in->op == ISA_OP_MACH;
}

/* Issued until it is over; false: refused. */
static bool run_rtl(const struct isa_inst *in, uint32_t pc, uint32_t *exec)
{
    struct eu_values_in issue = {.issue = true, .issue_thread = PLACE, .issue_pc = pc};
    struct eu_values_out out = {.issued = false};
    bool over = false;

    for (uint32_t i = 0; !over && i < PATIENCE; i++) {
        eu_values_clock(rtl, &issue, &out);
        sum.clocks++;
        if (out.issued)
            issue.issue = false;
        if (out.wrote || out.wrote_flag)
            eu_registers_write(&regs, &out);
        if (out.left) {
            *exec = out.left_exec;
            if (out.left_refused)
                return false;
        }
        over = out.over || (out.left && out.left_over);
    }
    if (!over)
        wrong(in, "clocks", PATIENCE, PATIENCE);
    return true;
}

static void run_one(const struct emu_program *p, const struct isa_inst *in, uint32_t i)
{
    uint32_t active = emu_rig_random(&seed) % 3 ? UINT32_MAX : (uint32_t)seed, exec = 0;
    uint32_t lanes[3] = {active, active, UINT32_MAX}, mask;
    const struct emu_op *op = &p->op[i];
    bool refused;
    uint64_t before = sum.wrong;

    if (active == 0)
        return;
    fill(in);
    if (is_apart(in))
        return;
    bring(false);
    poke(EU_POKE_LANES, 0, lanes, sizeof(lanes));
    mask = op->no_mask ? op->full : active >> op->chan & op->full;
    if (op->pred_on)
        mask &= emu_predicate(rig.t, op);
    if (!emu_rig_run_op(&rig, p, i, active)) {
        rig.err.text[0] = '\0'; /* the emulator does not have it */
        bring(true);
        return;
    }
    refused = !run_rtl(in, 2 * i, &exec);
    if (refused != lockstep_refuses(&p->code->inst[i]))
        wrong(in, "refused", !refused, refused);
    if (refused) {
        sum.refused++;
        bring(false);
        return;
    }
    if (exec != mask)
        wrong(in, "channels", mask, exec);
    sum.instructions++;
    sum.lanes += (uint64_t)__builtin_popcount(mask);
    compare(in);
    if (sum.wrong != before)
        bring(true);
}

static void run_batch(struct batch *b)
{
    static const uint8_t eot[ISA_NATIVE_BYTES] = {0x31, 0x00, 0x60, 0x07, 0x04, 0x02,
                                                  0x00, 0x20, 0xE0, 0x0F, 0x00, 0x06,
                                                  0x10, 0x00, 0x00, 0x82};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {
        .name = "forms", .code = &code, .simd = 32, .walk_order = {0, 1, 2}};
    struct emu_program *p = NULL;

    if (b->count == 0)
        return;
    memcpy(b->text + b->count * ISA_NATIVE_BYTES, eot, sizeof(eot));
    if (isa_decode("forms", b->text, (b->count + 1) * ISA_NATIVE_BYTES, &code,
                   &rig.err) == IGPU_OK)
        p = emu_program_new(&kernel, &rig.err);
    if (p == NULL)
        fail_msg("%s", rig.err.text);
    for (uint32_t i = 0; i < 2 * b->count; i++) {
        uint64_t word;

        memcpy(&word, b->text + 8 * i, 8);
        eu_values_store(rtl, i, word);
    }
    for (uint32_t i = 0; i < b->count; i++)
        run_one(p, &b->inst[i], i);
    emu_program_free(p);
    isa_code_free(&code);
    b->count = 0;
}

/* ---- all bins ---------------------------------------------------------------------
 */

static void add_bin(struct batch *b, const struct isa_form *form, uint32_t bin,
                    bool result)
{
    uint64_t from = (uint64_t)(form->op * 64u + form->math) << 40 ^
                    (uint64_t)(form->dst << 12 | form->src[0] << 8 | form->src[1] << 4)
                        << 20 ^
                    (bin << 1 | result) ^ seed << 50;
    struct isa_inst *in = &b->inst[b->count];
    uint8_t *text = b->text + b->count * ISA_NATIVE_BYTES;

    (void)emu_rig_random(&from);
    memset(text, 0, ISA_NATIVE_BYTES);
    if (!(result ? isa_form_result : isa_form_source)(form, bin, &from, in) ||
        !isa_encode(in, text))
        return;
    if (++b->count == BATCH)
        run_batch(b);
}

static void every_form(void **state)
{
    static struct batch b;
    uint32_t count, share = getenv("IGPU_LONG") != NULL ? LONG_SHARE : CI_SHARE;
    struct isa_form *forms = isa_forms(&count);

    (void)state;
    bring(true);
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t bin = f % share; bin < BINS_SOURCE; bin += share)
            add_bin(&b, &forms[f], bin, false);
        for (uint32_t bin = f % share; bin < BINS_RESULT; bin += share)
            add_bin(&b, &forms[f], bin, true);
    }
    run_batch(&b);
    free(forms);
    print_message("%llu instructions, %llu channels equal, %llu refused, %llu clocks\n",
                  (unsigned long long)sum.instructions, (unsigned long long)sum.lanes,
                  (unsigned long long)sum.refused, (unsigned long long)sum.clocks);
    assert_int_equal(sum.wrong, 0);
    assert_true(sum.instructions > 20000);
}

static int open_all(void **state)
{
    (void)state;
    emu_rig_open(&rig);
    rtl = eu_values_new();
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    eu_values_free(rtl);
    emu_rig_close(&rig);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form)};

    if (argc > 2 && strcmp(argv[1], "--seed") == 0)
        seed = strtoull(argv[2], NULL, 0) | 1;
    return cmocka_run_group_tests(tests, open_all, close_all);
}
