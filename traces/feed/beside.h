/* beside.h - who executes launches beside the emulator, in lock-step with it (the RTL's
 * values, docs/contract/execution.md): told of all that threads do. A place is a thread
 * slot of the device. Every function but launch() is called with a thread that runs
 * there. */
#ifndef FEED_BESIDE_H
#define FEED_BESIDE_H
#include "igpu/emu_step.h"

struct launch_file;

struct execute_beside {
    void *ctx; /* the first argument of each */
    /* Launch `index` of the file begins; code: of its kernel. */
    enum igpu_status (*launch)(void *ctx, const struct launch_file *file,
                               uint32_t index, const struct isa_kernel_code *code,
                               struct igpu_err *err);
    /* A thread is in the place from now on, and has issued nothing. */
    void (*open)(void *ctx, unsigned place, const struct emu_step_thread *t,
                 uint64_t number);
    /* It is about to issue, or its message is about to be granted. */
    void (*settle)(void *ctx, unsigned place, const struct emu_step_thread *t);
    /* It has issued instruction `at` in this cycle. */
    void (*issued)(void *ctx, unsigned place, const struct emu_step_thread *t,
                   uint32_t at, uint64_t cycle);
    /* Its message, instruction `at` for the lanes of mask, was granted, and what it
     * returns is in the registers. */
    void (*granted)(void *ctx, unsigned place, const struct emu_step_thread *t,
                    uint32_t at, uint32_t mask);
    /* IGPU_SIM_ERROR once something differed; the first. */
    enum igpu_status (*status)(const void *ctx, struct igpu_err *err);
};
#endif
