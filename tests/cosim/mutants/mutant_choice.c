/* mutant_choice.c - which mutant of tests/cosim/mutants.py a Verilated class is: the
 * environment's IGPU_MUTANT; 0, none, without it. The RTL's copies call it by DPI. */
#include <stdlib.h>

int igpu_mutant(void);

int igpu_mutant(void)
{
    const char *number = getenv("IGPU_MUTANT");

    return number != NULL ? (int)strtol(number, NULL, 10) : 0;
}
