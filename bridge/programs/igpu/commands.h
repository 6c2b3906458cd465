/* commands.h - the subcommands of `igpu`. Each gets its own name as argv[0] and returns
 * the exit status. `ref`, which is batch_or_run() with one engine, is in igpu_main.c.
 */
#ifndef IGPU_COMMANDS_H
#define IGPU_COMMANDS_H

struct record_observer;

int cmd_record(int argc, char **argv);
/* The same for `program`: the launches are told to the observer, nothing is recorded.
 */
int record_command(int argc, char **argv, const char *program,
                   const struct record_observer *observer);
int cmd_features(int argc, char **argv);
int cmd_suite(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_params(int argc, char **argv);
int cmd_counters(int argc, char **argv);
/* `igpu trace convert`; argv[0] is "convert". */
int cmd_convert(int argc, char **argv);
/* Start an OpenCL program with our driver in its loader. Returns the program's exit
 * status, or 2 (usage), 127 (it cannot be started). */
int cmd_ocl_run(int argc, char **argv);
/* Start a graphics program on Mesa's driver with our render node, capturing. Returns
 * the program's exit status, or 1 (nothing captured), 2 (usage), 127 (not started). */
int cmd_gl(int argc, char **argv);
int cmd_frame(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_disasm(int argc, char **argv);
/* The command of that name of the Python program `vigpu`, beside this program; argv[-1]
 * must be there and is overwritten. Returns only when it cannot be started: 2 (usage).
 */
int cmd_hand_over(int argc, char **argv);
/* The same of the program with the RTL, igpu-rtl, and a verb of a command: argv[-2] and
 * argv[-1] are this program and the command. */
int hand_over_to_rtl(int argc, char **argv);
#endif
