/* tex_srgb.c - see tex.h. In double precision: what is rounded once does not depend on
 * the host's powf(). */
#include <math.h>

#include "csim/tex/tex.h"

float tex_from_srgb(float value)
{
    double c = (double)value;

    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

float tex_to_srgb(float value)
{
    double c = (double)value;

    if (!(c > 0))
        return 0;
    c = c > 1 ? 1 : c;
    return (float)(c < 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055);
}
