// eu_values_one.cpp - eu_values.h with one lane of the FPU and one copy of the
// registers: another class of the same ports.
#include "Vigpu_eu_values_one.h"
#define VERILATED_VIGPU_EU_VALUES_H_ // in the place of that with four lanes
#define Vigpu_eu_values Vigpu_eu_values_one
#include "bridge/engines/rtl/eu_values.cpp"
