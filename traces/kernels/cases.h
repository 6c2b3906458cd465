/* cases.h - the list of kernels to run, with their arguments and host checks.
 *
 * Loaded from cases.yaml (its keys are documented in README.md). A case runs at
 * each SIMD width it lists: compiled with its options and -DSIMD=<width>.
 * Tests: tests/traces/test_cases.c */
#ifndef IGPU_KERNELS_CASES_H
#define IGPU_KERNELS_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"
#include "traces/program/argspec.h"

enum { CASE_MAX_SIMD = 3, CASE_MAX_PARAMS = 4, CASE_MAX_TOLERANCES = 16 };

/* How far a floating-point result may be from the reference's. */
enum tolerance_kind {
    TOLERANCE_EXACT, /* equal bits; any NaN equals any NaN */
    TOLERANCE_ULP,   /* units in the last place of the expected value */
    TOLERANCE_REL,   /* of the expected value's magnitude */
    TOLERANCE_ABS
};

struct tolerance {
    enum tolerance_kind kind;
    double limit;
};

struct case_param {
    char *name;
    int64_t value;
};

struct kernel_case {
    char *name;                   /* unique */
    char *file;                   /* OpenCL C source, relative to the list's folder */
    char *kernel;                 /* its function */
    char *options;                /* build options without -DSIMD */
    char *check;                  /* the host reference: see check.h */
    unsigned dims;                /* 1 to 3 */
    uint32_t global[3], local[3]; /* 1 where a dimension is not used */
    struct argspec *args;         /* in the kernel's argument order */
    char **arg_texts;             /* the same as written */
    size_t arg_count;
    unsigned simd[CASE_MAX_SIMD]; /* widths to run, of 8, 16, 32 */
    size_t simd_count;
    unsigned sample_simd; /* recorded to traces/samples/ at this width; 0: not */
    struct tolerance tolerance[CASE_MAX_TOLERANCES];
    size_t tolerance_count; /* over 1: for equal sections of each buffer, in order */
    struct case_param params[CASE_MAX_PARAMS]; /* read by the reference */
    size_t param_count;
};

struct case_list {
    char *folder; /* of the list's file, "." when its path has none */
    struct kernel_case *cases;
    size_t count;
};

/* Read a list. IGPU_BAD_INPUT names file, line and what was expected; *out is
 * then empty. On IGPU_OK the caller frees it with cases_free(). */
enum igpu_status cases_load(const char *path, struct case_list *out,
                            struct igpu_err *err);

/* Free everything in *list and leave it empty. */
void cases_free(struct case_list *list);

/* The case of that name, or NULL. */
const struct kernel_case *cases_find(const struct case_list *list, const char *name);

/* The value of a case's parameter, or `absent` when the case has none so named. */
int64_t case_param(const struct kernel_case *c, const char *name, int64_t absent);

/* Work-items of the whole launch. */
uint64_t case_items(const struct kernel_case *c);

/* Build options for one width: the case's and -DSIMD=<simd>. Returns 0, or -1
 * when they do not fit into text[size]. */
int case_options(const struct kernel_case *c, unsigned simd, char *text, size_t size);

#endif
