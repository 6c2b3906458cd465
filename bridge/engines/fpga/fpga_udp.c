/* fpga_udp.c - a frame a datagram, see fpga_port.h. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bridge/engines/fpga/fpga_port.h"

#define DEFAULT_PORT "7600"
enum { MAX_HOST = 256 };

struct udp {
    int fd;
};

static bool udp_send(void *ctx, const void *frame, size_t size)
{
    const struct udp *u = ctx;

    /* Nobody listens yet, or a full queue: as if the frame were lost. */
    return send(u->fd, frame, size, 0) >= 0 || errno == ECONNREFUSED ||
           errno == ENOBUFS || errno == EAGAIN || errno == EINTR;
}

static int udp_receive(void *ctx, void *frame, size_t size, int timeout_ms)
{
    const struct udp *u = ctx;
    struct pollfd wait = {.fd = u->fd, .events = POLLIN};
    ssize_t got;

    if (poll(&wait, 1, timeout_ms) <= 0)
        return 0;
    got = recv(u->fd, frame, size, MSG_DONTWAIT);
    if (got >= 0)
        return (int)got;
    return errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static void udp_close(void *ctx)
{
    struct udp *u = ctx;

    (void)close(u->fd);
    free(u);
}

/* "host", "host:port" or "[v6]:port" into its parts. False: too long or empty. */
static bool place_split(const char *place, char *host, char *service)
{
    const char *end, *colon = strrchr(place, ':');
    bool bracket = *place == '[';

    if (bracket) {
        place++;
        end = strchr(place, ']');
        if (end == NULL)
            return false;
        colon = end[1] == ':' ? end + 1 : NULL;
    } else {
        end = colon != NULL ? colon : place + strlen(place);
    }
    if (end == place || end - place >= MAX_HOST ||
        (colon != NULL && (colon[1] == '\0' || strlen(colon + 1) >= MAX_HOST)))
        return false;
    memcpy(host, place, (size_t)(end - place));
    host[end - place] = '\0';
    strcpy(service, colon != NULL ? colon + 1 : DEFAULT_PORT);
    return true;
}

enum igpu_status fpga_udp_open(struct fpga_port *port, const char *place,
                               struct igpu_err *err)
{
    struct addrinfo want = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_ADDRCONFIG};
    struct addrinfo *found = NULL;
    char host[MAX_HOST], service[MAX_HOST];
    struct udp *u;
    int problem;

    if (!place_split(place, host, service))
        return igpu_fail(err, IGPU_USAGE,
                         "--engine fpga:udp:%s: expected fpga:udp:HOST[:PORT]", place);
    problem = getaddrinfo(host, service, &want, &found);
    if (problem != 0)
        return igpu_fail(err, IGPU_USAGE, "--engine fpga:udp:%s: %s", place,
                         gai_strerror(problem));
    u = malloc(sizeof(*u));
    if (u == NULL) {
        freeaddrinfo(found);
        return igpu_no_memory(err, "--engine fpga");
    }
    u->fd = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (u->fd < 0 || connect(u->fd, found->ai_addr, found->ai_addrlen) != 0) {
        problem = errno;
        freeaddrinfo(found);
        if (u->fd >= 0)
            (void)close(u->fd);
        free(u);
        return igpu_fail(err, IGPU_USAGE, "--engine fpga:udp:%s: %s", place,
                         strerror(problem));
    }
    freeaddrinfo(found);
    *port = (struct fpga_port){u, udp_send, udp_receive, udp_close, 0};
    return IGPU_OK;
}
