/* compile_cache.c - see traces/program/file_cache.h. */
#include "traces/program/file_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "igpu/grow.h"

struct cache_hash cache_hash_start(void)
{
    /* FNV-1a 128-bit offset basis */
    return (struct cache_hash){UINT64_C(0x6c62272e07bb0142),
                               UINT64_C(0x62b821756295c58d)};
}

/* hash *= 2^88 + 0x13B, the FNV prime, mod 2^128. */
static void multiply_prime(struct cache_hash *h)
{
    const uint64_t k = 0x13B, mask = UINT64_C(0xFFFFFFFF);
    uint64_t low0 = (h->low & mask) * k, low1 = (h->low >> 32) * k;
    uint64_t carry = (low1 + (low0 >> 32)) >> 32;

    h->high = h->high * k + carry + (h->low << 24);
    h->low *= k;
}

static void hash_bytes(struct cache_hash *hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash->low ^= bytes[i];
        multiply_prime(hash);
    }
}

void cache_hash_field(struct cache_hash *hash, const void *bytes, size_t size)
{
    uint8_t length[8];

    for (uint32_t i = 0; i < 8; i++)
        length[i] = (uint8_t)((uint64_t)size >> (8 * i));
    hash_bytes(hash, length, sizeof(length));
    hash_bytes(hash, bytes, size);
}

void cache_hash_file(struct cache_hash *hash, const char *path)
{
    struct stat info;
    int64_t identity[3] = {0, 0, 0};

    if (stat(path, &info) == 0) {
        identity[0] = (int64_t)info.st_size;
        identity[1] = (int64_t)info.st_mtim.tv_sec;
        identity[2] = (int64_t)info.st_mtim.tv_nsec;
    }
    cache_hash_field(hash, path, strlen(path));
    cache_hash_field(hash, identity, sizeof(identity));
}

void cache_hash_text(const struct cache_hash *hash, char text[33])
{
    snprintf(text, 33, "%016" PRIx64 "%016" PRIx64, hash->high, hash->low);
}

static bool usable_folder(const char *path)
{
    struct stat info;

    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return false;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool cache_folder(const char *dir, char *path, size_t cap)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n;

    if (dir != NULL) {
        n = snprintf(path, cap, "%s", dir);
        return n > 0 && (size_t)n < cap && usable_folder(path);
    }
    if (xdg != NULL && xdg[0] == '/')
        n = snprintf(path, cap, "%s", xdg);
    else if (home != NULL && home[0] == '/')
        n = snprintf(path, cap, "%s/.cache", home);
    else
        return false;
    if (n < 0 || (size_t)n + sizeof("/vigpu") > cap || !usable_folder(path))
        return false;
    memcpy(path + n, "/vigpu", sizeof("/vigpu"));
    return usable_folder(path);
}

static uint8_t *read_stream(FILE *file, size_t max, size_t *bytes)
{
    enum { FIRST = 1 << 16 };
    size_t cap = 0, used = 0, n = 1;
    uint8_t *data = NULL;

    while (n > 0 && used <= max && IGPU_RESERVE(data, cap, used + FIRST)) {
        n = fread(data + used, 1, cap - used - 1, file);
        used += n;
    }
    if (n > 0)
        errno = used > max ? EFBIG : ENOMEM;
    if (n > 0 || ferror(file)) {
        free(data);
        return NULL;
    }
    data[used] = 0;
    *bytes = used;
    return data;
}

uint8_t *read_whole_file(const char *path, size_t max, size_t *bytes)
{
    struct stat info;
    uint8_t *data;
    FILE *file;
    int error;

    if (stat(path, &info) != 0)
        return NULL;
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    data = read_stream(file, max, bytes);
    error = errno;
    (void)fclose(file);
    errno = error;
    return data;
}
