/* frame_print.c - what a frame file holds, for people. */
#include "frame_int.h"

#include <inttypes.h>

static void print_head(const struct frame_info *info, FILE *out)
{
    fprintf(out, "command   %s\n", info->command);
    fprintf(out, "device    %s (PCI id 0x%04x)\n", info->device, (unsigned)info->pci);
    fprintf(out, "driver    Mesa %s\n", info->driver);
    if (info->state)
        fprintf(out, "frames    %u to %u of a longer capture, numbered from 1\n",
                (unsigned)info->first, (unsigned)info->last);
    else if (info->first == 0)
        fprintf(out, "frames    all asked for\n");
    else
        fprintf(out, "frames    %u to %u asked for\n", (unsigned)info->first,
                (unsigned)info->last);
    fprintf(out, "executed  %s\n",
            info->executed ? "while it was captured" : "not while it was captured");
}

static void print_totals(const struct frame_counts *c, FILE *out)
{
    fprintf(out,
            "total     %" PRIu64 " frames, %" PRIu64 " batches, %" PRIu64
            " pages written, %" PRIu64 " of them different, %" PRIu64
            " bytes unpacked\n",
            c->frames, c->batches, c->changes, c->pages, c->bytes);
}

enum igpu_status frame_print_info(struct frame_reader *r, FILE *out,
                                  struct igpu_err *err)
{
    const struct frame_counts *now = frame_get_counts(r);
    struct frame_counts before = {0};
    struct frame_record record = {.kind = FRAME_KIND_INFO};
    enum igpu_status status = IGPU_OK;

    print_head(frame_get_info(r), out);
    while (status == IGPU_OK && record.kind != FRAME_KIND_END) {
        status = frame_next(r, &record, err);
        if (status != IGPU_OK || record.kind != FRAME_KIND_SHOWN)
            continue;
        fprintf(out,
                "frame %-3" PRIu64 " %" PRIu64 " batches, %" PRIu64
                " pages written, %" PRIu64 " new\n",
                now->frames, now->batches - before.batches,
                now->changes - before.changes, now->pages - before.pages);
        before = *now;
    }
    if (status == IGPU_OK && now->batches > before.batches)
        fprintf(out, "behind    %" PRIu64 " batches that no picture shows\n",
                now->batches - before.batches);
    if (status == IGPU_OK)
        print_totals(now, out);
    return status;
}

static void print_batch(const struct frame_batch *b, uint64_t number, FILE *out)
{
    fprintf(out,
            "batch %" PRIu64 " context %u engine %s at 0x%" PRIx64 " bytes %" PRIu64
            "\n",
            number, (unsigned)b->context, b->engine == 0 ? "render" : "blitter",
            b->start, b->bytes);
    for (uint32_t i = 0; i < b->count; i++)
        fprintf(out, "  buffer %u at 0x%" PRIx64 " bytes %" PRIu64 "\n",
                (unsigned)b->buffer[i].id, b->buffer[i].va, b->buffer[i].bytes);
    for (uint32_t i = 0; i < b->changes; i++) {
        const struct frame_change *c = &b->change[i];

        fprintf(out, "  write 0x%" PRIx64 " page %u\n",
                b->buffer[c->index].va + (uint64_t)c->page * FRAME_PAGE_BYTES,
                (unsigned)c->content);
    }
}

enum igpu_status frame_print_dump(struct frame_reader *r, FILE *out,
                                  struct igpu_err *err)
{
    const struct frame_counts *now = frame_get_counts(r);
    struct frame_record record = {.kind = FRAME_KIND_INFO};
    enum igpu_status status = IGPU_OK;

    print_head(frame_get_info(r), out);
    while (status == IGPU_OK && record.kind != FRAME_KIND_END) {
        status = frame_next(r, &record, err);
        if (status != IGPU_OK)
            break;
        if (record.kind == FRAME_KIND_BATCH)
            print_batch(&record.batch, now->batches, out);
        else if (record.kind == FRAME_KIND_DROP)
            fprintf(out, "drop buffer %u\n", (unsigned)record.id);
        else if (record.kind == FRAME_KIND_STATE)
            fprintf(out, "state of %zu bytes\n", record.state_bytes);
        else if (record.kind == FRAME_KIND_SHOWN)
            fprintf(out, "frame %" PRIu64 " ends\n", now->frames);
    }
    if (status == IGPU_OK)
        print_totals(now, out);
    return status;
}
