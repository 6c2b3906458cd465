/* jit_cache.c - see jit_cache.h. */
#include "traces/program/jit_cache.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "igpu/emu.h"
#include "traces/program/compile_libraries.h"
#include "traces/program/file_cache.h"

enum { PATH_BYTES = 4096 };

static struct {
    pthread_once_t once;
    char library[PATH_BYTES], folder[PATH_BYTES];
    bool has_folder;
    struct cache_hash libraries; /* LLVM's, whose code it is */
} cache = {.once = PTHREAD_ONCE_INIT};

static void look_around(void)
{
    cache.has_folder = cache_folder(NULL, cache.folder, sizeof(cache.folder));
    cache.libraries = cache_hash_start();
    compile_libraries_hash(&cache.libraries, cache.library);
}

/* The name of an entry: of the emulator's key and of those libraries. */
static bool name_of(const void *key, size_t bytes, char name[33])
{
    struct cache_hash hash;
    XXH128_hash_t digest;

    (void)pthread_once(&cache.once, look_around);
    if (!cache.has_folder)
        return false;
    hash = cache.libraries;
    digest = XXH3_128bits(key, bytes);
    cache_hash_field(&hash, "translation", 11);
    cache_hash_field(&hash, &digest.low64, sizeof(digest.low64));
    cache_hash_field(&hash, &digest.high64, sizeof(digest.high64));
    cache_hash_text(&hash, name);
    return true;
}

static bool cached_find(const void *key, size_t bytes, uint8_t **data, size_t *size)
{
    char name[33], *log = NULL;
    bool good =
        name_of(key, bytes, name) && cache_read(cache.folder, name, data, size, &log);

    if (good)
        free(log);
    return good;
}

static void code_keep(const void *key, size_t bytes, const uint8_t *data, size_t size)
{
    char name[33];

    if (name_of(key, bytes, name))
        cache_write(cache.folder, name, data, size, "");
}

void jit_cache_use(const char *library)
{
    static const struct emu_jit_keep with = {cached_find, code_keep};
    const char *set = getenv("IGPU_JIT_CACHE");

    if (set != NULL && strcmp(set, "off") == 0)
        return;
    if (set != NULL && strcmp(set, "on") != 0)
        fprintf(stderr,
                "vigpu: IGPU_JIT_CACHE='%.60s' is not used: expected on or off\n", set);
    (void)snprintf(cache.library, sizeof(cache.library), "%s", library);
    emu_jit_kept_by(&with);
}
