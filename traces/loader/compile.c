/* compile.c - see traces/compile.h. */
#include "traces/compile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile_run.h"
#include "traces/file_cache.h"
#include "traces/loader.h"

enum { MAX_SOURCE_BYTES = 64 << 20, PATH_BYTES = 4096 };

/* One compilation on its way. */
struct work {
    const struct compile_request *request;
    struct compile_result *result;
    struct igpu_err *err;
    const char *label; /* names the source in messages */
    const char *source;
    size_t source_bytes;
    uint8_t *owned; /* the source when it came from a file */
    char program[PATH_BYTES];
    char folder[PATH_BYTES]; /* temporary; "" before it is made */
    char *options;           /* the request's and -I for the source's folder */
};

static enum igpu_status no_memory(const struct work *w)
{
    return igpu_fail(w->err, IGPU_BAD_INPUT, "%s: no memory to compile", w->label);
}

static enum igpu_status check_request(const struct work *w)
{
    const char *device = w->request->device, *options = w->request->options;
    bool quoted = false;

    if (device == NULL || (strcmp(device, "skl") != 0 && strcmp(device, "kbl") != 0))
        return igpu_fail(w->err, IGPU_USAGE,
                         "device '%s': unknown; use skl (Skylake) or kbl (Kaby Lake)",
                         device == NULL ? "" : device);
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

/* Would the compiler read other files, which the hash does not cover? */
static bool reads_other_files(const struct work *w)
{
    const char *p = w->source, *end = p + w->source_bytes;

    if (w->request->from != COMPILE_SOURCE)
        return false;
    if (w->request->options != NULL && strstr(w->request->options, "-include") != NULL)
        return true;
    while ((p = memchr(p, '#', (size_t)(end - p))) != NULL) {
        p++;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if ((size_t)(end - p) >= 6 &&
            (memcmp(p, "includ", 6) == 0 || memcmp(p, "import", 6) == 0))
            return true;
    }
    return false;
}

/* The compiler is what these files are; asking it for its version would not tell a
 * rebuilt library from the old one. */
static void hash_compiler(struct cache_hash *hash, const char *program)
{
    static const char *const libraries[] = {
        "/usr/lib/x86_64-linux-gnu/libocloc.so",
        "/usr/lib/x86_64-linux-gnu/libigc.so.1",
        "/usr/lib64/libocloc.so",
        "/usr/lib64/libigc.so.1",
        "/usr/local/lib/libocloc.so",
        "/usr/local/lib/libigc.so.1",
    };

    cache_hash_file(hash, program);
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
        cache_hash_file(hash, libraries[i]);
}

static void make_key(const struct work *w)
{
    static const char zebin[] = "zebin 1"; /* of the command below */
    static const char spirv[] = "spirv 1";
    bool is_zebin = w->request->to != COMPILE_SPIRV;
    const char *options = w->request->options == NULL ? "" : w->request->options;
    struct cache_hash hash = cache_hash_start();

    cache_hash_field(&hash, is_zebin ? zebin : spirv, sizeof(zebin));
    if (w->request->from != COMPILE_SOURCE)
        cache_hash_field(&hash, &w->request->from, sizeof(w->request->from));
    cache_hash_field(&hash, w->request->device, strlen(w->request->device));
    cache_hash_field(&hash, options, strlen(options));
    cache_hash_field(&hash, w->source, w->source_bytes);
    hash_compiler(&hash, w->program);
    cache_hash_text(&hash, w->result->key);
}

/* A new folder of our own: mkdir fails on a name that exists, a link too. */
static bool make_folder(struct work *w)
{
    const char *top = getenv("TMPDIR");

    if (top == NULL || top[0] != '/')
        top = "/tmp";
    for (unsigned try = 0; try < 1000; try++) {
        int n = snprintf(w->folder, sizeof(w->folder), "%s/vigpu-%ld-%u", top,
                         (long)getpid(), try);

        if (n < 0 || (size_t)n >= sizeof(w->folder))
            break;
        if (mkdir(w->folder, 0700) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    w->folder[0] = '\0';
    return false;
}

static void remove_tree(const char *folder)
{
    char path[PATH_BYTES];
    struct dirent *entry;
    DIR *dir = opendir(folder);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        int n = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            n < 0 || (size_t)n >= sizeof(path))
            continue;
        if (unlink(path) != 0) /* a header's folder, of our own making */
            remove_tree(path);
    }
    if (dir != NULL)
        (void)closedir(dir);
    (void)rmdir(folder);
}

static void remove_folder(struct work *w)
{
    if (w->folder[0] != '\0')
        remove_tree(w->folder);
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok;

    if (file == NULL)
        return false;
    ok = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && ok;
}

/* Make the folders of a header's name below the temporary one; ".." has no place. */
static bool make_folders(const struct work *w, const char *name)
{
    char path[PATH_BYTES];

    if (name[0] == '/' || strstr(name, "..") != NULL)
        return false;
    for (const char *slash = strchr(name, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        int n = snprintf(path, sizeof(path), "%s/%.*s", w->folder, (int)(slash - name),
                         name);

        if (n < 0 || (size_t)n >= sizeof(path) ||
            (mkdir(path, 0700) != 0 && errno != EEXIST))
            return false;
    }
    return true;
}

/* The headers, then the source itself; its path to path[cap]. */
static bool write_source(const struct work *w, char *path, size_t cap)
{
    const struct compile_request *r = w->request;

    for (uint32_t i = 0; i < r->headers; i++) {
        int n = snprintf(path, cap, "%s/%s", w->folder, r->header[i].name);

        if (n < 0 || (size_t)n >= cap || !make_folders(w, r->header[i].name) ||
            !write_file(path, r->header[i].text, r->header[i].bytes))
            return false;
    }
    snprintf(path, cap, "%s/kernel.%s", w->folder,
             r->from == COMPILE_SOURCE ? "cl" : "ir");
    return write_file(path, w->source, w->source_bytes);
}

/* The request's options, and the source file's folder for its includes. */
static enum igpu_status make_options(struct work *w)
{
    const char *options = w->request->options == NULL ? "" : w->request->options;
    const char *path = w->request->source_path;
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    size_t folder = slash == NULL ? 1 : (size_t)(slash - path) + 1;
    size_t cap = strlen(options) + folder + strlen(w->folder) + sizeof(" -I \"\"") * 2;
    int n;

    w->options = malloc(cap);
    if (w->options == NULL)
        return no_memory(w);
    /* The headers of the request come first: they may shadow a file. */
    n = w->request->headers > 0
            ? snprintf(w->options, cap, "-I \"%s\" %s", w->folder, options)
            : snprintf(w->options, cap, "%s", options);
    if (n >= 0 && path != NULL && reads_other_files(w) && strchr(path, '"') == NULL)
        snprintf(w->options + n, cap - (size_t)n, " -I \"%.*s\"", (int)folder,
                 slash == NULL ? "." : path);
    return IGPU_OK;
}

/* The first line of the log that says error, else its first line. */
static void first_error(const char *log, char *line, size_t cap)
{
    const char *found = strstr(log, "error:");
    const char *start = found == NULL ? log : found;

    while (start > log && start[-1] != '\n')
        start--;
    snprintf(line, cap, "%.*s", (int)strcspn(start, "\r\n"), start);
    for (char *p = line; *p != '\0'; p++)
        if (!isprint((unsigned char)*p))
            *p = ' ';
}

static enum igpu_status run_compiler(struct work *w, const char *source_path)
{
    char first[256];
    int exit_code = 0;
    static const char *const from[] = {NULL, "-spirv_input", "-llvm_input"};
    const char *arguments[20] = {
        "ocloc",
        "compile",
        "-file",
        source_path,
        "-device",
        w->request->device,
        "--format",
        "zebin",
        w->request->to == COMPILE_SPIRV ? "-spv_only" : "-exclude_ir",
        "-output",
        "kernel",
        "-out_dir",
        w->folder};
    unsigned count = 13;
    enum igpu_status status;

    if (w->request->from != COMPILE_SOURCE)
        arguments[count++] = from[w->request->from];
    if (w->options[0] != '\0') {
        arguments[count++] = "-options";
        arguments[count++] = w->options;
    }
    status = compile_run(w->program, (char *const *)(uintptr_t)arguments,
                         &w->result->log, &exit_code, w->err);

    if (status != IGPU_OK || exit_code == 0)
        return status;
    first_error(w->result->log, first, sizeof(first));
    if (exit_code > 255)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: the compiler was killed by signal %d", w->label,
                         exit_code - 256);
    return igpu_fail(w->err, IGPU_BAD_INPUT, "%s: does not compile for %s: %s",
                     w->label, w->request->device,
                     first[0] != '\0' ? first : "the compiler says no reason");
}

/* The one file with `ending` that the compiler left; the chip's family is in its
 * name. */
static enum igpu_status take_output(const struct work *w, const char *ending)
{
    char path[PATH_BYTES + 257] = "";
    struct dirent *entry;
    DIR *dir = opendir(w->folder);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot != NULL && strcmp(dot, ending) == 0)
            snprintf(path, sizeof(path), "%s/%.255s", w->folder, entry->d_name);
    }
    if (dir != NULL)
        (void)closedir(dir);
    if (path[0] != '\0')
        w->result->image =
            read_whole_file(path, LOADER_MAX_FILE_BYTES, &w->result->bytes);
    if (w->result->image == NULL)
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: %s ended well but left no binary; reinstall "
                         "intel-opencl-icd",
                         w->label, w->program);
    return IGPU_OK;
}

static enum igpu_status compile_now(struct work *w)
{
    char source_path[PATH_BYTES + 16];
    enum igpu_status status;

    if (!make_folder(w) || !write_source(w, source_path, sizeof(source_path)))
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: no temporary folder to compile in: %s; set TMPDIR",
                         w->label, strerror(errno));
    status = make_options(w);
    if (status != IGPU_OK)
        return status;
    free(w->result->log);
    w->result->log = NULL;
    status = run_compiler(w, source_path);
    return status == IGPU_OK
               ? take_output(w, w->request->to == COMPILE_SPIRV ? ".spv" : ".bin")
               : status;
}

static enum igpu_status compile_work(struct work *w)
{
    char folder[PATH_BYTES];
    bool cache;
    enum igpu_status status = check_request(w);

    if (status == IGPU_OK)
        status = read_source(w);
    if (status == IGPU_OK)
        status =
            compile_find(w->request->ocloc, w->program, sizeof(w->program), w->err);
    if (status != IGPU_OK)
        return status;
    make_key(w);
    /* The cache holds ELF files only. */
    cache = w->request->to != COMPILE_SPIRV && !reads_other_files(w) &&
            cache_folder(w->request->cache_dir, folder, sizeof(folder));
    if (cache)
        w->result->image = cache_read(folder, w->result->key, &w->result->bytes);
    if (w->result->image != NULL) {
        w->result->cached = true;
        return IGPU_OK;
    }
    status = compile_now(w);
    if (status == IGPU_OK && cache)
        cache_write(folder, w->result->key, w->result->image, w->result->bytes);
    return status;
}

enum igpu_status compile_opencl(const struct compile_request *request,
                                struct compile_result *result, struct igpu_err *err)
{
    struct work w = {.request = request, .result = result, .err = err};
    enum igpu_status status;

    memset(result, 0, sizeof(*result));
    w.label = request->source_path != NULL ? request->source_path : "OpenCL source";
    status = compile_work(&w);
    remove_folder(&w);
    free(w.options);
    free(w.owned);
    if (result->log == NULL)
        result->log = calloc(1, 1);
    if (result->log == NULL && status == IGPU_OK)
        status = no_memory(&w);
    return status;
}

/* ocloc link -file A -file B ... -out LINKED; the pieces are on disk. */
static enum igpu_status run_linker(struct work *w, uint32_t pieces)
{
    size_t count = 0, stride = PATH_BYTES + 32;
    const char **arguments = calloc(2 * (size_t)pieces + 8, sizeof(*arguments));
    char *paths = calloc(pieces + 1, stride), first[256];
    enum igpu_status status = IGPU_OK;
    int exit_code = 0;

    if (arguments == NULL || paths == NULL) {
        free(arguments);
        free(paths);
        return no_memory(w);
    }
    arguments[count++] = "ocloc";
    arguments[count++] = "link";
    for (uint32_t i = 0; i < pieces; i++) {
        snprintf(paths + i * stride, stride, "%s/piece%u", w->folder, i);
        arguments[count++] = "-file";
        arguments[count++] = paths + i * stride;
    }
    snprintf(paths + pieces * stride, stride, "%s/linked.bc", w->folder);
    arguments[count++] = "-out";
    arguments[count++] = paths + pieces * stride;
    if (w->request->options != NULL && w->request->options[0] != '\0') {
        arguments[count++] = "-options";
        arguments[count++] = w->request->options;
    }
    status = compile_run(w->program, (char *const *)(uintptr_t)arguments,
                         &w->result->log, &exit_code, w->err);
    if (status == IGPU_OK && exit_code != 0) {
        first_error(w->result->log, first, sizeof(first));
        status =
            igpu_fail(w->err, IGPU_BAD_INPUT, "%s: does not link: %s", w->label, first);
    }
    free(arguments);
    free(paths);
    return status == IGPU_OK ? take_output(w, ".bc") : status;
}

enum igpu_status compile_link(const struct compile_piece *piece, uint32_t pieces,
                              const char *options, struct compile_result *result,
                              struct igpu_err *err)
{
    struct compile_request request = {.options = options};
    struct work w = {
        .request = &request, .result = result, .err = err, .label = "OpenCL objects"};
    char path[PATH_BYTES + 32];
    enum igpu_status status;

    memset(result, 0, sizeof(*result));
    status = compile_find(NULL, w.program, sizeof(w.program), err);
    if (status == IGPU_OK && !make_folder(&w))
        status = igpu_fail(err, IGPU_BAD_INPUT,
                           "no temporary folder to link in: %s; set TMPDIR",
                           strerror(errno));
    for (uint32_t i = 0; status == IGPU_OK && i < pieces; i++) {
        snprintf(path, sizeof(path), "%s/piece%u", w.folder, i);
        if (!write_file(path, piece[i].image, piece[i].bytes))
            status = igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot write: %s", path,
                               strerror(errno));
    }
    if (status == IGPU_OK)
        status = run_linker(&w, pieces);
    remove_folder(&w);
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
