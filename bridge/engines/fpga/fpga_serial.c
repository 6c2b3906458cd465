/* fpga_serial.c - a frame between two END bytes of a serial line (SLIP, RFC 1055), see
 * fpga_port.h. The counterpart of rtl/link/igpu_link_slip.v. */
#define _DEFAULT_SOURCE /* cfmakeraw, CRTSCTS */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "bridge/engines/fpga/fpga_frame.h"
#include "bridge/engines/fpga/fpga_port.h"

enum {
    BAUD = 3000000,
    MAX_DEVICE = 256,
    STUCK_MS = 1000, /* nothing could be written for so long: the device is gone */
    BITS = 10        /* of a byte on the line: start, 8, stop */
};

struct serial {
    int fd;
    struct termios before;
    bool escaped, too_long;
    size_t at, fill, used; /* bytes of the frame so far; of raw: all, and taken */
    uint8_t frame[FRAME_BYTES], raw[4096];
};

static const struct {
    unsigned baud;
    speed_t speed;
} speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},
              {921600, B921600},   {1000000, B1000000}, {1500000, B1500000},
              {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};

/* ---- frames and bytes ---- */

static size_t encode(uint8_t *to, const uint8_t *frame, size_t size)
{
    size_t n = 0;

    to[n++] = IGPU_LINK_END;
    for (size_t i = 0; i < size; i++) {
        bool end = frame[i] == IGPU_LINK_END, esc = frame[i] == IGPU_LINK_ESC;

        if (end || esc)
            to[n++] = IGPU_LINK_ESC;
        to[n++] = end ? IGPU_LINK_ESC_END : esc ? IGPU_LINK_ESC_ESC : frame[i];
    }
    to[n++] = IGPU_LINK_END;
    return n;
}

static bool serial_send(void *ctx, const void *frame, size_t size)
{
    const struct serial *s = ctx;
    uint8_t bytes[2 * FRAME_BYTES + 2];
    size_t count = encode(bytes, frame, size), at = 0;

    while (at < count) {
        struct pollfd wait = {.fd = s->fd, .events = POLLOUT};
        ssize_t put = write(s->fd, bytes + at, count - at);

        if (put > 0)
            at += (size_t)put;
        else if (put < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        else if (poll(&wait, 1, STUCK_MS) == 0)
            return false;
    }
    return true;
}

/* One byte of the line. True: it ended a frame, of s->at bytes. */
static bool decode(struct serial *s, uint8_t byte)
{
    bool escaped = s->escaped;

    s->escaped = !escaped && byte == IGPU_LINK_ESC;
    if (byte == IGPU_LINK_END)
        return true;
    if (s->escaped)
        return false;
    if (escaped && byte == IGPU_LINK_ESC_END)
        byte = IGPU_LINK_END;
    else if (escaped && byte == IGPU_LINK_ESC_ESC)
        byte = IGPU_LINK_ESC;
    if (s->at < sizeof(s->frame))
        s->frame[s->at++] = byte;
    else
        s->too_long = true;
    return false;
}

/* The next frame of what was read, or 0. */
static size_t next_frame(struct serial *s, void *frame, size_t size)
{
    while (s->used < s->fill) {
        size_t at;

        if (!decode(s, s->raw[s->used++]))
            continue;
        at = s->too_long || s->at > size ? 0 : s->at;
        memcpy(frame, s->frame, at);
        s->at = 0;
        s->too_long = false;
        if (at > 0)
            return at;
    }
    return 0;
}

static int serial_receive(void *ctx, void *frame, size_t size, int timeout_ms)
{
    struct serial *s = ctx;

    for (;;) {
        struct pollfd wait = {.fd = s->fd, .events = POLLIN};
        size_t found = next_frame(s, frame, size);
        ssize_t got;

        if (found > 0)
            return (int)found;
        if (poll(&wait, 1, timeout_ms) <= 0)
            return 0;
        got = read(s->fd, s->raw, sizeof(s->raw));
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return -1;
        s->used = 0;
        s->fill = got > 0 ? (size_t)got : 0;
    }
}

static void serial_close(void *ctx)
{
    struct serial *s = ctx;

    (void)tcsetattr(s->fd, TCSANOW, &s->before);
    (void)close(s->fd);
    free(s);
}

/* ---- the device ---- */

/* DEVICE[:BAUD] into its parts; a device's name may have colons of its own. */
static bool place_split(const char *place, char *device, unsigned *baud)
{
    const char *colon = strrchr(place, ':');
    size_t length = strlen(place);

    *baud = BAUD;
    if (colon != NULL && isdigit((unsigned char)colon[1]) && access(place, F_OK) != 0) {
        char *end;
        unsigned long value = strtoul(colon + 1, &end, 10);

        if (*end != '\0' || value > UINT32_MAX)
            return false;
        *baud = (unsigned)value;
        length = (size_t)(colon - place);
    }
    if (length == 0 || length >= MAX_DEVICE)
        return false;
    memcpy(device, place, length);
    device[length] = '\0';
    return true;
}

static bool find_speed(unsigned baud, speed_t *speed)
{
    for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
        if (speeds[i].baud == baud) {
            *speed = speeds[i].speed;
            return true;
        }
    return false;
}

/* 8 bits, no parity, nothing that a driver does to bytes; alone. */
static bool set_up(struct serial *s, speed_t speed)
{
    struct termios raw;

    if (tcgetattr(s->fd, &s->before) != 0)
        return false;
    raw = s->before;
    cfmakeraw(&raw);
    raw.c_cflag |= CLOCAL | CREAD;
    raw.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    return cfsetispeed(&raw, speed) == 0 && cfsetospeed(&raw, speed) == 0 &&
           tcsetattr(s->fd, TCSANOW, &raw) == 0 && ioctl(s->fd, TIOCEXCL) == 0 &&
           tcflush(s->fd, TCIOFLUSH) == 0;
}

enum igpu_status fpga_serial_open(struct fpga_port *port, const char *place,
                                  struct igpu_err *err)
{
    char device[MAX_DEVICE];
    unsigned baud;
    speed_t speed;
    struct serial *s;

    if (!place_split(place, device, &baud))
        return igpu_fail(err, IGPU_USAGE,
                         "--engine fpga:serial:%s: expected "
                         "fpga:serial:DEVICE[:BAUD], as in "
                         "fpga:serial:/dev/ttyUSB0:3000000",
                         place);
    if (!find_speed(baud, &speed))
        return igpu_fail(err, IGPU_USAGE,
                         "--engine fpga:serial:%s: no rate of %u baud; 115200, 230400, "
                         "460800, 921600, 1000000, 1500000, 2000000, 3000000 (unless "
                         "given) or 4000000, as the bitstream was built",
                         place, baud);
    s = calloc(1, sizeof(*s));
    if (s == NULL)
        return igpu_no_memory(err, "--engine fpga");
    s->fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (s->fd < 0 || !set_up(s, speed)) {
        int problem = errno;

        if (s->fd >= 0)
            (void)close(s->fd);
        free(s);
        return igpu_fail(err, IGPU_USAGE, "--engine fpga:serial:%s: %s", place,
                         problem == ENOTTY ? "not a serial line" : strerror(problem));
    }
    *port = (struct fpga_port){s, serial_send, serial_receive, serial_close, 0};
    port->slow_ms = (int)(2ull * IGPU_LINK_RX_SLOTS * FRAME_BYTES * BITS * 1000 / baud);
    return IGPU_OK;
}
