/* fuzz_frame.c - the reader of captured frames. The input is the records behind the
 * file's head, not packed: they are packed here with the checksum that they need, so
 * that changes get behind it. An input that begins as a frame file does is one as it
 * is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tests/fuzzing/fuzz.h"
#include "traces/frame/frame.h"

enum { HEAD = 16, MEMORY = 16 << 20 };

static const uint8_t head[HEAD] = {'i', 'g', 'p',  'u',          'f',
                                   'r', 'm', '\n', FRAME_VERSION};

static const char *packed(const uint8_t *data, size_t size)
{
    size_t room = ZSTD_compressBound(size);
    uint8_t *file = malloc(HEAD + room);
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    const char *name;
    size_t bytes;

    fuzz_check(file != NULL && zstd != NULL, "no memory");
    memcpy(file, head, HEAD);
    (void)ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    bytes = ZSTD_compress2(zstd, file + HEAD, room, data, size);
    fuzz_check(!ZSTD_isError(bytes), "zstd");
    name = fuzz_file(file, HEAD + bytes);
    (void)ZSTD_freeCCtx(zstd);
    free(file);
    return name;
}

/* What verify passes can be followed, but for its size. */
static void follow(const char *name)
{
    struct frame_memory *m = frame_memory_new(MEMORY);
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct frame_reader *r = frame_open(name, &status, &err);
    struct frame_record record = {.kind = FRAME_KIND_INFO};

    fuzz_check(m != NULL && r != NULL, "verify passes what cannot be opened");
    while (record.kind != FRAME_KIND_END) {
        status = frame_next(r, &record, &err);
        fuzz_check(status == IGPU_OK, "verify passes what cannot be read");
        if (!fuzz_worked(frame_memory_apply(m, &record, &err), &err))
            break;
    }
    frame_close(r);
    frame_memory_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    const char *name = size >= HEAD && memcmp(data, head, 8) == 0
                           ? fuzz_file(data, size)
                           : packed(data, size);
    struct igpu_err err = {.text = ""};
    enum igpu_status status;
    struct frame_reader *r = frame_open(name, &status, &err);

    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (!fuzz_worked(status, &err))
        return 0;
    status = size % 2 ? frame_print_dump(r, nowhere, &err)
                      : frame_print_info(r, nowhere, &err);
    frame_close(r);
    if (fuzz_worked(status, &err))
        follow(name);
    return 0;
}
