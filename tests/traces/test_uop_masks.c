/* test_uop_masks.c - the registers that an instruction needs and sets
 * (docs/contract/model.md section 5.2), read a second time out of its line of assembly,
 * for every instruction of the compiled kernels and for lines written by hand. Does not
 * find: a line that says something else than the instruction; that is
 * tests/csim/test_isa.c's.
 *
 * tests/run: timeout=600 */
#include "test_trace_util.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "igpu/isa_decode.h"
#include "tests/support/isa_material.h"
#include "traces/feed/uops.h"

enum { WORDS = 16, WORD_BYTES = 64, GRF_BYTES = 32 };

struct bits {
    uint64_t grf[2];
    unsigned x;
};

/* A line taken apart. */
struct line {
    char word[WORDS][WORD_BYTES]; /* operands, with signs */
    unsigned words;
    char op[WORD_BYTES], options[WORD_BYTES];
    unsigned lanes, first; /* (lanes|Mfirst) */
    struct bits reads, writes;
};

static void add_all(struct bits *b)
{
    b->grf[0] = b->grf[1] = UINT64_MAX;
}

static void add_bytes(struct bits *b, unsigned from, unsigned count)
{
    for (unsigned g = from / GRF_BYTES; g <= (from + count - 1) / GRF_BYTES; g++)
        if (g < 128)
            b->grf[g / 64] |= UINT64_C(1) << g % 64;
}

/* "f1.0...": the words of the flag that the line's channels are in. */
static unsigned flag_bits(const char *flag, const struct line *l)
{
    unsigned reg = (unsigned)(flag[1] - '0'), bits = 0;
    unsigned channel = 16 * (unsigned)(flag[3] - '0') + l->first;

    for (unsigned i = 0; i < l->lanes; i++)
        bits |= (channel + i) / 16 % 2 ? UOP_X_F0_1 : UOP_X_F0_0;
    return bits << 2 * reg;
}

static unsigned type_bytes(const char *operand)
{
    const char *type = strrchr(operand, ':');

    assert_non_null(type);
    type++;
    if (strcmp(type, "hf") == 0)
        return 2;
    if (strcmp(type, "df") == 0)
        return 8;
    switch (type[strlen(type) - 1]) {
    case 'b':
        return 1;
    case 'w':
        return 2;
    case 'q':
        return 8;
    default:
        return 4;
    }
}

/* Bytes of GRFs: row by row. v, w, h as in <v;w,h>. */
static void add_region(struct bits *b, const char *operand, unsigned lanes,
                       const unsigned region[3])
{
    unsigned reg = 0, sub = 0, bytes = type_bytes(operand);

    (void)sscanf(operand, "r%u.%u", &reg, &sub);
    for (unsigned i = 0; i < lanes; i++) {
        unsigned element = i / region[1] * region[0] + i % region[1] * region[2];

        add_bytes(b, reg * GRF_BYTES + (sub + element) * bytes, bytes);
    }
}

/* <v;w,h>, <v;h> and <h> of three sources, <w,h> behind an address, none. */
static void region_of(const char *operand, unsigned region[3])
{
    const char *at = strchr(operand, '<');
    unsigned v = 0, w = 1, h = 0;

    if (at != NULL && sscanf(at, "<%u;%u,%u>", &v, &w, &h) != 3) {
        w = 1;
        if (sscanf(at, "<%u;%u>", &v, &h) == 2)
            w = h == 0 ? 1 : v / h;
        else if (sscanf(at, "<%u>", &v) != 1)
            v = 0;
    }
    region[0] = v;
    region[1] = w == 0 ? 1 : w;
    region[2] = h;
}

static void add_operand(struct line *l, struct bits *b, const char *operand,
                        unsigned lanes, bool written)
{
    unsigned region[3];

    while (strchr("-~(", *operand) != NULL) /* (abs), (sat) */
        operand += *operand == '(' ? 5 : 1;
    region_of(operand, region);
    if (strncmp(operand, "r[a", 3) == 0) {
        add_all(b);
        l->reads.x |= UOP_X_ADDR;
    } else if (operand[0] == 'r' && strstr(operand, "mme") != NULL) {
        const unsigned packed[3] = {1, 1, 0};

        add_region(b, operand, lanes, packed);
        if (strstr(operand, ".nomme") == NULL)
            b->x |= UOP_X_ACC;
    } else if (operand[0] == 'r' && isdigit((unsigned char)operand[1])) {
        if (written && region[0] == 0)
            region[0] = 1;
        add_region(b, operand, lanes, region);
    } else if (strncmp(operand, "acc", 3) == 0) {
        b->x |= UOP_X_ACC;
    } else if (operand[0] == 'a' && isdigit((unsigned char)operand[1])) {
        b->x |= UOP_X_ADDR;
    } else if (operand[0] == 'f' && isdigit((unsigned char)operand[1])) {
        b->x |= type_bytes(operand) == 4 ? 3U << 2 * (unsigned)(operand[1] - '0')
                                         : 1U << (2 * (unsigned)(operand[1] - '0') +
                                                  (unsigned)(operand[3] - '0'));
    } else if (operand[0] == 'n' && isdigit((unsigned char)operand[1])) {
        b->x |= UOP_X_N0;
    } else if (strncmp(operand, "cr", 2) == 0 || strncmp(operand, "sr", 2) == 0 ||
               strncmp(operand, "ip", 2) == 0 || strncmp(operand, "tm", 2) == 0) {
        b->x |= UOP_X_CTL;
    }
}

/* ---- lines ---- */

/* "(W&~f1.0)", "(gt)f0.1", "(16|M8)" or an operand. */
static void take_word(struct line *l, const char *word, const char **flag,
                      const char **cmod)
{
    const char *f = strchr(word, 'f');

    if (sscanf(word, "(%u|M%u)", &l->lanes, &l->first) == 2)
        return;
    if (word[0] == '(' && strncmp(word, "(abs)", 5) != 0 &&
        strncmp(word, "(sat)", 5) != 0) {
        const char *end = strchr(word, ')');

        if (end[1] == 'f')
            *cmod = end + 1;
        else if (f != NULL && isdigit((unsigned char)f[1]))
            *flag = f;
    } else if (l->op[0] == '\0') {
        (void)snprintf(l->op, sizeof(l->op), "%s", word);
    } else {
        assert_true(l->words < WORDS);
        (void)snprintf(l->word[l->words++], WORD_BYTES, "%s", word);
    }
}

static bool is_op(const struct line *l, const char *list)
{
    char word[WORD_BYTES + 2];

    (void)snprintf(word, sizeof(word), " %s ", l->op);
    return strstr(list, word) != NULL;
}

static void add_send(struct line *l, struct uop *want)
{
    bool split = strcmp(l->op, "sends") == 0 || strcmp(l->op, "sendsc") == 0;
    unsigned long ex = strtoul(l->word[l->words - 2], NULL, 0);
    unsigned long desc = strtoul(l->word[l->words - 1], NULL, 0);
    const unsigned count[3] = {desc >> 20 & 31, desc >> 25 & 15, ex >> 6 & 15};

    for (unsigned i = 0; i < (split ? 3U : 2U); i++) {
        unsigned reg;

        if (count[i] != 0 && sscanf(l->word[i], "r%u", &reg) == 1)
            add_bytes(i == 0 ? &l->writes : &l->reads, reg * GRF_BYTES,
                      count[i] * GRF_BYTES);
    }
    l->writes.x = 0;
    if (strstr(l->options, "EOT") != NULL) {
        add_all(&l->reads);
        l->reads.x = 0xff;
        memset(&l->writes, 0, sizeof(l->writes));
    } else if ((ex & 15) == 3 && (desc & 7) == 4) {
        l->writes.x = UOP_X_N0;
    }
    want->rlen = (uint8_t)(l->writes.x ? 0 : count[0]);
}

/* Elements of an operand: a call stores two dwords, and branches take one distance
 * from a register, brc two. */
static unsigned elements(const struct line *l, bool written)
{
    if (is_op(l, " call "))
        return written ? 2 : 1;
    if (is_op(l, " brd brc "))
        return is_op(l, " brc ") ? 2 : 1;
    return l->lanes;
}

static void add_operands(struct line *l)
{
    bool has_dst = !is_op(l, " wait jmpi ret goto join if else endif while break cont "
                             "halt brd brc nop illegal ");

    for (unsigned i = 0; i < l->words; i++) {
        bool written = has_dst && i == 0;

        if (strchr(l->word[i], ':') == NULL)
            continue; /* a target */
        add_operand(l, written ? &l->writes : &l->reads, l->word[i],
                    elements(l, written), written);
    }
    if (is_op(l, " mac mach sada2 "))
        l->reads.x |= UOP_X_ACC;
    if (strstr(l->options, "AccWrEn") != NULL)
        l->writes.x |= UOP_X_ACC;
}

static void read_line(const char *text, struct line *l, struct uop *want)
{
    const char *flag = NULL, *cmod = NULL;
    char copy[256], *rest = copy, *options, *word;

    memset(l, 0, sizeof(*l));
    memset(want, 0, sizeof(*want));
    l->lanes = 1;
    (void)snprintf(copy, sizeof(copy), "%s", text);
    options = strchr(copy, '{');
    if (options != NULL) {
        (void)snprintf(l->options, sizeof(l->options), "%s", options);
        *options = '\0';
    }
    while ((word = strtok_r(rest, " \t", &rest)) != NULL)
        take_word(l, word, &flag, &cmod);
    if (strncmp(l->op, "send", 4) == 0)
        add_send(l, want);
    else
        add_operands(l);
    if (flag != NULL)
        l->reads.x |= flag_bits(flag, l);
    if (cmod != NULL && !is_op(l, " sel csel "))
        l->writes.x |= flag_bits(cmod, l);
    for (unsigned i = 0; i < 2; i++) {
        want->set[i] = l->writes.grf[i];
        want->need[i] = l->reads.grf[i] | l->writes.grf[i];
    }
    want->set_x = (uint8_t)l->writes.x;
    want->need_x = (uint8_t)(l->reads.x | l->writes.x);
}

static void check(const char *name, uint32_t at, const char *text,
                  const struct isa_inst *inst)
{
    struct uop u, want;
    struct line l;

    uop_from_inst(inst, NULL, &u);
    read_line(text, &l, &want);
    if (u.unit == UOP_BRANCH) { /* sets nothing */
        memset(want.set, 0, sizeof(want.set));
        want.set_x = 0;
    }
    if (memcmp(u.need, want.need, sizeof(u.need)) != 0 ||
        memcmp(u.set, want.set, sizeof(u.set)) != 0 || u.need_x != want.need_x ||
        u.set_x != want.set_x || (u.unit == UOP_SEND && u.rlen != want.rlen))
        fail_msg("%s, instruction %u: %s: needs %016llx%016llx+%02x, sets "
                 "%016llx%016llx+%02x; by its text needs %016llx%016llx+%02x, sets "
                 "%016llx%016llx+%02x",
                 name, (unsigned)at, text, (unsigned long long)u.need[1],
                 (unsigned long long)u.need[0], u.need_x, (unsigned long long)u.set[1],
                 (unsigned long long)u.set[0], u.set_x,
                 (unsigned long long)want.need[1], (unsigned long long)want.need[0],
                 want.need_x, (unsigned long long)want.set[1],
                 (unsigned long long)want.set[0], want.set_x);
}

static void visit(void *ctx, const char *kernel, uint32_t index,
                  const struct isa_inst *inst)
{
    char text[256];

    (void)ctx;
    (void)isa_disasm(inst, text, sizeof(text));
    check(kernel, index, text, inst);
}

static void masks_are_those_of_the_text_for_all_compiled_kernels(void **state)
{
    uint32_t count = material_instructions(visit, NULL);

    (void)state;
    print_message("%u instructions\n", count);
    assert_true(count > 40000);
}

/* What kernels do not have, or seldom. */
static void masks_are_those_of_lines_written_by_hand(void **state)
{
    static const char *const lines[] = {
        "(f0.0) mov (32|M0) r10.0<1>:w r20.0<16;16,1>:w",
        "(~f1.1) add (16|M0) r10.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d",
        "(f0.0) add (8|M16) r10.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d",
        "cmp (16|M16) (lt)f1.0 r10.0<1>:f r20.0<8;8,1>:f r30.3<0;1,0>:f",
        "cmp (32|M0) (eq)f0.0 null<1>:w r20.0<16;16,1>:w r30.0<16;16,1>:w",
        "mov (16|M0) r10.0<4>:b r20.0<16;16,1>:b",
        "mov (8|M0) r10.4<1>:ud r20.2<4;2,2>:ud",
        "mov (8|M0) r10.0<1>:ud r[a0.0,0]<1,0>:ud",
        "mov (8|M0) r[a0.2,64]<1>:ud r20.0<8;8,1>:ud",
        "mov (1|M0) f1.0<1>:ud r20.0<0;1,0>:ud",
        "mov (1|M0) r10.0<1>:ud f0.0<0;1,0>:ud",
        "mov (1|M0) f0.1<1>:uw r20.1<0;1,0>:uw",
        "mac (8|M0) acc0.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f",
        "mach (8|M0) r10.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d {AccWrEn}",
        "mach (8|M0) r10.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d",
        "mac (8|M0) r10.0<1>:f r20.0<8;8,1>:f r30.0<8;8,1>:f",
        "mad (16|M0) r10.0<1>:f r20.0<8;1>:f r30.0<8;1>:f r40.0<1>:f",
        "(f0.0) brd (16|M0) r20.7<0;1,0>:d",
        "(f0.0) brc (32|M0) r20.6<2;2,1>:d",
        "(f0.0) call (32|M0) r10.0<1>:d r20.6<2;2,1>:d",
        "send (8|M0) null r127 0x27 0x02000010 {EOT}",
    };
    const size_t count = sizeof(lines) / sizeof(lines[0]);
    struct isa_kernel_code code;
    char text[4096];
    size_t at = 0;

    (void)state;
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s\n", lines[i]);
    material_code(text, &code);
    assert_int_equal(code.count, count);
    for (size_t i = 0; i < count; i++)
        check("by hand", (uint32_t)i, lines[i], &code.inst[i]);
    isa_code_free(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_are_those_of_the_text_for_all_compiled_kernels),
        cmocka_unit_test(masks_are_those_of_lines_written_by_hand),
    };

    return cmocka_run_group_tests_name("uop_masks", tests, NULL, NULL);
}
