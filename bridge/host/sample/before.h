/* before.h - the caches that a launch finds, from what the trace has of the launches
 * before it (docs/guide/sampling.md, section 5). */
#ifndef IGPU_SAMPLE_BEFORE_H
#define IGPU_SAMPLE_BEFORE_H
#include "bridge/host/sample/machine.h"

struct before;

/* For any number of launches of *m's trace and configuration; *m stays open. NULL and
 * *err: memory is short. */
struct before *before_new(const struct machine *m, struct igpu_err *err);
void before_free(struct before *b); /* NULL is allowed */

/* Make *m a new machine that begins with `launch`: L3, TLB, LLC and eDRAM hold what the
 * launches first..launch - 1 leave there. They are read, the last one first, until
 * their lines fill the caches or as many launches again bring hardly any new ones. With
 * first == launch the caches are empty. */
enum igpu_status before_launch(struct before *b, struct machine *m, uint32_t first,
                               uint32_t launch, struct igpu_err *err);
#endif
