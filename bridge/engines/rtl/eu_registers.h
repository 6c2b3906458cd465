/* eu_registers.h - a thread's registers as the RTL has them: a copy, made of what it
 * says that it writes. */
#ifndef BRIDGE_EU_REGISTERS_H
#define BRIDGE_EU_REGISTERS_H
#include "bridge/engines/rtl/eu_values.h"
#include "igpu/isa.h"

enum { GRF_BYTES = ISA_GRF_COUNT * ISA_GRF_BYTES, ACC_BYTES = 128 };

struct eu_registers {
    uint8_t grf[GRF_BYTES], acc[ACC_BYTES];
    uint32_t flag[2], ctrl;
    uint16_t addr[16];
};

/* What it wrote in a clock, by wrote and wrote_flag of *out. */
void eu_registers_write(struct eu_registers *r, const struct eu_values_out *out);
#endif
