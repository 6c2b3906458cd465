/* program.h - programs and kernels: what program*.c, kernel*.c and launch.c share. */
#ifndef IGPU_OCL_PROGRAM_H
#define IGPU_OCL_PROGRAM_H
#include "bridge/drivers/ocl/ocl.h"
#include "bridge/drivers/ocl/sample.h"
#include "traces/program/compile.h"
#include "traces/program/loader.h"
#include "traces/record/record.h"

/* A kernel made ready for the emulator, the first time it runs. Device thread only. */
struct ocl_code {
    bool ready;
    struct record_program record;
    uint32_t trace_index;    /* in the one trace of this process */
    struct sample_hint hint; /* for its next launch's sample */
    bool wide_told;          /* that a sample's error is larger than was asked for */
    bool clock_told;         /* that its clock is not the simulated one */
    bool races_told;         /* those of one of its launches */
};

/* The program for one of its devices. */
struct ocl_build {
    cl_build_status status;
    cl_program_binary_type type;
    char *options, *log;
    uint8_t *binary; /* zebin, or an intermediate form: SPIR-V or LLVM */
    size_t bytes;
    uint8_t *offered; /* what CL_PROGRAM_BINARIES gives instead; NULL: `binary` */
    size_t offered_bytes;
    struct loader_program *image; /* NULL unless an executable */
    struct ocl_code *code;        /* one for each kernel of the image */
    size_t global_bytes;          /* of program-scope variables */
    bool cut_groups;              /* global sizes need be no multiple of local sizes */
};

struct _cl_program {
    struct ocl_object o;
    cl_context context;
    cl_device_id device[OCL_DEVICES];
    struct ocl_build build[OCL_DEVICES];
    cl_uint devices;
    char *source; /* NULL: not from source */
    uint8_t *il;  /* NULL: not from IL */
    size_t il_bytes;
    bool linked, from_binary;
    uint32_t kernels; /* attached kernel objects */
    bool busy;        /* a build is under way */
};

enum ocl_arg_kind {
    OCL_ARG_VALUE,
    OCL_ARG_BUFFER, /* __global or __constant pointer */
    OCL_ARG_LOCAL,
    OCL_ARG_IMAGE,
    OCL_ARG_SAMPLER
};

struct ocl_arg_type {
    enum ocl_arg_kind kind;
    size_t bytes; /* VALUE: of the type; 0 unknown */
    enum loader_access access;
    const struct loader_arg_info *info; /* NULL: the compiler told nothing */
};

struct ocl_arg {
    bool set;
    size_t bytes; /* VALUE, LOCAL */
    void *value;  /* VALUE: a copy */
    cl_mem mem;   /* BUFFER, IMAGE; may be NULL */
    const void *svm;
    cl_sampler sampler;
};

struct _cl_kernel {
    struct ocl_object o;
    cl_program program;
    char *name;
    cl_uint args;
    struct ocl_arg_type *type;
    struct ocl_arg *arg;
    enum trace_arbiter arbiter; /* of its launches from now on */
};

/* The program's build for the device, or NULL. */
struct ocl_build *ocl_program_build(cl_program program, cl_device_id device);
/* The kernel in the build's image, and its index in build->code; NULL: none. */
const struct loader_kernel *ocl_build_kernel(const struct ocl_build *build,
                                             const char *name, uint32_t *index);
/* The types of a kernel's arguments, malloc'ed, and their number; NULL: no memory. */
struct ocl_arg_type *ocl_signature(const struct loader_kernel *k, cl_uint *args);
/* CL_SUCCESS when both have the same arguments, CL_INVALID_KERNEL_DEFINITION. */
cl_int ocl_signature_compare(const struct loader_kernel *a,
                             const struct loader_kernel *b);
/* Forget what was built. Lock held. */
void ocl_build_clear(cl_program program, struct ocl_build *build);
cl_program ocl_program_new(cl_context context, cl_uint devices,
                           const cl_device_id *device);
/* loader_open_memory(), one thread at a time: libelf has global state. */
enum igpu_status ocl_open_image(const uint8_t *binary, size_t bytes,
                                struct loader_program **image, struct igpu_err *err);
/* The program, from its source or IL, in patch tokens. */
enum igpu_status ocl_build_tokens(cl_program program, struct ocl_build *build,
                                  const char *target, struct compile_result *result,
                                  struct igpu_err *err);
/* COMPILE_SPIRV, COMPILE_LLVM or COMPILE_ZEBIN; COMPILE_SOURCE: nothing known. */
enum compile_form ocl_form_of(const uint8_t *image, size_t bytes);
#endif
