/* test_jit_process.c - what translation does to a process (docs/contract/jit.md): a
 * thread of its own translates, a process, or a child of fork(), ends meanwhile, and no
 * page is ever writable and executable at once.
 *
 * Can not find: pages that are mapped twice. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "csim/emu/emu_jit_int.h"
#include "igpu/clock.h"
#include "random_text.h"

enum { PAGE = 4096, LENGTH = 200 };

static struct isa_inst text[LENGTH];
static const struct isa_kernel_code code = {text, LENGTH, 16 * LENGTH};
static const struct emu_kernel kernel = {
    .name = "some", .code = &code, .simd = 32, .walk_order = {0, 1, 2}};
static struct emu_launch launch = {.work_dim = 1};

/* Takes some hundredths of a second to translate. */
static void put_text(void)
{
    for (uint32_t i = 0; i < LENGTH; i++) {
        uint32_t op = i % 3 == 0 ? ISA_OP_ADD : i % 3 == 1 ? ISA_OP_CMP : ISA_OP_WHILE;

        text[i] = emu_rig_inst((enum isa_opcode)op, 32);
        text[i].nsrc = op == ISA_OP_WHILE ? 0 : 2;
        text[i].dst = emu_rig_dst(2 + i % 40, ISA_TYPE_D, 1);
        text[i].src[0] = emu_rig_packed(10 + i % 40, ISA_TYPE_D);
        text[i].src[1] = emu_rig_packed(20 + i % 40, ISA_TYPE_D);
        text[i].cmod = op == ISA_OP_CMP ? ISA_CMOD_LT : ISA_CMOD_NONE;
        text[i].flag = op == ISA_OP_ADD ? -1 : 0;
        text[i].pred = op == ISA_OP_WHILE ? ISA_PRED_SEQ : ISA_PRED_NONE;
        text[i].jip = 0;
        text[i].pc = 16 * i;
    }
    text[LENGTH - 1] = emu_rig_eot();
    text[LENGTH - 1].pc = 16 * (LENGTH - 1);
}

static struct emu_machine a_machine(enum emu_jit_mode mode, struct igpu_err *err)
{
    struct emu_machine m = {.launch = &launch, .mem = emu_mem_new(), .err = err};

    m.p = emu_program_new(&kernel, err);
    if (m.p == NULL)
        fail_msg("%s", err->text);
    launch.jit = (uint8_t)mode;
    assert_int_equal(emu_jit_set_up(&m, err), IGPU_OK);
    return m;
}

static void gone(struct emu_machine *m)
{
    free(m->places);
    emu_program_free((struct emu_program *)m->p);
    emu_mem_free(m->mem);
}

/* ---- pages ------------------------------------------------------------------------
 */

/* From now on nobody gets such a page. False: this system has no such filter. */
static bool refuse_both(void)
{
#if defined(__x86_64__)
    enum { BOTH = PROT_WRITE | PROT_EXEC };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pkey_mprotect, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, BOTH),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BOTH, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13 /* EACCES */),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return false;
#endif
}

static void no_page_is_writable_and_executable(void **state)
{
    struct igpu_err err = {.text = ""};
    struct emu_machine m;
    void *page;

    (void)state;
    if (!refuse_both())
        skip();
    page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_equal(page, MAP_FAILED); /* so the filter works */
    m = a_machine(EMU_JIT_NOW, &err);
    if (emu_jit_refused(m.p) != NULL)
        fail_msg("not translated: %s", emu_jit_refused(m.p));
    gone(&m);
}

/* ---- threads and processes ---------------------------------------------------------
 */

static void a_thread_of_its_own_translates(void **state)
{
    struct igpu_err err = {.text = ""};
    struct emu_machine m = a_machine(EMU_JIT_ON, &err);
    double start = igpu_seconds(CLOCK_THREAD_CPUTIME_ID), ours;

    (void)state;
    emu_jit_ran(&m, emu_jit_worth(m.p) - 1);
    assert_int_equal(emu_jit_refused(m.p)[0], 0); /* nobody has asked for it */
    emu_jit_ran(&m, 1);
    ours = igpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    while (emu_jit_code(m.p->jit[0]) == NULL) {
        assert_string_equal(emu_jit_refused(m.p), "");
        (void)usleep(1000);
    }
    if (ours > emu_jit_code(m.p->jit[0])->compile_seconds / 2)
        fail_msg("%.4f s here, %.4f s in all", ours,
                 emu_jit_code(m.p->jit[0])->compile_seconds);
    gone(&m);
}

static void a_child_of_fork_ends_meanwhile(void **state)
{
    struct igpu_err err = {.text = ""};
    struct emu_machine m = a_machine(EMU_JIT_ON, &err);
    int status = -1;
    pid_t child;

    (void)state;
    emu_jit_ran(&m, emu_jit_worth(m.p));
    child = fork();
    if (child == 0) {
        alarm(20);
        gone(&m);
        exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    gone(&m);
}

static atomic_bool ends, is_translated;

static void *translate_at_once(void *arg)
{
    struct igpu_err err = {.text = ""};

    (void)arg;
    (void)a_machine(EMU_JIT_NOW, &err);
    atomic_store(&is_translated, true);
    return NULL;
}

/* At the end of the process that ends below, when LLVM's own has been. */
static void look_at_end(void)
{
    struct igpu_err err = {.text = ""};
    struct emu_machine m;

    if (!atomic_load(&ends))
        return;
    (void)usleep(100000); /* the thread has to say so yet */
    m = a_machine(EMU_JIT_NOW, &err);
    _exit(!atomic_load(&is_translated) ? 8 : emu_jit_refused(m.p) == NULL ? 9 : 7);
}

/* It waits for the translation, and none begins any more. */
static void a_process_ends_meanwhile(void **state)
{
    int status = -1;
    pthread_t thread;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        alarm(60);
        atomic_store(&ends, true);
        if (pthread_create(&thread, NULL, translate_at_once, NULL) == 0)
            (void)usleep(50000);
        exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_of_its_own_translates),
        cmocka_unit_test(a_child_of_fork_ends_meanwhile),
        cmocka_unit_test(a_process_ends_meanwhile),
        cmocka_unit_test(no_page_is_writable_and_executable), /* from then on */
    };

    (void)atexit(look_at_end); /* before LLVM is there, so behind its end */
    if (!emu_rig_use_jit()) {
        puts("1..0 # SKIP no LLVM 14: nothing is translated");
        return 0;
    }
    put_text();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
