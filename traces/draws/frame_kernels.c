/* frame_kernels.c - see frame_kernels.h. */
#include "traces/draws/frame_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"

enum { INST_BYTES = 16, MAX_RESPONSE = 16, EOT_REG = 127 };

/* ---- instructions of ours ----------------------------------------------- */

static struct isa_inst send(uint32_t pc, uint8_t reg)
{
    struct isa_inst in = {.op = ISA_OP_SEND,
                          .pc = pc,
                          .size = INST_BYTES,
                          .exec_size = 8,
                          .no_mask = true,
                          .flag = -1,
                          .nsrc = 1,
                          .jip = ISA_NO_TARGET,
                          .uip = ISA_NO_TARGET,
                          .dst = {.file = ISA_FILE_NULL, .mme = ISA_MME_NONE}};

    for (unsigned s = 0; s < ISA_MAX_SRC; s++)
        in.src[s].mme = ISA_MME_NONE;
    in.src[0] = (struct isa_operand){
        .file = ISA_FILE_GRF, .reg = reg, .type = ISA_TYPE_UD, .mme = ISA_MME_NONE};
    in.msg.atomic_op = ISA_ATOMIC_NONE;
    in.msg.mlen = 1;
    return in;
}

static struct isa_inst payload_message(uint32_t pc, uint32_t grfs)
{
    struct isa_inst in = send(pc, 0);

    in.dst = (struct isa_operand){
        .file = ISA_FILE_GRF, .type = ISA_TYPE_UD, .mme = ISA_MME_NONE};
    in.msg.sfid = ISA_SFID_SPAWNER;
    in.msg.family = ISA_MSG_PAYLOAD;
    in.msg.rlen = (uint8_t)(grfs < 1 ? 1 : grfs > MAX_RESPONSE ? MAX_RESPONSE : grfs);
    in.msg.is_read = in.msg.returns_data = true;
    return in;
}

static struct isa_inst end_of_thread(uint32_t pc)
{
    struct isa_inst in = send(pc, EOT_REG);

    in.msg.sfid = ISA_SFID_SPAWNER;
    in.msg.family = ISA_MSG_EOT;
    in.eot = true;
    return in;
}

/* A shader's own instruction: its messages to fixed functions as the timing sees them,
 * and but of compute none of them the thread's end. */
static struct isa_inst shaders_own(const struct isa_inst *from, uint32_t base,
                                   bool compute)
{
    struct isa_inst in = *from;
    struct isa_message *m = &in.msg;
    uint8_t family = m->sfid == ISA_SFID_SAMPLER && m->family != ISA_MSG_SAMPLER_FLUSH
                         ? ISA_MSG_TEXTURE
                     : m->sfid == ISA_SFID_RENDER ? ISA_MSG_TARGET
                     : m->sfid == ISA_SFID_URB    ? ISA_MSG_URB
                                                  : ISA_MSG_NONE;

    in.pc += base;
    in.jip += in.jip != ISA_NO_TARGET ? (int32_t)base : 0;
    in.uip += in.uip != ISA_NO_TARGET ? (int32_t)base : 0;
    in.eot &= compute;
    if (m->family == ISA_MSG_NONE || !isa_message_is_known(m) ||
        !isa_message_is_extended(m) || family == ISA_MSG_NONE)
        return in;
    m->family = family;
    m->is_read = family == ISA_MSG_TEXTURE || (family == ISA_MSG_TARGET && m->rlen > 0);
    m->is_write = family == ISA_MSG_TARGET && m->rlen == 0;
    m->addr_model = ISA_ADDR_NONE;
    m->simd = 0; /* its lanes are lines */
    m->sub_type = 0;
    return in;
}

/* ---- kernels ------------------------------------------------------------ */

static bool same(const struct frame_shader *a, const struct frame_shader *b)
{
    return a->shader == b->shader && a->payload == b->payload &&
           a->compute == b->compute;
}

uint32_t frame_shaders_find(struct frame_shaders *of, const struct frame_shader *shader)
{
    for (uint32_t i = of->count; i > 0; i--)
        if (same(&of->shader[i - 1], shader))
            return i - 1;
    if (!IGPU_APPEND(of->shader, of->count, of->cap, *shader))
        return UINT32_MAX;
    of->instructions += emu_shader_code(shader->shader)->count;
    of->instructions += shader->compute ? 0 : FRAME_ADDED;
    return of->count - 1;
}

static void add_shader(struct frame_kernel *k, uint32_t index)
{
    const struct isa_kernel_code *code = emu_shader_code(k->of.shader[index].shader);
    struct isa_inst *to = k->code.inst + k->code.count;
    uint32_t base = k->code.text_bytes;
    bool compute = k->of.shader[index].compute;

    k->first[index] = k->code.count;
    if (!compute) {
        *to++ = payload_message(base, k->of.shader[index].payload);
        base += INST_BYTES;
    }
    for (uint32_t i = 0; i < code->count; i++) {
        *to++ = shaders_own(&code->inst[i], base, compute);
        k->barriers |= compute && code->inst[i].msg.family == ISA_MSG_BARRIER;
    }
    base += code->text_bytes;
    if (!compute) {
        *to++ = end_of_thread(base);
        base += INST_BYTES;
    }
    k->code.count = (uint32_t)(to - k->code.inst);
    k->code.text_bytes = base;
}

static bool kernel_make(struct frame_kernel *k, const struct frame_shaders *of,
                        struct igpu_err *err)
{
    k->of = (struct frame_shaders){.count = of->count,
                                   .instructions = of->instructions,
                                   .slm_bytes = of->slm_bytes};
    k->of.shader = calloc(of->count, sizeof(*k->of.shader));
    k->first = calloc(of->count, sizeof(*k->first));
    k->code.inst = calloc(of->instructions, sizeof(*k->code.inst));
    if (k->of.shader == NULL || k->first == NULL || k->code.inst == NULL)
        return igpu_no_memory(err, "shaders") == IGPU_OK;
    memcpy(k->of.shader, of->shader, of->count * sizeof(*k->of.shader));
    for (uint32_t i = 0; i < of->count; i++)
        add_shader(k, i);
    return isa_blocks(&k->code, &k->blocks, err) == IGPU_OK;
}

static bool write(struct frame_kernel *k, uint32_t number, struct trace_writer *writer,
                  struct igpu_err *err)
{
    struct trace_kernel kernel = {.grf_count = ISA_GRF_COUNT,
                                  .graphics = true,
                                  .barriers = k->barriers,
                                  .slm_bytes = k->of.slm_bytes,
                                  .code = k->code,
                                  .blocks = k->blocks};
    char name[32];

    snprintf(name, sizeof(name), "shaders%u", number);
    kernel.name = name;
    for (uint32_t i = 0; i < k->of.count; i++)
        if (k->of.shader[i].simd > kernel.simd)
            kernel.simd = k->of.shader[i].simd;
    return trace_writer_kernel(writer, &kernel, &k->number, err) == IGPU_OK;
}

static void free_kernel(struct frame_kernel *k)
{
    if (k == NULL)
        return;
    free(k->of.shader);
    free(k->first);
    free(k->code.inst);
    isa_blocks_free(&k->blocks);
    free(k);
}

static bool all_same(const struct frame_shaders *a, const struct frame_shaders *b)
{
    bool equal = a->count == b->count && a->slm_bytes == b->slm_bytes;

    for (uint32_t i = 0; equal && i < a->count; i++)
        equal = same(&a->shader[i], &b->shader[i]);
    return equal;
}

const struct frame_kernel *frame_kernels_find(struct frame_kernels *k,
                                              const struct frame_shaders *of,
                                              struct trace_writer *writer,
                                              struct igpu_err *err)
{
    struct frame_kernel *made;

    for (uint32_t i = 0; i < k->count; i++)
        if (all_same(&k->kernel[i]->of, of))
            return k->kernel[i];
    made = calloc(1, sizeof(*made));
    if (made == NULL || !IGPU_RESIZE(k->kernel, (size_t)k->count + 1)) {
        free(made);
        (void)igpu_no_memory(err, "shaders");
        return NULL;
    }
    if (!kernel_make(made, of, err) || !write(made, k->count + 1, writer, err)) {
        free_kernel(made);
        return NULL;
    }
    k->kernel[k->count++] = made;
    return made;
}

void frame_kernels_free(struct frame_kernels *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        free_kernel(k->kernel[i]);
    free(k->kernel);
}
