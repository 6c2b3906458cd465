// engine_rtl_fst.cpp - Verilator's writer of waves (FST), with its files in our hands.
//
// It opens PATH and PATH.hier by name, keeps temporary files in /tmp, maps them (a full
// disk is then SIGBUS) and looks at no result. Here PATH is the stream that the host
// loop gives and checks; what is temporary lies in memory, is read and written instead
// of mapped, and a failure of it is one of the waves.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

#include "verilated.h"
#include "verilated_fst_c.h"

FILE *wave_file;   // what PATH is
bool wave_damaged; // something temporary was lost

namespace
{
struct {
    void *memory;
    int fd;
} maps[8];

FILE *wave_memory()
{
    const int fd = memfd_create("vigpu-waves", MFD_CLOEXEC);

    return fd >= 0 ? fdopen(fd, "w+b") : nullptr;
}

FILE *wave_fopen(const char *name, const char *mode)
{
    if (name[0] == '/') // /proc/meminfo
        return fopen(name, mode);
    return strcmp(name, "waves") == 0 ? wave_file : wave_memory();
}

int wave_fclose(FILE *file)
{
    if (file == wave_file)
        return fflush(file);
    wave_damaged |= ferror(file) != 0;
    return fclose(file);
}

int wave_unlink(const char *)
{
    return 0;
}

void *wave_mmap(void *, size_t bytes, int, int, int fd, off_t)
{
    void *memory = calloc(1, bytes);

    for (auto &map : maps) {
        if (memory != nullptr && map.memory == nullptr) {
            wave_damaged |= pread(fd, memory, bytes, 0) != static_cast<ssize_t>(bytes);
            map = {memory, fd};
            return memory;
        }
    }
    free(memory);
    return MAP_FAILED;
}

int wave_munmap(void *memory, size_t bytes)
{
    for (auto &map : maps) {
        if (map.memory == memory) {
            wave_damaged |=
                pwrite(map.fd, memory, bytes, 0) != static_cast<ssize_t>(bytes);
            map.memory = nullptr;
        }
    }
    free(memory);
    return 0;
}
} // namespace

#define fopen wave_fopen
#define fclose wave_fclose
#define tmpfile wave_memory
#define unlink wave_unlink
#define mmap wave_mmap
#define munmap wave_munmap
#include "verilated_fst_c.cpp"
