/* trace_column.c - see trace_column.h. */
#include "traces/format/trace_column.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Forms: FORM_CONSTANT, or FORM_CODED with its two options. */
enum { FORM_CONSTANT = 0, FORM_CODED = 4, FORM_DIFFER = 1, FORM_MATCH = 2 };
enum { HASH_BITS = 14, HASH_OVER = 4, MATCH_LEAST = 8, BYTE_PLANE = 0x80 };
enum { ROW_LEAST = 48, FEW = 64 };
/* Hashes are found so many at a time. Of those of 32 bits the top ones are the place in
 * the table, where the low ones stand above the position. */
enum { HASHES = 128, TAG = 0xffff };

typedef void encode_fn(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                       enum trace_column_hint hint, struct trace_bytes *out);

struct trace_column_work {
    encode_fn *encode;
    uint32_t head[1 << HASH_BITS];   /* position + 1 of the last place with a hash */
    uint32_t hash[TRACE_COLUMN_MAX]; /* of each position */
    uint64_t differ[TRACE_COLUMN_MAX];
    uint64_t literal[TRACE_COLUMN_MAX];
    struct trace_bytes tokens, plain, differ_out;
};

void trace_column_work_free(struct trace_column_work *work)
{
    if (!work)
        return;
    trace_bytes_free(&work->tokens);
    trace_bytes_free(&work->plain);
    trace_bytes_free(&work->differ_out);
    free(work);
}

/* The encoder is compiled for several hosts, each with all that it calls. */
#define IN_ENCODER static inline __attribute__((always_inline))

static unsigned bit_width(uint64_t value)
{
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* ---- literals ----------------------------------------------------------- */

/* How a set of literals is laid out. */
struct layout {
    uint64_t base;
    unsigned shift, width;
};

/* The same but for the base, which is the least; *most: the largest. */
IN_ENCODER struct layout range_of(const uint64_t *v, uint32_t m, uint64_t *most)
{
    struct layout l = {v[0], 0, 0};
    int64_t least = (int64_t)v[0], last = least;
    uint64_t any = 0;

    for (uint32_t i = 1; i < m; i++) {
        int64_t value = (int64_t)v[i];

        least = value < least ? value : least;
        last = value > last ? value : last;
        any |= v[i] ^ v[0];
    }
    l.base = (uint64_t)least;
    *most = (uint64_t)last;
    if (any == 0)
        return l;
    l.shift = (unsigned)__builtin_ctzll(any);
    l.width = bit_width((*most - l.base) >> l.shift);
    return l;
}

/* `least` without those of its lowest k bits that numbers of this shift have. */
static uint64_t rounded(uint64_t least, unsigned k, unsigned shift)
{
    return least & ~((((uint64_t)1 << k) - 1) >> shift << shift);
}

IN_ENCODER struct layout layout_of(const uint64_t *v, uint32_t m)
{
    uint64_t most;
    struct layout l = range_of(v, m, &most);
    unsigned good = l.shift, bad = 64;

    if (l.width == 0)
        return l;
    /* A base with more zero bits, if that costs no width: parts of one array then
     * have the same base, and equal numbers equal bytes. The more, the wider. */
    while (bad - good > 1) {
        unsigned k = (good + bad) / 2;

        if (bit_width((most - rounded(l.base, k, l.shift)) >> l.shift) <= l.width)
            good = k;
        else
            bad = k;
    }
    l.base = rounded(l.base, good, l.shift);
    return l;
}

/* Are the top (width mod 8) bits of the literals better stored as a plane of bytes, if
 * they are not few anyway? They are far from evenly distributed, which zstd makes use
 * of. */
IN_ENCODER bool top_is_uneven(const uint64_t *v, uint32_t m, const struct layout *l)
{
    uint32_t count[2][128] = {{0}}, most = 0; /* neighbours are mostly equal */
    unsigned at = l->shift + l->width / 8 * 8;

    for (uint32_t i = 0; i < m; i++)
        count[i % 2][((v[i] - l->base) >> at) & 127]++;
    for (unsigned k = 0; k < 128; k++)
        most = count[0][k] + count[1][k] > most ? count[0][k] + count[1][k] : most;
    /* Even: m / 2^bits each; a set that fills half of the range has twice that. */
    return (uint64_t)most << (l->width % 8) > (uint64_t)m * 6;
}

IN_ENCODER bool top_as_bytes(const uint64_t *v, uint32_t m, const struct layout *l)
{
    return m < FEW || top_is_uneven(v, m, l);
}

IN_ENCODER void put_packed(struct trace_bytes *out, const uint64_t *v, uint32_t m,
                           const struct layout *l)
{
    unsigned bits = l->width % 8, at = l->shift + l->width / 8 * 8, have = 0;
    uint8_t *to = trace_bytes_extend(out, ((size_t)m * bits + 7) / 8);
    uint32_t mask = (1u << bits) - 1, hold = 0;

    if (!to)
        return;
    for (uint32_t i = 0; i < m; i++) {
        hold |= ((uint32_t)((v[i] - l->base) >> at) & mask) << have;
        have += bits;
        if (have >= 8) {
            *to++ = (uint8_t)hold;
            hold >>= 8;
            have -= 8;
        }
    }
    if (have)
        *to = (uint8_t)hold;
}

IN_ENCODER void put_laid_out(struct trace_bytes *out, const uint64_t *v, uint32_t m,
                             const struct layout *l)
{
    bool bytes = l->width % 8 && top_as_bytes(v, m, l);
    unsigned planes = l->width / 8 + bytes;

    trace_bytes_u8(out, (uint8_t)l->shift);
    trace_bytes_zigzag(out, (int64_t)l->base);
    trace_bytes_u8(out, (uint8_t)(l->width | (bytes ? BYTE_PLANE : 0u)));
    for (unsigned p = 0; p < planes; p++) {
        uint8_t *to = trace_bytes_extend(out, m);

        for (uint32_t i = 0; to && i < m; i++)
            to[i] = (uint8_t)((v[i] - l->base) >> l->shift >> (8 * p));
    }
    if (l->width % 8 && !bytes)
        put_packed(out, v, m, l);
}

IN_ENCODER void put_literals(struct trace_bytes *out, const uint64_t *v, uint32_t m)
{
    struct layout l = layout_of(v, m);

    put_laid_out(out, v, m, &l);
}

static size_t zigzag_size(uint64_t value)
{
    uint64_t code = value << 1 ^ (value >> 63 ? UINT64_MAX : 0);

    return (bit_width(code | 1) + 6) / 7;
}

/* Bytes of few literals. */
static size_t size_of(const struct layout *l, uint32_t m)
{
    return 2 + zigzag_size(l->base) + (size_t)m * ((l->width + 7) / 8);
}

static bool get_packed(struct trace_view *in, uint64_t *v, uint32_t m, unsigned bits,
                       unsigned at)
{
    const uint8_t *from = trace_view_bytes(in, ((size_t)m * bits + 7) / 8);
    uint32_t mask = (1u << bits) - 1, hold = 0;
    unsigned have = 0;

    if (!from)
        return false;
    for (uint32_t i = 0; i < m; i++) {
        if (have < bits) {
            hold |= (uint32_t)*from++ << have;
            have += 8;
        }
        v[i] |= (uint64_t)(hold & mask) << at;
        hold >>= bits;
        have -= bits;
    }
    return true;
}

static bool get_literals(struct trace_view *in, uint64_t *v, uint32_t m)
{
    unsigned shift = trace_view_u8(in);
    uint64_t base = (uint64_t)trace_view_zigzag(in);
    unsigned code = trace_view_u8(in), width = code & 0x7f;
    bool bytes = (code & BYTE_PLANE) != 0;
    unsigned planes = width / 8 + (bytes && width % 8);

    if (in->bad || width > 64 || shift > 63)
        return false;
    memset(v, 0, m * sizeof(*v));
    for (unsigned p = 0; p < planes; p++) {
        const uint8_t *from = trace_view_bytes(in, m);

        if (!from)
            return false;
        for (uint32_t i = 0; i < m; i++)
            v[i] |= (uint64_t)from[i] << (8 * p);
    }
    if (width % 8 && !bytes && !get_packed(in, v, m, width % 8, width / 8 * 8))
        return false;
    for (uint32_t i = 0; i < m; i++)
        v[i] = base + (v[i] << shift);
    return true;
}

/* ---- matches ------------------------------------------------------------ */

/* Of the positions [*hashed, ...) more than i. */
IN_ENCODER void find_hashes(struct trace_column_work *work, const uint64_t *v,
                            uint32_t n, uint32_t i, uint32_t *hashed)
{
    while (*hashed <= i) {
        uint32_t *to = work->hash + *hashed, left = n - HASH_OVER + 1 - *hashed;
        const uint64_t *from = v + *hashed;

        left = left < HASHES ? left : HASHES;
        for (uint32_t k = 0; k < left; k++) {
            uint64_t h = from[k];

            for (unsigned next = 1; next < HASH_OVER; next++)
                h = (h ^ (h >> 29)) * 0x9e3779b97f4a7c15u + from[k + next];
            h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
            to[k] = (uint32_t)(h >> 32);
        }
        *hashed += left;
    }
}

/* The last position + 1 that had the hash of i, or 0; it is i from now on. */
IN_ENCODER uint32_t exchange(struct trace_column_work *work, unsigned bits, uint32_t i)
{
    uint32_t h = work->hash[i], *head = &work->head[h >> (32 - bits)], last = *head;

    *head = (h & TAG) << 16 | (i + 1);
    return (last ^ *head) >> 16 == 0 ? last & 0xffff : 0;
}

/* How many of the first `most` numbers of a are those of b, which may overlap it from
 * below. */
IN_ENCODER uint32_t same_run(const uint64_t *a, const uint64_t *b, uint32_t most)
{
    uint32_t k = 0;

    for (; k + 4 <= most; k += 4)
        if (((a[k] ^ b[k]) | (a[k + 1] ^ b[k + 1]) | (a[k + 2] ^ b[k + 2]) |
             (a[k + 3] ^ b[k + 3])) != 0)
            break;
    while (k < most && a[k] == b[k])
        k++;
    return k;
}

/* Remember the positions behind i of a copy. Behind one that goes to the end nobody
 * asks for them. */
IN_ENCODER void remember_copy(struct trace_column_work *work, const uint64_t *v,
                              uint32_t n, unsigned bits, uint32_t i, uint32_t length,
                              uint32_t *hashed)
{
    uint32_t end = i + length < n - HASH_OVER + 1 ? i + length : n - HASH_OVER + 1;

    if (i + length == n)
        return;
    find_hashes(work, v, n, end - 1, hashed);
    for (uint32_t k = i + 1; k < end; k++)
        (void)exchange(work, bits, k);
}

/* Find copies in v[n]: tokens to work->tokens, the rest to work->literal. Returns the
 * number of literals; n when a copy was found nowhere. */
IN_ENCODER uint32_t find_matches(struct trace_column_work *work, const uint64_t *v,
                                 uint32_t n)
{
    /* A copy costs about 4 bytes: what it replaces must be worth that. */
    uint64_t most;
    unsigned width = range_of(v, n, &most).width;
    uint32_t least = width >= 8 ? MATCH_LEAST : width >= 4 ? 2 * MATCH_LEAST : 40;
    unsigned bits = bit_width(n) < HASH_BITS ? bit_width(n) : HASH_BITS;
    uint32_t m = 0, run = 0, i = 0, hashed = 0;

    work->tokens.size = 0;
    memset(work->head, 0, sizeof(work->head[0]) << bits);
    while (i < n) {
        uint32_t length = 0, from = 0;

        if (i + HASH_OVER <= n) {
            find_hashes(work, v, n, i, &hashed);
            from = exchange(work, bits, i);
        }
        if (from)
            length = same_run(v + from - 1, v + i, n - i);
        if (length < least) {
            work->literal[m++] = v[i++];
            run++;
            continue;
        }
        trace_bytes_varint(&work->tokens, run);
        trace_bytes_varint(&work->tokens, length);
        trace_bytes_varint(&work->tokens, i - (from - 1));
        run = 0;
        remember_copy(work, v, n, bits, i, length, &hashed);
        i += length;
    }
    if (run)
        trace_bytes_varint(&work->tokens, run);
    return m;
}

/* Expand in place: v[n - m .. n) are the literals, v[0 .. n) becomes the column. The
 * next literal is never before the next number, since copies only fill the gap. */
static bool expand_matches(struct trace_view *in, uint64_t *v, uint32_t n, uint32_t m)
{
    uint32_t i = 0, at = n - m;

    while (i < n) {
        uint64_t run = trace_view_varint(in), length, distance;

        if (in->bad || run > n - at)
            return false;
        memmove(v + i, v + at, run * sizeof(*v));
        i += (uint32_t)run;
        at += (uint32_t)run;
        if (i == n)
            break;
        length = trace_view_varint(in);
        distance = trace_view_varint(in);
        if (in->bad || length == 0 || length > at - i || distance == 0 || distance > i)
            return false;
        for (; length > 0; length--, i++)
            v[i] = v[i - distance];
    }
    return at == n;
}

/* ---- columns ------------------------------------------------------------ */

IN_ENCODER void encode_form(struct trace_column_work *work, const uint64_t *v,
                            uint32_t n, unsigned form, uint64_t first,
                            struct trace_bytes *out)
{
    uint32_t m = n;

    if (n >= MATCH_LEAST)
        m = find_matches(work, v, n);
    if (m < n)
        form |= FORM_MATCH;
    trace_bytes_u8(out, (uint8_t)form);
    if (form & FORM_DIFFER)
        trace_bytes_zigzag(out, (int64_t)first);
    if (m < n) {
        trace_bytes_varint(out, m);
        if (m > 0)
            put_literals(out, work->literal, m);
        trace_bytes_put(out, work->tokens.data, work->tokens.size);
        out->failed |= work->tokens.failed;
    } else if (n > 0) {
        put_literals(out, v, n);
    }
}

IN_ENCODER bool is_constant(const uint64_t *v, uint32_t n)
{
    return same_run(v, v + 1, n - 1) == n - 1;
}

static void put_constant(uint64_t value, struct trace_bytes *out)
{
    trace_bytes_u8(out, FORM_CONSTANT);
    trace_bytes_zigzag(out, (int64_t)value);
}

/* Are the n differences one that is not 0, and so many that they are the shorter form?
 * They take at most 31 bytes; the numbers themselves, all different, at least 4 and n
 * times the bits of n. */
IN_ENCODER bool is_long_row(const uint64_t *differ, uint32_t n)
{
    uint64_t most = UINT64_MAX / 2 / TRACE_COLUMN_MAX;

    return n >= ROW_LEAST && differ[0] + most <= 2 * most && is_constant(differ, n);
}

/* Fewer numbers than a copy has, as they are or by their differences. */
IN_ENCODER void encode_few(const uint64_t *v, const uint64_t *differ, uint32_t n,
                           size_t margin, struct trace_bytes *out)
{
    struct layout plain = layout_of(v, n), by = layout_of(differ, n - 1);

    if (zigzag_size(v[0]) + size_of(&by, n - 1) < size_of(&plain, n) + margin) {
        trace_bytes_u8(out, FORM_CODED | FORM_DIFFER);
        trace_bytes_zigzag(out, (int64_t)v[0]);
        put_laid_out(out, differ, n - 1, &by);
        return;
    }
    trace_bytes_u8(out, FORM_CODED);
    put_laid_out(out, v, n, &plain);
}

IN_ENCODER void encode(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                       enum trace_column_hint hint, struct trace_bytes *out)
{
    const struct trace_bytes *best = &work->plain;
    size_t margin = hint == TRACE_COLUMN_DIFFER && n <= 64 ? 2u * n : 0;

    assert(n <= TRACE_COLUMN_MAX);
    if (n == 0)
        return;
    if (is_constant(v, n)) {
        put_constant(v[0], out);
        return;
    }
    work->plain.size = work->differ_out.size = 0;
    for (uint32_t i = 1; i < n && hint != TRACE_COLUMN_PLAIN; i++)
        work->differ[i - 1] = v[i] - v[i - 1];
    if (hint != TRACE_COLUMN_PLAIN && n < MATCH_LEAST) {
        encode_few(v, work->differ, n, margin, out);
        return;
    }
    if (hint != TRACE_COLUMN_PLAIN) {
        encode_form(work, work->differ, n - 1, FORM_CODED | FORM_DIFFER, v[0],
                    &work->differ_out);
    }
    if (hint == TRACE_COLUMN_PLAIN || !is_long_row(work->differ, n - 1))
        encode_form(work, v, n, FORM_CODED, 0, &work->plain);
    if (hint != TRACE_COLUMN_PLAIN &&
        (work->plain.size == 0 || work->differ_out.size < work->plain.size + margin))
        best = &work->differ_out;
    trace_bytes_put(out, best->data, best->size);
    out->failed |= work->plain.failed || work->differ_out.failed;
}

static void encode_any(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                       enum trace_column_hint hint, struct trace_bytes *out)
{
    encode(work, v, n, hint, out);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void encode_avx2(struct trace_column_work *work,
                                                        const uint64_t *v, uint32_t n,
                                                        enum trace_column_hint hint,
                                                        struct trace_bytes *out)
{
    encode(work, v, n, hint, out);
}
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static void
encode_avx512(struct trace_column_work *work, const uint64_t *v, uint32_t n,
              enum trace_column_hint hint, struct trace_bytes *out)
{
    encode(work, v, n, hint, out);
}

static encode_fn *choose(void)
{
    if (getenv("IGPU_EMU_PORTABLE") != NULL || !__builtin_cpu_supports("avx2"))
        return encode_any;
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl") && getenv("IGPU_EMU_AVX2") == NULL
               ? encode_avx512
               : encode_avx2;
}
#else
static encode_fn *choose(void)
{
    return encode_any;
}
#endif

struct trace_column_work *trace_column_work_new(void)
{
    struct trace_column_work *work = calloc(1, sizeof(*work));

    if (work != NULL)
        work->encode = choose();
    return work;
}

void trace_column_encode(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                         enum trace_column_hint hint, struct trace_bytes *out)
{
    work->encode(work, v, n, hint, out);
}

bool trace_column_decode(struct trace_view *in, uint64_t *v, uint32_t n)
{
    unsigned form;
    uint64_t first, m;

    if (n == 0)
        return true;
    form = trace_view_u8(in);
    if (in->bad || n > TRACE_COLUMN_MAX ||
        (form != FORM_CONSTANT && (form & ~3u) != FORM_CODED))
        return false;
    if (form == FORM_CONSTANT) {
        first = (uint64_t)trace_view_zigzag(in);
        for (uint32_t i = 0; i < n; i++)
            v[i] = first;
        return !in->bad;
    }
    if (form & FORM_DIFFER) {
        first = (uint64_t)trace_view_zigzag(in);
        if (in->bad)
            return false;
        v[0] = first;
        v++;
        n--;
    }
    m = form & FORM_MATCH ? trace_view_varint(in) : n;
    if (in->bad || m > n || (m > 0 && !get_literals(in, v + (n - m), (uint32_t)m)))
        return false;
    if (form & FORM_MATCH && !expand_matches(in, v, n, (uint32_t)m))
        return false;
    if (form & FORM_DIFFER)
        for (uint32_t i = 0; i < n; i++)
            v[i] += v[(int64_t)i - 1];
    return true;
}
