/* child.h - the program that a command runs: it hears of the command's death, and the
 * command ends behind it. */
#ifndef BRIDGE_IGPU_CHILD_H
#define BRIDGE_IGPU_CHILD_H

enum { CHILD_NOT_STARTED = 127 };

/* Run argv[0], found as by a shell, to its end. What asks this process to end (SIGTERM,
 * SIGHUP) is passed on to it; a terminal's signals reach it by themselves; should this
 * process be killed, it gets SIGTERM. Returns its status, 128 and the number of the
 * signal that ended it, or 127; what is no status of its own is told in a line that
 * begins with `command`. */
int child_run(const char *command, char **argv);

#endif
