/* settle.h - what the begin of a simulation does to the windows behind it: threads that
 * begin together and caches that fill cost more, or less, than they do later
 * (docs/guide/sampling.md, section 3). Costs are in the order of their simulation.
 * Tests: tests/bridge/test_sample_settle.c */
#ifndef IGPU_SAMPLE_SETTLE_H
#define IGPU_SAMPLE_SETTLE_H
#include <stdint.h>

/* How many of the first ones are to be left out, at most half: those without which the
 * mean of the others is known best (MSER; White, Cobb, Spratt: A comparison of five
 * steady-state truncation heuristics for simulation, 2000); none where these are not
 * the further from the others the earlier they are. */
uint32_t settle_cut(const double *cost, uint32_t n);

/* By how much the first `cut` of them move the mean of all, by the mean of the others.
 */
double settle_bias(const double *cost, uint32_t n, uint32_t cut);

/* What is left of it: the first quarter's mean less the last quarter's, by the mean of
 * all. n > 0. */
double settle_left(const double *cost, uint32_t n);

/* A cost that falls (or rises) from `from` to `to`, slower and slower, is on the
 * average between `to` and the middle of both. Its middle, less `to`; it is wrong by no
 * more than that. */
double settle_mean(double from, double to);
#endif
