/* local_size.c - see local_size.h. Behind each other: powers of two that divide the
 * range, for kernels whose groups may be of any size; the whole range, if it is one
 * group; in one dimension the product of the smallest primes; else, of all sizes that
 * divide the range, are not larger in a dimension than in the one before and not too
 * small for what a subslice has of barriers and local memory: the one that makes the
 * fewest hardware threads, or, for kernels with local memory or images, the fewest
 * groups, or those of the best proportion.
 * Source: [neo] of docs/develop/sources.md. Tests: tests/ocl/test_ocl_range.c, 76
 * ranges. */
#include "bridge/drivers/ocl/local_size.h"

#include <math.h>
#include <string.h>

#include "igpu/limits.h"

enum {
    MOST = 256,
    THREADS = 32,
    SUBSLICE_THREADS = LIMIT_EUS * LIMIT_SLOTS,
    SUBSLICE_BARRIERS = 32
};
enum { SLM = 65536, BLOCK_ROWS = 4 };

struct range {
    const struct local_size_kernel *k;
    uint32_t dims, least; /* least: items of a group */
    uint64_t items[3];
    uint32_t divisor[3][MOST], divisors[3];
    uint64_t *local;
};

/* ---- powers of two ------------------------------------------------------ */

/* For groups of so many hardware threads at the most as MOST items are: as wide as
 * divides, then as high; of images four rows. */
static void fill_powers(const struct range *r, const uint64_t power[3], bool rows)
{
    uint64_t items = (uint64_t)r->k->simd * (rows ? THREADS / 4 : THREADS), x;

    while (items > MOST && items > r->k->simd)
        items /= 2;
    x = items / (rows && r->dims == 2 ? BLOCK_ROWS : 1);
    while (x > power[0])
        x /= 2;
    r->local[0] = x;
    if (r->dims == 2) {
        r->local[1] = rows ? BLOCK_ROWS : items / x;
        return;
    }
    r->local[1] = items / x;
    while (r->local[1] > power[1])
        r->local[1] /= 2;
    r->local[2] = items / (x * r->local[1]);
}

/* False: too few items. */
static bool choose_powers(const struct range *r)
{
    uint64_t power[3] = {1, 1, 1}, all = 1, simd = r->k->simd;
    bool rows;

    for (uint32_t d = 0; d < r->dims; d++) {
        uint64_t lowest = r->items[d] & (~r->items[d] + 1);

        power[d] = lowest < simd * THREADS ? lowest : simd * THREADS;
        all *= power[d];
    }
    rows = r->k->images && power[0] >= (simd == 8 ? 2 : 4) && power[1] >= BLOCK_ROWS;
    if (all < simd)
        return false;
    if (all > simd && (all > MOST || all > simd * THREADS)) {
        fill_powers(r, power, rows);
        return true;
    }
    power[1] = rows ? BLOCK_ROWS : power[1];
    memcpy(r->local, power, sizeof(power));
    return true;
}

/* ---- divisors ----------------------------------------------------------- */

static void choose_primes(const struct range *r)
{
    uint64_t n = r->items[0], lowest = n & (~n + 1),
             size = lowest < MOST ? lowest : MOST;

    for (uint64_t prime = 2; prime < MOST && size * prime <= n; prime++) {
        bool is_prime = true;

        for (uint64_t i = 2; i * i <= prime && is_prime; i++)
            is_prime = prime % i != 0;
        while (is_prime && size * prime <= MOST && n % (size * prime) == 0)
            size *= prime;
    }
    r->local[0] = size;
}

static void find_divisors(struct range *r)
{
    for (uint32_t d = 0; d < 3; d++) {
        r->divisor[d][r->divisors[d]++] = 1;
        for (uint32_t i = 2; i < MOST && d < r->dims; i++)
            if (r->items[d] % i == 0)
                r->divisor[d][r->divisors[d]++] = i;
    }
}

static uint64_t groups_of(const struct range *r, const uint32_t size[3])
{
    uint64_t groups = 1;

    for (uint32_t d = 0; d < 3; d++)
        groups *= (r->items[d] + size[d] - 1) / size[d];
    return groups;
}

static void choose_threads(const struct range *r)
{
    uint64_t best = UINT64_MAX;

    for (uint32_t x = r->divisors[0]; x-- > 0;)
        for (uint32_t z = 0; z < r->divisors[2]; z++)
            for (uint32_t y = 0; y < r->divisors[1]; y++) {
                const uint32_t size[3] = {r->divisor[0][x], r->divisor[1][y],
                                          r->divisor[2][z]};
                uint32_t items = size[0] * size[1] * size[2];
                uint64_t threads;

                if (size[1] > size[0] || size[2] > size[1] || items > MOST ||
                    items < r->least)
                    continue;
                threads = (items + r->k->simd - 1) / r->k->simd * groups_of(r, size);
                if (threads >= best)
                    continue;
                best = threads;
                for (uint32_t d = 0; d < 3; d++)
                    r->local[d] = size[d];
            }
}

/* Of two dimensions; strict: the nearest proportion is best, else the fewest groups,
 * and of these the nearest proportion. */
static void choose_ratio(const struct range *r, float wanted, bool strict)
{
    uint64_t fewest = UINT64_MAX;
    float nearest = HUGE_VALF;

    for (uint32_t x = r->divisors[0]; x-- > 0;)
        for (uint32_t y = 0; y < r->divisors[1]; y++) {
            const uint32_t size[3] = {r->divisor[0][x], r->divisor[1][y], 1};
            uint64_t groups = groups_of(r, size);
            float off = fabsf(wanted - (logf((float)size[0]) - logf((float)size[1])));

            if (size[1] > size[0] || size[0] * size[1] > MOST)
                break;
            if (size[0] * size[1] < r->least ||
                !(strict ? off < nearest
                         : groups < fewest || (groups == fewest && off < nearest)))
                continue;
            fewest = groups;
            nearest = off;
            r->local[0] = size[0];
            r->local[1] = size[1];
        }
}

static void choose_divisors(struct range *r)
{
    const float tile = 1.3862943611f; /* log(4), of an image's tiles */

    find_divisors(r);
    if (r->k->slm_bytes > 0) {
        choose_ratio(r, logf((float)r->items[0]) - logf((float)r->items[1]), false);
    } else if (r->k->images) {
        choose_ratio(r, tile, true);
        if (r->local[0] * r->local[1] * 2 <= r->k->simd)
            choose_ratio(r, tile, false);
    } else {
        choose_threads(r);
    }
}

void local_size_choose(const struct local_size_kernel *k, uint32_t dims,
                       const size_t *global, uint64_t local[3])
{
    struct range r = {.k = k, .dims = dims, .items = {1, 1, 1}, .local = local};
    uint64_t all = 1;

    for (uint32_t d = 0; d < 3; d++) {
        local[d] = 1;
        r.items[d] = d < dims ? global[d] : 1;
        if (r.items[d] == 0) /* nothing runs */
            return;
        all = r.items[d] > MOST || all > MOST ? MOST + 1 : all * r.items[d];
    }
    if (k->barriers)
        r.least = SUBSLICE_THREADS * k->simd / SUBSLICE_BARRIERS;
    if (k->slm_bytes > 0 && k->slm_bytes <= SLM &&
        MOST / (SLM / k->slm_bytes) > r.least)
        r.least = MOST / (SLM / k->slm_bytes);
    if (k->slm_bytes == 0 && !k->barriers && choose_powers(&r))
        return;
    if (all <= MOST)
        memcpy(local, r.items, sizeof(r.items));
    else if (dims == 1)
        choose_primes(&r);
    else
        choose_divisors(&r);
}
