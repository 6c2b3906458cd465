/* node_child.h - a program that finds our render node: what `igpu gl` and `igpu run
 * --driver neo` share. */
#ifndef BRIDGE_IGPU_NODE_CHILD_H
#define BRIDGE_IGPU_NODE_CHILD_H

struct node_child {
    const char *command;        /* "igpu gl", for messages */
    const char *out;            /* frame file that is wanted, or NULL */
    const char *unused;         /* what to say where the program did not use the GPU */
    int time;                   /* simulated, of.. */
    const char *machine;        /* ..this configuration, or NULL: the device's, */
    const char *const *setting; /* ..with these KEY=VALUE */
    unsigned settings;
    const char *list; /* CSV file of launches that is wanted, or NULL */
    const char *cut;  /* what helps where a capture has no end, or NULL */
    int status;       /* file of the library's last word; -1 at first */
};

/* Nothing of an earlier run in the environment. */
void node_child_clear(void);
/* Have the environment that programs started from now on find the node, with this
 * command line as the capture's. 0, or an exit status and a line was printed. */
int node_child_prepare(struct node_child *c, int argc, char **argv);
/* Run argv[0] to its end and say what came of it. Returns the exit status: the
 * program's, or 1 where that is 0 and not all was captured or executed. */
int node_child_run(struct node_child *c, char **argv);

#endif
