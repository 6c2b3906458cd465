/* commands.h - subcommands of `igpu` that live in traces/. Each gets its own name as
 * argv[0] and returns the exit status. */
#ifndef IGPU_COMMANDS_H
#define IGPU_COMMANDS_H

int cmd_record(int argc, char **argv); /* traces/record/cmd_record.c */
int cmd_suite(int argc, char **argv);  /* traces/record/cmd_suite.c */
#endif
