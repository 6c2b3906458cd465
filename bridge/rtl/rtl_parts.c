/* rtl_parts.c - see rtl_parts.h. Ports keep their values between calls; every pulse
 * ends in the call that began it. */
#include "bridge/rtl/rtl_parts.h"

/* Raise and lower a clock. */
static void edge(void (*eval)(void *), void *model, uint8_t *clk)
{
    *clk = 1;
    eval(model);
    *clk = 0;
    eval(model);
}

/* ---- EU ------------------------------------------------------------------- */

void rtl_eu_make(struct rtl_eu *eu, const struct rtl_shim *shim, void *context,
                 const char *name, void *tile, unsigned number)
{
    eu->shim = shim;
    shim->eu(context, name, &eu->p);
    *eu->p.tile = (uint64_t)(uintptr_t)tile;
    *eu->p.number = (uint8_t)number;
    rtl_eu_rst(eu);
}

void rtl_eu_rst(struct rtl_eu *eu)
{
    *eu->p.rst_n = 0;
    edge(eu->shim->eu_eval, eu->p.model, eu->p.clk);
    *eu->p.rst_n = 1;
}

void rtl_eu_store(struct rtl_eu *eu, uint32_t index, const struct uop *uop,
                  uint32_t ctl, uint8_t dur)
{
    const struct rtl_eu_ports *p = &eu->p;

    *p->store_addr = (uint16_t)index;
    *p->need_lo = uop->need[0];
    *p->need_hi = uop->need[1];
    *p->need_x = uop->need_x;
    *p->set_lo = uop->set[0];
    *p->set_hi = uop->set[1];
    *p->set_x = uop->set_x;
    *p->ctl = ctl;
    *p->dur = dur;
    edge(eu->shim->eu_eval, p->model, p->store_clk);
}

void rtl_eu_done(struct rtl_eu *eu, const struct host_done *done)
{
    *eu->p.done = 1;
    *eu->p.done_slot = done->slot;
    *eu->p.done_uop = done->uop;
}

void rtl_eu_open(struct rtl_eu *eu, unsigned slot, uint64_t run)
{
    *eu->p.open = 1;
    *eu->p.open_slot = (uint8_t)slot;
    *eu->p.open_pc = (uint32_t)run;
    *eu->p.open_len = (uint16_t)(run >> 32);
    *eu->p.open_wait = (uint8_t)(run >> 48);
}

void rtl_eu_grant(struct rtl_eu *eu)
{
    *eu->p.grant = 1;
}

/* ---- local dispatcher, send arbiter, decode --------------------------------- */

void rtl_local_make(struct rtl_local *local, const struct rtl_shim *shim, void *context,
                    const char *name, void *tile)
{
    local->shim = shim;
    shim->local(context, name, &local->p);
    *local->p.tile = (uint64_t)(uintptr_t)tile;
    *local->p.rst_n = 0;
    edge(shim->local_eval, local->p.model, local->p.clk);
    *local->p.rst_n = 1;
}

void rtl_local_config(struct rtl_local *local, uint8_t addr, uint8_t data)
{
    *local->p.cfg_we = 1;
    *local->p.cfg_addr = addr;
    *local->p.cfg_data = data & 0x7f;
    edge(local->shim->local_eval, local->p.model, local->p.clk);
    *local->p.cfg_we = 0;
}

void rtl_local_launch(struct rtl_local *local)
{
    *local->p.restart = *local->p.send_clk = 1;
    edge(local->shim->local_eval, local->p.model, local->p.clk);
    *local->p.restart = *local->p.send_clk = 0;
    local->shim->local_eval(local->p.model);
}

void rtl_local_decode(struct rtl_local *local, uint64_t uctl, uint32_t *ctl,
                      uint8_t *dur)
{
    *local->p.uctl = uctl;
    edge(local->shim->local_eval, local->p.model, local->p.uctl_load);
    *ctl = *local->p.ctl;
    *dur = *local->p.dur;
}

struct rtl_opened rtl_local_step(struct rtl_local *local,
                                 const struct host_start *start, uint8_t end,
                                 uint32_t end_slot)
{
    const struct rtl_local_ports *p = &local->p;
    struct rtl_opened opened;

    *p->start = start != NULL;
    if (start) {
        *p->start_thread = start->thread;
        *p->start_bslot = start->bslot;
    }
    *p->end = end;
    *p->end_slot = end_slot;
    edge(local->shim->local_eval, p->model, p->load);
    *p->ce = 1;
    edge(local->shim->local_eval, p->model, p->clk);
    *p->ce = 0;
    opened.valid = *p->open;
    opened.eu = *p->open_eu;
    opened.slot = *p->open_slot;
    opened.run = *p->open_run;
    return opened;
}

uint8_t rtl_local_send(struct rtl_local *local, uint8_t req, uint8_t port, bool credit)
{
    const struct rtl_local_ports *p = &local->p;

    *p->req = req;
    *p->port = port;
    *p->credit = credit;
    return local->shim->local_send(p->model);
}

/* ---- global dispatcher -------------------------------------------------------- */

void rtl_global_make(struct rtl_global *global, const struct rtl_shim *shim,
                     void *context, const char *name)
{
    global->shim = shim;
    shim->global(context, name, &global->p);
    *global->p.rst_n = 0;
    edge(shim->global_eval, global->p.model, global->p.clk);
    *global->p.rst_n = 1;
}

void rtl_global_config(struct rtl_global *global, uint8_t addr, uint8_t data)
{
    *global->p.cfg_we = 1;
    *global->p.cfg_addr = addr;
    *global->p.cfg_data = data;
    edge(global->shim->global_eval, global->p.model, global->p.clk);
    *global->p.cfg_we = 0;
}

void rtl_global_launch(struct rtl_global *global, const struct host_launch *launch)
{
    *global->p.launch = 1;
    *global->p.threads = launch->threads;
    *global->p.tpg = (uint8_t)launch->tpg;
    *global->p.pinned = launch->pinned;
    *global->p.slm_kb = launch->slm_kb;
    edge(global->shim->global_eval, global->p.model, global->p.clk);
    *global->p.launch = 0;
}

struct rtl_dispatch rtl_global_step(struct rtl_global *global, uint64_t cycle,
                                    const struct rtl_ends *ends)
{
    const struct rtl_global_ports *p = &global->p;
    struct rtl_dispatch d;

    *p->now = cycle;
    *p->end = ends->valid;
    for (unsigned i = 0; i < HOST_MAX_TILES; i++)
        *p->end_bslot[i] = ends->bslot[i];
    global->shim->global_eval(p->model);
    d.start = *p->start;
    d.thread = *p->start_thread;
    d.bslot = *p->start_bslot;
    d.over = *p->over;
    *p->ce = 1;
    *p->clk = 1;
    global->shim->global_eval(p->model);
    *p->ce = *p->clk = 0;
    *p->end = 0;
    global->shim->global_eval(p->model);
    d.next = *p->wait ? *p->next : RTL_NEVER;
    return d;
}
