/* ref.h - the C reference of the compute engines: global dispatcher, tiles with local
 * dispatcher, EUs and send arbiter, behind igpu/host.h. Cycle-exact by
 * docs/contract/model.md, written from it alone. Knows no trace and no memory side.
 *
 * load() gives IGPU_BAD_INPUT when an instruction breaks docs/contract/model.md section
 * 5, and the old kernel stays. run() needs every DONE with a cycle below `until`.
 * Tests: tests/csim/test_ref_*.c */
#ifndef IGPU_REF_H
#define IGPU_REF_H
#include "igpu/host.h"

extern const struct host_engine_ops host_engine_ref;
/* The same with its parts processed in reverse order, which must change no cycle: a
 * cross-check. */
extern const struct host_engine_ops host_engine_ref_reverse;

#endif
