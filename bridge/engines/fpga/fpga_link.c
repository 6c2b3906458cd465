/* fpga_link.c - see fpga_link.h. The board repeats nothing by itself: when nothing came
 * for a while, the host sends what was not acknowledged again, and asks for what it
 * lacks. */
#include "bridge/engines/fpga/fpga_link.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/engines/fpga/fpga_frame.h"
#include "bridge/engines/rtl/rtl_fields.h"
#include "igpu/clock.h"

enum {
    WINDOW = IGPU_LINK_RX_SLOTS, /* frames under way to the board */
    SLOTS = 2 * WINDOW,          /* one is being filled; divides 65,536 */
    EARLY = IGPU_LINK_TX_SLOTS,  /* frames that may come before their turn */
    ACK_EVERY = 3,               /* frames; the board keeps EARLY of them */
    POLL_MS = 10,
    POLL_MOST = 80, /* until the host asks; doubled each time */
    HELLO_MS = 200,
    STRANGERS = 3, /* in a row: one may be late */
    WORD_QUEUE = (EARLY + 1) * IGPU_LINK_PAYLOAD
};
static const double GIVE_UP = 5; /* seconds without a frame from the board.. */
/* ..and with frames that bring nothing: no acknowledgement and no word that is new. A
 * board that steps slowly is silent on the way to its next event, but answers. */
static const double STUCK = 60, STOPPED = 1; /* STOPPED: when the run is to end */

struct fpga_link {
    struct fpga_port port;
    const char *name;
    struct fpga_build build;
    struct fpga_traffic traffic;
    enum igpu_status status;
    struct igpu_err err;
    uint16_t session;
    /* to the board */
    uint16_t acked, next; /* frames: acknowledged; the one being filled */
    struct fpga_frame out[SLOTS];
    /* from the board */
    uint16_t expect; /* the frame that comes next */
    unsigned unacknowledged, strangers;
    bool early[EARLY];
    struct fpga_frame in[EARLY];
    uint32_t head, tail, word[WORD_QUEUE];
    double heard, moved; /* when it last answered, and did something new */
    const volatile sig_atomic_t *stop; /* NULL: nobody asks */
};

static double now(void)
{
    return igpu_seconds(CLOCK_MONOTONIC);
}

static bool link_fail(struct fpga_link *l, const char *why)
{
    if (l->status == IGPU_OK)
        l->status = igpu_fail(&l->err, IGPU_SIM_ERROR, "FPGA at %s: %s", l->name, why);
    return false;
}

/* ---- frames to the board ---- */

static void transmit(struct fpga_link *l, struct fpga_frame *f)
{
    uint8_t bytes[FRAME_BYTES];
    size_t size;

    f->session = l->session;
    f->ack = l->expect;
    size = fpga_frame_write(f, bytes);
    l->traffic.frames_out++;
    l->unacknowledged = 0;
    if (!l->port.send(l->port.ctx, bytes, size))
        (void)link_fail(l, "the port is gone");
}

static void send_empty(struct fpga_link *l, uint8_t type, bool resend)
{
    struct fpga_frame f = {.type = type, .resend = resend};

    transmit(l, &f);
}

static struct fpga_frame *filling(struct fpga_link *l)
{
    return &l->out[l->next % SLOTS];
}

/* All that was not acknowledged, and what is missing here. */
static void send_again(struct fpga_link *l)
{
    for (uint16_t seq = l->acked; seq != l->next; seq++) {
        transmit(l, &l->out[seq % SLOTS]);
        l->traffic.again++;
    }
    send_empty(l, IGPU_LINK_ACK, true);
}

/* ---- frames from the board ---- */

static void take_payload(struct fpga_link *l, const struct fpga_frame *f)
{
    for (uint32_t i = 0; i < f->words; i++)
        l->word[l->tail++ % WORD_QUEUE] = f->payload[i];
    l->traffic.words_in += f->words;
    l->expect++;
    l->moved = now();
}

/* Frames whose turn it is, as far as the queue of words has room. */
static void take_early(struct fpga_link *l)
{
    while (l->early[l->expect % EARLY] &&
           l->tail - l->head + IGPU_LINK_PAYLOAD <= WORD_QUEUE) {
        l->early[l->expect % EARLY] = false;
        take_payload(l, &l->in[l->expect % EARLY]);
    }
}

static void take_data(struct fpga_link *l, const struct fpga_frame *f)
{
    uint16_t ahead = (uint16_t)(f->seq - l->expect);

    l->unacknowledged++;
    if (ahead >= EARLY) /* repeated */
        return;
    if (!l->early[f->seq % EARLY]) {
        l->early[f->seq % EARLY] = true;
        l->in[f->seq % EARLY] = *f;
    }
    take_early(l);
}

static void take_stranger(struct fpga_link *l, const struct fpga_frame *f)
{
    if (++l->strangers < STRANGERS)
        return;
    (void)link_fail(
        l, f->session == 0
               ? "the board was reset; its state is lost, run again"
               : "another host has taken the board; run again when it is free");
}

/* One frame, if one comes in time. True: it was one of this session's. */
static bool receive(struct fpga_link *l, int timeout_ms)
{
    uint8_t bytes[FRAME_BYTES];
    struct fpga_frame f;
    int size = l->port.receive(l->port.ctx, bytes, sizeof(bytes), timeout_ms);

    if (size < 0)
        return link_fail(l, "the port is gone");
    if (size == 0 || !fpga_frame_read(&f, bytes, (size_t)size))
        return false;
    l->traffic.frames_in++;
    if (f.type == IGPU_LINK_STRANGER && f.session != l->session) {
        take_stranger(l, &f);
        return false;
    }
    if (f.session != l->session || f.type > IGPU_LINK_ACK)
        return false;
    l->strangers = 0;
    l->heard = now();
    if (f.ack != l->acked &&
        (uint16_t)(f.ack - l->acked) <= (uint16_t)(l->next - l->acked)) {
        l->acked = f.ack;
        l->moved = l->heard;
    }
    if (f.type == IGPU_LINK_DATA)
        take_data(l, &f);
    return true;
}

/* Is it worth waiting? */
static bool goes_on(struct fpga_link *l)
{
    double t = now();

    if (l->stop != NULL && *l->stop && t - l->moved > STOPPED)
        return link_fail(l, "ended while the board did nothing new");
    if (t - l->moved > STUCK)
        return link_fail(l,
                         "it answers, but took and sent nothing for 60 s; reset it, or "
                         "load its bitstream anew");
    return t - l->heard <= GIVE_UP || link_fail(l, "no answer for 5 s");
}

/* Wait until `ready`; repeat what may be lost. */
static bool wait_for(struct fpga_link *l, bool (*ready)(const struct fpga_link *l))
{
    double since = now();
    int patience = POLL_MS + l->port.slow_ms, most = POLL_MOST + 2 * l->port.slow_ms;

    if (ready(l))
        return true;
    l->traffic.waits++;
    l->heard = l->moved = since;
    while (l->status == IGPU_OK && !ready(l)) {
        if (!goes_on(l))
            break;
        if (receive(l, patience)) {
            if (l->unacknowledged >= ACK_EVERY)
                send_empty(l, IGPU_LINK_ACK, false);
            continue;
        }
        send_again(l);
        patience = 2 * patience < most ? 2 * patience : most;
    }
    l->traffic.waited += now() - since;
    return l->status == IGPU_OK;
}

/* ---- words ---- */

static bool has_room(const struct fpga_link *l)
{
    return (uint16_t)(l->next - l->acked) < WINDOW;
}

static bool has_word(const struct fpga_link *l)
{
    return l->head != l->tail;
}

void fpga_link_flush(struct fpga_link *l)
{
    struct fpga_frame *f = filling(l);

    if (f->words == 0 || l->status != IGPU_OK || !wait_for(l, has_room))
        return;
    f->type = IGPU_LINK_DATA;
    f->resend = false;
    f->seq = l->next++;
    filling(l)->words = 0;
    transmit(l, f);
}

void fpga_link_put(struct fpga_link *l, uint32_t word)
{
    struct fpga_frame *f = filling(l);

    if (l->status != IGPU_OK)
        return;
    f->payload[f->words++] = word;
    l->traffic.words_out++;
    if (f->words == IGPU_LINK_PAYLOAD)
        fpga_link_flush(l);
}

bool fpga_link_get(struct fpga_link *l, uint32_t *word)
{
    if (!has_word(l))
        take_early(l);
    if (l->status != IGPU_OK || !wait_for(l, has_word))
        return false;
    *word = l->word[l->head++ % WORD_QUEUE];
    return true;
}

/* ---- a session ---- */

static bool read_build(struct fpga_link *l, const struct fpga_frame *f)
{
    if (f->type != IGPU_LINK_HELLO || f->session != l->session ||
        f->words != IGPU_LINK_BUILD)
        return false;
    l->build = (struct fpga_build){
        .version = FIELD_OF(IGPU_LINK_BUILD_VERSION, f->payload[0]),
        .tiles = FIELD_OF(IGPU_LINK_BUILD_TILES, f->payload[0]),
        .eus = FIELD_OF(IGPU_LINK_BUILD_EUS, f->payload[0]),
        .contexts = FIELD_OF(IGPU_LINK_BUILD_CONTEXTS, f->payload[0]),
        .store = f->payload[1],
        .runs = FIELD_OF(IGPU_LINK_BUILD_RUNS, f->payload[2]),
        .rx_slots = FIELD_OF(IGPU_LINK_BUILD_FRAMES, f->payload[2]),
        .retire = FIELD_OF(IGPU_LINK_BUILD_RETIRE, f->payload[2]),
        .clock_khz = f->payload[3]};
    return true;
}

/* Not two hosts alike, and not this one's last session: no result depends on it. */
static uint16_t new_session(void)
{
    uint64_t seed = (uint64_t)(now() * 1e9) ^ (uint64_t)getpid() << 32;

    seed *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint16_t)(seed >> 48 | 1);
}

static bool hello(struct fpga_link *l)
{
    double begin = now();
    uint8_t bytes[FRAME_BYTES];
    struct fpga_frame f;

    l->session = new_session();
    while (l->status == IGPU_OK && now() - begin < GIVE_UP) {
        double sent = now();

        send_empty(l, IGPU_LINK_HELLO, false);
        while (now() - sent < HELLO_MS * 1e-3 && l->status == IGPU_OK) {
            int size = l->port.receive(l->port.ctx, bytes, sizeof(bytes), HELLO_MS / 4);

            if (size > 0 && fpga_frame_read(&f, bytes, (size_t)size) &&
                read_build(l, &f))
                return true;
        }
    }
    return link_fail(l,
                     "no answer within 5 s; is the board on, its bitstream loaded, and "
                     "the address right?");
}

enum igpu_status fpga_link_open(struct fpga_link **link, const struct fpga_port *port,
                                const char *name, struct igpu_err *err)
{
    struct fpga_link *l = calloc(1, sizeof(*l));
    enum igpu_status status;

    if (l == NULL) {
        port->close(port->ctx);
        return igpu_no_memory(err, "FPGA at %s", name);
    }
    l->port = *port;
    l->name = name;
    if (hello(l) && l->build.version != IGPU_LINK_VERSION)
        l->status = igpu_fail(&l->err, IGPU_SIM_ERROR,
                              "FPGA at %s: its bitstream speaks version %u of the "
                              "link, this program %u; build it anew (make fpga)",
                              name, l->build.version, IGPU_LINK_VERSION);
    status = fpga_link_status(l, err);
    if (status != IGPU_OK)
        fpga_link_close(l);
    else
        *link = l;
    return status;
}

void fpga_link_close(struct fpga_link *link)
{
    if (link == NULL)
        return;
    link->port.close(link->port.ctx);
    free(link);
}

const struct fpga_build *fpga_link_build(const struct fpga_link *link)
{
    return &link->build;
}

enum igpu_status fpga_link_status(const struct fpga_link *link, struct igpu_err *err)
{
    if (link->status != IGPU_OK && err != NULL)
        *err = link->err;
    return link->status;
}

void fpga_link_heed(struct fpga_link *link, const volatile sig_atomic_t *stop)
{
    link->stop = stop;
}

struct fpga_traffic fpga_link_traffic(const struct fpga_link *link)
{
    return link->traffic;
}
