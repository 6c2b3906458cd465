/* responder.h - a memory side for random cases: obeys docs/contract/model.md section 6,
 * and answers at random, deterministic times. Its answers do not depend on the
 * windows in which it is asked. */
#ifndef RESPONDER_H
#define RESPONDER_H
#include <stdbool.h>
#include <stdint.h>

#include "igpu/host.h"
#include "random_trace.h"

/* Messages of a tile that wait: 64 credits and a barrier message a thread. */
enum { RESP_WAITING = 64 + HOST_EUS * HOST_SLOTS, RESP_BARRIERS = 16 };

struct resp_answer {
    uint64_t wish;  /* the earliest cycle */
    uint64_t order; /* of the message */
    struct host_done done;
};

struct resp_group {
    uint32_t live; /* threads that have not ended */
    uint32_t arrived;
    uint64_t latest; /* cycle of the last arrival or end */
    struct host_msg arrival[HOST_EUS * HOST_SLOTS];
};

struct resp_tile {
    uint64_t next; /* no DONE before this cycle: one a cycle */
    uint32_t waiting;
    struct resp_answer answer[RESP_WAITING];
    struct resp_group group[RESP_BARRIERS];
};

struct responder {
    struct rt_memory memory;
    uint64_t seed, order;
    uint64_t last; /* cycle of the last DONE taken */
    struct resp_tile tile[HOST_MAX_TILES];
};

void resp_init(struct responder *r, const struct rt_case *c);
/* A message of the instruction *uop; `bslot`: its thread's barrier slot. False:
 * there are more messages than the contract allows. */
bool resp_message(struct responder *r, const struct host_msg *msg,
                  const struct uop *uop, uint8_t bslot);
/* A group of `threads` threads took barrier slot bslot; one of its threads ended. */
void resp_group_begin(struct responder *r, unsigned tile, uint8_t bslot,
                      uint32_t threads);
void resp_thread_end(struct responder *r, unsigned tile, uint8_t bslot, uint64_t cycle);
/* The tile's next DONE with a cycle below `before`, in ascending cycles. */
bool resp_take(struct responder *r, unsigned tile, uint64_t before,
               struct host_done *done);
bool resp_idle(const struct responder *r);
#endif
