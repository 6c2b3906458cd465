/* commands.h - subcommands of `igpu` that live in bridge/. Each gets its own name as
 * argv[0] and returns the exit status. */
#ifndef BRIDGE_COMMANDS_H
#define BRIDGE_COMMANDS_H

int cmd_bench(int argc, char **argv);  /* bridge/bench/cmd_bench.c */
int cmd_report(int argc, char **argv); /* bridge/bench/cmd_report.c */
/* bridge/ocl_run.c: start an OpenCL program with our driver in its loader. Returns the
 * program's exit status, or 2 (usage), 127 (it cannot be started). */
int cmd_ocl_run(int argc, char **argv);
#endif
