// igpu_math_slots_tb.cpp - vectors of extended math: every slot is csim/fpu's result,
// disabled slots are zero and raise nothing, vectors of pow come out in their order and
// those of other functions in theirs, and at their rate: one every 2 cycles, pow 4; 16
// cycles after they were taken, pow 28. At the pace of the timing contract nothing
// waits and each result is there when the contract has it, but where pow and others
// alternate: then vectors wait for WAIT cycles and results are LATE at most. Seeded.
// Does not find: wrong values of igpu_math in general (igpu_math_tb.cpp).
// tests/run: slow
#include "Vigpu_math_slots.h"
#include "verilated.h"

extern "C" {
#include "igpu/fpu_math.h"
#include "tests/support/rng.h"
}
#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
    uint64_t due;   // in which the contract has its result; 0: not looked at
};

// Least and most cycles of a vector. WAIT: see above.
struct Range {
    uint64_t least, most;
};
enum { LATENCY = 16, LATENCY_POW = 28, WAIT = 8, LATE = 6, IN_FLIGHT = 44 };

VerilatedContext context;
Vigpu_math_slots model{&context};
std::deque<Vector> sent[2]; // [1]: of pow
Range latency[2];
uint64_t cycle, done, late;
uint64_t last_half;
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
    std::deque<Vector> &queue = sent[model.pow_o];
    Range &range = latency[model.pow_o];

    done++;
    if (queue.empty()) {
        good = false;
        return;
    }
    const Vector &v = queue.front();
    uint64_t took = cycle - v.cycle;

    if (std::memcmp(v.result.w, model.result_o.data(), 16) != 0 ||
        model.flags_o != v.flags) {
        good = false;
        printf(
            "fn %u half %d pred %02x: %08x ..., expected %08x ..., flags %02x %02x\n",
            v.fn, v.half, v.pred, model.result_o[0], v.result.w[0], model.flags_o,
            v.flags);
    }
    range.least = std::min(range.least, took);
    range.most = std::max(range.most, took);
    if (v.due != 0 && cycle > v.due)
        late = std::max(late, cycle - v.due);
    queue.pop_front();
}

void tick()
{
    // The lanes of halves rest when none has come for long.
    bool halves = cycle < last_half + IN_FLIGHT || (model.valid_i && model.half_i);

    if (model.valid_i && model.half_i)
        last_half = cycle;
    model.clk_i = 1;
    model.half_clk_i = halves;
    model.eval();
    model.clk_i = model.half_clk_i = 0;
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
            sent[v.fn == FPU_MATH_POW].push_back(v);
        }
        tick();
    } while (!taken);
    model.valid_i = 0;
}

void start()
{
    done = late = 0;
    latency[0] = latency[1] = Range{UINT64_MAX, 0};
}

void finish(const char *what, bool as_expected)
{
    for (int i = 0; i < 80; i++)
        tick();
    good &= sent[0].empty() && sent[1].empty() && done != 0 && as_expected;
    printf("%s %s: %llu vectors", good ? "ok" : "not ok", what,
           static_cast<unsigned long long>(done));
    for (const Range &r : latency)
        if (r.most != 0)
            printf(", %llu to %llu cycles", static_cast<unsigned long long>(r.least),
                   static_cast<unsigned long long>(r.most));
    printf("\n");
    if (!good) // a failure says enough, and tests/fail/ makes many
        std::exit(1);
}

// Back to back: the distance over the whole run is the rate.
void rate(const char *what, uint32_t fn, bool half, uint64_t distance)
{
    bool pow = fn == FPU_MATH_POW;
    uint64_t from, took;

    start();
    send(any_vector(fn, half));
    from = cycle;
    for (int i = 0; i < 1200; i++)
        send(any_vector(fn, half));
    took = cycle - from;
    distance *= 1200;
    // A run of pow may end in the middle of its beat of 24 clocks.
    if (took + 12 < distance || took > distance + (pow ? 12 : 0)) {
        printf("%llu cycles for 1200 vectors\n", static_cast<unsigned long long>(took));
        good = false;
    }
    for (int i = 0; i < 80; i++)
        tick();
    finish(what, pow ? latency[1].least == LATENCY_POW
                     : latency[0].least == LATENCY && latency[0].most == LATENCY);
}

// GRFs (two vectors) at the pace of the contract: 8 cycles each for pow, 4 for others;
// a result 24 or 16 cycles after that. pow of 8 are pow.
void pace(const char *what, uint32_t pow, uint64_t wait_most, uint64_t late_most)
{
    uint64_t turn = cycle, wait = 0;

    start();
    for (int i = 0; i < 20000; i++) {
        uint32_t r = bits(), fn = 1 + (r >> 8) % 7;
        bool is_pow = (r & 7) < pow, half = (r >> 16 & 3) == 0;
        uint64_t cycles = is_pow ? 8 : 4;

        while (cycle < turn)
            tick();
        for (uint32_t k = 0; k < 2; k++) {
            Vector v = any_vector(is_pow ? uint32_t{FPU_MATH_POW} : fn, half);

            v.due = turn + cycles + (is_pow ? 24 : 16);
            send(v);
            if (k == 0)
                wait = std::max(wait, cycle - 1 - turn);
        }
        turn += cycles;
    }
    if (wait != wait_most || late != late_most)
        printf("waited %llu cycles, %llu late\n", static_cast<unsigned long long>(wait),
               static_cast<unsigned long long>(late));
    finish(what, wait == wait_most && late == late_most);
}
} // namespace

int main()
{
    model.rst_ni = 0;
    tick();
    tick();
    model.rst_ni = 1;
    rate("singles come every 2 cycles", FPU_MATH_EXP, false, 2);
    rate("halves come every 2 cycles", FPU_MATH_SIN, true, 2);
    rate("powers take twice the time", FPU_MATH_POW, false, 4);
    rate("powers of halves too", FPU_MATH_POW, true, 4);
    pace("without pow nothing waits or is late", 0, 0, 0);
    pace("nor with pow alone", 8, 0, 0);
    pace("mixed, vectors wait and are late for some cycles", 3, WAIT, LATE);
    start();
    for (int i = 0; i < 40000; i++) {
        uint32_t fn = 1 + bits() % 12;

        send(any_vector(fn == 8 ? FPU_MATH_POW : fn, bits() & 1));
        for (uint32_t gap = bits() % 12; gap > 8; gap--)
            tick();
    }
    finish("functions mixed come in order", true);
    return 0;
}
