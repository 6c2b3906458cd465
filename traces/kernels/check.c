/* check.c - runs host references and compares; see check.h. */
#include "traces/kernels/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traces/kernels/check_ref.h"
#include "traces/program/half.h"

static const struct reference *reference_find(const char *name)
{
    static const struct reference *const tables[] = {
        check_arith_table,  check_math_table,    check_memory_table,
        check_group_table,  check_integer_table, check_flow_table,
        check_linear_table, check_image_table,   check_crypto_table};

    for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
        for (const struct reference *r = tables[t]; r->name != NULL; r++) {
            if (strcmp(r->name, name) == 0)
                return r;
        }
    }
    return NULL;
}

bool check_known(const char *name)
{
    return reference_find(name) != NULL;
}

/* ---- what references use ---- */

void ref_reject(struct ref *r, const char *why)
{
    if (r->status == IGPU_OK)
        r->status = igpu_fail(r->err, IGPU_BAD_INPUT, "case %s, check %s: %s",
                              r->c->name, r->c->check, why);
}

void *ref_buffer(struct ref *r, size_t arg, uint64_t count, size_t size)
{
    uint64_t bytes = r->c->args[arg].bytes;

    if (r->status != IGPU_OK)
        return NULL;
    if (count > bytes / size) {
        r->status = igpu_fail(r->err, IGPU_BAD_INPUT,
                              "case %s, check %s: argument %zu has %" PRIu64
                              " bytes, needs %" PRIu64 " elements of %zu",
                              r->c->name, r->c->check, arg, bytes, count, size);
        return NULL;
    }
    return r->mem[arg];
}

uint64_t ref_count(const struct ref *r, size_t arg, size_t size)
{
    return r->c->args[arg].bytes / size;
}

#define REF_VALUE(name, type)                                                          \
    type name(const struct ref *r, size_t arg)                                         \
    {                                                                                  \
        type value;                                                                    \
                                                                                       \
        memcpy(&value, r->c->args[arg].value, sizeof(value));                          \
        return value;                                                                  \
    }

REF_VALUE(ref_u32, uint32_t)
REF_VALUE(ref_u64, uint64_t)
REF_VALUE(ref_f32, float)
REF_VALUE(ref_f64, double)
static REF_VALUE(ref_u16, uint16_t)

    double ref_f16(const struct ref *r, size_t arg)
{
    return half_to_double(ref_u16(r, arg));
}

/* ---- comparing ---- */

/* One element of a buffer, read by its type letter. */
struct element {
    uint64_t bits;
    double real;
    double ulp; /* distance to the next number away from zero */
};

static size_t element_size(char type)
{
    switch (type) {
    case 'b':
        return 1;
    case 's':
    case 'h':
        return 2;
    case 'l':
    case 'd':
        return 8;
    default:
        return 4;
    }
}

static bool is_real(char type)
{
    return type == 'h' || type == 'f' || type == 'd';
}

static struct element read_element(const uint8_t *mem, uint64_t index, char type)
{
    static const int digits[] = {['h'] = 10, ['f'] = 23, ['d'] = 52};
    static const int lowest[] = {['h'] = -24, ['f'] = -149, ['d'] = -1074};
    struct element e = {0, 0.0, 0.0};
    size_t size = element_size(type);
    float single;
    int exponent;

    memcpy(&e.bits, mem + index * size, size); /* little-endian host */
    if (!is_real(type))
        return e;
    if (type == 'h') {
        e.real = half_to_double((uint16_t)e.bits);
    } else if (type == 'f') {
        memcpy(&single, &e.bits, sizeof(single));
        e.real = (double)single;
    } else {
        memcpy(&e.real, &e.bits, sizeof(e.real));
    }
    (void)frexp(e.real, &exponent);
    exponent -= 1 + digits[(int)type];
    e.ulp = ldexp(1.0, exponent > lowest[(int)type] ? exponent : lowest[(int)type]);
    return e;
}

static bool within(struct element want, struct element got, struct tolerance t)
{
    double distance = fabs(want.real - got.real);

    if (want.bits == got.bits || (isnan(want.real) && isnan(got.real)))
        return true;
    if (isinf(want.real) || isnan(distance))
        return false;
    switch (t.kind) {
    case TOLERANCE_ULP:
        return distance <= t.limit * want.ulp;
    case TOLERANCE_REL:
        return distance <= t.limit * fabs(want.real);
    case TOLERANCE_ABS:
        return distance <= t.limit;
    case TOLERANCE_EXACT:
        break;
    }
    return false;
}

static enum igpu_status report(const struct check_input *in, size_t arg, char type,
                               uint64_t index, struct element want, struct element got,
                               struct igpu_err *err)
{
    int width = 2 * (int)element_size(type);

    if (is_real(type))
        return igpu_fail(err, IGPU_SIM_ERROR,
                         "case %s, SIMD%u: argument %zu, element %" PRIu64
                         ": expected %.17g (0x%0*" PRIx64 "), got %.17g (0x%0*" PRIx64
                         ")",
                         in->c->name, in->simd, arg, index, want.real, width, want.bits,
                         got.real, width, got.bits);
    return igpu_fail(err, IGPU_SIM_ERROR,
                     "case %s, SIMD%u: argument %zu, element %" PRIu64
                     ": expected 0x%0*" PRIx64 ", got 0x%0*" PRIx64,
                     in->c->name, in->simd, arg, index, width, want.bits, width,
                     got.bits);
}

static enum igpu_status buffer_compare(const struct check_input *in, size_t arg,
                                       char type, const void *expected,
                                       struct igpu_err *err)
{
    const struct kernel_case *c = in->c;
    uint64_t count = c->args[arg].bytes / element_size(type);

    if (memcmp(expected, in->after[arg], c->args[arg].bytes) == 0)
        return IGPU_OK;
    for (uint64_t i = 0; i < count; i++) {
        struct element want = read_element(expected, i, type);
        struct element got = read_element(in->after[arg], i, type);
        uint64_t section = i * c->tolerance_count / count;
        bool equal = is_real(type) ? within(want, got, c->tolerance[section])
                                   : want.bits == got.bits;

        if (!equal)
            return report(in, arg, type, i, want, got, err);
    }
    return IGPU_OK;
}

/* ---- running ---- */

static bool argument_fits(char letter, const struct argspec *arg)
{
    if (letter == 'L')
        return arg->kind == ARGSPEC_LOCAL;
    if (letter >= '2' && letter <= '8')
        return arg->kind == ARGSPEC_VALUE && arg->bytes == (uint64_t)(letter - '0');
    return arg->kind == ARGSPEC_BUFFER && arg->bytes % element_size(letter) == 0;
}

static enum igpu_status match(const struct kernel_case *c, const struct reference *ref,
                              struct igpu_err *err)
{
    if (ref == NULL)
        return igpu_fail(err, IGPU_BAD_INPUT, "case %s: no check is named '%s'",
                         c->name, c->check);
    if (strlen(ref->args) != c->arg_count)
        return igpu_fail(err, IGPU_BAD_INPUT,
                         "case %s: %zu arguments, check %s needs %zu", c->name,
                         c->arg_count, c->check, strlen(ref->args));
    for (size_t i = 0; i < c->arg_count; i++) {
        if (!argument_fits(ref->args[i], &c->args[i]))
            return igpu_fail(err, IGPU_BAD_INPUT,
                             "case %s: argument %zu '%s' is not what check %s needs "
                             "(type letter '%c')",
                             c->name, i, c->arg_texts[i], c->check, ref->args[i]);
    }
    return IGPU_OK;
}

static void free_all(void **mem, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(mem[i]);
        mem[i] = NULL;
    }
}

static enum igpu_status make_buffers(const struct kernel_case *c, void **mem,
                                     struct igpu_err *err)
{
    for (size_t i = 0; i < c->arg_count; i++) {
        enum igpu_status status;

        if (c->args[i].kind != ARGSPEC_BUFFER)
            continue;
        mem[i] = malloc(c->args[i].bytes);
        if (mem[i] == NULL)
            return igpu_no_memory(err, "case %s: argument %zu '%s'", c->name, i,
                                  c->arg_texts[i]);
        status = argspec_fill(&c->args[i], mem[i], err);
        if (status != IGPU_OK)
            return status;
    }
    return IGPU_OK;
}

enum igpu_status check_expect(const struct kernel_case *c, unsigned simd,
                              void **expected, struct igpu_err *err)
{
    const struct reference *ref = reference_find(c->check);
    enum igpu_status status = match(c, ref, err);

    for (size_t i = 0; i < c->arg_count; i++)
        expected[i] = NULL;
    if (status == IGPU_OK)
        status = make_buffers(c, expected, err);
    if (status == IGPU_OK) {
        struct ref r = {c, simd, ref->variant, expected, case_items(c), IGPU_OK, err};

        ref->run(&r);
        status = r.status;
    }
    if (status != IGPU_OK)
        free_all(expected, c->arg_count);
    return status;
}

enum igpu_status check_run(const struct check_input *in, struct igpu_err *err)
{
    const struct kernel_case *c = in->c;
    const struct reference *ref = reference_find(c->check);
    void **expected = calloc(c->arg_count + 1, sizeof(*expected));
    enum igpu_status status;

    if (expected == NULL)
        return igpu_no_memory(err, "case %s", c->name);
    status = check_expect(c, in->simd, expected, err);
    for (size_t i = 0; i < c->arg_count && status == IGPU_OK; i++) {
        if (expected[i] != NULL)
            status = buffer_compare(in, i, ref->args[i], expected[i], err);
    }
    free_all(expected, c->arg_count);
    free(expected);
    return status;
}
