/* toggles.h - how much the data on the ports of an EU's FPUs change: Hamming distances
 * between neighbours on a wire (docs/contract/power.md, section 9). A port is 16 bytes
 * wide, as the four lanes of an FPU: one for each source, one for the result. An
 * instruction's enabled lanes pass one behind the other, each at its place in the 16
 * bytes; a disabled one leaves the wires as they are. Every thread has ports of its
 * own. Tests: tests/csim/test_toggles.c */
#ifndef IGPU_TOGGLES_H
#define IGPU_TOGGLES_H
#include "igpu/values.h"

enum { TOGGLE_PORT_BYTES = 16 };

/* What the wires hold; zeros when a thread begins. */
struct toggle_ports {
    uint8_t port[ISA_MAX_SRC + 1][TOGGLE_PORT_BYTES]; /* the last: results */
};

/* Of one instruction of a kernel, over all its executions: bits that passed, and of
 * these the ones that differed from what the wire held. Half of them where data are
 * random. An instruction that is none of an FPU has zeros. */
struct toggle_count {
    uint64_t operand_bits, operand_toggles, result_bits, result_toggles;
};

/* Add one execution. The macros' wide operands (madm and the like) are left out. */
void toggle_add(const struct isa_inst *inst, const struct fpu_values *values,
                struct toggle_ports *ports, struct toggle_count *sum);

#endif
