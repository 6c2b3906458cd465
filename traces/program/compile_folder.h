/* compile_folder.h - a temporary folder for the compiler's files, for compile.c only.
 */
#ifndef TRACES_COMPILE_FOLDER_H
#define TRACES_COMPILE_FOLDER_H
#include <stdbool.h>
#include <stddef.h>

struct compile_folder {
    char path[4096]; /* "" before it is made */
    int lock;        /* held while it is in use */
};

/* Make one below $TMPDIR, or /tmp. Folders that killed processes left there go: nobody
 * holds their lock any more. False and errno: there is none. */
bool compile_folder_make(struct compile_folder *folder);

/* Write a file into it; its name may have folders, but no "..". */
bool compile_folder_write(const struct compile_folder *folder, const char *name,
                          const void *bytes, size_t size);

/* Remove it with all that it holds; nothing happens when it was never made. */
void compile_folder_remove(struct compile_folder *folder);

#endif
