/* machine.c - see machine.h. */
#include "bridge/host/sample/machine_int.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/host/sample/walk.h"
#include "igpu/mem.h"

void machine_free(struct machine *m)
{
    if (m->mem != NULL)
        mem_destroy(m->mem);
    m->mem = NULL;
}

uint64_t machine_cache_lines(const struct igpu_config *config)
{
    return (config->llc_size + config->edram_size) / 64;
}

/* ---- one simulation ------------------------------------------------------------ */

static enum igpu_status machine_run(const struct machine *m, struct sim *sim,
                                    struct igpu_err *err)
{
    enum sim_state state = SIM_RUNNING;

    while (state == SIM_RUNNING) {
        state = sim_step(sim);
        if (m->stop != NULL && m->stop(m->stop_ctx, sim_now(sim)))
            return igpu_fail(err, IGPU_STOPPED, "interrupted");
    }
    return state == SIM_FAILED ? sim_status(sim, err) : IGPU_OK;
}

enum igpu_status machine_simulate(const struct machine *m, struct sim_options *options,
                                  uint32_t launch, struct measure *measure,
                                  struct machine_result *r, uint64_t *next,
                                  struct igpu_err *err)
{
    const struct sim_stats *stats;
    struct sim *sim = NULL;
    uint32_t launches;
    enum igpu_status status;

    options->first_launch = options->last_launch = launch;
    status = sim_create(&sim, m->reader, options, err);
    if (status == IGPU_OK && measure != NULL) {
        measure->sim = sim;
        measure->left = sim_extend_by(sim);
    }
    if (status == IGPU_OK)
        status = machine_run(m, sim, err);
    if (status == IGPU_OK) {
        (void)sim_stats(sim, &launches, &stats);
        r->stats = *stats;
        r->threads = stats->run_threads_dispatched;
        r->instructions = stats->run_instructions;
        *next = sim_next_launch(sim);
    }
    sim_destroy(sim);
    return status;
}

enum igpu_status machine_profile(struct machine_result *r, struct igpu_err *err)
{
    r->profile = calloc(1, sizeof(*r->profile));
    return r->profile != NULL ? IGPU_OK : igpu_no_memory(err, "profile");
}

/* As machine_simulate(), with the profile of all of it. */
static enum igpu_status sim_simulate(const struct machine *m,
                                     struct sim_options *options, uint32_t launch,
                                     struct machine_result *r, uint64_t *next,
                                     struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    if (m->profile)
        status = profile_create(&options->profile, m->sim.config, m->by, err);
    if (status == IGPU_OK)
        status = machine_simulate(m, options, launch, NULL, r, next, err);
    if (status == IGPU_OK && m->profile)
        status = machine_profile(r, err);
    if (status == IGPU_OK && m->profile)
        (void)profile_take(options->profile, &r->profile->result);
    profile_destroy(options->profile);
    return status;
}

enum igpu_status machine_ready(struct machine *m, struct igpu_err *err)
{
    return m->mem != NULL ? IGPU_OK : mem_create(&m->mem, m->sim.config, err);
}

enum igpu_status machine_whole(struct machine *m, uint32_t launch,
                               struct machine_result *r, struct igpu_err *err)
{
    struct sim_options options = m->sim;
    enum igpu_status status = machine_ready(m, err);
    uint64_t next = 0;

    memset(r, 0, sizeof(*r));
    options.mem = m->mem;
    options.start = m->next;
    if (status == IGPU_OK)
        status = sim_simulate(m, &options, launch, r, &next, err);
    r->time = (struct estimate){.cycles = (double)r->stats.run_cycles};
    r->span = next - m->next;
    m->next = next;
    return status;
}

/* ---- launches that are left out ------------------------------------------------- */

/* The lines that were met, into the caches. */
static enum igpu_status pour(struct warm *warm, struct mem_system *mem,
                             struct igpu_err *err)
{
    struct warm_list list = {NULL, 0};

    if (!warm_take(warm, &list))
        return igpu_no_memory(err, "sample");
    warm_caches(&list, mem, false);
    free(list.line);
    return IGPU_OK;
}

/* A kernel with shared memory has another L3 than one without: the change empties it.
 */
enum igpu_status machine_skip(struct machine *m, uint32_t first, uint32_t last,
                              struct igpu_err *err)
{
    struct warm *warm = warm_new(machine_cache_lines(m->sim.config));
    enum igpu_status status = machine_ready(m, err);

    if (warm == NULL)
        return igpu_no_memory(err, "sample");
    for (uint32_t i = first; i <= last && status == IGPU_OK; i++) {
        const struct trace_launch *l = trace_launch(m->reader, i);
        bool slm = l->slm_bytes > 0;

        if (i == first || slm != (trace_launch(m->reader, i - 1)->slm_bytes > 0)) {
            status = pour(warm, m->mem, err);
            mem_launch(m->mem, slm);
        }
        if (status == IGPU_OK)
            status = walk_lines(m->reader, i, 0, l->threads, warm, err);
    }
    if (status == IGPU_OK)
        status = pour(warm, m->mem, err);
    warm_free(warm);
    return status;
}
