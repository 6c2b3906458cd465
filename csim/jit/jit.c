/* jit.c - a kernel to code of the host, by LLVM; see igpu/jit.h. */
#include "jit_int.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "igpu/clock.h"

#define PUBLIC __attribute__((visibility("default")))

/* A kernel with more takes longer to translate than it is worth. */
enum { MAX_INSTRUCTIONS = 6000 };

static const char passes[] = "function(early-cse,instcombine,simplifycfg,early-cse)";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool ready;

static void start_llvm(void)
{
    ready = LLVMInitializeNativeTarget() == 0 && LLVMInitializeNativeAsmPrinter() == 0;
}

static bool jit_fail(char *text, size_t cap, const char *name, const char *why)
{
    snprintf(text, cap, "kernel %s is not translated: %s", name, why);
    return false;
}

static bool fail_llvm(char *text, size_t cap, const char *name, LLVMErrorRef error)
{
    char *why = LLVMGetErrorMessage(error);

    (void)jit_fail(text, cap, name, why);
    LLVMDisposeErrorMessage(why);
    return false;
}

/* ---- the module ---------------------------------------------------------------------
 */

static void set_types(struct jit_gen *g)
{
    LLVMContextRef c = g->context;

    g->i1 = LLVMInt1TypeInContext(c);
    g->i8 = LLVMInt8TypeInContext(c);
    g->i16 = LLVMInt16TypeInContext(c);
    g->i32 = LLVMInt32TypeInContext(c);
    g->i64 = LLVMInt64TypeInContext(c);
    g->ptr = LLVMPointerType(g->i8, 0);
    g->reg = jit_vector(g->i32, JIT_REG_DWORDS);
}

/* Every host with AVX2 has F16C, which not every compiler can ask for, and FMA. LLVM 14
 * for AArch64 ends by a signal at some vectors of halves (docs/contract/jit.md). */
static void ask_host(struct jit_gen *g)
{
#if defined(__x86_64__)
    g->has_half = g->has_fused = __builtin_cpu_supports("avx2");
#elif defined(__aarch64__)
    g->has_fused = true;
#endif
}

static bool make_tables(struct jit_gen *g)
{
    bool all = true;

    for (uint32_t i = 0; i < 2; i++) {
        g->enter[i] = calloc(g->k->count, sizeof(*g->enter[i]));
        g->body[i] = calloc(g->k->count, sizeof(*g->body[i]));
        all &= g->enter[i] != NULL && g->body[i] != NULL;
    }
    g->reads = calloc(g->k->blocks->count, sizeof(*g->reads));
    g->later = calloc(g->k->blocks->count, sizeof(*g->later));
    return all && g->reads != NULL && g->later != NULL;
}

static void free_tables(struct jit_gen *g)
{
    for (uint32_t i = 0; i < 2; i++) {
        free(g->enter[i]);
        free(g->body[i]);
    }
    free(g->reads);
    free(g->later);
}

static uint32_t count_inlined(const struct jit_gen *g)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->k->count; i++) {
        const struct jit_inst *in = &g->k->inst[i];

        n += in->kind == JIT_ALU    ? in->sets != JIT_SETS_NONE || jit_is_inline(g, in)
             : in->kind == JIT_SEND ? jit_send_is_inline(in)
                                    : 1;
    }
    return n;
}

static bool make_module(struct jit_gen *g, struct jit_code *code, char *text,
                        size_t cap)
{
    bool good = make_tables(g);
    char *why = NULL;

    set_types(g);
    ask_host(g);
    g->b = LLVMCreateBuilderInContext(g->context);
    if (good)
        jit_function(g);
    LLVMDisposeBuilder(g->b);
    free_tables(g);
    if (!good)
        return jit_fail(text, cap, g->k->name, "out of memory");
    code->places = g->place_count;
    code->inlined = count_inlined(g);
    if (getenv("IGPU_JIT_DUMP") != NULL)
        LLVMDumpModule(g->module);
    if (getenv("IGPU_JIT_VERIFY") != NULL &&
        LLVMVerifyModule(g->module, LLVMReturnStatusAction, &why) != 0)
        good = jit_fail(text, cap, g->k->name, why);
    LLVMDisposeMessage(why);
    return good;
}

/* ---- to code -------------------------------------------------------------------- */

/* For this host, wherever the code will be: so it can be kept. */
static LLVMTargetMachineRef target_machine(void)
{
    char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName();
    char *features = LLVMGetHostCPUFeatures(), *why = NULL;
    LLVMTargetMachineRef machine = NULL;
    LLVMTargetRef target;

    if (LLVMGetTargetFromTriple(triple, &target, &why) == 0)
        machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                          LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                          LLVMCodeModelDefault);
    LLVMDisposeMessage(why);
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(triple);
    return machine;
}

static bool optimise(struct jit_gen *g, LLVMTargetMachineRef machine, char *text,
                     size_t cap)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    char *triple = LLVMGetTargetMachineTriple(machine);
    LLVMErrorRef error;

    LLVMSetTarget(g->module, triple);
    LLVMSetModuleDataLayout(g->module, data);
    LLVMDisposeTargetData(data);
    LLVMDisposeMessage(triple);
    error = LLVMRunPasses(g->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    return error == NULL || fail_llvm(text, cap, g->k->name, error);
}

/* By LLVM's linker, which takes the object. */
static bool link_object(const struct jit_kernel *k, LLVMMemoryBufferRef object,
                        struct jit_code *code, char *text, size_t cap)
{
    LLVMOrcLLJITRef jit = NULL;
    LLVMOrcExecutorAddress at = 0;
    LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit, NULL);

    if (error != NULL) {
        LLVMDisposeMemoryBuffer(object);
        return fail_llvm(text, cap, k->name, error);
    }
    code->own = jit;
    error = LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object);
    if (error == NULL)
        error = LLVMOrcLLJITLookup(jit, &at, "run");
    if (error != NULL)
        return fail_llvm(text, cap, k->name, error);
    memcpy(&code->run, &(void *){(void *)(uintptr_t)at}, sizeof(code->run));
    return true;
}

static bool emit(struct jit_gen *g, LLVMTargetMachineRef machine, struct jit_code *code,
                 char *text, size_t cap)
{
    LLVMMemoryBufferRef object = NULL;
    char *why = NULL;

    if (LLVMTargetMachineEmitToMemoryBuffer(machine, g->module, LLVMObjectFile, &why,
                                            &object) != 0) {
        (void)jit_fail(text, cap, g->k->name, why);
        LLVMDisposeMessage(why);
        return false;
    }
    if (!jit_image((const uint8_t *)LLVMGetBufferStart(object),
                   LLVMGetBufferSize(object), code))
        return link_object(g->k, object, code, text, cap);
    LLVMDisposeMemoryBuffer(object);
    return true;
}

static bool translate(const struct jit_kernel *k, LLVMTargetMachineRef machine,
                      struct jit_code *code, char *text, size_t cap)
{
    struct jit_gen *g = calloc(1, sizeof(*g));
    bool good;

    if (g == NULL)
        return jit_fail(text, cap, k->name, "out of memory");
    g->k = k;
    g->context = LLVMContextCreate();
    g->module = LLVMModuleCreateWithNameInContext(k->name, g->context);
    good = make_module(g, code, text, cap) && optimise(g, machine, text, cap) &&
           emit(g, machine, code, text, cap);
    LLVMDisposeModule(g->module);
    LLVMContextDispose(g->context);
    free(g);
    return good;
}

PUBLIC jit_compile_fn igpu_jit_compile;
PUBLIC jit_release_fn igpu_jit_release;

bool igpu_jit_compile(const struct jit_kernel *kernel, struct jit_code *code,
                      char *text, size_t cap)
{
    double start = igpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    LLVMTargetMachineRef machine;
    bool good;

    memset(code, 0, sizeof(*code));
    (void)pthread_once(&once, start_llvm);
    if (!ready || kernel->version != JIT_VERSION)
        return jit_fail(text, cap, kernel->name, "LLVM or the emulator is another one");
    if (kernel->count > MAX_INSTRUCTIONS)
        return jit_fail(text, cap, kernel->name, "it is too long");
    machine = target_machine();
    if (machine == NULL)
        return jit_fail(text, cap, kernel->name, "LLVM does not know this host");
    good = translate(kernel, machine, code, text, cap);
    LLVMDisposeTargetMachine(machine);
    if (!good) {
        igpu_jit_release(code);
        return false;
    }
    code->compile_seconds = igpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    return true;
}

void igpu_jit_release(struct jit_code *code)
{
    if (code->own != NULL)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(code->own));
    memset(code, 0, sizeof(*code));
}
