/* floats.h - how the host's thread computes floats while it does what a device does: to
 * the nearest, denormals kept, no exception taken, whatever whoever calls has set for
 * the thread. The emulator and the 3D pipeline see to it where they begin to execute;
 * threads that they start inherit it. Tests: tests/csim/test_emu_rounding.c */
#ifndef IGPU_FLOATS_H
#define IGPU_FLOATS_H
#include <fenv.h>
#include <stdbool.h>

/* What the thread had. */
struct igpu_floats {
    fenv_t own;
    unsigned status; /* where own is not kept */
    bool kept;
};

/* Eight nanoseconds on x86 where there is nothing to change, else 240. */
void igpu_floats_begin(struct igpu_floats *f);
/* As before, its flags of exceptions too. */
void igpu_floats_end(const struct igpu_floats *f);

#endif
