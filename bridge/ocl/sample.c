/* sample.c - see sample.h. */
#include "bridge/ocl/sample.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/ocl/setting.h"

/* The time of the rest is extrapolated from when the device is full to the sample's
 * last dispatch: most of it, with so many times what the device holds. */
enum { WAVES = 4 };

static uint64_t groups_of(const struct emu_launch *l)
{
    uint64_t groups = 1;

    for (uint32_t d = 0; d < l->work_dim; d++)
        groups *= l->global[d] / l->local[d];
    return groups;
}

static uint64_t threads_a_group(const struct emu_program *program,
                                const struct emu_launch *l)
{
    uint64_t items = 1;

    for (uint32_t d = 0; d < l->work_dim; d++)
        items *= l->local[d];
    return emu_threads_per_group(program, items);
}

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators). */
static uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % below;
}

/* `groups` groups in s->places places, each at random in its share of the grid. */
static void spread(struct sample *s, uint64_t groups, uint64_t state)
{
    for (uint64_t i = 0; i < s->places; i++) {
        uint64_t begin = s->groups * i / s->places;
        uint64_t share = s->groups * (i + 1) / s->places - begin;
        uint64_t size = groups * (i + 1) / s->places - groups * i / s->places;

        size = size < share ? size : share;
        s->place[i] =
            (struct record_place){begin + draw(&state, share - size + 1), size};
        s->seen[i].threads = size * s->group_threads;
        s->seen[i].rest_threads = (share - size) * s->group_threads;
    }
}

/* Choose the places, if the launch has more than `threads`. */
static void choose(struct sample *s, uint64_t threads, bool timed)
{
    uint64_t seed = setting_number("IGPU_SAMPLE_SEED", 0, 1);
    uint64_t wave = s->piece[0].hw_threads / s->group_threads;
    uint64_t groups = threads / s->group_threads + (threads % s->group_threads != 0);

    if (timed && wave > 0 && groups < s->groups)
        groups = (groups + WAVES * wave - 1) / (WAVES * wave) * (WAVES * wave);
    if (threads == 0 || groups >= s->groups)
        return;
    s->places = (uint32_t)(wave == 0 || groups / wave < WAVES ? WAVES : groups / wave);
    if (s->places > SAMPLE_PLACES)
        s->places = SAMPLE_PLACES;
    if (s->places > groups)
        s->places = (uint32_t)groups;
    spread(s, groups, seed);
}

void sample_cut(const struct emu_program *program, const struct emu_launch *whole,
                bool timed, struct sample *s)
{
    memset(s, 0, sizeof(*s));
    s->pieces = emu_split(whole, s->piece);
    if (s->pieces == 0)
        return;
    s->group_threads = threads_a_group(program, &s->piece[0]);
    s->groups = groups_of(&s->piece[0]);
    choose(s, setting_number("IGPU_SAMPLE", 1, 0), timed);
    s->skip_rest = setting_flag("IGPU_SKIP_REST") && s->places > 0;
    for (uint32_t i = 0; i < s->pieces; i++)
        s->threads += groups_of(&s->piece[i]) * threads_a_group(program, &s->piece[i]);
    if (s->places == 0)
        return;
    s->rest_threads = s->threads;
    for (uint32_t i = 0; i < s->places; i++)
        s->rest_threads -= s->seen[i].threads;
    /* Groups cut off at the grid's ends count like its last share. */
    s->seen[s->places - 1].rest_threads += s->threads - s->groups * s->group_threads;
    s->threads -= s->skip_rest ? s->rest_threads : 0;
}

uint32_t sample_share(const struct sample *s, uint64_t group)
{
    uint32_t i = (uint32_t)(group * s->places / s->groups);

    while (i + 1 < s->places && s->groups * (i + 1) / s->places <= group)
        i++;
    return i;
}

struct record_place sample_gap(const struct sample *s, uint32_t i)
{
    uint64_t begin = i > 0 ? s->place[i - 1].first + s->place[i - 1].groups : 0;

    return (struct record_place){
        begin, (i < s->places ? s->place[i].first : s->groups) - begin};
}

bool sample_invent_warm(struct sample *s, uint64_t most)
{
    const struct sample_seen *half = &s->seen[(s->places - 1) / 2];
    const struct sample_seen *last = &s->seen[s->places - 1];
    double lines = (double)(last->lines - half->lines), threads = 0;
    struct warm_source source = {.share = (double)(last->written - half->written)};

    source.share /= lines > 0 ? lines : 1;
    for (const struct sample_seen *i = half + 1; i <= last; i++)
        threads += (double)i->threads;
    for (uint32_t i = 0; i <= s->places && threads > 0; i++) {
        double gap = (double)(sample_gap(s, i).groups * s->group_threads);
        double wanted = gap * lines / threads;

        if (!warm_invent(&source, wanted < (double)most ? (uint64_t)wanted : most,
                         &s->warm[i]))
            return false;
    }
    return true;
}

void sample_free(struct sample *s)
{
    for (uint32_t i = 0; i <= SAMPLE_PLACES; i++)
        free(s->warm[i].line);
}

static void widen(double range[2], double value)
{
    range[0] = value < range[0] ? value : range[0];
    range[1] = value > range[1] ? value : range[1];
}

bool sample_uneven(const struct sample *s, struct sample_spread *spread)
{
    *spread = (struct sample_spread){{1e300, 0}, {1e300, 0}};
    for (uint32_t i = 0; i < s->places; i++) {
        const struct sample_seen *seen = &s->seen[i];

        widen(spread->instructions, (double)seen->instructions / (double)seen->threads);
        if (i > 0 && i + 1 < s->places)
            widen(spread->cycles,
                  (double)(seen[1].begin - seen->begin) / (double)seen->threads);
    }
    return spread->instructions[1] > 1.5 * spread->instructions[0] ||
           spread->cycles[1] > 1.5 * spread->cycles[0];
}
