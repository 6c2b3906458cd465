/* test_rtl_shaders.c - frames whose shaders the RTL computes, in lock-step with the
 * emulator and with fixed functions, samplers and the URB in C
 * (docs/contract/execution.md, --rtl-values): vertex, hull, domain, geometry, pixel and
 * compute shaders. Pictures and counters are those of the frame without; a shader that
 * the RTL has otherwise ends its frame.
 *
 * Can not find: what the emulator does wrongly too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bridge/engines/rtl/lockstep.h"
#include "bridge/programs/igpu/frame_play.h"

/* Frames of 24x16 pixels, and what their shaders are. */
static const char *const frames[] = {
    "geometry",        /* vertex, geometry, pixel */
    "patches_quads",   /* hull, domain */
    "for_each_sample", /* pixel shaders that run for each sample */
    "shadow",          /* samplers that compare */
    "streamed",        /* vertices written to buffers */
    "storage",         /* pixel shaders with messages to memory */
    "images",          /* typed reads, writes and atomics */
    "bindless",        /* compute, extended descriptors in a0.2 */
    "doubles",         /* 64-bit floats */
};

struct played {
    struct frame_player player;
    struct gfx_picture picture;
    struct emu_shader_beside beside;     /* what is told of shaders, and .. */
    const struct emu_shader_beside *rtl; /* .. who is told of it then */
    uint8_t *changed;                    /* a shader's code for the RTL */
};

static enum igpu_status batch_done(void *ctx, struct igpu_err *err)
{
    struct played *p = ctx;

    if (!gfx_has_drawn(p->player.gfx))
        return IGPU_OK;
    free(p->picture.rgba);
    return gfx_get_picture(p->player.gfx, &p->picture, err);
}

/* The frame, with its shaders told to p->beside, if that is set. */
static enum igpu_status play(struct played *p, const char *frame, struct igpu_err *err)
{
    const struct frame_play_hooks hooks = {.ctx = p, .batch = batch_done};
    enum igpu_status status;
    char path[128];

    snprintf(path, sizeof(path), "tests/fuzzing/corpus/render/%s.igf", frame);
    status = frame_player_open(&p->player, path, err);
    if (status != IGPU_OK)
        return status;
    gfx_step_beside(p->player.gfx, p->beside.begin != NULL ? &p->beside : NULL);
    return frame_play(&p->player, 0, &hooks, err);
}

static void forget(struct played *p)
{
    frame_player_close(&p->player);
    free(p->picture.rgba);
    free(p->changed);
}

static void the_picture_is_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        struct played with = {.picture = {0, 0, NULL}}, without = with;
        struct lockstep *values;
        struct igpu_err err;

        assert_int_equal(lockstep_create(&values, &err), IGPU_OK);
        with.beside = *lockstep_shaders(values);
        if (play(&with, frames[i], &err) != IGPU_OK ||
            play(&without, frames[i], &err) != IGPU_OK)
            fail_msg("%s: %s", frames[i], err.text);
        assert_true(lockstep_channels(values) > 0);
        assert_memory_equal(gfx_get_counters(with.player.gfx),
                            gfx_get_counters(without.player.gfx),
                            sizeof(struct gfx_counters));
        assert_int_equal(with.picture.width, without.picture.width);
        assert_int_equal(with.picture.height, without.picture.height);
        if (with.picture.rgba != NULL)
            assert_memory_equal(with.picture.rgba, without.picture.rgba,
                                4u * with.picture.width * with.picture.height);
        forget(&with);
        forget(&without);
        lockstep_destroy(values);
    }
}

/* ---- a shader that is another one for the RTL -------------------------------- */

enum { NEGATED = 78 }; /* bit of a native instruction: of its first operand */

static enum igpu_status begin_changed(void *ctx, const struct emu_shader_begun *shader,
                                      uint32_t thread,
                                      const struct emu_step_state *state,
                                      struct igpu_err *err)
{
    struct played *p = ctx;
    struct emu_shader_begun other = *shader;
    const struct isa_inst *in = shader->code->inst;

    while (in < shader->code->inst + shader->code->count &&
           (in->compacted || in->op != ISA_OP_MUL || in->src[0].file != ISA_FILE_GRF))
        in++;
    if (in == shader->code->inst + shader->code->count)
        return p->rtl->begin(p->rtl->ctx, shader, thread, state, err);
    free(p->changed);
    p->changed = malloc(shader->bytes);
    assert_non_null(p->changed);
    memcpy(p->changed, shader->text, shader->bytes);
    p->changed[in->pc + NEGATED / 8] ^= 1u << NEGATED % 8;
    other.text = p->changed;
    return p->rtl->begin(p->rtl->ctx, &other, thread, state, err);
}

static enum igpu_status issued(void *ctx, uint32_t thread, uint32_t at,
                               const struct emu_step_state *state, struct igpu_err *err)
{
    const struct played *p = ctx;

    return p->rtl->issued(p->rtl->ctx, thread, at, state, err);
}

static enum igpu_status granted(void *ctx, uint32_t thread, uint32_t at,
                                const struct emu_step_state *state,
                                struct igpu_err *err)
{
    const struct played *p = ctx;

    return p->rtl->granted(p->rtl->ctx, thread, at, state, err);
}

static void the_first_difference_ends_the_frame(void **state)
{
    struct played p = {.picture = {0, 0, NULL}};
    struct lockstep *values;
    struct igpu_err err = {.text = ""};

    (void)state;
    assert_int_equal(lockstep_create(&values, &err), IGPU_OK);
    p.rtl = lockstep_shaders(values);
    p.beside = (struct emu_shader_beside){&p, begin_changed, issued, granted};
    assert_int_equal(play(&p, "storage", &err), IGPU_SIM_ERROR);
    print_message("%s\n", err.text);
    assert_non_null(strstr(err.text, "--rtl-values: "));
    assert_non_null(strstr(err.text, " shader, thread "));
    assert_non_null(strstr(err.text, "(mul "));
    assert_non_null(strstr(err.text, ", channel "));
    assert_non_null(strstr(err.text, "expected 0x"));
    forget(&p);
    lockstep_destroy(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_is_the_same),
        cmocka_unit_test(the_first_difference_ends_the_frame)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
