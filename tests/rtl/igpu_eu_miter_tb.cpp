// igpu_eu_miter_tb.cpp - the two shells of the EU do the same: igpu_eu_flat in one
// clock a visit, igpu_eu_pipe in ten stages. Eight contexts get VISITS random visits as
// the contracts allow them: each in a cycle after its last and not after the next one
// that it named, inputs or not; instructions of all units, ranges that overlap, long
// and short latencies; every message gets one response; now and then a reset. All that
// a visit gives back (issues, what they issue, fetch, occupancy, next cycle) must be
// equal. Seeded. Does not find: what both do wrong (tests/cosim/test_array.c,
// tests/formal).
// tests/run: slow

#include "Vigpu_eu_miter.h"
#include "verilated.h"

extern "C" {
#include "tests/support/rng.h"
}
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

namespace
{
enum {
    CONTEXTS = 8,
    SLOTS = 7,
    DEPTH = 512,
    ENDS = 480,
    VISITS = 130000,       // the last mutant is seen in visit 124,238
    LONG_VISITS = 2000000, // with IGPU_LONG
    FLIGHT = 70,
    ROUNDS = 50
};
enum { FLAT, PIPE, SHELLS };
enum { FPU_ANY, FPU1, SEND, BRANCH };

// What a visit gives back, as far as it means something.
struct Visit {
    uint32_t now, valid, slots[4], uops[4], eot, port, from, fetch, fetch_slot, busy,
        left[3];
    uint32_t held, asked, ask_slot, sleep, wake, branch;
};

struct Run {
    uint32_t pc, length, wait;
};

struct Message {
    uint32_t slot, uop;
};

struct Context {
    bool begun, visiting, sleeps, seen[SHELLS];
    uint64_t now, wake; // of its last visit; of its next, unless it sleeps
    Visit visit[SHELLS];
    Run answer, redirect;
    Run run[SLOTS];      // that a thread is in
    bool none, branched; // no answer behind a branch; the last visit's has issued
    uint32_t branch_slot, waiting; // waiting: threads that have no run
    uint32_t threads;              // slots that have one
    std::vector<Message> messages;
};

VerilatedContext context;
Vigpu_eu_miter model{&context};
Context contexts[CONTEXTS];
uint8_t unit_of[DEPTH];
rng random_bits = {26};
uint64_t visits, issues[4], responses, ends, redirects, differences;

uint32_t below(uint32_t n)
{
    return static_cast<uint32_t>(rng_next(&random_bits) >> 11) % n;
}

bool one_in(uint32_t n)
{
    return below(n) == 0;
}

// {last, first}: often among a few GRFs, so that instructions meet; sometimes none.
uint32_t range(uint32_t most)
{
    uint32_t first = one_in(4) ? below(128) : 56 + below(16);
    uint32_t last = first + below(most);

    if (one_in(6))
        return 127; // first 127, last 0
    return first | (last > 127 ? 127 : last) << 7;
}

void instruction(uint32_t index)
{
    const uint32_t unit = index >= ENDS ? SEND : below(8) < 5 ? below(2) : below(4);
    const bool end = index >= ENDS;
    const uint32_t x = one_in(3) ? 1U << below(8) : 0;
    const uint32_t occupancy = one_in(16) ? 1 + below(255) : 1 + below(8);
    const uint32_t fe = one_in(8) ? 2 + below(254) : one_in(2) ? 2 : 3 + below(8);
    const uint32_t latency = one_in(4) ? below(64) : 4 + below(10);
    uint32_t set = range(8), set_x = one_in(4) ? x : 0;
    uint64_t need = 0;

    if (unit == BRANCH || end) {
        set = 127;
        set_x = 0;
    }
    for (int r = 0; r < 3; r++)
        need |= static_cast<uint64_t>(one_in(3) ? 127 : range(6)) << (14 * r);
    need |= static_cast<uint64_t>(x) << 42;
    if (end) // all 136 bits (docs/contract/model.md section 4.1)
        need = 127U << 7 | 0xffULL << 42;
    unit_of[index] = static_cast<uint8_t>(unit);
    model.store_we_i = 1;
    model.store_addr_i = index;
    model.store_ctl_i = unit | (end ? 4U : 0) | (one_in(2) ? 8U : 0) | occupancy << 4 |
                        fe << 12 | latency << 20;
    model.store_dur_i = one_in(4) ? 1 : one_in(8) ? 1 + below(255) : 1 + below(9);
    model.store_set_i = set | set_x << 14;
    model.store_need_i = need;
}

// A run; some are only the end of the thread.
Run a_run()
{
    Run run = {0, 1, one_in(3) ? 0 : one_in(6) ? below(256) : below(5)};

    if (one_in(12)) {
        run.pc = ENDS + below(DEPTH - ENDS);
    } else {
        run.length = 1 + below(one_in(4) ? 30 : 6);
        run.pc = below(ENDS - run.length);
    }
    return run;
}

void edge()
{
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();
}

// A cycle after the last one, at most the next with work.
void begin_at(Context &c)
{
    uint64_t span = c.sleeps ? (one_in(4) ? 1200 : 40) : c.wake - c.now;

    if (c.branched)
        c.now++;
    else if (!c.sleeps && !one_in(4))
        c.now = c.wake;
    else
        c.now += 1 + below(static_cast<uint32_t>(span));
}

void give(Context &c)
{
    const Run run = a_run();
    const uint32_t slot = below(SLOTS);

    model.open_i = one_in(4) && (c.threads >> slot & 1) == 0;
    model.open_slot_i = slot;
    model.open_pc_i = run.pc;
    model.open_len_i = run.length;
    model.open_wait_i = run.wait;
    if (model.open_i) {
        c.threads |= 1U << slot;
        c.run[slot] = run;
    }
    model.redir_i = c.branched;
    model.redir_slot_i = c.branch_slot;
    model.redir_pc_i = c.redirect.pc;
    model.redir_len_i = c.redirect.length;
    model.redir_wait_i = c.redirect.wait;
    model.done_i = c.begun && !c.messages.empty() && !one_in(3);
    if (model.done_i) {
        const uint32_t which = below(static_cast<uint32_t>(c.messages.size()));

        model.done_slot_i = c.messages[which].slot;
        model.done_uop_i = c.messages[which].uop;
        c.messages.erase(c.messages.begin() + which);
        responses++;
    }
    // So many wait at most: credits and notifications.
    model.full_i = one_in(8) || c.messages.size() >= FLIGHT;
}

void begin_visit(uint32_t number)
{
    Context &c = contexts[number];
    const uint64_t last = c.now;

    if (c.begun)
        begin_at(c);
    else
        c.now = 1 + below(2048);
    model.valid_i = 1;
    model.ctx_i = number;
    model.now_i = c.now & 2047;
    model.first_i = !c.begun;
    model.old_i = c.begun && c.now - last > 511 ? 1 : c.now - last > 256 ? below(2) : 0;
    give(c);
    c.begun = c.visiting = true;
    c.seen[FLAT] = c.seen[PIPE] = false;
    c.answer = a_run();
    c.redirect = a_run();
    c.none = one_in(2);
    c.branched = false;
    memset(c.visit, 0, sizeof(c.visit));
    visits++;
}

// The run behind a branch is given at once, or when that has issued.
bool answers(const Context &c, uint32_t slot)
{
    const Run &run = c.run[slot];

    return unit_of[run.pc + run.length - 1] != BRANCH || !c.none;
}

void look_at_ask(int shell)
{
    if ((model.ask_o >> shell & 1) == 0)
        return;
    Context &c = contexts[model.ask_ctx_o[shell]];

    c.visit[shell].asked = 1 + model.ask_now_o[shell];
    c.visit[shell].ask_slot = model.ask_slot_o[shell];
    model.run_pc_i[shell] = c.answer.pc;
    model.run_len_i[shell] = answers(c, model.ask_slot_o[shell]) ? c.answer.length : 0;
    model.run_wait_i[shell] = c.answer.wait;
}

void look_at_ret(int shell)
{
    if ((model.ret_any_o >> shell & 1) == 0)
        return;
    const Context &c = contexts[model.ret_ctx_o[shell]];
    Visit &v = contexts[model.ret_ctx_o[shell]].visit[shell];
    const uint32_t uops[4] = {model.ret0_uop_o[shell], model.ret1_uop_o[shell],
                              model.ret2_uop_o[shell], model.ret3_uop_o[shell]};

    v.now = model.ret_now_o[shell];
    v.valid = model.ret_valid_o[shell];
    for (int u = 0; u < 4; u++)
        if (v.valid >> u & 1) {
            v.slots[u] = model.ret_slot_o[shell] >> (3 * u) & 7;
            v.uops[u] = uops[u];
        }
    if (v.valid >> SEND & 1) {
        v.eot = model.ret_eot_o >> shell & 1;
        v.port = model.ret_port_o >> shell & 1;
        v.from = model.ret_from_o[shell];
    }
    v.fetch = model.ret_fetch_o >> shell & 1;
    v.fetch_slot = v.fetch ? model.ret_fetch_slot_o[shell] : 0;
    v.busy = model.ret_busy_o[shell];
    for (int u = 0; u < 3; u++)
        if (v.busy >> u & 1)
            v.left[u] = model.ret_left_o[shell] >> (8 * u) & 255;
    v.held = model.ret_held_o[shell];
    v.branch = shell == PIPE ? model.ret_branch_o
                             : v.valid >> BRANCH & c.waiting >> v.slots[BRANCH] & 1;
}

void print_visit(const char *shell, const Visit &v)
{
    printf("# %s: now %u issues %x threads %u %u %u %u of %u %u %u %u, eot %u port %u "
           "from %u, "
           "fetch %u by %u, busy %x for %u %u %u, held %02x, ask %u by %u, sleep %u, "
           "wake %u\n",
           shell, v.now, v.valid, v.slots[0], v.slots[1], v.slots[2], v.slots[3],
           v.uops[0], v.uops[1], v.uops[2], v.uops[3], v.eot, v.port, v.from, v.fetch,
           v.fetch_slot, v.busy, v.left[0], v.left[1], v.left[2], v.held, v.asked,
           v.ask_slot, v.sleep, v.wake);
}

// Where threads are: the next run, none, or the one behind a branch. The next cycle of
// a visit with a branch is the next one, in which both shells are told where it leads;
// the flat one does not say so.
void follow(Context &c)
{
    const Visit &v = c.visit[PIPE];

    if (v.asked != 0) {
        if (answers(c, v.ask_slot))
            c.run[v.ask_slot] = c.answer;
        else
            c.waiting |= 1U << v.ask_slot;
    }
    c.branched = v.branch != 0;
    if (!c.branched)
        return;
    c.branch_slot = v.slots[BRANCH];
    c.waiting &= ~(1U << c.branch_slot);
    c.run[c.branch_slot] = c.redirect;
    redirects++;
    c.visit[FLAT].sleep = 0;
    c.visit[FLAT].wake = (v.now + 1) & 2047;
}

// Both have left: what the visit did, for what comes next.
void end_visit(Context &c)
{
    const Visit &v = c.visit[PIPE];

    c.visiting = false;
    follow(c);
    if (memcmp(&c.visit[FLAT], &v, sizeof(v)) != 0) {
        differences++;
        if (differences <= 5) {
            printf("# visit %llu differs\n", static_cast<unsigned long long>(visits));
            print_visit("flat", c.visit[FLAT]);
            print_visit("pipe", v);
        }
    }
    if (v.sleep == 0 && v.wake == v.now) {
        differences++;
        print_visit("both name their own cycle as the next", v);
    }
    c.sleeps = v.sleep != 0;
    c.wake = c.now + ((v.wake - c.now) & 2047);
    for (int u = 0; u < 4; u++)
        issues[u] += v.valid >> u & 1;
    if ((v.valid >> SEND & 1) == 0)
        return;
    if (v.eot) {
        c.threads &= ~(1U << v.slots[SEND]);
        ends++;
    } else {
        c.messages.push_back({v.slots[SEND], v.uops[SEND]});
    }
}

void look_at_leave(int shell)
{
    if ((model.leave_o >> shell & 1) == 0)
        return;
    Context &c = contexts[model.leave_ctx_o[shell]];

    c.visit[shell].sleep = model.leave_sleep_o >> shell & 1;
    c.visit[shell].wake = c.visit[shell].sleep ? 0 : model.leave_wake_o[shell];
    c.seen[shell] = true;
    if (c.seen[FLAT] && c.seen[PIPE])
        end_visit(c);
}
// All contexts are empty again, whatever their state holds; other instructions.
void reset()
{
    model.rst_ni = 0;
    model.valid_i = 0;
    for (uint32_t i = 0; i < DEPTH; i++) {
        instruction(i);
        edge();
    }
    model.store_we_i = 0;
    model.oldest_i = one_in(2);
    model.rst_ni = 1;
    for (Context &c : contexts)
        c = Context();
}

// Visits until there were so many and all have left.
void visit_until(uint64_t most)
{
    for (int rest = 0; rest < 12 && differences == 0; rest += visits >= most) {
        const uint32_t number = below(CONTEXTS);

        model.valid_i = model.open_i = model.done_i = model.redir_i = 0;
        if (visits < most && !contexts[number].visiting)
            begin_visit(number);
        edge();
        for (int shell = 0; shell < SHELLS; shell++) {
            look_at_ask(shell);
            look_at_ret(shell);
            look_at_leave(shell);
        }
    }
}
} // namespace

int main()
{
    const char *wanted = getenv("IGPU_VISITS");
    const uint64_t most = wanted != nullptr ? strtoull(wanted, nullptr, 10)
                          : getenv("IGPU_LONG") != nullptr ? LONG_VISITS
                                                           : VISITS;

    edge(); // Verilator sees no edge in its first evaluation
    for (uint64_t round = 1; round <= ROUNDS && differences == 0; round++) {
        reset();
        visit_until(most * round / ROUNDS);
    }
    const bool good = differences == 0 && issues[0] > visits / 50 &&
                      issues[1] > visits / 50 && issues[2] > visits / 50 &&
                      issues[3] > visits / 100 && responses > visits / 50 &&
                      ends > visits / 1000 && redirects > visits / 1000;
    printf("# %llu visits: %llu, %llu, %llu, %llu issues of FPU0, FPU1, SEND, BRANCH; "
           "%llu "
           "responses, %llu ends, %llu redirects\n",
           static_cast<unsigned long long>(visits),
           static_cast<unsigned long long>(issues[0]),
           static_cast<unsigned long long>(issues[1]),
           static_cast<unsigned long long>(issues[2]),
           static_cast<unsigned long long>(issues[3]),
           static_cast<unsigned long long>(responses),
           static_cast<unsigned long long>(ends),
           static_cast<unsigned long long>(redirects));
    printf("%s both shells give back the same of every visit\n",
           good ? "ok" : "not ok");
    return good ? 0 : 1;
}
