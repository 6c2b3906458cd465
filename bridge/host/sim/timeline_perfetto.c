/* timeline_perfetto.c - see timeline_perfetto.h. One sequence of packets; names of
 * slices and arguments are given once and then by number, messages lie on tracks below
 * that of their thread slot, one for each that is under way at a time. */
#include "bridge/host/sim/timeline_perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "igpu/grow.h"
#include "igpu/host.h"
#include "perfetto.pb-c.h"

enum {
    SEQUENCE = 1,
    FIRST_OF_SEQUENCE = 1, /* sequence_flags */
    NEEDS_NAMES = 2,
    PACKET = 1 << 3 | 2, /* the tag of Trace.packet */
    MAX_PROCESSES = HOST_MAX_TILES + 1,
    MAX_TRACKS = 256,
    MAX_ARGS = 16, /* different keys of arguments */
    MAX_COUNTERS = 256
};
/* Numbers of tracks, small ones for what there is most of: process 0's, which stands
 * for itself, then the others', lanes, counters. */
enum {
    FIRST_TRACK = 1,
    FIRST_LANE = FIRST_TRACK + MAX_PROCESSES * MAX_TRACKS,
    FIRST_COUNTER = FIRST_LANE + MAX_PROCESSES * MAX_TRACKS * TIMELINE_LANES
};

struct timeline_perfetto {
    FILE *file;
    uint8_t *packed; /* a packet's bytes */
    size_t room;
    uint8_t *known; /* a bit for each name that was given */
    size_t names;
    const char *arg[MAX_ARGS]; /* keys are the program's own texts */
    char *counter[MAX_COUNTERS];
    unsigned args, counters;
    uint64_t lanes[MAX_PROCESSES][MAX_TRACKS]; /* a bit for each that was described */
    bool begun, out_of_memory;
};

struct timeline_perfetto *timeline_perfetto_create(FILE *file)
{
    struct timeline_perfetto *p = calloc(1, sizeof(*p));

    if (p != NULL)
        p->file = file;
    return p;
}

void timeline_perfetto_free(struct timeline_perfetto *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; i < p->counters; i++)
        free(p->counter[i]);
    free(p->known);
    free(p->packed);
    free(p);
}

bool timeline_perfetto_whole(const struct timeline_perfetto *p)
{
    return !p->out_of_memory;
}

/* ---- packets ---- */

static size_t varint(uint8_t *to, uint64_t value)
{
    size_t n = 0;

    for (; value >= 0x80; value >>= 7)
        to[n++] = (uint8_t)(value | 0x80);
    to[n++] = (uint8_t)value;
    return n;
}

static void packet_put(struct timeline_perfetto *p,
                       Perfetto__Protos__TracePacket *packet)
{
    uint8_t head[16] = {PACKET};
    size_t size;

    packet->has_trusted_packet_sequence_id = packet->has_sequence_flags = 1;
    packet->trusted_packet_sequence_id = SEQUENCE;
    packet->sequence_flags = p->begun ? NEEDS_NAMES : FIRST_OF_SEQUENCE;
    p->begun = true;
    size = perfetto__protos__trace_packet__get_packed_size(packet);
    if (!IGPU_RESERVE(p->packed, p->room, size)) {
        p->out_of_memory = true;
        return;
    }
    (void)perfetto__protos__trace_packet__pack(packet, p->packed);
    (void)fwrite(head, 1, 1 + varint(head + 1, size), p->file);
    (void)fwrite(p->packed, 1, size, p->file);
}

/* ---- tracks ---- */

static uint64_t uuid_of(struct timeline_track track)
{
    return FIRST_TRACK + track.process * MAX_TRACKS + track.track;
}

static void track_describe(struct timeline_perfetto *p, uint64_t uuid, uint64_t parent,
                           const char *name)
{
    Perfetto__Protos__TrackDescriptor track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
    Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
    Perfetto__Protos__CounterDescriptor counter =
        PERFETTO__PROTOS__COUNTER_DESCRIPTOR__INIT;

    track.has_uuid = track.has_parent_uuid = 1;
    track.uuid = uuid;
    track.parent_uuid = parent;
    track.name = (char *)(uintptr_t)name;
    if (uuid >= FIRST_COUNTER)
        track.counter = &counter;
    packet.track_descriptor = &track;
    packet_put(p, &packet);
}

void timeline_perfetto_process(struct timeline_perfetto *p, unsigned process,
                               const char *name)
{
    Perfetto__Protos__TrackDescriptor track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
    Perfetto__Protos__ProcessDescriptor what =
        PERFETTO__PROTOS__PROCESS_DESCRIPTOR__INIT;
    Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

    what.has_pid = track.has_uuid = 1;
    what.pid = (int32_t)process + 1; /* 0 is the kernel's */
    what.process_name = (char *)(uintptr_t)name;
    track.uuid = uuid_of((struct timeline_track){process, 0});
    track.process = &what;
    packet.track_descriptor = &track;
    packet_put(p, &packet);
}

void timeline_perfetto_track(struct timeline_perfetto *p, struct timeline_track track,
                             const char *name)
{
    track_describe(p, uuid_of(track),
                   uuid_of((struct timeline_track){track.process, 0}), name);
}

/* The track of a lane, which is described at its first use. */
static uint64_t lane_of(struct timeline_perfetto *p, struct timeline_track track,
                        unsigned lane)
{
    uint64_t *lanes = &p->lanes[track.process][track.track];
    uint64_t uuid = FIRST_LANE + (uuid_of(track) - FIRST_TRACK) * TIMELINE_LANES + lane;

    if ((*lanes >> lane & 1) == 0) {
        *lanes |= UINT64_C(1) << lane;
        track_describe(p, uuid, uuid_of(track), "messages");
    }
    return uuid;
}

/* ---- events ---- */

static bool is_known(struct timeline_perfetto *p, uint32_t id)
{
    bool known;

    if (!IGPU_RESERVE_ZERO(p->known, p->names, (size_t)id / 8 + 1)) {
        p->out_of_memory = true;
        return true;
    }
    known = (p->known[id / 8] >> id % 8 & 1) != 0;
    p->known[id / 8] |= (uint8_t)(1U << id % 8);
    return known;
}

/* A packet's new names. */
struct names {
    Perfetto__Protos__InternedData data;
    Perfetto__Protos__EventName event, *events[1];
    Perfetto__Protos__DebugAnnotationName key[2], *keys[2];
};

static uint64_t key_of(struct timeline_perfetto *p, const char *key,
                       struct names *names)
{
    unsigned i = 0;

    while (i < p->args && p->arg[i] != key && strcmp(p->arg[i], key) != 0)
        i++;
    if (i == p->args && i < MAX_ARGS) {
        size_t n = names->data.n_debug_annotation_names++;

        p->arg[p->args++] = key;
        perfetto__protos__debug_annotation_name__init(&names->key[n]);
        names->key[n].has_iid = 1;
        names->key[n].iid = i + 1;
        names->key[n].name = (char *)(uintptr_t)key;
        names->keys[n] = &names->key[n];
    }
    return i + 1;
}

static void start_names(struct names *names)
{
    perfetto__protos__interned_data__init(&names->data);
    names->data.event_names = names->events;
    names->data.debug_annotation_names = names->keys;
}

static void name_event(struct timeline_perfetto *p, struct timeline_name name,
                       struct names *names)
{
    if (is_known(p, name.id))
        return;
    perfetto__protos__event_name__init(&names->event);
    names->event.has_iid = 1;
    names->event.iid = name.id;
    names->event.name = (char *)(uintptr_t)name.text;
    names->events[0] = &names->event;
    names->data.n_event_names = 1;
}

static void put_event(struct timeline_perfetto *p, uint64_t uuid, uint64_t ps,
                      Perfetto__Protos__TrackEvent *event, struct names *names)
{
    Perfetto__Protos__TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

    event->has_type = event->has_track_uuid = packet.has_timestamp = 1;
    event->track_uuid = uuid;
    packet.timestamp = ps / 1000;
    packet.track_event = event;
    if (names != NULL &&
        names->data.n_event_names + names->data.n_debug_annotation_names != 0)
        packet.interned_data = &names->data;
    packet_put(p, &packet);
}

static void put_slice(struct timeline_perfetto *p, uint64_t uuid,
                      struct timeline_name name, uint64_t from_ps, uint64_t to_ps,
                      const struct timeline_arg arg[2])
{
    Perfetto__Protos__TrackEvent begin = PERFETTO__PROTOS__TRACK_EVENT__INIT;
    Perfetto__Protos__TrackEvent end = PERFETTO__PROTOS__TRACK_EVENT__INIT;
    Perfetto__Protos__DebugAnnotation note[2], *notes[2] = {&note[0], &note[1]};
    struct names names;

    start_names(&names);
    name_event(p, name, &names);
    for (unsigned i = 0; i < 2 && arg[i].key != NULL; i++) {
        perfetto__protos__debug_annotation__init(&note[i]);
        note[i].has_name_iid = 1;
        note[i].name_iid = key_of(p, arg[i].key, &names);
        note[i].has_uint_value = arg[i].text == NULL;
        note[i].uint_value = arg[i].value;
        note[i].string_value = (char *)(uintptr_t)arg[i].text;
        begin.n_debug_annotations++;
    }
    begin.debug_annotations = notes;
    begin.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
    begin.has_name_iid = 1;
    begin.name_iid = name.id;
    put_event(p, uuid, from_ps, &begin, &names);
    end.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_END;
    put_event(p, uuid, to_ps, &end, NULL);
}

void timeline_perfetto_slice(struct timeline_perfetto *p, struct timeline_track track,
                             struct timeline_name name, uint64_t from_ps,
                             uint64_t to_ps, struct timeline_arg first,
                             struct timeline_arg second)
{
    const struct timeline_arg arg[2] = {first, second};

    put_slice(p, uuid_of(track), name, from_ps, to_ps, arg);
}

void timeline_perfetto_async(struct timeline_perfetto *p, struct timeline_track track,
                             struct timeline_name name, unsigned lane, uint64_t from_ps,
                             uint64_t to_ps, struct timeline_arg first,
                             struct timeline_arg second)
{
    const struct timeline_arg arg[2] = {first, second};

    put_slice(p, lane_of(p, track, lane), name, from_ps, to_ps, arg);
}

void timeline_perfetto_counter(struct timeline_perfetto *p, const char *name,
                               uint64_t ps, double value)
{
    Perfetto__Protos__TrackEvent event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
    unsigned i = 0;

    while (i < p->counters && strcmp(p->counter[i], name) != 0)
        i++;
    if (i == p->counters) {
        if (i == MAX_COUNTERS || (p->counter[i] = strdup(name)) == NULL) {
            p->out_of_memory = true;
            return;
        }
        p->counters++;
        track_describe(p, FIRST_COUNTER + i, uuid_of((struct timeline_track){0, 0}),
                       name);
    }
    event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER;
    event.has_double_counter_value = 1;
    event.double_counter_value = value;
    put_event(p, FIRST_COUNTER + i, ps, &event, NULL);
}
