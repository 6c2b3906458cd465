/* emu_program.c - a kernel made ready: checked, copied, every instruction prepared. */
#include "emu_jit_int.h"

#include <stdlib.h>
#include <string.h>

static enum igpu_status check_payload(struct emu_program *p, struct igpu_err *err)
{
    const struct emu_kernel *k = &p->k;
    uint32_t end = 0;

    for (uint32_t i = 0; i < k->payload_count; i++) {
        const struct emu_payload *e = &k->payload[i];

        if (e->kind >= EMU_PAYLOAD_KIND_COUNT || e->offset > EMU_GRF_SIZE ||
            e->size > EMU_GRF_SIZE)
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "kernel %s: payload entry %u lies at %u, %u bytes",
                             p->name, i, e->offset, e->size);
        if (e->offset + e->size > end)
            end = e->offset + e->size;
    }
    p->cross_grf =
        k->local_id_dims == 0 ? 2 : 1 + k->local_id_dims * (k->simd == 32 ? 2u : 1u);
    p->cross_bytes = (end + ISA_GRF_BYTES - 1) / ISA_GRF_BYTES * ISA_GRF_BYTES;
    if (p->cross_grf * ISA_GRF_BYTES + p->cross_bytes > EMU_GRF_SIZE)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "kernel %s: a payload of %u bytes does not fit the registers",
                         p->name, p->cross_bytes);
    return IGPU_OK;
}

static enum igpu_status check_kernel(struct emu_program *p, struct igpu_err *err)
{
    const struct emu_kernel *k = &p->k;
    uint32_t seen = 0;

    if (k->simd != 8 && k->simd != 16 && k->simd != 32)
        return igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: SIMD width %u, not 8, 16, 32",
                         p->name, k->simd);
    for (uint32_t i = 0; i < 3; i++)
        seen |= k->walk_order[i] < 3 ? 1u << k->walk_order[i] : 0;
    if (seen != 7 || k->local_id_dims > 3)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "kernel %s: local ids of %u dimensions in order %u %u %u",
                         p->name, k->local_id_dims, k->walk_order[0], k->walk_order[1],
                         k->walk_order[2]);
    if (k->slm_bytes > EMU_SLM_MAX || k->scratch_bytes > 2u << 20 ||
        k->private_bytes > 1u << 24)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "kernel %s: %u bytes of SLM, %u of scratch, %u of private "
                         "memory: too much",
                         p->name, k->slm_bytes, k->scratch_bytes, k->private_bytes);
    for (uint32_t i = 0; i < k->surface_count; i++)
        if (k->surface[i].bti >= EMU_MAX_SURFACES)
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "kernel %s: surface %u is beyond the binding table",
                             p->name, k->surface[i].bti);
    for (uint32_t i = 0; i < k->sampler_count; i++) {
        if (k->sampler[i].index >= EMU_MAX_SAMPLERS)
            return igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: sampler %u, at most %d",
                             p->name, k->sampler[i].index, EMU_MAX_SAMPLERS - 1);
        p->has_sampler[k->sampler[i].index] = true;
    }
    return check_payload(p, err);
}

/* memdup; NULL only when memory is short. */
static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);

    if (to != NULL && bytes != 0)
        memcpy(to, from, bytes);
    return to;
}

static bool copy_kernel(struct emu_program *p, const struct emu_kernel *k)
{
    const char *name = k->name ? k->name : "?";

    p->k = *k;
    p->code = k->code;
    p->name = copy(name, strlen(name) + 1);
    p->payload = copy(k->payload, k->payload_count * sizeof(*k->payload));
    p->surface = copy(k->surface, k->surface_count * sizeof(*k->surface));
    p->sampler = copy(k->sampler, k->sampler_count * sizeof(*k->sampler));
    p->op = calloc(k->code->count ? k->code->count : 1, sizeof(*p->op));
    p->k.name = p->name;
    p->k.payload = p->payload;
    p->k.surface = p->surface;
    p->k.sampler = p->sampler;
    return p->name && p->payload && p->surface && p->sampler && p->op;
}

static enum igpu_status program_prepare(struct emu_program *p, struct igpu_err *err)
{
    enum igpu_status status = check_kernel(p, err);

    if (status == IGPU_OK && p->code->count == 0)
        status = igpu_fail(err, IGPU_BAD_INPUT, "kernel %s: no instructions", p->name);
    if (status == IGPU_OK)
        status = isa_blocks(p->code, &p->blocks, err);
    for (uint32_t i = 0; i < p->code->count && status == IGPU_OK; i++)
        status = emu_build_op(p, i, err);
    return status;
}

static bool is_atomic(const struct isa_message *msg)
{
    return msg->family == ISA_MSG_UNTYPED_ATOMIC ||
           msg->family == ISA_MSG_FLOAT_ATOMIC || msg->family == ISA_MSG_TYPED_ATOMIC;
}

/* Atomics on global memory that return nothing and are all of one operation that any
 * order leaves alike. */
bool emu_any_order(const struct emu_program *p)
{
    uint32_t only = ISA_ATOMIC_NONE;

    for (uint32_t i = 0; i < p->code->count; i++) {
        const struct isa_message *msg = &p->code->inst[i].msg;
        uint32_t op = msg->atomic_op;

        if (!is_atomic(msg) || msg->addr_model == ISA_ADDR_SLM)
            continue;
        if (msg->returns_data || (only != ISA_ATOMIC_NONE && only != op))
            return false;
        if (op != ISA_ATOMIC_ADD && op != ISA_ATOMIC_SUB && op != ISA_ATOMIC_INC &&
            op != ISA_ATOMIC_DEC && op != ISA_ATOMIC_AND && op != ISA_ATOMIC_OR &&
            op != ISA_ATOMIC_XOR && !(op >= ISA_ATOMIC_IMAX && op <= ISA_ATOMIC_UMIN))
            return false;
        only = op;
    }
    return true;
}

struct emu_program *emu_program_new(const struct emu_kernel *kernel,
                                    struct igpu_err *err)
{
    struct emu_program *p = calloc(1, sizeof(*p));

    if (p == NULL || !copy_kernel(p, kernel)) {
        (void)igpu_no_memory(err, "a kernel");
    } else if (program_prepare(p, err) == IGPU_OK) {
        emu_note_reads(p);
        for (uint32_t i = 0; i < 2; i++)
            p->jit[i] = emu_jit_new(p, i == 1);
        return p;
    }
    emu_program_free(p);
    return NULL;
}

void emu_program_free(struct emu_program *p)
{
    if (p == NULL)
        return;
    for (uint32_t i = 0; i < 2; i++)
        emu_jit_free(p->jit[i]);
    for (uint32_t i = 0; p->op != NULL && i < p->code->count; i++)
        emu_build_free(&p->op[i]);
    isa_blocks_free(&p->blocks);
    free(p->op);
    free(p->payload);
    free(p->surface);
    free(p->sampler);
    free(p->name);
    free(p);
}

const struct emu_kernel *emu_program_kernel(const struct emu_program *program)
{
    return &program->k;
}

const struct isa_block_list *emu_program_blocks(const struct emu_program *program)
{
    return &program->blocks;
}

uint32_t emu_threads_per_group(const struct emu_program *program, uint64_t items)
{
    return (uint32_t)((items + program->k.simd - 1) / program->k.simd);
}
