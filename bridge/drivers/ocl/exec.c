/* exec.c - see exec.h. */
#include "bridge/drivers/ocl/exec.h"

#include "bridge/drivers/ocl/progress.h"

/* What the emulator's hooks are told of a launch. */
struct progress {
    const struct exec *work;
    uint64_t done;     /* threads */
    bool in_edge;      /* behind piece 0 */
    struct warm *warm; /* lines that the threads use; NULL: nobody asks */
};

static void thread_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct progress *p = ctx;
    struct sample *s = p->work->sample;

    if (s->plan.windows > 0)
        sample_count(s, thread, p->in_edge, counts->instructions);
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
    launch.races = work->races;
    if (work->timed) {
        launch.hooks.ctx = progress;
        launch.hooks.thread_end = thread_end;
        launch.hooks.access = progress->warm != NULL ? access_memory : NULL;
        launch.hooks.global_only = true;
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

/* How far before a window its caches' content is looked for, in fillings of the device
 * (docs/guide/sampling.md, section 2). */
enum { REACH_FILLS = 32 };

struct sampling {
    const struct exec *work;
    struct progress progress;
    uint64_t reach;        /* groups before a window whose lines are noted */
    uint64_t noted, lines; /* groups whose lines were noted, and how many these had */
    struct emu_counts recorded, rest;
};

static enum igpu_status no_memory(struct igpu_err *err)
{
    return igpu_no_memory(err, "what the caches hold");
}

/* Groups [first, end) are executed; `noted`: and their lines kept. */
static enum igpu_status run_groups(struct sampling *s, uint64_t first, uint64_t end,
                                   bool noted, struct igpu_err *err)
{
    struct record_program *p = s->work->program;
    struct emu_launch launch = hooked(s->work, 0, &s->progress);
    struct emu_counts counts = {0};
    enum igpu_status status;

    if (first >= end)
        return IGPU_OK;
    launch.first_group = first;
    launch.group_count = end - first;
    launch.hooks.access = noted ? launch.hooks.access : NULL;
    status = emu_run(p->emu, p->mem, &launch, &counts, err);
    add_counts(&s->rest, &counts);
    return status;
}

/* The last groups before a window say what the caches hold. Where fewer fill the
 * caches, the next ones will be no more than half as many again. */
static enum igpu_status run_near(struct sampling *s, uint64_t first, uint64_t end,
                                 struct igpu_err *err)
{
    uint64_t size = s->work->sample->at_once * 4;
    enum igpu_status status = IGPU_OK;
    bool filled = false;

    for (uint64_t at = first; at < end && status == IGPU_OK; at += size) {
        uint64_t to = end - at < size ? end : at + size;

        status = run_groups(s, at, to, true, err);
        if (!filled && s->progress.warm != NULL &&
            warm_lines(s->progress.warm) >= s->work->lines) {
            filled = true;
            s->reach = (to - first) * 3 / 2;
        }
    }
    return status;
}

/* So many groups more have their lines noted, which nobody has taken yet. */
static void count_noted(struct sampling *s, uint64_t groups)
{
    s->noted += groups;
    s->lines += s->progress.warm != NULL ? warm_lines(s->progress.warm) : 0;
}

/* From which group on lines are noted: of all while the caches fill, if the launch's
 * groups might fill half of them. */
static uint64_t near_from(const struct sampling *s, uint64_t begin, uint64_t end)
{
    double all = (double)s->lines * (double)s->work->sample->groups;

    if (end - begin <= s->reach)
        return begin;
    return s->lines < s->work->lines &&
                   all >= (double)s->noted * (double)s->work->lines / 2
               ? begin
               : end - s->reach;
}

/* What lies before window i is executed; the lines that it used warm the caches. */
static enum igpu_status run_gap(void *ctx, uint32_t i, struct igpu_err *err)
{
    struct sampling *s = ctx;
    struct sample *sample = s->work->sample;
    uint32_t windows = sample->plan.windows;
    uint64_t end = i < windows ? sample->place[i].first : sample->groups;
    uint64_t begin =
        i > 0 ? sample->place[i - 1].first + sample->place[i - 1].groups : 0;
    uint64_t near;
    enum igpu_status status = IGPU_OK;

    if (sample->skip_rest && i > 0 && s->progress.warm != NULL) {
        sample->lines[i - 1] = warm_lines(s->progress.warm);
        sample->written[i - 1] = warm_written(s->progress.warm);
    }
    if (sample->skip_rest)
        return IGPU_OK;
    count_noted(s, i > 0 ? sample->place[i - 1].groups : 0);
    if (s->progress.warm != NULL) /* threads of the window still run */
        warm_leave(s->progress.warm);
    near = near_from(s, begin, end);
    status = run_groups(s, begin, near, false, err);
    if (status == IGPU_OK)
        status = run_near(s, near, end, err);
    count_noted(s, end - near);
    s->progress.in_edge = i == windows;
    if (s->progress.in_edge && status == IGPU_OK)
        status = run_pieces(s->work, 1, &s->progress, NULL, NULL, &s->rest, err);
    if (s->progress.warm != NULL && status == IGPU_OK &&
        !warm_take(s->progress.warm, &sample->warm[i]))
        status = no_memory(err);
    return status;
}

/* Record the sample's windows and execute the rest, in the order of the grid. */
static enum igpu_status run_sample(const struct exec *work, struct trace_writer *writer,
                                   uint32_t *index, struct emu_counts *counts,
                                   uint64_t *sampled, struct igpu_err *err)
{
    struct sample *sample = work->sample;
    struct sampling s = {.work = work,
                         .progress = {.work = work},
                         .reach = REACH_FILLS * sample->at_once};
    struct record_places places = {sample->place, sample->plan.windows, run_gap, &s};
    struct emu_launch launch;
    enum igpu_status status;

    if (work->timed) {
        s.progress.warm = warm_new(sample->skip_rest ? UINT64_MAX / 4 : work->lines);
        if (s.progress.warm == NULL)
            return no_memory(err);
    }
    launch = hooked(work, 0, &s.progress);
    status =
        record_places(work->program, &launch, &places, writer, index, &s.recorded, err);
    if (status == IGPU_OK && work->timed && sample->skip_rest &&
        !sample_invent_warm(sample, work->lines))
        status = no_memory(err);
    sample_counted(sample);
    warm_free(s.progress.warm);
    *counts = s.recorded;
    add_counts(counts, &s.rest);
    *sampled = s.recorded.threads;
    return status;
}

/* Another launch's time stands for this one: it is executed, and its lines kept. */
static enum igpu_status run_unrecorded(const struct exec *work, struct emu_counts *sum,
                                       struct igpu_err *err)
{
    struct progress progress = {.work = work, .warm = warm_new(work->lines)};
    enum igpu_status status;

    if (progress.warm == NULL)
        return no_memory(err);
    status = run_pieces(work, 0, &progress, NULL, NULL, sum, err);
    if (status == IGPU_OK && !warm_take(progress.warm, &work->sample->warm[0]))
        status = no_memory(err);
    warm_free(progress.warm);
    return status;
}

/* Nobody looks: the sample's windows alone. */
static enum igpu_status run_places(const struct exec *work, struct emu_counts *sum,
                                   struct igpu_err *err)
{
    struct progress progress = {.work = work};
    struct record_program *p = work->program;
    struct emu_launch launch = hooked(work, 0, &progress);
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = 0; i < work->sample->plan.windows && status == IGPU_OK; i++) {
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

    if (work->sample->skipped)
        return run_unrecorded(work, counts, err);
    if (work->sample->plan.windows > 0 && writer != NULL)
        return run_sample(work, writer, index, counts, sampled, err);
    if (!work->sample->skip_rest)
        return run_pieces(work, 0, &progress, writer, index, counts, err);
    status = run_places(work, counts, err);
    *sampled = counts->threads;
    return status;
}
