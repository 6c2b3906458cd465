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

/* What goes in and what comes out. The intermediate form is SPIR-V, or what
 * compile_link() makes of several. */
enum compile_form {
    COMPILE_SOURCE,
    COMPILE_SPIRV,
    COMPILE_LLVM,
    COMPILE_ZEBIN,
    COMPILE_TOKENS /* the older device binary, patch tokens in their container */
};

/* A file that the source may include. Its name may have folders. */
struct compile_header {
    const char *name, *text;
    size_t bytes;
};

/* Told about each second while the compiler works, and, once, what it said if it said
 * anything; on the thread that called. */
struct compile_waiting {
    void (*fn)(void *user); /* NULL: nobody */
    void *user;
    /* All diagnostics; compiled: they are warnings. NULL: nobody is told. */
    void (*said)(void *user, const char *log, bool compiled);
};

struct compile_request {
    const char *source_path; /* OpenCL C file; or NULL, and then: */
    const char *source;      /* its text in memory, source_bytes long */
    size_t source_bytes;
    const char *device;     /* of igpu/device.h */
    const char *options;    /* OpenCL build options; NULL: none */
    const char *cache_dir;  /* NULL: $XDG_CACHE_HOME/vigpu or ~/.cache/vigpu;
                               "": no cache */
    const char *ocloc;      /* the program; NULL: "ocloc" from PATH */
    enum compile_form from; /* COMPILE_SOURCE, COMPILE_SPIRV or _LLVM */
    enum compile_form to;   /* COMPILE_SPIRV or COMPILE_TOKENS, else a zebin */
    const struct compile_header *header; /* found before any other include file */
    uint32_t headers;
    struct compile_waiting waiting;
};

struct compile_result {
    uint8_t *image; /* the zebin, see loader_open_memory(); or what else was asked */
    size_t bytes;
    char *log;    /* what the compiler said, with source_path where it has a number for
                     the source; "" when nothing; never NULL after a call */
    bool cached;  /* the compiler did not run; the log is of the run that filled it */
    char key[33]; /* hash of source, options, device and compiler, in hex */
};

/* Compile into *result, to be freed with compile_free() after every call, failed ones
 * too. Files that the source includes are looked for beside source_path as well; the
 * cache's key covers them, and where it cannot (the name of a file is a macro) nothing
 * is cached. A cache that cannot be read or written is not an error.
 * IGPU_BAD_INPUT: no such file, or the compiler refused it (err has its first error
 * line, result->log all of them). IGPU_USAGE: an unknown device, options with an
 * unbalanced quote, or no ocloc installed (err names the package). */
enum igpu_status compile_opencl(const struct compile_request *request,
                                struct compile_result *result, struct igpu_err *err);
void compile_free(struct compile_result *result);

/* Where igpu_ocloc is, which keeps the compiler loaded: an absolute path, before the
 * first compilation. Without it, or where nothing is, the one of `make install` serves,
 * or the compiler runs anew for each source, with the same results. */
void compile_set_server(const char *path);

/* One piece of an intermediate form. */
struct compile_piece {
    const uint8_t *image;
    size_t bytes;
};

/* Link pieces in SPIR-V or LLVM form to one in LLVM form (result->image), not cached.
 * Errors and ownership as for compile_opencl(). */
enum igpu_status compile_link(const struct compile_piece *piece, uint32_t pieces,
                              const char *options, struct compile_result *result,
                              struct igpu_err *err);

#endif
