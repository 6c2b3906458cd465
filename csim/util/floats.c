/* floats.c - see igpu/floats.h. */
#include "igpu/floats.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

/* Nothing but flags of exceptions differs: SSE computes, and the x87's rounding is what
 * the C library looks at when it prints. */
static bool is_default(unsigned status)
{
    return (status & ~(unsigned)_MM_EXCEPT_MASK) == _MM_MASK_MASK &&
           fegetround() == FE_TONEAREST;
}

void igpu_floats_begin(struct igpu_floats *f)
{
    f->status = _mm_getcsr();
    f->kept = !is_default(f->status);
    if (!f->kept)
        return;
    (void)fegetenv(&f->own);
    (void)fesetenv(FE_DFL_ENV);
}

void igpu_floats_end(const struct igpu_floats *f)
{
    if (f->kept)
        (void)fesetenv(&f->own);
    else
        _mm_setcsr(f->status);
}

#else

void igpu_floats_begin(struct igpu_floats *f)
{
    *f = (struct igpu_floats){.kept = true};
    (void)fegetenv(&f->own);
    (void)fesetenv(FE_DFL_ENV);
}

void igpu_floats_end(const struct igpu_floats *f)
{
    (void)fesetenv(&f->own);
}

#endif
