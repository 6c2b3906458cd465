/* threads.h - how many threads of the host may work. Tests:
 * tests/bridge/test_frame_threads.sh, tests/ocl/test_ocl_setting.sh */
#ifndef IGPU_THREADS_H
#define IGPU_THREADS_H
#include <stdint.h>

#include "igpu/err.h"

/* Processors that this process may use; 1 where that is not known. */
uint32_t igpu_processors(void);
/* IGPU_HOST_THREADS, else as many as those. IGPU_USAGE and *err: it is no number from 1
 * on; then *threads is what it is without. */
enum igpu_status igpu_host_threads(uint32_t *threads, struct igpu_err *err);
#endif
