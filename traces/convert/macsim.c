/* macsim.c - a trace as MacSim's Intel GPU model reads it, see convert.h.
 *
 * One record of 80 bytes per instruction; a memory message is a parent record with
 * one child for each distinct 64-byte line. What MacSim has no notion of (SLM,
 * barriers, fences, end of thread, a message with no lane on) is a send that only
 * writes its destination. Source: its trace reader, src/trace_read_igpu.cc. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "traces/convert/macsim.h"

enum {
    RECORD = 80,
    MAX_SRC = 8,
    MAX_DST = 5,
    MAX_CHILDREN = 64,
    LINE = 64,
    GZIP_LEVEL = 1,
    /* Register numbers beyond the GRFs. */
    REG_FLAG = 128,
    REG_ACC = 132,
    REG_ADDR = 133,
    /* Offsets in a record. */
    AT_SRC = 2,
    AT_DST = 11,
    AT_CF = 17,
    AT_IMM = 18,
    AT_OPCODE = 19,
    AT_STORE = 20,
    AT_FLOAT = 21,
    AT_LOADS = 23,
    AT_SIZE = 24,
    AT_LD1 = 32,
    AT_ST = 48,
    AT_PC = 56,
    AT_TARGET = 64,
    AT_READ_SIZE = 72,
    AT_WRITE_SIZE = 73,
    AT_TAKEN = 75,
    CF_BRANCH = 1,
    CF_CONDITIONAL = 2
};

/* What is the same each time an instruction runs. */
struct shape {
    uint8_t record[RECORD];
    bool memory, store, twice, marked; /* marked: the MOV before it is written */
};

struct out {
    gzFile file;
    const char *path;
    enum macsim_variant variant;
    uint64_t records;
    bool failed;
};

/* ---- opcode numbers ----------------------------------------------------- */

/* In the order of MacSim's enumerations; a place it has and Gen9 lacks is ILLEGAL. */
static const uint8_t intel_order[] = {
    ISA_OP_ILLEGAL, ISA_OP_MOV,   ISA_OP_SEL,   ISA_OP_MOVI,    ISA_OP_NOT,
    ISA_OP_AND,     ISA_OP_OR,    ISA_OP_XOR,   ISA_OP_SHR,     ISA_OP_SHL,
    ISA_OP_ASR,     ISA_OP_CMP,   ISA_OP_CMPN,  ISA_OP_CSEL,    ISA_OP_ILLEGAL,
    ISA_OP_ILLEGAL, ISA_OP_BFREV, ISA_OP_BFE,   ISA_OP_BFI1,    ISA_OP_BFI2,
    ISA_OP_JMPI,    ISA_OP_BRD,   ISA_OP_IF,    ISA_OP_BRC,     ISA_OP_ELSE,
    ISA_OP_ENDIF,   ISA_OP_WHILE, ISA_OP_BREAK, ISA_OP_CONT,    ISA_OP_HALT,
    ISA_OP_CALL,    ISA_OP_RET,   ISA_OP_WAIT,  ISA_OP_SEND,    ISA_OP_SENDC,
    ISA_OP_MATH,    ISA_OP_ADD,   ISA_OP_MUL,   ISA_OP_AVG,     ISA_OP_FRC,
    ISA_OP_RNDU,    ISA_OP_RNDD,  ISA_OP_RNDE,  ISA_OP_RNDZ,    ISA_OP_MAC,
    ISA_OP_MACH,    ISA_OP_LZD,   ISA_OP_FBH,   ISA_OP_FBL,     ISA_OP_CBIT,
    ISA_OP_ADDC,    ISA_OP_SUBB,  ISA_OP_SAD2,  ISA_OP_SADA2,   ISA_OP_DP4,
    ISA_OP_DPH,     ISA_OP_DP3,   ISA_OP_DP2,   ISA_OP_LINE,    ISA_OP_PLN,
    ISA_OP_MAD,     ISA_OP_LRP,   ISA_OP_NOP,   ISA_OP_ILLEGAL, ISA_OP_CALLA,
    ISA_OP_SMOV,    ISA_OP_GOTO,  ISA_OP_JOIN,  ISA_OP_MADM,    ISA_OP_SENDS,
    ISA_OP_SENDSC};
static const uint8_t main_order[] = {
    ISA_OP_ILLEGAL, ISA_OP_MOV,   ISA_OP_SEL,   ISA_OP_MOVI,   ISA_OP_NOT,
    ISA_OP_AND,     ISA_OP_OR,    ISA_OP_XOR,   ISA_OP_SHR,    ISA_OP_SHL,
    ISA_OP_SMOV,    ISA_OP_ASR,   ISA_OP_CMP,   ISA_OP_CMPN,   ISA_OP_CSEL,
    ISA_OP_BFREV,   ISA_OP_BFE,   ISA_OP_BFI1,  ISA_OP_BFI2,   ISA_OP_JMPI,
    ISA_OP_BRD,     ISA_OP_IF,    ISA_OP_BRC,   ISA_OP_ELSE,   ISA_OP_ENDIF,
    ISA_OP_WHILE,   ISA_OP_BREAK, ISA_OP_CONT,  ISA_OP_HALT,   ISA_OP_CALLA,
    ISA_OP_CALL,    ISA_OP_RET,   ISA_OP_GOTO,  ISA_OP_JOIN,   ISA_OP_WAIT,
    ISA_OP_SEND,    ISA_OP_SENDC, ISA_OP_SENDS, ISA_OP_SENDSC, ISA_OP_MATH,
    ISA_OP_ADD,     ISA_OP_MUL,   ISA_OP_AVG,   ISA_OP_FRC,    ISA_OP_RNDU,
    ISA_OP_RNDD,    ISA_OP_RNDE,  ISA_OP_RNDZ,  ISA_OP_MAC,    ISA_OP_MACH,
    ISA_OP_LZD,     ISA_OP_FBH,   ISA_OP_FBL,   ISA_OP_CBIT,   ISA_OP_ADDC,
    ISA_OP_SUBB,    ISA_OP_SAD2,  ISA_OP_SADA2, ISA_OP_DP4,    ISA_OP_DPH,
    ISA_OP_DP3,     ISA_OP_DP2,   ISA_OP_LINE,  ISA_OP_PLN,    ISA_OP_MAD,
    ISA_OP_LRP,     ISA_OP_MADM,  ISA_OP_NOP};

static uint8_t opcode_number(enum macsim_variant variant, uint8_t op)
{
    const uint8_t *order = variant == MACSIM_MAIN ? main_order : intel_order;
    size_t count = variant == MACSIM_MAIN ? sizeof(main_order) : sizeof(intel_order);
    size_t i = 0;

    while (i < count && order[i] != op)
        i++;
    return (uint8_t)(i < count ? i : 0);
}

/* ---- records ------------------------------------------------------------ */

static void put64(uint8_t *record, int at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        record[at + i] = (uint8_t)(value >> 8 * i);
}

static void put_record(struct out *o, const uint8_t *record)
{
    if (!o->failed && gzwrite(o->file, record, RECORD) != RECORD)
        o->failed = true;
    o->records++;
}

/* Register numbers of a set, at most `max`, into ids; returns how many. */
static uint8_t list_regs(const struct isa_regset *set, uint8_t *ids, unsigned max)
{
    unsigned n = 0;

    for (unsigned r = 0; r < ISA_GRF_COUNT && n < max && !set->indirect; r++)
        if (set->grf[r / 64] >> r % 64 & 1)
            ids[n++] = (uint8_t)r;
    for (unsigned f = 0; f < 4 && n < max; f++)
        if (set->flags >> f & 1)
            ids[n++] = (uint8_t)(REG_FLAG + f);
    if (set->acc && n < max)
        ids[n++] = REG_ACC;
    if (set->addr && n < max)
        ids[n++] = REG_ADDR;
    return (uint8_t)n;
}

static bool has_immediate(const struct isa_inst *in)
{
    for (unsigned i = 0; i < in->nsrc; i++)
        if (in->src[i].file == ISA_FILE_IMM)
            return true;
    return false;
}

static void make_shape(const struct isa_inst *in, enum macsim_variant variant,
                       struct shape *s)
{
    enum isa_class cls = isa_opcode_class((enum isa_opcode)in->op);
    const struct isa_message *m = &in->msg;
    struct isa_regset reads, writes;

    memset(s, 0, sizeof(*s));
    isa_regs(in, &reads, &writes);
    s->record[0] = list_regs(&reads, &s->record[AT_SRC], MAX_SRC);
    s->record[1] = list_regs(&writes, &s->record[AT_DST], MAX_DST);
    if (cls == ISA_CLASS_BRANCH)
        s->record[AT_CF] = in->pred ? CF_CONDITIONAL : CF_BRANCH;
    s->record[AT_IMM] = has_immediate(in);
    s->record[AT_OPCODE] = opcode_number(variant, in->op);
    s->record[AT_FLOAT] = isa_type_is_float(isa_exec_type(in));
    s->record[AT_SIZE] = in->size;
    put64(s->record, AT_PC, in->pc);
    s->memory = (m->is_read || m->is_write) && m->addr_model != ISA_ADDR_SLM;
    s->store = s->memory && !m->is_read;
    s->twice = variant == MACSIM_INTEL && in->exec_size >= 16 &&
               (in->op == ISA_OP_MAD || in->op == ISA_OP_MADM);
}

/* ---- memory ------------------------------------------------------------- */

/* The distinct lines of one access, in order of lanes. */
static unsigned find_lines(const struct isa_message *m, const struct trace_access *a,
                           uint64_t *lines)
{
    uint64_t bytes = m->block_bytes ? m->block_bytes
                                    : (uint64_t)(m->elements ? m->elements : 1) *
                                          (m->element_bytes ? m->element_bytes : 4);
    unsigned n = 0;

    for (unsigned lane = 0; lane < TRACE_MAX_LANES; lane++) {
        uint64_t first = a->addr[lane] / LINE, last;

        if (!(a->mask >> lane & 1))
            continue;
        last = (a->addr[lane] + bytes - 1) / LINE;
        for (uint64_t line = first; line <= last && n < MAX_CHILDREN; line++) {
            unsigned i = 0;

            while (i < n && lines[i] != line)
                i++;
            if (i == n)
                lines[n++] = line;
        }
    }
    return n;
}

/* Its reader takes a load's count of destinations from what was decoded before; a MOV
 * with one makes that count right. */
static void put_mark(struct out *o, const struct shape *s)
{
    uint8_t mov[RECORD] = {0};

    mov[1] = 1;
    mov[AT_DST] = s->record[AT_DST];
    mov[AT_OPCODE] = opcode_number(o->variant, ISA_OP_MOV);
    mov[AT_SIZE] = s->record[AT_SIZE];
    memcpy(&mov[AT_PC], &s->record[AT_PC], 8);
    mov[AT_PC] |= 1; /* a pc of its own */
    put_record(o, mov);
}

static void put_memory(struct out *o, struct shape *s, const struct isa_message *m,
                       const struct trace_access *a)
{
    uint64_t lines[MAX_CHILDREN];
    unsigned n = find_lines(m, a, lines);
    uint8_t record[RECORD];

    if (n == 0) {
        put_record(o, s->record);
        return;
    }
    if (!s->marked && !s->store)
        put_mark(o, s);
    s->marked = true;
    memcpy(record, s->record, RECORD);
    record[s->store ? AT_STORE : AT_LOADS] = 1;
    record[s->store ? AT_WRITE_SIZE : AT_READ_SIZE] = LINE;
    record[AT_FLOAT] = 0;
    put64(record, s->store ? AT_ST : AT_LD1, lines[0] ? lines[0] * LINE : 1);
    put64(record, AT_TARGET, n);
    put_record(o, record);
    record[AT_FLOAT] = 1; /* marks a child */
    put64(record, AT_TARGET, 0);
    for (unsigned i = 0; i < n; i++) {
        put64(record, s->store ? AT_ST : AT_LD1, lines[i] ? lines[i] * LINE : 1);
        put_record(o, record);
    }
}

/* ---- threads ------------------------------------------------------------ */

struct walk {
    const struct macsim *ms;
    struct out *out;
    const struct trace_kernel *kernel;
    struct shape *shapes;
    struct trace_cursor *cursor;
    struct trace_access access;
    enum trace_next more;
};

enum igpu_status macsim_stopped(const struct macsim *ms)
{
    if (!ms->stop || !ms->stop())
        return IGPU_OK;
    return igpu_fail(ms->err, IGPU_STOPPED, "%s: stopped; nothing is left of it",
                     ms->dir);
}

static enum igpu_status next_access(struct walk *w)
{
    w->more = trace_cursor_next_access(w->cursor, &w->access, w->ms->err);
    return w->more == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : IGPU_OK;
}

static enum igpu_status put_block(struct walk *w, uint32_t block, int32_t next_pc)
{
    const struct isa_block *b = &w->kernel->blocks.block[block];
    enum igpu_status status = IGPU_OK;

    for (uint32_t i = b->first; i < b->first + b->count && status == IGPU_OK; i++) {
        const struct isa_inst *in = &w->kernel->code.inst[i];
        struct shape *s = &w->shapes[i];
        bool here = w->more == TRACE_NEXT_OK && w->access.inst == i;

        if (here && s->memory) {
            put_memory(w->out, s, &in->msg, &w->access);
        } else if (s->record[AT_CF]) {
            uint8_t record[RECORD];

            memcpy(record, s->record, RECORD);
            record[AT_TAKEN] = next_pc != (int32_t)(in->pc + in->size);
            put64(record, AT_TARGET, next_pc < 0 ? 0 : (uint64_t)next_pc);
            put_record(w->out, record);
        } else {
            put_record(w->out, s->record);
            if (s->twice)
                put_record(w->out, s->record);
        }
        if (here)
            status = next_access(w);
    }
    return status;
}

static enum igpu_status put_path(struct walk *w)
{
    uint32_t block, next;
    bool more;
    enum igpu_status status = next_access(w);
    enum trace_next got = trace_cursor_next_block(w->cursor, &block, w->ms->err);

    for (more = got == TRACE_NEXT_OK; more && status == IGPU_OK; block = next) {
        int32_t pc = -1;

        got = trace_cursor_next_block(w->cursor, &next, w->ms->err);
        more = got == TRACE_NEXT_OK;
        if (more)
            pc = (int32_t)w->kernel->code.inst[w->kernel->blocks.block[next].first].pc;
        if (got == TRACE_NEXT_ERROR)
            return IGPU_BAD_INPUT;
        status = put_block(w, block, pc);
        w->ms->report->instructions += w->kernel->blocks.block[block].count;
        if (status == IGPU_OK)
            status = macsim_stopped(w->ms);
    }
    return got == TRACE_NEXT_ERROR ? IGPU_BAD_INPUT : status;
}

/* The last record of a file is not simulated. */
static void put_end(struct out *o)
{
    uint8_t nop[RECORD] = {0};

    nop[AT_OPCODE] = opcode_number(o->variant, ISA_OP_NOP);
    nop[AT_SIZE] = 16;
    put64(nop, AT_PC, INT32_MAX);
    put_record(o, nop);
}

static enum igpu_status put_file(struct walk *w, struct out *out)
{
    struct igpu_err *err = w->ms->err;
    enum igpu_status status;

    out->file = gzopen(out->path, "wb1");
    if (!out->file)
        return igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot create: %s", out->path,
                         strerror(errno));
    status = put_path(w);
    put_end(out);
    if ((gzclose(out->file) != Z_OK || out->failed) && status == IGPU_OK)
        status = igpu_fail(err, IGPU_BAD_INPUT, "%s: cannot write; is the disk full?",
                           out->path);
    w->ms->report->records += out->records;
    return status;
}

enum igpu_status macsim_put_thread(const struct macsim *ms, const char *path,
                                   uint32_t launch, uint32_t thread)
{
    const struct trace_launch *l = trace_launch(ms->reader, launch);
    struct out out = {.path = path, .variant = ms->variant};
    struct walk w = {
        .ms = ms, .out = &out, .kernel = trace_kernel(ms->reader, l->kernel)};
    uint32_t count = w.kernel->code.count;
    enum igpu_status status = IGPU_OK;

    w.shapes = calloc(count, sizeof(*w.shapes));
    if (!w.shapes)
        return igpu_no_memory(ms->err, "a MacSim trace");
    for (uint32_t i = 0; i < count; i++)
        make_shape(&w.kernel->code.inst[i], ms->variant, &w.shapes[i]);
    w.cursor = trace_cursor_open(ms->reader, launch, thread, &status, ms->err);
    if (w.cursor)
        status = put_file(&w, &out);
    trace_cursor_close(w.cursor);
    free(w.shapes);
    return status;
}
