/* record_hooks.h - what the emulator tells of a launch, into a trace. Internal to
 * traces/record. */
#ifndef IGPU_RECORD_HOOKS_H
#define IGPU_RECORD_HOOKS_H
#include "traces/record/record.h"

enum { RECORDER_OPEN = EMU_MAX_HW_THREADS }; /* threads, at most */

/* Where the emulator's hooks put what they are told. */
struct recorder {
    struct trace_writer *writer;
    /* Open ones, by number: those of the groups that are resident. */
    struct trace_thread *thread[RECORDER_OPEN];
    const struct emu_hooks
        *also; /* the caller's: its access and thread_end are told too */
    struct record_values values;
    uint64_t told[RECORDER_OPEN]; /* instructions whose values a thread has */
    const struct isa_kernel_code *code;
    struct toggle_count *toggles; /* one for each instruction, or NULL */
    struct toggle_ports *ports;   /* then, of the RECORDER_OPEN threads */
    uint64_t less; /* than the emulator's are the numbers of threads in the trace */
};

/* Room for toggles, if r->values wants them; recorder_free() gives it back. False: out
 * of memory. */
bool recorder_toggles(struct recorder *r);
void recorder_free(struct recorder *r);

struct emu_hooks recorder_hooks(struct recorder *r);

#endif
