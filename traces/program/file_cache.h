/* file_cache.h - files named by a hash in a cache folder: compiled kernels, and the
 * traces of igpu bench. Code: loader/compile_cache.c. */
#ifndef TRACES_FILE_CACHE_H
#define TRACES_FILE_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* What the file is: its ending, and how it starts. */
enum cache_form { CACHE_ZEBIN, CACHE_SPIRV };

/* The file `key` of folder, if there and of the form: malloc'ed bytes, else NULL. */
uint8_t *cache_read(const char *folder, const char *key, enum cache_form form,
                    size_t *bytes);

/* What the compiler said when it made the file: malloc'ed text, NULL when nothing. */
char *cache_read_log(const char *folder, const char *key);

/* Write file and log ("": none) beside and rename, so that readers see all or nothing.
 * Failure is silent: the next run compiles again. */
void cache_write(const char *folder, const char *key, enum cache_form form,
                 const uint8_t *data, size_t bytes, const char *log);

/* Whole file, at most max bytes, malloc'ed with a 0 behind it; NULL and errno
 * (EFBIG when larger). */
uint8_t *read_whole_file(const char *path, size_t max, size_t *bytes);

#endif
