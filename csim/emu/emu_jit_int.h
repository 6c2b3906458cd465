/* emu_jit_int.h - translations of programs, by those that use them. */
#ifndef EMU_JIT_INT_H
#define EMU_JIT_INT_H
#include "emu_int.h"

/* emu_jit.c: a translation of a program, that tells what hooks are told or does not;
 * NULL when memory is short. Free waits for a translation that is under way. */
struct emu_jit *emu_jit_new(const struct emu_program *p, bool tells);
void emu_jit_free(struct emu_jit *j);
/* What code calls beside instructions: JIT_CALL_BRANCH, JIT_CALL_PLACE. */
struct emu_jit_calls {
    void (*branch)(struct emu_thread *t, const struct emu_op *op);
    bool (*place)(struct emu_thread *t, const struct emu_op *op,
                  struct jit_place *place, uint64_t offset);
    void (*math)(struct jit_asked *a, uint32_t near, uint32_t function);
    void (*start)(struct jit_asked *a, uint32_t near, uint32_t none);
};
/* Translate, once, for code that calls those; at_once: before this returns. */
void emu_jit_start(struct emu_jit *j, const struct emu_jit_calls *calls, bool at_once);
/* Take the code that is kept, if there is some, or else count what other processes have
 * run; looked for once. */
void emu_jit_find(struct emu_jit *j, const struct emu_jit_calls *calls);
/* The table that its code needs. */
const void *const *emu_jit_table(const struct emu_jit *j);
/* The instructions that the kernel has run, which are now so many more. */
uint64_t emu_jit_spend(struct emu_jit *j, uint64_t instructions);
/* Behind so many a program is translated: about as long in the interpreter as that
 * takes.
 */
uint64_t emu_jit_worth(const struct emu_program *p);
/* The code, or NULL: none, or none yet. */
const struct jit_code *emu_jit_code(const struct emu_jit *j);
/* NULL: it is there; else why not, "" when nobody asked for it or without a library. */
const char *emu_jit_refused(const struct emu_program *p);

/* emu_jit_keep.c: code of k from what is kept, or into it. False: there is none; *spent
 * gets the instructions that k has run in processes that did not translate it. */
bool emu_jit_take(const struct jit_kernel *k, const char *library,
                  struct jit_code *code, uint64_t *spent);
void emu_jit_put(const struct jit_kernel *k, const char *library,
                 const struct jit_code *code);
void emu_jit_put_spent(const struct jit_kernel *k, const char *library, uint64_t spent);
bool emu_jit_keeps(void);
/* Code that came as bytes is made ready to run, and given back. */
bool emu_jit_map(struct jit_code *code);
void emu_jit_unmap(struct jit_code *code);

/* emu_jit_run.c: may this launch use a translation? IGPU_USAGE: the environment has
 * another IGPU_JIT than there are. */
enum igpu_status emu_jit_set_up(struct emu_machine *m, struct igpu_err *err);
/* The same once more, as the machine's launch is another one now. */
void emu_jit_take_side(struct emu_machine *m);
/* The same where one program comes after the other, at the machine's begin.. */
enum igpu_status emu_jit_allow(struct emu_machine *m, struct igpu_err *err);
/* ..and when m->p runs next; watched: hooks are told of each block. */
void emu_jit_turn_to(struct emu_machine *m, bool watched);
/* Threads run in it from now on, if it is there. */
void emu_jit_choose(struct emu_machine *m);
/* So many instructions were run: it may be time to translate. */
void emu_jit_ran(struct emu_machine *m, uint64_t instructions);
/* `groups` of a launch ran, `left` are to: where that is much more than a translation
 * takes, it is made now, as the interpreter would only be in its way. */
void emu_jit_expect(struct emu_machine *m, uint64_t groups, uint64_t left);

#endif
