/* sample.c - see sample.h. */
#include "bridge/drivers/ocl/sample.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/drivers/ocl/setting.h"

/* Nothing is executed twice, so how much is recorded is decided beforehand: from 8
 * strata on, as many as fit into this part of the launch, up to 32. */
enum { RECORDED_PART = 32, MOST_GUESSED = 32, LONG_HEAD = 8, SHORT_HEAD = 2 };

/* Not timed: windows as small as they can be. */
static const struct sample_hint smallest = {.group_instructions = 1e9};

bool sample_wanted(struct sample_options *options)
{
    const char *text = setting_text(SETTING_SAMPLE);
    struct igpu_err err;

    if (text == NULL)
        return false;
    if (sample_options_parse(options, text, &err) == IGPU_OK)
        return true;
    setting_complain(SETTING_SAMPLE, "expected error=2% or windows=N");
    return false;
}

static uint64_t groups_of(const struct emu_launch *l)
{
    uint64_t groups = 1;

    for (uint32_t d = 0; d < l->work_dim; d++)
        groups *= l->global[d] / l->local[d];
    return groups;
}

static uint64_t threads_a_group(const struct record_program *program,
                                const struct emu_launch *l)
{
    uint64_t items = 1;

    for (uint32_t d = 0; d < l->work_dim; d++)
        items *= l->local[d];
    return emu_threads_per_group(program->emu, items);
}

static struct sample_shape shape_of(const struct record_program *program,
                                    const struct sample_options *options,
                                    const struct sample_hint *hint,
                                    const struct sample *s)
{
    struct sample_shape shape = {.groups = s->groups,
                                 .group_threads = s->group_threads,
                                 .at_once = s->at_once,
                                 .group_instructions = hint->group_instructions,
                                 .head = SHORT_HEAD,
                                 .seed = options->seed};

    if (hint->group_instructions <= 0) /* straight on, without loops */
        shape.group_instructions = (double)(program->code.count * s->group_threads);
    if (s->groups / s->at_once > 4 * LONG_HEAD * RECORDED_PART)
        shape.head = LONG_HEAD;
    return shape;
}

static uint32_t strata_for(const struct sample_options *options,
                           const struct sample_hint *hint,
                           const struct sample_shape *shape)
{
    struct sample_plan plan;
    uint32_t strata = hint->strata > 0 ? hint->strata : (uint32_t)SAMPLE_FIRST_STRATA;

    if (options->windows > 0)
        return (uint32_t)options->windows;
    while (strata * 2 <= MOST_GUESSED && hint->strata == 0 &&
           sample_plan_make(&plan, shape, strata * 2) &&
           plan.window[1].groups * (plan.windows + 2) <= shape->groups / RECORDED_PART)
        strata *= 2;
    return strata;
}

static void choose(const struct record_program *program,
                   const struct igpu_config *config, const struct sample_hint *hint,
                   struct sample *s)
{
    uint64_t slm_kb = (record_slm_bytes(program, &s->piece[0]) + 1023) / 1024;
    struct sample_options options;
    struct sample_shape shape;

    if (!sample_wanted(&options))
        return;
    if (slm_kb > 0 && slm_kb < 4)
        slm_kb = 4;
    s->at_once = sample_at_once(config, s->group_threads,
                                slm_kb > 0 || record_uses_barrier(program), slm_kb);
    shape = shape_of(program, &options, hint, s);
    if (!sample_plan_make(&s->plan, &shape, strata_for(&options, hint, &shape)))
        return;
    s->measure.windows = s->plan.windows;
    for (uint32_t i = 0; i < s->plan.windows; i++) {
        const struct sample_window *w = &s->plan.window[i];

        s->place[i] = (struct record_place){w->first, w->groups};
        s->measure.window[i].threads = w->groups * s->group_threads;
        s->measure.window[i].lead_threads = w->lead * s->group_threads;
    }
}

void sample_cut(const struct record_program *program, const struct emu_launch *whole,
                const struct igpu_config *config, const struct sample_hint *hint,
                struct sample *s)
{
    memset(s, 0, sizeof(*s));
    s->pieces = emu_split(whole, s->piece);
    if (s->pieces == 0)
        return;
    s->group_threads = threads_a_group(program, &s->piece[0]);
    s->groups = groups_of(&s->piece[0]);
    s->at_once = 1;
    choose(program, config, hint != NULL ? hint : &smallest, s);
    s->skip_rest = setting_flag(SETTING_SKIP_REST) && s->plan.windows > 0;
    for (uint32_t i = 0; i < s->pieces; i++)
        s->threads += groups_of(&s->piece[i]) * threads_a_group(program, &s->piece[i]);
    if (!s->skip_rest)
        return;
    s->threads = 0;
    for (uint32_t i = 0; i < s->plan.windows; i++)
        s->threads += s->measure.window[i].threads;
}

/* The window that holds the group, or the next one behind it. */
static uint32_t window_at(const struct sample *s, uint64_t group)
{
    uint32_t low = 0, high = s->plan.windows - 1;

    while (low < high) {
        uint32_t mid = (low + high) / 2;

        if (group < s->place[mid].first + s->place[mid].groups)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

void sample_count(struct sample *s, uint64_t thread, bool edge, uint64_t instructions)
{
    uint64_t group = thread / s->group_threads;
    uint32_t i = edge ? s->plan.windows - 2 : window_at(s, group);

    if (!edge && group >= s->place[i].first) {
        s->window_instructions[i] += instructions;
        if (group >= s->place[i].first + s->plan.window[i].lead)
            s->measure.window[i].instructions += instructions;
        return;
    }
    if (!edge) { /* of the stratum before the window's, or its own */
        struct sample_window own = {0, 0, 0};

        if (i + 1 < s->plan.windows && i > 0)
            own = sample_plan_stratum(&s->plan, i);
        if (i + 1 == s->plan.windows || group < own.first)
            i--;
    }
    s->measure.window[i].rest_instructions += instructions;
}

void sample_counted(struct sample *s)
{
    for (uint32_t i = 1; i + 1 < s->plan.windows && s->skip_rest; i++) {
        struct measure_window *w = &s->measure.window[i];
        double rest = (double)(sample_plan_stratum(&s->plan, i).groups -
                               s->plan.window[i].groups);

        w->rest_instructions = (uint64_t)((double)s->window_instructions[i] * rest /
                                          (double)s->plan.window[i].groups);
    }
}

bool sample_invent_warm(struct sample *s, uint64_t most)
{
    uint32_t half = (s->plan.windows - 1) / 2, last = s->plan.windows - 1;
    double lines = (double)(s->lines[last] - s->lines[half]), threads = 0;
    struct warm_source source = {.share =
                                     (double)(s->written[last] - s->written[half])};

    source.share /= lines > 0 ? lines : 1;
    for (uint32_t i = half + 1; i <= last; i++)
        threads += (double)s->measure.window[i].threads;
    for (uint32_t i = 0; i <= last && threads > 0; i++) {
        double gap = (double)(sample_plan_gap(&s->plan, i).groups * s->group_threads);
        double wanted = gap * lines / threads;

        if (!warm_invent(&source, wanted < (double)most ? (uint64_t)wanted : most,
                         &s->warm[i]))
            return false;
    }
    return true;
}

void sample_free(struct sample *s)
{
    for (uint32_t i = 0; i <= SAMPLE_WINDOWS; i++)
        free(s->warm[i].line);
}
