/* trace_column.c - see trace_column.h. */
#include "traces/format/trace_column.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/vectors.h"

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
    uint8_t top[TRACE_COLUMN_MAX + 8];
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

/* How a set of literals is laid out; their top (width mod 8) bits as a plane of bytes
 * or packed, where it is known. */
enum top { TOP_BYTES, TOP_PACKED, TOP_UNKNOWN };
struct layout {
    uint64_t base;
    unsigned shift, width;
    enum top top;
};

/* The same but for the base, which is the least; *most: the largest. */
IN_ENCODER struct layout range_of(const uint64_t *v, uint32_t m, uint64_t *most)
{
    struct layout l = {v[0], 0, 0, TOP_PACKED};
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
    if (l.width % 8 != 0)
        l.top = m < FEW ? TOP_BYTES : TOP_UNKNOWN;
    return l;
}

/* The top (width mod 8) bits of the literals. */
IN_ENCODER void find_tops(struct trace_column_work *work, const uint64_t *v, uint32_t m,
                          const struct layout *l)
{
    unsigned at = l->shift + l->width / 8 * 8;

    for (uint32_t i = 0; i < m; i++)
        work->top[i] = (uint8_t)((v[i] - l->base) >> at);
}

/* Are they better stored as a plane of bytes? They are far from evenly distributed,
 * which zstd makes use of. */
IN_ENCODER bool top_is_uneven(const uint8_t *top, uint32_t m, unsigned bits)
{
    uint32_t count[2][128] = {{0}}, most = 0; /* neighbours are mostly equal */

    for (uint32_t i = 0; i < m; i++)
        count[i % 2][top[i]]++;
    for (unsigned k = 0; k < 128; k++)
        most = count[0][k] + count[1][k] > most ? count[0][k] + count[1][k] : most;
    /* Even: m / 2^bits each; a set that fills half of the range has twice that. */
    return (uint64_t)most << bits > (uint64_t)m * 6;
}

static size_t packed_size(uint32_t m, unsigned bits)
{
    return ((size_t)m * bits + 7) / 8;
}

/* The low bits of eight bytes, one behind the other. */
static inline uint64_t pack_eight(const uint8_t *from, unsigned bits)
{
    uint64_t x;

    memcpy(&x, from, sizeof(x));
    x = (x & 0x00ff00ff00ff00ff) | (x >> 8 & 0x00ff00ff00ff00ff) << bits;
    x = (x & 0x0000ffff0000ffff) | (x >> 16 & 0x0000ffff0000ffff) << 2 * bits;
    return (x & 0xffffffff) | x >> 32 << 4 * bits;
}

/* top[m] has seven bytes behind it. */
IN_ENCODER void put_packed(struct trace_bytes *out, uint8_t *top, uint32_t m,
                           unsigned bits)
{
    size_t size = packed_size(m, bits);
    uint8_t *to = trace_bytes_extend(out, size), *end = to + size;

    if (!to)
        return;
    memset(top + m, 0, 7);
    for (; end - to >= 8; top += 8, to += bits) {
        uint64_t x = pack_eight(top, bits);

        memcpy(to, &x, sizeof(x));
    }
    for (; to < end; top += 8, to += bits) {
        uint64_t x = pack_eight(top, bits);

        memcpy(to, &x, end - to < (ptrdiff_t)bits ? (size_t)(end - to) : bits);
    }
}

IN_ENCODER void settle(struct trace_column_work *work, const uint64_t *v, uint32_t m,
                       struct layout *l)
{
    if (l->top != TOP_UNKNOWN)
        return;
    find_tops(work, v, m, l);
    l->top = top_is_uneven(work->top, m, l->width % 8) ? TOP_BYTES : TOP_PACKED;
}

IN_ENCODER void put_laid_out(struct trace_column_work *work, struct trace_bytes *out,
                             const uint64_t *v, uint32_t m, struct layout *l)
{
    bool bytes;
    unsigned planes;

    settle(work, v, m, l);
    bytes = l->top == TOP_BYTES;
    planes = l->width / 8 + bytes;
    trace_bytes_u8(out, (uint8_t)l->shift);
    trace_bytes_zigzag(out, (int64_t)l->base);
    trace_bytes_u8(out, (uint8_t)(l->width | (bytes ? BYTE_PLANE : 0u)));
    for (unsigned p = 0; p < planes; p++) {
        uint8_t *to = trace_bytes_extend(out, m);

        for (uint32_t i = 0; to && i < m; i++)
            to[i] = (uint8_t)((v[i] - l->base) >> l->shift >> (8 * p));
    }
    if (l->width % 8 && !bytes) {
        find_tops(work, v, m, l);
        put_packed(out, work->top, m, l->width % 8);
    }
}

IN_ENCODER void put_literals(struct trace_column_work *work, struct trace_bytes *out,
                             const uint64_t *v, uint32_t m)
{
    struct layout l = layout_of(v, m);

    put_laid_out(work, out, v, m, &l);
}

static size_t zigzag_size(uint64_t value)
{
    uint64_t code = value << 1 ^ (value >> 63 ? UINT64_MAX : 0);

    return (bit_width(code | 1) + 6) / 7;
}

/* Bytes of the literals with their top bits so. */
static size_t size_of(const struct layout *l, uint32_t m, enum top top)
{
    size_t tops = top == TOP_PACKED ? packed_size(m, l->width % 8)
                                    : (l->width % 8 != 0) * (size_t)m;

    return 2 + zigzag_size(l->base) + (size_t)m * (l->width / 8) + tops;
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
IN_ENCODER uint32_t exchange(struct trace_column_work *work, unsigned shift, uint32_t i)
{
    uint32_t h = work->hash[i], *head = &work->head[h >> shift], last = *head;
    uint32_t now = (h & TAG) << 16 | (i + 1);

    *head = now;
    return (last ^ now) >> 16 == 0 ? last & 0xffff : 0;
}

/* The first position of [i, end) whose hash one before had (+ 1: *from), or end. */
IN_ENCODER uint32_t find_again(struct trace_column_work *work, unsigned shift,
                               uint32_t i, uint32_t end, uint32_t *from)
{
    for (; i < end; i++)
        if ((*from = exchange(work, shift, i)) != 0)
            break;
    return i;
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
                              uint32_t n, unsigned shift, uint32_t i, uint32_t length,
                              uint32_t *hashed)
{
    uint32_t end = i + length < n - HASH_OVER + 1 ? i + length : n - HASH_OVER + 1;

    if (i + length == n)
        return;
    find_hashes(work, v, n, end - 1, hashed);
    for (uint32_t k = i + 1; k < end; k++)
        (void)exchange(work, shift, k);
}

/* Numbers that are no copy: how many of v[first .. i). */
IN_ENCODER uint32_t put_run(struct trace_column_work *work, const uint64_t *v,
                            uint32_t first, uint32_t i, uint32_t m)
{
    memcpy(work->literal + m, v + first, (i - first) * sizeof(*v));
    trace_bytes_varint(&work->tokens, i - first);
    return i - first;
}

/* Find copies in v[n]: tokens to work->tokens, the rest to work->literal. Returns the
 * number of literals; n when a copy was found nowhere (then neither is written). */
IN_ENCODER uint32_t find_matches(struct trace_column_work *work, const uint64_t *v,
                                 uint32_t n)
{
    /* A copy costs about 4 bytes: what it replaces must be worth that. */
    uint64_t most;
    unsigned width = range_of(v, n, &most).width;
    uint32_t least = width >= 8 ? MATCH_LEAST : width >= 4 ? 2 * MATCH_LEAST : 40;
    unsigned bits = bit_width(n) < HASH_BITS ? bit_width(n) : HASH_BITS;
    uint32_t m = 0, first = 0, i = 0, hashed = 0;

    work->tokens.size = 0;
    memset(work->head, 0, sizeof(work->head[0]) << bits);
    while (i + HASH_OVER <= n) {
        uint32_t length, from = 0;

        find_hashes(work, v, n, i, &hashed);
        i = find_again(work, 32 - bits, i, hashed, &from);
        if (from == 0)
            continue;
        length = same_run(v + from - 1, v + i, n - i);
        if (length < least) {
            i++;
            continue;
        }
        m += put_run(work, v, first, i, m);
        trace_bytes_varint(&work->tokens, length);
        trace_bytes_varint(&work->tokens, i - (from - 1));
        remember_copy(work, v, n, 32 - bits, i, length, &hashed);
        i = first = i + length;
    }
    if (first == 0)
        return n;
    return first < n ? m + put_run(work, v, first, n, m) : m;
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

/* A column's numbers, or their differences from the first one on. */
struct coded {
    unsigned form;
    uint64_t first;
    const uint64_t *v;
    uint32_t n;
    struct trace_bytes *copies; /* its bytes, if it has copies; NULL: it has none */
    struct layout layout;
    size_t least, most; /* bytes */
};

IN_ENCODER void put_form(const struct coded *c, unsigned form, struct trace_bytes *out)
{
    trace_bytes_u8(out, (uint8_t)form);
    if (form & FORM_DIFFER)
        trace_bytes_zigzag(out, (int64_t)c->first);
}

/* Between which sizes it is, unless it has copies. */
IN_ENCODER void find_sizes(struct coded *c)
{
    enum top top = c->layout.top;
    size_t form = 1 + (c->form & FORM_DIFFER ? zigzag_size(c->first) : 0);

    c->least = form + size_of(&c->layout, c->n, top == TOP_UNKNOWN ? TOP_PACKED : top);
    c->most = form + size_of(&c->layout, c->n, top == TOP_UNKNOWN ? TOP_BYTES : top);
}

/* may_copy: copies are looked for. */
IN_ENCODER struct coded find_coded(struct trace_column_work *work, const uint64_t *v,
                                   uint32_t n, unsigned form, uint64_t first,
                                   bool may_copy, struct trace_bytes *copies)
{
    struct coded c = {form, first, v, n, NULL, {0}, 0, 0};
    uint32_t m = may_copy && n >= MATCH_LEAST ? find_matches(work, v, n) : n;

    if (m == n) {
        c.layout = layout_of(v, n);
        find_sizes(&c);
        return c;
    }
    copies->size = 0;
    put_form(&c, form | FORM_MATCH, copies);
    trace_bytes_varint(copies, m);
    if (m > 0)
        put_literals(work, copies, work->literal, m);
    trace_bytes_put(copies, work->tokens.data, work->tokens.size);
    copies->failed |= work->tokens.failed;
    c.copies = copies;
    c.least = c.most = copies->size;
    return c;
}

IN_ENCODER void put_coded(struct trace_column_work *work, struct coded *c,
                          struct trace_bytes *out)
{
    if (c->copies != NULL) {
        trace_bytes_put(out, c->copies->data, c->copies->size);
        out->failed |= c->copies->failed;
        return;
    }
    put_form(c, c->form, out);
    put_laid_out(work, out, c->v, c->n, &c->layout);
}

/* Know its size. */
IN_ENCODER void weigh(struct trace_column_work *work, struct coded *c)
{
    if (c->least == c->most)
        return;
    settle(work, c->v, c->n, &c->layout);
    find_sizes(c);
}

/* Is a, which may have so many bytes more, the shorter one? */
IN_ENCODER bool is_shorter(struct trace_column_work *work, struct coded *a,
                           struct coded *b, size_t margin)
{
    if (a->most < b->least + margin)
        return true;
    if (a->least < b->most + margin)
        weigh(work, b);
    if (a->least < b->most + margin)
        weigh(work, a);
    return a->most < b->least + margin;
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

IN_ENCODER void encode(struct trace_column_work *work, const uint64_t *v, uint32_t n,
                       enum trace_column_hint hint, struct trace_bytes *out)
{
    size_t margin = hint == TRACE_COLUMN_DIFFER && n <= 64 ? 2u * n : 0;
    struct coded differ, plain;

    assert(n <= TRACE_COLUMN_MAX);
    if (n == 0)
        return;
    if (is_constant(v, n)) {
        put_constant(v[0], out);
        return;
    }
    if (hint == TRACE_COLUMN_PLAIN) {
        plain = find_coded(work, v, n, FORM_CODED, 0, true, &work->plain);
        put_coded(work, &plain, out);
        return;
    }
    for (uint32_t i = 1; i < n; i++)
        work->differ[i - 1] = v[i] - v[i - 1];
    differ = find_coded(work, work->differ, n - 1, FORM_CODED | FORM_DIFFER, v[0], true,
                        &work->differ_out);
    if (!is_long_row(work->differ, n - 1)) {
        /* A copy of numbers is one of all its differences but the first. */
        plain =
            find_coded(work, v, n, FORM_CODED, 0, differ.copies != NULL, &work->plain);
        if (!is_shorter(work, &differ, &plain, margin)) {
            put_coded(work, &plain, out);
            return;
        }
    }
    put_coded(work, &differ, out);
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
    enum igpu_vectors host = igpu_host_vectors();

    return host == IGPU_VECTORS_AVX512 ? encode_avx512
           : host == IGPU_VECTORS_AVX2 ? encode_avx2
                                       : encode_any;
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
