/* check.h - host references: what a kernel must have written.
 *
 * A reference is the kernel once more, in plain C on the host: it turns the
 * buffers as they were before the launch into those expected after it. Every
 * buffer is compared, so that a write to an input is found too. Integers compare
 * bit by bit, floating-point numbers by the case's tolerance.
 * Tests: tests/traces/test_cases_check.c */
#ifndef IGPU_KERNELS_CHECK_H
#define IGPU_KERNELS_CHECK_H

#include <stdbool.h>

#include "traces/kernels/cases.h"

struct check_input {
    const struct kernel_case *c;
    unsigned simd;            /* the width that ran */
    const void *const *after; /* per argument: its buffer after the launch; NULL for
                               * values and local memory. Sizes as in c->args. */
};

/* Whether a host reference has this name. */
bool check_known(const char *name);

/* Run the reference on freshly initialised buffers and compare.
 * IGPU_OK: all equal. IGPU_SIM_ERROR: *err names the case, the width, the
 * argument and the first element that differs, with both values. IGPU_BAD_INPUT:
 * the case does not fit its reference (arguments, sizes). */
enum igpu_status check_run(const struct check_input *in, struct igpu_err *err);

/* Only the expected buffers: expected[i] is a new block of the argument's bytes,
 * or NULL for arguments that are not buffers. The caller frees each. On failure
 * nothing is left to free. */
enum igpu_status check_expect(const struct kernel_case *c, unsigned simd,
                              void **expected, struct igpu_err *err);

#endif
