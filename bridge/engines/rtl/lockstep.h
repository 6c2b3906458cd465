/* lockstep.h - ./Vigpu --execute --rtl-values: the RTL of an EU's values (eu_values.h)
 * beside the emulator, an instruction at a time. Of each instruction that the engine
 * issues the RTL fetches, decodes and computes what it does from its own registers;
 * when it is over, all that it changed is compared with what the emulator did, and the
 * first difference ends the run (docs/contract/execution.md). */
#ifndef BRIDGE_LOCKSTEP_H
#define BRIDGE_LOCKSTEP_H
#include <stdio.h>

#include "bridge/host/sim/lockstep_ops.h"
#include "igpu/emu_shader.h"
#include "igpu/isa.h"

/* IGPU_BAD_INPUT: memory is short. */
enum igpu_status lockstep_create(struct lockstep **lockstep, struct igpu_err *err);
void lockstep_destroy(struct lockstep *lockstep); /* NULL is allowed */
/* What sim_options.beside gets; good as long as *lockstep is there. */
const struct execute_beside *lockstep_beside(struct lockstep *lockstep);
/* What gfx_step_beside() gets: the same. */
const struct emu_shader_beside *lockstep_shaders(struct lockstep *lockstep);
/* Without a launch file: a launch of this code begins, text[bytes] as encoded. No
 * thread is under way. IGPU_BAD_INPUT: it is too long. */
enum igpu_status lockstep_code(struct lockstep *lockstep, uint32_t launch,
                               const struct isa_kernel_code *code, const void *text,
                               size_t bytes, struct igpu_err *err);
/* Channels that were issued. */
uint64_t lockstep_channels(const struct lockstep *lockstep);
/* What was compared and what the RTL does not compute, as lines of text. */
void lockstep_print(const struct lockstep *lockstep, FILE *out);

/* All of the above, as a table. */
extern const struct lockstep_ops lockstep_ops;
#endif
