/* rates_rules.c - the EU's rules beyond single FPU instructions: control flow,
 * forwarding, messages, responses, co-issue, threads, barriers, dispatch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rates.h"

enum { EUS = 8, SLOTS = 168, LATENCY = 40 };

/* What is measured of a run. */
enum what {
    PER_ISSUE,   /* cycles from one issue to the next */
    PER_LAP,     /* cycles of the EU for a thread's loop */
    ALL_LAPS,    /* cycles in which all threads do the loop once */
    PER_MSG,     /* cycles from one message of the subslice to the next */
    AT_ONCE,     /* the most units that an EU issues to in one cycle */
    FIRST_ISSUE, /* cycle of the first issue */
    LAST_OPEN,   /* cycle in which the last thread is opened */
    FPU_SHARE /* part of the time that the EU's two FPUs are busy, 4 cycles an issue */
};

struct rule {
    const char *name, *form; /* the closed form, in words */
    const char *text;
    double low, high; /* what it gives, both ends included */
    enum what what;
    struct rates_run run; /* all but the piece */
};

#define BRANCH(op, text)                                                               \
    {                                                                                  \
        op ": one thread", "`eu.branch.fe`", text "\n", 8, 8, PER_ISSUE,               \
        {                                                                              \
            .laps = 64, .threads = 1                                                   \
        }                                                                              \
    }
#define MAD(d) "mad (16|M0) " d ".0<1>:f " d ".0<8;1>:f r30.0<8;1>:f r41.0<1>:f\n"
#define CHAINS2 MAD("r60") MAD("r62")
#define STORE1 "send (8|M0) null r20 0xC 0x02000200\n"
#define SENDS3 "sends (8|M0) null r20 r30 0x4C 0x04000200\n"
#define READ(d, desc) "send (16|M0) " d " r20 0xC " desc "\n"

static const struct rule rules[] = {
    /* ---- forwarding ---- */
    {"cmp to f0.0, then an add under it, SIMD8",
     "2 + 12 + 2 + 10",
     "cmp (8|M0) (lt)f0.0 null<1>:f r60.0<8;8,1>:f r30.0<8;8,1>:f\n"
     "(f0.0) add (8|M0) r60.0<1>:f r30.0<8;8,1>:f r31.0<8;8,1>:f\n",
     26,
     26,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"cmp to f0.0, then an add under f1.0, SIMD8",
     "2 + 12 + 2: an FPU writes in order, the add behind the cmp",
     "cmp (8|M0) (lt)f0.0 null<1>:f r60.0<8;8,1>:f r30.0<8;8,1>:f\n"
     "(f1.0) add (8|M0) r60.0<1>:f r30.0<8;8,1>:f r31.0<8;8,1>:f\n",
     16,
     16,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"mac to acc0, then an add of acc0 to a GRF, SIMD8",
     "2 + 4 + 2 + 10",
     "mac (8|M0) acc0.0<1>:f r60.0<8;8,1>:f r30.0<8;8,1>:f\n"
     "add (8|M0) r60.0<1>:f acc0.0<8;8,1>:f r30.0<8;8,1>:f\n",
     18,
     18,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"mul to acc0, then mach: a full 32-bit product, SIMD8",
     "4 + 12 + 2: an FPU writes in order, the mul behind the mach",
     "mul (8|M0) acc0.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:w\n"
     "mach (8|M0) r60.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d\n",
     18,
     18,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"add to a0, then a mov through it, SIMD1",
     "2 + 10 + 2 + 10",
     "add (1|M0) a0.0<1>:uw r60.0<0;1,0>:uw r30.0<0;1,0>:uw\n"
     "mov (1|M0) r60.0<1>:ud r[a0.0,0]<0;1,0>:ud\n",
     24,
     24,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"add to a0, then a mov through it, and the next lap's add",
     "2 + 10, then (1 + `eu.indirect.grf`) x 2: mesa's broadcast, 18 measured",
     "add (1|M0) a0.0<1>:uw r40.0<0;1,0>:uw r30.0<0;1,0>:uw\n"
     "mov (1|M0) r60.0<1>:ud r[a0.0,0]<0;1,0>:ud\n",
     18,
     18,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"add of eight addresses to a0, then a mov through them, SIMD8",
     "2 + 10, then (1 + `eu.indirect.grf` + 8 x `eu.indirect.row`) x 2: mesa's "
     "mov_indirect, 34 measured",
     "add (8|M0) a0.0<1>:uw r40.0<8;8,1>:uw r30.0<8;8,1>:uw\n"
     "mov (8|M0) r60.0<1>:ud r[a0.0,0]<1,0>:ud\n",
     34,
     34,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    {"mov through eight addresses: seven threads",
     "8 x 2 of two FPUs",
     "mov (8|M0) r60.0<1>:ud r[a0.0,0]<1,0>:ud\n",
     8,
     8,
     PER_ISSUE,
     {.laps = 40, .threads = 7}},
    /* ---- control flow ---- */
    BRANCH("jmpi", "jmpi END"),
    BRANCH("if", "(f0.0) if (16|M0) END END"),
    BRANCH("else", "else (16|M0) END END"),
    BRANCH("endif", "endif (16|M0) END"),
    BRANCH("while", "(f0.0) while (16|M0) END"),
    BRANCH("break", "(f0.0) break (16|M0) END END"),
    BRANCH("cont", "(f0.0) cont (16|M0) END END"),
    BRANCH("halt", "(f0.0) halt (16|M0) END END"),
    BRANCH("goto", "(f0.0) goto (16|M0) END END"),
    BRANCH("join", "join (16|M0) END"),
    BRANCH("brc", "(f0.0) brc (16|M0) END END"),
    BRANCH("brd", "(f0.0) brd (16|M0) END"),
    BRANCH("call", "call (16|M0) r4.0 END"),
    BRANCH("ret", "ret (16|M0) r4.0"),
    {"goto: seven threads of an EU",
     "8 / 7",
     "(f0.0) goto (16|M0) END END\n",
     8.0 / 7,
     8.0 / 7,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    {"nop: one thread",
     "`eu.nop.fe`",
     "nop\n",
     2,
     2,
     PER_ISSUE,
     {.laps = 64, .threads = 1}},
    {"nop: seven threads of an EU",
     "one fetch a cycle",
     "nop\n",
     1,
     1,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    {"a loop's end: add, cmp, while, SIMD16",
     "4 + 10 from add to cmp, 4 + 12 to while, 8",
     "add (16|M0) r60.0<1>:d r60.0<8;8,1>:d r30.0<8;8,1>:d\n"
     "cmp (16|M0) (lt)f0.0 null<1>:d r60.0<8;8,1>:d r32.0<8;8,1>:d\n"
     "(f0.0) while (16|M0) END\n",
     38,
     38,
     PER_LAP,
     {.laps = 40, .threads = 1}},
    /* ---- fetch ---- */
    {"add SIMD8, compacted: seven threads",
     "one fetch a cycle",
     "add (8|M0) r60.0<1>:f r20.0<8;8,1>:f r20.0<8;8,1>:f {Compacted}\n"
     "add (8|M0) r62.0<1>:f r20.0<8;8,1>:f r20.0<8;8,1>:f {Compacted}\n",
     1,
     1,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    {"add with {Switch}: one thread",
     "`eu.switch.fe`",
     "add (8|M0) r60.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f {Switch}\n",
     32,
     32,
     PER_ISSUE,
     {.laps = 64, .threads = 1}},
    {"add with {Switch}: seven threads",
     "32 / 7",
     "add (8|M0) r60.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f {Switch}\n",
     32.0 / 7,
     32.0 / 7,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    /* ---- messages ---- */
    {"store of 1 GRF: one thread",
     "front end, at least 2",
     STORE1,
     2,
     2,
     PER_ISSUE,
     {.laps = 64, .threads = 1}},
    {"store of 1 GRF: seven threads",
     "1 GRF a cycle",
     STORE1,
     1,
     1,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    {"sends of 2 + 1 GRFs: one thread",
     "3 GRFs",
     SENDS3,
     3,
     3,
     PER_ISSUE,
     {.laps = 64, .threads = 1}},
    {"sends of 4 + 8 GRFs: seven threads",
     "12 GRFs",
     "sends (16|M0) null r20 r30 0x20C 0x08000200\n",
     12,
     12,
     PER_ISSUE,
     {.laps = 64, .threads = 7}},
    {"stores of 1 GRF from eight EUs",
     "the subslice's arbiter grants one a cycle",
     STORE1,
     1,
     1,
     PER_MSG,
     {.laps = 64, .threads = 56, .eus = EUS}},
    {"read of 1 GRF by 1, to its use by the next",
     "1 + 40 + 1",
     READ("r20", "0x02100200"),
     42,
     42,
     PER_ISSUE,
     {.laps = 40, .threads = 1}},
    {"read of 8 GRFs by 2, to its use by the next",
     "2 + 40 + 8",
     READ("r20", "0x04800200"),
     50,
     50,
     PER_ISSUE,
     {.laps = 40, .threads = 1}},
    {"reads of 8 GRFs by 2: seven threads",
     "8 GRFs of response at the write port",
     READ("r60", "0x04800200") READ("r70", "0x04800200") READ("r80", "0x04800200")
         READ("r90", "0x04800200"),
     8,
     8,
     PER_ISSUE,
     {.laps = 20, .threads = 7}},
    {"reads of 1 GRF by 2: seven threads",
     "2 GRFs of payload",
     READ("r60", "0x04100200") READ("r70", "0x04100200") READ("r80", "0x04100200")
         READ("r90", "0x04100200"),
     2,
     2,
     PER_ISSUE,
     {.laps = 20, .threads = 7, .latency = LATENCY}},
    {"64 credits, answers after 128 cycles, eight EUs",
     "129 / 64: a credit can be used in the next cycle",
     STORE1,
     129.0 / 64,
     129.0 / 64,
     PER_MSG,
     {.laps = 64, .threads = 56, .eus = EUS, .latency = 128}},
    {"barrier of one thread",
     "1 + 40 + 1 + 2: payload, gateway, notification, wait",
     "send (8|M0) null r20 0x3 0x02000004\nwait n0.0<0;1,0>:ud\n",
     44,
     44,
     PER_LAP,
     {.laps = 20, .threads = 1, .tpg = 1}},
    {"barrier of seven threads of an EU",
     "44 + 6 more notifications and arrivals",
     "send (8|M0) null r20 0x3 0x02000004\nwait n0.0<0;1,0>:ud\n",
     50,
     50,
     ALL_LAPS,
     {.laps = 20, .threads = 7, .tpg = 7}},
    /* ---- co-issue ---- */
    {"FPU0, FPU1, SEND and BRANCH in one cycle",
     "four",
     SENDS3 "jmpi END\n" MAD("r60") MAD("r60") SENDS3,
     4,
     4,
     AT_ONCE,
     {.laps = 64, .threads = 7}},
    {"2 mads SIMD16, 1 math SIMD8, 1 store, 1 jmpi: seven threads",
     "12 cycles of two FPUs, and what round-robin leaves idle",
     MAD("r60") MAD("r62") "math.inv (8|M0) r70.0<1>:f r20.0<8;8,1>:f\n" STORE1
                           "jmpi END\n",
     6,
     7,
     PER_LAP,
     {.laps = 64, .threads = 7}},
    {"4 adds SIMD16, 4 stores: seven threads",
     "16 / 2: stores are free",
     "add (16|M0) r60.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f\n" STORE1
     "add (16|M0) r62.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f\n" STORE1
     "add (16|M0) r64.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f\n" STORE1
     "add (16|M0) r66.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f\n" STORE1,
     8,
     8,
     PER_LAP,
     {.laps = 64, .threads = 7}},
    {"mad SIMD16 and math SIMD16: seven threads",
     "8 of FPU1; the mads fit into FPU0",
     "mad (16|M0) r60.0<1>:f r20.0<8;1>:f r30.0<8;1>:f r41.0<1>:f\n"
     "math.inv (16|M0) r70.0<1>:f r20.0<8;8,1>:f\n",
     8,
     8,
     PER_LAP,
     {.laps = 64, .threads = 7}},
    /* ---- threads ---- */
    {"busy FPUs, 1 thread of SIMD32 mads (two chains)",
     "2 x 4 / (2 x 14)",
     CHAINS2,
     2.0 / 7,
     2.0 / 7,
     FPU_SHARE,
     {.laps = 64, .threads = 1}},
    {"busy FPUs, 2 threads",
     "4 x 4 / (2 x 14)",
     CHAINS2,
     4.0 / 7,
     4.0 / 7,
     FPU_SHARE,
     {.laps = 64, .threads = 2}},
    {"busy FPUs, 3 threads",
     "6 x 4 / (2 x 14)",
     CHAINS2,
     6.0 / 7,
     6.0 / 7,
     FPU_SHARE,
     {.laps = 64, .threads = 3}},
    {"busy FPUs, 4 threads",
     "all",
     CHAINS2,
     1,
     1,
     FPU_SHARE,
     {.laps = 64, .threads = 4}},
    {"busy FPUs, 7 threads",
     "all",
     CHAINS2,
     1,
     1,
     FPU_SHARE,
     {.laps = 64, .threads = 7}},
    /* ---- start of a launch ---- */
    {"first issue of a launch",
     "`disp.start_latency` + 1 + `icache.miss` + 1",
     "nop\n",
     119,
     119,
     FIRST_ISSUE,
     {.laps = 64, .threads = 1}},
    {"the last of 168 threads is opened",
     "`disp.start_latency` + 167 x `disp.interval`",
     "nop\n",
     374,
     374,
     LAST_OPEN,
     {.laps = 400, .threads = SLOTS, .subslices = 3, .eus = EUS}},
};
enum { RULES = sizeof(rules) / sizeof(rules[0]) };

static uint32_t most_at_once(const struct rates_seen *s)
{
    uint32_t best = 0, now = 0;
    uint64_t cycle = UINT64_MAX;

    for (uint32_t i = 0; i < s->count; i++) {
        if (s->event[i].kind != EV_ISSUE)
            continue;
        now = s->event[i].cycle == cycle ? now + 1 : 1;
        cycle = s->event[i].cycle;
        best = now > best ? now : best;
    }
    return best;
}

static double first_or_last(const struct rates_seen *s, enum event_kind kind, bool last)
{
    uint64_t cycle = UINT64_MAX;

    for (uint32_t i = 0; i < s->count; i++) {
        if (s->event[i].kind == kind && (last || cycle == UINT64_MAX))
            cycle = s->event[i].cycle;
    }
    assert_true(cycle != UINT64_MAX);
    return (double)cycle;
}

static double measure(const struct rates_seen *s, const struct rule *r, uint32_t count)
{
    uint32_t period = count * r->run.threads;

    switch (r->what) {
    case PER_LAP:
        return rates_cycles_per(s, EV_ISSUE, period) * count;
    case ALL_LAPS:
        return rates_cycles_per(s, EV_ISSUE, period) * period;
    case PER_MSG:
        return rates_cycles_per(s, EV_MSG, period);
    case AT_ONCE:
        return most_at_once(s);
    case FIRST_ISSUE:
        return first_or_last(s, EV_ISSUE, false);
    case LAST_OPEN:
        return first_or_last(s, EV_OPEN, true);
    case FPU_SHARE:
        return 4 / (2 * rates_cycles_per(s, EV_ISSUE, period));
    default:
        return rates_cycles_per(s, EV_ISSUE, period);
    }
}

static void print_rule(FILE *out, const struct rates_code *c, const struct rule *r,
                       struct rates_piece piece)
{
    struct rates_run run = r->run;
    struct rates_seen seen[RATES_SIDES];
    char a[32], b[32];

    run.piece = piece;
    rates_run(c, &run, seen);
    (void)fprintf(out, "| %s | %s | %s", r->name, r->form, rates_number(r->low, a));
    if (r->high > r->low)
        (void)fprintf(out, " to %s", rates_number(r->high, b));
    for (unsigned i = 0; i < RATES_SIDES; i++) {
        double value = measure(&seen[i], r, piece.count);

        (void)fprintf(out, " | %s", rates_number(value, a));
        rates_check(r->name, value, r->low, r->high);
    }
    rates_seen_free(seen);
}

void rates_print_rules(FILE *out)
{
    struct rates_piece piece[RULES];
    struct rates_code c;

    rates_code_init(&c);
    for (unsigned i = 0; i < RULES; i++)
        piece[i] = rates_code_add(&c, rules[i].text);
    rates_code_finish(&c);
    (void)fputs("### Rules\n\n| what | closed form | expected | reference | RTL |\n"
                "|---|---|---|---|---|\n",
                out);
    for (unsigned i = 0; i < RULES; i++) {
        print_rule(out, &c, &rules[i], piece[i]);
        (void)fputs(" |\n", out);
    }
    (void)fputs("\n", out);
    rates_code_free(&c);
}
