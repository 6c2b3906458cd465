/* values_macro.c - see values_macro.h. */
#include "bridge/engines/rtl/values_macro.h"

enum { ZERO, FINITE, INFINITE }; /* struct fpu_wide's cls */

static int32_t largest(uint8_t type) /* exponent */
{
    return type == ISA_TYPE_DF ? 1023 : 127;
}

/* n / 2^scale in the type's encoding, when it is an ordinary number of it. */
static bool encode(const struct fpu_wide *n, int32_t scale, uint8_t type,
                   uint64_t *bits)
{
    uint32_t frac = type == ISA_TYPE_DF ? 52 : 23;
    int32_t max = largest(type), exp = n->exp - scale;

    *bits = (uint64_t)n->sign << (type == ISA_TYPE_DF ? 63 : 31);
    if (n->cls == ZERO)
        return true;
    if (n->cls == INFINITE)
        *bits |= (uint64_t)(2 * max + 1) << frac;
    if (n->cls != FINITE)
        return n->cls == INFINITE;
    *bits |= (uint64_t)(exp + max) << frac;
    *bits |= n->mant >> (63 - frac) & (((uint64_t)1 << frac) - 1);
    return exp > -max && exp <= max && n->mant << (frac + 1) == 0;
}

/* A result without wider exponent was rounded again if it was not an ordinary number.
 */
static bool rounded_once(const struct values_plan *p, const struct fpu_wide *r)
{
    int32_t max = largest(p->in.dtype);

    return p->wide_result || (r->cls == FINITE && r->exp > 1 - max && r->exp <= max);
}

static bool sum(const struct values_plan *p, struct fpu_values *v, uint32_t lane)
{
    const struct fpu_wide *c = &v->wide[0][lane], *a = &v->wide[1][lane];
    const struct fpu_wide *b = &v->wide[2][lane], *r = &v->wide[ISA_MAX_SRC][lane];
    int32_t ea = a->cls == FINITE ? a->exp : 0, eb = b->cls == FINITE ? b->exp : 0;
    bool over = r->cls == INFINITE && a->cls != INFINITE && b->cls != INFINITE &&
                c->cls != INFINITE;

    return !over && rounded_once(p, r) &&
           encode(c, ea + eb, p->in.dtype, &v->src[0][lane]) &&
           encode(a, ea, p->in.dtype, &v->src[1][lane]) &&
           encode(b, eb, p->in.dtype, &v->src[2][lane]) &&
           encode(r, ea + eb, p->in.dtype, &v->result[lane]);
}

/* The emulator's result is start / 2^24 times a power of two. */
static bool macro_start(const struct values_plan *p, struct fpu_values *v,
                        uint32_t lane)
{
    bool root = p->in.op == ISA_MATH_RSQTM;
    const struct fpu_wide *x = &v->wide[root ? 0 : 1][lane];
    const struct fpu_wide *r = &v->wide[ISA_MAX_SRC][lane];
    int32_t odd = x->exp & 1,
            shift = 39 - r->exp - (root ? (x->exp - odd) / 2 : x->exp);

    v->src[0][lane] = x->mant >> 32;
    v->src[1][lane] = (uint64_t)odd;
    v->result[lane] = shift >= 0 && shift < 64 ? r->mant >> shift : 0;
    return rounded_once(p, r) && x->cls == FINITE && r->cls == FINITE &&
           (root ? !x->sign : v->wide[0][lane].cls == FINITE);
}

void values_macro(const struct values_plan *p, struct fpu_values *v)
{
    for (uint32_t left = v->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        if (!(p->in.math ? macro_start(p, v, lane) : sum(p, v, lane)))
            v->mask &= ~(1u << lane);
    }
}
