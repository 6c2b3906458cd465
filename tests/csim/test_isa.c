/* test_isa.c - the decoder against libiga64's own disassembly over compiled and
 * assembled code, and the facts derived from an instruction against hand-made ones.
 * Cannot find: an error that libiga64 makes itself. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "igpu/isa_decode.h"
#include "isa_assembly.h"
#include "isa_text.h"
#include "tests/support/isa_material.h"

#define EOT "send (8|M0) null r127 0x27 0x02000010 {EOT}\n"

static void check_program(const char *path, const char *device, uint32_t least)
{
    struct loader_program *program = material_compile(path, device);
    uint32_t count = 0, opcodes = 0;
    uint64_t seen[2] = {0, 0};

    for (uint32_t k = 0; k < program->kernels; k++) {
        const struct loader_kernel *kernel = &program->kernel[k];
        struct isa_kernel_code code;
        struct igpu_err err = {.text = ""};

        if (isa_decode(kernel->name, kernel->text, kernel->text_bytes, &code, &err))
            fail_msg("%s", err.text);
        assert_int_equal(
            compare_with_iga(kernel->name, kernel->text, kernel->text_bytes, &code), 0);
        for (uint32_t i = 0; i < code.count; i++) {
            assert_int_not_equal(code.inst[i].msg.family, ISA_MSG_UNSUPPORTED);
            seen[code.inst[i].op / 64] |= UINT64_C(1) << (code.inst[i].op % 64);
        }
        count += code.count;
        isa_code_free(&code);
    }
    for (uint32_t i = 0; i < ISA_OP_COUNT; i++)
        opcodes += (uint32_t)(seen[i / 64] >> (i % 64) & 1);
    print_message("%s %s: %u kernels, %u instructions, %u opcodes\n", path, device,
                  program->kernels, count, opcodes);
    assert_true(count >= least);
    loader_free(program);
}

static void compiled_kernels_read_as_iga64_reads_them(void **state)
{
    (void)state;
    check_program("tests/csim/isa_kernels.cl", "skl", 1400);
    check_program("tests/csim/isa_kernels.cl", "kbl", 1400);
}

static void the_projects_own_kernels_read_as_iga64_reads_them(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob("traces/kernels/*.cl", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_program(found.gl_pathv[i], "skl", 10);
    globfree(&found);
}

static void every_operand_form_reads_as_iga64_reads_it(void **state)
{
    struct isa_kernel_code code;
    struct igpu_err err = {.text = ""};
    size_t bytes = 0;
    uint8_t *raw = material_assemble(every_form, &bytes);

    (void)state;
    if (isa_decode("every_form", raw, bytes, &code, &err))
        fail_msg("%s", err.text);
    assert_true(code.count > 50);
    assert_int_equal(code.text_bytes, bytes);
    assert_int_equal(compare_with_iga("every_form", raw, bytes, &code), 0);
    isa_code_free(&code);
    free(raw);
}

/* The comparison itself can fail: a decoded field that is changed shows. */
static void a_changed_field_shows_in_the_text(void **state)
{
    struct isa_kernel_code code;
    size_t bytes = 0;
    uint8_t *raw =
        material_assemble("add (8|M0) r4.0<1>:d r5.0<8;8,1>:d 3:w\n" EOT, &bytes);
    struct isa_inst good;

    (void)state;
    assert_int_equal(isa_decode("a", raw, bytes, &code, NULL), IGPU_OK);
    good = code.inst[0];
    code.inst[0].src[0].vstride = 4;
    assert_int_equal(compare_with_iga("expected", raw, bytes, &code), 1);
    code.inst[0] = good;
    code.inst[0].src[1].imm = 4;
    assert_int_equal(compare_with_iga("expected", raw, bytes, &code), 1);
    code.inst[0] = good;
    code.inst[0].dst.type = ISA_TYPE_UD;
    assert_int_equal(compare_with_iga("expected", raw, bytes, &code), 1);
    isa_code_free(&code);
    free(raw);
}

static void fields_hold_what_the_assembly_says(void **state)
{
    struct isa_kernel_code code;
    const struct isa_inst *i;

    (void)state;
    material_code("(~f1.1) add (16|M16) (lt)f1.1 r10.1<2>:w -r11.3<8;4,2>:w -16:w\n"
                  "mov (8|M0) r[a0.2,32]<1>:ud r[a0.1,-16]<8;8,1>:ud\n"
                  "mov (8|M0) r10.0<1>:ud r[a0.0,0]<1,0>:ud\n"
                  "madm (4|M0) r40.mme1:df r34.nomme:df -r116.nomme:df r24.mme7:df\n"
                  "mad (8|M0) r4.0<1>:f r5.0<2;1>:f r6.1<0;0>:f r7.0<1>:f\n" EOT,
                  &code);
    i = &code.inst[0];
    assert_int_equal(i->op, ISA_OP_ADD);
    assert_int_equal(i->exec_size, 16);
    assert_int_equal(i->chan_offset, 16);
    assert_int_equal(i->pred, ISA_PRED_SEQ);
    assert_true(i->pred_inverse);
    assert_int_equal(i->flag, 3);
    assert_int_equal(i->cmod, ISA_CMOD_LT);
    assert_int_equal(i->dst.byte, 2);
    assert_int_equal(i->dst.hstride, 2);
    assert_int_equal(i->src[0].byte, 6);
    assert_int_equal(i->src[0].mod, ISA_MOD_NEG);
    assert_int_equal(i->src[0].width, 4);
    assert_int_equal(i->src[1].file, ISA_FILE_IMM);
    assert_true(i->src[1].imm == 0xFFF0);
    i = &code.inst[1];
    assert_true(i->dst.indirect && i->src[0].indirect && !i->src[0].vxh);
    assert_int_equal(i->dst.addr_sub, 2);
    assert_int_equal(i->src[0].addr_imm, -16);
    i = &code.inst[2];
    assert_true(i->src[0].vxh);
    assert_int_equal(i->src[0].width, 1);
    i = &code.inst[3];
    assert_int_equal(i->dst.mme, 1);
    assert_int_equal(i->src[0].mme, ISA_MME_NOMME);
    assert_int_equal(i->src[2].mme, 7);
    i = &code.inst[4];
    assert_int_equal(i->src[0].vstride, 1);
    assert_int_equal(i->src[1].vstride, 0);
    assert_int_equal(i->src[1].byte, 4);
    assert_true(code.inst[5].eot);
    isa_code_free(&code);
}

/* Mesa's add of fine derivatives down, which libiga64 reads as Align1; and forms that
 * nobody makes: a channel that is not written, rows of another distance, words. */
static void align16_has_its_swizzles(void **state)
{
    static const uint8_t add[16] = {0x40, 0x01, 0x80, 0x00, 0xe8, 0x3a, 0xef, 0x2e,
                                    0x84, 0x42, 0x64, 0x3a, 0x8e, 0x02, 0x6e, 0x00};
    static const struct {
        uint8_t byte, bits;
    } damage[] = {{6, 1}, {10, 0x20}, {4, 0x80}};
    struct isa_kernel_code code;
    struct igpu_err err = {.text = ""};
    size_t bytes = 0;
    uint8_t *end = material_assemble(EOT, &bytes), raw[32];
    char text[256];

    (void)state;
    assert_int_equal(bytes, 16);
    memcpy(raw, add, 16);
    memcpy(raw + 16, end, 16);
    free(end);
    if (isa_decode("align16", raw, sizeof(raw), &code, &err))
        fail_msg("%s", err.text);
    assert_int_equal(code.inst[0].op, ISA_OP_ADD);
    assert_int_equal(code.inst[0].exec_size, 16);
    assert_int_equal(code.inst[0].dst.reg, 119);
    assert_int_equal(code.inst[0].dst.byte, 0);
    for (uint32_t i = 0; i < 2; i++) {
        const struct isa_operand *s = &code.inst[0].src[i];

        assert_int_equal(s->reg, 20);
        assert_int_equal(s->byte, 0);
        assert_int_equal(s->vstride, 4);
        assert_int_equal(s->width, 4);
        assert_int_equal(s->mod, i == 0 ? ISA_MOD_NEG : ISA_MOD_NONE);
        assert_int_equal(s->swizzle, ISA_SWIZZLED | (i == 0 ? 0x44 : 0xEE));
    }
    (void)isa_disasm(&code.inst[0], text, sizeof(text));
    assert_non_null(strstr(text, "<4;4,1>.xyxy"));
    assert_non_null(strstr(text, "<4;4,1>.zwzw"));
    isa_code_free(&code);
    for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
        memcpy(raw, add, 16);
        raw[damage[i].byte] ^= damage[i].bits;
        assert_int_not_equal(isa_decode("align16", raw, sizeof(raw), &code, &err),
                             IGPU_OK);
        if (i == 0) /* the library itself refuses some */
            assert_non_null(strstr(err.text, "Align16"));
    }
}

static void goto_keeps_its_branch_control(void **state)
{
    struct isa_kernel_code code;

    (void)state;
    material_code(
        "A:\n(f0.0) goto (16|M0) B C\nB:\nnop\nC:\n(f0.0) goto.b (16|M0) D A\n"
        "D:\njoin (16|M0) E\nE:\n" EOT,
        &code);
    assert_false(code.inst[0].branch_ctrl);
    assert_int_equal(code.inst[0].jip, code.inst[1].pc);
    assert_int_equal(code.inst[0].uip, code.inst[2].pc);
    assert_true(code.inst[2].branch_ctrl);
    assert_int_equal(code.inst[2].uip, 0);
    assert_int_equal(code.inst[3].jip, code.inst[4].pc);
    assert_int_equal(code.inst[3].uip, ISA_NO_TARGET);
    isa_code_free(&code);
}

/* Descriptors of real kernels and what they mean (gateway, HDC, spawner). */
static void descriptors_decode_to_messages(void **state)
{
    static const struct {
        uint32_t exdesc, desc;
        uint8_t family, model, simd, elements, element_bytes, mlen, rlen, ext;
        uint32_t bytes; /* block_bytes */
    } rows[] = {
        {0xC, 0x04205E00, ISA_MSG_UNTYPED_READ, ISA_ADDR_BTI, 16, 1, 4, 2, 2, 0, 0},
        {0xC, 0x02406000, ISA_MSG_UNTYPED_READ, ISA_ADDR_BTI, 8, 4, 4, 1, 4, 0, 0},
        {0x8C, 0x04025EFE, ISA_MSG_UNTYPED_WRITE, ISA_ADDR_SLM, 16, 1, 4, 2, 0, 2, 0},
        {0x4C, 0x040681FF, ISA_MSG_SCATTERED_WRITE, ISA_ADDR_A64, 8, 1, 4, 2, 0, 1, 0},
        {0x20C, 0x080699FF, ISA_MSG_SCATTERED_WRITE, ISA_ADDR_A64, 16, 4, 4, 4, 0, 8,
         0},
        {0xC, 0x042402FF, ISA_MSG_SCATTERED_READ, ISA_ADDR_A64, 8, 1, 8, 2, 2, 0, 0},
        {0xA, 0x021108FE, ISA_MSG_SCATTERED_READ, ISA_ADDR_SLM, 8, 4, 1, 1, 1, 0, 0},
        {0xA, 0x024C2001, ISA_MSG_SCRATCH_READ, ISA_ADDR_SCRATCH, 1, 0, 0, 1, 4, 0,
         128},
        {0xA, 0x0219E000, ISA_MSG_FENCE, ISA_ADDR_BTI, 1, 0, 0, 1, 1, 0, 0},
        {0x3, 0x02000004, ISA_MSG_BARRIER, ISA_ADDR_NONE, 1, 0, 0, 1, 0, 0, 0},
        {0x27, 0x02000010, ISA_MSG_EOT, ISA_ADDR_NONE, 1, 0, 0, 1, 0, 0, 0},
        {0xC, 0x02890003, ISA_MSG_TYPED_READ, ISA_ADDR_BTI, 0, 0, 1, 1, 8, 0,
         0}, /* media */
        {0x20C, 0x020A8001, ISA_MSG_TYPED_WRITE, ISA_ADDR_BTI, 0, 0, 1, 1, 0, 8, 0},
        {0xC, 0x02890403, ISA_MSG_UNSUPPORTED, ISA_ADDR_BTI, 0, 0, 1, 1, 8, 0,
         0}, /* fields */
        {0x8C, 0x040497FF, ISA_MSG_UNTYPED_ATOMIC, ISA_ADDR_A64, 8, 1, 8, 2, 0, 2, 0},
        {0xC, 0x022D1AFF, ISA_MSG_BLOCK_READ, ISA_ADDR_A64, 1, 0, 0, 1, 2, 0,
         64}, /* hwords, by A64 */
        {0xA, 0x02186203, ISA_MSG_BLOCK_READ, ISA_ADDR_BTI, 1, 0, 0, 1, 1, 0, 32},
        {0xA, 0x02286203, ISA_MSG_UNSUPPORTED, ISA_ADDR_BTI, 1, 0, 0, 1, 2, 0,
         32}, /* a later GPU's, by a binding table: here two owords */
        {0x6, 0x02000010, ISA_MSG_UNSUPPORTED, ISA_ADDR_NONE, 0, 0, 0, 1, 0, 0, 0},
    };

    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct isa_message m = {.exdesc = rows[r].exdesc, .desc = rows[r].desc};

        isa_message_decode(&m);
        assert_int_equal(m.family, rows[r].family);
        assert_int_equal(m.addr_model, rows[r].model);
        assert_int_equal(m.simd, rows[r].simd);
        assert_int_equal(m.elements, rows[r].elements);
        assert_int_equal(m.element_bytes, rows[r].element_bytes);
        assert_int_equal(m.mlen, rows[r].mlen);
        assert_int_equal(m.rlen, rows[r].rlen);
        assert_int_equal(m.ext_mlen, rows[r].ext);
        assert_int_equal(m.block_bytes, rows[r].bytes);
        assert_true((m.family == ISA_MSG_UNSUPPORTED) ==
                    (isa_message_note(&m)[0] != '\0'));
    }
}

/* Whatever the bits, a payload that is described fits what the message can carry. */
static void any_descriptor_decodes_within_bounds(void **state)
{
    uint64_t seed = 20180402;

    (void)state;
    for (uint32_t n = 0; n < 2000000; n++) {
        struct isa_message m = {.exdesc = material_random(&seed) & 0x3FF,
                                .desc = material_random(&seed)};

        isa_message_decode(&m);
        assert_true(m.family > ISA_MSG_NONE && m.family < ISA_MSG_FAMILY_COUNT);
        if (m.family == ISA_MSG_UNSUPPORTED)
            continue;
        if (m.sub_type == ISA_TYPED_MEDIA &&
            (m.family == ISA_MSG_TYPED_READ || m.family == ISA_MSG_TYPED_WRITE))
            assert_true(m.simd == 0 && m.elements == 0);
        else
            assert_true(m.simd == 1 || m.simd == 8 || m.simd == 16);
        assert_true(m.elements <= 8 && m.element_bytes <= 8);
        assert_true(m.block_bytes <= 256 && m.scratch_offset < 131072);
        if (m.family == ISA_MSG_SCATTERED_READ && m.element_bytes == 1)
            assert_true(m.elements <= m.slot_bytes);
    }
}

/* What the code in front says of a0.0: Mesa's three ways, that of Intel's compiler for
 * OpenCL without optimisation, and what says nothing. */
static void descriptors_in_registers_are_known_by_the_code_before(void **state)
{
    static const struct {
        const char *front;
        uint32_t sfid, desc;
        uint8_t family, mlen, rlen, simd;
    } rows[] = {
        {"or (1|M0) a0.0<1>:ud r4.0<0;1,0>:ud 0x0485A000:ud", 2, 0x0485A000,
         ISA_MSG_SAMPLER, 2, 8, 16},
        {"or (1|M0) a0.0<1>:ud r4.0<0;1,0>:ud 0x0485AF07:ud", 2, 0x0485A000,
         ISA_MSG_SAMPLER, 2, 8, 16},
        {"and (1|M0) a0.0<1>:ud r4.0<0;1,0>:ud 0xFF:ud\n"
         "or (1|M0) a0.0<1>:ud a0.0<0;1,0>:ud 0x02280300:ud",
         9, 0x02280300, ISA_MSG_BLOCK_READ, 1, 2, 1},
        {"mov (1|M0) a0.0<1>:ud 0x04805000:ud\nadd (8|M0) r5.0<1>:f r6.0<8;8,1>:f "
         "1.0:f",
         12, 0x04805000, ISA_MSG_UNTYPED_READ, 2, 8, 16},
        {"add (1|M0) a0.0<1>:ud r6.4<0;1,0>:ud 0x24B8000:ud\n"
         "add (1|M0) a0.0<1>:ud a0.0<0;1,0>:ud r27.7<0;1,0>:ud",
         2, 0x024B8000, ISA_MSG_SAMPLER, 1, 4, 8},
        {"mov (1|M0) a0.0<1>:ud r4.0<0;1,0>:ud", 2, 0, ISA_MSG_UNSUPPORTED, 0, 0, 0},
        {"mul (1|M0) a0.0<1>:ud r4.0<0;1,0>:ud 0x0485A000:ud", 2, 0,
         ISA_MSG_UNSUPPORTED, 0, 0, 0},
        {"(f0.0) mov (1|M0) a0.0<1>:ud 0x0485A000:ud", 2, 0, ISA_MSG_UNSUPPORTED, 0, 0,
         0},
        {"mov (1|M0) a0.0<1>:ud 0x0485A000:ud\n(f0.0) jmpi (1|M0) A\nA:", 2, 0,
         ISA_MSG_UNSUPPORTED, 0, 0, 0},
        {"nop", 2, 0, ISA_MSG_UNSUPPORTED, 0, 0, 0},
    };

    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct isa_kernel_code code;
        const struct isa_inst *send;
        struct isa_inst now;
        char text[400];

        (void)snprintf(text, sizeof(text),
                       "%s\nsend (16|M0) r10:f r20:ud 0x%x a0.0\n" EOT, rows[r].front,
                       rows[r].sfid);
        material_code(text, &code);
        send = &code.inst[code.count - 3];
        while (isa_opcode_class((enum isa_opcode)send->op) != ISA_CLASS_SEND)
            send++;
        assert_true(send->msg.desc_reg);
        assert_int_equal(send->msg.desc, rows[r].desc);
        assert_int_equal(send->msg.family, rows[r].family);
        assert_int_equal(send->msg.mlen, rows[r].mlen);
        assert_int_equal(send->msg.rlen, rows[r].rlen);
        assert_int_equal(send->msg.simd, rows[r].simd);
        assert_int_equal(isa_message_is_known(&send->msg), rows[r].desc != 0);
        /* Another surface is what was said, another length is not. */
        assert_int_equal(isa_resolve(send, rows[r].desc | 9, &now), rows[r].desc != 0);
        assert_false(now.msg.desc_reg);
        assert_int_equal(now.msg.bti, rows[r].desc != 0 ? 9 : now.msg.bti);
        assert_false(isa_resolve(send, rows[r].desc ^ 1u << 20, &now));
        assert_false(isa_resolve(send, rows[r].desc ^ 1u << 14, &now));
        isa_code_free(&code);
    }
}

/* The surface's number is in the upper bits of a0.2; the lower ones are as Mesa puts
 * them there, or are not known. */
static void extended_descriptors_in_registers_are_known_by_the_code_before(void **state)
{
    static const struct {
        const char *front;
        uint32_t desc, exdesc;
        uint8_t family, sfid, ext_mlen;
    } rows[] = {
        {"or (1|M0) a0.1<1>:ud r4.0<0;1,0>:ud 0x82:ud", 0x021B80FC, 0x82,
         ISA_MSG_SAMPLER, 2, 2},
        {"or (1|M0) a0.1<1>:ud r4.0<0;1,0>:ud 0x4C:ud\nmov (1|M0) a0.0<1>:ud 0x5:ud",
         0x040187FC, 0x4C, ISA_MSG_TYPED_ATOMIC, 12, 1},
        {"mov (1|M0) a0.1<1>:ud r4.0<0;1,0>:ud", 0x021B80FC, 0, ISA_MSG_UNSUPPORTED, 0,
         0},
        {"nop", 0x021B80FC, 0, ISA_MSG_UNSUPPORTED, 0, 0},
    };

    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct isa_kernel_code code;
        const struct isa_inst *send;
        struct isa_regset reads, writes;
        char text[400];

        (void)snprintf(text, sizeof(text),
                       "%s\nsends (8|M0) r10:ud r20 r30 a0.2 0x%08X\n" EOT,
                       rows[r].front, rows[r].desc);
        material_code(text, &code);
        send = code.inst;
        while (isa_opcode_class((enum isa_opcode)send->op) != ISA_CLASS_SEND)
            send++;
        assert_true(send->msg.exdesc_reg);
        assert_int_equal(send->msg.exdesc, rows[r].exdesc);
        assert_int_equal(send->msg.family, rows[r].family);
        assert_int_equal(send->msg.sfid, rows[r].sfid);
        assert_int_equal(send->msg.ext_mlen, rows[r].ext_mlen);
        assert_int_equal(send->msg.bti, rows[r].exdesc != 0 ? 252 : 0);
        isa_regs(send, &reads, &writes);
        assert_int_equal(reads.addr, rows[r].exdesc != 0 ? 0xC : 0xFFFF);
        isa_code_free(&code);
    }
}

static void expect_regs(const struct isa_regset *set, uint64_t low, uint64_t high,
                        unsigned flags, unsigned acc, unsigned addr, unsigned other)
{
    assert_true(set->grf[0] == low);
    assert_true(set->grf[1] == high);
    assert_int_equal(set->flags, flags);
    assert_int_equal(set->acc, acc);
    assert_int_equal(set->addr, addr);
    assert_int_equal(set->other, other);
}

#define R(n) (UINT64_C(1) << ((n) % 64))

static void registers_read_and_written_are_complete(void **state)
{
    struct isa_regset r, w;
    struct isa_kernel_code code;

    (void)state;
    material_code("(f0.1) add (16|M0) r10.0<1>:f r12.0<8;8,1>:f r14.1<0;1,0>:f\n"
                  "cmp (32|M0) (ne)f1.0 null<1>:w r63.0<16;16,1>:w r4.0<0;1,0>:w\n"
                  "sends (16|M0) r20:ud r30 r32 0x8C 0x04205EFE\n"
                  "mach (8|M0) r33.0<1>:d r8.0<8;8,1>:ud r53.0<8;8,1>:ud {AccWrEn}\n"
                  "mov (8|M0) r10.0<1>:ud r[a0.3,0]<8;8,1>:ud\n"
                  "mov (8|M0) r10.0<1>:ud r[a0.4,0]<1,0>:ud\n"
                  "math.invm (4|M0) (eo)f1.1 r24.mme0:df r116.nomme:df r112.mme2:df\n"
                  "(W) wait n0.0<0;1,0>:ud\n"
                  "(W) mov (1|M0) f0.1<1>:uw a0.5<0;1,0>:uw\n"
                  "mov (8|M0) r40.0<2>:ud r42.0<8;8,1>:ud\n"
                  "sel (8|M0) (lt)f0.0 r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f\n" EOT,
                  &code);
    isa_regs(&code.inst[0], &r, &w);
    expect_regs(&r, R(12) | R(13) | R(14), 0, 2, 0, 0, 0);
    expect_regs(&w, R(10) | R(11), 0, 0, 0, 0, 0);
    isa_regs(&code.inst[1], &r, &w);
    expect_regs(&r, R(63) | R(4), R(64), 0, 0, 0, 0);
    expect_regs(&w, 0, 0, 0xC, 0, 0, 0);
    isa_regs(&code.inst[2], &r, &w);
    expect_regs(&r, R(30) | R(31) | R(32) | R(33), 0, 0, 0, 0, 0);
    expect_regs(&w, R(20) | R(21), 0, 0, 0, 0, 0);
    isa_regs(&code.inst[3], &r, &w);
    expect_regs(&r, R(8) | R(53), 0, 0, 3, 0, 0);
    expect_regs(&w, R(33), 0, 0, 3, 0, 0);
    isa_regs(&code.inst[4], &r, &w);
    expect_regs(&r, UINT64_MAX, UINT64_MAX, 0, 0, 1 << 3, 0);
    assert_true(r.indirect && !w.indirect);
    isa_regs(&code.inst[5], &r, &w);
    expect_regs(&r, UINT64_MAX, UINT64_MAX, 0, 0, 0xFF0, 0);
    isa_regs(&code.inst[6], &r, &w);
    expect_regs(&r, 0, R(116) | R(112), 0, 1 << 4, 0, 0);
    expect_regs(&w, R(24), 0, 8, 1 << 2, 0, 0);
    isa_regs(&code.inst[7], &r, &w);
    expect_regs(&r, 0, 0, 0, 0, 0, ISA_OTHER_NOTIFY);
    expect_regs(&w, 0, 0, 0, 0, 0, ISA_OTHER_NOTIFY);
    isa_regs(&code.inst[8], &r, &w);
    expect_regs(&r, 0, 0, 0, 0, 1 << 5, 0);
    expect_regs(&w, 0, 0, 2, 0, 0, 0);
    isa_regs(&code.inst[9], &r, &w);
    expect_regs(&w, R(40) | R(41), 0, 0, 0, 0, 0);
    isa_regs(&code.inst[10], &r, &w);
    expect_regs(&w, R(1), 0, 0, 0, 0, 0);
    isa_code_free(&code);
}

static void execution_types_follow_the_sources(void **state)
{
    struct isa_kernel_code code;

    (void)state;
    material_code("add (8|M0) r4.0<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:uw\n"
                  "mul (8|M0) r4.0<1>:d r5.0<8;8,1>:d r6.0<8;8,1>:d\n"
                  "mul (8|M0) r4.0<1>:d r5.0<8;8,1>:d r6.0<16;8,2>:w\n"
                  "mov (8|M0) r4.0<4>:b r5.0<8;8,1>:ub\n"
                  "mov (8|M0) r4.0<1>:q r8.0<8;8,1>:d\n"
                  "mad (8|M0) r4.0<1>:f r5.0<2;1>:f r6.0<2;1>:f r7.0<1>:f\n" EOT,
                  &code);
    assert_int_equal(isa_exec_type(&code.inst[0]), ISA_TYPE_D);
    assert_false(isa_is_64bit(&code.inst[0]));
    assert_true(isa_is_64bit(&code.inst[1]));
    assert_false(isa_is_64bit(&code.inst[2]));
    assert_int_equal(isa_exec_type(&code.inst[3]), ISA_TYPE_UW);
    assert_true(isa_is_64bit(&code.inst[4]));
    assert_int_equal(isa_exec_type(&code.inst[5]), ISA_TYPE_F);
    assert_int_equal(isa_exec_type(&code.inst[6]), ISA_TYPE_NONE);
    isa_code_free(&code);
}

static void blocks_and_successors_follow_the_branches(void **state)
{
    struct isa_kernel_code code;
    struct isa_block_list list;
    struct igpu_err err = {.text = ""};

    (void)state;
    /* 0: mov if | 1: mov else | 2: mov | 3: endif | 4: add while | 5: eot */
    material_code("mov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud\n(f0.0) if (8|M0) E1 E2\n"
                  "mov (8|M0) r1.0<1>:ud r3.0<8;8,1>:ud\nelse (8|M0) E2 E2\nE1:\n"
                  "mov (8|M0) r1.0<1>:ud r4.0<8;8,1>:ud\nE2:\nendif (8|M0) L\nL:\n"
                  "add (8|M0) r1.0<1>:ud r1.0<8;8,1>:ud 1:ud\n"
                  "(f0.0) while (8|M0) L\n" EOT,
                  &code);
    assert_int_equal(isa_blocks(&code, &list, &err), IGPU_OK);
    assert_int_equal(list.count, 6);
    assert_int_equal(list.block[0].count, 2);
    assert_int_equal(list.block[0].nsucc, 2);
    assert_int_equal(list.block[0].succ[0], 1);
    assert_int_equal(list.block[0].succ[1], 2);
    assert_int_equal(list.block[1].succ[0], 2);
    assert_int_equal(list.block[1].succ[1], 3);
    assert_int_equal(list.block[2].nsucc, 1);
    assert_int_equal(list.block[2].succ[0], 3);
    assert_int_equal(list.block[3].nsucc, 1);
    assert_int_equal(list.block[4].nsucc, 2);
    assert_int_equal(list.block[4].succ[0], 5);
    assert_int_equal(list.block[4].succ[1], 4);
    assert_true(list.block[5].ends_thread);
    assert_int_equal(list.block[5].nsucc, 0);
    assert_int_equal(list.block_of[code.count - 1], 5);
    isa_blocks_free(&list);
    code.inst[1].jip = 4;
    assert_int_equal(isa_blocks(&code, &list, &err), IGPU_BAD_INPUT);
    assert_non_null(strstr(err.text, "not an instruction"));
    isa_code_free(&code);
}

static void expect_refusal(const void *text, size_t bytes, const char *why)
{
    struct isa_kernel_code code;
    struct igpu_err err = {.text = ""};

    assert_int_equal(isa_decode("bad", text, bytes, &code, &err), IGPU_BAD_INPUT);
    assert_null(code.inst);
    assert_non_null(strstr(err.text, "bad"));
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, why);
}

static void text_that_is_no_kernel_is_refused(void **state)
{
    static const uint8_t zeros[64];
    size_t bytes = 0;
    uint8_t *raw = material_assemble("nop\n" EOT, &bytes);

    (void)state;
    expect_refusal(raw, 8, "8 bytes");
    expect_refusal(raw, 20, "multiple of 8");
    expect_refusal(raw, 16, "EOT");
    expect_refusal(raw, 24, "cut off");
    expect_refusal(zeros, sizeof(zeros), "empty");
    free(raw);
}

/* Decode what may be rubbish and, when it passes, walk everything derived from it. */
static bool survives(const uint8_t *text, size_t bytes)
{
    struct isa_kernel_code code;
    struct isa_block_list list;
    struct isa_regset r, w;
    struct igpu_err err = {.text = ""};
    char line[256];

    if (isa_decode("rubbish", text, bytes, &code, &err) != IGPU_OK) {
        assert_true(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        return false;
    }
    for (uint32_t i = 0; i < code.count; i++) {
        isa_regs(&code.inst[i], &r, &w);
        assert_true(isa_disasm(&code.inst[i], line, sizeof(line)) > 0);
        (void)isa_is_64bit(&code.inst[i]);
    }
    assert_int_equal(isa_blocks(&code, &list, &err), IGPU_OK);
    isa_blocks_free(&list);
    isa_code_free(&code);
    return true;
}

static void damaged_text_is_refused_or_decodes_whole(void **state)
{
    struct loader_program *program =
        material_compile("tests/csim/isa_kernels.cl", "skl");
    uint32_t rounds = getenv("IGPU_LONG") != NULL ? 3000 : 60;
    uint64_t seed = 9;
    uint32_t passed = 0, tried = 0;
    uint8_t noise[256];

    (void)state;
    for (uint32_t k = 0; k < program->kernels; k++) {
        const struct loader_kernel *kernel = &program->kernel[k];
        uint8_t *copy = malloc(kernel->text_bytes);

        assert_non_null(copy);
        for (uint32_t n = 0; n < rounds; n++) {
            uint32_t bit = material_random(&seed) % (uint32_t)(kernel->text_bytes * 8);

            memcpy(copy, kernel->text, kernel->text_bytes);
            copy[bit / 8] = (uint8_t)(copy[bit / 8] ^ 1u << (bit % 8));
            passed += survives(copy, kernel->text_bytes);
            passed += survives(kernel->text,
                               material_random(&seed) % kernel->text_bytes / 8 * 8);
            tried += 2;
        }
        free(copy);
    }
    for (uint32_t n = 0; n < 1000; n++) {
        for (uint32_t i = 0; i < sizeof(noise); i++)
            noise[i] = (uint8_t)material_random(&seed);
        passed += survives(noise, 16 + material_random(&seed) % 30 * 8);
        tried++;
    }
    print_message("%u of %u damaged texts decode\n", passed, tried);
    loader_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_kernels_read_as_iga64_reads_them),
        cmocka_unit_test(the_projects_own_kernels_read_as_iga64_reads_them),
        cmocka_unit_test(every_operand_form_reads_as_iga64_reads_it),
        cmocka_unit_test(a_changed_field_shows_in_the_text),
        cmocka_unit_test(fields_hold_what_the_assembly_says),
        cmocka_unit_test(align16_has_its_swizzles),
        cmocka_unit_test(goto_keeps_its_branch_control),
        cmocka_unit_test(descriptors_decode_to_messages),
        cmocka_unit_test(any_descriptor_decodes_within_bounds),
        cmocka_unit_test(descriptors_in_registers_are_known_by_the_code_before),
        cmocka_unit_test(
            extended_descriptors_in_registers_are_known_by_the_code_before),
        cmocka_unit_test(registers_read_and_written_are_complete),
        cmocka_unit_test(execution_types_follow_the_sources),
        cmocka_unit_test(blocks_and_successors_follow_the_branches),
        cmocka_unit_test(text_that_is_no_kernel_is_refused),
        cmocka_unit_test(damaged_text_is_refused_or_decodes_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
