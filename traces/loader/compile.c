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

#include "compile_cache.h"
#include "compile_run.h"
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
    if (memchr(w->source, '\0', w->source_bytes) != NULL)
        return igpu_fail(
            w->err, IGPU_BAD_INPUT,
            "%s: not a text file; expected OpenCL C, or a zebin named *.bin", w->label);
    return IGPU_OK;
}

/* Would the compiler read other files, which the hash does not cover? */
static bool reads_other_files(const struct work *w)
{
    const char *p = w->source, *end = p + w->source_bytes;

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

static void hash_file_identity(struct cache_hash *hash, const char *path)
{
    struct stat info;
    int64_t identity[2] = {0, 0};

    if (stat(path, &info) == 0) {
        identity[0] = (int64_t)info.st_size;
        identity[1] = (int64_t)info.st_mtime;
    }
    cache_hash_field(hash, path, strlen(path));
    cache_hash_field(hash, identity, sizeof(identity));
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

    hash_file_identity(hash, program);
    for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
        hash_file_identity(hash, libraries[i]);
}

static void make_key(const struct work *w)
{
    static const char format[] = "zebin 1"; /* of the command below */
    const char *options = w->request->options == NULL ? "" : w->request->options;
    struct cache_hash hash = cache_hash_start();

    cache_hash_field(&hash, format, sizeof(format));
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

static void remove_folder(struct work *w)
{
    char path[PATH_BYTES + 257];
    struct dirent *entry;
    DIR *dir;

    if (w->folder[0] == '\0')
        return;
    dir = opendir(w->folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof(path), "%s/%.255s", w->folder, entry->d_name);
        (void)unlink(path); /* not "." and "..": those are folders */
    }
    if (dir != NULL)
        (void)closedir(dir);
    (void)rmdir(w->folder);
}

static bool write_source(const struct work *w, char *path, size_t cap)
{
    FILE *file;
    bool ok;

    snprintf(path, cap, "%s/kernel.cl", w->folder);
    file = fopen(path, "wb");
    if (file == NULL)
        return false;
    ok = fwrite(w->source, 1, w->source_bytes, file) == w->source_bytes;
    return fclose(file) == 0 && ok;
}

/* The request's options, and the source file's folder for its includes. */
static enum igpu_status make_options(struct work *w)
{
    const char *options = w->request->options == NULL ? "" : w->request->options;
    const char *path = w->request->source_path;
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    size_t folder = slash == NULL ? 1 : (size_t)(slash - path) + 1;
    size_t cap = strlen(options) + folder + sizeof(" -I \"\"");

    w->options = malloc(cap);
    if (w->options == NULL)
        return no_memory(w);
    if (path == NULL || !reads_other_files(w) || memchr(path, '"', strlen(path)))
        snprintf(w->options, cap, "%s", options);
    else
        snprintf(w->options, cap, "%s -I \"%.*s\"", options, (int)folder,
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
    char *const arguments[] = {"ocloc",       "compile",
                               "-file",       (char *)source_path,
                               "-device",     (char *)w->request->device,
                               "--format",    "zebin",
                               "-exclude_ir", "-output",
                               "kernel",      "-out_dir",
                               w->folder,     w->options[0] != '\0' ? "-options" : NULL,
                               w->options,    NULL};
    enum igpu_status status =
        compile_run(w->program, arguments, &w->result->log, &exit_code, w->err);

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

/* The one *.bin that the compiler left: its name ends with the chip's family. */
static enum igpu_status take_output(const struct work *w)
{
    char path[PATH_BYTES + 257] = "";
    struct dirent *entry;
    DIR *dir = opendir(w->folder);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (dot != NULL && strcmp(dot, ".bin") == 0)
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
    enum igpu_status status = make_options(w);

    if (status != IGPU_OK)
        return status;
    if (!make_folder(w) || !write_source(w, source_path, sizeof(source_path)))
        return igpu_fail(w->err, IGPU_BAD_INPUT,
                         "%s: no temporary folder to compile in: %s; set TMPDIR",
                         w->label, strerror(errno));
    free(w->result->log);
    w->result->log = NULL;
    status = run_compiler(w, source_path);
    return status == IGPU_OK ? take_output(w) : status;
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
    cache = !reads_other_files(w) &&
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

void compile_free(struct compile_result *result)
{
    free(result->image);
    free(result->log);
    memset(result, 0, sizeof(*result));
}
