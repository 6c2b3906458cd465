/* iga_kv.c - libiga64's functions, from the library when the first is called: what
 * decodes nothing (a simulation, a picture) starts in a millisecond less without it and
 * libstdc++. */
#include "iga_kv.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The return type, the name, the parameters and their names. */
#define CALLS(X)                                                                       \
    X(kv_t *, kv_create,                                                               \
      (int gen, const void *bytes, size_t bytes_len, int *status, char *errors,        \
       size_t errors_cap, uint32_t swsb_mode),                                         \
      (gen, bytes, bytes_len, status, errors, errors_cap, swsb_mode))                  \
    X(int32_t, kv_get_inst_size, (const kv_t *kv, int32_t pc), (kv, pc))               \
    X(uint32_t, kv_get_opcode, (const kv_t *kv, int32_t pc), (kv, pc))                 \
    X(int, kv_get_subfunction, (const kv_t *kv, int32_t pc, uint32_t *function),       \
      (kv, pc, function))                                                              \
    X(uint32_t, kv_get_execution_size, (const kv_t *kv, int32_t pc), (kv, pc))         \
    X(uint32_t, kv_get_channel_offset, (const kv_t *kv, int32_t pc), (kv, pc))         \
    X(uint32_t, kv_get_mask_control, (const kv_t *kv, int32_t pc), (kv, pc))           \
    X(uint32_t, kv_get_predicate, (const kv_t *kv, int32_t pc), (kv, pc))              \
    X(uint32_t, kv_get_is_inverse_predicate, (const kv_t *kv, int32_t pc), (kv, pc))   \
    X(int32_t, kv_get_flag_register, (const kv_t *kv, int32_t pc), (kv, pc))           \
    X(int32_t, kv_get_flag_sub_register, (const kv_t *kv, int32_t pc), (kv, pc))       \
    X(uint32_t, kv_get_flag_modifier, (const kv_t *kv, int32_t pc), (kv, pc))          \
    X(bool, kv_has_inst_opt, (const kv_t *kv, int32_t pc, uint32_t option),            \
      (kv, pc, option))                                                                \
    X(uint32_t, kv_get_inst_targets, (const kv_t *kv, int32_t pc, int32_t *targets),   \
      (kv, pc, targets))                                                               \
    X(size_t, kv_get_inst_syntax,                                                      \
      (const kv_t *kv, int32_t pc, char *text, size_t cap, uint32_t format,            \
       const char *(*label)(int32_t, void *), void *env),                              \
      (kv, pc, text, cap, format, label, env))                                         \
    X(int32_t, kv_get_has_destination, (const kv_t *kv, int32_t pc), (kv, pc))         \
    X(int32_t, kv_get_destination_register, (const kv_t *kv, int32_t pc), (kv, pc))    \
    X(int32_t, kv_get_destination_sub_register, (const kv_t *kv, int32_t pc),          \
      (kv, pc))                                                                        \
    X(uint32_t, kv_get_destination_data_type, (const kv_t *kv, int32_t pc), (kv, pc))  \
    X(uint32_t, kv_get_destination_register_type, (const kv_t *kv, int32_t pc),        \
      (kv, pc))                                                                        \
    X(uint32_t, kv_get_destination_register_kind, (const kv_t *kv, int32_t pc),        \
      (kv, pc))                                                                        \
    X(uint32_t, kv_get_destination_modifier, (const kv_t *kv, int32_t pc), (kv, pc))   \
    X(int32_t, kv_get_destination_region,                                              \
      (const kv_t *kv, int32_t pc, uint32_t *hstride), (kv, pc, hstride))              \
    X(int32_t, kv_get_destination_indirect_imm_off,                                    \
      (const kv_t *kv, int32_t pc, int16_t *off), (kv, pc, off))                       \
    X(int32_t, kv_get_destination_mme_number,                                          \
      (const kv_t *kv, int32_t pc, int16_t *mme), (kv, pc, mme))                       \
    X(int32_t, kv_get_number_sources, (const kv_t *kv, int32_t pc), (kv, pc))          \
    X(int32_t, kv_get_source_register, (const kv_t *kv, int32_t pc, uint32_t i),       \
      (kv, pc, i))                                                                     \
    X(int32_t, kv_get_source_sub_register, (const kv_t *kv, int32_t pc, uint32_t i),   \
      (kv, pc, i))                                                                     \
    X(uint32_t, kv_get_source_data_type, (const kv_t *kv, int32_t pc, uint32_t i),     \
      (kv, pc, i))                                                                     \
    X(uint32_t, kv_get_source_register_type, (const kv_t *kv, int32_t pc, uint32_t i), \
      (kv, pc, i))                                                                     \
    X(uint32_t, kv_get_source_register_kind, (const kv_t *kv, int32_t pc, uint32_t i), \
      (kv, pc, i))                                                                     \
    X(uint32_t, kv_get_source_modifier, (const kv_t *kv, int32_t pc, uint32_t i),      \
      (kv, pc, i))                                                                     \
    X(int32_t, kv_get_source_region,                                                   \
      (const kv_t *kv, int32_t pc, uint32_t i, uint32_t *vstride, uint32_t *width,     \
       uint32_t *hstride),                                                             \
      (kv, pc, i, vstride, width, hstride))                                            \
    X(int32_t, kv_get_source_immediate,                                                \
      (const kv_t *kv, int32_t pc, uint32_t i, uint64_t *imm), (kv, pc, i, imm))       \
    X(int32_t, kv_get_source_indirect_imm_off,                                         \
      (const kv_t *kv, int32_t pc, uint32_t i, int16_t *off), (kv, pc, i, off))        \
    X(int32_t, kv_get_source_mme_number,                                               \
      (const kv_t *kv, int32_t pc, uint32_t i, int16_t *mme), (kv, pc, i, mme))        \
    X(uint32_t, kv_get_send_descs,                                                     \
      (const kv_t *kv, int32_t pc, uint32_t *exdesc, uint32_t *desc),                  \
      (kv, pc, exdesc, desc))                                                          \
    X(int, kv_get_send_indirect_descs,                                                 \
      (const kv_t *kv, int32_t pc, uint8_t *exdesc_reg, uint8_t *exdesc_subreg,        \
       uint8_t *desc_reg, uint8_t *desc_subreg),                                       \
      (kv, pc, exdesc_reg, exdesc_subreg, desc_reg, desc_subreg))                      \
    X(int, iga_opspec_from_op, (int gen, uint32_t op, iga_opspec_t *spec),             \
      (gen, op, spec))                                                                 \
    X(int, iga_opspec_mnemonic, (iga_opspec_t spec, char *mnemonic, size_t *length),   \
      (spec, mnemonic, length))

#define POINTER(type, name, params, args) type(*name) params;
static struct {
    pthread_once_t once;
    bool found;
    char why[200];
    CALLS(POINTER)
    void (*kv_delete)(kv_t *kv);
} library = {.once = PTHREAD_ONCE_INIT};

static void take(void *handle, const char *name, void *pointer)
{
    void *address = handle != NULL ? dlsym(handle, name) : NULL;

    memcpy(pointer, &address, sizeof(address));
    if (address != NULL || !library.found)
        return;
    snprintf(library.why, sizeof(library.why), "%s", dlerror());
    library.found = false;
}

static void open_library(void)
{
    void *handle = dlopen("libiga64.so.1", RTLD_NOW | RTLD_LOCAL);

    library.found = handle != NULL;
    if (handle == NULL)
        snprintf(library.why, sizeof(library.why), "%s", dlerror());
#define TAKE(type, name, params, args) take(handle, #name, &library.name);
    CALLS(TAKE)
    take(handle, "kv_delete", &library.kv_delete);
}

const char *kv_missing(void)
{
    (void)pthread_once(&library.once, open_library);
    return library.found ? NULL : library.why;
}

/* They are called behind kv_missing(), by who found nothing missing. */
#define CALL(type, name, params, args)                                                 \
    type name params                                                                   \
    {                                                                                  \
        return library.name args;                                                      \
    }
CALLS(CALL)

void kv_delete(kv_t *kv)
{
    library.kv_delete(kv);
}
