/* cache_entry.c - what the cache's files hold, and whether they still do; see
 * traces/program/file_cache.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "igpu/output.h"
#include "traces/ocloc/compile_wire.h"
#include "traces/program/file_cache.h"
#include "traces/program/loader.h"

enum { PATH_BYTES = 4096, PIECE_BYTES = 1 << 20, MAX_LOG_BYTES = 16 << 20 };

static const char magic[8] = "vigpu 2"; /* of this form */

/* Then come image and log. */
struct head {
    char magic[8];
    uint64_t image_bytes, log_bytes;
    XXH128_canonical_t digest;
};

/* All of a PATH.sum. */
struct sum {
    char magic[8];
    uint64_t bytes;
    XXH128_canonical_t digest;
};

/* A regular file, or -1: to open a pipe that nobody writes would wait for ever. */
static int open_regular(const char *path, uint64_t *bytes)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;

    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        *bytes = (uint64_t)info.st_size;
        return fd;
    }
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* Have path hold these pieces, on the disk too, or what it held before. Whatever else
 * is there, such as a pipe, is in the way. */
static bool replace(const char *path, const struct iovec *piece, unsigned pieces)
{
    struct igpu_output out;
    struct stat info;

    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        (void)unlink(path);
    if (igpu_output_open(&out, path, NULL) != IGPU_OK)
        return false;
    for (unsigned i = 0; i < pieces; i++)
        (void)fwrite(piece[i].iov_base, 1, piece[i].iov_len, out.file);
    return igpu_output_close(&out, NULL) == IGPU_OK;
}

/* ---- age ------------------------------------------------------------------------ */

static bool older(const struct stat *info, time_t seconds)
{
    return info->st_mtime < time(NULL) - seconds;
}

/* The file behind fd is in use: its age is counted from now on, to the day. */
static void touch(int fd)
{
    struct stat info;

    if (fstat(fd, &info) == 0 && older(&info, CACHE_SWEEP_SECONDS))
        (void)futimens(fd, NULL);
}

/* KEY.SOMETHING: an entry, a trace, its note, or what a crash left of making one. */
static bool is_ours(const char *name)
{
    return strspn(name, "0123456789abcdef") == 32 && name[32] == '.';
}

/* Has nobody swept for a while? Then it is noted that we do. */
static bool time_to_sweep(const char *folder)
{
    char mark[PATH_BYTES];
    struct stat info;
    int n = snprintf(mark, sizeof(mark), "%s/.swept", folder);

    if (n < 0 || n >= PATH_BYTES ||
        (lstat(mark, &info) == 0 && !older(&info, CACHE_SWEEP_SECONDS)))
        return false;
    return replace(mark, NULL, 0);
}

void cache_sweep(const char *folder)
{
    DIR *dir = time_to_sweep(folder) ? opendir(folder) : NULL;
    const struct dirent *entry;
    struct stat info;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (is_ours(entry->d_name) &&
            fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && older(&info, CACHE_KEEP_SECONDS))
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        (void)closedir(dir);
}

/* ---- entries -------------------------------------------------------------------- */

static bool entry_path(const char *folder, const char *key, char path[PATH_BYTES])
{
    int n = snprintf(path, PATH_BYTES, "%s/%s.compiled", folder, key);

    return n > 0 && n < PATH_BYTES;
}

/* The digest of what follows the head, and of the key. False: no memory. */
static bool entry_digest(const char *key, const uint8_t *image, size_t bytes,
                         const char *log, size_t log_bytes, XXH128_canonical_t *digest)
{
    XXH3_state_t *state = XXH3_createState();

    if (state == NULL)
        return false;
    (void)XXH3_128bits_reset(state);
    (void)XXH3_128bits_update(state, key, strlen(key));
    (void)XXH3_128bits_update(state, image, bytes);
    (void)XXH3_128bits_update(state, log, log_bytes);
    XXH128_canonicalFromHash(digest, XXH3_128bits_digest(state));
    (void)XXH3_freeState(state);
    return true;
}

static bool read_entry(int fd, uint64_t size, const char *key, uint8_t **image,
                       size_t *bytes, char **log)
{
    XXH128_canonical_t digest;
    struct head head;
    bool good;

    if (size < sizeof(head) || !wire_receive(fd, &head, sizeof(head)) ||
        memcmp(head.magic, magic, sizeof(magic)) != 0 ||
        head.image_bytes > LOADER_MAX_FILE_BYTES || head.log_bytes > MAX_LOG_BYTES ||
        size != sizeof(head) + head.image_bytes + head.log_bytes)
        return false;
    *image = calloc(1, head.image_bytes + 1);
    *log = calloc(1, head.log_bytes + 1);
    good = *image != NULL && *log != NULL &&
           wire_receive(fd, *image, head.image_bytes) &&
           wire_receive(fd, *log, head.log_bytes) &&
           entry_digest(key, *image, head.image_bytes, *log, head.log_bytes, &digest) &&
           memcmp(&digest, &head.digest, sizeof(digest)) == 0;
    *bytes = head.image_bytes;
    if (good)
        return true;
    free(*image);
    free(*log);
    return false;
}

bool cache_read(const char *folder, const char *key, uint8_t **image, size_t *bytes,
                char **log)
{
    char path[PATH_BYTES], *text = NULL;
    uint8_t *data = NULL;
    uint64_t size = 0;
    size_t length = 0;
    int fd = entry_path(folder, key, path) ? open_regular(path, &size) : -1;
    bool good = fd >= 0 && read_entry(fd, size, key, &data, &length, &text);

    if (good)
        touch(fd);
    if (fd >= 0)
        (void)close(fd);
    if (good) {
        *image = data;
        *bytes = length;
        *log = text;
    }
    return good;
}

void cache_write(const char *folder, const char *key, const uint8_t *image,
                 size_t bytes, const char *log)
{
    struct head head = {.image_bytes = bytes, .log_bytes = strlen(log)};
    const struct iovec piece[] = {{&head, sizeof(head)},
                                  {(void *)(uintptr_t)image, bytes},
                                  {(void *)(uintptr_t)log, head.log_bytes}};
    char path[PATH_BYTES];

    memcpy(head.magic, magic, sizeof(magic));
    if (head.log_bytes <= MAX_LOG_BYTES && entry_path(folder, key, path) &&
        entry_digest(key, image, bytes, log, head.log_bytes, &head.digest))
        (void)replace(path, piece, 3);
    cache_sweep(folder);
}

/* ---- files with a note beside --------------------------------------------------- */

static bool digest_file(int fd, XXH128_canonical_t *digest)
{
    XXH3_state_t *state = XXH3_createState();
    char *piece = malloc(PIECE_BYTES);
    bool good = state != NULL && piece != NULL;
    ssize_t n = 0;

    if (good)
        (void)XXH3_128bits_reset(state);
    while (good && (n = read(fd, piece, PIECE_BYTES)) > 0)
        (void)XXH3_128bits_update(state, piece, (size_t)n);
    good = good && n == 0;
    if (good)
        XXH128_canonicalFromHash(digest, XXH3_128bits_digest(state));
    (void)XXH3_freeState(state);
    free(piece);
    return good;
}

/* What its PATH.sum must hold. */
static bool sum_of(const char *path, struct sum *sum)
{
    int fd;
    bool good;

    memset(sum, 0, sizeof(*sum));
    memcpy(sum->magic, magic, sizeof(magic));
    fd = open_regular(path, &sum->bytes);
    good = fd >= 0 && digest_file(fd, &sum->digest);
    if (good)
        touch(fd);
    if (fd >= 0)
        (void)close(fd);
    return good;
}

static bool sum_path(const char *path, char sum[PATH_BYTES])
{
    int n = snprintf(sum, PATH_BYTES, "%s.sum", path);

    return n > 0 && n < PATH_BYTES;
}

bool cache_note(const char *made, const char *path)
{
    char beside[PATH_BYTES];
    struct sum sum;
    const struct iovec piece = {&sum, sizeof(sum)};

    return sum_path(path, beside) && sum_of(made, &sum) && replace(beside, &piece, 1);
}

bool cache_is_as_noted(const char *path)
{
    char beside[PATH_BYTES];
    struct sum noted, now;
    uint64_t bytes = 0;
    int fd = sum_path(path, beside) ? open_regular(beside, &bytes) : -1;
    bool good =
        fd >= 0 && bytes == sizeof(noted) && wire_receive(fd, &noted, sizeof(noted));

    if (good)
        touch(fd);
    if (fd >= 0)
        (void)close(fd);
    return good && sum_of(path, &now) && memcmp(&noted, &now, sizeof(now)) == 0;
}
