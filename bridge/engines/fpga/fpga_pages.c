/* fpga_pages.c - a kernel that is larger than the board's instruction store
 * (docs/develop/fpga.md, Pages). The store is written only while the board has said
 * that time is held and nothing moves. From the issues that it reports follows which
 * pages are in use. */
#include <stdlib.h>

#include "bridge/engines/fpga/fpga_state.h"
#include "bridge/engines/rtl/rtl_ranges.h"
#include "bridge/engines/rtl/rtl_regs.h"

enum {
    PAGE = 4,              /* instructions */
    WARM = 8,              /* pages that are written with one that is needed */
    READ_CYCLES = 3,       /* an answer's instruction is read from the store before */
    MOST = 1 << 17,        /* instructions of a kernel: bits of IGPU_LINK_UOP */
    SEND = IGPU_UNIT_SEND, /* unit of an issue */
    QUEUED = 71 /* messages of a tile that are sent: credits, notifications */
};

/* Instruction `index` of the kernel to place `at` of the store. */
static void put_instruction(struct fpga *f, uint32_t index, uint32_t at)
{
    const struct uop *u = &f->uops[index];
    struct rtl_ranges ranges;
    uint64_t need, ctl = rtl_uctl(u);

    (void)rtl_ranges(u, &ranges);
    need = rtl_need_word(&ranges);
    fpga_put(f, IGPU_LINK_CMD_STORE,
             FIELD(IGPU_LINK_STORE_KIND, fpga_kind(u)) |
                 FIELD(IGPU_LINK_STORE_INDEX, at));
    fpga_link_put(f->link, FIELD(IGPU_LINK_STORE_HIGH, ctl >> 32) |
                               FIELD(IGPU_LINK_STORE_SET, rtl_set_word(&ranges)));
    fpga_link_put(f->link, (uint32_t)need);
    fpga_link_put(f->link, (uint32_t)(need >> 32));
    fpga_link_put(f->link, (uint32_t)ctl);
}

/* ---- a kernel ---- */

/* Pages that are in use at most, whatever threads execute: of each its piece that is
 * not all issued, the one taken and the one that waits; of each message that is sent or
 * waits in an EU's queue. */
static uint32_t in_use(const struct fpga_build *b)
{
    uint32_t eus = b->tiles * b->eus;

    return 3 * HOST_SLOTS * eus + QUEUED * b->tiles + 5 * eus;
}

static enum igpu_status make_pages(struct fpga *f, uint32_t count, struct igpu_err *err)
{
    const struct fpga_build *b = fpga_link_build(f->link);

    if (!b->retire)
        return igpu_fail(
            err, IGPU_USAGE,
            "FPGA: kernel has %u instructions, the board's store holds %u; "
            "a larger one needs the retire stream, which it was built "
            "without",
            count, b->store);
    if (b->store / PAGE < in_use(b))
        return igpu_fail(
            err, IGPU_USAGE,
            "FPGA: kernel has %u instructions, the board's store holds %u; "
            "for parts of a kernel it needs to hold %u",
            count, b->store, PAGE * in_use(b));
    f->pages = array_pages_create(count, b->store, PAGE);
    f->spare = b->store / PAGE - in_use(b);
    return f->pages != NULL ? IGPU_OK : igpu_no_memory(err, "FPGA");
}

static void put_register(struct fpga *f, unsigned address, uint32_t value)
{
    fpga_put(f, IGPU_LINK_CMD_CFG,
             FIELD(IGPU_LINK_CFG_ADDR, address) | FIELD(IGPU_LINK_CFG_DATA, value));
}

enum igpu_status fpga_pages_load(struct fpga *f, const struct uop *uops, uint32_t count,
                                 struct igpu_err *err)
{
    uint32_t store = fpga_link_build(f->link)->store;
    enum igpu_status status = IGPU_OK;

    array_pages_destroy(f->pages);
    f->pages = NULL;
    f->read_head = f->read_tail = 0;
    f->extras = 0;
    if (count > store)
        status = make_pages(f, count, err);
    if (status == IGPU_OK)
        status =
            rtl_keep_uops(&f->uops, uops, count, f->pages != NULL ? MOST : store, err);
    if (status != IGPU_OK)
        return status;
    f->uop_count = count;
    put_register(f, IGPU_REG_RETIRE, f->calls.issue != NULL || f->pages != NULL);
    put_register(f, IGPU_REG_PAGED, f->pages != NULL);
    for (uint32_t u = 0; u < count && f->pages == NULL; u++)
        put_instruction(f, u, u);
    return IGPU_OK;
}

/* ---- promises ---- */

static void put_page(struct fpga *f, uint32_t uop, uint32_t place)
{
    uint32_t first = uop - uop % PAGE, at = place - place % PAGE;

    for (uint32_t i = 0; i < PAGE && first + i < f->uop_count; i++)
        put_instruction(f, first + i, at + i);
}

/* Write the pages behind it too, where there is room without a promise. */
static void warm(struct fpga *f, uint32_t uop)
{
    uint32_t at = uop - uop % PAGE;

    for (unsigned i = 1; i < WARM && at + i * PAGE < f->uop_count; i++) {
        uint32_t place, next = at + i * PAGE;
        bool load;

        if (array_pages_have(f->pages, next))
            continue;
        place = array_pages_promise(f->pages, next, 1, &load);
        if (place == UINT32_MAX)
            return;
        put_page(f, next, place);
        (void)array_pages_release(f->pages, next);
    }
}

bool fpga_pages_get(struct fpga *f, struct uop_run *piece, uint32_t *place)
{
    bool load;

    *place = piece->pc;
    if (f->pages == NULL || piece->len == 0)
        return true;
    if (piece->len > PAGE - piece->pc % PAGE)
        piece->len = PAGE - piece->pc % PAGE;
    if (!f->held && !array_pages_have(f->pages, piece->pc))
        return false;
    *place = array_pages_promise(f->pages, piece->pc, piece->len, &load);
    if (*place == UINT32_MAX) {
        fpga_wrong(f, "more of its store is in use than there can be");
        return false;
    }
    if (load) {
        put_page(f, piece->pc, *place);
        warm(f, piece->pc);
    }
    return true;
}

bool fpga_pages_spare(const struct fpga *f)
{
    return f->pages == NULL || f->extras < f->spare;
}

static void page_release(struct fpga *f, uint32_t uop)
{
    if (!array_pages_release(f->pages, uop))
        fpga_wrong(f, "it names an instruction that it was not given");
}

/* ---- what the board made ---- */

uint32_t fpga_pages_uop(const struct fpga *f, uint32_t place)
{
    return f->pages != NULL ? array_pages_uop(f->pages, place) : place;
}

void fpga_pages_issued(struct fpga *f, uint32_t uop, unsigned unit)
{
    /* A message's page is needed until it is sent, or answered. */
    if (f->pages != NULL && (unit != SEND || (f->uops[uop].flags & UOP_EOT)))
        page_release(f, uop);
}

void fpga_pages_sent(struct fpga *f, uint32_t uop)
{
    if (f->pages != NULL && !(f->uops[uop].flags & UOP_WB))
        page_release(f, uop);
}

uint32_t fpga_pages_done(struct fpga *f, const struct host_done *done)
{
    if (f->pages == NULL || !done->wb)
        return done->uop;
    if (f->read_tail - f->read_head == READS ||
        !array_pages_have(f->pages, done->uop)) {
        fpga_wrong(f, "a message is answered that it did not send");
        return 0;
    }
    f->read[f->read_tail++ % READS] = *done;
    return array_pages_place(f->pages, done->uop);
}

void fpga_pages_passed(struct fpga *f)
{
    for (; f->read_head != f->read_tail; f->read_head++) {
        const struct host_done *d = &f->read[f->read_head % READS];

        if (d->cycle + READ_CYCLES > f->base)
            return;
        page_release(f, d->uop);
    }
}
