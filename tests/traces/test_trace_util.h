/* test_trace_util.h - kernels, threads and files for the tests of the trace format. */
#ifndef IGPU_TEST_TRACE_UTIL_H
#define IGPU_TEST_TRACE_UTIL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/rng.h"
#include "traces/format/trace.h"

/* The test's seed: TRACE_SEED in the environment repeats a failure. */
static inline uint64_t test_seed(uint64_t usual)
{
    const char *text = getenv("TRACE_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : usual;

    printf("seed %llu (repeat with TRACE_SEED=%llu)\n", (unsigned long long)seed,
           (unsigned long long)seed);
    return seed;
}

/* ---- files -------------------------------------------------------------- */

static inline char *temp_name(char *name, size_t size, const char *what)
{
    const char *dir = getenv("IGPU_TMP");

    snprintf(name, size, "%s/trace-%s-%ld.pb", dir ? dir : ".", what, (long)getpid());
    return name;
}

static inline uint64_t file_bytes(const char *name)
{
    struct stat st;

    assert_int_equal(stat(name, &st), 0);
    return (uint64_t)st.st_size;
}

static inline uint8_t *read_file(const char *name, size_t *size)
{
    uint64_t bytes = file_bytes(name);
    uint8_t *data = malloc(bytes + 1);
    FILE *f = fopen(name, "rb");

    assert_non_null(data);
    assert_non_null(f);
    *size = fread(data, 1, bytes, f);
    fclose(f);
    assert_int_equal(*size, bytes);
    return data;
}

static inline void write_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* ---- kernels ------------------------------------------------------------ */

static inline struct isa_inst plain_inst(enum isa_opcode op)
{
    struct isa_inst i;

    memset(&i, 0, sizeof(i));
    i.op = (uint8_t)op;
    i.size = 16;
    i.exec_size = 16;
    i.flag = -1;
    i.jip = i.uip = ISA_NO_TARGET;
    i.dst.mme = ISA_MME_NONE;
    for (int s = 0; s < ISA_MAX_SRC; s++)
        i.src[s].mme = ISA_MME_NONE;
    i.msg.atomic_op = ISA_ATOMIC_NONE;
    return i;
}

static inline struct isa_operand grf(uint8_t reg, enum isa_type type)
{
    struct isa_operand o;

    memset(&o, 0, sizeof(o));
    o.file = ISA_FILE_GRF;
    o.type = (uint8_t)type;
    o.reg = reg;
    o.vstride = 8;
    o.width = 8;
    o.hstride = 1;
    o.mme = ISA_MME_NONE;
    return o;
}

static inline struct isa_inst mad_inst(uint8_t dst)
{
    struct isa_inst i = plain_inst(ISA_OP_MAD);

    i.dst = grf(dst, ISA_TYPE_F);
    i.nsrc = 3;
    for (uint8_t s = 0; s < 3; s++)
        i.src[s] = grf((uint8_t)(dst + 2 * s), ISA_TYPE_F);
    return i;
}

/* An untyped read of one dword per lane. */
static inline struct isa_inst read_inst(uint8_t dst)
{
    struct isa_inst i = plain_inst(ISA_OP_SEND);

    i.dst = grf(dst, ISA_TYPE_UD);
    i.nsrc = 1;
    i.src[0] = grf((uint8_t)(dst + 2), ISA_TYPE_UD);
    i.msg.desc = 0x04205e00;
    i.msg.sfid = ISA_SFID_DC1;
    i.msg.family = ISA_MSG_UNTYPED_READ;
    i.msg.addr_model = ISA_ADDR_BTI;
    i.msg.mlen = 2;
    i.msg.rlen = 2;
    i.msg.simd = 16;
    i.msg.elements = 1;
    i.msg.element_bytes = 4;
    i.msg.slot_bytes = 4;
    i.msg.comp_mask = 1;
    i.msg.is_read = i.msg.returns_data = true;
    return i;
}

/* A message of another family, as long; one that does not read has no answer. */
static inline struct isa_inst message_inst(uint8_t dst, enum isa_family family,
                                           bool read, bool write)
{
    struct isa_inst i = read_inst(dst);

    i.msg.family = (uint8_t)family;
    i.msg.is_read = read;
    i.msg.is_write = write;
    if (!read) {
        i.dst.file = ISA_FILE_NULL;
        i.msg.rlen = 0;
        i.msg.returns_data = false;
    }
    return i;
}

static inline struct isa_inst eot_inst(void)
{
    struct isa_inst i = plain_inst(ISA_OP_SEND);

    i.eot = true;
    i.msg.sfid = ISA_SFID_SPAWNER;
    i.msg.family = ISA_MSG_EOT;
    i.msg.desc = 0x02000010;
    i.msg.mlen = 1;
    return i;
}

static inline void make_kernel(struct trace_kernel *k, const char *name, uint32_t insts,
                               uint32_t blocks)
{
    memset(k, 0, sizeof(*k));
    k->name = name;
    k->build_options = "-O2";
    k->simd = 16;
    k->grf_count = 128;
    k->code.inst = calloc(insts, sizeof(*k->code.inst));
    k->blocks.block = calloc(blocks, sizeof(*k->blocks.block));
    k->blocks.block_of = calloc(insts, sizeof(*k->blocks.block_of));
    assert_non_null(k->code.inst);
    assert_non_null(k->blocks.block);
    assert_non_null(k->blocks.block_of);
}

static inline void free_kernel(struct trace_kernel *k)
{
    free(k->code.inst);
    free(k->blocks.block);
    free(k->blocks.block_of);
}

static inline void add_inst(struct trace_kernel *k, struct isa_inst inst)
{
    struct isa_kernel_code *c = &k->code;

    inst.pc = c->text_bytes;
    c->text_bytes += inst.size;
    c->inst[c->count++] = inst;
}

/* End a block at the instructions added so far. */
static inline struct isa_block *add_block(struct trace_kernel *k)
{
    struct isa_block *b = &k->blocks.block[k->blocks.count];
    uint32_t first = k->blocks.count ? b[-1].first + b[-1].count : 0;

    b->first = first;
    b->count = k->code.count - first;
    for (uint32_t i = first; i < k->code.count; i++)
        k->blocks.block_of[i] = k->blocks.count;
    k->blocks.count++;
    return b;
}

/* entry (block 0) -> loop of `body` (block 1) -> end (block 2). */
static inline void loop_kernel(struct trace_kernel *k, const char *name,
                               const struct isa_inst *body, uint32_t n)
{
    struct isa_block *b;
    struct isa_inst loop = plain_inst(ISA_OP_WHILE);

    make_kernel(k, name, n + 16, 3);
    for (uint8_t i = 0; i < 8; i++)
        add_inst(k, mad_inst((uint8_t)(10 + i)));
    b = add_block(k);
    b->succ[b->nsucc++] = 1;
    loop.jip = (int32_t)k->code.text_bytes;
    for (uint32_t i = 0; i < n; i++)
        add_inst(k, body[i]);
    loop.pred = ISA_PRED_SEQ;
    loop.flag = 0;
    add_inst(k, loop);
    b = add_block(k);
    b->succ[b->nsucc++] = 2;
    b->succ[b->nsucc++] = 1;
    add_inst(k, eot_inst());
    b = add_block(k);
    b->ends_thread = true;
}

/* ---- launches and files ------------------------------------------------- */

static inline struct trace_launch plain_launch(uint32_t kernel, uint32_t groups,
                                               uint32_t threads_per_group)
{
    struct trace_launch l;

    memset(&l, 0, sizeof(l));
    l.kernel = kernel;
    l.dims = 1;
    l.global[0] = (uint64_t)groups * threads_per_group * 16;
    l.local[0] = (uint64_t)threads_per_group * 16;
    l.global[1] = l.global[2] = l.local[1] = l.local[2] = 1;
    l.threads_per_group = threads_per_group;
    l.threads = groups * threads_per_group;
    return l;
}

#define assert_ok(call, err)                                                           \
    do {                                                                               \
        enum igpu_status ok_status = (call);                                           \
        if (ok_status != IGPU_OK)                                                      \
            fail_msg("status %d: %s", (int)ok_status, (err).text);                     \
    } while (0)

static inline struct trace_writer *open_writer(const char *name)
{
    struct trace_header header = {"test 1.0", "skl", "test.cl", "igpu record -k test",
                                  false,      false};
    struct igpu_err err;
    struct trace_writer *w = trace_writer_open(name, &header, NULL, &err);

    if (!w)
        fail_msg("%s", err.text);
    return w;
}

static inline struct trace_reader *open_reader(const char *name)
{
    struct igpu_err err;
    struct trace_reader *r = trace_open(name, NULL, &err);

    if (!r)
        fail_msg("%s", err.text);
    return r;
}

#endif
