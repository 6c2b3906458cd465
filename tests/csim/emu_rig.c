/* emu_rig.c - see emu_rig.h. */
#include "emu_rig.h"
#include "tests/support/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEEP_DENORMALS = 0x4C0 };

void emu_rig_open(struct emu_rig *r)
{
    memset(r, 0, sizeof(*r));
    r->t = calloc(1, sizeof(*r->t));
    r->m = calloc(1, sizeof(*r->m));
    r->mem = emu_mem_new();
    if (r->t == NULL || r->m == NULL || r->mem == NULL)
        abort();
    r->m->err = &r->err;
    r->m->launch = &r->launch;
    r->m->mem = r->mem;
    r->t->m = r->m;
    emu_rig_control(r, 0, 0);
}

void emu_rig_close(struct emu_rig *r)
{
    emu_mem_free(r->mem);
    free(r->t);
    free(r->m);
}

void emu_rig_control(struct emu_rig *r, uint32_t set, uint32_t clear)
{
    r->t->ctrl[0] = (KEEP_DENORMALS & ~clear) | set;
    emu_ctrl_changed(r->t);
}

bool emu_rig_run_op(struct emu_rig *r, const struct emu_program *p, uint32_t index,
                    uint32_t active)
{
    const struct emu_op *op = &p->op[index];
    uint32_t mask;

    r->m->p = p;
    r->t->stop = EMU_STOP_NONE;
    r->t->active = r->t->live = active;
    mask = op->no_mask ? op->full : active >> op->chan & op->full;
    if (op->pred_on)
        mask &= emu_predicate(r->t, op);
    op->run(r->t, op, mask);
    r->m->p = NULL;
    return r->t->stop == EMU_STOP_NONE;
}

bool emu_rig_run(struct emu_rig *r, const struct isa_inst *inst, uint32_t active)
{
    struct isa_inst text[2] = {*inst, emu_rig_eot()};
    struct isa_kernel_code code = {text, 2, 32};
    struct emu_kernel kernel = {
        .name = "rig", .code = &code, .simd = 32, .walk_order = {0, 1, 2}};
    struct emu_program *p = emu_program_new(&kernel, &r->err);
    bool ok;

    if (p == NULL)
        return false;
    ok = emu_rig_run_op(r, p, 0, active);
    emu_program_free(p);
    return ok;
}

struct isa_inst emu_rig_inst(enum isa_opcode op, uint32_t exec)
{
    struct isa_inst inst = {0};

    inst.op = (uint8_t)op;
    inst.size = 16;
    inst.exec_size = (uint8_t)exec;
    inst.flag = -1;
    inst.jip = inst.uip = ISA_NO_TARGET;
    for (uint32_t k = 0; k < ISA_MAX_SRC; k++)
        inst.src[k].mme = ISA_MME_NONE;
    inst.dst.mme = ISA_MME_NONE;
    return inst;
}

struct isa_operand emu_rig_dst(uint32_t reg, enum isa_type type, uint32_t hstride)
{
    struct isa_operand o = {.file = ISA_FILE_GRF, .mme = ISA_MME_NONE};

    o.type = (uint8_t)type;
    o.reg = (uint8_t)reg;
    o.hstride = (uint8_t)hstride;
    return o;
}

struct isa_operand emu_rig_src(uint32_t reg, enum isa_type type, uint32_t vstride,
                               uint32_t width, uint32_t hstride)
{
    struct isa_operand o = emu_rig_dst(reg, type, hstride);

    o.vstride = (uint8_t)vstride;
    o.width = (uint8_t)width;
    return o;
}

struct isa_operand emu_rig_packed(uint32_t reg, enum isa_type type)
{
    return emu_rig_src(reg, type, 8, 8, 1);
}

struct isa_operand emu_rig_imm(enum isa_type type, uint64_t imm)
{
    struct isa_operand o = {.file = ISA_FILE_IMM, .mme = ISA_MME_NONE};

    o.type = (uint8_t)type;
    o.imm = imm;
    return o;
}

struct isa_inst emu_rig_eot(void)
{
    struct isa_inst inst = emu_rig_inst(ISA_OP_SEND, 8);

    inst.pc = 16;
    inst.eot = true;
    inst.no_mask = true;
    inst.msg.family = ISA_MSG_EOT;
    inst.msg.sfid = ISA_SFID_SPAWNER;
    return inst;
}

bool emu_rig_use_jit(void)
{
    enum { PATH_BYTES = 512 };

    const char *build = getenv("IGPU_BUILD"), *other = getenv("IGPU_JIT_LIBRARY");
    char folder[PATH_BYTES] = "", path[3 * PATH_BYTES];

    if (build == NULL)
        build = "build";
    if (build[0] != '/' && getcwd(folder, sizeof(folder)) == NULL)
        return false;
    snprintf(path, sizeof(path), "%s%s%s/lib/libigpu_jit.so", folder,
             folder[0] ? "/" : "", build);
    emu_jit_library(other ? other : path);
    (void)setenv("IGPU_JIT_VERIFY", "1", 0); /* LLVM's text is checked, too */
    return access(other ? other : path, R_OK) == 0;
}

uint64_t emu_rig_random(uint64_t *state)
{
    struct rng r = {*state};
    uint64_t next = rng_next(&r);

    *state = r.state;
    return next;
}
