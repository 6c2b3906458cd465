/* isa_decode.h - kernel text to the instruction form of igpu/isa.h.
 * The only part of the project that needs libiga64: programs that only read traces
 * neither include this nor pull in csim/isa/decode*.c. */
#ifndef IGPU_ISA_DECODE_H
#define IGPU_ISA_DECODE_H
#include "igpu/isa.h"

/* Decode text[bytes] (not kept) into *code, to be freed with isa_code_free(). Stops
 * at the zero padding behind the last EOT. `name` appears in errors.
 * IGPU_BAD_INPUT: shorter than 16 bytes, not a multiple of 8, an instruction that
 * cannot be decoded, a branch target that is no instruction of the kernel, no EOT,
 * more bytes than ISA_MAX_TEXT_BYTES; *code then is empty. */
enum { ISA_MAX_TEXT_BYTES = 64 << 20 };
enum igpu_status isa_decode(const char *name, const void *text, size_t bytes,
                            struct isa_kernel_code *code, struct igpu_err *err);
void isa_code_free(struct isa_kernel_code *code);

#endif
