/* emu_error.c - how a thread stops for an error. */
#include "emu_int.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void emu_error(struct emu_thread *t, const struct emu_op *op, const char *format, ...)
{
    const struct emu_kernel *k = &t->m->p->k;
    char asm_text[128], reason[256], place[256] = "";
    va_list args;

    if (t->stop == EMU_STOP_ERROR)
        return;
    t->stop = EMU_STOP_ERROR;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    (void)isa_disasm(op->inst, asm_text, sizeof(asm_text));
    if (k->place != NULL)
        k->place(k->place_user, op->inst->pc, place, sizeof(place));
    t->m->status = igpu_fail(t->m->err, IGPU_SIM_ERROR,
                             "kernel %s, pc 0x%X%s%s, thread %" PRIu64 ": %s [%s]",
                             k->name, op->inst->pc, place[0] != '\0' ? ", " : "", place,
                             t->number, reason, asm_text);
}
