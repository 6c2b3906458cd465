/* ocl_run_oa.h - the options of `igpu run` for OA reports, as the driver's environment
 * (bridge/drivers/ocl/counters.h). Each returns 0, or an exit status behind a line on
 * stderr.
 */
#ifndef IGPU_OCL_RUN_OA_H
#define IGPU_OCL_RUN_OA_H
#include <stdbool.h>

/* --oa-set NAME, or --oa-every TIME. */
int ocl_run_reports(bool every, const char *text);
/* --oa FILE, with --time and without --sample. */
int ocl_run_recording(const char *file, bool time, bool sample);
#endif
