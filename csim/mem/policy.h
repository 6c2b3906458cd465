/* policy.h - the policies that have names: replacement of l3.policy and llc.policy,
 * llc.prefetch (igpu/policy.h has their interfaces). Contract: docs/contract/memory.md,
 * section 9. Tests: tests/csim/test_mem_policy.c */
#ifndef MEM_POLICY_H
#define MEM_POLICY_H
#include "igpu/config.h"
#include "igpu/policy.h"

/* Of a value of l3.policy or llc.policy: named or loaded; NULL: LRU, which caches have
 * without one. */
const struct igpu_replacement *policy_replacement(uint64_t value);
/* Of a value of llc.prefetch; NULL: none. */
const struct igpu_prefetch *policy_prefetch(uint64_t value);
#endif
