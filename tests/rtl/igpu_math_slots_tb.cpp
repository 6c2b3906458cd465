// igpu_math_slots_tb.cpp - vectors of extended math: every slot is csim/fpu's result,
// disabled slots are zero and raise nothing, vectors come out in their order whatever
// their functions, and at their rate: one every 4 cycles (8 for halves), twice that for
// pow, 19 cycles after they were taken.
// Seeded. Does not find: wrong values of igpu_math in general (igpu_math_tb.cpp).
#include "Vigpu_math_slots.h"
#include "verilated.h"

extern "C" {
#include "igpu/fpu_math.h"
#include "tests/cosim/rng.h"
}
#include <cstdio>
#include <cstring>
#include <deque>

namespace
{
struct Vector {
    uint32_t fn, pred;
    bool half, is_signed;
    fpu_math_mode mode;
    union {
        uint32_t w[4];
        uint16_t h[8];
    } x, y, result;
    uint32_t flags;
    uint64_t cycle; // in which it was taken
};

VerilatedContext context;
Vigpu_math_slots model{&context};
std::deque<Vector> sent;
uint64_t cycle, done, last_done, fastest, latency_least;
bool good = true;
rng random_bits = {41};

uint32_t bits()
{
    return static_cast<uint32_t>(rng_next(&random_bits));
}

void compute(Vector &v)
{
    fpu_math_fn fn = static_cast<fpu_math_fn>(v.fn);
    unsigned slots = v.half ? 8 : 4;

    v.flags = 0;
    std::memset(&v.result, 0, sizeof(v.result));
    for (unsigned i = 0; i < slots; i++) {
        if (!(v.pred >> i & 1))
            continue;
        if (v.fn > FPU_MATH_POW)
            v.result.w[i] = fpu_math_idiv(v.x.w[i], v.y.w[i], v.is_signed).quotient;
        else if (v.half)
            v.result.h[i] = fpu_math_f16(fn, v.x.h[i], v.y.h[i], v.mode, &v.flags);
        else
            v.result.w[i] = fpu_math_f32(fn, v.x.w[i], v.y.w[i], v.mode, &v.flags);
    }
}

void check_result()
{
    bool same = !sent.empty();

    if (same) {
        const Vector &v = sent.front();

        same = std::memcmp(v.result.w, model.result_o.data(), 16) == 0 &&
               model.flags_o == v.flags;
        if (!same)
            printf("fn %u half %d pred %02x: %08x ..., expected %08x ..., flags %02x "
                   "%02x\n",
                   v.fn, v.half, v.pred, model.result_o[0], v.result.w[0],
                   model.flags_o, v.flags);
        if (cycle - v.cycle < latency_least)
            latency_least = cycle - v.cycle;
        sent.pop_front();
    }
    if (done != 0 && cycle - last_done < fastest)
        fastest = cycle - last_done;
    last_done = cycle;
    done++;
    good &= same;
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

Vector any_vector(uint32_t fn, bool half)
{
    Vector v = {};

    v.fn = fn;
    v.half = half && fn <= FPU_MATH_POW;
    v.pred = bits() & 1 ? 0xFF : bits() & 0xFF;
    v.is_signed = bits() & 1;
    v.mode = fpu_math_mode{static_cast<uint8_t>(bits() & 3), (bits() & 1) != 0};
    for (unsigned i = 0; i < 4; i++) {
        v.x.w[i] = bits();
        v.y.w[i] = bits();
        if (!v.half && fn == FPU_MATH_POW)
            v.y.w[i] = (v.y.w[i] & 0x83FFFFFF) | 0x3C000000;
    }
    compute(v);
    return v;
}

void send(Vector v)
{
    bool taken;

    model.valid_i = 1;
    model.fn_i = v.fn;
    model.half_i = v.half;
    model.signed_i = v.is_signed;
    model.round_i = v.mode.round;
    model.flush_i = v.mode.flush;
    model.pred_i = v.pred;
    std::memcpy(model.x_i.data(), v.x.w, 16);
    std::memcpy(model.y_i.data(), v.y.w, 16);
    do {
        model.eval();
        taken = model.ready_o;
        if (taken) {
            v.cycle = cycle;
            sent.push_back(v);
        }
        tick();
    } while (!taken);
    model.valid_i = 0;
}

bool finish(const char *what, bool as_expected)
{
    for (int i = 0; i < 80; i++)
        tick();
    good &= sent.empty() && done != 0 && as_expected;
    printf("%s %s: %llu vectors, least latency %llu, least distance %llu\n",
           good ? "ok" : "not ok", what, static_cast<unsigned long long>(done),
           static_cast<unsigned long long>(latency_least),
           static_cast<unsigned long long>(fastest));
    return good;
}

void start()
{
    done = 0;
    fastest = latency_least = UINT64_MAX;
}

// Back to back: the distance over the whole run is the rate.
void rate(const char *what, uint32_t fn, bool half, uint64_t latency, uint64_t distance)
{
    uint64_t from;

    start();
    send(any_vector(fn, half));
    from = cycle;
    for (int i = 0; i < 1000; i++)
        send(any_vector(fn, half));
    distance *= 1000;
    // The end of a run of pow may be a slot off its beat.
    good &= cycle - from + 16 >= distance && cycle - from <= distance + 16;
    if (!good)
        printf("%llu cycles for 1000 vectors\n",
               static_cast<unsigned long long>(cycle - from));
    for (int i = 0; i < 80; i++)
        tick();
    finish(what, latency_least == latency);
}
} // namespace

int main()
{
    model.rst_ni = 0;
    tick();
    tick();
    model.rst_ni = 1;
    rate("singles come every 4 cycles", FPU_MATH_EXP, false, 19, 4);
    rate("halves come every 8 cycles", FPU_MATH_SIN, true, 23, 8);
    rate("powers take twice the time", FPU_MATH_POW, false, 31, 8);
    start();
    for (int i = 0; i < 40000; i++) {
        uint32_t fn = 1 + bits() % 12;

        send(any_vector(fn == 8 ? FPU_MATH_POW : fn, bits() & 1));
        for (uint32_t gap = bits() % 12; gap > 8; gap--)
            tick();
    }
    finish("functions mixed come in order", true);
    return good ? 0 : 1;
}
