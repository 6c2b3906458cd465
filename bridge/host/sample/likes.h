/* likes.h - launches that execute the same, and what those that are simulated say of
 * the others (docs/guide/sampling.md, section 4). */
#ifndef IGPU_SAMPLE_LIKES_H
#define IGPU_SAMPLE_LIKES_H
#include "bridge/host/sample/measure.h"
#include "bridge/host/sample/options.h"

/* All zero: none yet. */
struct likes {
    uint32_t launches;           /* so far */
    uint32_t likes;              /* simulated, without the first */
    double mean, squares;        /* of their cycles an instruction: Welford's sums */
    double statistical, allowed; /* their own intervals: sum of squares, and sum */
};

/* Is the next launch to be simulated? */
bool likes_wanted(const struct likes *l, const struct sample_options *options);
/* Is launch `index` of a group simulated whatever the others show? */
bool likes_always(uint32_t index, const struct sample_options *options);
/* Next launch: it was simulated, or it is left out. */
void likes_take(struct likes *l, const struct estimate *time, uint64_t instructions);
void likes_leave(struct likes *l);
/* The time of one that is left out. */
struct estimate likes_guess(const struct likes *l, uint64_t instructions);
/* Half of the interval of the mean, as a part of it. */
double likes_unsure(const struct likes *l);
#endif
