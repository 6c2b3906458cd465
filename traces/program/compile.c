/* compile.c - see traces/program/compile.h. */
#include "traces/program/compile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile_folder.h"
#include "compile_includes.h"
#include "compile_libraries.h"
#include "compile_log.h"
#include "compile_run.h"
#include "compile_server.h"
#include "igpu/device.h"
#include "traces/program/file_cache.h"
#include "traces/program/loader.h"
#include "traces/program/spirv.h"

enum { MAX_SOURCE_BYTES = 64 << 20, PATH_BYTES = 4096 };

/* Without a list of its own ocloc adds an extension that OpenCL C 1.1 cannot have, and
 * then fails in its own header. */
static const char extensions_of_1_1[] =
    "-cl-ext=-all,+cl_khr_byte_addressable_store,+cl_khr_fp16,+cl_khr_fp64,"
    "+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,"
    "+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,"
    "+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
    "+cl_khr_3d_image_writes,+cl_khr_depth_images,+cl_intel_subgroups,"
    "+cl_intel_required_subgroup_size,+cl_intel_subgroups_short";

/* One compilation on its way. */
struct work {
    const struct compile_request *request;
    struct compile_result *result;
    struct igpu_err *err;
    const char *label;  /* names the source in messages */
    const char *target; /* the compiler's name of the device */
    const char *source;
    size_t source_bytes;
    uint8_t *owned; /* the source when it came from a file */
    char program[PATH_BYTES];
    struct compile_folder folder; /* for headers, and where no server compiles */
    char *options;                /* the request's and -I for the source's folder */
};

static enum igpu_status compile_no_memory(const struct work *w)
{
    return igpu_no_memory(w->err, "%s", w->label);
}

static enum igpu_status check_request(struct work *w)
{
    const char *device = w->request->device, *options = w->request->options;
    const struct igpu_device *known = device != NULL ? igpu_device_find(device) : NULL;
    bool quoted = false;

    if (known == NULL)
        return igpu_fail(w->err, IGPU_USAGE, "device '%s': unknown; use %s",
                         device == NULL ? "" : device, igpu_device_names());
    w->target = known->target;
    for (const char *p = options == NULL ? "" : options; *p != '\0'; p++)
        quoted = quoted != (*p == '"');
    if (quoted)
        return igpu_fail(w->err, IGPU_USAGE,
                         "build options '%s': a quote is not closed", options);
    return IGPU_OK;
}

static enum igpu_status read_source(struct work *w)
{
    const struct compile_request *r = w->request;

    if (r->source_path == NULL) {
        w->source = r->source;
        w->source_bytes = r->source_bytes;
    } else {
        w->owned = read_whole_file(r->source_path, MAX_SOURCE_BYTES, &w->source_bytes);
        w->source = (const char *)w->owned;
        if (w->owned == NULL)
            return igpu_fail(w->err, IGPU_BAD_INPUT, "%s: cannot read: %s", w->label,
                             strerror(errno));
    }
    if (w->source_bytes == 0 || w->source_bytes > MAX_SOURCE_BYTES)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: %zu bytes of source; expected OpenCL C text", w->label,
                         w->source_bytes);
    if (r->from == COMPILE_SOURCE && memchr(w->source, '\0', w->source_bytes) != NULL)
        return igpu_fail(
            w->err, IGPU_BAD_INPUT,
            "%s: not a text file; expected OpenCL C, or a zebin named *.bin", w->label);
    return IGPU_OK;
}

/* SPIR-V as the compiler can take it. */
static enum igpu_status mend_source(struct work *w)
{
    uint32_t *mended;
    size_t bytes;

    if (w->request->from != COMPILE_SPIRV)
        return IGPU_OK;
    if (!spirv_mend(w->source, w->source_bytes, &mended, &bytes))
        return compile_no_memory(w);
    if (mended == NULL)
        return IGPU_OK;
    free(w->owned);
    w->owned = (uint8_t *)mended;
    w->source = (const char *)mended;
    w->source_bytes = bytes;
    return IGPU_OK;
}

/* Would the compiler read other files? */
static bool reads_other_files(const struct work *w)
{
    const char *options = w->request->options;

    return w->request->from == COMPILE_SOURCE &&
           ((options != NULL && strstr(options, "-include") != NULL) ||
            compile_includes_any(w->source, w->source_bytes));
}

/* The folder of the source, as long as its path says. */
static void source_folder(const struct work *w, char folder[PATH_BYTES])
{
    const char *path = w->request->source_path;
    const char *slash = path == NULL ? NULL : strrchr(path, '/');

    (void)snprintf(folder, PATH_BYTES, "%.*s",
                   slash == NULL ? 1 : (int)(slash - path) + 1,
                   slash == NULL ? "." : path);
}

/* False: the key does not cover all that the compiler reads. */
static bool make_key(const struct work *w)
{
    static const char zebin[] = "zebin 2"; /* of the command below */
    static const char spirv[] = "spirv 2", tokens[] = "token 2";
    const char *form = w->request->to == COMPILE_SPIRV    ? spirv
                       : w->request->to == COMPILE_TOKENS ? tokens
                                                          : zebin;
    const char *options = w->request->options == NULL ? "" : w->request->options;
    struct cache_hash hash = cache_hash_start();
    char folder[PATH_BYTES];
    bool covers = true;

    cache_hash_field(&hash, form, sizeof(zebin));
    if (w->request->from != COMPILE_SOURCE)
        cache_hash_field(&hash, &w->request->from, sizeof(w->request->from));
    cache_hash_field(&hash, w->target, strlen(w->target));
    cache_hash_field(&hash, options, strlen(options));
    cache_hash_field(&hash, w->source, w->source_bytes);
    compile_libraries_hash(&hash, w->program);
    if (reads_other_files(w) || w->request->headers > 0) {
        source_folder(w, folder);
        covers = compile_includes_hash(&hash, w->request, w->source, w->source_bytes,
                                       folder);
    }
    cache_hash_text(&hash, w->result->key);
    return covers;
}

/* The request's options, and the source file's folder for its includes. */
static enum igpu_status make_options(struct work *w)
{
    const char *options = w->request->options == NULL ? "" : w->request->options;
    const char *path = w->request->source_path;
    char folder[PATH_BYTES];
    size_t cap;
    int n;

    source_folder(w, folder);
    cap = strlen(options) + strlen(folder) + strlen(w->folder.path) +
          sizeof(" -I \"\"") * 2;
    w->options = malloc(cap);
    if (w->options == NULL)
        return compile_no_memory(w);
    /* The headers of the request come first: they may shadow a file. */
    n = w->request->headers > 0
            ? snprintf(w->options, cap, "-I \"%s\" %s", w->folder.path, options)
            : snprintf(w->options, cap, "%s", options);
    if (n >= 0 && path != NULL && reads_other_files(w) && strchr(path, '"') == NULL)
        snprintf(w->options + n, cap - (size_t)n, " -I \"%s\"", folder);
    return IGPU_OK;
}

static enum igpu_status no_folder(const struct work *w)
{
    return igpu_fail(w->err, IGPU_BAD_INPUT,
                     "%s: no temporary folder to compile in: %s; set TMPDIR", w->label,
                     strerror(errno));
}

/* The one file with `ending` that the compiler left; the chip's family is in its
 * name. */
static void take_output(const struct work *w, const char *ending)
{
    char path[PATH_BYTES + 257] = "";
    struct dirent *entry;
    DIR *dir = opendir(w->folder.path);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot != NULL && strcmp(dot, ending) == 0)
            snprintf(path, sizeof(path), "%s/%.255s", w->folder.path, entry->d_name);
    }
    if (dir != NULL)
        (void)closedir(dir);
    if (path[0] != '\0')
        w->result->image =
            read_whole_file(path, LOADER_MAX_FILE_BYTES, &w->result->bytes);
}

/* The task with a process of its own: its files on disk, below w->folder. */
static enum igpu_status run_process(struct work *w, const struct compile_task *t,
                                    int *exit_code)
{
    size_t stride = sizeof(w->folder.path) + 32;
    const char **arguments = calloc(t->arguments + 1, sizeof(*arguments));
    char *paths = calloc(t->arguments + 1, stride);
    enum igpu_status status = IGPU_OK;
    bool ok = w->folder.path[0] != '\0' || compile_folder_make(&w->folder);

    for (uint32_t i = 0; ok && i < t->files; i++)
        ok = compile_folder_write(&w->folder, t->file[i].name, t->file[i].bytes,
                                  t->file[i].size);
    if (!ok)
        status = no_folder(w);
    else if (arguments == NULL || paths == NULL)
        status = compile_no_memory(w);
    for (uint32_t i = 0; status == IGPU_OK && i < t->arguments; i++) {
        const char *before = i > 0 ? t->argument[i - 1] : "";

        arguments[i] = t->argument[i];
        if (strcmp(before, "-file") != 0 && strncmp(before, "-out", 4) != 0)
            continue;
        if (strcmp(before, "-output") == 0)
            continue;
        arguments[i] = paths + i * stride;
        snprintf(paths + i * stride, stride, "%s/%s", w->folder.path, t->argument[i]);
    }
    if (status == IGPU_OK)
        status = compile_run(w->program, (char *const *)(uintptr_t)arguments,
                             &t->waiting, &w->result->log, exit_code, w->err);
    free(arguments);
    free(paths);
    if (status == IGPU_OK && *exit_code == 0)
        take_output(w, t->ending);
    return status;
}

/* The compiler's name for a source is its number in the process: a program that holds
 * the name is made in a process for itself, so that it is always the same. */
static bool holds_its_name(const struct work *w)
{
    const char *options = w->options == NULL ? "" : w->options;
    const char *p = w->source, *end = p == NULL ? p : p + w->source_bytes;

    if (strstr(options, "-g") != NULL)
        return true;
    while (p != NULL && (p = memchr(p, '_', (size_t)(end - p))) != NULL) {
        if ((size_t)(end - p) >= 6 &&
            (memcmp(p, "__FILE", 6) == 0 || memcmp(p, "__INCL", 6) == 0))
            return true;
        p++;
    }
    return false;
}

/* Have the compiler do the task; the output to w->result. */
static enum igpu_status run_ocloc(struct work *w, const struct compile_task *t,
                                  int *exit_code)
{
    struct compile_result *r = w->result;

    free(r->log);
    r->log = NULL;
    if (holds_its_name(w) ||
        !compile_serve(t, &r->log, exit_code, &r->image, &r->bytes)) {
        enum igpu_status status = run_process(w, t, exit_code);

        if (status != IGPU_OK)
            return status;
    }
    compile_log_clean(r->log);
    if (*exit_code == 0 && r->image == NULL)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: %s ended well but left no binary; reinstall "
                         "intel-opencl-icd",
                         w->label, w->program);
    return IGPU_OK;
}

/* C++ for OpenCL, at which Debian's ocloc ends with an assertion of its own. */
static bool wants_cxx(const struct work *w)
{
    const char *p = w->options;

    while ((p = strstr(p, "-x")) != NULL) {
        p += 2;
        p += strspn(p, " \t");
        if (strncmp(p, "clc++", 5) == 0)
            return true;
    }
    return false;
}

static enum igpu_status no_cxx(struct work *w)
{
    enum igpu_status status = igpu_fail(w->err, IGPU_BAD_INPUT,
                                        "%s: C++ for OpenCL (-x clc++, -cl-std=CLC++) "
                                        "is not supported by this compiler, "
                                        "%s; use OpenCL C",
                                        w->label, w->program);

    free(w->result->log); /* the compiler's failure is no word on the source */
    w->result->log = NULL;
    return status;
}

/* The source as its user calls it, where the compiler has a number. What the cache
 * keeps has the number: the same text may have several names. */
static void name_source(struct work *w)
{
    char *named;

    if (w->request->source_path == NULL || w->result->log == NULL)
        return;
    named = compile_log_named(w->result->log, w->request->source_path);
    if (named != NULL) {
        free(w->result->log);
        w->result->log = named;
    }
}

static enum igpu_status run_compiler(struct work *w)
{
    static const char *const from[] = {NULL, "-spirv_input", "-llvm_input"};
    bool to_spirv = w->request->to == COMPILE_SPIRV;
    const struct compile_file source = {
        w->request->from == COMPILE_SOURCE ? "kernel.cl" : "kernel.ir", w->source,
        w->source_bytes, w->request->from == COMPILE_SOURCE};
    /* The format each time: the library keeps that of the call before. */
    const char *format = w->request->to == COMPILE_TOKENS ? "patchtokens" : "zebin";
    const char *arguments[20] = {
        "ocloc",     "compile", "-file",
        source.name, "-device", w->target,
        "--format",  format,    to_spirv ? "-spv_only" : "-exclude_ir",
        "-output",   "kernel",  "-out_dir",
        "."};
    struct compile_task task = {w->program,
                                arguments,
                                13,
                                &source,
                                1,
                                to_spirv ? ".spv" : ".bin",
                                w->request->from == COMPILE_SOURCE &&
                                    !reads_other_files(w),
                                w->request->waiting};
    enum igpu_status status;
    char first[256];
    int exit_code = 0;

    if (w->request->from != COMPILE_SOURCE)
        arguments[task.arguments++] = from[w->request->from];
    if (w->options[0] != '\0') {
        arguments[task.arguments++] = "-options";
        arguments[task.arguments++] = w->options;
    }
    if (strstr(w->options, "-cl-std=CL1.1") != NULL) {
        arguments[task.arguments++] = "-internal_options";
        arguments[task.arguments++] = extensions_of_1_1;
    }
    status = run_ocloc(w, &task, &exit_code);
    if (status != IGPU_OK || exit_code == 0)
        return status;
    if (wants_cxx(w))
        return no_cxx(w);
    name_source(w);
    compile_log_first(w->result->log, first, sizeof(first));
    if (exit_code > 255)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: the compiler was killed by signal %d", w->label,
                         exit_code - 256);
    return igpu_fail(w->err, IGPU_BAD_INPUT, "%s: does not compile for %s: %s",
                     w->label, w->request->device,
                     first[0] != '\0' ? first : "the compiler says no reason");
}

static enum igpu_status compile_now(struct work *w)
{
    const struct compile_request *r = w->request;
    enum igpu_status status;
    bool ok = r->headers == 0 || compile_folder_make(&w->folder);

    for (uint32_t i = 0; ok && i < r->headers; i++)
        ok = compile_folder_write(&w->folder, r->header[i].name, r->header[i].text,
                                  r->header[i].bytes);
    if (!ok)
        return no_folder(w);
    status = make_options(w);
    return status == IGPU_OK ? run_compiler(w) : status;
}

static enum igpu_status compile_work(struct work *w)
{
    struct compile_result *r = w->result;
    char folder[PATH_BYTES], key[sizeof(r->key)];
    bool cache;
    enum igpu_status status = check_request(w);

    if (status == IGPU_OK)
        status = read_source(w);
    if (status == IGPU_OK)
        status = mend_source(w);
    if (status == IGPU_OK)
        status =
            compile_find(w->request->ocloc, w->program, sizeof(w->program), w->err);
    if (status != IGPU_OK)
        return status;
    cache = make_key(w) && cache_folder(w->request->cache_dir, folder, sizeof(folder));
    r->cached = cache && cache_read(folder, r->key, &r->image, &r->bytes, &r->log);
    if (r->cached)
        return IGPU_OK;
    status = compile_now(w);
    if (status != IGPU_OK || !cache)
        return status;
    memcpy(key, r->key, sizeof(key));
    if (make_key(w) && strcmp(key, r->key) == 0) /* no file changed meanwhile */
        cache_write(folder, key, r->image, r->bytes, r->log);
    return IGPU_OK;
}

enum igpu_status compile_opencl(const struct compile_request *request,
                                struct compile_result *result, struct igpu_err *err)
{
    struct work w = {.request = request, .result = result, .err = err};
    enum igpu_status status;

    memset(result, 0, sizeof(*result));
    w.label = request->source_path != NULL ? request->source_path : "OpenCL source";
    status = compile_work(&w);
    if (status == IGPU_OK)
        name_source(&w);
    if (request->waiting.said != NULL && result->log != NULL && result->log[0] != '\0')
        request->waiting.said(request->waiting.user, result->log, status == IGPU_OK);
    compile_folder_remove(&w.folder);
    free(w.options);
    free(w.owned);
    if (result->log == NULL)
        result->log = calloc(1, 1);
    if (result->log == NULL && status == IGPU_OK)
        status = compile_no_memory(&w);
    return status;
}

/* ocloc link -file A -file B ... -out LINKED */
static enum igpu_status run_linker(struct work *w, const struct compile_file *file,
                                   uint32_t files)
{
    const char **arguments = calloc(2 * (size_t)files + 8, sizeof(*arguments));
    struct compile_task task = {w->program, arguments, 2,     file,
                                files,      ".bc",     false, w->request->waiting};
    enum igpu_status status;
    char first[256];
    int exit_code = 0;

    if (arguments == NULL)
        return compile_no_memory(w);
    arguments[0] = "ocloc";
    arguments[1] = "link";
    for (uint32_t i = 0; i < files; i++) {
        arguments[task.arguments++] = "-file";
        arguments[task.arguments++] = file[i].name;
    }
    arguments[task.arguments++] = "-out";
    arguments[task.arguments++] = "linked.bc";
    if (w->request->options != NULL && w->request->options[0] != '\0') {
        arguments[task.arguments++] = "-options";
        arguments[task.arguments++] = w->request->options;
    }
    status = run_ocloc(w, &task, &exit_code);
    free(arguments);
    if (status != IGPU_OK || exit_code == 0)
        return status;
    compile_log_first(w->result->log, first, sizeof(first));
    return igpu_fail(w->err, IGPU_BAD_INPUT, "%s: does not link: %s", w->label, first);
}

enum igpu_status compile_link(const struct compile_piece *piece, uint32_t pieces,
                              const char *options, struct compile_result *result,
                              struct igpu_err *err)
{
    enum { NAME_BYTES = 32 };
    struct compile_request request = {.options = options};
    struct work w = {
        .request = &request, .result = result, .err = err, .label = "OpenCL objects"};
    struct compile_file *file = calloc(pieces + 1, sizeof(*file));
    char *names = calloc(pieces + 1, NAME_BYTES);
    enum igpu_status status;

    memset(result, 0, sizeof(*result));
    status = compile_find(NULL, w.program, sizeof(w.program), err);
    if (status == IGPU_OK && (file == NULL || names == NULL))
        status = compile_no_memory(&w);
    for (uint32_t i = 0; status == IGPU_OK && i < pieces; i++) {
        snprintf(names + (size_t)i * NAME_BYTES, NAME_BYTES, "piece%u", i);
        file[i] = (struct compile_file){names + (size_t)i * NAME_BYTES, piece[i].image,
                                        piece[i].bytes, false};
    }
    if (status == IGPU_OK)
        status = run_linker(&w, file, pieces);
    compile_folder_remove(&w.folder);
    free(file);
    free(names);
    if (result->log == NULL)
        result->log = calloc(1, 1);
    return status;
}

void compile_free(struct compile_result *result)
{
    free(result->image);
    free(result->log);
    memset(result, 0, sizeof(*result));
}
