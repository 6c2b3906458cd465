/* macsim.h - inside the export to MacSim. */
#ifndef IGPU_MACSIM_H
#define IGPU_MACSIM_H
#include "traces/convert/convert.h"
#include "traces/format/trace.h"

struct macsim {
    struct trace_reader *reader;
    const char *dir; /* as asked for */
    char *part;      /* its name until it is whole */
    enum macsim_variant variant;
    struct macsim_report *report;
    struct igpu_err *err;
    bool (*stop)(void); /* true: give up; NULL: never */
};

/* ---- macsim.c ----------------------------------------------------------- */

/* IGPU_STOPPED and *err when the export is to stop. */
enum igpu_status macsim_stopped(const struct macsim *ms);

/* Write one thread's records to the gzip file `path`. */
enum igpu_status macsim_put_thread(const struct macsim *ms, const char *path,
                                   uint32_t launch, uint32_t thread);

/* ---- macsim_folder.c ---------------------------------------------------- */

#endif
