/* gtpin_fields.c - keys and values of a dump's instruction, see gtpin.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/convert/gtpin.h"

static const struct {
    const char *text;
    size_t length;
} keys[GTPIN_FIELD_COUNT] = {
#define X(id, key) {key, sizeof(key) - 1},
    GTPIN_FIELDS(X)
#undef X
};

/* A list of names; a name's value is its place. */
static bool name_find(const char *const *names, const char *name, int64_t *value)
{
    for (int64_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static bool type_value(const char *name, int64_t *value)
{
    for (int t = ISA_TYPE_NONE + 1; t < ISA_TYPE_COUNT; t++)
        if (strcmp(isa_type_name((enum isa_type)t), name) == 0) {
            *value = t;
            return true;
        }
    return false;
}

static bool math_value(const char *name, int64_t *value)
{
    char lower[16] = "";

    for (size_t i = 0; name[i] && i + 1 < sizeof(lower); i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    for (int m = ISA_MATH_NONE + 1; m < ISA_MATH_COUNT; m++)
        if (strcmp(isa_math_name((enum isa_math)m), lower) == 0) {
            *value = m;
            return true;
        }
    return false;
}

static bool msg_value(const char *name, int64_t *value)
{
    static const struct {
        const char *word;
        int bit;
    } words[] = {{"READ", GTPIN_MSG_READ},       {"WRITE", GTPIN_MSG_WRITE},
                 {"ATOMIC", GTPIN_MSG_ATOMIC},   {"BLOCK", GTPIN_MSG_BLOCK},
                 {"UNTYPED", GTPIN_MSG_UNTYPED}, {"A64", GTPIN_MSG_A64}};

    *value = 0;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strstr(name, words[i].word))
            *value |= words[i].bit;
    return true;
}

static bool channel_value(const char *name, int64_t *value)
{
    char *end;

    if (name[0] != 'M' || !isdigit((unsigned char)name[1]))
        return false;
    *value = strtol(name + 1, &end, 10);
    return *value < ISA_MAX_SIMD && *end == '\0';
}

/* Fields whose values are names; the others' are numbers. */
static bool has_names(enum gtpin_field field)
{
    switch (field) {
    case GTPIN_OPCODE:
    case GTPIN_CHANNEL_OFFSET:
    case GTPIN_MASK_CTRL:
    case GTPIN_PRED_CTRL:
    case GTPIN_PRED_INV:
    case GTPIN_COND_MODIFIER:
    case GTPIN_SATURATE:
    case GTPIN_ACC_WR:
    case GTPIN_EOT:
    case GTPIN_MATH_FC:
    case GTPIN_MSG_TYPE:
        return true;
    default:
        break;
    }
    if (field > GTPIN_SRC2_MOD)
        return false;
    switch (field % GTPIN_OPERAND_FIELDS) {
    case GTPIN_DST_FILE:
    case GTPIN_DST_TYPE:
    case GTPIN_DST_MODE:
    case GTPIN_DST_MOD:
        return true;
    default:
        return false;
    }
}

static bool truth(enum gtpin_field field, const char *text, int64_t *value)
{
    *value = text[0] == 't';
    return (field == GTPIN_IS_MEMOP || field == GTPIN_IS_MEM_READ ||
            field == GTPIN_IS_MEM_WRITE) &&
           (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
}

/* The value of a named constant without its prefix, for the fields that have names. */
static bool named(enum gtpin_field field, const char *name, int64_t *value)
{
    static const char *const files[] = {"ARF", "GRF", "IMM", NULL};
    static const char *const modes[] = {"Direct", "Indirect", NULL};
    static const char *const mods[] = {"Normal", "Absolute", "Negative",
                                       "Negative_Absolute", NULL};
    static const char *const preds[] = {"None",   "Normal", "anyv",   "allv",   "any2h",
                                        "all2h",  "any4h",  "all4h",  "any8h",  "all8h",
                                        "any16h", "all16h", "any32h", "all32h", NULL};
    static const char *const cmods[] = {"None", "z",  "nz", "g", "ge",
                                        "l",    "le", "o",  "u", NULL};
    static const char *const off_on[] = {"Normal", "NoMask", NULL};
    static const char *const inverse[] = {"Positive", "Invert", NULL};
    static const char *const accs[] = {"Normal", "AccWrEn", NULL};
    static const char *const sats[] = {"Normal", "sat", NULL};
    static const char *const eots[] = {"None", "EOT", NULL};

    switch (field) {
    case GTPIN_OPCODE:
        *value = isa_opcode_from_name(name);
        return *value != ISA_OP_COUNT;
    case GTPIN_CHANNEL_OFFSET:
        return channel_value(name, value);
    case GTPIN_MASK_CTRL:
        return name_find(off_on, name, value);
    case GTPIN_PRED_CTRL:
        return name_find(preds, name, value);
    case GTPIN_PRED_INV:
        return name_find(inverse, name, value);
    case GTPIN_COND_MODIFIER:
        return name_find(cmods, name, value);
    case GTPIN_SATURATE:
        return name_find(sats, name, value);
    case GTPIN_ACC_WR:
        return name_find(accs, name, value);
    case GTPIN_EOT:
        return name_find(eots, name, value);
    case GTPIN_MATH_FC:
        return math_value(name, value);
    case GTPIN_MSG_TYPE:
        return msg_value(name, value);
    default:
        break;
    }
    switch (field % GTPIN_OPERAND_FIELDS) {
    case GTPIN_DST_FILE:
        return name_find(files, name, value);
    case GTPIN_DST_TYPE:
        return type_value(name, value);
    case GTPIN_DST_MODE:
        return name_find(modes, name, value);
    case GTPIN_DST_MOD:
        return name_find(mods, name, value);
    default:
        return false;
    }
}

/* GED_DATA_TYPE_uq: what follows the type of the constant. */
static const char *constant(const char *text)
{
    static const char *const prefixes[] = {
        "GED_OPCODE_",   "GED_REG_FILE_",       "GED_DATA_TYPE_",   "GED_ADDR_MODE_",
        "GED_SRC_MOD_",  "GED_CHANNEL_OFFSET_", "GED_MASK_CTRL_",   "GED_PRED_CTRL_",
        "GED_PRED_INV_", "GED_COND_MODIFIER_",  "GED_SATURATE_",    "GED_ACC_WR_CTRL_",
        "GED_EOT_",      "GED_MATH_FC_",        "GEN_MEM_MSG_TYPE_"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);

        if (strncmp(text, prefixes[i], length) == 0)
            return text + length;
    }
    return text;
}

/* A whole decimal or hexadecimal number, signed or unsigned 64 bits. */
static bool text_number(const char *text, int64_t *value)
{
    char *end;

    errno = 0;
    *value = text[0] == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == '\0';
}

/* All ones of 32 or 64 bits, and names that end in INVALID, say "no such field". */
static bool is_invalid(enum gtpin_field field, const char *text)
{
    int64_t value;

    if (strcmp(constant(text), "INVALID") == 0)
        return true;
    return field != GTPIN_IMM && text_number(text, &value) &&
           (value == -1 || value == UINT32_MAX);
}

/* The value of a field that is valid. */
static bool read_value(enum gtpin_field field, const char *text, int64_t *value)
{
    if (truth(field, text, value))
        return true;
    if (has_names(field))
        return named(field, constant(text), value);
    if (!text_number(text, value))
        return false;
    return field != GTPIN_INS_SIZE || *value == 8 || *value == 16;
}

/* "121_4", with or without quotes: the GRF joins the list. */
static enum gtpin_put put_reglist(struct gtpin_inst *in, unsigned operand, char *value)
{
    char *end;
    unsigned long reg;
    unsigned last;

    reg = strtoul(value, &end, 10);
    if (end == value || *end != '_' || reg >= ISA_GRF_COUNT)
        return GTPIN_PUT_BAD;
    if (in->grfs[operand] == 0) {
        in->first[operand] = (uint8_t)reg;
        in->grfs[operand] = 1;
        return GTPIN_PUT_OK;
    }
    last = in->first[operand] + in->grfs[operand] - 1u;
    if (reg > last)
        last = (unsigned)reg;
    if (reg < in->first[operand])
        in->first[operand] = (uint8_t)reg;
    in->grfs[operand] = (uint8_t)(last - in->first[operand] + 1);
    return GTPIN_PUT_OK;
}

static char *unquote(char *text)
{
    size_t length = strlen(text);

    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text[length - 1] = '\0';
        return text + 1;
    }
    return text;
}

enum gtpin_put gtpin_put(struct gtpin_inst *in, const char *key, char *value)
{
    static const char *const lists[] = {"dst_reglist", "src0_reglist", "src1_reglist",
                                        "src2_reglist"};
    int64_t n = 0;
    int field = 0;

    size_t length = strlen(key);

    value = unquote(value);
    for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(key, lists[i]) == 0)
            return put_reglist(in, i, value);
    while (field < GTPIN_FIELD_COUNT &&
           (keys[field].length != length || memcmp(keys[field].text, key, length) != 0))
        field++;
    if (field == GTPIN_FIELD_COUNT)
        return GTPIN_PUT_UNKNOWN;
    if (is_invalid((enum gtpin_field)field, value))
        return GTPIN_PUT_OK;
    if (!read_value((enum gtpin_field)field, value, &n))
        return GTPIN_PUT_BAD;
    in->value[field] = n;
    in->have[field] = true;
    return GTPIN_PUT_OK;
}
