/* commands.h - the subcommands of `igpu` that run published experiments. Each gets its
 * own name as argv[0] and returns the exit status. */
#ifndef IGPU_BENCH_COMMANDS_H
#define IGPU_BENCH_COMMANDS_H

int cmd_bench(int argc, char **argv);
#endif
