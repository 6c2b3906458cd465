/* trace_frame.h - sections of a trace file: framing, compression, checksums, and the
 * protobuf messages in them. Internal to traces/trace_*.c. */
#ifndef IGPU_TRACE_FRAME_H
#define IGPU_TRACE_FRAME_H
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>

#include "igpu/err.h"
#include "traces/format/trace_bytes.h"

enum {
    TRACE_MAGIC_BYTES = 8, /* of which 6 fixed, major, minor */
    TRACE_TRAILER_BYTES = 16,
    TRACE_MAX_SECTION = 16 << 20, /* raw bytes of any section */
    TRACE_MAX_THREADS_SECTION = 4 << 20,
    TRACE_MAX_FRAME = TRACE_MAX_SECTION + 64 /* bytes of a frame; zstd is given up
                                                where it does not shrink */
};

/* What a section is: the numbers of SectionKind in the .proto. */
enum trace_kind {
    TRACE_KIND_HEADER = 1,
    TRACE_KIND_KERNEL = 2,
    TRACE_KIND_LAUNCH = 3,
    TRACE_KIND_THREADS = 4,
    TRACE_KIND_FOOTER = 5,
    TRACE_KIND_VALUES = 6,
    TRACE_KIND_ABI = 7, /* this and the next two: of launch files */
    TRACE_KIND_MEMORY = 8,
    TRACE_KIND_INPUTS = 9
};

extern const uint8_t trace_magic[6];
extern const uint8_t trace_end_magic[4];

struct trace_section {
    uint64_t offset; /* of its length in the file */
    uint32_t kind, raw_size, checksum;
};

/* ---- output ------------------------------------------------------------- */

struct trace_out {
    FILE *file;
    char *path; /* the temporary file; owned by the caller */
    uint64_t offset;
    struct ZSTD_CCtx_s *zstd;
    bool dense; /* the last section of threads hardly became smaller */
    struct trace_crc crc;
    struct trace_bytes raw, packed, frame; /* work space */
};

/* Compress *message and append it as a section of `kind`; what the index needs goes
 * to *section. IGPU_BAD_INPUT: over TRACE_MAX_SECTION, the disk is full, or memory
 * is short. */
enum igpu_status trace_out_section(struct trace_out *out, enum trace_kind kind,
                                   const ProtobufCMessage *message,
                                   struct trace_section *section, struct igpu_err *err);
/* The same of a message that is packed already, in out->raw. */
enum igpu_status trace_out_packed(struct trace_out *out, enum trace_kind kind,
                                  struct trace_section *section, struct igpu_err *err);
enum igpu_status trace_out_bytes(struct trace_out *out, const void *data, size_t size,
                                 struct igpu_err *err);
void trace_out_free(struct trace_out *out); /* not path, not file */

/* ---- input -------------------------------------------------------------- */

struct trace_in {
    int fd;
    const char *path; /* for errors; the caller's */
    uint64_t bytes;   /* of the file */
    struct ZSTD_DCtx_s *zstd;
    struct trace_crc crc;
    struct trace_bytes frame; /* work space */
};

/* Read exactly `size` bytes at offset. IGPU_BAD_INPUT when the file has fewer. */
enum igpu_status trace_in_bytes(struct trace_in *in, uint64_t offset, void *data,
                                size_t size, struct igpu_err *err);

/* Read the section at `offset`: kind, sizes and checksum to *section, the checked raw
 * message to *raw (replaced; NULL: check only). *next, if not NULL, gets the offset
 * behind it. Nothing is allocated before its size has been checked against `limit`
 * (raw bytes) and what is left of the file. */
enum igpu_status trace_in_section(struct trace_in *in, uint64_t offset, uint32_t limit,
                                  struct trace_section *section,
                                  struct trace_bytes *raw, uint64_t *next,
                                  struct igpu_err *err);

/* An allocator for protobuf-c with a limit on all it gives. */
struct trace_budget {
    ProtobufCAllocator allocator;
    size_t left;
};

/* A limit that any honest message of raw_size bytes keeps. */
void trace_budget_init(struct trace_budget *budget, size_t raw_size);

/* "PATH: section at offset N: " + text, as IGPU_BAD_INPUT. */
enum igpu_status trace_in_bad(const struct trace_in *in, uint64_t offset,
                              const char *what, struct igpu_err *err);

#endif
