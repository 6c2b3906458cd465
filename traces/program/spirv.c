/* spirv.c - see spirv.h. Source: the SPIR-V specification, 2.3 and 3. */
#include "traces/program/spirv.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAGIC = 0x07230203,
    HEADER = 5, /* words; the third is the first id that is none */
    AT_BOUND = 3,
    MOST_IDS = 1 << 24,
    BUILT_IN = 11 /* a decoration */
};

enum opcode {
    OP_NAME = 5,
    OP_LINE = 8,
    OP_EXT_INST = 12,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_COPY_MEMORY = 63,
    OP_COPY_MEMORY_SIZED = 64,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_DECORATE = 71,
    OP_VECTOR_EXTRACT_DYNAMIC = 77,
    OP_VECTOR_SHUFFLE = 79,
    OP_COMPOSITE_EXTRACT = 81,
    OP_COMPOSITE_INSERT = 82,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
    OP_LIFETIME_START = 256,
    OP_LIFETIME_STOP = 257
};

/* What is known of an id. */
struct known {
    bool built_in, constant;
    bool other;          /* a pointer that not loads alone use */
    uint32_t components; /* of a vector type */
    uint32_t pointee;    /* type, of a pointer type */
    uint32_t value;      /* of a constant */
    uint32_t vector;     /* type, of a variable that is a built-in vector */
    uint32_t base,
        index; /* of a pointer to a component: variable and which one; or 0 */
};

struct module {
    const uint32_t *word;
    size_t words;
    struct known *id; /* so many: */
    uint32_t ids;
    uint32_t next; /* id that is none yet */
    size_t loads;  /* that are to be rewritten */
    uint32_t *out;
    size_t done;
};

static uint32_t opcode(const uint32_t *w)
{
    return w[0] & 0xFFFF;
}

static uint32_t length(const uint32_t *w)
{
    return w[0] >> 16;
}

static bool is_chain(const uint32_t *w)
{
    return opcode(w) == OP_ACCESS_CHAIN || opcode(w) == OP_IN_BOUNDS_ACCESS_CHAIN ||
           opcode(w) == OP_PTR_ACCESS_CHAIN ||
           opcode(w) == OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
}

/* Id 0 is none. */
static struct known *known(const struct module *m, uint32_t id)
{
    return &m->id[id < m->ids ? id : 0];
}

/* Each instruction lies in the module whole, and is at least so long. */
static bool is_whole(const struct module *m)
{
    for (size_t at = HEADER; at < m->words; at += length(m->word + at))
        if (length(m->word + at) == 0 || length(m->word + at) > m->words - at)
            return false;
    return true;
}

/* ---- what is there ------------------------------------------------------ */

/* Result type, result, base, [element,] index: of one component of a built-in vector.
 */
static void note_chain(const struct module *m, const uint32_t *w)
{
    bool element =
        opcode(w) == OP_PTR_ACCESS_CHAIN || opcode(w) == OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
    struct known *to;

    if (length(w) != (element ? 6u : 5u) || known(m, w[3])->vector == 0)
        return;
    if (element && (!known(m, w[4])->constant || known(m, w[4])->value != 0))
        return;
    to = known(m, w[2]);
    to->base = w[3];
    to->index = w[element ? 5 : 4];
}

static void note(const struct module *m, const uint32_t *w)
{
    const uint32_t n = length(w);

    switch (opcode(w)) {
    case OP_DECORATE:
        if (n >= 4 && w[2] == BUILT_IN)
            known(m, w[1])->built_in = true;
        break;
    case OP_TYPE_VECTOR:
        if (n == 4)
            known(m, w[1])->components = w[3];
        break;
    case OP_TYPE_POINTER:
        if (n == 4)
            known(m, w[1])->pointee = w[3];
        break;
    case OP_CONSTANT:
        if (n >= 4) {
            known(m, w[2])->constant = true;
            known(m, w[2])->value = w[3];
        }
        break;
    case OP_VARIABLE:
        if (n >= 4 && known(m, w[2])->built_in &&
            known(m, known(m, w[1])->pointee)->components > 0)
            known(m, w[2])->vector = known(m, w[1])->pointee;
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
    case OP_PTR_ACCESS_CHAIN:
    case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
        note_chain(m, w);
        break;
    default:
        break;
    }
}

static bool is_load(const struct module *m, const uint32_t *w)
{
    return opcode(w) == OP_LOAD && length(w) >= 4 && known(m, w[3])->base != 0;
}

/* Words of an instruction in a function before its literals, which may look like ids.
 */
static uint32_t words_of_ids(const uint32_t *w)
{
    static const struct {
        enum opcode opcode;
        uint32_t words;
    } before[] = {{OP_LINE, 2},
                  {OP_FUNCTION, 3},
                  {OP_VARIABLE, 3},
                  {OP_LOAD, 4},
                  {OP_STORE, 3},
                  {OP_COPY_MEMORY, 3},
                  {OP_COPY_MEMORY_SIZED, 4},
                  {OP_VECTOR_SHUFFLE, 5},
                  {OP_COMPOSITE_EXTRACT, 4},
                  {OP_COMPOSITE_INSERT, 5},
                  {OP_LOOP_MERGE, 3},
                  {OP_SELECTION_MERGE, 2},
                  {OP_BRANCH_CONDITIONAL, 4},
                  {OP_SWITCH, 3},
                  {OP_LIFETIME_START, 2},
                  {OP_LIFETIME_STOP, 2}};
    uint32_t n = length(w);

    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
        if (opcode(w) == before[i].opcode && before[i].words < n)
            n = before[i].words;
    return n;
}

/* Of an instruction in a function. */
static void note_uses(struct module *m, const uint32_t *w)
{
    const uint32_t n = words_of_ids(w);

    m->loads += is_load(m, w);
    if (is_load(m, w))
        return;
    for (uint32_t i = 1; i < n; i++)
        if (known(m, w[i])->base != 0 && !(i == 2 && is_chain(w)) &&
            !(i == 4 && opcode(w) == OP_EXT_INST))
            known(m, w[i])->other = true;
}

/* ---- what it becomes ---------------------------------------------------- */

static void word_put(struct module *m, uint32_t word)
{
    m->out[m->done++] = word;
}

static void put_load(struct module *m, const uint32_t *w)
{
    const struct known *p = known(m, w[3]), *index = known(m, p->index);
    const uint32_t vector = known(m, p->base)->vector, loaded = m->next++;
    bool fixed = index->constant && index->value < known(m, vector)->components;

    word_put(m, 4u << 16 | OP_LOAD);
    word_put(m, vector);
    word_put(m, loaded);
    word_put(m, p->base);
    word_put(m, 5u << 16 | (fixed ? (uint32_t)OP_COMPOSITE_EXTRACT
                                  : (uint32_t)OP_VECTOR_EXTRACT_DYNAMIC));
    word_put(m, w[1]);
    word_put(m, w[2]);
    word_put(m, loaded);
    word_put(m, fixed ? index->value : p->index);
}

/* Is it a pointer that nobody uses any more, or its name? */
static bool is_dead(const struct module *m, const uint32_t *w)
{
    const struct known *p = NULL;

    if (is_chain(w) && length(w) >= 5)
        p = known(m, w[2]);
    else if (opcode(w) == OP_NAME && length(w) >= 2)
        p = known(m, w[1]);
    return p != NULL && p->base != 0 && !p->other;
}

static bool rewrite(struct module *m)
{
    enum { LONGEST = 9 }; /* words of put_load() */
    bool inside = false;

    m->out = malloc((m->words + LONGEST * m->loads) * sizeof(*m->out));
    if (m->out == NULL)
        return false;
    memcpy(m->out, m->word, HEADER * sizeof(*m->out));
    m->done = HEADER;
    for (size_t at = HEADER; at < m->words; at += length(m->word + at)) {
        const uint32_t *w = m->word + at;

        inside |= opcode(w) == OP_FUNCTION;
        if (inside && is_load(m, w)) {
            put_load(m, w);
        } else if (!is_dead(m, w)) {
            memcpy(m->out + m->done, w, length(w) * sizeof(*w));
            m->done += length(w);
        }
    }
    m->out[AT_BOUND] = m->next;
    return true;
}

bool spirv_mend(const void *module, size_t bytes, uint32_t **mended,
                size_t *mended_bytes)
{
    struct module m = {.words = bytes / sizeof(uint32_t)};
    uint32_t *word = malloc(bytes + 1);
    bool good = true, inside = false;

    *mended = NULL;
    *mended_bytes = 0;
    if (word == NULL)
        return false;
    memcpy(word, module, bytes);
    m.word = word;
    if (m.words > HEADER && bytes % sizeof(uint32_t) == 0 && word[0] == MAGIC &&
        word[AT_BOUND] > 0 && word[AT_BOUND] < MOST_IDS && is_whole(&m)) {
        m.ids = m.next = word[AT_BOUND];
        m.id = calloc(m.ids, sizeof(*m.id));
        good = m.id != NULL;
    }
    for (size_t at = HEADER; m.id != NULL && at < m.words; at += length(word + at))
        note(&m, word + at);
    for (size_t at = HEADER; m.id != NULL && at < m.words; at += length(word + at)) {
        inside |= opcode(word + at) == OP_FUNCTION;
        if (inside)
            note_uses(&m, word + at);
    }
    if (m.loads > 0)
        good = rewrite(&m);
    *mended = m.out;
    *mended_bytes = m.done * sizeof(uint32_t);
    free(m.id);
    free(word);
    return good;
}
