/* feature_access.c - a message: its lanes, bytes, strides, and the lines it touches.
 *
 * A send mostly repeats its pattern at another place: the same lanes, as far apart, and
 * as far into a line. What follows from the pattern is found once and counted with the
 * number of its repetitions; only the place is looked at each time. */
#include "traces/features/feature_state.h"

#include <string.h>

uint32_t feature_send_kinds(const struct isa_kernel_code *code, struct send_kind *out)
{
    uint32_t sends = 0, step = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        const struct isa_message *m = &code->inst[i].msg;

        memset(&out[i], 0, sizeof(out[i]));
        out[i].memory = trace_has_access(&code->inst[i]);
        if (!out[i].memory)
            continue;
        out[i].pattern = sends++;
        out[i].texels = m->family == ISA_MSG_SAMPLER;
        out[i].slm = m->addr_model == ISA_ADDR_SLM;
        out[i].write = m->is_write;
        out[i].atomic = m->is_read && m->is_write;
        out[i].bytes = (uint16_t)isa_lane_bytes(m, &out[i].first);
        out[i].lanes = m->simd == 0 ? 1 : m->simd;
        out[i].step = (uint8_t)(step < STEPS && !out[i].slm ? step++ : STEPS);
    }
    return step;
}

/* ---- what a pattern is ------------------------------------------------------ */

/* So many bytes more in the line; slot: place + 1 of each line, by a hash. */
static void add_line(struct pattern *p, uint8_t *slot, uint32_t *bytes, uint64_t line,
                     uint32_t here)
{
    uint8_t at = (uint8_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 56);

    while (slot[at] != 0 && p->line[slot[at] - 1] != line)
        at++;
    if (slot[at] != 0) {
        bytes[slot[at] - 1] += here;
        return;
    }
    if (p->lines == MAX_LINES)
        return;
    p->line[p->lines] = line;
    bytes[p->lines++] = here;
    slot[at] = (uint8_t)p->lines;
}

/* The lines, as distances to that of the first lane. */
static void find_lines(struct pattern *p, const uint64_t *addr, uint32_t bytes)
{
    uint32_t moved[MAX_LINES]; /* those of lanes at one place count twice */
    uint8_t slot[UINT8_MAX + 1] = {0};

    p->lines = p->partial = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t at = addr[i];
        uint32_t left = bytes;

        while (left > 0) {
            uint32_t here = 64 - (uint32_t)(at % 64);

            here = here < left ? here : left;
            add_line(p, slot, moved, at / 64 - addr[0] / 64, here);
            at += here;
            left -= here;
        }
    }
    for (uint32_t i = 0; i < p->lines; i++)
        p->partial += moved[i] < 64;
}

static void find_strides(struct pattern *p, const uint64_t *addr, uint32_t bytes)
{
    memset(p->stride, 0, sizeof(p->stride));
    for (uint32_t i = 1; i < p->count; i++) {
        uint64_t step = addr[i] - addr[i - 1];

        p->stride[step == 0            ? 0
                  : step == bytes      ? 1
                  : step + 63 < 127    ? 2
                  : step + 4095 < 8191 ? 3
                                       : 4]++;
    }
}

/* Lanes that another one with the same address precedes. */
static uint32_t serial(const uint64_t *addr, uint32_t count)
{
    uint32_t behind = 0;

    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (addr[j] == addr[i]) {
                behind++;
                break;
            }
    return behind;
}

static void find_pattern(struct pattern *p, const struct send_kind *s, uint32_t mask,
                         const uint64_t *addr, uint32_t count)
{
    p->mask = mask;
    p->count = count;
    p->into = addr[0] % 64;
    for (uint32_t i = 0; i < count; i++)
        p->delta[i] = addr[i] - addr[0];
    p->step = count > 1 ? p->delta[1] : 0;
    p->row = (mask & (mask + 1)) == 0;
    for (uint32_t i = 0; i < count; i++)
        p->row = p->row && p->delta[i] == i * p->step;
    p->repeats = 0;
    if (s->slm) {
        p->cycles = feature_slm_cycles(addr, count, s->bytes, !s->write, &p->even);
        return;
    }
    p->serial = s->atomic ? serial(addr, count) : 0;
    find_strides(p, addr, s->bytes);
    find_lines(p, addr, s->bytes);
}

static bool same_pattern(const struct pattern *p, uint32_t mask, const uint64_t *addr)
{
    uint64_t other = addr[0] % 64 ^ p->into;

    if (p->mask != mask)
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        other |= (addr[i] - addr[0]) ^ p->delta[i];
    return other == 0;
}

/* ---- what its repetitions count ---------------------------------------------- */

static void count_slm(double *value, const struct send_kind *s, const struct pattern *p)
{
    double times = (double)p->repeats, moved = times * p->count * s->bytes;

    value[FEATURE_SLM_MESSAGES] += times;
    value[FEATURE_SLM_LANES] += times * p->count;
    if (s->atomic)
        value[FEATURE_SLM_ATOMIC_LANES] += times * p->count;
    else
        value[s->write ? FEATURE_SLM_WRITE_BYTES : FEATURE_SLM_READ_BYTES] += moved;
    value[FEATURE_SLM_CYCLES] += times * p->cycles;
    value[FEATURE_SLM_CONFLICTS] += times * (p->cycles - p->even);
    if (p->cycles > value[FEATURE_SLM_WORST])
        value[FEATURE_SLM_WORST] = p->cycles;
}

static void count_global(double *value, const struct send_kind *s,
                         const struct pattern *p)
{
    double times = (double)p->repeats, moved = times * p->count * s->bytes;
    uint32_t bin = 0;

    while (bin < 5 && p->lines > 1u << bin)
        bin++;
    value[FEATURE_LINE_1 + bin] += times;
    value[FEATURE_MEM_MESSAGES] += times;
    value[FEATURE_MEM_LANES] += times * p->count;
    for (uint32_t i = 0; i < STRIDES; i++)
        value[FEATURE_STRIDE_0 + i] += times * p->stride[i];
    if (s->atomic) {
        value[FEATURE_MEM_ATOMIC_LANES] += times * p->count;
        value[FEATURE_ATOMIC_SERIAL] += times * p->serial;
        value[FEATURE_LINE_ATOMIC] += times * p->lines;
        return;
    }
    value[s->write ? FEATURE_MEM_WRITE_BYTES : FEATURE_MEM_READ_BYTES] += moved;
    value[s->write ? FEATURE_LINE_WRITE : FEATURE_LINE_READ] += times * p->lines;
    value[FEATURE_LINE_PARTIAL] += s->write ? times * p->partial : 0;
}

static void count_pattern(double *value, const struct send_kind *s, struct pattern *p)
{
    if (p->repeats == 0)
        return;
    value[p->count == s->lanes       ? FEATURE_DIV_MSG_FULL
          : 2 * p->count >= s->lanes ? FEATURE_DIV_MSG_HALF
                                     : FEATURE_DIV_MSG_FEW] += (double)p->repeats;
    if (s->slm)
        count_slm(value, s, p);
    else
        count_global(value, s, p);
    p->repeats = 0;
}

static void add_repeats(struct pattern *p, struct row *row)
{
    p->repeats += row->repeats;
    row->repeats = 0;
}

/* ---- each message -------------------------------------------------------------- */

void feature_step(struct features *f, struct thread *t, const struct send_kind *s,
                  uint64_t addr)
{
    uint64_t last, step;

    if (s->step == STEPS)
        return;
    last = t->last[s->step];
    t->last[s->step] = addr + 1;
    if (last == 0)
        return;
    step = addr + 1 > last ? addr + 1 - last : last - addr - 1;
    f->steps[step == 0 ? 0 : step < 64 ? 1 : step < 256 ? 2 : step < 4096 ? 3 : 4]++;
}

/* The place of a send's patterns, by where in a line it begins. */
static size_t pattern_at(const struct features *f, const struct send_kind *s,
                         uint64_t addr)
{
    return s->pattern * (size_t)f->ways + (addr / 4 & (f->ways - 1));
}

void feature_place(struct features *f, struct thread *t, const struct send_kind *s,
                   uint64_t addr, const uint64_t *line, uint32_t lines)
{
    feature_step(f, t, s, addr);
    feature_touch(f, t, addr / 64, line, lines, s->write);
}

/* The lanes that are on: their addresses, without those between and with the distance
 * to the first of their bytes. */
static const uint64_t *lanes_on(const struct send_kind *s, uint32_t mask,
                                const uint64_t *addr, uint64_t *on, uint32_t *count)
{
    uint32_t n = 0;

    if ((mask & (mask + 1)) == 0 && s->first == 0) { /* without a gap */
        *count = 32 - (uint32_t)__builtin_clz(mask);
        return addr;
    }
    for (; mask != 0; mask &= mask - 1)
        on[n++] = addr[__builtin_ctz(mask)] + s->first;
    *count = n;
    return on;
}

const struct pattern *feature_lanes(struct features *f, uint32_t inst, uint32_t mask,
                                    const uint64_t *addr, uint64_t times)
{
    const struct send_kind *s = &f->sends[inst];
    struct pattern *p;
    struct row *row;
    uint64_t on[TRACE_MAX_LANES];
    uint32_t count;

    mask &= s->texels ? (UINT32_C(1) << ISA_TEXEL_FURTHER) - 1 : UINT32_MAX;
    if (mask == 0) {
        f->value[FEATURE_MEM_EMPTY] += (double)times;
        return NULL;
    }
    addr = lanes_on(s, mask, addr, on, &count);
    p = &f->patterns[pattern_at(f, s, addr[0])];
    row = &f->rows_known[p - f->patterns];
    if (!same_pattern(p, mask, addr)) {
        add_repeats(p, row);
        count_pattern(f->value, s, p);
        find_pattern(p, s, mask, addr, count);
        *row = (struct row){p->step, 0, p->row ? mask : 0, (uint32_t)p->into};
    }
    p->repeats += times;
    return p;
}

void feature_access(struct features *f, struct thread *t, uint32_t inst, uint32_t mask,
                    const uint64_t *addr)
{
    const struct send_kind *s = &f->sends[inst];
    const struct pattern *p = feature_lanes(f, inst, mask, addr, 1);

    if (p != NULL && !s->slm)
        feature_place(f, t, s, addr[__builtin_ctz(mask)] + s->first, p->line, p->lines);
}

const struct pattern *feature_row(struct features *f, uint64_t head, uint64_t first,
                                  uint64_t times)
{
    const struct send_kind *s = &f->sends[told_what(head)];
    uint64_t at = first + s->first, step = told_count(head), addr[TRACE_MAX_LANES];
    uint32_t mask = told_mask(head);
    size_t place = pattern_at(f, s, at);
    struct row *row = &f->rows_known[place];

    if (row->mask == mask && row->step == step && row->into == at % 64 && mask != 0) {
        row->repeats += times;
        return &f->patterns[place];
    }
    for (uint32_t i = 0; i < TRACE_MAX_LANES; i++)
        addr[i] = first + i * step;
    return feature_lanes(f, told_what(head), mask, addr, times);
}

static void row_once(struct features *f, struct thread *t, uint64_t head,
                     uint64_t first)
{
    const struct send_kind *s = &f->sends[told_what(head)];
    const struct pattern *p = feature_row(f, head, first, 1);

    if (p != NULL && !s->slm)
        feature_place(f, t, s, first + s->first, p->line, p->lines);
}

/* ---- groups of them ------------------------------------------------------------ */

static bool same_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    uint64_t other = 0;

    for (uint32_t k = 0; k < n; k++)
        other |= a[k] ^ b[k];
    return other == 0;
}

static bool slm_rows(const struct features *f, const uint64_t *head, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if ((head[k] & TOLD_KIND) != TOLD_ROW || !f->sends[told_what(head[k])].slm)
            return false;
    return true;
}

static void count_group(struct features *f, struct group_known *g)
{
    for (uint32_t k = 0; k < g->n; k++)
        (void)feature_row(f, g->head[k], g->at[k], g->repeats);
    g->n = 0;
}

/* What is counted of SLM does not depend on the order: a group that comes again is
 * counted as one. False: it is not of SLM alone. */
static bool slm_group(struct features *f, const uint64_t *head, const uint64_t *at,
                      uint32_t n)
{
    uint64_t key =
        (told_what(head[0]) + at[0] * 3 + at[n - 1]) * UINT64_C(0x9e3779b97f4a7c15);
    struct group_known *g = &f->group[key >> 56];

    if (g->n == n && same_words(g->head, head, n) && same_words(g->at, at, n)) {
        g->repeats++;
        return true;
    }
    if (!slm_rows(f, head, n))
        return false;
    count_group(f, g);
    g->n = n;
    g->repeats = 1;
    memcpy(g->head, head, n * sizeof(*head));
    memcpy(g->at, at, n * sizeof(*at));
    return true;
}

void feature_group(struct features *f, struct thread *t, const uint64_t *word)
{
    const uint64_t *head = word + 1, *at = head + told_count(*word);
    uint32_t n = told_what(*word);

    if (n > 1 && slm_group(f, head, at, n))
        return;
    for (uint32_t k = 0; k < n; k++) {
        if ((head[k] & TOLD_KIND) == TOLD_ROW)
            row_once(f, t, head[k], at[k]);
        else
            feature_access(f, t, told_what(head[k]), told_mask(head[k]), word + at[k]);
    }
}

void feature_patterns_done(struct features *f)
{
    for (uint32_t i = 0; i < GROUPS; i++)
        count_group(f, &f->group[i]);
    for (uint32_t i = 0; i < f->kernel->code.count; i++)
        for (uint32_t way = 0; f->sends[i].memory && way < f->ways; way++) {
            size_t place = f->sends[i].pattern * (size_t)f->ways + way;

            add_repeats(&f->patterns[place], &f->rows_known[place]);
            count_pattern(f->value, &f->sends[i], &f->patterns[place]);
        }
}
