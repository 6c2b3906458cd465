/* fpu_slots.c - how the FPU's lanes are cut into slots, see fpu_rtl.h. */
#include "bridge/fpu_rtl.h"
#include "igpu/isa.h"

static uint32_t bytes_of(uint32_t type)
{
    return isa_type_bytes((enum isa_type)type);
}

uint32_t fpu_rtl_slot_bits(const struct fpu_rtl_in *in)
{
    uint32_t most = bytes_of(in->dtype);

    for (uint32_t k = 0; k < 3; k++)
        if (bytes_of(in->stype[k]) > most)
            most = bytes_of(in->stype[k]);
    if (most <= 2 && in->stype[0] == ISA_TYPE_HF && in->dtype != ISA_TYPE_HF)
        return 32; /* computed in single precision */
    return most < 2 ? 16 : most * 8;
}
