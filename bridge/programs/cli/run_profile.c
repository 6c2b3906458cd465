/* run_profile.c - see run_profile.h. */
#include "bridge/programs/cli/run_profile.h"

#include <string.h>

#include "bridge/programs/view/view.h"
#include "igpu/output.h"

enum { TOP = 20 };

enum igpu_status run_profile_create(const struct run_options *o,
                                    struct profile **profile, struct sim_options *so,
                                    struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    so->profile = NULL;
    if (!o->profile)
        return IGPU_OK;
    status = profile_create(profile, &o->config,
                            view_by_parts((enum view_by)o->profile_by), err);
    so->profile = *profile;
    return status;
}

static struct view view_of(const struct run_options *o, const struct profile *p,
                           struct sim *sim, struct trace_reader *reader)
{
    struct view v = {.config = &o->config,
                     .reader = reader,
                     .trace = o->trace,
                     .engine = o->engine->name,
                     .by = (enum view_by)o->profile_by,
                     .top = o->profile_top != 0 ? o->profile_top : TOP};
    uint32_t launches;

    v.result = profile_results(p, &v.count);
    (void)sim_stats(sim, &launches, &v.launch);
    (void)sim_energy(sim, &v.energy);
    return v;
}

static void write_json(FILE *out, void *view)
{
    view_json(out, view);
}

enum igpu_status run_profile_files(const struct run_options *o, const struct profile *p,
                                   struct sim *sim, struct trace_reader *reader,
                                   struct igpu_err *err)
{
    struct view v = view_of(o, p, sim, reader);
    enum igpu_status status = IGPU_OK;

    if (o->profile_json != NULL)
        status = igpu_output_put(o->profile_json, write_json, &v, err);
    if (status == IGPU_OK && o->profile_html != NULL)
        status = view_html(o->profile_html, &v, err);
    return status;
}

void run_profile_print(const struct run_options *o, const struct profile *p,
                       struct sim *sim, struct trace_reader *reader)
{
    struct view v = view_of(o, p, sim, reader);

    if (o->profile_only)
        view_text(stdout, &v);
    else
        view_line(stdout, &v);
}
