/* fpu_rig_test.h - what the cmocka programs of this folder share: one rig, cases
 * that the oracle completes, and the end of a campaign. */
#ifndef FPU_RIG_TEST_H
#define FPU_RIG_TEST_H
#include "fpu_oracle.h"
#include "fpu_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FPU_MODES = 8 };

extern struct fpu_rig *fpu_test_rig;

/* With --long: the full campaigns. */
bool fpu_test_long(void);
/* 0 or 1: the half of the commit (its first digit); without a commit 0. */
uint32_t fpu_test_half(void);
/* Rounding mode and, of the upper four, flushing of every type. */
void fpu_test_mode(struct fpu_op *op, uint32_t mode);
/* Let the oracle say what c must give, and queue it. */
void fpu_test_case(struct fpu_case *c);
/* Fail the test if any case of the campaign differed. */
void fpu_test_finish(const char *what);
int fpu_test_setup(void **state);
int fpu_test_teardown(void **state);

#endif
