/* emu_races.h - who looks for races in a launch (struct emu_launch): two accesses to
 * the same byte, at least one of them a write, not both atomic, of
 *
 *   - two hardware threads of a group, in SLM or global memory, with no barrier
 * between;
 *   - threads of two groups, in global memory;
 *   - two lanes of one message that writes, with different values.
 *
 * A write of what is there already is no race with the write before. What was found is
 * told at the launch's end, a line for each pair of instructions. Not seen: an order
 * that threads make by atomics of their own (its accesses count as races); lanes of a
 * thread in different messages; groups of an earlier part of the launch (emu_split());
 * media blocks; texels that a filter reads beside a lane's first. It takes a launch's
 * threads one by one through the interpreter, and 8 to 32 bytes of host memory for each
 * byte that is accessed. Tests: tests/bridge/test_races.sh
 */
#ifndef IGPU_EMU_RACES_H
#define IGPU_EMU_RACES_H

struct emu_races {
    void *ctx;
    /* A line of text, without its end. */
    void (*tell)(void *ctx, const char *text);
};

#endif
