/* test_gfx_state.c - what a pipeline keeps, saved and restored: the same again, every
 * part of it, and nothing else is taken for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "csim/gfx/gfx_commands.h"
#include "csim/gfx/gfx_depth.h"
#include "csim/gfx/gfx_int.h"
#include "tests/support/rng.h"

/* Numbers that differ from each other. */
static uint32_t next(uint32_t *seed)
{
    return lcg32_next(seed) >> 3;
}

/* Something in all that is kept. */
static struct gfx *filled(void)
{
    struct gfx *g = gfx_new();
    struct gfx_surface depth = {.format = tex_format(0xD9), .width = 40, .height = 20};
    uint32_t seed = 7;

    assert_non_null(g);
    for (uint32_t k = 0; k < 3; k++) {
        struct gfx_context *c = gfx_add_context(g);

        assert_non_null(c);
        c->scratch_size = k + 1;
        c->id = 11 * k + 1;
        for (uint32_t i = 0; i < 256; i++)
            for (uint32_t j = 0; j < GFX_PACKET_DWORDS; j++)
                c->state[i][j] = next(&seed);
        for (uint32_t i = 0; i < GFX_VERTEX_BUFFERS; i++)
            c->buffer[i] = (struct gfx_vertex_buffer){next(&seed), next(&seed), i};
        c->elements = k + 4;
        for (uint32_t i = 0; i < GFX_ELEMENTS; i++) {
            c->element[i][0] = next(&seed);
            c->element[i][1] = next(&seed);
            c->instancing[i].on = i & 1;
            c->instancing[i].rate = next(&seed);
        }
        for (uint32_t s = 0; s < GFX_STREAMS; s++) {
            c->stream.buffers[s] = s;
            c->stream.count[s] = 2 * s + k;
            for (uint32_t i = 0; i < c->stream.count[s]; i++)
                c->stream.decl[s][i] = (uint16_t)next(&seed);
            c->stream.buffer[s] = (struct gfx_stream_buffer){next(&seed), next(&seed),
                                                             next(&seed), s & 1, s & 2};
        }
        c->surface_base = (uint64_t)next(&seed) << 12;
        c->dynamic_base = (uint64_t)next(&seed) << 12;
        c->instruction_base = (uint64_t)next(&seed) << 12;
        c->bindless_base = (uint64_t)next(&seed) << 12;
        c->rectangle[2] = c->pattern[7] = c->polygon_stipple[31] = next(&seed);
        c->polygon_stipple_offset[1] = 31;
        c->line_stipple = 0xABCD;
        c->line_stipple_repeat = 0x1FF;
        c->curbe = next(&seed);
        c->descriptors = next(&seed);
        c->streamed[3] = (uint64_t)next(&seed) << 20;
        c->stream_needed[1] = next(&seed);
        for (uint32_t i = 0; i < GFX_STATISTICS; i++)
            c->statistic[i] = (uint64_t)next(&seed) << i;
    }
    for (uint32_t i = 0; i < 9; i++)
        gfx_set_register(g, 0x2600 + 4 * i, next(&seed));
    g->hw.time = 77;
    g->c = g->hw.context[0];
    memset(g->c->state[0x52], 0, sizeof(g->c->state[0x52])); /* of one sample */
    depth.va = 4096;
    gfx_hiz_cleared(g, &depth, (const uint32_t[4]){0, 0, 40, 20}, true, 0.25f);
    depth.va = 8192;
    gfx_hiz_find(g, &depth, 2, 0)->note[3] = (struct gfx_note){1, 2, GFX_NOTE_RANGE};
    return g;
}

/* Structures with padding member by member, the rest as it lies. */
static void contexts_are_the_same(struct gfx_context *a, struct gfx_context *b)
{
    for (uint32_t i = 0; i < GFX_VERTEX_BUFFERS; i++) {
        assert_int_equal(a->buffer[i].va, b->buffer[i].va);
        assert_int_equal(a->buffer[i].bytes, b->buffer[i].bytes);
        assert_int_equal(a->buffer[i].pitch, b->buffer[i].pitch);
    }
    for (uint32_t s = 0; s < GFX_STREAMS; s++) {
        const struct gfx_stream_buffer *c = &a->stream.buffer[s],
                                       *d = &b->stream.buffer[s];

        assert_int_equal(c->va, d->va);
        assert_int_equal(c->bytes, d->bytes);
        assert_int_equal(c->kept, d->kept);
        assert_true(c->on == d->on && c->keeps == d->keeps);
    }
    memset(a->buffer, 0, sizeof(a->buffer));
    memset(b->buffer, 0, sizeof(b->buffer));
    memset(a->stream.buffer, 0, sizeof(a->stream.buffer));
    memset(b->stream.buffer, 0, sizeof(b->stream.buffer));
    assert_memory_equal(a, b, sizeof(*a));
}

static void what_is_restored_is_what_was_saved(void **unused)
{
    struct gfx *from = filled(), *to = gfx_new();
    size_t bytes, again;
    struct igpu_err err = {.text = ""};
    uint8_t *saved = gfx_save(from, &bytes, &err), *second;

    (void)unused;
    assert_non_null(saved);
    assert_int_equal(gfx_restore(to, saved, bytes, &err), IGPU_OK);
    second = gfx_save(to, &again, &err);
    assert_int_equal(again, bytes);
    assert_memory_equal(second, saved, bytes);
    assert_int_equal(to->hw.contexts, 3);
    for (uint32_t k = 0; k < 3; k++)
        contexts_are_the_same(to->hw.context[k], from->hw.context[k]);
    assert_memory_equal(to->hw.reg, from->hw.reg, sizeof(to->hw.reg));
    assert_int_equal(to->hw.time, 77);
    for (uint32_t i = 0; i < GFX_NOTED; i++) {
        const struct gfx_notes *a = &from->hiz.notes[i], *b = &to->hiz.notes[i];

        assert_int_equal(a->note == NULL, b->note == NULL);
        if (a->note == NULL)
            continue;
        assert_true(a->wide == 5 && a->high == 5 && b->wide == 5 && b->high == 5);
        assert_int_equal(a->used, b->used);
        for (uint32_t n = 0; n < 25; n++) {
            assert_true(a->note[n].least == b->note[n].least);
            assert_true(a->note[n].most == b->note[n].most);
            assert_int_equal(a->note[n].state, b->note[n].state);
        }
    }
    assert_int_equal(to->hiz.clock, from->hiz.clock);
    free(second);
    free(saved);
    gfx_free(from);
    gfx_free(to);
}

/* Cut anywhere, a byte longer, a word that cannot be: refused, and told in a line. */
static void nothing_else_is_taken_for_it(void **unused)
{
    struct gfx *from = filled();
    size_t bytes;
    struct igpu_err none = {.text = ""};
    uint8_t *saved = gfx_save(from, &bytes, &none), *bent = malloc(bytes + 1);
    uint32_t refused = 0;

    (void)unused;
    assert_true(saved != NULL && bent != NULL);
    for (size_t i = 0; i <= bytes + 1; i += i < 64 || i + 64 > bytes ? 1 : 97) {
        struct gfx *to = gfx_new();
        struct igpu_err err = {.text = ""};

        memcpy(bent, saved, bytes);
        bent[bytes] = 0;
        if (i != bytes) {
            assert_int_equal(gfx_restore(to, bent, i, &err), IGPU_BAD_INPUT);
            assert_non_null(strstr(err.text, "cut the frame out again"));
        }
        gfx_free(to);
    }
    for (size_t i = 0; i < bytes; i += 4) {
        struct gfx *to = gfx_new();
        struct igpu_err err = {.text = ""};

        memcpy(bent, saved, bytes);
        bent[i + 3] ^= 0xFF; /* a large number in the place of a small one */
        refused += gfx_restore(to, bent, bytes, &err) != IGPU_OK;
        gfx_free(to);
    }
    assert_true(refused > 100);
    free(bent);
    free(saved);
    gfx_free(from);
}

/* A damaged capture's; the pipeline goes on as if nobody had looked. */
static void what_could_not_be_restored_is_not_saved(void **unused)
{
    struct gfx *g = filled();
    struct igpu_err err = {.text = ""};
    size_t bytes;

    (void)unused;
    g->hw.context[1]->curbe = (uint64_t)1 << 48;
    assert_null(gfx_save(g, &bytes, &err));
    assert_non_null(strstr(err.text, "cannot be saved: an address of more than 48"));
    assert_int_equal(g->hw.context[1]->curbe, (uint64_t)1 << 48);
    gfx_free(g);
}

/* As many notes as there can be, all of which say something: read in one pass. */
static void full_notes_take_no_longer_than_they_are(void **unused)
{
    struct gfx_surface depth = {
        .format = tex_format(0xD9), .width = 8192, .height = 4096, .va = 4096};
    struct gfx *from = gfx_new(), *to = gfx_new();
    struct igpu_err err = {.text = ""};
    struct gfx_notes *notes;
    uint8_t *saved;
    size_t bytes;
    clock_t begun;

    (void)unused;
    from->c = gfx_add_context(from);
    notes = gfx_hiz_find(from, &depth, 0, 0);
    assert_int_equal(notes->wide * notes->high, GFX_NOTES_MOST);
    for (uint32_t i = 0; i < GFX_NOTES_MOST; i++)
        notes->note[i] = (struct gfx_note){1, 2, GFX_NOTE_RANGE};
    saved = gfx_save(from, &bytes, &err);
    begun = clock();
    assert_int_equal(gfx_restore(to, saved, bytes, &err), IGPU_OK);
    assert_true(clock() - begun <
                5 * CLOCKS_PER_SEC); /* of minutes, if each looks on */
    free(saved);
    gfx_free(from);
    gfx_free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_not_be_restored_is_not_saved),
        cmocka_unit_test(full_notes_take_no_longer_than_they_are),
        cmocka_unit_test(what_is_restored_is_what_was_saved),
        cmocka_unit_test(nothing_else_is_taken_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
