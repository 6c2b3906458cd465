# verilated.mk - what is Verilated: the one list, a part of the Makefile.
# Each name in V_TOPS becomes $(BUILD)/verilated/NAME/VNAME__ALL.a with the class
# VNAME (header VNAME.h, DPI prototypes VNAME__Dpi.h).
#   V_TOP_<name>    the Verilog top module             (default: the name)
#   V_SRC_<name>    files; modules below are found by name in the folders of rtl/
#   V_FLAGS_<name>  further flags, such as --trace-fst or -GEUS=8
#   V_OPT_<name>    the compiler's optimisation level  (default: VOPT)
#   V_SLOW_<name>   ... of what runs once, at the start (default: -O1)
#   V_CXX_<name>    the compiler                       (default: CXX)
# The RTL's parts as classes, for speed (igpu_dpi_*) and for --wave (igpu_wave_*).
V_PARTS := eu local global
V_WAVE_PARTS := eu local global
V_TOPS := $(V_PARTS:%=igpu_dpi_%) $(V_WAVE_PARTS:%=igpu_wave_%) igpu_dpi_global3
$(foreach t,$(V_TOPS),$(eval V_SRC_$(t) := bridge/engines/rtl/igpu_dpi.sv))
# The global dispatcher of up to three subslices: of six, half would stand idle.
V_TOP_igpu_dpi_global3 := igpu_dpi_global
V_FLAGS_igpu_dpi_global3 := -GTILES=3
$(foreach p,$(V_WAVE_PARTS),$(eval V_TOP_igpu_wave_$(p) := igpu_dpi_$(p)) \
    $(eval V_FLAGS_igpu_wave_$(p) := --trace-fst))
# The EU pipelines in several shapes, pipelines x contexts: for ./Vigpu, and (V_TEST_TOPS)
# for tests/cosim only.
V_ARRAYS := array_flat_1x24 array_flat_2x24 array_1x24 array_3x8
V_TOPS += $(V_ARRAYS)
V_TEST_TOPS := array_flat_1x3 array_1x3 array_small
# ... and, of one context, or with many pipelines and slow to compile, for
# tests/cosim/test_shapes.sh.
V_LONG_TOPS := array_flat_1x1 array_1x1 array_3x1 array_24x1 array_6x8 array_2x24
$(foreach t,$(V_ARRAYS) $(V_TEST_TOPS) $(V_LONG_TOPS),$(eval V_TOP_$(t) := igpu_host_array) \
    $(eval V_SRC_$(t) := bridge/engines/rtl/igpu_host_array.sv))
$(foreach t,$(V_LONG_TOPS),$(eval V_SRC_$(t) += bridge/engines/rtl/igpu_host_array.vlt))
V_FLAGS_array_flat_1x1 = -GFLAT=1 $(V_FLAGS_array_1x1)
V_FLAGS_array_flat_1x3 = -GFLAT=1 $(V_FLAGS_array_1x3)
V_FLAGS_array_flat_1x24 = -GFLAT=1 $(V_FLAGS_array_1x24)
V_FLAGS_array_flat_2x24 = -GFLAT=1 $(V_FLAGS_array_2x24)
V_FLAGS_array_1x24 := -GTILES=3 -GEUS=8 -GCONTEXTS=24 -GCW=5
V_FLAGS_array_3x8 := -GTILES=3 -GEUS=8 -GCONTEXTS=8 -GCW=3
V_FLAGS_array_2x24 := -GTILES=6 -GEUS=8 -GCONTEXTS=24 -GCW=5
V_FLAGS_array_1x1 := -GTILES=1 -GEUS=1 -GCONTEXTS=1 -GCW=1
V_FLAGS_array_1x3 := -GTILES=1 -GEUS=3 -GCONTEXTS=3 -GCW=2
V_FLAGS_array_3x1 := -GTILES=1 -GEUS=3 -GCONTEXTS=1 -GCW=1
V_FLAGS_array_24x1 := -GTILES=3 -GEUS=8 -GCONTEXTS=1 -GCW=1
V_FLAGS_array_6x8 := -GTILES=6 -GEUS=8 -GCONTEXTS=8 -GCW=3
# Of these all memory and registers begin with random content: nothing may depend on it.
$(foreach t,array_1x3 $(filter-out array_flat_%,$(V_LONG_TOPS)),$(eval V_FLAGS_$(t) += --x-initial unique))
V_FLAGS_array_small := $(V_FLAGS_array_1x3) -GSTORE_DEPTH=1024 -GSTORE_AW=10
# Classes that only tests use stop where a module's contract is broken.
V_CHECKED := --assert -DIGPU_ASSERT
checked = $(if $(filter $(1),$(V_ONLY_TESTS)),$(V_CHECKED))
# The virtual board: the FPGA's top in two shapes (fpga/sim).
V_FPGA_TOPS := fpga_1x24 fpga_1x3
$(foreach t,$(V_FPGA_TOPS),$(eval V_TOP_$(t) := igpu_fpga_top) \
    $(eval V_SRC_$(t) := fpga/common/igpu_fpga_top.v))
V_FLAGS_fpga_1x24 := -y fpga/common -GSTORE_AW=14
V_FLAGS_fpga_1x3 := -y fpga/common -GSTORE_AW=10 -GTILES=1 -GEUS=3 -GCONTEXTS=3 -GCW=2
V_TEST_TOPS += igpu_isa_stages # the decoder of instructions alone
$(foreach t,igpu_isa_stages igpu_isa_uops,$(eval V_SRC_$(t) := rtl/isa/$(t).v))
# What a serial line and a bus add (fpga/sim/vboard_design.hpp).
V_FPGA_TOPS += fpga_slip fpga_window
$(foreach t,slip window,$(eval V_TOP_fpga_$(t) := igpu_link_$(t)) \
    $(eval V_SRC_fpga_$(t) := rtl/link/igpu_link_$(t).v))
# Values: one FPU's datapath; those of HOST_MAX_TILES x HOST_EUS x HOST_SLOTS threads, 1 MB of code.
V_TOPS += igpu_eu_fpu igpu_eu_values igpu_isa_uops
$(foreach t,igpu_eu_fpu igpu_eu_values,$(eval V_SRC_$(t) := rtl/eu/$(t).v))
V_FLAGS_igpu_eu_values := -GTHREADS=336 -GTW=9 -GPW=17
# The same with one lane of the FPU and one copy of the registers, for tests/cosim/test_values_lanes.sh.
V_LANE_TOPS := igpu_eu_values_one
V_TOP_igpu_eu_values_one := igpu_eu_values
V_SRC_igpu_eu_values_one := rtl/eu/igpu_eu_values.v
V_FLAGS_igpu_eu_values_one = $(V_FLAGS_igpu_eu_values) -GLANES=1 -GREADERS=1
V_ONLY_TESTS := $(V_TEST_TOPS) $(V_LONG_TOPS) $(V_LANE_TOPS) $(V_FPGA_TOPS)
V_ALL_TOPS := $(V_TOPS) $(V_ONLY_TESTS)
# What takes longest of a cold build is compiling these classes. Only the default engines'
# are worth -O3 (docs/lab/2026-11-tests.md); those of tests are compiled by clang
# where it is there, in half of g++'s time.
V_CLANG := $(if $(SAN)$(COVERAGE)$(filter-out g++,$(CXX)),,\
    $(if $(wildcard $(addsuffix /clang++,$(subst :, ,$(PATH)))),clang++))
$(foreach t,$(V_ONLY_TESTS) array_1x24 array_3x8 igpu_eu_fpu igpu_eu_values igpu_isa_uops,$(eval V_OPT_$(t) := -O1))
$(foreach t,$(V_ONLY_TESTS) igpu_eu_fpu igpu_eu_values igpu_isa_uops,$(eval V_SLOW_$(t) := -O0))
$(foreach t,$(V_ONLY_TESTS),$(eval V_CXX_$(t) := $(V_CLANG)))
