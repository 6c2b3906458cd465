/* emu_alike_slope.c - numbers that depend on a group's number: how a slope goes through
 * sums, products, bits and comparisons, and where registers keep it. See emu_alike.h.
 * Numbers are taken modulo 2^32 or 2^64, in which sums and products with what is the
 * same in all groups are exact. Where their size matters, as in comparisons, all groups
 * are looked at, those at the corners. What is not known here is FREE, which is never
 * wrong. */
#include "emu_alike.h"

/* ---- slopes ------------------------------------------------------------- */

uint16_t alike_slope_of(struct emu_alike *a, struct alike_slope s, uint32_t bytes)
{
    if (bytes == 4)
        for (uint32_t d = 0; d < 3; d++)
            s.by[d] = (int32_t)(uint32_t)s.by[d];
    if ((s.by[0] | s.by[1] | s.by[2]) == 0)
        return ALIKE_SAME;
    for (uint32_t i = a->slopes; i-- > ALIKE_FREE + 1;)
        if (memcmp(&a->slope[i], &s, sizeof(s)) == 0)
            return (uint16_t)i;
    if (a->slopes == ALIKE_SLOPES)
        return ALIKE_FREE;
    a->slope[a->slopes] = s;
    return (uint16_t)a->slopes++;
}

/* x times the slope and y times the other one. */
uint16_t alike_sum(struct emu_alike *a, uint16_t one, int64_t x, uint16_t other,
                   int64_t y, uint32_t bytes)
{
    struct alike_slope s;

    for (uint32_t d = 0; d < 3; d++)
        s.by[d] = (int64_t)((uint64_t)a->slope[one].by[d] * (uint64_t)x +
                            (uint64_t)a->slope[other].by[d] * (uint64_t)y);
    return alike_slope_of(a, s, bytes);
}

/* The least and the largest that a value with this slope is in the groups. */
static void find_range(const struct emu_alike *a, int64_t value,
                       const struct alike_slope *s, emu_i128 *low, emu_i128 *high)
{
    *low = *high = value;
    for (uint32_t d = 0; d < 3; d++) {
        emu_i128 far = (emu_i128)s->by[d] * (emu_i128)a->most[d];

        *(far < 0 ? low : high) += far;
    }
}

/* Is the value one of its type in all groups, so that its size is what its slope says?
 */
bool alike_in_type(const struct emu_alike *a, const struct alike_number *n)
{
    bool sign = isa_type_is_signed((enum isa_type)n->type);
    uint32_t bits = 8u * n->bytes - sign;
    emu_i128 low, high, most = ((emu_i128)1 << bits) - 1;

    if (n->slope == ALIKE_SAME)
        return true;
    if (n->bytes < 4)
        return false;
    find_range(a, n->value, &a->slope[n->slope], &low, &high);
    return low >= (sign ? -most - 1 : 0) && high <= most && n->type != ISA_TYPE_UQ;
}

/* ---- marks -------------------------------------------------------------- */

static bool is_flag(uint32_t at)
{
    return at >= offsetof(struct emu_thread, flag) &&
           at < offsetof(struct emu_thread, addr);
}

/* Accumulators have hidden bits; the time and the place on the device are any. */
static bool is_free(uint32_t at)
{
    return (at >= offsetof(struct emu_thread, acc) && !is_flag(at) &&
            at < offsetof(struct emu_thread, addr)) ||
           (at >= offsetof(struct emu_thread, state) &&
            at < offsetof(struct emu_thread, notify));
}

static uint64_t flag_bits(uint32_t at, uint32_t bytes)
{
    uint32_t first = 8 * (at - (uint32_t)offsetof(struct emu_thread, flag));

    return ((bytes >= 8 ? 0 : UINT64_C(1) << 8 * bytes) - 1) << first;
}

bool alike_all_same(const struct alike_mark *m, uint32_t bytes)
{
    uint32_t slopes = 0;

    for (uint32_t i = 0; i < bytes; i++)
        slopes |= m[i].slope;
    return slopes == ALIKE_SAME;
}

/* The slope of the number at these bytes. */
uint16_t alike_read(const struct alike_thread *k, uint32_t at, uint32_t bytes)
{
    const struct alike_mark *m = k->mark + at;

    if (at + bytes > ALIKE_MARKS || is_free(at))
        return ALIKE_FREE;
    if (is_flag(at))
        return k->free_flags & flag_bits(at, bytes) ? ALIKE_FREE : ALIKE_SAME;
    if (alike_all_same(m, bytes))
        return ALIKE_SAME;
    /* The low part of a longer number has its slope. */
    for (uint32_t i = 0; i < bytes; i++)
        if (m[i].slope != m[0].slope || m[i].part != i || m[i].bytes != m[0].bytes)
            return ALIKE_FREE;
    return bytes >= 4 && m[0].bytes >= bytes ? m[0].slope : ALIKE_FREE;
}

/* The same of one that lies there in its place of the thread: also of two dwords, the
 * higher of which is the same in all groups. */
uint16_t alike_read_at(const struct emu_alike *a, const struct alike_thread *k,
                       const struct emu_thread *t, uint32_t at, uint32_t bytes)
{
    uint16_t slope = alike_read(k, at, bytes), low;
    struct alike_number n = {.bytes = 4, .type = ISA_TYPE_UD};

    if (slope != ALIKE_FREE || bytes != 8 || alike_read(k, at + 4, 4) != ALIKE_SAME)
        return slope;
    low = n.slope = alike_read(k, at, 4);
    n.value = *(const emu_ud *)((const uint8_t *)t + at);
    return low > ALIKE_FREE && alike_in_type(a, &n) ? low : ALIKE_FREE;
}

static struct alike_mark mark_of(uint16_t slope, uint32_t bytes, uint32_t part)
{
    bool number = slope > ALIKE_FREE;

    return (struct alike_mark){slope, number ? (uint8_t)bytes : 0,
                               number ? (uint8_t)part : 0};
}

void alike_write(struct alike_thread *k, uint32_t at, uint32_t bytes, uint16_t slope)
{
    if (at + bytes > ALIKE_MARKS)
        return;
    if (slope != ALIKE_SAME && bytes < 4)
        slope = ALIKE_FREE;
    if (is_flag(at)) {
        k->free_flags &= ~flag_bits(at, bytes);
        if (slope != ALIKE_SAME)
            k->free_flags |= flag_bits(at, bytes);
        return;
    }
    for (uint32_t i = 0; i < bytes; i++)
        k->mark[at + i] = mark_of(slope, bytes, i);
}

/* n dwords one behind the other in general registers, all of one slope. */
struct dword_marks {
    struct alike_mark part[ALIKE_DWORD];
};

static struct dword_marks marks_of(uint16_t slope)
{
    struct dword_marks d;

    for (uint32_t i = 0; i < ALIKE_DWORD; i++)
        d.part[i] = mark_of(slope, ALIKE_DWORD, i);
    return d;
}

void alike_write_dwords(struct alike_thread *k, uint32_t at, uint32_t n, uint16_t slope)
{
    const struct dword_marks d = marks_of(slope);

    for (uint32_t i = 0; i < n; i++)
        memcpy(k->mark + at + i * ALIKE_DWORD, &d, sizeof(d));
}

bool alike_are_dwords(const struct alike_thread *k, uint32_t at, uint32_t n,
                      uint16_t slope)
{
    const struct dword_marks d = marks_of(slope);
    const uint8_t *mark = (const uint8_t *)(k->mark + at);
    uint64_t one[2], other[2], differ = 0;

    memcpy(one, &d, sizeof(d));
    for (uint32_t i = 0; i < n; i++) {
        memcpy(other, mark + i * sizeof(d), sizeof(d));
        differ |= (one[0] ^ other[0]) | (one[1] ^ other[1]);
    }
    return differ == 0;
}

void alike_free(struct alike_thread *k, uint32_t at, uint32_t bytes)
{
    if (at + bytes <= EMU_GRF_SIZE && bytes % ALIKE_DWORD == 0) {
        alike_write_dwords(k, at, bytes / ALIKE_DWORD, ALIKE_FREE);
        return;
    }
    for (uint32_t i = 0; i < bytes; i++)
        alike_write(k, at + i, 1, ALIKE_FREE);
}

/* ---- what becomes of it -------------------------------------------------- */

/* Does number D of this slope stand in relation cmod to zero in all groups alike? Where
 * it does not, and one dimension alone decides, groups from there on are left away, if
 * that is the smaller part. */
static bool holds(emu_i128 low, emu_i128 high, uint32_t cmod, bool so)
{
    switch (cmod) {
    case ISA_CMOD_GT:
        return so ? low > 0 : high <= 0;
    case ISA_CMOD_GE:
        return so ? low >= 0 : high < 0;
    case ISA_CMOD_LT:
        return so ? high < 0 : low >= 0;
    case ISA_CMOD_LE:
        return so ? high <= 0 : low > 0;
    case ISA_CMOD_EQ:
    case ISA_CMOD_NE:
        return so == (cmod == ISA_CMOD_EQ) ? low == 0 && high == 0
                                           : low > 0 || high < 0;
    default:
        return false;
    }
}

static bool alike_is_so(int64_t number, uint32_t cmod)
{
    switch (cmod) {
    case ISA_CMOD_GT:
        return number > 0;
    case ISA_CMOD_GE:
        return number >= 0;
    case ISA_CMOD_LT:
        return number < 0;
    case ISA_CMOD_LE:
        return number <= 0;
    case ISA_CMOD_EQ:
        return number == 0;
    default:
        return number != 0;
    }
}

static bool decided(struct emu_alike *a, int64_t number, const struct alike_slope *s,
                    uint32_t cmod)
{
    bool so = alike_is_so(number, cmod);
    uint32_t d = s->by[0] != 0 ? 0 : s->by[1] != 0 ? 1 : 2;
    uint64_t most = a->most[d], low_most = 0, high_most = most;
    emu_i128 low, high;

    find_range(a, number, s, &low, &high);
    if (holds(low, high, cmod, so))
        return true;
    for (uint32_t other = 0; other < 3; other++)
        if (other != d && s->by[other] != 0)
            return false;
    while (low_most < high_most) { /* it holds up to low_most, not beyond high_most */
        a->most[d] = low_most + (high_most - low_most + 1) / 2;
        find_range(a, number, s, &low, &high);
        if (holds(low, high, cmod, so))
            low_most = a->most[d];
        else
            high_most = a->most[d] - 1;
    }
    a->most[d] = low_most >= most / 2 && low_most > 0 ? low_most : most;
    return a->most[d] == low_most;
}

/* The slope of which is zero or not, in the groups where x - y is decided. False: it is
 * FREE. */
bool alike_compare(struct emu_alike *a, const struct alike_number *x,
                   const struct alike_number *y, uint32_t cmod)
{
    struct alike_slope s;

    if (x->slope == ALIKE_FREE || y->slope == ALIKE_FREE || cmod < ISA_CMOD_EQ ||
        cmod > ISA_CMOD_LE)
        return false;
    if (x->slope == ALIKE_SAME && y->slope == ALIKE_SAME)
        return true;
    if (x->bytes > 4 || y->bytes > 4 || !alike_in_type(a, x) || !alike_in_type(a, y))
        return false;
    for (uint32_t d = 0; d < 3; d++)
        s.by[d] = a->slope[x->slope].by[d] - a->slope[y->slope].by[d];
    return decided(a, x->value - y->value, &s, cmod);
}

/* Bits of zeros that the number ends with in all groups. */
static uint32_t zeros(const struct emu_alike *a, uint16_t slope, uint64_t value)
{
    const int64_t *by = a->slope[slope].by;
    uint64_t bits = value | (uint64_t)by[0] | (uint64_t)by[1] | (uint64_t)by[2];

    return bits == 0 ? 64 : (uint32_t)__builtin_ctzll(bits);
}

static uint16_t slope_or(const struct emu_alike *a, const struct alike_number *x,
                         const struct alike_number *y)
{
    uint32_t room = zeros(a, x->slope, (uint64_t)x->value);

    if (y->slope != ALIKE_SAME || (room < 64 && (uint64_t)y->value >> room != 0))
        return ALIKE_FREE;
    return x->slope; /* as a sum */
}

static uint16_t slope_and(const struct emu_alike *a, const struct alike_number *x,
                          const struct alike_number *y)
{
    uint32_t room = zeros(a, x->slope, 0);
    uint64_t mask = (uint64_t)y->value, low = (UINT64_C(1) << (room & 63)) - 1;

    if (y->slope != ALIKE_SAME)
        return ALIKE_FREE;
    if ((mask & ~low) == 0)
        return ALIKE_SAME; /* bits that no group changes */
    if (x->bytes == 4)
        mask |= UINT64_MAX << 32;
    return (mask | low) == UINT64_MAX ? x->slope : ALIKE_FREE;
}

static uint16_t slope_right(struct emu_alike *a, const struct alike_number *x,
                            uint32_t by)
{
    struct alike_slope s = a->slope[x->slope];

    if (zeros(a, x->slope, 0) < by || !alike_in_type(a, x))
        return ALIKE_FREE;
    for (uint32_t d = 0; d < 3; d++)
        s.by[d] >>= by;
    return alike_slope_of(a, s, x->bytes);
}

static uint16_t slope_shift(struct emu_alike *a, const struct emu_op *op,
                            const struct alike_number *x, const struct alike_number *y)
{
    uint32_t by = (uint32_t)y->value & (x->bytes == 8 ? 63 : 31);
    bool sign = isa_type_is_signed((enum isa_type)x->type);
    struct alike_number n = *x;

    if (y->slope != ALIKE_SAME)
        return ALIKE_FREE;
    if (op->opcode == ISA_OP_SHL)
        return alike_sum(a, x->slope, (int64_t)(UINT64_C(1) << by), ALIKE_SAME, 0,
                         x->bytes);
    if (sign == (op->opcode == ISA_OP_ASR))
        return slope_right(a, &n, by);
    if (op->opcode == ISA_OP_ASR || n.bytes != 4)
        return ALIKE_FREE;
    n.type = ISA_TYPE_UD; /* its bits, which are no sign in any group */
    return slope_right(a, &n, by);
}

/* Which numbers of `bytes` each are, of whatever size its sources are. */
static uint16_t widened(const struct emu_alike *a, const struct alike_number *n,
                        uint32_t bytes)
{
    return n->bytes < bytes && n->slope > ALIKE_FREE && !alike_in_type(a, n)
               ? ALIKE_FREE
               : n->slope;
}

static uint16_t slope_product(struct emu_alike *a, uint16_t x, uint16_t y,
                              const struct alike_number *n, uint32_t bytes)
{
    if (x != ALIKE_SAME && y != ALIKE_SAME)
        return ALIKE_FREE;
    return alike_sum(a, x, n[1].value, y, n[0].value, bytes);
}

/* The slope of a result of `bytes`; n[k] is what source k is. */
uint16_t alike_result(struct emu_alike *a, const struct emu_op *op,
                      const struct alike_number *n, uint32_t bytes)
{
    uint16_t w[ISA_MAX_SRC];
    uint32_t all = 0, free = 0, one;

    for (uint32_t k = 0; k < op->nsrc; k++) {
        w[k] = widened(a, &n[k], bytes);
        all |= w[k];
        free |= w[k] == ALIKE_FREE;
    }
    if (all == ALIKE_SAME || free != 0)
        return free != 0 ? ALIKE_FREE : ALIKE_SAME;
    /* Flags and limits are of the exact result, not of its low bits. */
    if (bytes < 4 || op->saturate || op->cmod != ISA_CMOD_NONE)
        return ALIKE_FREE;
    switch (op->opcode) {
    case ISA_OP_MOV:
        return alike_sum(a, w[0], 1, ALIKE_SAME, 0, bytes);
    case ISA_OP_ADD:
        return alike_sum(a, w[0], 1, w[1], 1, bytes);
    case ISA_OP_MUL:
        return slope_product(a, w[0], w[1], n, bytes);
    case ISA_OP_MAD:
        w[1] = slope_product(a, w[1], w[2], n + 1, bytes);
        return w[1] == ALIKE_FREE ? ALIKE_FREE : alike_sum(a, w[0], 1, w[1], 1, bytes);
    default:
        break;
    }
    one = n[0].slope == ALIKE_SAME;
    if (n[0].bytes != bytes ||
        (op->nsrc > 1 &&
         n[one].bytes != bytes)) /* bits of what is as long as the result */
        return ALIKE_FREE;
    switch (op->opcode) {
    case ISA_OP_OR:
        return slope_or(a, &n[one], &n[!one]);
    case ISA_OP_AND:
        return slope_and(a, &n[one], &n[!one]);
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_ASR:
        return slope_shift(a, op, &n[0], &n[1]);
    default:
        return ALIKE_FREE;
    }
}

/* sel: one of two, by a predicate or as the smaller or larger one. */
uint16_t alike_selected(struct emu_alike *a, const struct emu_op *op,
                        const struct alike_number *n, uint32_t bytes, bool free,
                        bool first)
{
    if (op->cmod != ISA_CMOD_NONE) {
        if (n[0].slope == ALIKE_SAME && n[1].slope == ALIKE_SAME)
            return ALIKE_SAME;
        if (!alike_compare(a, &n[0], &n[1], op->cmod)) /* then both are dwords */
            return ALIKE_FREE;
        first = alike_is_so(n[0].value - n[1].value, op->cmod);
    } else if (free) {
        return ALIKE_FREE;
    }
    n += first ? 0 : 1;
    if (n->slope > ALIKE_FREE && (n->bytes != bytes || op->saturate))
        return ALIKE_FREE;
    return n->slope;
}
