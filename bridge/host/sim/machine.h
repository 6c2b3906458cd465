/* machine.h - the machine that a trace's device is.
 * Tests: tests/bridge/test_commands.sh */
#ifndef IGPU_MACHINE_H
#define IGPU_MACHINE_H
#include "igpu/config.h"

/* config_load(), where name_or_file is NULL of the machine of the trace's device. A
 * trace that cannot be read, or NULL: skl-gt2; who reads it tells what is wrong. note,
 * unless NULL, gets a sentence of at most MACHINE_NOTE - 1 characters when the trace's
 * code was compiled for another generation than the machine that was named, else "". */
enum { MACHINE_NOTE = 256 };
enum igpu_status machine_load(struct igpu_config *config, const char *name_or_file,
                              const char *trace, char *note, struct igpu_err *err);
#endif
