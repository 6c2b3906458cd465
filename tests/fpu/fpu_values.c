/* fpu_values.c - see fpu_values.h. */
#include "fpu_values.h"

#include "igpu/isa.h"

uint64_t fpu_random(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1D;
}

static uint32_t fraction_bits(uint32_t type)
{
    return type == ISA_TYPE_HF ? 10 : type == ISA_TYPE_F ? 23 : 52;
}

static uint32_t exponent_ones(uint32_t type)
{
    return type == ISA_TYPE_HF ? 31 : type == ISA_TYPE_F ? 255 : 2047;
}

static uint64_t float_bits(uint32_t type, uint64_t sign, uint64_t exp, uint64_t frac)
{
    uint32_t fb = fraction_bits(type);

    exp &= exponent_ones(type);
    return sign << (isa_type_bytes((enum isa_type)type) * 8 - 1) | exp << fb |
           (frac & (((uint64_t)1 << fb) - 1));
}

/* Few ones, few zeros, or any. */
static uint64_t random_fraction(uint64_t *state, uint32_t fb)
{
    uint64_t r = fpu_random(state), one = (uint64_t)1 << (r >> 8) % fb;

    switch (r & 7) {
    case 0:
        return 0;
    case 1:
        return one;
    case 2:
        return ~one;
    case 3:
        return one - 1;
    case 4:
        return ~(one - 1);
    default:
        return fpu_random(state);
    }
}

static uint64_t random_float(uint64_t *state, uint32_t type)
{
    uint64_t r = fpu_random(state), exp, sign = r & 1;
    uint32_t ones = exponent_ones(type), bias = ones / 2;

    switch (r >> 1 & 15) {
    case 0:
        exp = 0;
        break;
    case 1:
        exp = ones - (r >> 8 & 1);
        break;
    case 2:
        exp = 1 + (r >> 8) % fraction_bits(type);
        break;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8: /* sums meet, products stay in range, integers convert */
        exp = bias - 4 + (r >> 8) % (type == ISA_TYPE_HF ? 14 : 70);
        break;
    default:
        exp = r >> 8;
        break;
    }
    return float_bits(type, sign, exp, random_fraction(state, fraction_bits(type)));
}

static uint64_t random_integer(uint64_t *state, uint32_t bits)
{
    uint64_t r = fpu_random(state), one = (uint64_t)1 << (r >> 8) % bits;

    switch (r & 7) {
    case 0:
        return r >> 8 & 1 ? 0 : UINT64_MAX;
    case 1:
        return one;
    case 2:
        return one - 1;
    case 3:
        return 0 - one;
    case 4:
        return (r >> 8) % 70;
    default:
        return fpu_random(state);
    }
}

uint64_t fpu_random_value(uint64_t *state, uint32_t type)
{
    uint32_t bits = isa_type_bytes((enum isa_type)type) * 8;
    uint64_t value;

    if (isa_type_is_float((enum isa_type)type))
        return random_float(state, type);
    value = random_integer(state, bits);
    return bits == 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

size_t fpu_corners(uint32_t type, uint32_t density, uint64_t *out, size_t max)
{
    uint32_t ones = exponent_ones(type), fb = fraction_bits(type), bias = ones / 2;
    uint64_t all = ((uint64_t)1 << fb) - 1, half = (uint64_t)1 << (fb - 1);
    uint64_t frac[] = {0,
                       1,
                       all,
                       all - 1,
                       half,
                       half + 1,
                       half - 1,
                       all ^ half,
                       2,
                       3,
                       (uint64_t)5 << (fb - 3)};
    const uint32_t exps[] = {0,         1,
                             2,         bias - 1,
                             bias,      bias + 1,
                             ones - 1,  ones,
                             ones - 2,  bias - 2,
                             bias + 2,  fb,
                             bias + fb, bias + fb + 1,
                             bias - fb, bias - fb - 1,
                             3,         bias + fb - 1,
                             bias / 2,  bias + bias / 2};
    uint32_t count = sizeof(exps) / sizeof(exps[0]), wanted = count * density;
    size_t n = 0;

    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t exp = i < count ? exps[i] : (i * 7919u) % ones;

        for (uint32_t k = 0; k < sizeof(frac) / sizeof(frac[0]); k++)
            for (uint32_t sign = 0; sign < 2 && n < max; sign++)
                out[n++] = float_bits(type, sign, exp, frac[k]);
    }
    return n;
}
