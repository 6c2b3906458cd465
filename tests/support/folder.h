/* folder.h - a folder of this run, for cmocka's group setup and teardown. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[96];

static inline int make_folder(void **state)
{
    const char *top = getenv("IGPU_TMP");

    (void)state;
    snprintf(folder, sizeof(folder), "%s/test-%ld", top != NULL ? top : "/tmp",
             (long)getpid());
    return mkdir(folder, 0700);
}

static inline int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    return system(command);
}
#endif
