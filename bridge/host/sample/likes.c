/* likes.c - see likes.h. */
#include "bridge/host/sample/likes.h"

#include <math.h>

enum { SURE = 3 /* simulated, the first apart, before any is left out */ };
/* Part of the time of launches that are left out that may be wrong in common. */
#define ALLOWED 0.01

double likes_unsure(const struct likes *l)
{
    double n = l->likes;

    if (l->likes < 2 || l->mean <= 0)
        return 1;
    return measure_student(n - 1) * sqrt(l->squares / (n - 1) / n) / l->mean;
}

/* Launches 0, 1, 2, 3, 4, 8, 16, ...: what changes slowly is seen too. */
bool likes_always(uint32_t index, const struct sample_options *options)
{
    return !options->launches || index <= SURE || (index & (index - 1)) == 0;
}

/* And more where they differ. */
bool likes_wanted(const struct likes *l, const struct sample_options *options)
{
    return likes_always(l->launches, options) ||
           (options->error > 0 && likes_unsure(l) > options->error / 2);
}

void likes_take(struct likes *l, const struct estimate *time, uint64_t instructions)
{
    double cost = time->cycles / (double)instructions, less = cost - l->mean;

    if (l->launches++ == 0) /* it found other caches than the others will */
        return;
    l->likes++;
    l->mean += less / l->likes;
    l->squares += less * (cost - l->mean);
    l->statistical += time->statistical * time->statistical;
    l->allowed += time->allowed;
}

void likes_leave(struct likes *l)
{
    l->launches++;
}

struct estimate likes_guess(const struct likes *l, uint64_t instructions)
{
    double cycles = l->mean * (double)instructions;

    /* Of the mean, and of one launch about it. */
    return (struct estimate){.cycles = cycles,
                             .statistical =
                                 likes_unsure(l) * sqrt(l->likes + 1.0) * cycles,
                             .allowed = l->allowed / l->likes + ALLOWED * cycles};
}
