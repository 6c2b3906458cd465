/* ocloc_ahead.h - for ocloc_main.c: a compiler stopped where it has read OpenCL's own
 * header, which takes most of the time, and a copy of it for each source.
 *
 * A child of the server compiles a source that includes nothing but SOURCE_PATH. clang
 * opens that file when the header is behind it; open() is ours, waits there for real
 * sources, and forks: the new process reads its source and compiles it to the end. All
 * sources of such a child have the same arguments and working folder. Only what
 * compiles without a word is taken from it: everything else is compiled again in the
 * plain way, whose messages are the compiler's own. */
#ifndef TRACES_OCLOC_AHEAD_H
#define TRACES_OCLOC_AHEAD_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compile the source `text` as the server would, and pass the image to ahead_answer().
 * False, without that: it failed or said something. */
typedef bool (*ahead_compile_fn)(void *context, const char *text);
bool ahead_answer(const uint8_t *image, uint64_t bytes);

/* A new child that compiles ahead by compile(context, ...). Its socket, or -1. */
int ahead_start(ahead_compile_fn compile, void *context);

/* Have the child compile a source: malloc'ed image, or NULL; then *alive is false when
 * the child has ended. */
uint8_t *ahead_ask(int socket, const char *source, size_t bytes, size_t *image_bytes,
                   bool *alive);

#endif
