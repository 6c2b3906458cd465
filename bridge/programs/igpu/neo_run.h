/* neo_run.h - `igpu run --driver neo`: Intel's own driver of OpenCL and Level Zero, on
 * our render node. */
#ifndef BRIDGE_IGPU_NEO_RUN_H
#define BRIDGE_IGPU_NEO_RUN_H
#include <stdbool.h>

struct neo_run {
    const char *out;                      /* frame file that is wanted, or NULL */
    const char *device;                   /* as of `igpu run`, or NULL */
    bool time;                            /* simulated, of.. */
    const char *machine, *const *setting; /* ..this machine, as of struct node_child */
    unsigned settings;
    const char *list; /* CSV file of launches, or NULL */
};

/* Run argv[0] to its end. Returns the exit status: the program's; 2 where something of
 * *n cannot be, or the driver is not installed; 127 the program cannot be started. */
int neo_run(const struct neo_run *n, int argc, char **argv);

#endif
