/* dataport_sample.c - what of a data port's counters lies at or behind a sample's
 * cycle: they count a message when it is handed over or begins. See dataport.h. */
#include "csim/mem/dataport.h"

/* Of what was handed over and counted, how much the port sees in cycle `now` or later.
 */
static void count_unseen(const struct dataport *port, uint64_t now, uint64_t *requests,
                         uint64_t *others)
{
    *requests = *others = 0;
    for (uint32_t i = port->in.count; i > 0; i--) {
        uint8_t at = (uint8_t)(port->in.head + i - 1);
        const struct port_record *r = &port->record[port->in.at[at]];

        if (dataport_arrival(port, &r->msg) < now)
            return;
        *(r->request ? requests : others) += 1;
    }
}

/* Lines leave at the port's rate, and SLM's banks take one cycle after the other: of
 * the message that the port began last, what is counted and lies at `now` or later. */
static void take_back_latest(const struct port_latest *l, uint64_t now,
                             struct sample_mem *sample, struct sample_port *counts)
{
    uint64_t gone = (now - l->begun) * l->rate;
    uint64_t parts = gone < l->parts ? l->parts - gone : 0;
    uint64_t cycles = gone < l->cycles ? l->cycles - gone : 0;

    if (!l->slm) {
        sample->mem_lines -= parts;
        counts->lines[l->op] -= parts;
        return;
    }
    *(l->op == MEM_READ ? &sample->slm_read_blocks : &sample->slm_write_blocks) -=
        parts;
    sample->slm_cycles -= cycles;
    sample->slm_conflict_cycles -= cycles - parts;
}

void dataport_take_back(const struct dataport *port, uint64_t now,
                        struct sample_mem *sample)
{
    uint64_t requests, others;

    count_unseen(port, now, &requests, &others);
    sample->mem_requests -= requests;
    sample->mem_others -= others;
    take_back_latest(&port->latest, now, sample, &sample->port[port->number]);
}
