/* iga_kv.h - prototypes of libiga64's KernelView C interface, which Debian ships
 * without headers. Types and meanings as found in libiga64 1.1.0; what its own
 * comments claim otherwise is noted. Source: docs/develop/sources.md#libiga64 */
#ifndef IGPU_IGA_KV_H
#define IGPU_IGA_KV_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IGA_GEN9 = 0x90000, IGA_SUCCESS = 0 };
enum { KV_SUCCESS = 0, KV_REG_IMMEDIATE = 0xFF };
enum { KV_REGION_VXH = 31, KV_WIDTH_ABSENT = 31, KV_VERT_ABSENT = 63 };
enum { KV_MAX_TARGETS = 3 };

enum kv_option { KV_OPT_ACCWREN = 0, KV_OPT_EOT = 4, KV_OPT_SWITCH = 10 };

enum kv_kind {
    KV_KIND_DIRECT = 1,
    KV_KIND_MACRO = 2, /* mme operands */
    KV_KIND_INDIRECT = 3,
    KV_KIND_IMMEDIATE = 4,
    KV_KIND_LABEL = 5
};

typedef struct kv_t kv_t;
typedef const struct iga_opspec *iga_opspec_t;

/* NULL, or why there is no libiga64; asked before what is below is called. */
const char *kv_missing(void);

kv_t *kv_create(int gen, const void *bytes, size_t bytes_len, int *status, char *errors,
                size_t errors_cap, uint32_t swsb_mode);
void kv_delete(kv_t *kv);
int32_t kv_get_inst_size(const kv_t *kv, int32_t pc);

/* An iga::Op value, not the binary opcode; see iga_opspec_from_op(). */
uint32_t kv_get_opcode(const kv_t *kv, int32_t pc);
int kv_get_subfunction(const kv_t *kv, int32_t pc, uint32_t *function);
uint32_t kv_get_execution_size(const kv_t *kv, int32_t pc); /* 1..32 itself */
uint32_t kv_get_channel_offset(const kv_t *kv, int32_t pc); /* in units of 4 */
uint32_t kv_get_mask_control(const kv_t *kv, int32_t pc);   /* 1: NoMask */
uint32_t kv_get_predicate(const kv_t *kv, int32_t pc);
uint32_t kv_get_is_inverse_predicate(const kv_t *kv, int32_t pc);
int32_t kv_get_flag_register(const kv_t *kv, int32_t pc);
int32_t kv_get_flag_sub_register(const kv_t *kv, int32_t pc);
uint32_t kv_get_flag_modifier(const kv_t *kv, int32_t pc);
bool kv_has_inst_opt(const kv_t *kv, int32_t pc, uint32_t option);
uint32_t kv_get_inst_targets(const kv_t *kv, int32_t pc, int32_t *targets);
size_t kv_get_inst_syntax(const kv_t *kv, int32_t pc, char *text, size_t cap,
                          uint32_t format, const char *(*label)(int32_t, void *),
                          void *env);

int32_t kv_get_has_destination(const kv_t *kv, int32_t pc);
int32_t kv_get_destination_register(const kv_t *kv, int32_t pc);
int32_t kv_get_destination_sub_register(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_data_type(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_register_type(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_register_kind(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_modifier(const kv_t *kv, int32_t pc); /* 1: sat */
int32_t kv_get_destination_region(const kv_t *kv, int32_t pc, uint32_t *hstride);
int32_t kv_get_destination_indirect_imm_off(const kv_t *kv, int32_t pc, int16_t *off);
int32_t kv_get_destination_mme_number(const kv_t *kv, int32_t pc, int16_t *mme);

int32_t kv_get_number_sources(const kv_t *kv, int32_t pc); /* labels included */
int32_t kv_get_source_register(const kv_t *kv, int32_t pc, uint32_t i);
int32_t kv_get_source_sub_register(const kv_t *kv, int32_t pc, uint32_t i);
uint32_t kv_get_source_data_type(const kv_t *kv, int32_t pc, uint32_t i);
uint32_t kv_get_source_register_type(const kv_t *kv, int32_t pc, uint32_t i);
uint32_t kv_get_source_register_kind(const kv_t *kv, int32_t pc, uint32_t i);
uint32_t kv_get_source_modifier(const kv_t *kv, int32_t pc, uint32_t i);
/* -1 for f, n, cr, ip and tm operands and for mme operands. */
int32_t kv_get_source_region(const kv_t *kv, int32_t pc, uint32_t i, uint32_t *vstride,
                             uint32_t *width, uint32_t *hstride);
int32_t kv_get_source_immediate(const kv_t *kv, int32_t pc, uint32_t i, uint64_t *imm);
int32_t kv_get_source_indirect_imm_off(const kv_t *kv, int32_t pc, uint32_t i,
                                       int16_t *off);
int32_t kv_get_source_mme_number(const kv_t *kv, int32_t pc, uint32_t i, int16_t *mme);

uint32_t kv_get_send_descs(const kv_t *kv, int32_t pc, uint32_t *exdesc,
                           uint32_t *desc);
int kv_get_send_indirect_descs(const kv_t *kv, int32_t pc, uint8_t *exdesc_reg,
                               uint8_t *exdesc_subreg, uint8_t *desc_reg,
                               uint8_t *desc_subreg);

/* Only for values that kv_get_opcode() returned: others read past its table. */
int iga_opspec_from_op(int gen, uint32_t op, iga_opspec_t *spec);
int iga_opspec_mnemonic(iga_opspec_t spec, char *mnemonic, size_t *length);

#endif
