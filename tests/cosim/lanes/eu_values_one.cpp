// eu_values_one.cpp - eu_values.h with one lane of the FPU and one copy of the
// registers.
#include "Vigpu_eu_values_one.h"
#define EU_VALUES_CLASS Vigpu_eu_values_one
#include "bridge/engines/rtl/eu_values.cpp"
