/* test_isa_text.c - see isa_text.h. */
#include "isa_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/iga_kv.h"

enum { LINE = 512, TOKENS = 24 };

struct tokens {
    char text[LINE];
    char *token[TOKENS];
    uint32_t count;
};

/* Payload and address operands print a type only when it is not the default. */
static void drop_default_type(char *token)
{
    char *colon = strrchr(token, ':');

    if (colon != NULL && (strcmp(colon, ":ud") == 0 || strcmp(colon, ":d") == 0))
        *colon = '\0';
}

static bool has_default_types(const struct isa_inst *inst)
{
    return isa_opcode_class((enum isa_opcode)inst->op) == ISA_CLASS_SEND ||
           inst->op == ISA_OP_CALL || inst->op == ISA_OP_CALLA ||
           inst->op == ISA_OP_RET || inst->op == ISA_OP_JMPI;
}

static void split(struct tokens *t, const char *line, const struct isa_inst *inst)
{
    char *comment, *state = NULL;

    snprintf(t->text, sizeof(t->text), "%s", line);
    comment = strstr(t->text, "//");
    if (comment != NULL)
        *comment = '\0';
    t->count = 0;
    for (char *p = strtok_r(t->text, " \t", &state); p != NULL && t->count < TOKENS;
         p = strtok_r(NULL, " \t", &state)) {
        if (has_default_types(inst))
            drop_default_type(p);
        t->token[t->count++] = p;
    }
}

/* Bits of "1.5:df", "0x3F800000:f" or "qnan(0x0):f"; those of hf are of the float of
 * the same value. False when token is no float. */
static bool float_bits(const char *token, uint64_t *bits)
{
    const char *type = strrchr(token, ':'), *payload = strchr(token, '(');
    bool wide = type != NULL && strcmp(type, ":df") == 0;
    double value;
    float single;
    char *end;

    if (type == NULL || (!wide && strcmp(type, ":f") != 0 && strcmp(type, ":hf") != 0))
        return false;
    if (strncmp(token, "0x", 2) == 0) {
        *bits = strtoull(token, &end, 16);
        return end == type && type[1] != 'h';
    }
    if (strncmp(token, "qnan(", 5) == 0 && payload != NULL) {
        *bits = strtoull(payload + 1, NULL, 16) |
                (wide ? UINT64_C(0x7FF8000000000000) : UINT64_C(0x7FC00000));
        return true;
    }
    value = strtod(token, &end);
    single = (float)value;
    *bits = 0;
    if (wide)
        memcpy(bits, &value, sizeof(value));
    else
        memcpy(bits, &single, sizeof(single));
    return end == type && end != token;
}

/* Floats are printed with other numbers of digits, some as bits. */
static bool same_float(const char *a, const char *b)
{
    uint64_t x, y;

    return float_bits(a, &x) && float_bits(b, &y) &&
           strcmp(strrchr(a, ':'), strrchr(b, ':')) == 0 && x == y;
}

static bool same_tokens(const struct tokens *a, const struct tokens *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->token[i], b->token[i]) != 0 &&
            !same_float(a->token[i], b->token[i]))
            return false;
    return true;
}

static const char *label(int32_t pc, void *env)
{
    snprintf(env, 16, "%d", pc);
    return env;
}

static bool same_inst(const char *name, const kv_t *kv, const struct isa_inst *inst,
                      bool print)
{
    char expected[LINE] = "", got[LINE], number[16];
    struct tokens a, b;

    kv_get_inst_syntax(kv, (int32_t)inst->pc, expected, sizeof(expected), 0, label,
                       number);
    isa_disasm(inst, got, sizeof(got));
    split(&a, expected, inst);
    split(&b, got, inst);
    if (same_tokens(&a, &b))
        return true;
    if (print)
        fprintf(stderr, "%s 0x%x\n  iga64 %s\n  ours  %s\n", name, inst->pc, expected,
                got);
    return false;
}

uint32_t compare_with_iga(const char *name, const void *text, size_t bytes,
                          const struct isa_kernel_code *code)
{
    int status = 0;
    kv_t *kv = kv_create(IGA_GEN9, text, bytes, &status, NULL, 0, 0);
    uint32_t bad = 0;

    for (uint32_t i = 0; i < code->count; i++)
        bad += !same_inst(name, kv, &code->inst[i], bad < 5);
    kv_delete(kv);
    return bad;
}
