/* compile_includes.h - what a source may include, for the cache's key; for compile.c
 * only. */
#ifndef TRACES_COMPILE_INCLUDES_H
#define TRACES_COMPILE_INCLUDES_H
#include <stdbool.h>
#include <stddef.h>

#include "traces/program/compile.h"
#include "traces/program/file_cache.h"

/* Does the text have an #include, #import or the like? */
bool compile_includes_any(const char *text, size_t bytes);

/* Hash the headers of the request and every file that its source, options[] and they
 * may include, in each folder where the compiler could look (`folder`: that of the
 * source), with the files that are not there: more than it reads, so that whatever it
 * reads is covered. False: what it reads cannot be told from the text (a macro as a
 * file's name, __has_include, -include, too many files). */
bool compile_includes_hash(struct cache_hash *hash,
                           const struct compile_request *request, const char *text,
                           size_t bytes, const char *folder);

#endif
