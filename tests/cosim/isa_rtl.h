/* isa_rtl.h - the RTL's decoder (rtl/isa/igpu_isa_stages.v) for C, and what it says
 * against the decoder's of csim. */
#ifndef COSIM_ISA_RTL_H
#define COSIM_ISA_RTL_H
#include "igpu/isa.h"

enum { ISA_RTL_WORDS = 10 };

#ifdef __cplusplus
extern "C" {
#endif
/* The word of the instruction at raw (16 bytes can be read). */
void isa_rtl_decode(const uint8_t *raw, uint32_t word[ISA_RTL_WORDS]);
#ifdef __cplusplus
}
#endif

/* A field of the word that is not what *inst says, by name, or NULL; *got and *want:
 * its values. */
const char *isa_rtl_differs(const uint32_t *word, const struct isa_inst *inst,
                            uint64_t *got, uint64_t *want);
#endif
