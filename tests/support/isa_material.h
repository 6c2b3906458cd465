/* isa_material.h - real kernel code for the decoder's tests. */
#ifndef TESTS_ISA_MATERIAL_H
#define TESTS_ISA_MATERIAL_H
#include "igpu/isa.h"
#include "traces/program/loader.h"

/* Compile an OpenCL file of the repository (path from its top) for `device`. Fails the
 * test with the compiler's message. Freed with loader_free(). */
struct loader_program *material_compile(const char *path, const char *device);

/* One instruction of a kernel, the `index`th. */
typedef void material_visit(void *ctx, const char *kernel, uint32_t index,
                            const struct isa_inst *inst);

/* Visit every instruction of all kernels in traces/kernels and
 * tests/csim/isa_kernels.cl, compiled for Skylake; tells how many there are. Fails the
 * test on an error. */
uint32_t material_instructions(material_visit *visit, void *ctx);

/* Assemble text with iga64 for Gen9: malloc'ed bytes. Fails the test on an error. */
uint8_t *material_assemble(const char *text, size_t *bytes);

/* Assemble and decode. Fails the test on an error. Freed with isa_code_free(). */
void material_code(const char *text, struct isa_kernel_code *code);

/* Seeded noise: the same sequence for the same seed, which is not 0. */
uint32_t material_random(uint64_t *seed);

#endif
