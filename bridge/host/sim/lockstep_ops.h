/* lockstep_ops.h - values in RTL as a table of functions, for a program that may have
 * been built without the RTL. */
#ifndef SIM_LOCKSTEP_OPS_H
#define SIM_LOCKSTEP_OPS_H
#include <stdio.h>

#include "igpu/err.h"

struct lockstep;
struct execute_beside;
struct emu_shader_beside;

/* Each function is declared, with its contract, in bridge/engines/rtl/lockstep.h. */
struct lockstep_ops {
    enum igpu_status (*create)(struct lockstep **lockstep, struct igpu_err *err);
    void (*destroy)(struct lockstep *lockstep);
    const struct execute_beside *(*beside)(struct lockstep *lockstep);
    const struct emu_shader_beside *(*shaders)(struct lockstep *lockstep);
    void (*print)(const struct lockstep *lockstep, FILE *out);
};
#endif
