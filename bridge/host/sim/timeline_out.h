/* timeline_out.h - a timeline's file: Perfetto's own protobuf (a path that ends in
 * .pftrace or .perfetto-trace), else the Trace Event Format's JSON. Times are simulated
 * picoseconds; JSON keeps them, protobuf has whole nanoseconds, rounded down.
 * Tests: tests/bridge/test_timeline.sh */
#ifndef IGPU_TIMELINE_OUT_H
#define IGPU_TIMELINE_OUT_H
#include <stdint.h>

#include "igpu/err.h"

struct timeline_out;

/* What slices are called: `id`, from 1 on, stands for one text in the whole file. */
struct timeline_name {
    const char *text;
    uint32_t id;
};

/* A track of a process; process 0 is the whole GPU. */
struct timeline_track {
    unsigned process, track;
};

/* What a slice tells beside its name; key NULL: nothing. A text, or where that is NULL
 * the value. */
struct timeline_arg {
    const char *key;
    uint64_t value;
    const char *text;
};

/* The file is whole or not at all (igpu/output.h). */
enum igpu_status timeline_out_open(struct timeline_out **out, const char *path,
                                   struct igpu_err *err);
enum igpu_status timeline_out_close(struct timeline_out *out, struct igpu_err *err);
void timeline_out_abort(struct timeline_out *out); /* NULL is allowed */

void timeline_out_process(struct timeline_out *out, unsigned process, const char *name);
void timeline_out_track(struct timeline_out *out, struct timeline_track track,
                        const char *name);
/* Slices of a track come one behind the other. */
void timeline_out_slice(struct timeline_out *out, struct timeline_track track,
                        struct timeline_name name, uint64_t from_ps, uint64_t to_ps,
                        struct timeline_arg first, struct timeline_arg second);
/* One that may overlap others of its track: number `lane` of those under way there,
 * below TIMELINE_LANES; `id` is its own in the file. */
enum { TIMELINE_LANES = 64 };
void timeline_out_async(struct timeline_out *out, struct timeline_track track,
                        struct timeline_name name, unsigned lane, uint64_t id,
                        uint64_t from_ps, uint64_t to_ps, struct timeline_arg first,
                        struct timeline_arg second);
/* The GPU's counter track `name` has this value from then on. */
void timeline_out_counter(struct timeline_out *out, const char *name, uint64_t ps,
                          double value);
#endif
