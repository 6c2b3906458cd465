/* compile_libraries.h - which files the compiler is, for the cache's key; for compile.c
 * only. */
#ifndef TRACES_COMPILE_LIBRARIES_H
#define TRACES_COMPILE_LIBRARIES_H
#include "traces/program/file_cache.h"

/* Hash the program and each library of Intel's compiler, clang and LLVM that it could
 * load: of LD_LIBRARY_PATH, of the program's own PREFIX/lib, and of the system. Asking
 * the program for its version would not tell a rebuilt library from the old one. */
void compile_libraries_hash(struct cache_hash *hash, const char *program);

#endif
