/* engines.h - the engines that a program was linked with, and what they have beyond
 * igpu/host.h. A new engine is a row of a program's table, and a line of its help in
 * options.def. */
#ifndef IGPU_ENGINES_H
#define IGPU_ENGINES_H
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"

struct engine {
    const char *name;  /* of --engine; with a place: up to its colon */
    const char *place; /* what stands behind the colon, for messages; NULL: no place */
    const struct host_engine_ops *ops;
    bool executes; /* it can wait for a branch: --execute */
    /* The same with waves, and what opens and closes their file; NULL: none. */
    const struct host_engine_ops *waves;
    enum igpu_status (*wave)(void *engine, const char *path, struct igpu_err *err);
    enum igpu_status (*wave_close)(void *engine, struct igpu_err *err);
    /* Before it runs: host threads; NULL: it has one. */
    void (*threads)(void *engine, uint32_t threads);
    /* Of one with a place: NULL or all three. */
    const struct host_remote *remote;
    enum igpu_status (*connect)(void *engine, const char *place, struct igpu_err *err);
    void (*heed)(void *engine, const volatile sig_atomic_t *stop);
};

struct engine_set {
    const char *program; /* for messages: "Vigpu", "igpu ref" */
    const char *model;   /* version of the first engine's model, for --batch */
    /* The first is the default, the last the reference. */
    const struct engine *engine;
    uint32_t engines;
    bool profiles; /* its text and JSON are the profile's (igpu profile) */
    const struct values_ops *values;     /* of --check-values; NULL without RTL */
    const struct lockstep_ops *lockstep; /* of --rtl-values; the same */
};

/* The reference's row, and alone as a program's table. */
#define ENGINE_REFERENCE                                                               \
    {                                                                                  \
        .name = "ref", .ops = &host_engine_ref, .executes = true                       \
    }
extern const struct engine engine_reference_only;

static inline const struct engine *engine_reference(const struct engine_set *set)
{
    return &set->engine[set->engines - 1];
}
static inline bool engine_has_rtl(const struct engine_set *set)
{
    return set->values != NULL;
}
/* The engine that --engine NAME means; *place: where it is, in `name`, or NULL.
 * IGPU_USAGE, with all that there are, if it is none. */
enum igpu_status engine_find(const struct engine_set *set, const char *name,
                             const struct engine **engine, const char **place,
                             struct igpu_err *err);
#endif
