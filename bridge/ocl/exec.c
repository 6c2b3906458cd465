/* exec.c - see exec.h. */
#include "bridge/ocl/exec.h"

#include "bridge/ocl/progress.h"

/* What the emulator's hooks are told of a launch. */
struct progress {
    const struct exec *work;
    uint64_t done;     /* threads */
    bool in_gap;       /* of a sample: threads are counted to their shares */
    bool in_edge;      /* the same, behind piece 0 */
    struct warm *warm; /* lines that the threads use; NULL: nobody asks */
};

static void thread_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct progress *p = ctx;
    struct sample *s = p->work->sample;

    if (p->in_gap || p->in_edge)
        s->seen[p->in_edge ? s->places - 1 : sample_share(s, thread / s->group_threads)]
            .rest_instructions += counts->instructions;
    progress_tell("executing", ++p->done, s->threads);
}

static void access_memory(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct progress *p = ctx;

    (void)thread;
    if (access->space == EMU_SPACE_GLOBAL)
        warm_access(p->warm, &p->work->program->code.inst[access->inst], access->mask,
                    access->addr);
}

static void add_counts(struct emu_counts *sum, const struct emu_counts *c)
{
    sum->threads += c->threads;
    sum->instructions += c->instructions;
    sum->lane_instructions += c->lane_instructions;
    sum->flops += c->flops;
}

static struct emu_launch hooked(const struct exec *work, uint32_t piece,
                                struct progress *progress)
{
    struct emu_launch launch = work->sample->piece[piece];

    launch.host_threads = work->host_threads;
    if (work->timed) {
        launch.hooks.ctx = progress;
        launch.hooks.thread_end = thread_end;
        launch.hooks.access = progress->warm != NULL ? access_memory : NULL;
    }
    return launch;
}

/* Pieces from `first` on, whole, recorded unless writer is NULL. */
static enum igpu_status run_pieces(const struct exec *work, uint32_t first,
                                   struct progress *progress,
                                   struct trace_writer *writer, uint32_t *index,
                                   struct emu_counts *sum, struct igpu_err *err)
{
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = first; i < work->sample->pieces && status == IGPU_OK; i++) {
        struct emu_launch launch = hooked(work, i, progress);
        struct record_program *p = work->program;
        struct emu_counts counts = {0};

        status = writer != NULL
                     ? record_launch(p, &launch, writer, NULL, index, &counts, err)
                     : emu_run(p->emu, p->mem, &launch, &counts, err);
        add_counts(sum, &counts);
    }
    return status;
}

/* ---- a sample ------------------------------------------------------------------ */

struct sampling {
    const struct exec *work;
    struct progress progress;
    struct emu_counts recorded, rest;
};

static enum igpu_status no_memory(struct igpu_err *err)
{
    return igpu_fail(err, IGPU_SIM_ERROR, "no memory for what the caches hold");
}

/* Place i - 1 is over. */
static void look(struct sampling *s, uint32_t i)
{
    struct sample *sample = s->work->sample;
    uint64_t before = 0;

    if (i == 0)
        return;
    for (uint32_t k = 0; k + 1 < i; k++)
        before += sample->seen[k].instructions;
    sample->seen[i - 1].instructions = s->recorded.instructions - before;
    if (sample->skip_rest && s->progress.warm != NULL) {
        sample->seen[i - 1].lines = warm_lines(s->progress.warm);
        sample->seen[i - 1].written = warm_written(s->progress.warm);
    }
}

/* What lies before place i is executed; the lines that it used warm the caches. */
static enum igpu_status run_gap(void *ctx, uint32_t i, struct igpu_err *err)
{
    struct sampling *s = ctx;
    struct sample *sample = s->work->sample;
    struct record_place gap = sample_gap(sample, i);
    struct record_program *p = s->work->program;
    struct emu_launch launch = hooked(s->work, 0, &s->progress);
    struct emu_counts counts = {0};
    enum igpu_status status = IGPU_OK;

    look(s, i);
    if (sample->skip_rest)
        return IGPU_OK;
    launch.first_group = gap.first;
    launch.group_count = gap.groups;
    s->progress.in_gap = true;
    if (gap.groups > 0)
        status = emu_run(p->emu, p->mem, &launch, &counts, err);
    add_counts(&s->rest, &counts);
    s->progress.in_gap = false;
    s->progress.in_edge = i == sample->places;
    if (s->progress.in_edge && status == IGPU_OK)
        status = run_pieces(s->work, 1, &s->progress, NULL, NULL, &s->rest, err);
    if (s->progress.warm != NULL && status == IGPU_OK &&
        !warm_take(s->progress.warm, &sample->warm[i]))
        status = no_memory(err);
    return status;
}

/* Record the sample's places and execute the rest, in the order of the grid. */
static enum igpu_status run_sample(const struct exec *work, struct trace_writer *writer,
                                   uint32_t *index, struct emu_counts *counts,
                                   uint64_t *sampled, struct igpu_err *err)
{
    struct sample *sample = work->sample;
    struct sampling s = {.work = work, .progress = {.work = work}};
    struct record_places places = {sample->place, sample->places, run_gap, &s};
    struct emu_launch launch;
    enum igpu_status status;

    if (work->timed) {
        s.progress.warm = warm_new(sample->skip_rest ? UINT64_MAX / 4 : work->lines);
        if (s.progress.warm == NULL)
            return no_memory(err);
    }
    launch = hooked(work, 0, &s.progress);
    if (!sample->skip_rest) /* what is simulated warms by itself */
        launch.hooks.access = NULL;
    status =
        record_places(work->program, &launch, &places, writer, index, &s.recorded, err);
    if (status == IGPU_OK && work->timed && sample->skip_rest &&
        !sample_invent_warm(sample, work->lines))
        status = no_memory(err);
    warm_free(s.progress.warm);
    *counts = s.recorded;
    add_counts(counts, &s.rest);
    *sampled = s.recorded.threads;
    return status;
}

/* Nobody looks: the sample's places alone. */
static enum igpu_status run_places(const struct exec *work, struct emu_counts *sum,
                                   struct igpu_err *err)
{
    struct progress progress = {.work = work};
    struct record_program *p = work->program;
    struct emu_launch launch = hooked(work, 0, &progress);
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < work->sample->places && status == IGPU_OK; i++) {
        struct emu_counts counts = {0};

        launch.first_group = work->sample->place[i].first;
        launch.group_count = work->sample->place[i].groups;
        status = emu_run(p->emu, p->mem, &launch, &counts, err);
        add_counts(sum, &counts);
    }
    return status;
}

enum igpu_status exec_run(const struct exec *work, struct trace_writer *writer,
                          uint32_t *index, struct emu_counts *counts, uint64_t *sampled,
                          struct igpu_err *err)
{
    struct progress progress = {.work = work};
    enum igpu_status status;

    if (work->sample->places > 0 && writer != NULL)
        return run_sample(work, writer, index, counts, sampled, err);
    if (!work->sample->skip_rest)
        return run_pieces(work, 0, &progress, writer, index, counts, err);
    status = run_places(work, counts, err);
    *sampled = counts->threads;
    return status;
}
