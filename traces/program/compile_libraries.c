/* compile_libraries.c - see compile_libraries.h. */
#define _DEFAULT_SOURCE /* scandir, alphasort */
#include "compile_libraries.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = PATH_MAX + 300 };

static int is_library(const struct dirent *entry)
{
    static const char *const start[] = {
        "libocloc.",       "libigc.",      "libigdfcl.",       "libopencl-clang",
        "libcommon_clang", "libclang-cpp", "libLLVMSPIRVLib.", "libLLVM-"};

    for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
        if (strncmp(entry->d_name, start[i], strlen(start[i])) == 0)
            return strstr(entry->d_name, ".so") != NULL;
    return 0;
}

static void hash_folder(struct cache_hash *hash, const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_library, alphasort);

    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        int n = snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);

        if (n > 0 && (size_t)n < sizeof(path))
            cache_hash_file(hash, path);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

/* The folders of a list with ':' between. */
static void hash_list(struct cache_hash *hash, const char *list)
{
    char folder[PATH_MAX];

    for (const char *p = list != NULL ? list : ""; *p != '\0';) {
        size_t n = strcspn(p, ":");

        if (n > 0 && n < sizeof(folder)) {
            memcpy(folder, p, n);
            folder[n] = '\0';
            hash_folder(hash, folder);
        }
        p += n + (p[n] != '\0');
    }
}

void compile_libraries_hash(struct cache_hash *hash, const char *program)
{
    static const char *const places[] = {"lib", "lib64", "lib/x86_64-linux-gnu"};
    char real[PATH_MAX], folder[PATH_BYTES];

    cache_hash_file(hash, program);
    hash_list(hash, getenv("LD_LIBRARY_PATH"));
    if (realpath(program, real) != NULL) {
        for (unsigned i = 0; i < 2 && strrchr(real, '/') != NULL; i++)
            *strrchr(real, '/') = '\0';
        for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
            snprintf(folder, sizeof(folder), "%s/%s", real, places[i]);
            hash_folder(hash, folder);
        }
    }
    hash_list(hash, "/usr/lib/x86_64-linux-gnu:/usr/lib64:/usr/local/lib");
}
