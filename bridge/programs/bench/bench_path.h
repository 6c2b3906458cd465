/* bench_path.h - where the programs and the kernels' sources are. */
#ifndef BRIDGE_BENCH_PATH_H
#define BRIDGE_BENCH_PATH_H
#include <stdint.h>

#include "igpu/err.h"

/* The running program. */
#define BENCH_SELF "/proc/self/exe"

/* Kernel source `file` into path[cap]: in traces/kernels of the working folder, of the
 * program's folder or of the build tree it lies in, or in PREFIX/share/vigpu/kernels.
 */
enum igpu_status bench_kernel_path(const char *file, char *path, uint32_t cap,
                                   struct igpu_err *err);

/* The program `name` (Vigpu) beside the running one. */
enum igpu_status bench_program_path(const char *name, char *path, uint32_t cap,
                                    struct igpu_err *err);
#endif
