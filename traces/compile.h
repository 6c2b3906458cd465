/* compile.h - OpenCL C to a zebin through the installed `ocloc`, with a cache on disk.
 * The program runs in a child process: a compiler that crashes, hangs on to memory or
 * writes to stdout does not harm the caller.
 * Tests: tests/traces/test_compile.c */
#ifndef TRACES_COMPILE_H
#define TRACES_COMPILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "igpu/err.h"

struct compile_request {
    const char *source_path; /* OpenCL C file; or NULL, and then: */
    const char *source;      /* its text in memory, source_bytes long */
    size_t source_bytes;
    const char *device;    /* "skl" or "kbl" */
    const char *options;   /* OpenCL build options; NULL: none */
    const char *cache_dir; /* NULL: $XDG_CACHE_HOME/vigpu or ~/.cache/vigpu;
                              "": no cache */
    const char *ocloc;     /* the program; NULL: "ocloc" from PATH */
};

struct compile_result {
    uint8_t *image; /* the zebin, see loader_open_memory() */
    size_t bytes;
    char *log;    /* what the compiler said; "" when nothing; never NULL after a call */
    bool cached;  /* the compiler did not run */
    char key[33]; /* hash of source, options, device and compiler, in hex */
};

/* Compile into *result, to be freed with compile_free() after every call, failed ones
 * too. Files that the source includes are looked for beside source_path as well; a
 * source with #include is not cached, since its hash would not cover them. A cache
 * that cannot be read or written is not an error.
 * IGPU_BAD_INPUT: no such file, or the compiler refused it (err has its first error
 * line, result->log all of them). IGPU_USAGE: an unknown device, options with an
 * unbalanced quote, or no ocloc installed (err names the package). */
enum igpu_status compile_opencl(const struct compile_request *request,
                                struct compile_result *result, struct igpu_err *err);
void compile_free(struct compile_result *result);

#endif
