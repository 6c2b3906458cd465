/* fuzz_render.c - captured frames, executed: commands, state, shaders, textures and
 * what becomes of them. Inputs are frame files; they are changed behind their packing,
 * mostly a few words of the pages that a program wrote, so that nearly all of them pass
 * the reader and run. Prints at its end how many ran. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "bridge/programs/igpu/frame_play.h"
#include "tests/fuzzing/fuzz.h"
#include "tests/support/rng.h"

enum { HEAD = 16, RECORD = 8, PAGE = FRAME_PAGE_BYTES, MEMORY = 16 << 20 };
enum { UNPACKED = 4 << 20, MOST_PAGES = UNPACKED / PAGE, MOST_WORK = 1 << 17 };

/* ---- changing ----------------------------------------------------------- */

/* A file without its packing, and where its pages begin; a state is as many pages as it
 * fills. */
static struct {
    uint8_t file[HEAD + UNPACKED];
    size_t bytes; /* of the records */
    size_t page[MOST_PAGES];
    uint32_t pages;
} u;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);

static uint32_t word_at(size_t at)
{
    uint32_t v;

    memcpy(&v, u.file + HEAD + at, sizeof(v));
    return v;
}

static void find_pages(void)
{
    size_t at = 0;

    u.pages = 0;
    while (at + RECORD <= u.bytes && u.pages < MOST_PAGES) {
        size_t body = word_at(at + 4);

        bool state = word_at(at) == FRAME_KIND_STATE;

        for (size_t i = 0;
             (state || word_at(at) == FRAME_KIND_PAGE) && i + PAGE <= body &&
             at + RECORD + i + PAGE <= u.bytes && u.pages < MOST_PAGES;
             i += PAGE)
            u.page[u.pages++] = at + RECORD + i;
        at += RECORD + body;
    }
}

static bool unpack(const uint8_t *data, size_t size)
{
    size_t n = size < HEAD
                   ? 0
                   : ZSTD_decompress(u.file + HEAD, UNPACKED, data + HEAD, size - HEAD);

    if (size < HEAD || ZSTD_isError(n))
        return false;
    memcpy(u.file, data, HEAD);
    u.bytes = n;
    find_pages();
    return true;
}

static uint32_t random_of(uint64_t *state)
{
    return (uint32_t)(lcg_next(state) >> 33);
}

/* Of a page's words, one that is not 0 where that is soon found; command: and that may
 * begin a command or lie behind it. */
static size_t choose(uint64_t *r, bool command)
{
    size_t at = 0;

    for (uint32_t i = 0; i < 200; i++) {
        uint32_t v;

        at = u.page[random_of(r) % u.pages] + random_of(r) % (PAGE / 4) * 4;
        v = word_at(at);
        if (v == 0 ||
            (command && v >> 24 != 0x78 && v >> 24 != 0x79 && v >> 24 != 0x7B))
            continue;
        if (!command || at + 64 > u.bytes)
            return at;
        return at + random_of(r) % ((v & 0xFF) % 13 + 2) * 4;
    }
    return at;
}

static uint32_t changed(uint64_t *r, uint32_t v)
{
    static const uint32_t odd[] = {
        0,          1,          UINT32_MAX, 0x7FFFFFFF, 0x80000000,
        0x7FC00000, 0x7F800000, 0xFF800000, 0x00000001, 0x7F7FFFFF,
        0x3F800000, 0x0000FFFF, 0xFFFF0000, 0x40,
    };

    switch (random_of(r) % 8) {
    case 0:
    case 1:
    case 2:
        return v ^ 1u << random_of(r) % 32;
    case 3:
        return v ^ (random_of(r) & 0xFF) << 8 * (random_of(r) % 4);
    case 4:
        return v + random_of(r) % 17 - 8;
    case 5:
        return odd[random_of(r) % (sizeof(odd) / sizeof(odd[0]))];
    case 6:
        return word_at(choose(r, false));
    default:
        return random_of(r) << 1 ^ random_of(r);
    }
}

/* Into data[room]. 0: it is too large, and data stays as it is. */
static size_t pack(uint8_t *data, size_t room)
{
    static uint8_t packed[ZSTD_COMPRESSBOUND(UNPACKED)];
    static ZSTD_CCtx *zstd;
    size_t n;

    if (zstd == NULL)
        zstd = ZSTD_createCCtx();
    fuzz_check(zstd != NULL, "no memory");
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
    n = ZSTD_compress2(zstd, packed, sizeof(packed), u.file + HEAD, u.bytes);
    if (ZSTD_isError(n) || HEAD + n > room)
        return 0;
    memcpy(data, u.file, HEAD);
    memcpy(data + HEAD, packed, n);
    return HEAD + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    uint64_t r = seed;
    size_t n;

    if (!unpack(data, size) || u.pages == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (random_of(&r) % 32 == 0)
        u.bytes = LLVMFuzzerMutate(u.file + HEAD, u.bytes, UNPACKED);
    else
        for (uint32_t i = random_of(&r) % 3 + 1; i > 0; i--) {
            size_t at = choose(&r, random_of(&r) % 2);
            uint32_t v = changed(&r, word_at(at));

            memcpy(u.file + HEAD + at, &v, sizeof(v));
        }
    n = pack(data, max_size);
    return n > 0 ? n : size;
}

/* ---- running ------------------------------------------------------------ */

static uint64_t ran; /* files of which a batch was begun */
static bool told;

static void tell(void)
{
    fprintf(stderr, "fuzz: %llu ran\n", (unsigned long long)ran);
}

static void begin(void *ctx, uint64_t frame)
{
    (void)frame;
    *(bool *)ctx = true;
}

static enum igpu_status batch(void *ctx, struct igpu_err *err)
{
    (void)ctx;
    (void)err;
    return IGPU_OK;
}

/* The picture that `igpu frame render` would show. */
static void look(struct gfx *g)
{
    struct gfx_picture picture = {.rgba = NULL};
    struct igpu_err err = {.text = ""};
    struct gfx_map map;

    (void)gfx_get_map(g, true, &map);
    if (fuzz_worked(gfx_get_picture(g, &picture, &err), &err))
        free(picture.rgba);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool begun = false;
    const struct frame_play_hooks hooks = {
        .ctx = &begun, .begin = begin, .batch = batch};
    struct frame_player p;
    struct igpu_err err = {.text = ""};
    enum igpu_status status;

    if (!told)
        (void)atexit(tell);
    told = true;
    status = frame_player_open(&p, fuzz_file(data, size), &err);
    if (fuzz_worked(status, &err)) {
        frame_memory_free(p.memory);
        p.memory = frame_memory_new(MEMORY);
        fuzz_check(p.memory != NULL, "no memory");
        gfx_limit_work(p.gfx, MOST_WORK);
        gfx_count_overdraw(p.gfx, true);
        (void)fuzz_worked(frame_play(&p, 0, &hooks, &err), &err);
        look(p.gfx);
    }
    frame_player_close(&p);
    ran += begun;
    return 0;
}
