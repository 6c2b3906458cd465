/* rates_ops.c - what each FPU instruction costs, by type and width: the cycles of an
 * EU for one of seven threads' instructions, of a lone thread from one instruction to
 * the next independent one, and to one that needs its result.
 * The closed forms are written from the sources' numbers, not from params.def. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rates.h"

enum { WIDTHS = 5, THREADS = 7, GRF = 32 };
enum { W1 = 1, W4 = 2, W8 = 4, W16 = 8, W32 = 16 };
enum { BYTES4 = W1 | W4 | W8 | W16, BYTES2 = BYTES4 | W32, BYTES8 = W1 | W4 | W8 };
enum measure { BUSY, NEXT, USE, MEASURES };
enum { LOOP = 16 /* independent instructions of a loop */ };
static const unsigned width[WIDTHS] = {1, 4, 8, 16, 32};

/* Cycles of a class: occupancy and front end for a GRF, latency by destination.
 * Source: Mesa's Gen8-10 performance model; 10 for 32 bits and DF's occupancy:
 * docs/contract/model.md section 5.4, paper 1. */
struct klass {
    unsigned occ, fe, lat, lat_acc, lat_flag;
    unsigned units; /* FPUs that take it */
};
static const struct klass alu32 = {2, 2, 10, 4, 12, 2}, alu64 = {4, 4, 12, 8, 16, 2},
                          df = {2, 2, 12, 8, 16, 1}, math = {4, 4, 16, 0, 0, 1},
                          math2 = {8, 4, 24, 0, 0, 1}, idiv = {26, 2, 28, 0, 0, 1},
                          dot = {2, 2, 12, 0, 0, 2}, lrp = {4, 4, 12, 0, 0, 2};

enum kind { TO_GRF, TO_ACC, TO_FLAG };

/* In `form`, $w is the width, $d and $s the registers of destination and first source,
 * $f the flag, $p "(f0.0)" in chains, $r, $3 and $2 regions. */
struct op {
    const char *name, *form;
    const struct klass *klass;
    unsigned bytes, dst_bytes; /* of an element: executed, stored */
    unsigned widths;
    enum kind kind;
    bool conflict; /* two sources in one bank */
};

#define ONE(op, t) #op " ($w|M0) r$d.0<1>:" t " r$s.0$r:" t "\n"
#define TWO(op, t) #op " ($w|M0) r$d.0<1>:" t " r$s.0$r:" t " r30.0$r:" t "\n"
#define THREE(op, t)                                                                   \
#op " ($w|M0) r$d.0<1>:" t " r$s.0$3:" t " r30.0$3:" t " r41.0$2:" t "\n"
#define CONFLICT(op, t)                                                                \
#op " ($w|M0) r$d.0<1>:" t " r$s.0$3:" t " r30.0$3:" t " r40.0$2:" t "\n"
#define CONVERT(to, from) "mov ($w|M0) r$d.0<1>:" to " r$s.0$r:" from "\n"
#define COMPARE(t) "$pcmp ($w|M0) (lt)$f null<1>:" t " r20.0$r:" t " r30.0$r:" t "\n"
#define MATH1(f, t) "math." #f " ($w|M0) r$d.0<1>:" t " r$s.0$r:" t "\n"
#define MATH2(f, t) "math." #f " ($w|M0) r$d.0<1>:" t " r$s.0$r:" t " r30.0$r:" t "\n"

static const struct op ops[] = {
    {"add f", TWO(add, "f"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"mul f", TWO(mul, "f"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"mad f", THREE(mad, "f"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"mad f, sources in one bank", CONFLICT(mad, "f"), &alu32, 4, 4, W8 | W16, TO_GRF,
     true},
    {"mac f to acc0", "mac ($w|M0) acc0.0<1>:f r20.0$r:f r30.0$r:f\n", &alu32, 4, 4,
     W8 | W16, TO_ACC, false},
    {"cmp f to a flag", COMPARE("f"), &alu32, 4, 0, BYTES4, TO_FLAG, false},
    {"cmp f to GRF and flag", "cmp ($w|M0) (lt)$f r$d.0<1>:f r$s.0$r:f r30.0$r:f\n",
     &alu32, 4, 4, W8 | W16, TO_FLAG, false},
    {"sel f", "(f0.0) sel ($w|M0) r$d.0<1>:f r$s.0$r:f r30.0$r:f\n", &alu32, 4, 4,
     BYTES4, TO_GRF, false},
    {"sel f as minimum", "sel ($w|M0) (lt)f0.0 r$d.0<1>:f r$s.0$r:f r30.0$r:f\n",
     &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"csel f", "csel ($w|M0) (gt)f0.0 r$d.0<1>:f r$s.0$3:f r30.0$3:f r41.0$2:f\n",
     &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mov f", ONE(mov, "f"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"frc f", ONE(frc, "f"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"rndd f", ONE(rndd, "f"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"rnde f", ONE(rnde, "f"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"rndz f", ONE(rndz, "f"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"add d", TWO(add, "d"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"avg d", TWO(avg, "d"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"and ud", TWO(and, "ud"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"xor ud", TWO(xor, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"not ud", ONE(not, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"shl ud", TWO(shl, "ud"), &alu32, 4, 4, BYTES4, TO_GRF, false},
    {"asr d", TWO(asr, "d"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"cmp d to a flag", COMPARE("d"), &alu32, 4, 0, W8 | W16, TO_FLAG, false},
    {"bfe ud", THREE(bfe, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"bfi2 ud", THREE(bfi2, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"bfi1 ud", TWO(bfi1, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"bfrev ud", ONE(bfrev, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"cbit ud", ONE(cbit, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"fbh ud", ONE(fbh, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"fbl ud", ONE(fbl, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"lzd ud", ONE(lzd, "ud"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mul d by w", "mul ($w|M0) r$d.0<1>:d r$s.0$r:d r30.0$r:w\n", &alu32, 4, 4, BYTES4,
     TO_GRF, false},
    {"mul d by d", TWO(mul, "d"), &alu64, 4, 4, BYTES4, TO_GRF, false},
    {"mul ud by ud", TWO(mul, "ud"), &alu64, 4, 4, W8 | W16, TO_GRF, false},
    {"add w", TWO(add, "w"), &alu32, 2, 2, BYTES2, TO_GRF, false},
    {"mul w", TWO(mul, "w"), &alu32, 2, 2, W8 | W16 | W32, TO_GRF, false},
    {"shl uw", TWO(shl, "uw"), &alu32, 2, 2, W8 | W16 | W32, TO_GRF, false},
    {"add b", TWO(add, "b"), &alu32, 2, 1, W8 | W16 | W32, TO_GRF, false},
    {"mov ub", ONE(mov, "ub"), &alu32, 2, 1, W8 | W16 | W32, TO_GRF, false},
    {"add hf", TWO(add, "hf"), &alu32, 2, 2, BYTES4, TO_GRF, false},
    {"mul hf", TWO(mul, "hf"), &alu32, 2, 2, BYTES4, TO_GRF, false},
    {"mad hf", THREE(mad, "hf"), &alu32, 2, 2, BYTES4, TO_GRF, false},
    {"mad hf, sources in one bank", CONFLICT(mad, "hf"), &alu32, 2, 2, W8 | W16, TO_GRF,
     true},
    {"cmp hf to a flag", COMPARE("hf"), &alu32, 2, 0, W8 | W16, TO_FLAG, false},
    {"mov hf", ONE(mov, "hf"), &alu32, 2, 2, W8 | W16, TO_GRF, false},
    {"mov f from hf", CONVERT("f", "hf"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mov hf from f", CONVERT("hf", "f"), &alu32, 4, 2, W8 | W16, TO_GRF, false},
    {"mov f from d", CONVERT("f", "d"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mov d from f", CONVERT("d", "f"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mov d from w", CONVERT("d", "w"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"mov w from d", CONVERT("w", "d"), &alu32, 4, 2, W8 | W16, TO_GRF, false},
    {"mov ub from d", CONVERT("ub", "d"), &alu32, 4, 1, W8 | W16, TO_GRF, false},
    {"mov f from w", CONVERT("f", "w"), &alu32, 4, 4, W8 | W16, TO_GRF, false},
    {"add df", TWO(add, "df"), &df, 8, 8, BYTES8, TO_GRF, false},
    {"mul df", TWO(mul, "df"), &df, 8, 8, BYTES8, TO_GRF, false},
    {"mad df", THREE(mad, "df"), &df, 8, 8, BYTES8, TO_GRF, false},
    {"cmp df to a flag", COMPARE("df"), &df, 8, 0, W4 | W8, TO_FLAG, false},
    {"mov df", ONE(mov, "df"), &df, 8, 8, W4 | W8, TO_GRF, false},
    {"mov df from f", CONVERT("df", "f"), &df, 8, 8, W4 | W8, TO_GRF, false},
    {"mov f from df", CONVERT("f", "df"), &df, 8, 4, W4 | W8, TO_GRF, false},
    {"mov df from d", CONVERT("df", "d"), &df, 8, 8, W4 | W8, TO_GRF, false},
    {"mov d from df", CONVERT("d", "df"), &df, 8, 4, W4 | W8, TO_GRF, false},
    {"add q", TWO(add, "q"), &alu64, 8, 8, BYTES8, TO_GRF, false},
    {"shl q", "shl ($w|M0) r$d.0<1>:q r$s.0$r:q 3:d\n", &alu64, 8, 8, W4 | W8, TO_GRF,
     false},
    {"cmp q to a flag", COMPARE("q"), &alu64, 8, 0, W4 | W8, TO_FLAG, false},
    {"mov q", ONE(mov, "q"), &alu64, 8, 8, W4 | W8, TO_GRF, false},
    {"mov q from d", CONVERT("q", "d"), &alu64, 8, 8, W4 | W8, TO_GRF, false},
    {"mov d from q", CONVERT("d", "q"), &alu64, 8, 4, W4 | W8, TO_GRF, false},
    {"dp2 f", TWO(dp2, "f"), &dot, 4, 4, W4 | W8 | W16, TO_GRF, false},
    {"dp3 f", TWO(dp3, "f"), &dot, 4, 4, W4 | W8 | W16, TO_GRF, false},
    {"dp4 f", TWO(dp4, "f"), &dot, 4, 4, W4 | W8 | W16, TO_GRF, false},
    {"dph f", TWO(dph, "f"), &dot, 4, 4, W4 | W8 | W16, TO_GRF, false},
    {"lrp f", THREE(lrp, "f"), &lrp, 4, 4, W8 | W16, TO_GRF, false},
    {"line f", "line ($w|M0) r$d.0<1>:f r21.0<0;1,0>:f r$s.0$r:f\n", &lrp, 4, 4,
     W8 | W16, TO_GRF, false},
    {"pln f", "pln ($w|M0) r$d.0<1>:f r21.0<0;1,0>:f r$s.0$r:f\n", &lrp, 4, 4, W8 | W16,
     TO_GRF, false},
    {"math.inv f", MATH1(inv, "f"), &math, 4, 4, BYTES4, TO_GRF, false},
    {"math.log f", MATH1(log, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.exp f", MATH1(exp, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.sqt f", MATH1(sqt, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.rsqt f", MATH1(rsqt, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.sin f", MATH1(sin, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.cos f", MATH1(cos, "f"), &math, 4, 4, W8 | W16, TO_GRF, false},
    {"math.inv hf", MATH1(inv, "hf"), &math, 2, 2, W8 | W16, TO_GRF, false},
    {"math.fdiv f", MATH2(fdiv, "f"), &math2, 4, 4, W8 | W16, TO_GRF, false},
    {"math.pow f", MATH2(pow, "f"), &math2, 4, 4, BYTES4, TO_GRF, false},
    {"math.iqot d", MATH2(iqot, "d"), &idiv, 4, 4, BYTES4, TO_GRF, false},
    {"math.irem d", MATH2(irem, "d"), &idiv, 4, 4, W8 | W16, TO_GRF, false},
    {"math.iqot ud", MATH2(iqot, "ud"), &idiv, 4, 4, W8 | W16, TO_GRF, false},
};
enum { OPS = sizeof(ops) / sizeof(ops[0]) };

/* ---- text ---- */

static const char *region(char which, unsigned w)
{
    if (which == 'r')
        return w == 1 ? "<0;1,0>" : w == 4 ? "<4;4,1>" : "<8;8,1>";
    if (which == '3')
        return w == 1 ? "<0;0>" : "<8;1>";
    return w == 1 ? "<0>" : "<1>";
}

/* Instruction number `i` of a loop; a chain's reads what the one before wrote. */
static void put_form(FILE *out, const char *form, unsigned w, unsigned i, bool chain)
{
    unsigned dst = chain ? 60 : 60 + 4 * i;

    for (; *form != '\0'; form++) {
        if (*form != '$') {
            (void)fputc(*form, out);
            continue;
        }
        switch (*++form) {
        case 'w':
            (void)fprintf(out, "%u", w);
            break;
        case 'd':
            (void)fprintf(out, "%u", dst);
            break;
        case 's':
            (void)fprintf(out, "%u", chain ? dst : 20);
            break;
        case 'f':
            (void)fprintf(out, "f%u.%u", chain ? 0 : i / 2 % 2, chain ? 0 : i % 2);
            break;
        case 'p':
            (void)fputs(chain ? "(f0.0) " : "", out);
            break;
        default:
            (void)fputs(region(*form, w), out);
            break;
        }
    }
}

static struct rates_piece add_loop(struct rates_code *c, const struct op *op,
                                   unsigned w, bool chain)
{
    struct rates_piece piece;
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    for (unsigned i = 0; i < (chain ? 1 : LOOP); i++)
        put_form(out, op->form, w, i, chain);
    assert_int_equal(fclose(out), 0);
    piece = rates_code_add(c, text);
    free(text);
    return piece;
}

/* ---- closed forms ---- */

static unsigned grfs(unsigned bytes)
{
    return bytes <= GRF ? 1 : (bytes + GRF - 1) / GRF;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static double expected(const struct op *op, unsigned w, enum measure m)
{
    const struct klass *k = op->klass;
    unsigned e = grfs(w * op->bytes), g = grfs(w * op->dst_bytes);
    double occ = e * k->occ, fe = g * k->fe + (op->conflict ? e : 0);
    double use = occ + (op->kind == TO_FLAG  ? k->lat_flag
                        : op->kind == TO_ACC ? k->lat_acc
                                             : k->lat);
    /* Results under way at once: as many as there are places for them. */
    double places = op->kind == TO_FLAG ? 4 : op->kind == TO_ACC ? 1 : LOOP;
    double busy = occ / k->units;

    fe = most(fe, 2);
    if (m == BUSY) /* one fetch a cycle */
        return most(1, busy);
    return m == USE ? most(fe, use) : most(most(fe, busy), use / places);
}

/* ---- table ---- */

struct loops {
    struct rates_piece loop, chain;
};

static double measure(const struct rates_seen *s, enum measure m)
{
    return rates_cycles_per(s, EV_ISSUE,
                            m == BUSY   ? THREADS * LOOP
                            : m == NEXT ? LOOP
                                        : 1);
}

/* The numbers of one op and measure, by width: what is expected, and what the two
 * engines give. */
static void measure_op(const struct rates_code *c, const struct op *op,
                       const struct loops loops[WIDTHS], enum measure m,
                       char text[1 + RATES_SIDES][128])
{
    memset(text, 0, (1 + RATES_SIDES) * sizeof(text[0]));
    for (unsigned i = 0; i < WIDTHS; i++) {
        struct rates_run run = {.piece = m == USE ? loops[i].chain : loops[i].loop,
                                .laps = m == USE ? 40 : 8,
                                .threads = m == BUSY ? THREADS : 1};
        struct rates_seen seen[RATES_SIDES];
        double want = expected(op, width[i], m);
        char number[32], name[96];

        if (!(op->widths >> i & 1))
            continue;
        rates_run(c, &run, seen);
        for (unsigned n = 0; n < 1 + RATES_SIDES; n++) {
            double value = n == 0 ? want : measure(&seen[n - 1], m);

            (void)snprintf(name, sizeof(name), "%s, SIMD%u, measure %d", op->name,
                           width[i], (int)m);
            rates_check(name, value, want, want);
            (void)strcat(strcat(text[n], text[n][0] ? " " : ""),
                         rates_number(value, number));
        }
        rates_seen_free(seen);
    }
}

static void widths_text(const struct op *op, char text[32])
{
    text[0] = '\0';
    for (unsigned i = 0; i < WIDTHS; i++) {
        char number[32];

        if (op->widths >> i & 1)
            (void)strcat(strcat(text, text[0] ? " " : ""),
                         rates_number(width[i], number));
    }
}

void rates_print_ops(FILE *out)
{
    static const char *const title[MEASURES] = {
        "Cycles of an EU for one instruction, seven threads",
        "Cycles of a lone thread from an instruction to the next, independent one",
        "Cycles of a lone thread from an instruction to one that uses its result"};
    static struct loops loops[OPS][WIDTHS];
    struct rates_code c;

    rates_code_init(&c);
    for (unsigned i = 0; i < OPS; i++) {
        for (unsigned k = 0; k < WIDTHS; k++) {
            if (!(ops[i].widths >> k & 1))
                continue;
            loops[i][k].loop = add_loop(&c, &ops[i], width[k], false);
            loops[i][k].chain = add_loop(&c, &ops[i], width[k], true);
        }
    }
    rates_code_finish(&c);
    for (unsigned m = 0; m < MEASURES; m++) {
        (void)fprintf(out,
                      "### %s\n\n| instruction | SIMD | expected | reference | RTL |\n"
                      "|---|---|---|---|---|\n",
                      title[m]);
        for (unsigned i = 0; i < OPS; i++) {
            char widths[32], text[1 + RATES_SIDES][128];

            widths_text(&ops[i], widths);
            measure_op(&c, &ops[i], loops[i], (enum measure)m, text);
            (void)fprintf(out, "| %s | %s | %s | %s | %s |\n", ops[i].name, widths,
                          text[0], text[1], text[2]);
        }
        (void)fputs("\n", out);
    }
    rates_code_free(&c);
}
