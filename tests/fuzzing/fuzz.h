/* fuzz.h - what the fuzzing targets share. A target is one file fuzz_NAME.c with
 * libFuzzer's entry point; its seeds are in corpus/NAME. It fails by a sanitizer's
 * report, a hang, or one of the checks below. How to run them:
 * docs/develop/developing.md. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"

/* libFuzzer calls it once for each input; it returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The name of a regular file with these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* The bytes as a string, until the next call; it ends at the first zero. */
const char *fuzz_text(const uint8_t *data, size_t size);
/* Folder of this process for outputs, empty at first; removed at exit. */
const char *fuzz_folder(void);

/* Abort with `what` unless ok. */
void fuzz_check(int ok, const char *what);
/* An operation ended with `status`: when it failed, *err has one line. True: it worked.
 */
int fuzz_worked(enum igpu_status status, const struct igpu_err *err);

#endif
