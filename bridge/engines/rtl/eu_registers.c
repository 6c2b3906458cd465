/* eu_registers.c - see eu_registers.h. */
#include "bridge/engines/rtl/eu_registers.h"

/* The bytes from register `row` of a file on; what is behind its end is nowhere. */
static void row_put(void *file, uint32_t room, uint32_t row,
                    const struct eu_values_out *o)
{
    uint8_t *to = file;

    for (uint64_t rest = o->wrote_byte; rest != 0; rest &= rest - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(rest);

        if (row * ISA_GRF_BYTES + b < room)
            to[row * ISA_GRF_BYTES + b] = o->wrote_data[b];
    }
}

static void write_arf(struct eu_registers *r, const struct eu_values_out *o)
{
    switch (o->wrote_arf) {
    case EU_ARF_ACC:
        row_put(r->acc, sizeof(r->acc), o->wrote_row, o);
        break;
    case EU_ARF_FLAG:
        row_put(&r->flag[o->wrote_row & 1], sizeof(r->flag[0]), 0, o);
        break;
    case EU_ARF_ADDR:
        row_put(r->addr, sizeof(r->addr), 0, o);
        break;
    case EU_ARF_CTRL:
        row_put(&r->ctrl, sizeof(r->ctrl), 0, o);
        break;
    default:
        break;
    }
}

void eu_registers_write(struct eu_registers *r, const struct eu_values_out *o)
{
    uint32_t *flag = &r->flag[o->wrote_freg & 1];

    if (o->wrote && o->wrote_file == EU_FILE_GRF)
        row_put(r->grf, sizeof(r->grf), o->wrote_row, o);
    else if (o->wrote)
        write_arf(r, o);
    if (o->wrote_flag)
        *flag = (*flag & ~o->wrote_fmask) | (o->wrote_fset & o->wrote_fmask);
}
