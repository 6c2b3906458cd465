/* engine_ref.h - further views of the C reference, for cross-checks. */
#ifndef ENGINE_REF_H
#define ENGINE_REF_H
#include "igpu/host.h"

/* host_engine_ref with its parts processed in reverse order. */
extern const struct host_engine_ops host_engine_ref_reverse;
#endif
