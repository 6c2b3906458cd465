/* dram_file.c - see dram_file.h. */
#include "bridge/programs/cli/dram_file.h"

#include <inttypes.h>

static void write_command(void *ctx, const struct dram_issue *issue)
{
    static const char *const names[] = {"ACT", "PRE", "RD", "WR", "REF"};
    const struct dram_file *f = ctx;

    fprintf(f->out.file,
            "%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu64 "\n",
            issue->clock, issue->channel, issue->bank / f->banks_per_rank,
            issue->bank % f->banks_per_rank, names[issue->command], issue->row);
}

enum igpu_status dram_file_open(struct dram_file *f, const char *path,
                                const struct igpu_config *config,
                                struct sim_options *options, struct igpu_err *err)
{
    enum igpu_status status = igpu_output_open(&f->out, path, err);

    if (status != IGPU_OK)
        return status;
    f->banks_per_rank = (uint32_t)(config->dram_groups * config->dram_banks);
    fputs("clock,channel,rank,bank,command,row\n", f->out.file);
    options->dram = write_command;
    options->dram_ctx = f;
    return IGPU_OK;
}

enum igpu_status dram_file_close(struct dram_file *f, struct igpu_err *err)
{
    return f->out.file != NULL ? igpu_output_close(&f->out, err) : IGPU_OK;
}
