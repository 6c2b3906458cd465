/* engine_rtl.h - what the RTL engine offers beyond host.h. */
#ifndef IGPU_ENGINE_RTL_H
#define IGPU_ENGINE_RTL_H
#include <stdint.h>

#include "igpu/host.h"

extern const struct host_engine_ops host_engine_rtl; /* a class for each EU */
/* host_engine_rtl with classes that can write waves; several times slower. */
extern const struct host_engine_ops host_engine_rtl_wave;

/* Write the waves of all tiles of `engine`, made by host_engine_rtl_wave and not yet
 * run, to the FST file `path`; one time unit is one GPU cycle, and a value shown at t
 * is that after cycle t. IGPU_USAGE: the file cannot be created. One engine at a
 * time. */
enum igpu_status host_rtl_wave(void *engine, const char *path, struct igpu_err *err);

/* Complete that file; an engine that is destroyed before leaves none. IGPU_SIM_ERROR:
 * it could not be written, and nothing is left. Harmless without waves. */
enum igpu_status host_rtl_wave_close(void *engine, struct igpu_err *err);

/* Let `engine` (host_engine_rtl, not yet run) use up to `threads` host threads, one
 * for a tile at most; results do not depend on it. host_calls is then called from
 * several threads, for one tile always from one at a time. Falls back to fewer when
 * threads cannot be made. */
void host_rtl_threads(void *engine, uint32_t threads);
#endif
