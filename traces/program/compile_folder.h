/* compile_folder.h - temporary folders: for the compiler's files, and for what igpu run
 * sums up. */
#ifndef TRACES_COMPILE_FOLDER_H
#define TRACES_COMPILE_FOLDER_H
#include <stdbool.h>
#include <stddef.h>

struct compile_folder {
    char path[4096]; /* "" before it is made */
    int lock;        /* a descriptor, held while it is in use; -1: none */
};

/* Make one below $TMPDIR, or /tmp. False and errno: there is none. */
bool compile_folder_make(struct compile_folder *folder);

/* Write a file into it; its name may have folders, but no "..". */
bool compile_folder_write(const struct compile_folder *folder, const char *name,
                          const void *bytes, size_t size);

/* Remove it with all that it holds; nothing happens when it was never made. */
void compile_folder_remove(struct compile_folder *folder);

/* Remove the folders that killed processes left below $TMPDIR, or /tmp: of this user,
 * older than a minute, and nobody holds their lock. For the project's own programs; no
 * business of other people's, which the driver is loaded into. */
void compile_folder_sweep(void);

#endif
