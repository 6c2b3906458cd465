/* emu_host.h - for handlers that exist twice: for any host, and for one with AVX2 and
 * FMA, chosen at run time. */
#ifndef EMU_HOST_H
#define EMU_HOST_H

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_AVX2 1
#define AVX2 __attribute__((target("avx2,fma,tune=haswell")))
#else
#define HAVE_AVX2 0
#endif
#define ANY_HOST

/* What op->run is. */
#define HANDLER(name, TARGET)                                                          \
    TARGET static void name(struct emu_thread *t, const struct emu_op *op,             \
                            uint32_t mask)

#define INLINE static inline __attribute__((always_inline))

#if HAVE_AVX2
/* Has this host what the AVX2 handlers were compiled for? */
static inline int emu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

#endif
