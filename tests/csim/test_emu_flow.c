/* test_emu_flow.c - control flow and barriers: small programs in assembly, with the
 * values every lane must end with, the blocks a thread must report, and for every run
 * the rules a trace relies on: whole blocks, one access record for each send. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu_rig.h"
#include "tests/support/isa_material.h"

#include "igpu/emu_shader.h"
#include "igpu/isa_decode.h"

enum { MAX_BLOCKS = 4096, OUT_WORDS = 64, SLM_BYTES = 1024 };

/* ---- running a program -------------------------------------------------- */

struct log {
    uint32_t block[MAX_BLOCKS]; /* of thread 0 */
    uint32_t blocks, accesses;
    uint64_t sends, instructions; /* of all threads, from the blocks */
    uint32_t access_inst[MAX_BLOCKS], send_inst[MAX_BLOCKS];
    struct emu_counts counts, sum;
    const struct isa_kernel_code *code;
    const struct isa_block_list *list;
    bool single; /* one thread: the order of sends can be compared */
    char error[sizeof(((struct igpu_err *)0)->text)];
};

static void on_block(void *ctx, uint64_t thread, uint32_t block)
{
    struct log *l = ctx;
    const struct isa_block *b = &l->list->block[block];

    if (thread == 0 && l->blocks < MAX_BLOCKS)
        l->block[l->blocks++] = block;
    l->instructions += b->count;
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        if (l->code->inst[i].msg.is_read || l->code->inst[i].msg.is_write) {
            if (l->sends < MAX_BLOCKS)
                l->send_inst[l->sends] = i;
            l->sends++;
        }
}

static void on_access(void *ctx, uint64_t thread, const struct emu_access *access)
{
    struct log *l = ctx;

    (void)thread;
    if (l->accesses < MAX_BLOCKS)
        l->access_inst[l->accesses] = access->inst;
    l->accesses++;
}

static void on_end(void *ctx, uint64_t thread, const struct emu_counts *counts)
{
    struct log *l = ctx;

    (void)thread;
    l->sum.instructions += counts->instructions;
    l->sum.lane_instructions += counts->lane_instructions;
    l->sum.threads += counts->threads;
}

static void check_log(const struct log *l)
{
    assert_int_equal(l->counts.instructions, l->instructions);
    assert_int_equal(l->counts.instructions, l->sum.instructions);
    assert_int_equal(l->counts.lane_instructions, l->sum.lane_instructions);
    assert_int_equal(l->counts.threads, l->sum.threads);
    assert_int_equal(l->accesses, l->sends);
    for (uint32_t i = 0; l->single && i < l->accesses && i < MAX_BLOCKS; i++)
        assert_int_equal(l->access_inst[i], l->send_inst[i]);
}

/* Run text at SIMD8 with `items` work items in one group: r1 has the local ids, surface
 * 0 is out. */
static bool lenient; /* of the launches from now on */

static enum igpu_status run(const char *text, uint32_t items, uint32_t *out,
                            struct log *log)
{
    static const struct emu_surface surface = {.bti = 0};
    struct isa_kernel_code code;
    struct emu_kernel kernel = {.name = "flow",
                                .simd = 8,
                                .slm_bytes = SLM_BYTES,
                                .local_id_dims = 1,
                                .walk_order = {0, 1, 2},
                                .arg_count = 1,
                                .surface = &surface,
                                .surface_count = 1};
    struct emu_arg arg = {.kind = EMU_ARG_BUFFER, .size = OUT_WORDS * 4};
    struct emu_launch launch = {.work_dim = 1,
                                .global = {items},
                                .local = {items},
                                .arg = &arg,
                                .arg_count = 1,
                                .max_instructions = 100000,
                                .lenient = lenient};
    struct emu_mem *mem = emu_mem_new();
    struct emu_program *p;
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    memset(log, 0, sizeof(*log));
    memset(out, 0, OUT_WORDS * 4);
    material_code(text, &code);
    kernel.code = &code;
    p = emu_program_new(&kernel, &err);
    if (p == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(emu_mem_map(mem, out, OUT_WORDS * 4, 0, &arg.va, &err), IGPU_OK);
    log->code = &code;
    log->list = emu_program_blocks(p);
    log->single = items <= 8;
    launch.hooks = (struct emu_hooks){
        .ctx = log, .block = on_block, .access = on_access, .thread_end = on_end};
    status = emu_run(p, mem, &launch, &log->counts, &err);
    snprintf(log->error, sizeof(log->error), "%s", err.text);
    if (status == IGPU_OK)
        check_log(log);
    emu_program_free(p);
    isa_code_free(&code);
    emu_mem_free(mem);
    return status;
}

#define START                                                                          \
    "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:uw\n"                                          \
    "shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 2:w\n"                                     \
    "mov (8|M0) r12.0<1>:ud 0:ud\n"
#define FINISH                                                                         \
    "sends (8|M0) null:ud r11 r12 0x4C 0x02026E00\n"                                   \
    "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"                                     \
    "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"

static void expect(const char *text, uint32_t items, const uint32_t *want)
{
    uint32_t out[OUT_WORDS];
    struct log log;

    if (run(text, items, out, &log) != IGPU_OK)
        fail_msg("%s", log.error);
    for (uint32_t i = 0; i < items; i++)
        if (out[i] != want[i])
            fail_msg("item %u: %u, expected %u", i, out[i], want[i]);
}

static void expect_error(const char *text, uint32_t items, const char *words)
{
    uint32_t out[OUT_WORDS];
    struct log log;

    assert_int_equal(run(text, items, out, &log), IGPU_SIM_ERROR);
    if (strstr(log.error, words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", log.error, words);
    assert_non_null(strstr(log.error, "kernel flow, pc 0x"));
}

/* ---- structured --------------------------------------------------------- */

static const char if_else[] =
    START "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
          "(f0.0) if (8|M0) LELSE LEND\n"
          "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud\n"
          "else (8|M0) LEND LEND\n"
          "LELSE:\n"
          "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 200:ud\n"
          "LEND:\n"
          "endif (8|M0) LOUT\n"
          "LOUT:\n"
          "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r10.0<8;8,1>:ud\n" FINISH;

static void if_and_else_take_their_lanes(void **state)
{
    static const uint32_t want[8] = {100, 101, 102, 203, 204, 205, 206, 207};

    (void)state;
    expect(if_else, 8, want);
}

static void blocks_of_a_divergent_if(void **state)
{
    static const uint32_t both[] = {0, 1, 2, 3}, one[] = {0, 1, 3};
    uint32_t out[OUT_WORDS];
    struct log log;

    (void)state;
    assert_int_equal(run(if_else, 8, out, &log), IGPU_OK);
    assert_true(log.blocks >= 4);
    assert_memory_equal(log.block, both, sizeof(both));
    assert_int_equal(run(if_else, 3, out, &log), IGPU_OK); /* nobody needs the else */
    assert_memory_equal(log.block, one, sizeof(one));
}

static void loop_with_break_and_continue(void **state)
{
    /* for (n = 0;; n++) { if (n == id + 1) break; if (n & 1) continue; sum += n + 1; }
     */
    static const char text[] =
        START "mov (8|M0) r13.0<1>:ud -1:d\n"
              "add (8|M0) r15.0<1>:ud r10.0<8;8,1>:ud 1:ud\n"
              "LLOOP:\n"
              "add (8|M0) r13.0<1>:ud r13.0<8;8,1>:ud 1:ud\n"
              "cmp (8|M0) (eq)f0.0 null<1>:ud r13.0<8;8,1>:ud r15.0<8;8,1>:ud\n"
              "(f0.0) break (8|M0) LWHILE LWHILE\n"
              "and (8|M0) (ne)f1.0 null<1>:ud r13.0<8;8,1>:ud 1:ud\n"
              "(f1.0) cont (8|M0) LWHILE LWHILE\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r13.0<8;8,1>:ud\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n"
              "LWHILE:\n"
              "while (8|M0) LLOOP\n" FINISH;
    uint32_t want[8];

    (void)state;
    for (uint32_t id = 0; id < 8; id++) {
        want[id] = 0;
        for (uint32_t n = 0; n != id + 1; n++)
            want[id] += n & 1 ? 0 : n + 1;
    }
    expect(text, 8, want);
    expect(text, 5, want);
}

static void nested_loops(void **state)
{
    /* for (i = 0; i <= id; i++) for (j = 0; j <= i; j++) sum += j + 1; */
    static const char text[] =
        START "mov (8|M0) r13.0<1>:ud 0:ud\n"
              "LOUTER:\n"
              "mov (8|M0) r14.0<1>:ud 0:ud\n"
              "LINNER:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r14.0<8;8,1>:ud\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n"
              "add (8|M0) r14.0<1>:ud r14.0<8;8,1>:ud 1:ud\n"
              "cmp (8|M0) (le)f0.0 null<1>:ud r14.0<8;8,1>:ud r13.0<8;8,1>:ud\n"
              "(f0.0) while (8|M0) LINNER\n"
              "add (8|M0) r13.0<1>:ud r13.0<8;8,1>:ud 1:ud\n"
              "cmp (8|M0) (le)f0.0 null<1>:ud r13.0<8;8,1>:ud r10.0<8;8,1>:ud\n"
              "(f0.0) while (8|M0) LOUTER\n" FINISH;
    uint32_t want[8];

    (void)state;
    for (uint32_t id = 0; id < 8; id++) {
        want[id] = 0;
        for (uint32_t i = 0; i <= id; i++)
            for (uint32_t j = 0; j <= i; j++)
                want[id] += j + 1;
    }
    expect(text, 8, want);
}

/* ---- unstructured ------------------------------------------------------- */

static void goto_has_two_senses(void **state)
{
    /* Forward: lanes without their predicate leave. Backward: lanes with it. */
    static const char text[] =
        START "LBACK:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n"
              "cmp (8|M0) (lt)f0.0 null<1>:ud r12.0<8;8,1>:ud r10.0<8;8,1>:ud\n"
              "(f0.0) goto.b (8|M0) LNEXT LBACK\n"
              "LNEXT:\n"
              "cmp (8|M0) (gt)f0.0 null<1>:ud r10.0<8;8,1>:ud 4:ud\n"
              "(f0.0) goto (8|M0) LJOIN LJOIN\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 50:ud\n"
              "LJOIN:\n"
              "join (8|M0) LOUT\n"
              "LOUT:\n" FINISH;
    static const uint32_t want[8] = {1, 1, 2, 3, 4, 55, 56, 57};

    (void)state;
    expect(text, 8, want);
}

static void jmpi_is_one_decision(void **state)
{
    static const char text[] =
        START "(W) mov (1|M0) r13.0<1>:ud 0:ud\n"
              "LLOOP:\n"
              "(W) add (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud 1:ud\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud r13.0<0;1,0>:ud\n"
              "(W) cmp (8|M0) (lt)f1.1 null<1>:ud r13.0<0;1,0>:ud 4:ud\n"
              "(W&f1.1) jmpi LLOOP\n"
              "(W&~f1.1) jmpi LSKIP\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1000:ud\n"
              "LSKIP:\n" FINISH;
    static const uint32_t want[8] = {10, 10, 10, 10, 10, 10, 10, 10};

    (void)state;
    expect(text, 8, want);
}

static void halted_lanes_go_to_its_target(void **state)
{
    static const char text[] =
        START "cmp (8|M0) (ge)f0.0 null<1>:ud r10.0<8;8,1>:ud 6:ud\n"
              "(f0.0) halt (8|M0) LHALT LHALT\n"
              "mov (8|M0) r12.0<1>:ud 9:ud\n"
              "LHALT:\n" FINISH;
    static const uint32_t want[8] = {9, 9, 9, 9, 9, 9, 0, 0};

    (void)state;
    expect(text, 8, want);
}

static void calls_return_to_their_callers(void **state)
{
    /* Lanes below 4 call LF, the rest call LG, which calls LF twice; both lie behind
     * the end of the thread. */
    static const char text[] =
        START "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 4:ud\n"
              "(f0.0) if (8|M0) LELSE LEND\n"
              "call (8|M0) r20.0<1>:ud LF\n"
              "else (8|M0) LEND LEND\n"
              "LELSE:\n"
              "call (8|M0) r21.0<1>:ud LG\n"
              "LEND:\n"
              "endif (8|M0) LOUT\n"
              "LOUT:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n" FINISH "LF:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 10:ud\n"
              "cmp (8|M0) (eq)f1.0 null<1>:ud r10.0<8;8,1>:ud 2:ud\n"
              "(f1.0) ret (8|M0) r20.0<0;1,0>:ud\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud\n"
              "ret (8|M0) r20.0<0;1,0>:ud\n"
              "LG:\n"
              "call (8|M0) r20.0<1>:ud LF\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1000:ud\n"
              "call (8|M0) r20.0<1>:ud LF\n"
              "ret (8|M0) r21.0<0;1,0>:ud\n";
    static const uint32_t want[8] = {111, 111, 11, 111, 1221, 1221, 1221, 1221};

    (void)state;
    expect(text, 8, want);
}

/* Hand-made kernels of 8 items that work with 16 lanes write their dispatch mask first.
 * A call's lanes are those of its flag; a function halves itself by its windows. */
static void a_wider_dispatch_mask_has_more_lanes(void **state)
{
    static const char text[] =
        "(W) mov (1|M0) sr0.2<1>:ud 0xFFFF:uw\n" START
        "(W) mov (16|M0) r14.0<1>:ud 0:ud\n"
        "(W) mov (1|M0) f1.0<1>:uw 0x4101:uw\n"
        "(W&f1.0) call (16|M0) r20.0<1>:ud LF\n"
        "add (8|M0) r12.0<1>:ud r14.0<8;8,1>:ud r15.0<8;8,1>:ud\n" FINISH "LF:\n"
        "mov (8|M0) r14.0<1>:ud 1:ud\n"
        "(f1.0) if (8|M8) LE LE\n"
        "mov (8|M8) r15.0<1>:ud 20:ud\n"
        "LE:\n"
        "endif (8|M8) LR\n"
        "LR:\n"
        "(W) ret (16|M0) r20.0<0;1,0>:ud\n";
    static const uint32_t want[8] = {21, 0, 0, 0, 0, 0, 20, 0};

    (void)state;
    expect(text, 8, want);
}

/* A shader lies among others; its code goes on behind its end where calls lead. */
static void functions_behind_the_end_are_the_shaders(void **state)
{
    static const char whole[] = "call (8|M0) r20.0<1>:ud LF\n"
                                "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
                                "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
                                "LF:\n"
                                "cmp (8|M0) (eq)f0.0 null<1>:ud r2.0<8;8,1>:ud 2:ud\n"
                                "(f0.0) ret (8|M0) r20.0<0;1,0>:ud\n"
                                "mov (8|M0) r12.0<1>:ud r2.0<8;8,1>:ud\n"
                                "ret (8|M0) r20.0<0;1,0>:ud\n"
                                "mov (8|M0) r13.0<1>:ud r2.0<8;8,1>:ud\n"
                                "mov (8|M0) r13.0<1>:ud r2.0<8;8,1>:ud\n";
    struct igpu_err err = {.text = ""};
    size_t bytes;
    uint8_t *code = material_assemble(whole, &bytes);
    struct emu_shader *shader = emu_shader_new("shader", code, bytes, 8, &err);

    (void)state;
    if (shader == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(emu_shader_bytes(shader), bytes - 2 * 16);
    emu_shader_free(shader);
    free(code);
}

/* Distances in registers count bytes: jmpi's from the next instruction, the others'
 * from their own; calla's is an address in the kernel. Labels make the blocks. */
static void branches_take_their_targets_from_registers(void **state)
{
    static const char jump[] =
        START "(W) mov (1|M0) r20.3<1>:ud 0x10:ud\n"
              "(W) jmpi r20.3\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1000:ud {NoCompact}\n"
              "LHERE:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud {NoCompact}\n"
              "(W) mov (1|M0) r20.3<1>:ud 0x20:ud\n"
              "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
              "(f0.0) brd (8|M0) r20.3<0;1,0>:d\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 10:ud {NoCompact}\n"
              "LBRD:\n"
              "(W) mov (1|M0) r20.4<1>:ud 0:ud\n"
              "(W) mov (1|M0) r20.5<1>:ud 0x20:ud\n"
              "cmp (8|M0) (gt)f0.0 null<1>:ud r10.0<8;8,1>:ud 5:ud\n"
              "(f0.0) brc (8|M0) r20.4<2;2,1>:d\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud {NoCompact}\n"
              "LBRC:\n" FINISH "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
              "(f0.0) brd (8|M0) LBRD\n"
              "(f0.0) brc (8|M0) LHERE LBRC\n";
    static const uint32_t jumped[8] = {101, 101, 101, 111, 111, 111, 11, 11};
    static const char calls[] =
        START "(W) mov (1|M0) r21.0<1>:ud 0x90:ud\n"
              "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
              "(f0.0) call (8|M0) r20.0<1>:ud r21.0<0;1,0>:d\n"
              "calla (8|M0) r20.0<1>:ud 0xE0\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud {NoCompact}\n" FINISH
              "call (8|M0) r20.0<1>:ud LF\n"
              "nop\n"
              "nop\n"
              "LF:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud {NoCompact}\n"
              "ret (8|M0) r20.0<0;1,0>:ud\n";
    static const uint32_t called[8] = {102, 102, 102, 101, 101, 101, 101, 101};

    (void)state;
    expect(jump, 8, jumped);
    expect(calls, 8, called);
    expect_error(START "(W) mov (1|M0) r20.0<1>:ud 8:ud\n(W) jmpi r20.0\n" FINISH, 8,
                 "no basic block starts");
}

static void brd_and_brc_send_the_lanes_that_their_predicate_names(void **state)
{
    static const char text[] =
        START "cmp (8|M0) (lt)f0.0 null<1>:ud r10.0<8;8,1>:ud 3:ud\n"
              "(f0.0) brd (8|M0) LA\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 1:ud\n"
              "LA:\n"
              "(~f0.0) brc (8|M0) LB LC\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 10:ud\n"
              "LB:\n"
              "add (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 100:ud\n"
              "LC:\n" FINISH;
    static const uint32_t want[8] = {110, 110, 110, 1, 1, 1, 1, 1};

    (void)state;
    expect(text, 8, want);
}

/* ---- what ends badly ---------------------------------------------------- */

static void endless_loops_meet_the_limit(void **state)
{
    (void)state;
    expect_error(START "LLOOP:\n(W) jmpi LLOOP\n" FINISH, 8, "limit of instructions");
}

static void accesses_outside_the_buffer_are_errors(void **state)
{
    (void)state;
    expect_error(START "add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud 232:ud\n" FINISH, 8,
                 "lane 6 accesses 4 bytes at offset 0x100 of surface 0, which has 256");
    expect_error(START "sends (8|M0) null:ud r11 r12 0x4C 0x02026E07\n" FINISH, 8,
                 "no buffer is bound to surface 7");
    expect_error(START "mov (8|M0) r11.0<1>:ud 1024:ud\n"
                       "sends (8|M0) null:ud r11 r12 0x4C 0x02026EFE\n" FINISH,
                 8, "shared memory of 1024 bytes");
}

/* Two components of eight lanes, the first in source 0. Nothing compiles to that. */
static void data_in_both_sources_is_an_error(void **state)
{
    (void)state;
    expect_error(START "sends (8|M0) null:ud r11 r13 0x4C 0x04026C00\n" FINISH, 8,
                 "data begins in one source");
}

static void a_return_without_a_call_is_an_error(void **state)
{
    (void)state;
    expect_error(START "mov (8|M0) r20.0<1>:ud 0:ud\n"
                       "ret (8|M0) r20.0<0;1,0>:ud\n" FINISH,
                 8, "a return without a call");
}

static void a_thread_ends_by_the_thread_spawner_alone(void **state)
{
    (void)state; /* an untyped write with EOT */
    expect_error(START "sends (8|M0) null:ud r11 r12 0x6C 0x02026E00 {EOT}\n" FINISH, 8,
                 "does not go to the thread spawner");
}

/* ---- barriers ----------------------------------------------------------- */

#define BARRIER                                                                        \
    "(W) and (8|M0) r30.0<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud\n"                        \
    "(W) mov (1|M0) n0.0<1>:ud 0:ud\n"                                                 \
    "(W) send (1|M0) null r30 0x3 0x02000004\n"                                        \
    "(W) wait n0.0<0;1,0>:ud\n"

static void threads_meet_at_barriers(void **state)
{
    /* slm[id] = id + 1; barrier; x = slm[31 - id]; barrier; slm[id] = 10 * x; barrier;
     * out[id] = x + slm[31 - id] */
    static const char text[] =
        START "add (8|M0) r12.0<1>:ud r10.0<8;8,1>:ud 1:ud\n"
              "sends (8|M0) null:ud r11 r12 0x4C 0x02026EFE\n" BARRIER
              "add (8|M0) r13.0<1>:d -r11.0<8;8,1>:d 124:d\n"
              "send (8|M0) r14:ud r13 0xC 0x02106EFE\n" BARRIER
              "mul (8|M0) r15.0<1>:d r14.0<8;8,1>:d 10:w\n"
              "sends (8|M0) null:ud r11 r15 0x4C 0x02026EFE\n" BARRIER
              "send (8|M0) r16:ud r13 0xC 0x02106EFE\n"
              "add (8|M0) r12.0<1>:d r14.0<8;8,1>:d r16.0<8;8,1>:d\n" FINISH;
    uint32_t want[32];

    (void)state;
    for (uint32_t i = 0; i < 32; i++)
        want[i] = 32 - i + 10 * (i + 1);
    expect(text, 32, want);
}

/* Thread 0 (ids 0..7) ends at once, before the others come to the barrier; or thread 2
 * (16..23) does, when they are there. Only a lenient launch lets them pass. */
static void a_barrier_that_a_thread_never_reaches_is_an_error(void **state)
{
#define ENDS(CONDITION, BOUND)                                                         \
    START "(W) cmp (8|M0) (" CONDITION ")f0.0 null<1>:ud r10.0<0;1,0>:ud " BOUND       \
          ":ud\n(W&f0.0) jmpi LEND\n" BARRIER "mov (8|M0) r12.0<1>:ud 5:ud\n"          \
          "LEND:\n" FINISH
    static const char words[] = "waits for a barrier that 1 of the group's 3 threads "
                                "never reach: they have ended";
    uint32_t want[24];

    (void)state;
    expect_error(ENDS("lt", "8"), 24, words);
    expect_error(ENDS("ge", "16"), 24, words);
    lenient = true;
    for (uint32_t i = 0; i < 24; i++)
        want[i] = i < 8 ? 0 : 5;
    expect(ENDS("lt", "8"), 24, want);
    lenient = false;
}

static void a_wait_that_nobody_ends_is_an_error(void **state)
{
    (void)state;
    expect_error(START "(W) wait n0.0<0;1,0>:ud\n" FINISH, 16, "waits for a barrier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(if_and_else_take_their_lanes),
        cmocka_unit_test(blocks_of_a_divergent_if),
        cmocka_unit_test(loop_with_break_and_continue),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(goto_has_two_senses),
        cmocka_unit_test(jmpi_is_one_decision),
        cmocka_unit_test(branches_take_their_targets_from_registers),
        cmocka_unit_test(brd_and_brc_send_the_lanes_that_their_predicate_names),
        cmocka_unit_test(halted_lanes_go_to_its_target),
        cmocka_unit_test(calls_return_to_their_callers),
        cmocka_unit_test(a_wider_dispatch_mask_has_more_lanes),
        cmocka_unit_test(functions_behind_the_end_are_the_shaders),
        cmocka_unit_test(endless_loops_meet_the_limit),
        cmocka_unit_test(accesses_outside_the_buffer_are_errors),
        cmocka_unit_test(data_in_both_sources_is_an_error),
        cmocka_unit_test(a_return_without_a_call_is_an_error),
        cmocka_unit_test(a_thread_ends_by_the_thread_spawner_alone),
        cmocka_unit_test(threads_meet_at_barriers),
        cmocka_unit_test(a_barrier_that_a_thread_never_reaches_is_an_error),
        cmocka_unit_test(a_wait_that_nobody_ends_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
