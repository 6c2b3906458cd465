/* commands.h - subcommands of `igpu` that live in bridge/. Each gets its own name as
 * argv[0] and returns the exit status. */
#ifndef BRIDGE_COMMANDS_H
#define BRIDGE_COMMANDS_H

int cmd_bench(int argc, char **argv); /* bridge/bench/cmd_bench.c */
#endif
