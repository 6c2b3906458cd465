/* emu_jit_keep.c - translations that outlive the process: bytes that run wherever they
 * are put, found by all that they were made of; and how far a kernel is from one. Who
 * keeps them is told by emu_jit_kept_by(); nothing is kept otherwise. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "emu_jit_int.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Longer kernels are not translated anyway. */
enum { MOST = 6000 };

static struct emu_jit_keep keep;

void emu_jit_kept_by(const struct emu_jit_keep *with)
{
    keep = *with;
}

bool emu_jit_keeps(void)
{
    return keep.find != NULL;
}

/* ---- the key -------------------------------------------------------------------- */

/* What the host's processor can, which decides the instructions that LLVM takes. */
struct host {
    uint32_t word[20];
};

static void ask_host(struct host *host)
{
    memset(host, 0, sizeof(*host));
#if defined(__x86_64__)
    static const struct {
        uint32_t leaf, part, ebx; /* ebx: its bits that say what it is, not where */
    } ask[] = {{0, 0, UINT32_MAX},
               {1, 0, 0},
               {7, 0, UINT32_MAX},
               {7, 1, UINT32_MAX},
               {0x80000001, 0, UINT32_MAX}};
    uint32_t *to = host->word;

    for (uint32_t i = 0; i < sizeof(ask) / sizeof(ask[0]); i++, to += 4) {
        (void)__get_cpuid_count(ask[i].leaf, ask[i].part, &to[0], &to[1], &to[2],
                                &to[3]);
        to[1] &= ask[i].ebx;
    }
#endif
}

/* All of k that its code depends on, which library makes it, and for which host. */
struct key {
    struct jit_layout layout;
    struct jit_birth birth;
    struct host host;
    uint64_t library_bytes, library_time[2];
    uint32_t version, simd, count, blocks, tells, flushes, counts, keeps, kind;
};
enum { CODE, SPENT }; /* kinds */

static void fill_head(struct key *to, const struct jit_kernel *k, const char *library)
{
    struct stat info;

    memset(to, 0, sizeof(*to));
    to->layout = k->layout;
    to->birth = k->birth;
    ask_host(&to->host);
    if (stat(library, &info) == 0) {
        to->library_bytes = (uint64_t)info.st_size;
        to->library_time[0] = (uint64_t)info.st_mtim.tv_sec;
        to->library_time[1] = (uint64_t)info.st_mtim.tv_nsec;
    }
    to->version = k->version;
    to->simd = k->simd;
    to->count = k->count;
    to->blocks = k->blocks->count;
    to->tells = k->tells;
    to->flushes = k->flushes;
    to->keeps = k->keeps;
    to->counts = k->classes != NULL;
}

_Static_assert(sizeof(struct jit_layout) ==
                       offsetof(struct jit_layout, stop_none) + 4 &&
                   sizeof(struct jit_birth) == offsetof(struct jit_birth, inlined) + 4,
               "a byte that nobody sets would be part of the key");

/* malloc'ed; NULL when memory is short, or when k is too long. */
static uint8_t *make_key(const struct jit_kernel *k, const char *library, uint32_t kind,
                         size_t *bytes)
{
    size_t blocks = k->blocks->count * sizeof(*k->blocks->block);
    size_t classes = k->classes != NULL ? k->blocks->count * sizeof(*k->classes) : 0;
    size_t each = sizeof(*k->inst) + sizeof(*k->inst->inst);
    uint8_t *key = NULL, *to;

    *bytes = sizeof(struct key) + blocks + classes + k->count * each;
    if (k->count <= MOST)
        key = malloc(*bytes);
    if (key == NULL)
        return NULL;
    fill_head((void *)key, k, library);
    ((struct key *)(void *)key)->kind = kind;
    to = key + sizeof(struct key);
    memcpy(to, k->blocks->block, blocks);
    to += blocks;
    if (classes != 0)
        memcpy(to, k->classes, classes);
    to += classes;
    for (uint32_t i = 0; i < k->count; i++, to += each) {
        memcpy(to, &k->inst[i], sizeof(*k->inst));
        memset(to + offsetof(struct jit_inst, inst), 0, sizeof(k->inst->inst));
        memcpy(to + sizeof(*k->inst), k->inst[i].inst, sizeof(*k->inst->inst));
    }
    return key;
}

/* ---- what is kept ---------------------------------------------------------------- */

/* Then comes the code. */
struct kept {
    uint32_t entry, places, inlined, bytes;
};

/* What was kept as code, if it is whole. */
static bool take_code(uint8_t *data, size_t size, struct jit_code *code)
{
    struct kept kept;
    bool good = size > sizeof(kept);

    if (good)
        memcpy(&kept, data, sizeof(kept));
    if (!good || kept.bytes != size - sizeof(kept) || kept.entry >= kept.bytes)
        return false;
    memset(code, 0, sizeof(*code));
    memmove(data, data + sizeof(kept), kept.bytes);
    code->image = data;
    code->image_bytes = kept.bytes;
    code->entry = kept.entry;
    code->places = kept.places;
    code->inlined = kept.inlined;
    return true;
}

bool emu_jit_take(const struct jit_kernel *k, const char *library,
                  struct jit_code *code, uint64_t *spent)
{
    size_t bytes, size = 0;
    uint8_t *key = make_key(k, library, CODE, &bytes), *data = NULL;
    bool good = key != NULL && keep.find(key, bytes, &data, &size) &&
                take_code(data, size, code);

    *spent = 0;
    if (!good && key != NULL) {
        free(data);
        data = NULL;
        ((struct key *)(void *)key)->kind = SPENT;
        if (keep.find(key, bytes, &data, &size) && size == sizeof(*spent))
            memcpy(spent, data, sizeof(*spent));
        free(data);
    }
    free(key);
    return good;
}

static void keep_as(const struct jit_kernel *k, const char *library, uint32_t kind,
                    const uint8_t *data, size_t size)
{
    size_t bytes;
    uint8_t *key = keep.keep != NULL ? make_key(k, library, kind, &bytes) : NULL;

    if (key != NULL)
        keep.keep(key, bytes, data, size);
    free(key);
}

void emu_jit_put(const struct jit_kernel *k, const char *library,
                 const struct jit_code *code)
{
    struct kept kept = {code->entry, code->places, code->inlined,
                        (uint32_t)code->image_bytes};
    size_t size = sizeof(kept) + code->image_bytes;
    uint8_t *data = malloc(size);

    if (data == NULL)
        return;
    memcpy(data, &kept, sizeof(kept));
    memcpy(data + sizeof(kept), code->image, code->image_bytes);
    keep_as(k, library, CODE, data, size);
    free(data);
}

void emu_jit_put_spent(const struct jit_kernel *k, const char *library, uint64_t spent)
{
    keep_as(k, library, SPENT, (const uint8_t *)&spent, sizeof(spent));
}

/* ---- to run ------------------------------------------------------------------------
 */

/* Written first, run then: never both. */
bool emu_jit_map(struct jit_code *code)
{
    uint8_t *at = mmap(NULL, code->image_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool good = at != MAP_FAILED;

    if (good)
        memcpy(at, code->image, code->image_bytes);
    free(code->image);
    code->image = NULL;
    if (good && mprotect(at, code->image_bytes, PROT_READ | PROT_EXEC) != 0) {
        (void)munmap(at, code->image_bytes);
        good = false;
    }
    if (!good)
        return false;
    code->image = at;
    memcpy(&code->run, &(void *){at + code->entry}, sizeof(code->run));
    return true;
}

void emu_jit_unmap(struct jit_code *code)
{
    if (code->run != NULL && code->image != NULL)
        (void)munmap(code->image, code->image_bytes);
    code->run = NULL;
    code->image = NULL;
}
