/* trace_dump_code.c - kernels as text: field names and values as GED prints them (and
 * as the published traces of the GT-Pin flow have them). See trace_dump.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace_dump.h"

enum { GRF_BYTES = ISA_GRF_COUNT * ISA_GRF_BYTES, TEXT = 256, KEY = 64 };

/* ---- fields ------------------------------------------------------------- */

/* Where the fields of one instruction go: lines of text, or members of an object. */
struct fields {
    FILE *out;
    struct igpu_json *json; /* NULL: text, to `out` */
};

static bool is_number(const char *text)
{
    size_t digits = strspn(text + (text[0] == '-'), "0123456789");

    return digits > 0 && text[(text[0] == '-') + digits] == '\0';
}

static void field(struct fields *f, const char *prefix, const char *name,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* One field; in JSON whole decimal numbers are numbers, all else strings. */
static void field(struct fields *f, const char *prefix, const char *name,
                  const char *format, ...)
{
    char text[TEXT], key[KEY];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (!f->json) {
        fprintf(f->out, "  %s%s: %s\n", prefix, name, text);
        return;
    }
    (void)snprintf(key, sizeof(key), "%s%s", prefix, name);
    if (!is_number(text))
        igpu_json_text(f->json, key, text);
    else if (text[0] == '-')
        igpu_json_i64(f->json, key, strtoll(text, NULL, 10));
    else
        igpu_json_u64(f->json, key, strtoull(text, NULL, 10));
}

/* ---- register lists ----------------------------------------------------- */

/* The bytes of the GRF file that an operand covers. */
struct bytes {
    bool on[GRF_BYTES];
};

static void cover(struct bytes *b, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && i < GRF_BYTES; i++)
        b->on[i] = true;
}

static void cover_region(struct bytes *b, const struct isa_inst *in,
                         const struct isa_operand *o, bool dst)
{
    uint32_t size = isa_type_bytes((enum isa_type)o->type);
    uint32_t start = o->reg * (uint32_t)ISA_GRF_BYTES + o->byte;
    uint32_t width = o->width ? o->width : 1;

    for (uint32_t i = 0; i < in->exec_size; i++) {
        uint32_t at = dst ? i * (o->hstride ? o->hstride : 1u)
                          : i / width * o->vstride + i % width * o->hstride;

        cover(b, start + at * size, size);
    }
}

/* "39_0": register and byte, one for each byte; `grfs` whole registers for sends. */
static void print_reglist(const char *name, const struct isa_inst *in,
                          const struct isa_operand *o, bool dst, uint32_t grfs,
                          struct fields *f)
{
    const char *separator = "";
    char key[KEY], place[16];
    struct bytes b;

    if (o->file != ISA_FILE_GRF || o->indirect)
        return;
    memset(&b, 0, sizeof(b));
    if (in->msg.family != ISA_MSG_NONE)
        cover(&b, o->reg * (uint32_t)ISA_GRF_BYTES, grfs * ISA_GRF_BYTES);
    else
        cover_region(&b, in, o, dst);
    (void)snprintf(key, sizeof(key), "%s_reglist", name);
    if (f->json)
        igpu_json_array(f->json, key, IGPU_JSON_ROW);
    else
        fprintf(f->out, "  %s: ", key);
    for (uint32_t i = 0; i < GRF_BYTES; i++) {
        if (!b.on[i])
            continue;
        (void)snprintf(place, sizeof(place), "%u_%u", i / ISA_GRF_BYTES,
                       i % ISA_GRF_BYTES);
        if (f->json)
            igpu_json_text(f->json, NULL, place);
        else
            fprintf(f->out, "%s\"%s\"", separator, place);
        separator = " ";
    }
    if (f->json)
        igpu_json_end(f->json);
    else
        fputc('\n', f->out);
}

/* ---- operands ----------------------------------------------------------- */

static const char *ged_file(uint32_t file)
{
    switch (file) {
    case ISA_FILE_NONE:
        return "INVALID";
    case ISA_FILE_GRF:
        return "GRF";
    case ISA_FILE_IMM:
        return "IMM";
    default:
        return "ARF";
    }
}

static void print_region(const char *name, const struct isa_operand *o, bool dst,
                         struct fields *f)
{
    if (dst) {
        field(f, "dst", "_horz_stride", "%u", o->hstride);
        return;
    }
    if (o->vxh)
        field(f, name, "_vert_stride", "VxH");
    else if (o->width)
        field(f, name, "_vert_stride", "%u", o->vstride);
    if (o->width) {
        field(f, name, "_width", "%u", o->width);
        field(f, name, "_horz_stride", "%u", o->hstride);
    }
}

static void print_place(const char *name, const struct isa_operand *o, struct fields *f)
{
    field(f, name, "_addr_mode", "GED_ADDR_MODE_%s",
          o->indirect ? "Indirect" : "Direct");
    if (o->indirect) {
        field(f, name, "_addr_sub_reg_num", "%u", o->addr_sub);
        field(f, name, "_addr_imm", "%d", o->addr_imm);
        return;
    }
    if (o->file != ISA_FILE_GRF)
        field(f, name, "_arf", "%s", isa_file_name((enum isa_file)o->file));
    field(f, name, "_reg_num", "%u", o->reg);
    field(f, name, "_sub_reg_num", "%u", o->byte);
    if (o->swizzle != 0)
        field(f, name, "_swizzle", "0x%x", o->swizzle);
    if (o->mme != ISA_MME_NONE)
        field(f, name, "_special_acc", "%d", o->mme);
}

static void print_operand(const char *name, const struct isa_inst *in,
                          const struct isa_operand *o, bool dst, uint32_t grfs,
                          struct fields *f)
{
    static const char *const mods[] = {"", "Absolute", "Negative", "Negative_Absolute"};

    field(f, name, "_reg_file", "GED_REG_FILE_%s", ged_file(o->file));
    if (o->type != ISA_TYPE_NONE)
        field(f, name, "_data_type", "GED_DATA_TYPE_%s",
              isa_type_name((enum isa_type)o->type));
    if (o->file == ISA_FILE_IMM) {
        field(f, "", "imm", "%" PRIu64, o->imm);
        return;
    }
    print_place(name, o, f);
    if (!dst && o->mod)
        field(f, name, "_src_mod", "GED_SRC_MOD_%s", mods[o->mod & 3]);
    print_region(name, o, dst, f);
    print_reglist(name, in, o, dst, grfs, f);
}

/* ---- messages ----------------------------------------------------------- */

static void print_message(const struct isa_message *m, struct fields *f)
{
    static const char *const from_a0 = " (from a0.0)";

    field(f, "", "msg_desc", "0x%08" PRIx32 "%s", m->desc, m->desc_reg ? from_a0 : "");
    field(f, "", "ex_msg_desc", "0x%08" PRIx32 "%s", m->exdesc,
          m->exdesc_reg ? from_a0 : "");
    field(f, "", "msg_sfid", "%s", isa_sfid_name(m->sfid));
    field(f, "", "msg_type", "%s", isa_family_name((enum isa_family)m->family));
    field(f, "", "msg_length", "%u", m->mlen);
    field(f, "", "msg_ex_length", "%u", m->ext_mlen);
    field(f, "", "msg_response_length", "%u", m->rlen);
    field(f, "", "msg_header_present", "%u", m->header);
    field(f, "", "msg_simd", "%u", m->simd);
    if (m->addr_model != ISA_ADDR_NONE) {
        field(f, "", "msg_addr_model", "%s",
              isa_addr_model_name((enum isa_addr_model)m->addr_model));
        field(f, "", "msg_bti", "%u", m->bti);
    }
    if (m->elements)
        field(f, "", "msg_elements", "%u x %u bytes, channel mask 0x%x", m->elements,
              m->element_bytes, m->comp_mask);
    if (m->atomic_op != ISA_ATOMIC_NONE)
        field(f, "", "msg_atomic", "%s",
              isa_atomic_name((enum isa_atomic)m->atomic_op));
    if (m->block_bytes)
        field(f, "", "msg_block_bytes", "%u", m->block_bytes);
    if (m->addr_model == ISA_ADDR_SCRATCH)
        field(f, "", "msg_scratch_offset", "%" PRIu32, m->scratch_offset);
}

/* ---- instructions ------------------------------------------------------- */

static void print_flags(const struct isa_inst *in, struct fields *f)
{
    static const char *const cmods[ISA_CMOD_COUNT] = {"",  "z",  "nz", "g", "ge",
                                                      "l", "le", "o",  "u", "eo"};
    const char *suffix = isa_pred_suffix((enum isa_pred)in->pred);

    if (in->pred != ISA_PRED_NONE) {
        field(f, "", "pred_ctrl", "GED_PRED_CTRL_%s", suffix[0] ? suffix : "Normal");
        field(f, "", "pred_inv", "GED_PRED_INV_%s",
              in->pred_inverse ? "Invert" : "Positive");
    }
    if (in->cmod != ISA_CMOD_NONE && in->cmod < ISA_CMOD_COUNT)
        field(f, "", "cond_modifier", "GED_COND_MODIFIER_%s", cmods[in->cmod]);
    if (in->flag >= 0) {
        field(f, "", "flag_reg_num", "%d", in->flag / 2);
        field(f, "", "flag_sub_reg_num", "%d", in->flag % 2);
    }
}

static void print_control(const struct isa_inst *in, struct fields *f)
{
    field(f, "", "exec_size", "%u", in->exec_size);
    if (in->chan_offset)
        field(f, "", "channel_offset", "GED_CHANNEL_OFFSET_M%u", in->chan_offset);
    if (in->no_mask)
        field(f, "", "mask_ctrl", "GED_MASK_CTRL_NoMask");
    print_flags(in, f);
    if (in->saturate)
        field(f, "", "saturate", "GED_SATURATE_sat");
    if (in->acc_wr_en)
        field(f, "", "acc_wr_ctrl", "GED_ACC_WR_CTRL_AccWrEn");
    if (in->thread_switch)
        field(f, "", "thread_ctrl", "GED_THREAD_CTRL_Switch");
    if (in->branch_ctrl)
        field(f, "", "branch_ctrl", "GED_BRANCH_CTRL_Branch");
    if (in->eot)
        field(f, "", "eot", "GED_EOT_EOT");
}

static void print_math(const struct isa_inst *in, struct fields *f)
{
    char name[TEXT] = "";
    const char *from = isa_math_name((enum isa_math)in->math);

    if (in->math == ISA_MATH_NONE)
        return;
    for (size_t i = 0; from[i] && i + 1 < sizeof(name); i++)
        name[i] = (char)toupper((unsigned char)from[i]);
    field(f, "", "math_fc", "GED_MATH_FC_%s", name);
}

static void print_operands(const struct isa_inst *in, struct fields *f)
{
    static const char *const names[ISA_MAX_SRC] = {"src0", "src1", "src2"};

    if (in->dst.file != ISA_FILE_NONE) {
        /* Three sources: 16-byte aligned access, all of xyzw written. */
        if (in->nsrc == ISA_MAX_SRC)
            field(f, "", "dst_chan_en", "GED_DST_CHAN_EN_xyzw");
        print_operand("dst", in, &in->dst, true, in->msg.rlen, f);
    }
    for (uint32_t s = 0; s < in->nsrc && s < ISA_MAX_SRC; s++)
        print_operand(names[s], in, &in->src[s], false,
                      s == 0 ? in->msg.mlen : in->msg.ext_mlen, f);
}

static void print_inst(const struct isa_inst *in, uint32_t kernel, uint32_t block,
                       uint32_t number, struct fields *f)
{
    char text[TEXT];

    isa_disasm(in, text, sizeof(text));
    field(f, "", "asm", "%s", text);
    field(f, "", "opcode", "GED_OPCODE_%s", isa_opcode_name((enum isa_opcode)in->op));
    field(f, "", "ins_uid", f->json ? "%u_%u_%u" : "\"%u_%u_%u\"", kernel, block,
          number);
    field(f, "", "ins_id", "%u", number);
    field(f, "", "ins_offset", "%" PRIu32, in->pc);
    field(f, "", "ins_size", "%u", in->size);
    print_math(in, f);
    print_control(in, f);
    print_operands(in, f);
    if (in->jip != ISA_NO_TARGET)
        field(f, "", "jip", "%" PRId32, in->jip);
    if (in->uip != ISA_NO_TARGET)
        field(f, "", "uip", "%" PRId32, in->uip);
    if (in->msg.family != ISA_MSG_NONE)
        print_message(&in->msg, f);
}

/* ---- kernels ------------------------------------------------------------ */

static void print_block(const struct trace_kernel *k, uint32_t index, uint32_t b,
                        FILE *out)
{
    const struct isa_block *block = &k->blocks.block[b];

    fprintf(out, "\nBBL %u_%u: instructions %u..%u, successors", index, b, block->first,
            block->first + block->count - 1);
    for (uint32_t s = 0; s < block->nsucc; s++)
        fprintf(out, " %u", block->succ[s]);
    fprintf(out, "%s%s%s\n", block->is_dynamic ? " any" : "",
            block->is_call ? " (call)" : "",
            block->ends_thread ? " none: ends the thread" : "");
    for (uint32_t i = 0; i < block->count; i++) {
        struct fields f = {.out = out};

        fputs("INSTRUCTION\n", out);
        print_inst(&k->code.inst[block->first + i], index, b, i, &f);
    }
}

void trace_dump_kernel(const struct trace_kernel *k, uint32_t index, FILE *out)
{
    fprintf(out, "\nKERNEL %u: %s\n", index, k->name);
    fprintf(out, "build_options: %s\nsource_hash: 0x%016" PRIx64 "\n", k->build_options,
            k->source_hash);
    fprintf(out, "simd: %u\nslm_bytes: %u\ngrf_count: %u\nbarriers: %s\n", k->simd,
            k->slm_bytes, k->grf_count, k->barriers ? "yes" : "no");
    fprintf(out, "num_instructions: %u\nnum_bbls: %u\n", k->code.count,
            k->blocks.count);
    for (uint32_t b = 0; b < k->blocks.count; b++)
        print_block(k, index, b, out);
}

void trace_json_instructions(const struct trace_kernel *k, uint32_t index,
                             struct igpu_json *json)
{
    struct fields f = {.json = json};

    for (uint32_t i = 0; i < k->code.count; i++) {
        uint32_t block = k->blocks.block_of[i];

        igpu_json_object(json, NULL, IGPU_JSON_ROW);
        print_inst(&k->code.inst[i], index, block, i - k->blocks.block[block].first,
                   &f);
        igpu_json_end(json);
    }
}
