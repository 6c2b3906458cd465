/* isa_encode.h - an instruction as the 16 bytes of its native Gen9 encoding. Written
 * from the public field layout, apart from the decoder and from libiga64: so that the
 * tests' way from bits to result has two independent halves. */
#ifndef TESTS_ISA_ENCODE_H
#define TESTS_ISA_ENCODE_H
#include "igpu/isa.h"

enum { ISA_NATIVE_BYTES = 16 };

/* Encode *inst (no send, no branch, no mme operand) to out[16]. False when a field has
 * no encoding: a region, a stride, a type. */
bool isa_encode(const struct isa_inst *inst, uint8_t *out);

/* Does the decoded instruction say what *want says? Returns NULL, or what differs. */
const char *isa_same(const struct isa_inst *want, const struct isa_inst *got);
#endif
