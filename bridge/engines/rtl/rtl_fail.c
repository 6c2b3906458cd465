/* rtl_fail.c - the end of a process whose Verilated classes threw an exception (no
 * memory, no further thread), which C cannot catch. See rtl_shim.h. */
#include <stdio.h>
#include <unistd.h>

#include "bridge/engines/rtl/rtl_shim.h"
#include "igpu/err.h"
#include "igpu/output.h"

void rtl_fail(void)
{
    igpu_output_remove_all();
    fputs("Vigpu: RTL engine: out of memory, or of threads; see ulimit -a\n", stderr);
    _exit(IGPU_NO_MEMORY);
}
