/* policy_file.h - policies (igpu/policy.h) of shared objects.
 * Tests: tests/csim/test_config.c, tests/bridge/test_policy.sh */
#ifndef IGPU_POLICY_FILE_H
#define IGPU_POLICY_FILE_H
#include <stdint.h>

#include "igpu/err.h"

/* What a parameter's value may be beside its names: a policy of this kind, from a file.
 */
enum igpu_policy_kind {
    IGPU_POLICY_NONE,
    IGPU_POLICY_REPLACEMENT,
    IGPU_POLICY_PREFETCH
};

/* A value from here on names a loaded object by a digest of its bytes: the same object
 * has the same value in each process. */
#define IGPU_POLICY_LOADED (UINT64_C(1) << 62)

/* Load the object in file `path`, once for the process, and check that it fits: the
 * symbol, the version, the functions, and two trials of some thousand accesses that
 * have to go alike. IGPU_USAGE names the file, and what is wrong. Any thread may call
 * it. */
enum igpu_status igpu_policy_load(const char *path, enum igpu_policy_kind kind,
                                  uint64_t *value, struct igpu_err *err);

/* The object of such a value, and the path it was loaded from; NULL: there is none of
 * this kind. */
const void *igpu_policy_loaded(uint64_t value, enum igpu_policy_kind kind);
const char *igpu_policy_path(uint64_t value);
#endif
