/* emu_race.h - looks for races while a launch runs (igpu/emu_races.h). */
#ifndef EMU_RACE_H
#define EMU_RACE_H
#include "emu_int.h"
#include "igpu/emu_races.h"

/* How two accesses are to each other. */
enum race_kind { RACE_GROUP, RACE_GROUPS, RACE_LANES };

/* Two accesses to a byte, the earlier one first. */
struct race {
    uint8_t kind;  /* enum race_kind */
    uint8_t space; /* enum emu_space */
    bool write[2], atomic[2];
    uint32_t inst[2], lane[2]; /* lane: of RACE_LANES */
    uint32_t thread[2];        /* numbers in the launch */
    uint64_t at;               /* the byte: address, or offset in SLM */
    uint64_t times;            /* such pairs of accesses */
};

enum { RACES_KEPT = 64, RACES_TOLD = 10 };

/* m->watch for a launch whose `races` is not NULL. IGPU_USAGE: its kernel is too large;
 * IGPU_SIM_ERROR: out of memory. */
enum igpu_status emu_race_begin(struct emu_machine *m, struct igpu_err *err);
/* What was found is told; everything is given back. */
void emu_race_end(struct emu_machine *m);
/* A group begins; its threads have all met at a barrier. */
void emu_race_group(struct emu_machine *m, uint64_t number);
void emu_race_barrier(struct emu_machine *m, uint64_t number);
/* As emu_report(). data: of a write, the payload behind the addresses, or NULL: nobody
 * knows what it writes. */
void emu_race_access(struct emu_thread *t, const struct emu_op *op, uint32_t mask,
                     enum emu_space space, const uint64_t *addr, const uint8_t *data);

/* emu_race_text.c: the race as a line, without its end. */
void emu_race_text(const struct emu_machine *m, const struct race *race, char *text,
                   size_t size);

#endif
