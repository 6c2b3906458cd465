/* run_profile.c - see run_profile.h. */
#include "bridge/programs/cli/run_profile.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/programs/view/view.h"
#include "igpu/output.h"

enum { TOP = 20 };

enum profile_by run_profile_by(const struct run_options *o)
{
    return view_by_parts(o->profile_map ? VIEW_BY_EU : (enum view_by)o->profile_by);
}

enum igpu_status run_profile_create(const struct run_options *o,
                                    struct profile **profile, struct sim_options *so,
                                    struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    so->profile = NULL;
    if (!o->profile)
        return IGPU_OK;
    status = profile_create(profile, &o->config, run_profile_by(o), err);
    so->profile = *profile;
    return status;
}

static struct view view_asked(const struct run_options *o, struct trace_reader *reader)
{
    return (struct view){.config = &o->config,
                         .reader = reader,
                         .trace = o->trace,
                         .engine = o->engine->name,
                         .by = (enum view_by)o->profile_by,
                         .top = o->profile_top != 0 ? o->profile_top : TOP,
                         .ease_share = o->ease_percent / 100.0,
                         .ease_cycles = o->ease_cycles};
}

static struct view view_of(const struct run_options *o, const struct profile *p,
                           struct sim *sim, struct trace_reader *reader)
{
    struct view v = view_asked(o, reader);
    uint32_t launches;

    v.result = profile_results(p, &v.count);
    (void)sim_stats(sim, &launches, &v.launch);
    (void)sim_energy(sim, &v.energy);
    v.heat = sim_heat(sim);
    return v;
}

static void write_json(FILE *out, void *view)
{
    view_json(out, view);
}

static enum igpu_status put_files(const struct run_options *o, struct view *v,
                                  struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (o->profile_json != NULL)
        status = igpu_output_put(o->profile_json, write_json, v, err);
    v->by = o->profile_map ? VIEW_BY_EU : v->by;
    if (status == IGPU_OK && o->profile_html != NULL)
        status = view_html(o->profile_html, v, err);
    v->by = (enum view_by)o->profile_by;
    return status;
}

enum igpu_status run_profile_files(const struct run_options *o, const struct profile *p,
                                   struct sim *sim, struct trace_reader *reader,
                                   struct igpu_err *err)
{
    struct view v = view_of(o, p, sim, reader);

    return put_files(o, &v, err);
}

static void print(const struct run_options *o, const struct view *v)
{
    if (o->profile_only)
        view_text(stdout, v);
    else
        view_line(stdout, v);
}

void run_profile_print(const struct run_options *o, const struct profile *p,
                       struct sim *sim, struct trace_reader *reader)
{
    struct view v = view_of(o, p, sim, reader);

    print(o, &v);
}

/* ---- launches side by side, or of a sample ---- */

struct launches_view {
    struct view view;
    struct profile_result *result;
    struct sim_stats *launch;
    struct view_sample *sample;
};

static void add_row(struct launches_view *v, const struct launches_row *row)
{
    uint32_t i = v->view.count++;

    v->result[i] = row->profile->result;
    v->launch[i] = row->stats;
    v->sample[i] = (struct view_sample){.sampled = row->profile->sampled,
                                        .threads = row->threads,
                                        .stands_for = row->stands_for};
    memcpy(v->sample[i].half, row->profile->half, sizeof(v->sample[i].half));
}

static bool view_launches(const struct run_options *o, const struct launches *l,
                          struct trace_reader *reader, struct launches_view *v)
{
    v->view = view_asked(o, reader);
    v->result = calloc(l->count, sizeof(*v->result));
    v->launch = calloc(l->count, sizeof(*v->launch));
    v->sample = calloc(l->count, sizeof(*v->sample));
    if (v->result == NULL || v->launch == NULL || v->sample == NULL)
        return false;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->row[i].profile != NULL)
            add_row(v, &l->row[i]);
    v->view.result = v->result;
    v->view.launch = v->launch;
    v->view.sample = v->sample;
    return true;
}

enum igpu_status run_profile_launches(const struct run_options *o,
                                      const struct launches *l,
                                      struct trace_reader *reader, bool quiet,
                                      struct igpu_err *err)
{
    struct launches_view v = {.view = {.count = 0}};
    enum igpu_status status = view_launches(o, l, reader, &v)
                                  ? put_files(o, &v.view, err)
                                  : igpu_no_memory(err, "profile");

    if (status == IGPU_OK && !quiet)
        print(o, &v.view);
    free(v.result);
    free(v.launch);
    free(v.sample);
    return status;
}
