/* fpga_window.c - frames through a window of a bus that is mapped into memory, see
 * fpga_port.h: PCIe's BAR through sysfs or UIO, AXI through UIO or /dev/mem. The
 * counterpart of rtl/link/igpu_link_window.v. The counters of the rings are read and
 * written with acquire and release, since on a machine where a file plays the window
 * both ends are programs; a device's memory is in order by itself. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bridge/engines/fpga/fpga_frame.h"
#include "bridge/engines/fpga/fpga_port.h"
#include "igpu/clock.h"

enum {
    RING = IGPU_LINK_WIN_RING,
    BYTES = IGPU_LINK_WIN_BYTES,
    MAX_FILE = 256,
    STUCK_MS = 1000, /* no room in the ring for so long: the frame is lost */
    SPINS = 200,     /* looks before the processor is given away */
    REST_NS = 20000
};
static const uint32_t ALL_ONES = 0xffffffff; /* what a bus answers for no device */

struct window {
    volatile uint32_t *word; /* the window */
    uint16_t down, read;     /* words put into the ring down, taken of the ring up */
};

static uint32_t word_load(const struct window *w, unsigned offset)
{
    return __atomic_load_n(&w->word[offset / 4], __ATOMIC_ACQUIRE);
}

static void store(const struct window *w, unsigned offset, uint32_t value)
{
    __atomic_store_n(&w->word[offset / 4], value, __ATOMIC_RELEASE);
}

static volatile uint32_t *down_ring(const struct window *w, uint16_t at)
{
    return &w->word[IGPU_LINK_WIN_RINGS / 4 + at % RING];
}

static uint32_t up_ring(const struct window *w, uint16_t at)
{
    return w->word[IGPU_LINK_WIN_RINGS / 4 + RING + at % RING];
}

/* Until `ready`, or timeout_ms have passed. */
static bool wait_until(struct window *w, size_t words, int timeout_ms,
                       bool (*ready)(const struct window *w, size_t words))
{
    const double until = igpu_seconds(CLOCK_MONOTONIC) + timeout_ms * 1e-3;

    for (unsigned spin = 0; !ready(w, words); spin++) {
        if (spin < SPINS)
            continue;
        if (igpu_seconds(CLOCK_MONOTONIC) >= until)
            return false;
        (void)nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL);
    }
    return true;
}

static bool has_room(const struct window *w, size_t words)
{
    uint16_t used = (uint16_t)(w->down - word_load(w, IGPU_LINK_WIN_TAKEN));

    return used + words <= RING;
}

static bool has_frame(const struct window *w, size_t words)
{
    (void)words;
    return (uint16_t)word_load(w, IGPU_LINK_WIN_UP) != w->read;
}

static bool window_send(void *ctx, const void *frame, size_t size)
{
    struct window *w = ctx;
    uint32_t words = (uint32_t)(size / 4);

    if (word_load(w, IGPU_LINK_WIN_ID) == ALL_ONES)
        return false;
    if (!wait_until(w, words + 1, STUCK_MS, has_room))
        return true; /* as if it were lost */
    *down_ring(w, w->down++) = words;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word;

        memcpy(&word, (const uint8_t *)frame + 4 * (size_t)i, 4);
        *down_ring(w, w->down++) = word;
    }
    store(w, IGPU_LINK_WIN_DOWN, w->down);
    return true;
}

static int window_receive(void *ctx, void *frame, size_t size, int timeout_ms)
{
    struct window *w = ctx;
    uint32_t words;

    if (!wait_until(w, 0, timeout_ms, has_frame))
        return word_load(w, IGPU_LINK_WIN_ID) == ALL_ONES ? -1 : 0;
    words = up_ring(w, w->read);
    if (words == 0 || words > size / 4) { /* out of step: what is there is lost */
        w->read = (uint16_t)word_load(w, IGPU_LINK_WIN_UP);
        words = 0;
    } else {
        w->read++;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = up_ring(w, w->read++);

        memcpy((uint8_t *)frame + 4 * (size_t)i, &word, 4);
    }
    store(w, IGPU_LINK_WIN_READ, w->read);
    return (int)(4 * words);
}

static void window_close(void *ctx)
{
    struct window *w = ctx;

    (void)munmap((void *)(uintptr_t)w->word, BYTES);
    free(w);
}

/* ---- the file ---- */

/* FILE[@OFFSET] into its parts; the offset is one of whole pages. */
static bool place_split(const char *place, char *file, off_t *offset)
{
    const char *at = strrchr(place, '@');
    size_t length = strlen(place);

    *offset = 0;
    if (at != NULL && isdigit((unsigned char)at[1])) {
        char *end;

        errno = 0;
        *offset = (off_t)strtoull(at + 1, &end, 0);
        if (*end != '\0' || errno != 0 || *offset < 0 ||
            *offset % sysconf(_SC_PAGESIZE) != 0)
            return false;
        length = (size_t)(at - place);
    }
    if (length == 0 || length >= MAX_FILE)
        return false;
    memcpy(file, place, length);
    file[length] = '\0';
    return true;
}

/* NULL, and errno: it cannot be mapped. ENODEV: too small for a window. */
static volatile uint32_t *map(const char *file, off_t offset)
{
    int fd = open(file, O_RDWR | O_SYNC | O_CLOEXEC), problem;
    struct stat info;
    void *place = MAP_FAILED;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < offset + BYTES)
        errno = ENODEV;
    else
        place = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    problem = errno;
    (void)close(fd);
    errno = problem;
    return place == MAP_FAILED ? NULL : (volatile uint32_t *)place;
}

static enum igpu_status check_id(const struct window *w, const char *place,
                                 struct igpu_err *err)
{
    uint32_t id = word_load(w, IGPU_LINK_WIN_ID);

    if (id >> 16 == IGPU_LINK_MAGIC)
        return IGPU_OK;
    return igpu_fail(
        err, IGPU_USAGE,
        "--engine fpga:pcie:%s: no GPU there (its first word is %08x, "
        "expected %04x....); is its bitstream loaded, and the bus's memory "
        "enabled?",
        place, id, IGPU_LINK_MAGIC);
}

enum igpu_status fpga_window_open(struct fpga_port *port, const char *place,
                                  struct igpu_err *err)
{
    char file[MAX_FILE];
    off_t offset;
    struct window *w;
    enum igpu_status status;

    if (!place_split(place, file, &offset))
        return igpu_fail(err, IGPU_USAGE,
                         "--engine fpga:pcie:%s: expected fpga:pcie:FILE[@OFFSET], "
                         "with an offset of whole pages",
                         place);
    w = calloc(1, sizeof(*w));
    if (w == NULL)
        return igpu_no_memory(err, "--engine fpga");
    w->word = map(file, offset);
    if (w->word == NULL) {
        int problem = errno;

        free(w);
        return igpu_fail(err, IGPU_USAGE, "--engine fpga:pcie:%s: %s", place,
                         problem == ENODEV ? "no window of 16 KiB can be mapped there"
                                           : strerror(problem));
    }
    status = check_id(w, place, err);
    if (status != IGPU_OK) {
        window_close(w);
        return status;
    }
    /* What an earlier program left is not ours. */
    w->down = (uint16_t)word_load(w, IGPU_LINK_WIN_DOWN);
    w->read = (uint16_t)word_load(w, IGPU_LINK_WIN_UP);
    store(w, IGPU_LINK_WIN_READ, w->read);
    *port = (struct fpga_port){w, window_send, window_receive, window_close, 0};
    return IGPU_OK;
}
