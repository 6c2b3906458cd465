/* drm_user.c - the program's memory, as the kernel reads and writes it: an address that
 * is none is EFAULT, and not the program's end by a signal. */
#define _GNU_SOURCE /* process_vm_readv */
#include "bridge/drivers/drm/drm.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t move_fn(pid_t pid, const struct iovec *local, unsigned long local_count,
                        const struct iovec *remote, unsigned long remote_count,
                        unsigned long flags);

static bool move(move_fn *fn, void *own, uint64_t user, size_t bytes)
{
    struct iovec local = {own, bytes}, remote = {(void *)(uintptr_t)user, bytes};
    ssize_t n = bytes > 0 ? fn(getpid(), &local, 1, &remote, 1, 0) : 0;

    if (n >= 0 && (size_t)n == bytes)
        return true;
    if (n < 0 && errno != EFAULT) { /* a host that has no such call, or forbids it */
        if (fn == process_vm_readv)
            memcpy(own, remote.iov_base, bytes);
        else
            memcpy(remote.iov_base, own, bytes);
        return true;
    }
    errno = EFAULT;
    return false;
}

bool drm_get(void *to, uint64_t from, size_t bytes)
{
    return move(process_vm_readv, to, from, bytes);
}

bool drm_put(uint64_t to, const void *from, size_t bytes)
{
    return move(process_vm_writev, (void *)(uintptr_t)from, to, bytes);
}

bool drm_readable(const uint8_t *host, uint64_t bytes)
{
    enum { PAGE = 4096, AT_A_TIME = 256 };
    struct iovec page[AT_A_TIME];
    uint8_t byte[AT_A_TIME];
    uint64_t at = 0;

    while (at < bytes) {
        struct iovec local = {byte, 0};
        ssize_t n;

        while (local.iov_len < AT_A_TIME && at < bytes) {
            page[local.iov_len++] = (struct iovec){(void *)((uintptr_t)host + at), 1};
            at += PAGE;
        }
        n = process_vm_readv(getpid(), &local, 1, page, local.iov_len, 0);
        if (n >= 0 ? (size_t)n != local.iov_len : errno == EFAULT)
            return false;
    }
    return true;
}
