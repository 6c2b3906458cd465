/* ocl_summary.h - the table behind a run: one line for each kernel, from the lists of
 * launches that the driver wrote (DIR/launches.csv, launches.1.csv ...). */
#ifndef IGPU_OCL_SUMMARY_H
#define IGPU_OCL_SUMMARY_H
#include <stdio.h>

void ocl_summary(const char *dir, FILE *out);
#endif
