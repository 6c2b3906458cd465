/* emu_rig.h - one thread of the emulator under a test's hands: registers are written,
 * one instruction runs, registers are read. Knows csim/emu/emu_int.h on purpose. */
#ifndef EMU_RIG_H
#define EMU_RIG_H
#include "csim/emu/emu_int.h"

struct emu_rig {
    struct emu_thread *t;
    struct emu_machine *m;
    struct emu_launch launch;
    struct emu_mem *mem;
    struct igpu_err err;
};

void emu_rig_open(struct emu_rig *r);
void emu_rig_close(struct emu_rig *r);
/* cr0.0 as the compiler's prologue leaves it, with `clear` bits off, `set` bits on. */
void emu_rig_control(struct emu_rig *r, uint32_t set, uint32_t clear);

/* Run *inst once with the given lanes of the thread active. False after an error
 * (text in r->err), which is then cleared for the next instruction. */
bool emu_rig_run(struct emu_rig *r, const struct isa_inst *inst, uint32_t active);

/* The same with instruction `index` of a program that is there already. */
bool emu_rig_run_op(struct emu_rig *r, const struct emu_program *p, uint32_t index,
                    uint32_t active);

/* Instructions: an empty one of op, and operands. */
struct isa_inst emu_rig_inst(enum isa_opcode op, uint32_t exec);
struct isa_operand emu_rig_dst(uint32_t reg, enum isa_type type, uint32_t hstride);
struct isa_operand emu_rig_src(uint32_t reg, enum isa_type type, uint32_t vstride,
                               uint32_t width, uint32_t hstride);
struct isa_operand emu_rig_packed(uint32_t reg, enum isa_type type);
struct isa_operand emu_rig_imm(enum isa_type type, uint64_t imm);
struct isa_inst emu_rig_eot(void);

/* Take the build's translator, or $IGPU_JIT_LIBRARY. False: there is none. */
bool emu_rig_use_jit(void);

/* A stream of numbers that is the same everywhere. */
uint64_t emu_rig_random(uint64_t *state);
#endif
