/* binary.c - what a program's binary is, and loading it. */
#include <pthread.h>
#include <string.h>

#include "bridge/drivers/ocl/program.h"

enum compile_form ocl_form_of(const uint8_t *image, size_t bytes)
{
    static const uint8_t spirv[] = {3, 2, 0x23, 7}, llvm[] = {'B', 'C', 0xC0, 0xDE};

    if (bytes >= 4 &&
        (memcmp(image, "\177ELF", 4) == 0 || memcmp(image, "CTNI", 4) == 0))
        return COMPILE_ZEBIN;
    if (bytes >= 20 && memcmp(image, spirv, 4) == 0)
        return COMPILE_SPIRV;
    if (bytes >= 4 && memcmp(image, llvm, 4) == 0)
        return COMPILE_LLVM;
    return COMPILE_SOURCE;
}

static pthread_mutex_t libelf = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
    (void)pthread_mutex_lock(&libelf);
}

static void after_fork(void)
{
    (void)pthread_mutex_unlock(&libelf);
}

/* A child of fork() finds libelf's state whole. */
static void __attribute__((constructor)) watch_fork(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}

enum igpu_status ocl_open_image(const uint8_t *binary, size_t bytes,
                                struct loader_program **image, struct igpu_err *err)
{
    enum igpu_status status;

    (void)pthread_mutex_lock(&libelf);
    status = loader_open_memory("OpenCL program", binary, bytes, image, err);
    (void)pthread_mutex_unlock(&libelf);
    return status;
}
