/* setting.h - the driver's environment (docs/guide/opencl.md). A value that is none is
 * told on stderr, once for each variable, and taken as not set. */
#ifndef IGPU_OCL_SETTING_H
#define IGPU_OCL_SETTING_H
#include <stdbool.h>
#include <stdint.h>

enum setting {
#define SETTING(id, name, option, kind) SETTING_##id,
#include "bridge/host/sim/settings.def"
    SETTINGS
};

/* The variable's text; NULL: not set, or empty. */
const char *setting_text(enum setting which);
/* A whole number of at least `least`, or `otherwise`. */
uint64_t setting_number(enum setting which, uint64_t least, uint64_t otherwise);
/* 1 or 0; not set: 0. */
bool setting_flag(enum setting which);
/* A..B, or A alone for both; not set: 0 to the largest number. */
void setting_range(enum setting which, uint64_t *first, uint64_t *last);
/* Tell, once for each variable, that its value is not used; wanted: "expected ...". */
void setting_complain(enum setting which, const char *wanted);
/* Around fork(): what setting_complain() remembers is whole in the child. */
void setting_before_fork(void);
void setting_after_fork(void);
#endif
