/* lockstep.c - see lockstep.h. Of the RTL's registers there is a copy here, made of
 * what it says that it writes: that is what is compared. */
#include "bridge/engines/rtl/lockstep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/engines/rtl/eu_registers.h"
#include "bridge/engines/rtl/isa_uops.h"
#include "bridge/engines/rtl/lockstep_refuse.h"
#include "igpu/host.h"
#include "traces/feed/beside.h"
#include "traces/launch/launch.h"

enum {
    PLACES = HOST_MAX_TILES * HOST_EUS * HOST_SLOTS,
    PATIENCE =
        20000,     /* clocks that an instruction may take, and far more than any does */
    POISON = 0xA5, /* in an answer's channels that are off */
    PCS = 8        /* of a row */
};

struct place {                       /* a thread slot */
    const struct emu_step_thread *t; /* NULL: a shader's, and .. */
    struct emu_step_state now;       /* .. what it was last told to be like */
    uint64_t number;
    bool known; /* the RTL's registers are those of r */
    bool busy;
    bool refused;
    uint32_t at;           /* the instruction that is under way, */
    uint32_t payload;      /* ... registers of its payload that have come */
    struct eu_registers r; /* the RTL's */
};

struct lockstep {
    struct execute_beside beside;
    struct emu_shader_beside shaders;
    void *rtl;
    char what[48];    /* the launch, the shader */
    uint64_t threads; /* of shaders */
    const struct isa_kernel_code *code;
    struct place place[PLACES];
    uint64_t instructions, lanes, payload, clocks;
    uint64_t refused[ISA_OP_COUNT];
    enum igpu_status status;
    struct igpu_err err;
};

_Static_assert((int)PLACES <= (int)EU_VALUES_THREADS, "a thread of the RTL for each");

/* ---- what differs --------------------------------------------------------- */

/* The channel whose result has this byte of the register file; -1: none. */
static int channel_of(const struct isa_inst *in, const uint16_t *addr, uint32_t byte)
{
    const struct isa_operand *d = &in->dst;
    uint32_t size = isa_type_bytes((enum isa_type)d->type);
    uint32_t at = d->indirect ? addr[d->addr_sub] + (uint32_t)d->addr_imm
                              : d->reg * (uint32_t)ISA_GRF_BYTES + d->byte;

    for (int i = 0; i < in->exec_size; i++) {
        uint32_t from = at + (uint32_t)i * size * (d->hstride != 0 ? d->hstride : 1u);

        if (byte >= from && byte < from + size)
            return i;
    }
    return -1;
}

/* The first difference counts. */
static void differs(struct lockstep *l, const struct place *p, int channel,
                    const char *what, uint64_t expected, uint64_t found)
{
    const struct isa_inst *in = &l->code->inst[p->at];
    char text[160], lane[24] = "";

    if (l->status != IGPU_OK)
        return;
    (void)isa_disasm(in, text, sizeof(text));
    if (channel >= 0)
        snprintf(lane, sizeof(lane), ", channel %d", channel);
    l->status =
        igpu_fail(&l->err, IGPU_SIM_ERROR,
                  "--rtl-values: %s, thread %" PRIu64 ", instruction at 0x%" PRIX32
                  " (%s)%s: %s: expected 0x%" PRIX64 ", found 0x%" PRIX64,
                  l->what, p->number, in->pc, text + strspn(text, " "), lane, what,
                  expected, found);
}

static void state_look(const struct place *p, struct emu_step_state *s)
{
    if (p->t != NULL)
        emu_step_look(p->t, s);
    else
        *s = p->now;
}

static uint32_t dword(const uint8_t *p)
{
    uint32_t x;

    memcpy(&x, p, sizeof(x));
    return x;
}

static void compare_bytes(struct lockstep *l, const struct place *p, const uint8_t *rtl,
                          const uint8_t *emu, uint32_t bytes, const char *file)
{
    const struct isa_inst *in = &l->code->inst[p->at];
    bool grf = bytes == GRF_BYTES;
    char what[32];

    if (memcmp(rtl, emu, bytes) == 0)
        return;
    for (uint32_t b = 0; b < bytes; b++) {
        if (rtl[b] == emu[b])
            continue;
        snprintf(what, sizeof(what), "%s%u, byte %u", file, b / ISA_GRF_BYTES,
                 b % ISA_GRF_BYTES / 4 * 4);
        b = b / 4 * 4;
        for (uint32_t i = b; i < b + 4 && grf; i++)
            if (rtl[i] != emu[i]) {
                differs(l, p, channel_of(in, p->r.addr, i), what, dword(emu + b),
                        dword(rtl + b));
                return;
            }
        differs(l, p, -1, what, dword(emu + b), dword(rtl + b));
        return;
    }
}

static void compare_flags(struct lockstep *l, const struct place *p,
                          const struct emu_step_state *s)
{
    const struct isa_inst *in = &l->code->inst[p->at];

    for (int f = 0; f < 2; f++) {
        uint32_t wrong = p->r.flag[f] ^ s->flag[f];
        int channel =
            wrong == 0 ? -1
                       : __builtin_ctz(wrong) - 16 * (in->flag & 1) - in->chan_offset;

        if (wrong != 0)
            differs(l, p, channel < in->exec_size ? channel : -1, f ? "f1" : "f0",
                    s->flag[f], p->r.flag[f]);
    }
}

static void state_compare(struct lockstep *l, const struct place *p,
                          const struct emu_step_state *s)
{
    compare_bytes(l, p, p->r.grf, s->grf, GRF_BYTES, "r");
    compare_flags(l, p, s);
    compare_bytes(l, p, p->r.acc, s->acc, ACC_BYTES, "acc0 + ");
    compare_bytes(l, p, (const uint8_t *)p->r.addr, (const uint8_t *)s->addr,
                  sizeof(p->r.addr), "a");
    if (p->r.ctrl != s->ctrl[0])
        differs(l, p, -1, "cr0", s->ctrl[0], p->r.ctrl);
}

/* ---- clocks ---------------------------------------------------------------- */

static void sync_place(struct lockstep *l, unsigned place);

static void over(struct lockstep *l, unsigned place)
{
    struct place *p = &l->place[place];
    const struct isa_inst *in = &l->code->inst[p->at];
    struct emu_step_state s;

    p->busy = false;
    if (p->refused)
        return; /* settle() brings what the emulator did */
    state_look(p, &s);
    if (isa_opcode_class((enum isa_opcode)in->op) == ISA_CLASS_SEND &&
        isa_message_is_known(&in->msg) &&
        p->payload !=
            (uint32_t)in->msg.mlen + (in->nsrc > 1 && in->src[1].file == ISA_FILE_GRF
                                          ? in->msg.ext_mlen
                                          : 0u))
        differs(l, p, -1, "registers of the payload", in->msg.mlen, p->payload);
    state_compare(l, p, &s);
}

/* A register of a payload, as the emulator has it. */
static void paid(struct lockstep *l, const struct eu_values_out *o)
{
    struct place *p = &l->place[o->pay_thread];
    const struct isa_inst *in = &l->code->inst[p->at];
    uint32_t k = p->payload++, reg = in->src[0].reg + k;
    struct emu_step_state s;
    char what[40];

    l->payload++;
    state_look(p, &s);
    if (k >= in->msg.mlen && in->nsrc > 1)
        reg = in->src[1].reg + (k - in->msg.mlen);
    reg %= ISA_GRF_COUNT;
    for (uint32_t i = 0; i < 8; i++)
        if (o->pay_data[i] != dword(s.grf + reg * ISA_GRF_BYTES + 4 * i)) {
            snprintf(what, sizeof(what), "payload's register %u (r%u), byte %u", k, reg,
                     4 * i);
            differs(l, p, -1, what, dword(s.grf + reg * ISA_GRF_BYTES + 4 * i),
                    o->pay_data[i]);
            return;
        }
}

/* Which channels were executed, and where the thread goes on. */
static void left(struct lockstep *l, const struct eu_values_out *o)
{
    struct place *p = &l->place[o->left_thread];
    const struct isa_inst *in = &l->code->inst[p->at];
    enum isa_class c = isa_opcode_class((enum isa_opcode)in->op);
    bool values = c != ISA_CLASS_BRANCH && c != ISA_CLASS_SYNC && c != ISA_CLASS_NOP;
    struct emu_step_state s;

    state_look(p, &s);
    p->refused = o->left_refused;
    if (o->left_refused != lockstep_refuses(in))
        differs(l, p, -1, o->left_refused ? "refused" : "not refused", !o->left_refused,
                o->left_refused);
    if (o->left_refused)
        return;
    if (values && o->left_exec != s.mask)
        differs(l, p, __builtin_ctz(o->left_exec ^ s.mask), "channels executed", s.mask,
                o->left_exec);
    if (!in->eot && s.at < l->code->count && o->left_at != l->code->inst[s.at].pc / 8)
        differs(l, p, -1, "goes on at", l->code->inst[s.at].pc, 8 * o->left_at);
}

static void clock_it(struct lockstep *l, const struct eu_values_in *in,
                     struct eu_values_out *o)
{
    eu_values_clock(l->rtl, in, o);
    l->clocks++;
    if (o->wrote || o->wrote_flag)
        eu_registers_write(&l->place[o->wrote_thread].r, o);
    if (o->pay)
        paid(l, o);
    if (o->left)
        left(l, o);
    if (o->left && o->left_over)
        over(l, o->left_thread);
    if (o->pay && o->pay_last)
        over(l, o->pay_thread);
    if (o->over)
        over(l, o->over_thread);
}

static void give(struct lockstep *l, const struct eu_values_in *in)
{
    struct eu_values_out o = {0};

    for (uint32_t i = 0; i < PATIENCE && l->status == IGPU_OK; i++) {
        clock_it(l, in, &o);
        if (o.issued || o.poked)
            return;
    }
    if (l->status == IGPU_OK)
        l->status = igpu_fail(&l->err, IGPU_SIM_ERROR,
                              "--rtl-values: %s: the RTL does not go on", l->what);
}

static void settle(void *ctx, unsigned place, const struct emu_step_thread *t)
{
    const struct eu_values_in none = {.issue = false};
    struct lockstep *l = ctx;
    struct place *p = &l->place[place];
    struct eu_values_out o;

    (void)t;
    for (uint32_t i = 0; p->busy && i < PATIENCE && l->status == IGPU_OK; i++)
        clock_it(l, &none, &o);
    if (p->busy && l->status == IGPU_OK)
        differs(l, p, -1, "clocks", PATIENCE, PATIENCE);
    if (p->refused && l->status == IGPU_OK)
        sync_place(l, place);
    p->refused = false;
}

/* ---- registers from outside -------------------------------------------------- */

static void poke(struct lockstep *l, unsigned place, enum eu_poke kind, uint32_t row,
                 const void *data, uint32_t bytes)
{
    struct eu_values_in in = {.poke = true,
                              .poke_thread = (uint16_t)place,
                              .poke_kind = (uint8_t)kind,
                              .poke_row = (uint8_t)row,
                              .block = true};

    memcpy(in.data, data, bytes);
    give(l, &in);
}

static uint32_t pc_of(const struct lockstep *l, uint32_t at)
{
    return at < l->code->count ? l->code->inst[at].pc / 8 : UINT32_MAX;
}

static void poke_lanes(struct lockstep *l, unsigned place,
                       const struct emu_step_state *s)
{
    uint32_t lanes[3] = {s->active, s->live, pc_of(l, s->next_pc)}, pcs[PCS];

    poke(l, place, EU_POKE_LANES, 0, lanes, sizeof(lanes));
    for (uint32_t row = 0; row < ISA_MAX_SIMD / PCS; row++) {
        for (uint32_t i = 0; i < PCS; i++)
            pcs[i] =
                s->live >> (PCS * row + i) & 1 ? pc_of(l, s->pc[PCS * row + i]) : 0;
        poke(l, place, EU_POKE_PC, row, pcs, sizeof(pcs));
    }
}

static void poke_others(struct lockstep *l, unsigned place,
                        const struct emu_step_state *s)
{
    struct eu_registers *r = &l->place[place].r;

    memcpy(r->flag, s->flag, sizeof(r->flag));
    memcpy(r->addr, s->addr, sizeof(r->addr));
    r->ctrl = s->ctrl[0];
    poke(l, place, EU_POKE_FLAG, 0, r->flag, sizeof(r->flag));
    poke(l, place, EU_POKE_ADDR, 0, r->addr, sizeof(r->addr));
    poke(l, place, EU_POKE_CTRL, 0, &r->ctrl, sizeof(r->ctrl));
    poke(l, place, EU_POKE_STATE, 0, s->state, 16);
}

/* Registers that are other than the emulator's, or all. */
static void poke_registers(struct lockstep *l, unsigned place,
                           const struct emu_step_state *s, bool all)
{
    struct eu_registers *r = &l->place[place].r;

    for (uint32_t i = 0; i < GRF_BYTES; i += ISA_GRF_BYTES)
        if (all || memcmp(r->grf + i, s->grf + i, ISA_GRF_BYTES) != 0)
            poke(l, place, EU_POKE_GRF, i / ISA_GRF_BYTES, s->grf + i, ISA_GRF_BYTES);
    for (uint32_t i = 0; i < ACC_BYTES; i += ISA_GRF_BYTES)
        if (all || memcmp(r->acc + i, s->acc + i, ISA_GRF_BYTES) != 0)
            poke(l, place, EU_POKE_ACC, i / ISA_GRF_BYTES, s->acc + i, ISA_GRF_BYTES);
    memcpy(r->grf, s->grf, GRF_BYTES);
    memcpy(r->acc, s->acc, ACC_BYTES);
}

/* What the emulator did of an instruction that the RTL does not compute. */
static void sync_place(struct lockstep *l, unsigned place)
{
    struct place *p = &l->place[place];
    const struct isa_inst *in = &l->code->inst[p->at];
    struct emu_step_state s;

    l->refused[in->op]++;
    state_look(p, &s);
    poke_registers(l, place, &s, false);
    poke_others(l, place, &s);
    if (isa_opcode_class((enum isa_opcode)in->op) == ISA_CLASS_BRANCH ||
        in->dst.file == ISA_FILE_STATE) /* its dispatch mask */
        poke_lanes(l, place, &s);
}

/* ---- what threads do ----------------------------------------------------------- */

/* What the timing depends on, of every instruction: the RTL's decoder against what the
 * feeder makes of it, which the engine has. */
static bool compare_uops(struct lockstep *l, const uint8_t *text, size_t bytes)
{
    for (uint32_t i = 0; i < l->code->count; i++) {
        const struct isa_inst *in = &l->code->inst[i];
        uint8_t raw[2 * 8] = {0};
        struct place none = {.at = i};
        uint64_t got, want;
        const char *what;
        struct uop rtl;

        memcpy(raw, text + in->pc, in->pc + in->size <= bytes ? in->size : 0);
        isa_uops_decode(raw, &rtl);
        what = isa_uops_differs(in, &rtl, &got, &want);
        if (what != NULL) {
            differs(l, &none, -1, what, want, got);
            return false;
        }
    }
    return true;
}

/* Code of l->what: into the RTL's store. */
static enum igpu_status take_code(struct lockstep *l,
                                  const struct isa_kernel_code *code, const void *text,
                                  size_t bytes, struct igpu_err *err)
{
    if (bytes > (size_t)EU_VALUES_WORDS * 8)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "--rtl-values: a kernel of %zu bytes; the RTL's store has %d",
                         bytes, EU_VALUES_WORDS * 8);
    l->code = code;
    if (!compare_uops(l, text, bytes))
        return igpu_fail(err, l->status, "%s", l->err.text);
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = 0;

        memcpy(&word, (const uint8_t *)text + i, bytes - i < 8 ? bytes - i : 8);
        eu_values_store(l->rtl, (uint32_t)(i / 8), word);
    }
    return IGPU_OK;
}

enum igpu_status lockstep_code(struct lockstep *l, uint32_t launch,
                               const struct isa_kernel_code *code, const void *text,
                               size_t bytes, struct igpu_err *err)
{
    snprintf(l->what, sizeof(l->what), "launch %" PRIu32, launch);
    return take_code(l, code, text, bytes, err);
}

static enum igpu_status launch_begin(void *ctx, const struct launch_file *file,
                                     uint32_t index, const struct isa_kernel_code *code,
                                     struct igpu_err *err)
{
    struct lockstep *l = ctx;
    size_t bytes;
    const uint8_t *text = launch_file_text(file, index, &bytes);

    if (l->status != IGPU_OK)
        return igpu_fail(err, l->status, "%s", l->err.text);
    if (text == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "--rtl-values: the launch file does not have its kernels' "
                         "instructions as encoded; record it again");
    return lockstep_code(l, index, code, text, bytes, err);
}

/* A thread's registers and lanes before its first instruction. */
static void instruction_start(struct lockstep *l, unsigned place,
                              const struct emu_step_state *s)
{
    struct place *p = &l->place[place];

    p->at = 0;
    poke_registers(l, place, s, !p->known);
    p->known = true;
    poke_others(l, place, s);
    poke_lanes(l, place, s);
    poke(l, place, EU_POKE_STATE, 1, s->state, 16);
}

static void open_place(void *ctx, unsigned place, const struct emu_step_thread *t,
                       uint64_t number)
{
    struct lockstep *l = ctx;
    struct place *p = &l->place[place];
    struct emu_step_state s;

    settle(l, place, t);
    p->t = t;
    p->number = number;
    emu_step_look(t, &s);
    instruction_start(l, place, &s);
}

static void issue(struct lockstep *l, unsigned place, uint32_t at, uint64_t cycle)
{
    struct place *p = &l->place[place];
    struct eu_values_in in = {.issue = true,
                              .issue_thread = (uint16_t)place,
                              .issue_pc = l->code->inst[at].pc / 8,
                              .issue_now = cycle};
    struct emu_step_state s;

    if (l->status != IGPU_OK)
        return;
    state_look(p, &s);
    p->busy = true;
    p->refused = false;
    p->at = at;
    p->payload = 0;
    l->instructions++;
    l->lanes += (uint64_t)__builtin_popcount(s.mask);
    give(l, &in);
}

static void issued(void *ctx, unsigned place, const struct emu_step_thread *t,
                   uint32_t at, uint64_t cycle)
{
    (void)t;
    issue(ctx, place, at, cycle);
}

static bool by_channel(const struct isa_message *m)
{
    switch (m->family) {
    case ISA_MSG_UNTYPED_READ:
    case ISA_MSG_UNTYPED_ATOMIC:
    case ISA_MSG_FLOAT_ATOMIC:
    case ISA_MSG_SCATTERED_READ:
        return m->simd == 8 || m->simd == 16;
    default:
        return false;
    }
}

/* A register of the answer: what belongs to channels that are off is not to be
 * written. */
static void send_answer(struct lockstep *l, unsigned place, const struct isa_inst *in,
                        uint32_t k, uint32_t mask)
{
    struct eu_registers *r = &l->place[place].r;
    const struct isa_message *m = &in->msg;
    uint32_t slot = m->slot_bytes != 0 ? m->slot_bytes : 4, row = in->dst.reg + k;
    struct eu_values_in g = {.poke = true,
                             .poke_thread = (uint16_t)place,
                             .poke_kind = EU_POKE_GRF,
                             .poke_row = (uint8_t)row,
                             .mask = mask,
                             .wide = slot == 8,
                             .block = !by_channel(m)};
    uint8_t *data = (uint8_t *)g.data;
    struct emu_step_state s;

    state_look(&l->place[place], &s);
    memcpy(data, s.grf + row * ISA_GRF_BYTES, ISA_GRF_BYTES);
    memcpy(r->grf + row * ISA_GRF_BYTES, data, ISA_GRF_BYTES);
    if (!g.block) {
        g.first = (uint8_t)(k * ISA_GRF_BYTES / slot % m->simd);
        for (uint32_t b = 0; b < ISA_GRF_BYTES; b++)
            if (!(mask >> (g.first + b / slot) & 1))
                data[b] = POISON;
    }
    give(l, &g);
}

static void granted(void *ctx, unsigned place, const struct emu_step_thread *t,
                    uint32_t at, uint32_t mask)
{
    struct lockstep *l = ctx;
    const struct isa_inst *in = &l->code->inst[at];

    (void)t;
    if (in->dst.file != ISA_FILE_GRF || in->msg.family == ISA_MSG_BARRIER)
        return;
    for (uint32_t k = 0; k < in->msg.rlen && in->dst.reg + k < ISA_GRF_COUNT; k++)
        send_answer(l, place, in, k, mask);
}

/* ---- shaders ----------------------------------------------------------------------
 * One instruction after the other: each is over, and compared, before the next one is
 * executed. */

static enum igpu_status shader_status(const struct lockstep *l, struct igpu_err *err)
{
    return l->status == IGPU_OK ? IGPU_OK
                                : igpu_fail(err, l->status, "%s", l->err.text);
}

static enum igpu_status shader_begins(void *ctx, const struct emu_shader_begun *shader,
                                      uint32_t thread,
                                      const struct emu_step_state *state,
                                      struct igpu_err *err)
{
    struct lockstep *l = ctx;
    enum igpu_status status = shader_status(l, err);

    if (status == IGPU_OK && thread >= PLACES)
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "--rtl-values: %s: %u threads at a time; the RTL has %d",
                         shader->name, thread + 1, PLACES);
    if (status == IGPU_OK && l->code != shader->code) {
        snprintf(l->what, sizeof(l->what), "%s", shader->name);
        status = take_code(l, shader->code, shader->text, shader->bytes, err);
    }
    if (status != IGPU_OK)
        return status;
    l->place[thread].t = NULL;
    l->place[thread].now = *state;
    l->place[thread].number = l->threads++;
    instruction_start(l, thread, state);
    return shader_status(l, err);
}

static enum igpu_status shader_issued(void *ctx, uint32_t thread, uint32_t at,
                                      const struct emu_step_state *state,
                                      struct igpu_err *err)
{
    struct lockstep *l = ctx;

    l->place[thread].now = *state;
    issue(l, thread, at, state->executed - 1);
    settle(l, thread, NULL);
    return shader_status(l, err);
}

static enum igpu_status shader_granted(void *ctx, uint32_t thread, uint32_t at,
                                       const struct emu_step_state *state,
                                       struct igpu_err *err)
{
    struct lockstep *l = ctx;

    l->place[thread].now = *state;
    if (l->code->inst[at].msg.desc_reg) /* how long the answer is, a0 says */
        poke_registers(l, thread, state, false);
    else
        granted(l, thread, NULL, at, state->mask);
    return shader_status(l, err);
}

static enum igpu_status status_of(const void *ctx, struct igpu_err *err)
{
    const struct lockstep *l = ctx;

    if (l->status != IGPU_OK && err != NULL)
        *err = l->err;
    return l->status;
}

/* ---- the table --------------------------------------------------------------------
 */

enum igpu_status lockstep_create(struct lockstep **lockstep, struct igpu_err *err)
{
    struct lockstep *l = calloc(1, sizeof(*l));

    *lockstep = l;
    if (l == NULL)
        return igpu_no_memory(err, "--rtl-values");
    l->rtl = eu_values_new();
    l->beside = (struct execute_beside){.ctx = l,
                                        .launch = launch_begin,
                                        .open = open_place,
                                        .settle = settle,
                                        .issued = issued,
                                        .granted = granted,
                                        .status = status_of};
    l->shaders =
        (struct emu_shader_beside){l, shader_begins, shader_issued, shader_granted};
    return IGPU_OK;
}

void lockstep_destroy(struct lockstep *l)
{
    if (l == NULL)
        return;
    eu_values_free(l->rtl);
    free(l);
}

const struct execute_beside *lockstep_beside(struct lockstep *l)
{
    return &l->beside;
}

const struct emu_shader_beside *lockstep_shaders(struct lockstep *l)
{
    return &l->shaders;
}

uint64_t lockstep_channels(const struct lockstep *l)
{
    return l->lanes;
}

void lockstep_print(const struct lockstep *l, FILE *out)
{
    uint64_t refused = 0;

    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        refused += l->refused[op];
    fprintf(out,
            "values        %" PRIu64 " instructions in RTL and %" PRIu64
            " registers of payloads equal to the emulator's; %" PRIu64
            " channels issued, %" PRIu64 " clocks\n",
            l->instructions - refused, l->payload, l->lanes, l->clocks);
    if (l->threads != 0)
        fprintf(out, "              %" PRIu64 " threads of shaders\n", l->threads);
    if (refused == 0)
        return;
    fprintf(out, "              %" PRIu64 " not computed in RTL:", refused);
    for (uint32_t op = 0; op < ISA_OP_COUNT; op++)
        if (l->refused[op] != 0)
            fprintf(out, " %s %" PRIu64, isa_opcode_name((enum isa_opcode)op),
                    l->refused[op]);
    fprintf(out, "\n");
}

const struct lockstep_ops lockstep_ops = {lockstep_create, lockstep_destroy,
                                          lockstep_beside, lockstep_shaders,
                                          lockstep_print};
