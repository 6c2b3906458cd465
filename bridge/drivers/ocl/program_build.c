/* program_build.c - clBuildProgram, clCompileProgram and clLinkProgram, all through
 * traces/program/compile.h. The compiler runs without the lock, a program marked busy.
 */
#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"
#include "bridge/drivers/ocl/setting.h"
#include "traces/program/compile_progress.h"
#include "traces/program/spirv.h"

/* One build step: what it does to a program for one device. */
struct step {
    cl_program program;
    struct ocl_build *build;
    const char *target, *options;
    struct compile_request request;
    bool to_object;
};

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

static cl_int failure(enum igpu_status status, const char *log, cl_int failed,
                      cl_int bad_options)
{
    if (status == IGPU_OK)
        return CL_SUCCESS;
    if (status == IGPU_USAGE)
        return CL_COMPILER_NOT_AVAILABLE;
    return log != NULL && strstr(log, "Unrecognized build options") != NULL
               ? bad_options
               : failed;
}

/* ---- one device ---------------------------------------------------------------- */

/* Load build->binary, a zebin, and place its data. Takes the lock. */
static enum igpu_status ocl_build_load(cl_program program, struct ocl_build *build,
                                       struct igpu_err *err)
{
    struct loader_program *image = NULL;
    enum igpu_status status = ocl_open_image(build->binary, build->bytes, &image, err);

    if (status != IGPU_OK)
        return status;
    build->code = calloc(image->kernels + 1, sizeof(*build->code));
    if (build->code == NULL) {
        loader_free(image);
        return igpu_no_memory(err, "a program's build");
    }
    build->image = image;
    ocl_lock();
    for (uint32_t i = 0; i < image->datas; i++)
        if (image->data[i].bytes > 0) {
            image->data[i].address =
                ocl_map(program->context, image->data[i].data, image->data[i].bytes);
            if (image->data[i].kind == LOADER_DATA_GLOBAL)
                build->global_bytes += image->data[i].bytes;
        }
    ocl_unlock();
    return loader_relocate(image, err);
}

/* Where the compiler starts: source, IL, or an intermediate binary. */
static void set_input(struct step *s)
{
    cl_program program = s->program;
    struct compile_request *r = &s->request;

    if (program->source != NULL) {
        /* The compiler refuses an empty file; OpenCL does not. */
        r->source = program->source[0] != '\0' ? program->source : "\n";
        r->source_bytes = strlen(r->source);
        r->from = COMPILE_SOURCE;
    } else if (program->il != NULL) {
        r->source = (const char *)program->il;
        r->source_bytes = program->il_bytes;
        r->from = COMPILE_SPIRV;
    } else {
        r->source = (const char *)s->build->binary;
        r->source_bytes = s->build->bytes;
        r->from = ocl_form_of(s->build->binary, s->build->bytes);
    }
}

/* An object program of IL is its IL, as it can be linked. */
static enum igpu_status keep_il(struct step *s, struct igpu_err *err)
{
    uint32_t *mended;
    bool good =
        spirv_mend(s->program->il, s->program->il_bytes, &mended, &s->build->bytes);

    s->build->binary =
        mended != NULL ? (unsigned char *)mended : malloc(s->program->il_bytes);
    if (!good || s->build->binary == NULL)
        return igpu_no_memory(err, "a program's build");
    if (mended != NULL)
        return IGPU_OK;
    memcpy(s->build->binary, s->program->il, s->program->il_bytes);
    s->build->bytes = s->program->il_bytes;
    return IGPU_OK;
}

static enum igpu_status run_compiler(struct step *s, struct compile_result *result,
                                     struct igpu_err *err)
{
    static const char here[] = " -I .";
    /* ocloc knows no device of this extension, whose functions its header has. */
    static const char media[] = " -D cl_intel_media_block_io=1";
    const char *options = s->options != NULL ? s->options : "";
    char *all = malloc(strlen(options) + sizeof(here) + sizeof(media));
    struct compile_progress progress;
    enum igpu_status status;

    if (all == NULL)
        return igpu_no_memory(err, "a program's build");
    /* Without a folder of its own, the source's includes are the program's. */
    strcpy(all, options);
    if (s->request.from == COMPILE_SOURCE && strstr(s->request.source, "#") != NULL &&
        strstr(s->request.source, "include") != NULL)
        strcat(all, here);
    if (s->request.from == COMPILE_SOURCE)
        strcat(all, media);
    s->request.waiting = compile_progress_begin(&progress, "vigpu", s->target,
                                                setting_flag(SETTING_QUIET));
    s->request.device = s->target;
    s->request.options = all;
    if (s->request.to != COMPILE_TOKENS)
        s->request.to = s->to_object ? COMPILE_SPIRV : COMPILE_ZEBIN;
    status = compile_opencl(&s->request, result, err);
    compile_progress_end(&progress);
    free(all);
    return status;
}

enum igpu_status ocl_build_tokens(cl_program program, struct ocl_build *build,
                                  const char *target, struct compile_result *result,
                                  struct igpu_err *err)
{
    struct step s = {.program = program,
                     .build = build,
                     .target = target,
                     .options = build->options};

    set_input(&s);
    s.request.to = COMPILE_TOKENS;
    return run_compiler(&s, result, err);
}

static void finish_build(struct step *s, enum igpu_status status, const char *log,
                         const char *error)
{
    struct ocl_build *b = s->build;

    b->log = strdup(log != NULL && log[0] != '\0' ? log : error);
    b->status = status == IGPU_OK ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    b->type = status != IGPU_OK ? CL_PROGRAM_BINARY_TYPE_NONE
              : s->to_object    ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
                                : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* OpenCL C 2.0 and later, and SPIR-V, unless the options take it back. */
static bool cuts_groups(const struct step *s)
{
    const char *options = s->options != NULL ? s->options : "";
    bool modern = s->program->il != NULL;

    if (s->program->source == NULL && s->program->il == NULL && s->build->image != NULL)
        options = s->build->image->build_options;
    modern = modern || strstr(options, "-cl-std=CL2") != NULL ||
             strstr(options, "-cl-std=CL3") != NULL;
    return modern && strstr(options, "-cl-uniform-work-group-size") == NULL;
}

static cl_int build_one(struct step *s)
{
    struct compile_result result = {0};
    struct igpu_err err = {.text = ""};
    enum igpu_status status = IGPU_OK;
    cl_int code;

    set_input(s);
    if (s->program->source == NULL && s->to_object) {
        status = keep_il(s, &err);
    } else if (s->request.from != COMPILE_ZEBIN) {
        status = run_compiler(s, &result, &err);
        if (status == IGPU_OK) {
            free(s->build->binary);
            s->build->binary = result.image;
            s->build->bytes = result.bytes;
            result.image = NULL;
        }
    }
    if (status == IGPU_OK && !s->to_object)
        status = ocl_build_load(s->program, s->build, &err);
    s->build->cut_groups = cuts_groups(s);
    code =
        failure(status, result.log,
                s->to_object ? CL_COMPILE_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE,
                s->to_object ? CL_INVALID_COMPILER_OPTIONS : CL_INVALID_BUILD_OPTIONS);
    finish_build(s, status, result.log, err.text);
    compile_free(&result);
    return code;
}

/* ---- common to build and compile ------------------------------------------------ */

/* The program's device list of a build: count and devices, checked. */
static cl_int ocl_choose_devices(cl_program program, cl_uint num_devices,
                                 const cl_device_id *list, bool chosen[OCL_DEVICES])
{
    if ((num_devices == 0) != (list == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < OCL_DEVICES; i++)
        chosen[i] = list == NULL && i < program->devices;
    for (cl_uint i = 0; i < num_devices; i++) {
        struct ocl_build *b =
            ocl_is(list[i], OCL_DEVICE) ? ocl_program_build(program, list[i]) : NULL;

        if (b == NULL)
            return CL_INVALID_DEVICE;
        chosen[b - program->build] = true;
    }
    return CL_SUCCESS;
}

/* Mark the program busy and its chosen builds under way; binaries stay. */
static cl_int build_begin(cl_program program, const bool chosen[OCL_DEVICES],
                          const char *options)
{
    cl_int status = CL_SUCCESS;

    ocl_lock();
    if (program->kernels > 0 || program->busy)
        status = CL_INVALID_OPERATION;
    for (cl_uint i = 0; i < program->devices && status == CL_SUCCESS; i++) {
        struct ocl_build *b = &program->build[i];
        uint8_t *binary = b->binary;
        size_t bytes = b->bytes;

        if (!chosen[i])
            continue;
        if (program->source == NULL && program->il == NULL)
            b->binary = NULL; /* the input */
        ocl_build_clear(program, b);
        if (program->source == NULL && program->il == NULL) {
            b->binary = binary;
            b->bytes = bytes;
        }
        b->options = strdup(options != NULL ? options : "");
        b->status = CL_BUILD_IN_PROGRESS;
    }
    program->busy = program->busy || status == CL_SUCCESS;
    if (status == CL_SUCCESS)
        ocl_hold(program);
    ocl_unlock();
    return status;
}

static void end(cl_program program, notify_fn notify, void *user)
{
    ocl_lock();
    program->busy = false;
    ocl_unlock();
    if (notify != NULL)
        notify(program, user);
    ocl_lock();
    ocl_drop(program);
    ocl_unlock();
}

static cl_int run_steps(cl_program program, const bool chosen[OCL_DEVICES],
                        const char *options, bool to_object,
                        const struct compile_header *header, uint32_t headers)
{
    cl_int status = CL_SUCCESS;

    for (cl_uint i = 0; i < program->devices; i++) {
        struct step s = {.program = program,
                         .build = &program->build[i],
                         .target = program->device[i]->known->name,
                         .options = options,
                         .request = {.header = header, .headers = headers},
                         .to_object = to_object};
        cl_int one = chosen[i] ? build_one(&s) : CL_SUCCESS;

        status = status != CL_SUCCESS ? status : one;
    }
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
               const char *options, void(CL_CALLBACK *pfn_notify)(cl_program, void *),
               void *user_data)
{
    bool chosen[OCL_DEVICES];
    cl_int status;

    if (!ocl_is(program, OCL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (pfn_notify == NULL && user_data != NULL)
        return CL_INVALID_VALUE;
    status = ocl_choose_devices(program, num_devices, device_list, chosen);
    if (status == CL_SUCCESS && program->linked)
        status = CL_INVALID_OPERATION;
    if (status == CL_SUCCESS)
        status = build_begin(program, chosen, options);
    if (status != CL_SUCCESS)
        return status;
    status = run_steps(program, chosen, options, false, NULL, 0);
    end(program, pfn_notify, user_data);
    return status;
}

/* The headers of clCompileProgram as the compiler takes them. NULL and *status. */
static struct compile_header *list_headers(cl_uint count, const cl_program *programs,
                                           const char **names, cl_int *status)
{
    struct compile_header *header = calloc(count + 1, sizeof(*header));

    *status = header == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    for (cl_uint i = 0; i < count && *status == CL_SUCCESS; i++) {
        if (!ocl_is(programs[i], OCL_PROGRAM) || programs[i]->source == NULL ||
            names[i] == NULL)
            *status = CL_INVALID_VALUE;
        else
            header[i] = (struct compile_header){names[i], programs[i]->source,
                                                strlen(programs[i]->source)};
    }
    if (*status == CL_SUCCESS)
        return header;
    free(header);
    return NULL;
}

CL_API_ENTRY cl_int CL_API_CALL
clCompileProgram(cl_program program, cl_uint num_devices,
                 const cl_device_id *device_list, const char *options,
                 cl_uint num_headers, const cl_program *headers, const char **names,
                 void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data)
{
    struct compile_header *header;
    bool chosen[OCL_DEVICES];
    cl_int status;

    if (!ocl_is(program, OCL_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((pfn_notify == NULL && user_data != NULL) ||
        (num_headers == 0) != (headers == NULL) ||
        (num_headers == 0) != (names == NULL))
        return CL_INVALID_VALUE;
    status = ocl_choose_devices(program, num_devices, device_list, chosen);
    if (status == CL_SUCCESS && program->source == NULL && program->il == NULL)
        status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS)
        return status;
    header = list_headers(num_headers, headers, names, &status);
    if (status == CL_SUCCESS)
        status = build_begin(program, chosen, options);
    if (status == CL_SUCCESS) {
        status = run_steps(program, chosen, options, true, header, num_headers);
        end(program, pfn_notify, user_data);
    }
    free(header);
    return status;
}

/* ---- linking ------------------------------------------------------------------- */

/* Link options are for us: what the linker would not know goes. */
static bool wants_library(const char *options)
{
    return options != NULL && strstr(options, "-create-library") != NULL;
}

static cl_int check_link_options(const char *options)
{
    static const char *const known[] = {"-create-library",
                                        "-enable-link-options",
                                        "-cl-denorms-are-zero",
                                        "-cl-no-signed-zeros",
                                        "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only",
                                        "-cl-fast-relaxed-math",
                                        "-cl-no-subgroup-ifp"};
    char word[128];

    for (const char *p = options != NULL ? options : ""; *p != '\0';) {
        size_t n = strcspn(p, " \t"), i;

        for (i = 0; n > 0 && i < sizeof(known) / sizeof(known[0]); i++)
            if (strlen(known[i]) == n && strncmp(p, known[i], n) == 0)
                break;
        if (n >= sizeof(word) || (n > 0 && i == sizeof(known) / sizeof(known[0])))
            return CL_INVALID_LINKER_OPTIONS;
        p += n + (p[n] != '\0');
    }
    return CL_SUCCESS;
}

static cl_int link_one(cl_program program, cl_uint index, const char *options,
                       cl_uint count, const cl_program *input)
{
    struct step s = {.program = program,
                     .build = &program->build[index],
                     .target = program->device[index]->known->name};
    struct compile_piece *piece = calloc(count, sizeof(*piece));
    struct compile_result linked = {0}, result = {0};
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    s.build->options = strdup(options != NULL ? options : "");
    if (piece == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++) {
        const struct ocl_build *b = ocl_program_build(input[i], program->device[index]);

        piece[i] = (struct compile_piece){b->binary, b->bytes};
        s.build->cut_groups = (i == 0 || s.build->cut_groups) && b->cut_groups;
    }
    status = compile_link(piece, count, NULL, &linked, &err);
    free(piece);
    if (status == IGPU_OK && !wants_library(options)) {
        s.request.source = (const char *)linked.image;
        s.request.source_bytes = linked.bytes;
        s.request.from = COMPILE_LLVM;
        status = run_compiler(&s, &result, &err);
    } else if (status == IGPU_OK) {
        result.image = linked.image;
        result.bytes = linked.bytes;
        linked.image = NULL;
    }
    s.build->binary = result.image;
    s.build->bytes = result.bytes;
    result.image = NULL;
    if (status == IGPU_OK && !wants_library(options))
        status = ocl_build_load(program, s.build, &err);
    finish_build(&s, status,
                 result.log != NULL && result.log[0] != '\0' ? result.log : linked.log,
                 err.text);
    if (status == IGPU_OK && wants_library(options))
        s.build->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    compile_free(&result);
    compile_free(&linked);
    return failure(status, NULL, CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS);
}

/* Does every input have an object for the device? */
static bool has_objects(cl_uint count, const cl_program *input, cl_device_id device)
{
    for (cl_uint i = 0; i < count; i++) {
        const struct ocl_build *b = ocl_program_build(input[i], device);

        if (b == NULL || b->binary == NULL ||
            (b->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
             b->type != CL_PROGRAM_BINARY_TYPE_LIBRARY))
            return false;
    }
    return true;
}

static cl_int check_link(cl_context context, cl_uint num_devices,
                         const cl_device_id *device_list, cl_uint count,
                         const cl_program *input)
{
    if (!ocl_is(context, OCL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if ((num_devices == 0) != (device_list == NULL) || count == 0 || input == NULL)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_devices; i++)
        if (!ocl_is(device_list[i], OCL_DEVICE) ||
            !ocl_context_has(context, device_list[i]) || i >= OCL_DEVICES)
            return CL_INVALID_DEVICE;
    for (cl_uint i = 0; i < count; i++)
        if (!ocl_is(input[i], OCL_PROGRAM))
            return CL_INVALID_PROGRAM;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL
clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
              const char *options, cl_uint count, const cl_program *input,
              void(CL_CALLBACK *pfn_notify)(cl_program, void *), void *user_data,
              cl_int *errcode_ret)
{
    cl_int status = check_link(context, num_devices, device_list, count, input);
    cl_uint devices = num_devices;
    const cl_device_id *device = device_list;
    cl_program program;

    if (status == CL_SUCCESS && pfn_notify == NULL && user_data != NULL)
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS)
        status = check_link_options(options);
    if (status == CL_SUCCESS && device == NULL) {
        devices = context->devices;
        device = context->device;
    }
    for (cl_uint i = 0; status == CL_SUCCESS && i < devices; i++)
        if (!has_objects(count, input, device[i]))
            status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS)
        return ocl_result(errcode_ret, status, NULL);
    program = ocl_program_new(context, devices, device);
    if (program == NULL)
        return ocl_result(errcode_ret, CL_OUT_OF_HOST_MEMORY, NULL);
    program->linked = true;
    for (cl_uint i = 0; i < devices; i++) {
        cl_int one = link_one(program, i, options, count, input);

        status = status != CL_SUCCESS ? status : one;
    }
    if (pfn_notify != NULL)
        pfn_notify(program, user_data);
    return ocl_result(errcode_ret, status, program);
}
