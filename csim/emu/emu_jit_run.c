/* emu_jit_run.c - threads in the code that a kernel was translated to (emu_jit.c): when
 * that may be, and what the code asks of the emulator. */
#include "emu_jit_int.h"

#include <stdlib.h>

#include "igpu/fpu_math.h"

/* Instructions of threads behind which a kernel is looked for among what is kept, where
 * it is not at the begin: about as long as that takes. */
enum { SEEK = 50000 };
/* A launch that expects to run so many times what a translation is worth waits for it.
 */
enum { FAR_MORE = 2 };

/* ---- what the environment says ------------------------------------------------------
 */

static enum igpu_status choose_mode(const struct emu_launch *launch,
                                    enum emu_jit_mode *mode, struct igpu_err *err)
{
    const char *set = getenv("IGPU_JIT");

    *mode = (enum emu_jit_mode)launch->jit;
    if (launch->jit != EMU_JIT_AS_SET)
        return IGPU_OK;
    *mode = EMU_JIT_ON;
    if (set == NULL || set[0] == '\0')
        return IGPU_OK;
    if (!emu_jit_choice(set))
        return igpu_fail(err, IGPU_USAGE,
                         "environment: IGPU_JIT=%.60s: expected on, off or now", set);
    if (strcmp(set, "on") != 0)
        *mode = strcmp(set, "off") == 0 ? EMU_JIT_OFF : EMU_JIT_NOW;
    return IGPU_OK;
}

/* ---- what the code calls -------------------------------------------------------- */

/* As open_window() in emu_lanes.c. */
static bool find_place(struct emu_thread *t, const struct emu_op *op,
                       struct jit_place *place, uint64_t offset)
{
    const struct isa_message *msg = &op->inst->msg;
    const struct emu_bound *s = emu_surface(t, msg);
    uint64_t first, size;
    const uint8_t *host;

    if (msg->addr_model == ISA_ADDR_A64) {
        host = emu_mapping(t->m, offset, msg->is_write, &first, &size);
        if (host != NULL)
            *place = (struct jit_place){host, first, size, first, 0};
        return host != NULL;
    }
    if (s == NULL || s->bytes == 0)
        return false;
    host = emu_surface_host(t, s, msg->is_write);
    if (host != NULL)
        *place = (struct jit_place){host, 0, s->bytes, s->va, 0};
    return host != NULL;
}

/* As math_f32() in emu_math.c; the code flushes operands and results itself. */
static void math(struct jit_asked *a, uint32_t near, uint32_t function)
{
    const struct fpu_math_mode nearest = {0, false};

    for (; near != 0; near &= near - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(near);

        a->result.single[i] = fpu_math_f32((enum fpu_math_fn)function, a->x.single[i],
                                           a->y.single[i], nearest, NULL);
    }
}

static void start_inverse(struct jit_asked *a, uint32_t near, uint32_t none)
{
    (void)none;
    for (; near != 0; near &= near - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(near);
        struct emu_num n = emu_num_unpack(a->x.wide[i], ISA_TYPE_DF);
        struct emu_num start = emu_inverse_start(&n);

        a->result.wide[i] = emu_num_pack(&start, ISA_TYPE_DF, EMU_RNE);
    }
}

static const struct emu_jit_calls calls = {emu_leave_block, find_place, math,
                                           start_inverse};

/* ---- when ----------------------------------------------------------------------- */

static void set_up(struct emu_machine *m, enum emu_jit_mode mode)
{
    const struct emu_hooks *hooks = &m->launch->hooks;

    m->tells = hooks->block != NULL || hooks->access != NULL;
    m->translates = mode != EMU_JIT_OFF && m->p->jit[m->tells] != NULL &&
                    hooks->values == NULL && m->mem->hooks.write == NULL &&
                    m->clock == NULL && m->watch == NULL;
    if (m->translates)
        emu_jit_find(m->p->jit[m->tells], &calls);
    if (m->translates && mode == EMU_JIT_NOW)
        emu_jit_start(m->p->jit[m->tells], &calls, true);
}

enum igpu_status emu_jit_set_up(struct emu_machine *m, struct igpu_err *err)
{
    enum emu_jit_mode mode;
    enum igpu_status status = choose_mode(m->launch, &mode, err);

    if (status == IGPU_OK)
        set_up(m, mode);
    return status;
}

void emu_jit_take_side(struct emu_machine *m)
{
    enum emu_jit_mode mode;

    if (choose_mode(m->launch, &mode, NULL) == IGPU_OK) /* it was, at the begin */
        set_up(m, mode);
}

enum igpu_status emu_jit_allow(struct emu_machine *m, struct igpu_err *err)
{
    enum emu_jit_mode mode;
    enum igpu_status status = choose_mode(m->launch, &mode, err);

    m->in_turn = true;
    m->may = status == IGPU_OK && mode != EMU_JIT_OFF;
    m->at_once = mode == EMU_JIT_NOW;
    return status;
}

void emu_jit_turn_to(struct emu_machine *m, bool watched)
{
    m->translated = NULL;
    m->translates = m->may && !watched && m->p->jit[0] != NULL;
    if (!m->translates)
        return;
    if (m->at_once) {
        emu_jit_find(m->p->jit[0], &calls);
        emu_jit_start(m->p->jit[0], &calls, true);
    }
    emu_jit_choose(m);
}

void emu_jit_choose(struct emu_machine *m)
{
    const struct jit_code *code;

    if (!m->translates || m->translated != NULL)
        return;
    code = emu_jit_code(m->p->jit[m->tells]);
    if (code == NULL)
        return;
    m->jit_table = emu_jit_table(m->p->jit[m->tells]);
    if (code->places != 0)
        m->places = calloc(code->places, sizeof(*m->places));
    if ((code->places == 0 || m->places != NULL) && (!m->tells || emu_log_new(m)))
        m->translated = code->run;
    else
        m->translates = false;
}

void emu_jit_ran(struct emu_machine *m, uint64_t instructions)
{
    uint64_t before;

    if (!m->translates || m->translated != NULL)
        return;
    before = emu_jit_spend(m->p->jit[m->tells], instructions);
    if (m->in_turn && before < SEEK && before + instructions >= SEEK)
        emu_jit_find(m->p->jit[m->tells], &calls);
    if (before + instructions >= emu_jit_worth(m->p))
        emu_jit_start(m->p->jit[m->tells], &calls, false);
}

void emu_jit_expect(struct emu_machine *m, uint64_t groups, uint64_t left)
{
    double each = (double)m->counts.instructions / (double)groups;

    if (m->translates && m->translated == NULL &&
        each * (double)left >= FAR_MORE * (double)emu_jit_worth(m->p))
        emu_jit_start(m->p->jit[m->tells], &calls, true);
}
