// engine_rtl_wave.cpp - the shim around the classes that can write waves.
#define IGPU_RTL_WAVE
#include "bridge/engines/rtl/engine_rtl.cpp"
