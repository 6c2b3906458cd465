// igpu_math_tb.cpp - the RTL of extended math equals csim/fpu bit for bit, exceptions
// too: all halves in all modes, corner values, random operands, integers, macro starts;
// with gaps between operations, functions mixed; and each result comes in its cycle.
// Seeded; a failure prints the operation. Does not find: faults that csim/fpu shares
// (tests/fpu/test_math_accuracy.c compares that with MPFR).
// tests/run: timeout=3600 slow
#include "Vigpu_math.h"
#include "verilated.h"

extern "C" {
#include "igpu/fpu_math.h"
#include "tests/support/rng.h"
}
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace
{
enum { LATENCY = 14, LATENCY_POW = 26, IQOT = 12, IREM = 13, INVM = 14, RSQTM = 15 };
enum { CORNERS = 46 };

struct Op {
    uint32_t fn, x, y;
    bool half, is_signed;
    fpu_math_mode mode;
};

struct Want {
    bool used;
    Op op;
    uint32_t result, flags;
    uint64_t cycle;
};

VerilatedContext context;
Vigpu_math model{&context};
Want want[256];
uint64_t cycle, done, failed;
uint8_t next_tag;
rng random_bits = {31};

uint32_t bits()
{
    return static_cast<uint32_t>(rng_next(&random_bits));
}

uint64_t start_mantissa(const Op &op)
{
    return static_cast<uint64_t>(op.x) << 32;
}

void compute(const Op &op, Want &w)
{
    fpu_math_fn fn = static_cast<fpu_math_fn>(op.fn);

    w.flags = 0;
    if (op.fn == INVM)
        w.result = fpu_math_start_inverse(start_mantissa(op));
    else if (op.fn == RSQTM)
        w.result = fpu_math_start_root(start_mantissa(op), op.y & 1);
    else if (op.fn == IREM)
        w.result = fpu_math_idiv(op.x, op.y, op.is_signed).remainder;
    else if (op.fn > FPU_MATH_POW)
        w.result = fpu_math_idiv(op.x, op.y, op.is_signed).quotient;
    else if (op.half)
        w.result = fpu_math_f16(fn, static_cast<uint16_t>(op.x),
                                static_cast<uint16_t>(op.y), op.mode, &w.flags);
    else
        w.result = fpu_math_f32(fn, op.x, op.y, op.mode, &w.flags);
}

void check_result()
{
    Want &w = want[model.tag_o];

    done++;
    if (w.used && model.result_o == w.result && model.flags_o == w.flags &&
        cycle == w.cycle) {
        w.used = false;
        return;
    }
    failed++;
    printf("fn %u x %08x y %08x half %d signed %d round %d flush %d: %08x flags "
           "%02x in cycle %llu, expected %08x %02x in %llu%s\n",
           w.op.fn, w.op.x, w.op.y, w.op.half, w.op.is_signed, w.op.mode.round,
           w.op.mode.flush, model.result_o, model.flags_o,
           static_cast<unsigned long long>(cycle), w.result, w.flags,
           static_cast<unsigned long long>(w.cycle), w.used ? "" : " (nothing)");
    w.used = false;
    if (failed == 10) {
        printf("not ok: stopped after %llu differences\n",
               static_cast<unsigned long long>(failed));
        std::exit(1);
    }
}

void tick()
{
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();
    cycle++;
    if (model.valid_o)
        check_result();
}

// Offer one operation until it is taken.
void send(const Op &op)
{
    Want &w = want[next_tag];
    bool taken;

    w = Want{true, op, 0, 0, 0};
    compute(op, w);
    model.valid_i = 1;
    model.fn_i = op.fn;
    model.half_i = op.half;
    model.signed_i = op.is_signed;
    model.round_i = op.mode.round;
    model.flush_i = op.mode.flush;
    model.x_i = op.x;
    model.y_i = op.y;
    model.tag_i = next_tag++;
    do {
        model.eval();
        taken = model.ready_o;
        w.cycle = cycle + (op.fn == FPU_MATH_POW ? LATENCY_POW : LATENCY);
        tick();
    } while (!taken);
    model.valid_i = 0;
}

// Every result is out, and none is missing.
void finish(const char *what)
{
    uint64_t lost = 0;

    for (int i = 0; i < 2 * LATENCY_POW; i++)
        tick();
    for (Want &w : want) {
        lost += w.used;
        w.used = false;
    }
    printf("%s %s: %llu results, %llu wrong, %llu missing\n",
           failed || lost || !done ? "not ok" : "ok", what,
           static_cast<unsigned long long>(done),
           static_cast<unsigned long long>(failed),
           static_cast<unsigned long long>(lost));
    if (failed || lost || !done)
        std::exit(1);
    done = 0;
}

fpu_math_mode any_mode()
{
    uint32_t r = bits();

    return fpu_math_mode{static_cast<uint8_t>(r & 3), (r & 4) != 0};
}

uint32_t corner(uint32_t k)
{
    static const uint32_t values[CORNERS / 2] = {
        0,          1,          2,          0x00400000, 0x007FFFFF, 0x00800000,
        0x00800001, 0x33800000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF, 0x3F800000,
        0x3F800001, 0x3FBFFFFF, 0x3FC00000, 0x40000000, 0x40490FDB, 0x42FC0000,
        0x43000000, 0x43160000, 0x7F7FFFFF, 0x7F800000, 0x7FA00001};

    return values[k / 2] | (k & 1) << 31;
}

// Any pattern; often of a short mantissa, or of a middling exponent.
uint32_t any_single()
{
    uint32_t value = bits(), shape = bits() & 15;

    if (shape < 2)
        value &= 0xFFFF0000;
    else if (shape == 2)
        value |= 0x0000FFFF;
    else if (shape < 10)
        value = (value & 0x87FFFFFF) | (shape < 6 ? 0x38000000 : 0x40000000);
    return value;
}

uint32_t any_integer()
{
    uint32_t value = bits();

    value >>= bits() & 31;
    return bits() & 1 ? value : 0 - value;
}

void halves()
{
    for (uint32_t fn = 1; fn <= FPU_MATH_POW; fn++) {
        bool two = fn == FPU_MATH_FDIV || fn == FPU_MATH_POW;

        if (fn == 8)
            continue;
        for (uint32_t x = 0; x < 65536; x++)
            for (uint32_t m = 0; m < 8; m++) {
                uint32_t y = bits() & (two ? 0xFFFF : 0xFFFFFFFF);

                if (two && (m & 1) && fn == FPU_MATH_POW)
                    y = (y & 0xBFFF) | 0x3000;
                send(Op{fn,
                        x,
                        y,
                        true,
                        false,
                        {static_cast<uint8_t>(m & 3), (m & 4) != 0}});
            }
    }
    finish("every half in every mode");
}

void corners()
{
    for (uint32_t fn = 1; fn <= FPU_MATH_POW; fn++)
        for (uint32_t k = 0; fn != 8 && k < CORNERS * CORNERS * 8; k++)
            send(Op{fn,
                    corner(k / 8 % CORNERS),
                    corner(k / 8 / CORNERS),
                    false,
                    false,
                    {static_cast<uint8_t>(k & 3), (k & 4) != 0}});
    finish("products of corner values in every mode");
}

void singles(uint32_t count)
{
    static const char *const names[] = {"",    "inv", "log", "exp",  "sqt", "rsqt",
                                        "sin", "cos", "",    "fdiv", "pow"};

    for (uint32_t fn = 1; fn <= FPU_MATH_POW; fn++) {
        if (fn == 8)
            continue;
        for (uint32_t i = 0; i < count; i++)
            send(Op{fn, any_single(), any_single(), false, false, any_mode()});
        finish(names[fn]);
    }
}

void integers(uint32_t count)
{
    for (uint32_t i = 0; i < 33 * 33 * 16; i++) {
        uint32_t x = i % 33 == 32 ? 0 : 1u << i % 33, y = i / 33 % 33;

        y = y == 32 ? 0 : 1u << y;
        x -= i / 1089 & 1;
        y -= i / 1089 >> 1 & 1;
        send(Op{
            i / 1089 & 4 ? IQOT : IREM, x, y, false, (i / 1089 & 8) != 0, {0, false}});
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = any_integer(), y = any_integer(), r = bits();

        if ((r & 48) == 0 && y != 0) // exact, or one less
            x = x / y * y - (r >> 6 & 1);
        send(Op{11 + (r & 3) % 3, x, y, false, (r & 4) != 0, any_mode()});
    }
    finish("integer division");
}

void starts(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = bits() | 0x80000000;

        if (i & 1)
            x = i & 2 ? x | 0x7FFFFFFF >> (bits() & 31)
                      : x & ~(0x7FFFFFFF >> (bits() & 31));
        send(
            Op{i & 4 ? INVM : RSQTM, x | 0x80000000, bits(), false, false, any_mode()});
    }
    finish("start values of the macros");
}

void mixed(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t fn = bits() & 15, gap = bits() & 7;

        if (fn == 0 || fn == 8)
            fn = FPU_MATH_POW;
        send(Op{fn, fn >= INVM ? bits() | 0x80000000 : any_single(), any_single(),
                fn < 11 && (bits() & 1) != 0, (bits() & 1) != 0, any_mode()});
        for (; gap < 3; gap++)
            tick();
    }
    finish("all functions mixed, with gaps");
}
} // namespace

int main()
{
    uint32_t count = std::getenv("IGPU_LONG") != nullptr ? 12000000 : 300000;

    model.rst_ni = 0;
    tick();
    model.rst_ni = 1;
    mixed(100000);
    halves();
    corners();
    singles(count);
    integers(count);
    starts(count);
    mixed(count);
    return 0;
}
