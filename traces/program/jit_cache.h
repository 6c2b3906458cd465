/* jit_cache.h - translations of kernels (igpu/emu.h, docs/contract/jit.md) in the cache
 * folder, beside what the compiler made. Tests: tests/bridge/test_jit_cache.sh */
#ifndef TRACES_JIT_CACHE_H
#define TRACES_JIT_CACHE_H

/* Keep them there from now on, unless the environment has IGPU_JIT_CACHE=off. The
 * library that translates is at `library`. Before the first launch. */
void jit_cache_use(const char *library);

#endif
