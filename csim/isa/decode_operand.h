/* decode_operand.h - operands of one instruction, for decode.c only. */
#ifndef IGPU_DECODE_OPERAND_H
#define IGPU_DECODE_OPERAND_H
#include "igpu/isa.h"

#include "iga_kv.h"

/* Fill inst->dst, src[] and nsrc for the instruction at inst->pc, whose encoding is
 * raw[inst->size]; *inst is zero but for op, exec_size, compacted and
 * each operand's mme (NONE). False when a register lies
 * outside its file. */
bool decode_operands(const kv_t *kv, const uint8_t *raw, struct isa_inst *inst);
/* Of an instruction in Align16 what decode_operands() could not know. False: a form
 * that is not known. */
bool decode_align16(const uint8_t *raw, struct isa_inst *inst);

#endif
