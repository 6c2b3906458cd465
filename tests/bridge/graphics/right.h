/* right.h - a line for each thing that a program finds right or wrong. */
#ifndef GRAPHICS_RIGHT_H
#define GRAPHICS_RIGHT_H
#include <stdio.h>

static int wrong; /* what the program returns */

static void check(int good, const char *what)
{
    printf("%s: %s\n", what, good ? "right" : "wrong");
    wrong |= !good;
}
#endif
