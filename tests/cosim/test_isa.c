/* test_isa.c - the RTL's decoder (rtl/isa) against libiga64's reading of the same
 * bytes: every instruction of the suite's kernels at each width, every form of
 * compacted instructions (each row of each table with many others), legal native
 * encodings from the generator of test_isa_cover, and the shaders of captured frames,
 * which Mesa's compiler made.
 *
 *   test_isa [CAPTURE...]   the kernels of every 9th case and width; a part of the
 * bins; shaders of these captures, else of tests/fuzzing/corpus/render IGPU_LONG=1
 * test_isa    all of the first two
 *
 * Can not find: what libiga64 reads wrongly too; macro instructions' operands.
 * tests/run: timeout=900 slow */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/programs/igpu/frame_play.h"
#include "igpu/grow.h"
#include "igpu/hash.h"
#include "igpu/isa_decode.h"
#include "isa_rtl.h"
#include "tests/csim/isa_encode.h"
#include "tests/csim/isa_form.h"
#include "tests/support/rng.h"
#include "traces/kernels/cases.h"
#include "traces/record/record.h"

/* Rows of the table of controls whose access mode is Align16. */
#define ALIGN16_ROWS UINT32_C(0x000F56D4)
enum { EVERY = 9, PATH_BYTES = 512, BATCH = 256, CI_SHARE = 16, COMPACTED = 20000 };

static const uint8_t eot[ISA_NATIVE_BYTES] = {0x31, 0x00, 0x60, 0x07, 0x04, 0x02,
                                              0x00, 0x20, 0xE0, 0x0F, 0x00, 0x06,
                                              0x10, 0x00, 0x00, 0x82};
static uint64_t seen, compacted;

static bool is_long(void)
{
    return getenv("IGPU_LONG") != NULL;
}

static bool is_align16(const uint32_t *word)
{
    return word[272 / 32] >> 272 % 32 & 1;
}

static void compare(const char *kernel, const uint8_t *bytes, const struct isa_inst *in)
{
    uint8_t raw[ISA_NATIVE_BYTES] = {0};
    uint32_t word[ISA_RTL_WORDS];
    uint64_t got, want;
    const char *what;
    char text[256];

    memcpy(raw, bytes, in->size);
    isa_rtl_decode(raw, word);
    seen++;
    compacted += in->compacted;
    what = isa_rtl_differs(word, in, &got, &want);
    if (in->compacted && in->nsrc < 3 &&
        isa_opcode_class((enum isa_opcode)in->op) != ISA_CLASS_MATH)
        assert_int_equal(is_align16(word), ALIGN16_ROWS >> (raw[1] & 31) & 1);
    if (what == NULL)
        return;
    (void)isa_disasm(in, text, sizeof(text));
    fail_msg("%s, instruction at 0x%X, %s: %s 0x%llX in RTL, 0x%llX expected", kernel,
             in->pc, text, what, (unsigned long long)got, (unsigned long long)want);
}

static void compare_all(const char *kernel, const void *text,
                        const struct isa_kernel_code *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        compare(kernel, (const uint8_t *)text + code->inst[i].pc, &code->inst[i]);
}

/* ---- what the compiler makes --------------------------------------------- */

static void compare_case(const struct case_list *cases, const struct kernel_case *c,
                         unsigned simd)
{
    char source[PATH_BYTES], options[PATH_BYTES];
    struct record_program p;
    struct igpu_err err;

    snprintf(source, PATH_BYTES, "%s/%s", cases->folder, c->file);
    assert_int_equal(case_options(c, simd, options, sizeof(options)), 0);
    if (record_open(&p, source, "skl", options, c->kernel, NULL, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    compare_all(c->name, p.kernel->text, &p.code);
    record_close(&p);
}

static void kernels_of_the_suite(void **state)
{
    struct case_list cases;
    struct igpu_err err;
    unsigned number = 0, kernels = 0;

    (void)state;
    if (cases_load("traces/kernels/cases.yaml", &cases, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    seen = compacted = 0;
    for (size_t i = 0; i < cases.count; i++)
        for (size_t k = 0; k < cases.cases[i].simd_count; k++)
            if (number++ % (is_long() ? 1 : EVERY) == 0) {
                compare_case(&cases, &cases.cases[i], cases.cases[i].simd[k]);
                kernels++;
            }
    cases_free(&cases);
    print_message("%u kernels: %llu instructions, %llu of them compacted\n", kernels,
                  (unsigned long long)seen, (unsigned long long)compacted);
    assert_true(compacted > 1000);
}

/* ---- what Mesa makes --------------------------------------------------------- */

static char **captures;
static int captures_n;

/* Shaders of a capture that have been compared, by a hash of their code. */
struct shaders {
    const char *capture;
    uint64_t *code;
    size_t count, room;
};

static enum igpu_status shader_begun(void *ctx, const struct emu_shader_begun *shader,
                                     uint32_t thread,
                                     const struct emu_step_state *state,
                                     struct igpu_err *err)
{
    struct shaders *s = ctx;
    const uint64_t code = igpu_fnv(IGPU_FNV_BEGIN, shader->text, shader->bytes);

    (void)thread, (void)state;
    for (size_t i = 0; i < s->count; i++)
        if (s->code[i] == code)
            return IGPU_OK;
    if (!IGPU_APPEND(s->code, s->count, s->room, code))
        return igpu_no_memory(err, "%s", s->capture);
    compare_all(s->capture, shader->text, shader->code);
    return IGPU_OK;
}

static enum igpu_status nothing(void *ctx, uint32_t thread, uint32_t at,
                                const struct emu_step_state *state,
                                struct igpu_err *err)
{
    (void)ctx, (void)thread, (void)at, (void)state, (void)err;
    return IGPU_OK;
}

static size_t compare_shaders(const char *capture)
{
    struct shaders s = {.capture = capture};
    const struct emu_shader_beside beside = {&s, shader_begun, nothing, nothing};
    const struct frame_play_hooks hooks = {.ctx = &s};
    struct frame_player player;
    struct igpu_err err;

    if (frame_player_open(&player, capture, &err) != IGPU_OK)
        fail_msg("%s", err.text);
    gfx_step_beside(player.gfx, &beside);
    /* Some of the corpus end in an error: the shaders before it count. */
    (void)frame_play(&player, 0, &hooks, &err);
    frame_player_close(&player);
    free(s.code);
    return s.count;
}

static void shaders_of_frames(void **state)
{
    glob_t corpus = {0};
    size_t shaders = 0;

    (void)state;
    seen = compacted = 0;
    if (captures_n == 0)
        assert_int_equal(glob("tests/fuzzing/corpus/render/*.igf", 0, NULL, &corpus),
                         0);
    for (int i = 0; i < captures_n; i++)
        shaders += compare_shaders(captures[i]);
    for (size_t i = 0; i < corpus.gl_pathc; i++)
        shaders += compare_shaders(corpus.gl_pathv[i]);
    globfree(&corpus);
    print_message("%zu shaders: %llu instructions, %llu of them compacted\n", shaders,
                  (unsigned long long)seen, (unsigned long long)compacted);
    assert_true(compacted > 100);
}

/* ---- compacted forms ----------------------------------------------------- */

static uint64_t seed = 28;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(xorshift_next(&seed) >> 33) % below;
}

/* Rows that an instruction which libiga64 reads has used, a bit each. */
struct rows {
    uint32_t control, datatype, subreg, source, control3, source3;
};

static uint64_t two_sources(void)
{
    /* Those that have conditions, saturation and modifiers. */
    static const uint8_t ops[] = {1, 2, 9, 12, 64, 65, 72};

    /* Registers below 100: a region must not leave the file. */
    return ops[draw(sizeof(ops))] | (uint64_t)draw(32) << 8 | (uint64_t)draw(32) << 13 |
           (uint64_t)draw(32) << 18 | (uint64_t)draw(7) << 24 | (uint64_t)1 << 29 |
           (uint64_t)draw(32) << 30 | (uint64_t)draw(32) << 35 |
           (uint64_t)draw(100) << 40 | (uint64_t)draw(100) << 48 |
           (uint64_t)draw(100) << 56;
}

/* Of mad and lrp: the tables' types are floats. */
static uint64_t three_sources(void)
{
    return (91 + draw(2)) | (uint64_t)draw(4) << 8 | (uint64_t)draw(4) << 10 |
           (uint64_t)draw(100) << 12 | (uint64_t)draw(2) << 28 | (uint64_t)1 << 29 |
           (uint64_t)draw(2) << 31 | (uint64_t)draw(2) << 32 | (uint64_t)draw(2) << 33 |
           (uint64_t)draw(8) << 34 | (uint64_t)draw(8) << 37 | (uint64_t)draw(8) << 40 |
           (uint64_t)draw(100) << 43 | (uint64_t)draw(100) << 50 |
           (uint64_t)draw(100) << 57;
}

static void use_rows(struct rows *r, uint64_t c, bool three)
{
    if (three) {
        r->control3 |= 1u << (c >> 8 & 3);
        r->source3 |= 1u << (c >> 10 & 3);
        return;
    }
    r->control |= 1u << (c >> 8 & 31);
    r->datatype |= 1u << (c >> 13 & 31);
    r->subreg |= 1u << (c >> 18 & 31);
    r->source |= 1u << (c >> 30 & 31);
    r->source |= 1u << (c >> 35 & 31);
}

/* Of architecture registers a random number is mostly one that Gen9 does not have. */
static bool is_real(const struct isa_operand *o)
{
    return o->file <= ISA_FILE_GRF || o->file == ISA_FILE_IMM ||
           ((o->file == ISA_FILE_ACC || o->file == ISA_FILE_FLAG) && o->reg < 2);
}

static bool all_real(const struct isa_inst *in)
{
    bool real = is_real(&in->dst);

    for (uint32_t k = 0; k < in->nsrc; k++)
        real = real && is_real(&in->src[k]);
    return real;
}

static void every_row_of_compacted_forms(void **state)
{
    struct rows rows = {0};

    (void)state;
    seen = compacted = 0;
    for (uint32_t i = 0; i < (is_long() ? 10 * COMPACTED : COMPACTED); i++) {
        bool three = i % 8 == 0;
        uint64_t c = three ? three_sources() : two_sources();
        uint8_t text[8 + ISA_NATIVE_BYTES];
        struct isa_kernel_code code;
        struct igpu_err err;

        memcpy(text, &c, 8);
        memcpy(text + 8, eot, sizeof(eot));
        /* libiga64 refuses some combinations of rows: no instruction of Gen9. */
        if (isa_decode("compacted", text, sizeof(text), &code, &err) != IGPU_OK)
            continue;
        if (all_real(&code.inst[0])) {
            use_rows(&rows, c, three);
            compare("compacted", text, &code.inst[0]);
        }
        isa_code_free(&code);
    }
    print_message("%llu compacted encodings that libiga64 reads\n",
                  (unsigned long long)compacted);
    assert_int_equal(rows.control, UINT32_MAX);
    /* Row 20 has a destination without a stride, which libiga64 refuses. */
    assert_int_equal(rows.datatype, ~(1u << 20));
    assert_int_equal(rows.subreg, UINT32_MAX);
    assert_int_equal(rows.source, UINT32_MAX);
    assert_int_equal(rows.control3, 15);
    assert_int_equal(rows.source3, 15);
}

/* ---- native forms --------------------------------------------------------- */

struct batch {
    uint8_t text[(BATCH + 1) * ISA_NATIVE_BYTES];
    uint32_t count;
};

static void compare_batch(struct batch *b)
{
    struct isa_kernel_code code;
    struct igpu_err err;

    if (b->count == 0)
        return;
    memcpy(b->text + b->count * ISA_NATIVE_BYTES, eot, sizeof(eot));
    if (isa_decode("native", b->text, (b->count + 1) * ISA_NATIVE_BYTES, &code, &err) !=
        IGPU_OK)
        fail_msg("%s", err.text);
    compare_all("native", b->text, &code);
    isa_code_free(&code);
    b->count = 0;
}

static void add_bin(struct batch *b, const struct isa_form *form, uint32_t bin,
                    bool result)
{
    uint64_t from = (uint64_t)form->op << 40 ^ (uint64_t)form->dst << 30 ^
                    (uint64_t)form->src[0] << 20 ^ (bin << 1 | result) ^ 1u << 19;
    struct isa_inst in;

    if (!(result ? isa_form_result : isa_form_source)(form, bin, &from, &in) ||
        !isa_encode(&in,
                    memset(b->text + b->count * ISA_NATIVE_BYTES, 0, ISA_NATIVE_BYTES)))
        return;
    if (++b->count == BATCH)
        compare_batch(b);
}

static void legal_native_forms(void **state)
{
    static struct batch b;
    uint32_t count, share = is_long() ? 1 : CI_SHARE;
    struct isa_form *forms = isa_forms(&count);

    (void)state;
    seen = 0;
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t bin = f % share; bin < BINS_SOURCE; bin += share)
            add_bin(&b, &forms[f], bin, false);
        for (uint32_t bin = f % share; bin < BINS_RESULT; bin += share)
            add_bin(&b, &forms[f], bin, true);
    }
    compare_batch(&b);
    free(forms);
    print_message("%llu legal native encodings\n", (unsigned long long)seen);
    assert_true(seen > 50000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_compacted_forms),
        cmocka_unit_test(legal_native_forms),
        cmocka_unit_test(kernels_of_the_suite),
        cmocka_unit_test(shaders_of_frames),
    };

    captures = argv + 1;
    captures_n = argc - 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
