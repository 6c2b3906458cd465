/* compile_folder.c - see compile_folder.h. */
#define _DEFAULT_SOURCE /* flock, dirfd */
#include "compile_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "vigpu-";

static void remove_tree(const char *folder)
{
    char path[sizeof(((struct compile_folder *)0)->path)];
    struct dirent *entry;
    DIR *dir = opendir(folder);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        int n = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            n < 0 || (size_t)n >= sizeof(path))
            continue;
        if (unlink(path) != 0) /* a header's folder, of our own making */
            remove_tree(path);
    }
    if (dir != NULL)
        (void)closedir(dir);
    (void)rmdir(folder);
}

/* The lock of a folder that is ours, or -1. */
static int lock_folder(const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
        info.st_nlink > 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* A folder that was made this moment may not be locked yet. */
static bool is_old(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && time(NULL) - info.st_mtime > 60;
}

static const char *top_folder(void)
{
    const char *top = getenv("TMPDIR");

    return top == NULL || top[0] != '/' ? "/tmp" : top;
}

/* Made by compile_folder_make(), prefix, number, '-', number, and by nobody else: a
 * user may well have a folder vigpu-results. */
static bool is_our_name(const char *name)
{
    static const char digits[] = "0123456789";
    size_t process, number;

    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return false;
    name += strlen(prefix);
    process = strspn(name, digits);
    number = name[process] == '-' ? strspn(name + process + 1, digits) : 0;
    return process > 0 && number > 0 && name[process + 1 + number] == '\0';
}

void compile_folder_sweep(void)
{
    char path[sizeof(((struct compile_folder *)0)->path)];
    const char *top = top_folder();
    struct dirent *entry;
    DIR *dir = opendir(top);

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        int n = snprintf(path, sizeof(path), "%s/%s", top, entry->d_name), fd;

        if (!is_our_name(entry->d_name) || n < 0 || (size_t)n >= sizeof(path) ||
            (fd = lock_folder(path)) < 0)
            continue;
        if (is_old(fd))
            remove_tree(path);
        (void)close(fd);
    }
    if (dir != NULL)
        (void)closedir(dir);
}

bool compile_folder_make(struct compile_folder *folder)
{
    for (unsigned try = 0; try < 1000; try++) {
        int n = snprintf(folder->path, sizeof(folder->path), "%s/%s%ld-%u",
                         top_folder(), prefix, (long)getpid(), try);

        if (n < 0 || (size_t)n >= sizeof(folder->path))
            break;
        /* A new one of our own: mkdir fails on a name that exists, a link too. */
        if (mkdir(folder->path, 0700) == 0) {
            folder->lock = lock_folder(folder->path);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    folder->path[0] = '\0';
    return false;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool ok;

    if (file == NULL)
        return false;
    ok = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && ok;
}

bool compile_folder_write(const struct compile_folder *folder, const char *name,
                          const void *bytes, size_t size)
{
    char path[sizeof(folder->path)];
    int n = snprintf(path, sizeof(path), "%s/%s", folder->path, name);
    char *start = path + strlen(folder->path) + 1;

    if (n < 0 || (size_t)n >= sizeof(path) || name[0] == '/' ||
        strstr(name, "..") != NULL)
        return false;
    for (char *slash = strchr(start, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return write_file(path, bytes, size);
}

void compile_folder_remove(struct compile_folder *folder)
{
    if (folder->path[0] == '\0')
        return;
    remove_tree(folder->path);
    if (folder->lock >= 0)
        (void)close(folder->lock);
    folder->path[0] = '\0';
}
