/* timeline_perfetto.h - timeline_out.h's events as packets of perfetto.proto. */
#ifndef IGPU_TIMELINE_PERFETTO_H
#define IGPU_TIMELINE_PERFETTO_H
#include <stdbool.h>
#include <stdio.h>

#include "bridge/host/sim/timeline_out.h"

struct timeline_perfetto;

/* Packets go to *file, which stays the caller's. NULL: no memory. */
struct timeline_perfetto *timeline_perfetto_create(FILE *file);
void timeline_perfetto_free(struct timeline_perfetto *p); /* NULL is allowed */
/* False: something is missing for want of memory. */
bool timeline_perfetto_whole(const struct timeline_perfetto *p);

void timeline_perfetto_process(struct timeline_perfetto *p, unsigned process,
                               const char *name);
void timeline_perfetto_track(struct timeline_perfetto *p, struct timeline_track track,
                             const char *name);
void timeline_perfetto_slice(struct timeline_perfetto *p, struct timeline_track track,
                             struct timeline_name name, uint64_t from_ps,
                             uint64_t to_ps, struct timeline_arg first,
                             struct timeline_arg second);
void timeline_perfetto_async(struct timeline_perfetto *p, struct timeline_track track,
                             struct timeline_name name, unsigned lane, uint64_t from_ps,
                             uint64_t to_ps, struct timeline_arg first,
                             struct timeline_arg second);
void timeline_perfetto_counter(struct timeline_perfetto *p, const char *name,
                               uint64_t ps, double value);
#endif
