/* message_file.h - `--messages`: each message that the send arbiters granted, as CSV
 * for other tools (caches, traffic, latency), in the order of the answers: launch, the
 * cycles of its grant and of its answer, subslice, EU, slot, instruction, what it does
 * (read, write, atomic, fence, ...), where (global, slm), bytes at each address, what
 * answered it (docs/contract/formats.md, "Messages"), and the addresses of its enabled
 * lanes in hexadecimal, blanks between. Those that a run which stopped early leaves
 * come last, without an answer. Tests: tests/bridge/test_messages.sh */
#ifndef BRIDGE_CLI_MESSAGE_FILE_H
#define BRIDGE_CLI_MESSAGE_FILE_H
#include "bridge/host/sim/sim.h"
#include "igpu/output.h"

struct message_file;

/* Create `path` and have *options tell it. It is whole or not there at all. */
enum igpu_status message_file_open(struct message_file **file, const char *path,
                                   struct sim_options *options, struct igpu_err *err);
/* Complete it and free *file; NULL is allowed, and is harmless. */
enum igpu_status message_file_close(struct message_file *file, struct igpu_err *err);
void message_file_abort(struct message_file *file); /* NULL is allowed */
#endif
