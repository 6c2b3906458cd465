/* batch.h - `igpu ref --batch` and `Vigpu --batch`: many simulations from one process,
 * for programs that ask for thousands.
 *
 * It prints "batch 1 ENGINE MODEL": the protocol's version, the engine that runs unless
 * a job chooses another, and the version of the model (digest of what decides its
 * results). Then it reads jobs from stdin, one a line, fields separated by tabs:
 *
 *     ID  SECONDS  WORD...      the words of a command line; SECONDS of clock at most,
 *                               0: no limit
 *
 * and answers each, in order, with a line and the two outputs behind it:
 *
 *     ID STATUS SIGNAL LATE CPU RSS OUT ERR    then OUT bytes of stdout, ERR of stderr
 *
 * STATUS is the exit status; SIGNAL what ended the job, 0 for none (STATUS is 0 then);
 * LATE 1 when it was over its time; CPU in microseconds; RSS in KB; the process's own.
 * Each job runs in a process of its own: what one does to its memory harms no other.
 * Jobs and this process die with the process that asked. Tests:
 * tests/bridge/test_batch.sh */
#ifndef IGPU_BATCH_H
#define IGPU_BATCH_H
#include "bridge/programs/cli/options.h"

/* The whole program: run_main(), or with --batch as the only word serve until stdin
 * ends: 0, or IGPU_BAD_INPUT with a line on stderr: a line that is no job. */
int batch_or_run(int argc, char **argv, const struct engine_set *engines);
#endif
