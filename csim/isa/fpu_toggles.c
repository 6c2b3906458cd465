/* fpu_toggles.c - see igpu/toggles.h. */
#include "igpu/toggles.h"

/* The enabled lanes of one operand over its port. */
static void pass(uint8_t *port, const uint64_t *value, uint32_t mask, uint32_t lanes,
                 uint32_t bytes, uint64_t *bits, uint64_t *toggles)
{
    for (uint32_t i = 0; i < lanes; i++) {
        uint8_t *wire = port + i * bytes % TOGGLE_PORT_BYTES;

        if ((mask >> i & 1) == 0)
            continue;
        for (uint32_t b = 0; b < bytes; b++) {
            uint8_t byte = (uint8_t)(value[i] >> 8 * b);

            *toggles += (uint32_t)__builtin_popcount(wire[b] ^ byte);
            wire[b] = byte;
        }
        *bits += 8 * bytes;
    }
}

void toggle_add(const struct isa_inst *inst, const struct fpu_values *values,
                struct toggle_ports *ports, struct toggle_count *sum)
{
    struct fpu_shape shape;

    fpu_shape_of(inst, &shape);
    if (!shape.is_fpu)
        return;
    for (uint32_t k = 0; k < shape.nsrc; k++)
        if (shape.form[k] != FPU_FORM_WIDE && shape.form[k] != FPU_FORM_NONE)
            pass(ports->port[k], values->src[k], values->mask, inst->exec_size,
                 isa_type_bytes((enum isa_type)shape.type[k]), &sum->operand_bits,
                 &sum->operand_toggles);
    if (shape.result_form == FPU_FORM_VECTOR)
        pass(ports->port[ISA_MAX_SRC], values->result, values->mask, inst->exec_size,
             isa_type_bytes((enum isa_type)shape.result_type), &sum->result_bits,
             &sum->result_toggles);
}
