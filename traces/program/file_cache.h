/* file_cache.h - files named by a hash in a cache folder: compiled kernels, and the
 * traces of igpu bench. What nobody used for CACHE_KEEP_SECONDS is removed.
 * Code: compile_cache.c (hashes, folder), cache_entry.c. */
#ifndef TRACES_FILE_CACHE_H
#define TRACES_FILE_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_KEEP_SECONDS = 30 * 86400, CACHE_SWEEP_SECONDS = 86400 };

/* 128-bit FNV-1a. Fields are hashed with their lengths, so that moving a byte from
 * one to the next changes the hash. */
struct cache_hash {
    uint64_t high, low;
};
struct cache_hash cache_hash_start(void);
void cache_hash_field(struct cache_hash *hash, const void *bytes, size_t size);
/* Path, size and time of change: what a program that makes files is known by. */
void cache_hash_file(struct cache_hash *hash, const char *path);
void cache_hash_text(const struct cache_hash *hash, char text[33]);

/* The cache folder, made when missing, into path[cap]; `dir` as in struct
 * compile_request. False: no cache. */
bool cache_folder(const char *dir, char *path, size_t cap);

/* An entry is one file, KEY.compiled: an image and what the compiler said when it made
 * it, with their lengths and a digest (XXH3, 128 bits) that also covers the key. */

/* The entry's image and log (each malloc'ed, with a 0 behind it) to *image, *bytes and
 * *log. False, and nothing is set: there is none, or it is damaged, which is no error:
 * cache_write() replaces it, whatever it is. */
bool cache_read(const char *folder, const char *key, uint8_t **image, size_t *bytes,
                char **log);

/* Write an entry beside, and rename it: readers see all or nothing, and so does who
 * comes after a crash of the machine. Failure is silent: the next run compiles again.
 * Removes old files, see cache_sweep(). */
void cache_write(const char *folder, const char *key, const uint8_t *image,
                 size_t bytes, const char *log);

/* A file that is too large for an entry is itself the cached thing; PATH.sum has its
 * length and digest. Note them for the file `made`, which will be renamed to path. */
bool cache_note(const char *made, const char *path);
/* Is path a regular file as noted? False when it is damaged or not there. It counts as
 * used now. */
bool cache_is_as_noted(const char *path);

/* At most once each CACHE_SWEEP_SECONDS (the age of the file `.swept`): remove the
 * cache's files in this folder that were made and last used longer than
 * CACHE_KEEP_SECONDS ago. Other files stay. */
void cache_sweep(const char *folder);

/* Whole file, at most max bytes, malloc'ed with a 0 behind it; NULL and errno
 * (EFBIG when larger). */
uint8_t *read_whole_file(const char *path, size_t max, size_t *bytes);

#endif
