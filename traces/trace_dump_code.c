/* trace_dump_code.c - kernels as text: field names and values as GED prints them (and
 * as the published traces of the GT-Pin flow have them). See trace_dump.h. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "traces/trace_dump.h"

enum { GRF_BYTES = ISA_GRF_COUNT * ISA_GRF_BYTES, TEXT = 256 };

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
                          FILE *out)
{
    struct bytes b;

    if (o->file != ISA_FILE_GRF || o->indirect)
        return;
    memset(&b, 0, sizeof(b));
    if (in->msg.family != ISA_MSG_NONE)
        cover(&b, o->reg * (uint32_t)ISA_GRF_BYTES, grfs * ISA_GRF_BYTES);
    else
        cover_region(&b, in, o, dst);
    fprintf(out, "  %s_reglist:", name);
    for (uint32_t i = 0; i < GRF_BYTES; i++)
        if (b.on[i])
            fprintf(out, " \"%u_%u\"", i / ISA_GRF_BYTES, i % ISA_GRF_BYTES);
    fputc('\n', out);
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
                         FILE *out)
{
    if (dst) {
        fprintf(out, "  dst_horz_stride: %u\n", o->hstride);
        return;
    }
    if (o->vxh)
        fprintf(out, "  %s_vert_stride: VxH\n", name);
    else if (o->width)
        fprintf(out, "  %s_vert_stride: %u\n", name, o->vstride);
    if (o->width)
        fprintf(out, "  %s_width: %u\n  %s_horz_stride: %u\n", name, o->width, name,
                o->hstride);
}

static void print_place(const char *name, const struct isa_operand *o, FILE *out)
{
    fprintf(out, "  %s_addr_mode: GED_ADDR_MODE_%s\n", name,
            o->indirect ? "Indirect" : "Direct");
    if (o->indirect) {
        fprintf(out, "  %s_addr_sub_reg_num: %u\n  %s_addr_imm: %d\n", name,
                o->addr_sub, name, o->addr_imm);
        return;
    }
    if (o->file != ISA_FILE_GRF)
        fprintf(out, "  %s_arf: %s\n", name, isa_file_name((enum isa_file)o->file));
    fprintf(out, "  %s_reg_num: %u\n  %s_sub_reg_num: %u\n", name, o->reg, name,
            o->byte);
    if (o->mme != ISA_MME_NONE)
        fprintf(out, "  %s_special_acc: %d\n", name, o->mme);
}

static void print_operand(const char *name, const struct isa_inst *in,
                          const struct isa_operand *o, bool dst, uint32_t grfs,
                          FILE *out)
{
    static const char *const mods[] = {"", "Absolute", "Negative", "Negative_Absolute"};

    fprintf(out, "  %s_reg_file: GED_REG_FILE_%s\n", name, ged_file(o->file));
    if (o->type != ISA_TYPE_NONE)
        fprintf(out, "  %s_data_type: GED_DATA_TYPE_%s\n", name,
                isa_type_name((enum isa_type)o->type));
    if (o->file == ISA_FILE_IMM) {
        fprintf(out, "  imm: %" PRIu64 "\n", o->imm);
        return;
    }
    print_place(name, o, out);
    if (!dst && o->mod)
        fprintf(out, "  %s_src_mod: GED_SRC_MOD_%s\n", name, mods[o->mod & 3]);
    print_region(name, o, dst, out);
    print_reglist(name, in, o, dst, grfs, out);
}

/* ---- messages ----------------------------------------------------------- */

static void print_message(const struct isa_message *m, FILE *out)
{
    fprintf(out, "  msg_desc: 0x%08" PRIx32 "%s\n", m->desc,
            m->desc_reg ? " (from a0.0)" : "");
    fprintf(out, "  ex_msg_desc: 0x%08" PRIx32 "%s\n", m->exdesc,
            m->exdesc_reg ? " (from a0.0)" : "");
    fprintf(out, "  msg_sfid: %s\n  msg_type: %s\n", isa_sfid_name(m->sfid),
            isa_family_name((enum isa_family)m->family));
    fprintf(out, "  msg_length: %u\n  msg_ex_length: %u\n  msg_response_length: %u\n",
            m->mlen, m->ext_mlen, m->rlen);
    fprintf(out, "  msg_header_present: %u\n  msg_simd: %u\n", m->header, m->simd);
    if (m->addr_model != ISA_ADDR_NONE)
        fprintf(out, "  msg_addr_model: %s\n  msg_bti: %u\n",
                isa_addr_model_name((enum isa_addr_model)m->addr_model), m->bti);
    if (m->elements)
        fprintf(out, "  msg_elements: %u x %u bytes, channel mask 0x%x\n", m->elements,
                m->element_bytes, m->comp_mask);
    if (m->atomic_op != ISA_ATOMIC_NONE)
        fprintf(out, "  msg_atomic: %s\n",
                isa_atomic_name((enum isa_atomic)m->atomic_op));
    if (m->block_bytes)
        fprintf(out, "  msg_block_bytes: %u\n", m->block_bytes);
    if (m->addr_model == ISA_ADDR_SCRATCH)
        fprintf(out, "  msg_scratch_offset: %" PRIu32 "\n", m->scratch_offset);
}

/* ---- instructions ------------------------------------------------------- */

static void print_control(const struct isa_inst *in, FILE *out)
{
    static const char *const cmods[ISA_CMOD_COUNT] = {"",  "z",  "nz", "g", "ge",
                                                      "l", "le", "o",  "u", "eo"};
    const char *suffix = isa_pred_suffix((enum isa_pred)in->pred);

    fprintf(out, "  exec_size: %u\n", in->exec_size);
    if (in->chan_offset)
        fprintf(out, "  channel_offset: GED_CHANNEL_OFFSET_M%u\n", in->chan_offset);
    if (in->no_mask)
        fputs("  mask_ctrl: GED_MASK_CTRL_NoMask\n", out);
    if (in->pred != ISA_PRED_NONE)
        fprintf(out, "  pred_ctrl: GED_PRED_CTRL_%s\n  pred_inv: GED_PRED_INV_%s\n",
                suffix[0] ? suffix : "Normal",
                in->pred_inverse ? "Invert" : "Positive");
    if (in->cmod != ISA_CMOD_NONE && in->cmod < ISA_CMOD_COUNT)
        fprintf(out, "  cond_modifier: GED_COND_MODIFIER_%s\n", cmods[in->cmod]);
    if (in->flag >= 0)
        fprintf(out, "  flag_reg_num: %d\n  flag_sub_reg_num: %d\n", in->flag / 2,
                in->flag % 2);
    if (in->saturate)
        fputs("  saturate: GED_SATURATE_sat\n", out);
    if (in->acc_wr_en)
        fputs("  acc_wr_ctrl: GED_ACC_WR_CTRL_AccWrEn\n", out);
    if (in->thread_switch)
        fputs("  thread_ctrl: GED_THREAD_CTRL_Switch\n", out);
    if (in->branch_ctrl)
        fputs("  branch_ctrl: GED_BRANCH_CTRL_Branch\n", out);
    if (in->eot)
        fputs("  eot: GED_EOT_EOT\n", out);
}

static void print_math(const struct isa_inst *in, FILE *out)
{
    if (in->math == ISA_MATH_NONE)
        return;
    fputs("  math_fc: GED_MATH_FC_", out);
    for (const char *c = isa_math_name((enum isa_math)in->math); *c; c++)
        fputc(toupper((unsigned char)*c), out);
    fputc('\n', out);
}

static void print_inst(const struct isa_inst *in, uint32_t kernel, uint32_t block,
                       uint32_t number, FILE *out)
{
    static const char *const names[ISA_MAX_SRC] = {"src0", "src1", "src2"};
    char text[TEXT];

    isa_disasm(in, text, sizeof(text));
    fprintf(out, "INSTRUCTION\n  asm: %s\n", text);
    fprintf(out, "  opcode: GED_OPCODE_%s\n", isa_opcode_name((enum isa_opcode)in->op));
    fprintf(out, "  ins_uid: \"%u_%u_%u\"\n  ins_id: %u\n", kernel, block, number,
            number);
    fprintf(out, "  ins_offset: %" PRIu32 "\n  ins_size: %u\n", in->pc, in->size);
    print_math(in, out);
    print_control(in, out);
    if (in->dst.file != ISA_FILE_NONE) {
        /* Three sources: 16-byte aligned access, all of xyzw written. */
        if (in->nsrc == ISA_MAX_SRC)
            fputs("  dst_chan_en: GED_DST_CHAN_EN_xyzw\n", out);
        print_operand("dst", in, &in->dst, true, in->msg.rlen, out);
    }
    for (uint32_t s = 0; s < in->nsrc && s < ISA_MAX_SRC; s++)
        print_operand(names[s], in, &in->src[s], false,
                      s == 0 ? in->msg.mlen : in->msg.ext_mlen, out);
    if (in->jip != ISA_NO_TARGET)
        fprintf(out, "  jip: %" PRId32 "\n", in->jip);
    if (in->uip != ISA_NO_TARGET)
        fprintf(out, "  uip: %" PRId32 "\n", in->uip);
    if (in->msg.family != ISA_MSG_NONE)
        print_message(&in->msg, out);
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
    for (uint32_t b = 0; b < k->blocks.count; b++) {
        const struct isa_block *block = &k->blocks.block[b];

        fprintf(out, "\nBBL %u_%u: instructions %u..%u, successors", index, b,
                block->first, block->first + block->count - 1);
        for (uint32_t s = 0; s < block->nsucc; s++)
            fprintf(out, " %u", block->succ[s]);
        fprintf(out, "%s%s%s\n", block->is_dynamic ? " any" : "",
                block->is_call ? " (call)" : "",
                block->ends_thread ? " none: ends the thread" : "");
        for (uint32_t i = 0; i < block->count; i++)
            print_inst(&k->code.inst[block->first + i], index, b, i, out);
    }
}
