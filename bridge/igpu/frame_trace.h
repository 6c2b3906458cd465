/* frame_trace.h - `igpu frame trace`. */
#ifndef BRIDGE_IGPU_FRAME_TRACE_H
#define BRIDGE_IGPU_FRAME_TRACE_H

/* argv[0] is "trace". Returns the exit status. */
int frame_trace(int argc, char **argv);
#endif
