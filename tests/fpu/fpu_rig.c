/* fpu_rig.c - see fpu_case.h. */
#include "fpu_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 32, SHOWN = 10 };

struct clocked { /* the cases of one clock */
    uint32_t count;
    struct fpu_case c[FPU_RTL_SLOTS];
};

struct fpu_rig {
    void *fpu;
    struct clocked ring[RING];
    uint64_t sent, back;
    uint64_t cases, differences;
};

uint32_t fpu_slot_bits(const struct fpu_op *op)
{
    struct fpu_rtl_in in = {.dtype = op->dtype};

    for (uint32_t k = 0; k < 3; k++)
        in.stype[k] = op->stype[k < op->nsrc ? k : 0];
    return fpu_rtl_slot_bits(&in);
}

const char *fpu_op_text(const struct fpu_op *op)
{
    static const char *const names[IGPU_FPU_OP_COUNT] = {
        "mov",  "add",  "mul",   "mad",  "cmp",  "sel",  "csel", "rndd",
        "rndu", "rnde", "rndz",  "frc",  "and",  "or",   "xor",  "not",
        "shl",  "shr",  "asr",   "avg",  "addc", "subb", "mach", "bfe",
        "bfi1", "bfi2", "bfrev", "cbit", "fbh",  "fbl",  "lzd",  "cmpn"};
    static const char *const mods[] = {"", "(abs)", "-", "-(abs)"};
    static const char *const rounding[] = {"rne", "ru", "rd", "rtz"};
    static char text[160];
    int n;

    n = snprintf(text, sizeof(text), "%s%s%s%s %s <-", names[op->op],
                 op->cmod ? "." : "", isa_cmod_name((enum isa_cmod)op->cmod),
                 op->saturate ? ".sat" : "", isa_type_name((enum isa_type)op->dtype));
    for (uint32_t k = 0; k < op->nsrc; k++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, " %s%s", mods[op->mod[k] & 3],
                      isa_type_name((enum isa_type)op->stype[k]));
    snprintf(text + n, sizeof(text) - (size_t)n, " (%s%s, flush %u)",
             rounding[op->rnd & 3], op->int_round ? " to integers too" : "",
             op->ftz & 7u);
    return text;
}

static uint64_t slot(const void *words, uint32_t bits, uint32_t i)
{
    uint64_t value = 0;

    memcpy(&value, (const uint8_t *)words + i * bits / 8, bits / 8);
    return value;
}

static void show(const struct fpu_case *c, uint32_t lane, uint64_t bits, uint32_t exc,
                 bool flag, bool carry)
{
    printf("# %s, slot %u: ", fpu_op_text(&c->op), lane);
    for (uint32_t k = 0; k < c->op.nsrc; k++)
        printf("%#llx ", (unsigned long long)c->src[k]);
    printf("gives %#llx exc %x flag %d carry %d, not %#llx exc %x flag %d carry %d\n",
           (unsigned long long)bits, exc, flag, carry, (unsigned long long)c->want.bits,
           c->want.exc, c->want.flag, c->want.carry);
}

static void compare(struct fpu_rig *rig, const struct fpu_rtl_out *out)
{
    struct clocked *e = &rig->ring[rig->back++ % RING];

    for (uint32_t i = 0; i < e->count; i++) {
        const struct fpu_want *w = &e->c[i].want;
        uint64_t bits = slot(&out->result, fpu_slot_bits(&e->c[i].op), i);
        uint32_t exc = out->exc >> (4 * i) & 15;
        bool flag = out->flag >> i & 1, carry = out->carry >> i & 1;
        uint32_t op = e->c[i].op.op;
        bool has_carry = op == IGPU_FPU_OP_ADDC || op == IGPU_FPU_OP_SUBB;

        rig->cases++;
        if ((w->any_bits || bits == w->bits) && (w->any_exc || exc == w->exc) &&
            (w->any_flag || !e->c[i].op.cmod || flag == w->flag) &&
            (!has_carry || carry == w->carry))
            continue;
        if (rig->differences++ < SHOWN)
            show(&e->c[i], i, bits, exc, flag, carry);
    }
}

static void clock_once(struct fpu_rig *rig, const struct fpu_rtl_in *in)
{
    struct fpu_rtl_out out;
    bool taken;

    do
        if (fpu_rtl_clock(rig->fpu, in, &taken, &out))
            compare(rig, &out);
    while (in != NULL && !taken);
}

/* Give the clock that is filling to the RTL. */
static void send(struct fpu_rig *rig)
{
    struct clocked *e = &rig->ring[rig->sent % RING];
    const struct fpu_op *op = &e->c[0].op;
    uint32_t bits = fpu_slot_bits(op);
    struct fpu_rtl_in in;

    if (e->count == 0)
        return;
    memset(&in, 0, sizeof(in));
    in.op = op->op;
    in.dtype = op->dtype;
    in.cmod = op->cmod;
    in.rnd = op->rnd;
    in.ftz = op->ftz;
    in.int_round = op->int_round;
    in.saturate = op->saturate;
    for (uint32_t k = 0; k < 3; k++) {
        in.stype[k] = op->stype[k < op->nsrc ? k : 0];
        in.mod[k] = k < op->nsrc ? op->mod[k] : 0;
    }
    for (uint32_t i = 0; i < e->count; i++) {
        in.pred = (uint8_t)(in.pred | e->c[i].pred << i);
        for (uint32_t k = 0; k < op->nsrc; k++)
            memcpy((uint8_t *)&in.src[k] + i * bits / 8, &e->c[i].src[k], bits / 8);
    }
    rig->sent++;
    rig->ring[rig->sent % RING].count = 0;
    clock_once(rig, &in);
}

void fpu_rig_add(struct fpu_rig *rig, const struct fpu_case *c)
{
    struct clocked *e = &rig->ring[rig->sent % RING];

    if (e->count != 0 && memcmp(&e->c[0].op, &c->op, sizeof(c->op)) != 0) {
        send(rig);
        e = &rig->ring[rig->sent % RING];
    }
    e->c[e->count++] = *c;
    if (e->count == 128 / fpu_slot_bits(&c->op))
        send(rig);
}

uint64_t fpu_rig_finish(struct fpu_rig *rig, uint64_t *cases)
{
    uint64_t differences;

    send(rig);
    for (uint32_t i = 0; i < FPU_RTL_LATENCY + 2; i++)
        clock_once(rig, NULL);
    if (rig->back != rig->sent) {
        printf("# %llu results are missing\n",
               (unsigned long long)(rig->sent - rig->back));
        rig->differences++;
        rig->back = rig->sent;
    }
    differences = rig->differences;
    if (cases != NULL)
        *cases = rig->cases;
    rig->cases = rig->differences = 0;
    return differences;
}

struct fpu_rig *fpu_rig_new(void)
{
    struct fpu_rig *rig = calloc(1, sizeof(*rig));

    if (rig == NULL)
        abort();
    rig->fpu = fpu_rtl_new();
    return rig;
}

void fpu_rig_free(struct fpu_rig *rig)
{
    fpu_rtl_free(rig->fpu);
    free(rig);
}
