/* test_isa_cover.c - every bin that Gen9 allows (isa_form.h) through the real encoding,
 * the decoder and the emulator, against an oracle of its own (isa_oracle.h).
 * tests/run: timeout=900
 * CI draws a part of each form's bins; with IGPU_LONG=1 or --report all of them run.
 *   build/tests/csim/test_isa_cover --report     a table of what was reached
 * Does not find: an error that the public documents make; rounding of steps that they
 * leave open (docs/contract/isa.md names the choices). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "isa_encode.h"
#include "isa_form.h"
#include "isa_oracle.h"

#include "igpu/isa_decode.h"

enum { BATCH = 256, POOL = 4096, MAX_HOLES = 40, CI_SHARE = 16 };

/* A reason why bins were not reached, and how many. */
struct hole {
    char why[160];
    uint64_t bins;
};

struct tally {
    uint64_t allowed[ISA_OP_COUNT], reached[ISA_OP_COUNT], forms[ISA_OP_COUNT];
    struct hole hole[MAX_HOLES];
    uint32_t holes, wrong;
};

static struct emu_rig rig;
static struct tally tally;
static uint8_t pool[ISA_TYPE_COUNT][POOL];

/* ---- inputs ------------------------------------------------------------- */

static uint64_t corner(uint32_t type, uint64_t *seed)
{
    uint64_t r = emu_rig_random(seed), half = (r >> 8) % 12;
    uint32_t bits = 8 * isa_type_bytes((enum isa_type)type);
    uint32_t frac = type == ISA_TYPE_HF ? 10 : type == ISA_TYPE_F ? 23 : 52;
    uint64_t top = (uint64_t)1 << (bits - 1), inf = ((top - 1) >> frac) << frac;
    uint64_t one = (inf >> (frac + 1)) << frac, sign = r & 1 ? top : 0;

    if (!isa_type_is_float((enum isa_type)type))
        return half == 0   ? 0
               : half == 1 ? top
               : half == 2 ? top - 1
               : half == 3 ? UINT64_MAX
               : half < 6  ? (r >> 20) % 40
               : half < 7  ? 0 - (r >> 20) % 40
                           : r >> half * 5;
    switch (half) {
    case 0:
        return sign;
    case 1:
        return sign | inf | (r & 64 ? 0 : (uint64_t)1 << (frac - 1)); /* inf, NaN */
    case 2:
        return sign | (r >> 12 & (((uint64_t)1 << frac) - 1)); /* denormal */
    case 3:
        return sign | (inf - 1 - (r >> 40) % 3);
    case 4:
        return sign | ((one << 0) + (r >> 40) % 5);
    case 5:
        return sign | (((uint64_t)1 << frac) + (r >> 40) % 5);
    case 6:
    case 7: /* whole numbers and halves, small */
        return sign | (one + (((r >> 30) % 8) << frac) + ((r >> 40) % 8 << (frac - 3)));
    default:
        return sign | (one + ((r >> 16 & (((uint64_t)1 << frac) - 1)) ^ 1));
    }
}

static void fill_pools(void)
{
    uint64_t seed = 99;

    for (uint32_t type = 1; type < ISA_TYPE_COUNT; type++) {
        uint32_t size = isa_type_bytes((enum isa_type)type);

        for (uint32_t i = 0; i < POOL / size; i++) {
            uint64_t x = i % 4 == 3 ? emu_rig_random(&seed) : corner(type, &seed);

            memcpy(pool[type] + i * size, &x, size);
        }
    }
}

static const uint8_t *draw(uint32_t type, uint32_t bytes, uint64_t *seed)
{
    return pool[type] + (emu_rig_random(seed) >> 40) % ((POOL - bytes) / 8) * 8;
}

static uint8_t seed_byte(uint64_t *seed)
{
    return (uint8_t)(emu_rig_random(seed) >> 40);
}

/* Addresses lead into the source's own registers. */
static void point(const struct isa_operand *o, uint32_t reg, uint64_t *seed)
{
    uint32_t size = isa_type_bytes((enum isa_type)o->type);

    for (uint32_t w = o->addr_sub; w < (o->vxh ? o->addr_sub + 8u : o->addr_sub + 1u);
         w++)
        rig.t->addr[w] = (uint16_t)((int32_t)(reg * 32 + 32) - o->addr_imm +
                                    (int32_t)((uint32_t)seed_byte(seed) % 24 * size));
}

static void fill(const struct isa_inst *in, uint64_t *seed)
{
    static const uint32_t modes[] = {0x4C0, 0x4C0, 0x4C0, 0x4D0,
                                     0x4E0, 0x4F0, 0x000, 0x14F0};

    memcpy(rig.t->grf, draw(ISA_TYPE_UD, 2048, seed), 2048);
    memcpy(rig.t->grf + 2048, draw(ISA_TYPE_UD, 2048, seed), 2048);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        const struct isa_operand *o = &in->src[k];
        uint32_t reg = 20 + 20 * k;

        if (o->file != ISA_FILE_GRF)
            continue;
        memcpy(rig.t->grf + reg * 32, draw(o->type, 512, seed), 512);
        if (o->indirect)
            point(o, reg, seed);
    }
    if (in->dst.indirect)
        rig.t->addr[in->dst.addr_sub] = (uint16_t)(100 * 32 - in->dst.addr_imm);
    for (uint32_t f = 0; f < 2; f++) /* often all ones: all32h is to hold */
        rig.t->flag[f] =
            emu_rig_random(seed) % 4 ? (uint32_t)emu_rig_random(seed) : UINT32_MAX;
    if (in->dst.type != ISA_TYPE_NONE)
        memcpy(rig.t->acc, draw(in->dst.type, sizeof(rig.t->acc), seed),
               sizeof(rig.t->acc));
    for (uint32_t i = 0; i < EMU_LANES; i++)
        rig.t->acc_wide[i] = (int64_t)emu_rig_random(seed) >> (8 + i);
    rig.t->ctrl[0] = modes[(emu_rig_random(seed) >> 33) % 8];
    emu_ctrl_changed(rig.t);
}

/* ---- one batch ---------------------------------------------------------- */

struct batch {
    struct isa_inst want[BATCH];
    uint64_t seed[BATCH];
    uint8_t text[(BATCH + 1) * ISA_NATIVE_BYTES];
    uint32_t count;
};

static struct batch batch;

static void add_hole(const char *why)
{
    uint32_t h = 0;

    while (h < tally.holes && strcmp(tally.hole[h].why, why) != 0)
        h++;
    if (h == MAX_HOLES)
        h--;
    if (h == tally.holes)
        snprintf(tally.hole[tally.holes++].why, sizeof(tally.hole[0].why), "%s", why);
    tally.hole[h].bins++;
}

static void describe(const struct isa_inst *in, const char *what)
{
    char text[160];

    (void)isa_disasm(in, text, sizeof(text));
    if (tally.wrong++ < 12)
        fprintf(stderr, "%s: %s\n", what, text);
}

static void snapshot(struct oracle_state *s)
{
    memcpy(s->grf, rig.t->grf, sizeof(s->grf));
    memcpy(s->addr, rig.t->addr, sizeof(s->addr));
    memcpy(s->flag, rig.t->flag, sizeof(s->flag));
    memcpy(s->acc, rig.t->acc,
           sizeof(s->acc) < sizeof(rig.t->acc) ? sizeof(s->acc) : sizeof(rig.t->acc));
    memcpy(s->acc_wide, rig.t->acc_wide, sizeof(s->acc_wide));
    s->ctrl = rig.t->ctrl[0];
}

/* The program's own refusal, without what stands before it and behind it. */
static void refused(const struct isa_inst *in)
{
    const char *from = strstr(rig.err.text, "thread 0: ");
    char why[160], *end;

    snprintf(why, sizeof(why), "%s: %.120s", isa_opcode_name((enum isa_opcode)in->op),
             from != NULL ? from + 10 : rig.err.text);
    end = strstr(why, " [");
    if (end != NULL)
        *end = '\0';
    add_hole(why);
}

static bool accumulates(const struct isa_inst *in)
{
    return in->op == ISA_OP_ADDC || in->op == ISA_OP_SUBB;
}

static bool run_one(const struct emu_program *p, uint32_t i)
{
    static struct oracle_state s;
    const struct isa_inst *in = &batch.want[i], *got = &p->code->inst[i];
    const char *differs = isa_same(in, got);
    uint64_t seed = batch.seed[i];
    uint32_t active = emu_rig_random(&seed) % 3 ? UINT32_MAX : (uint32_t)seed;

    if (differs != NULL) {
        describe(in, differs);
        describe(got, "  was decoded as");
        return false;
    }
    fill(in, &seed);
    snapshot(&s);
    if (!emu_rig_run_op(&rig, p, i, active)) {
        refused(in);
        return false;
    }
    if (!oracle_run(in, &s, active, rig.t->grf)) {
        add_hole("the oracle does not know the instruction");
        return false;
    }
    if (memcmp(s.grf, rig.t->grf, sizeof(s.grf)) != 0) {
        describe(in, "registers differ");
        for (uint32_t b = 0; b < sizeof(s.grf) && tally.wrong < 12; b += 4)
            if (memcmp(s.grf + b, rig.t->grf + b, 4) != 0)
                fprintf(stderr, "  r%u+%u: 0x%08X, expected 0x%08X (cr0 0x%X)\n",
                        b / 32, b % 32, *(emu_ud *)(rig.t->grf + b),
                        *(emu_ud *)(s.grf + b), s.ctrl);
    } else if (memcmp(s.flag, rig.t->flag, sizeof(s.flag)) != 0) {
        describe(in, "flags differ");
        if (tally.wrong < 12)
            fprintf(stderr, "  0x%X 0x%X, expected 0x%X 0x%X (cr0 0x%X)\n",
                    rig.t->flag[0], rig.t->flag[1], s.flag[0], s.flag[1], s.ctrl);
    } else if (accumulates(in) &&
               memcmp(s.acc_wide, rig.t->acc_wide, sizeof(s.acc_wide)) != 0) {
        describe(in, "the accumulator differs");
    } else {
        return true;
    }
    return false;
}

static void run_batch(void)
{
    static const uint8_t eot[ISA_NATIVE_BYTES] = {0x31, 0x00, 0x60, 0x07, 0x04, 0x02,
                                                  0x00, 0x20, 0xE0, 0x0F, 0x00, 0x06,
                                                  0x10, 0x00, 0x00, 0x82};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {
        .name = "cover", .code = &code, .simd = 32, .walk_order = {0, 1, 2}};
    struct emu_program *p;
    enum igpu_status status;

    if (batch.count == 0)
        return;
    memcpy(batch.text + batch.count * ISA_NATIVE_BYTES, eot, sizeof(eot));
    status = isa_decode("cover", batch.text, (batch.count + 1) * ISA_NATIVE_BYTES,
                        &code, &rig.err);
    p = status == IGPU_OK ? emu_program_new(&kernel, &rig.err) : NULL;
    if (p == NULL)
        fail_msg("%s", rig.err.text);
    for (uint32_t i = 0; i < batch.count; i++)
        if (run_one(p, i))
            tally.reached[batch.want[i].op]++;
    emu_program_free(p);
    isa_code_free(&code);
    batch.count = 0;
}

/* ---- all bins ----------------------------------------------------------- */

static void add_bin(const struct isa_form *form, uint32_t bin, bool result)
{
    uint64_t seed = (uint64_t)(form->op * 64u + form->math) << 40 ^
                    (uint64_t)(form->dst << 12 | form->src[0] << 8 | form->src[1] << 4)
                        << 20 ^
                    (bin << 1 | result);
    struct isa_inst *in = &batch.want[batch.count];

    (void)emu_rig_random(&seed);
    if (!(result ? isa_form_result : isa_form_source)(form, bin, &seed, in))
        return;
    tally.allowed[form->op]++;
    if (!isa_encode(in, batch.text + batch.count * ISA_NATIVE_BYTES)) {
        add_hole("the test's encoder has no form for it");
        return;
    }
    in->pc = batch.count * ISA_NATIVE_BYTES;
    batch.seed[batch.count++] = seed;
    if (batch.count == BATCH)
        run_batch();
}

/* Every share-th bin of each form, another set for each form. */
static void run_forms(uint32_t share)
{
    uint32_t count;
    struct isa_form *forms = isa_forms(&count);

    for (uint32_t f = 0; f < count; f++) {
        tally.forms[forms[f].op]++;
        for (uint32_t bin = f % share; bin < BINS_SOURCE; bin += share)
            add_bin(&forms[f], bin, false);
        for (uint32_t bin = f % share; bin < BINS_RESULT; bin += share)
            add_bin(&forms[f], bin, true);
    }
    run_batch();
    free(forms);
}

static uint64_t sum(const uint64_t *x)
{
    uint64_t total = 0;

    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        total += x[op];
    return total;
}

static const char elsewhere[] =
    "branches, calls, wait (test_emu_flow); send, sends, sendc, sendsc "
    "(test_emu_memory); "
    "madm, math.invm, math.rsqtm (test_emu_kernels); movi and architecture registers "
    "(test_emu_registers); nop, illegal";

static void report(void)
{
    uint64_t allowed = sum(tally.allowed), reached = sum(tally.reached);

    printf("| opcode | forms | bins | reached |\n|---|---|---|---|\n");
    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        if (tally.allowed[op] != 0)
            printf("| %s | %llu | %llu | %llu |\n",
                   isa_opcode_name((enum isa_opcode)op),
                   (unsigned long long)tally.forms[op],
                   (unsigned long long)tally.allowed[op],
                   (unsigned long long)tally.reached[op]);
    printf("| all | %llu | %llu | %llu, %.2f %% |\n",
           (unsigned long long)sum(tally.forms), (unsigned long long)allowed,
           (unsigned long long)reached, 100.0 * (double)reached / (double)allowed);
    printf("outside the products, with tests of their own: %s\n", elsewhere);
    for (uint32_t h = 0; h < tally.holes; h++)
        printf("not reached: %llu bins, %s\n", (unsigned long long)tally.hole[h].bins,
               tally.hole[h].why);
}

static void every_bin_agrees_with_the_oracle(void **state)
{
    uint64_t allowed;

    (void)state;
    run_forms(getenv("IGPU_LONG") != NULL ? 1 : CI_SHARE);
    allowed = sum(tally.allowed);
    print_message("%llu of %llu bins reached, %s handlers\n",
                  (unsigned long long)sum(tally.reached), (unsigned long long)allowed,
                  emu_host_name());
    if (tally.wrong != 0)
        fail_msg("%u instructions differ from the oracle", tally.wrong);
    assert_true(allowed > 100000);
    assert_true((double)sum(tally.reached) >= 0.98 * (double)allowed);
}

static int open_all(void **state)
{
    (void)state;
    emu_rig_open(&rig);
    oracle_open();
    fill_pools();
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    emu_rig_close(&rig);
    oracle_close();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bin_agrees_with_the_oracle),
    };

    if (argc > 1 && strcmp(argv[1], "--report") == 0) {
        (void)open_all(NULL);
        run_forms(argc > 2 ? (uint32_t)atoi(argv[2]) : 1);
        report();
        (void)close_all(NULL);
        return tally.wrong != 0;
    }
    return cmocka_run_group_tests(tests, open_all, close_all);
}
