/* sample.c - see sample.h. */
#include "bridge/ocl/sample.h"

#include <string.h>

#include "bridge/ocl/setting.h"

/* The time of the rest is extrapolated from the second and third quarter of the
 * sample, so that waves of resident threads should not end between quarters. */
enum { QUARTERS = 4 };

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

/* Split *l after `count` groups of dimension d: *l keeps the first, *rest gets the
 * others. */
static void split(struct emu_launch *l, uint32_t d, uint64_t count,
                  struct emu_launch *rest)
{
    *rest = *l;
    rest->global[d] -= count * l->local[d];
    rest->part.first[d] += count;
    l->global[d] = count * l->local[d];
}

/* Keep about `groups` groups of piece 0, whole rows and planes where it has several;
 * what is cut off goes behind the other pieces. */
static void cut_first(struct sample *s, uint64_t groups)
{
    struct emu_launch *first = &s->piece[0];

    for (uint32_t d = first->work_dim; d-- > 0;) {
        uint64_t have = first->global[d] / first->local[d];
        uint64_t below = groups_of(first) / have, count;

        count = (groups + below - 1) / below;
        if (count < have)
            split(first, d, count, &s->piece[s->pieces++]);
        if (count > 1)
            return;
    }
}

static uint64_t count_threads(const struct emu_program *program, const struct sample *s,
                              uint32_t first, uint32_t end)
{
    uint64_t threads = 0;

    for (uint32_t i = first; i < end; i++)
        threads += groups_of(&s->piece[i]) * threads_a_group(program, &s->piece[i]);
    return threads;
}

/* Set how many pieces are recorded, and where the launch is cut if it is. */
static void choose(const struct emu_program *program, uint64_t threads, bool timed,
                   struct sample *s)
{
    uint64_t group = threads_a_group(program, &s->piece[0]);
    uint64_t wave = QUARTERS * (s->piece[0].hw_threads / group);
    uint64_t groups = threads / group + (threads % group != 0);
    uint64_t all = groups_of(&s->piece[0]);

    if (timed && wave > 0 && groups < all)
        groups = (groups + wave - 1) / wave * wave;
    if (threads == 0 || groups >= all)
        return;
    s->recorded = 1;
    cut_first(s, groups);
}

void sample_cut(const struct emu_program *program, const struct emu_launch *whole,
                bool timed, struct sample *s)
{
    memset(s, 0, sizeof(*s));
    s->recorded = s->pieces = emu_split(whole, s->piece);
    if (s->pieces == 0)
        return;
    choose(program, setting_number("IGPU_SAMPLE", 1, 0), timed, s);
    s->rest_threads = count_threads(program, s, s->recorded, s->pieces);
    s->skip_rest = setting_flag("IGPU_SKIP_REST");
    s->threads = count_threads(program, s, 0, s->skip_rest ? s->recorded : s->pieces);
}
