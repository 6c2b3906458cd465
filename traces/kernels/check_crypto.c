/* check_crypto.c - references of crypto.cl, monte.cl and search.cl. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/check_ref.h"

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* ---- crypto.cl ---- */

static void quarter(uint32_t *x, int a, int b, int c, int d)
{
    x[a] += x[b];
    x[d] = rotl(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotl(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotl(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotl(x[b] ^ x[c], 7);
}

static void chacha20(struct ref *r)
{
    static const char sigma[] = "expand 32-byte k";
    const uint32_t *key = ref_buffer(r, 0, 8, 4);
    uint32_t *out = ref_buffer(r, 1, 16 * r->items, 4);

    for (uint64_t item = 0; out != NULL && item < r->items; item++) {
        uint32_t s[16], x[16];

        memcpy(s, sigma, 16);
        memcpy(s + 4, key, 32);
        s[12] = (uint32_t)item;
        s[13] = 0x4a000000;
        s[14] = 0;
        s[15] = 9;
        memcpy(x, s, sizeof(x));
        for (int round = 0; round < 20; round++)
            for (int i = 0; i < 4; i++)
                if (round % 2 == 0)
                    quarter(x, i, 4 + i, 8 + i, 12 + i);
                else
                    quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        for (int i = 0; i < 16; i++)
            out[16 * item + (uint64_t)i] = x[i] + s[i];
    }
}

/* The first 32 bits of the fractional part of a root of the n-th prime, as the
 * standard defines its constants. */
static uint32_t prime_root(int n, bool cube)
{
    int prime = 1;
    double root;

    for (int found = -1; found < n;) {
        bool is_prime = true;

        prime++;
        for (int d = 2; d * d <= prime; d++)
            is_prime = is_prime && prime % d != 0;
        found += is_prime;
    }
    root = cube ? cbrt(prime) : sqrt(prime);
    return (uint32_t)((root - floor(root)) * 4294967296.0);
}

static void sha256_block(const uint32_t *in, const uint32_t *start, const uint32_t *k,
                         uint32_t *out)
{
    uint32_t w[64], s[8];

    memcpy(w, in, 64);
    for (int i = 16; i < 64; i++) {
        uint32_t p = w[i - 15], q = w[i - 2];

        w[i] = w[i - 16] + w[i - 7] + (rotl(p, 25) ^ rotl(p, 14) ^ p >> 3) +
               (rotl(q, 15) ^ rotl(q, 13) ^ q >> 10);
    }
    memcpy(s, start, sizeof(s));
    for (int i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t = s[7] + (rotl(e, 26) ^ rotl(e, 21) ^ rotl(e, 7)) +
                     ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
        uint32_t u = (rotl(a, 30) ^ rotl(a, 19) ^ rotl(a, 10)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

        memmove(s + 1, s, 7 * sizeof(*s));
        s[4] += t;
        s[0] = t + u;
    }
    for (int i = 0; i < 8; i++)
        out[i] = start[i] + s[i];
}

static void sha256(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, 16 * r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 8 * r->items, 4), start[8], k[64];

    for (int i = 0; i < 64; i++)
        k[i] = prime_root(i, true);
    for (int i = 0; i < 8; i++)
        start[i] = prime_root(i, false);
    for (uint64_t i = 0; out != NULL && i < r->items; i++)
        sha256_block(in + 16 * i, start, k, out + 8 * i);
}

static void xtea(struct ref *r)
{
    const uint32_t *in = ref_buffer(r, 0, 2 * r->items, 4);
    uint32_t *out = ref_buffer(r, 1, 2 * r->items, 4);
    const uint32_t *key = ref_buffer(r, 2, 4, 4);

    for (uint64_t i = 0; key != NULL && i < r->items; i++) {
        uint32_t a = in[2 * i], b = in[2 * i + 1];

        for (uint32_t n = 0; n < 32; n++) {
            uint32_t sum = n * 0x9e3779b9u, next = sum + 0x9e3779b9u;

            a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
            b += ((a << 4 ^ a >> 5) + a) ^ (next + key[next >> 11 & 3]);
        }
        out[2 * i] = a;
        out[2 * i + 1] = b;
    }
}

/* ---- monte.cl ---- */

static uint32_t xorshift(uint32_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    *x ^= *x << 5;
    return *x;
}

static void monte_pi(struct ref *r)
{
    const uint32_t *seed = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t state = seed[i] | 1;

        out[i] = 0;
        for (uint32_t n = 0; n < ref_u32(r, 2); n++) {
            uint64_t p = xorshift(&state), x = p & 0xffff, y = p >> 16;

            out[i] += x * x + y * y <= UINT32_MAX;
        }
    }
}

static void random_walk(struct ref *r)
{
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    const uint32_t *seed = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint32_t state = seed[i] | 1, home = 0;
        uint8_t x = 0, y = 0;

        for (uint32_t n = 0; n < ref_u32(r, 2); n++) {
            uint32_t way = xorshift(&state) >> 7 & 3;

            x = (uint8_t)(x + dx[way]);
            y = (uint8_t)(y + dy[way]);
            home += x == 0 && y == 0;
        }
        out[i] = x | (uint32_t)y << 8 | home << 16;
    }
}

static double cumulative(double x)
{
    double u = 1 / (1 + 0.2316419 * fabs(x));
    double p =
        u *
        (0.31938153 +
         u * (-0.356563782 + u * (1.781477937 + u * (-1.821255978 + u * 1.330274429))));

    p *= 0.3989422804 * exp(-0.5 * x * x);
    return x < 0 ? p : 1 - p;
}

static void black_scholes(struct ref *r)
{
    const float *spot = ref_buffer(r, 0, r->items, sizeof(*spot));
    const float *strike = ref_buffer(r, 1, r->items, sizeof(*strike));
    const float *years = ref_buffer(r, 2, r->items, sizeof(*years));
    float *out = ref_buffer(r, 3, r->items, sizeof(*out));
    double rate = (double)ref_f32(r, 4), vola = (double)ref_f32(r, 5);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        double s = (double)spot[i], k = (double)strike[i], t = (double)years[i];
        double width = vola * sqrt(t);
        double d = (log(s / k) + (rate + 0.5 * vola * vola) * t) / width;

        out[i] =
            (float)(s * cumulative(d) - k * exp(-rate * t) * cumulative(d - width));
    }
}

static void ising_step(struct ref *r)
{
    static const uint32_t accept[5] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 579000000u,
                                       78000000u};
    uint64_t n = ref_u32(r, 2), colour = ref_u32(r, 3);
    int32_t *spin = ref_buffer(r, 0, n * n, 4);
    uint32_t *seed = ref_buffer(r, 1, n * n / 2, 4);

    if (n * n / 2 != r->items)
        ref_reject(r, "half of n x n items");
    for (uint64_t i = 0; seed != NULL && r->status == IGPU_OK && i < r->items; i++) {
        uint64_t y = i / (n / 2), x = 2 * (i % (n / 2)) + ((y + colour) & 1);
        int32_t around = spin[y * n + (x + 1) % n] + spin[y * n + (x + n - 1) % n] +
                         spin[(y + 1) % n * n + x] + spin[(y + n - 1) % n * n + x];

        seed[i] |= 1;
        if (xorshift(&seed[i]) <= accept[(spin[y * n + x] * around + 4) / 2])
            spin[y * n + x] = -spin[y * n + x];
    }
}

/* ---- search.cl ---- */

static uint32_t word_at(const uint8_t *text)
{
    uint32_t word = 0;

    for (int k = 0; k < 4; k++)
        word = word << 2 | (text[k] & 3);
    return word;
}

static void find_word(struct ref *r)
{
    const uint8_t *text = ref_buffer(r, 0, r->items + 3, 1);
    uint8_t *found = ref_buffer(r, 1, r->items, 1);
    uint32_t *count = ref_buffer(r, 2, 1, 4);

    for (uint64_t i = 0; count != NULL && i < r->items; i++) {
        found[i] = word_at(text + i) == ref_u32(r, 3);
        *count += found[i];
    }
}

/* Skipping loses no match, so plain search gives the same; but the last skip of an item
 * may leave its stretch, and starts at each stretch anew. */
static void horspool(struct ref *r)
{
    uint64_t each = ref_u32(r, 3);
    const uint8_t *text = ref_buffer(r, 0, r->items * each + 4, 1);
    uint32_t *count = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; count != NULL && i < r->items; i++) {
        count[i] = 0;
        for (uint64_t at = i * each; at < (i + 1) * each; at++)
            count[i] += word_at(text + at) == ref_u32(r, 2);
    }
}

static void binary_search(struct ref *r)
{
    uint64_t n = ref_u32(r, 3);
    const uint32_t *sorted = ref_buffer(r, 0, n, 4);
    const uint32_t *key = ref_buffer(r, 1, r->items, 4);
    uint32_t *out = ref_buffer(r, 2, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        out[i] = 0;
        while (out[i] < n && sorted[out[i]] < key[i])
            out[i]++;
    }
}

static void bitonic_step(struct ref *r)
{
    uint64_t size = ref_u32(r, 2), stride = ref_u32(r, 3);
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        uint64_t low = i & ~stride, high = i | stride;
        bool swap = (in[low] > in[high]) == ((i & size) == 0);

        if (high >= r->items) {
            ref_reject(r, "a partner outside the range");
            return;
        }
        out[i] = swap ? in[i == low ? high : low] : in[i];
    }
}

static void radix_count(struct ref *r)
{
    uint64_t local = r->c->local[0];
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    uint32_t *out = ref_buffer(r, 1, r->items / local * 16, 4);

    if (out == NULL)
        return;
    memset(out, 0, r->items / local * 64);
    for (uint64_t i = 0; i < r->items; i++)
        out[i / local * 16 + (in[i] >> ref_u32(r, 2) & 15)]++;
}

static void kmeans_assign(struct ref *r)
{
    uint64_t k = ref_u32(r, 3);
    const float *point = ref_buffer(r, 0, 4 * r->items, sizeof(*point));
    const float *centre = ref_buffer(r, 1, 4 * k, sizeof(*centre));
    uint32_t *out = ref_buffer(r, 2, r->items, 4);

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        float least = INFINITY;

        for (uint64_t c = 0; c < k; c++) {
            float d[4], far;

            for (int j = 0; j < 4; j++)
                d[j] = point[4 * i + (uint64_t)j] - centre[4 * c + (uint64_t)j];
            far = fmaf(d[3], d[3], fmaf(d[2], d[2], fmaf(d[1], d[1], d[0] * d[0])));
            if (far < least) {
                least = far;
                out[i] = (uint32_t)c;
            }
        }
    }
}

static void scan_groups(struct ref *r)
{
    uint64_t local = r->c->local[0];
    const uint32_t *in = ref_buffer(r, 0, r->items, 4);
    const uint32_t *sums = ref_buffer(r, 1, r->items / local, 4);
    uint32_t *out = ref_buffer(r, 2, r->items, 4), before = 0;

    for (uint64_t i = 0; out != NULL && i < r->items; i++) {
        if (i % local == 0 && i > 0)
            before += sums[i / local - 1];
        out[i] = in[i] + before;
    }
}

const struct reference check_crypto_table[] = {
    {"chacha20", "ww", 0, chacha20},
    {"sha256", "ww", 0, sha256},
    {"xtea", "www", 0, xtea},
    {"monte_pi", "ww4", 0, monte_pi},
    {"random_walk", "ww4", 0, random_walk},
    {"black_scholes", "ffff44", 0, black_scholes},
    {"ising_step", "ww44", 0, ising_step},
    {"find_word", "bbw4", 0, find_word},
    {"horspool", "bw44", 0, horspool},
    {"binary_search", "www4", 0, binary_search},
    {"bitonic_step", "ww44", 0, bitonic_step},
    {"radix_count", "ww4", 0, radix_count},
    {"kmeans_assign", "ffw4", 0, kmeans_assign},
    {"scan_groups", "www", 0, scan_groups},
    {NULL, NULL, 0, NULL},
};
