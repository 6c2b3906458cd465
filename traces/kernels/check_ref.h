/* check_ref.h - what the host references (check_*.c) share. */
#ifndef IGPU_KERNELS_CHECK_REF_H
#define IGPU_KERNELS_CHECK_REF_H

#include "traces/kernels/cases.h"

/* One run of a reference. Accessors that fail set `status` and `err`, and later
 * accessors then return NULL or 0. */
struct ref {
    const struct kernel_case *c;
    unsigned simd;
    int variant; /* from the reference's table entry */
    void **mem;  /* per argument: the buffer, to be turned into the expected one */
    uint64_t items;
    enum igpu_status status;
    struct igpu_err *err;
};

/* A reference's table entry. `args` has one letter per kernel argument:
 * buffers of b 8, s 16, w 32, l 64-bit integers, h half, f float, d double;
 * values of 2, 4 or 8 bytes: digits; L local memory. */
struct reference {
    const char *name;
    const char *args;
    int variant;
    void (*run)(struct ref *r);
};

/* Argument `arg`'s buffer when it holds at least `count` elements of `size`
 * bytes; else NULL, and the run has failed. */
void *ref_buffer(struct ref *r, size_t arg, uint64_t count, size_t size);

/* Elements of `size` bytes in argument `arg`'s buffer. */
uint64_t ref_count(const struct ref *r, size_t arg, size_t size);

uint32_t ref_u32(const struct ref *r, size_t arg);
uint64_t ref_u64(const struct ref *r, size_t arg);
float ref_f32(const struct ref *r, size_t arg);
double ref_f64(const struct ref *r, size_t arg);
double ref_f16(const struct ref *r, size_t arg);

/* Fail the run: the case does not fit its reference, because `why`. */
void ref_reject(struct ref *r, const char *why);

/* The tables; each ends with an entry without a name. */
extern const struct reference check_arith_table[];
extern const struct reference check_math_table[];
extern const struct reference check_memory_table[];
extern const struct reference check_group_table[];
extern const struct reference check_integer_table[];
extern const struct reference check_flow_table[];
extern const struct reference check_linear_table[];
extern const struct reference check_image_table[];
extern const struct reference check_crypto_table[];

#endif
