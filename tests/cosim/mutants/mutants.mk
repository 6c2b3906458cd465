# mutants.mk - what tests/cosim/mutants.py builds; included by the Makefile.
# test_array, or the virtual board, with the changed RTL in $(BUILD)/mutants/rtl and fpga as
# its shape 1x3, for tests/cosim/mutants.py.
MUTANTS := $(BUILD)/mutants
MUTANT_O := $(call obj,tests/cosim/mutants/mutant_choice.c)
# $(call mutant,CLASS): verilate and compile it from the changed sources, quickly.
define mutant
	@rm -rf $(MUTANTS)/obj && mkdir -p $(MUTANTS)/bin
	@verilator $(subst -y rtl,-y $(MUTANTS)/rtl,$(subst -Irtl,-I$(MUTANTS)/rtl,$(V_ARGS))) -Wno-fatal \
	    $(subst -y fpga,-y $(MUTANTS)/fpga,$(V_FLAGS_$(1))) --prefix V$(1) --Mdir $(MUTANTS)/obj \
	    --top-module $(V_TOP_$(1)) $(V_SRC_$(1):fpga/%=$(MUTANTS)/fpga/%) >/dev/null
	@+$(MAKE) -s -C $(MUTANTS)/obj -f V$(1).mk V$(1)__ALL.a CXX='$(CXX)' OPT= OPT_FAST=-O1 \
	    OPT_SLOW=-O0 OPT_GLOBAL=-O1 >/dev/null
endef
mutant_of = $(patsubst $(BUILD)/verilated/$(1)/%,$(MUTANTS)/obj/%,$(2))
.PHONY: mutant mutant-board
mutant: $(MUTANT_O)
	$(call mutant,array_1x3)
	@$(CXX) $(LDFLAGS_ALL) -o $(MUTANTS)/test_array \
	    $(BUILD)/obj/tests/cosim/test_array.o $(call obj,$(TEST_HELP_cosim)) $(TEST_RTL_cosim) $(MUTANT_O) \
	    $(call mutant_of,array_1x3,$(V_TEST_A)) \
	    $(call link,$(TEST_LIBS) rtl) -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS)
mutant-board: $(MUTANT_O)
	$(call mutant,fpga_1x3)
	@$(CXX) $(LDFLAGS_ALL) -o $(MUTANTS)/bin/fpga-sim $(call obj,fpga/sim/vboard.cpp) $(MUTANT_O) \
	    $(call mutant_of,fpga_1x3,$(V_FPGA_A)) $(VRT_A) $(V_LIBS)

# test_array with all mutants of rtl/eu in $(BUILD)/mutants_eu/rtl as its shape MUTANT_SHAPE,
# for tests/cosim/mutants_eu.py.
MUTANTS_EU := $(BUILD)/mutants_eu
.PHONY: mutants-eu
mutants-eu: $(call obj,tests/cosim/mutants/mutant_choice.c)
	@rm -rf $(MUTANTS_EU)/$(MUTANT_SHAPE)
	@verilator $(subst -y rtl,-y $(MUTANTS_EU)/rtl,$(subst -Irtl,-I$(MUTANTS_EU)/rtl,$(V_ARGS))) -Wno-fatal \
	    $(V_FLAGS_array_$(MUTANT_SHAPE)) --prefix Varray_$(MUTANT_SHAPE) --Mdir $(MUTANTS_EU)/$(MUTANT_SHAPE) \
	    --top-module igpu_host_array $(MUTANTS_EU)/igpu_mutants.sv $(V_SRC_array_$(MUTANT_SHAPE)) >/dev/null
	@+$(MAKE) -s -C $(MUTANTS_EU)/$(MUTANT_SHAPE) -f Varray_$(MUTANT_SHAPE).mk Varray_$(MUTANT_SHAPE)__ALL.a \
	    CXX='$(CXX)' OPT= OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 >/dev/null
	@$(CXX) $(LDFLAGS_ALL) -o $(MUTANTS_EU)/test_array_$(MUTANT_SHAPE) \
	    $(BUILD)/obj/tests/cosim/test_array.o $(call obj,$(TEST_HELP_cosim)) $(TEST_RTL_cosim) $^ \
	    $(patsubst $(BUILD)/verilated/array_$(MUTANT_SHAPE)/%,$(MUTANTS_EU)/$(MUTANT_SHAPE)/%,$(V_TEST_A)) \
	    $(call link,$(TEST_LIBS) rtl) -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS)

# The same mutants in both shells side by side (tests/rtl/igpu_eu_miter_tb.cpp).
.PHONY: mutants-eu-miter
mutants-eu-miter: $(call obj,tests/cosim/mutants/mutant_choice.c)
	@verilator --cc --exe --build -O3 -Wno-fatal $(addprefix -y $(MUTANTS_EU)/rtl/,eu lib) -y tests/rtl \
	    $(addprefix -I$(MUTANTS_EU)/rtl/,include eu lib) --Mdir $(MUTANTS_EU)/miter \
	    -o $(abspath $(MUTANTS_EU)/miter_tb) -MAKEFLAGS OPT_FAST=-O1 \
	    -CFLAGS "-I$(CURDIR) -I$(CURDIR)/csim/include" -LDFLAGS $(abspath $<) --top-module igpu_eu_miter \
	    $(MUTANTS_EU)/igpu_mutants.sv tests/rtl/igpu_eu_miter.v $(abspath tests/rtl/igpu_eu_miter_tb.cpp) >/dev/null

# test_isa, test_values and its like with all mutants of what decodes and computes
# in $(BUILD)/mutants_values/rtl, for tests/cosim/mutants_values.py.
MUTANTS_V := $(BUILD)/mutants_values
MUTANTS_V_OF := igpu_isa_stages igpu_eu_values
mutants_v_of = $(subst $(BUILD)/verilated/igpu_isa_stages/,$(MUTANTS_V)/igpu_isa_stages/,$(subst \
    $(BUILD)/verilated/igpu_eu_values/,$(MUTANTS_V)/igpu_eu_values/,$(1)))
.PHONY: mutants-values
mutants-values: $(call obj,tests/cosim/mutants/mutant_choice.c)
	@rm -rf $(addprefix $(MUTANTS_V)/,$(MUTANTS_V_OF))
	@$(foreach t,$(MUTANTS_V_OF),verilator $(subst -y rtl,-y $(MUTANTS_V)/rtl,$(subst -Irtl,-I$(MUTANTS_V)/rtl,$(V_ARGS))) \
	    -Wno-fatal $(V_FLAGS_$(t)) --prefix V$(t) --Mdir $(MUTANTS_V)/$(t) --top-module $(t) \
	    $(MUTANTS_V)/igpu_mutants.sv $(MUTANTS_V)/$(V_SRC_$(t)) >/dev/null &&) true
	@+for t in $(MUTANTS_V_OF); do $(MAKE) -s -C $(MUTANTS_V)/$$t -f V$$t.mk V$${t}__ALL.a CXX='$(CXX)' \
	    OPT= OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1 >/dev/null || exit 1; done
	@for t in test_isa test_values_forms test_values test_values_programs test_rtl_shaders; do \
	    $(CXX) $(LDFLAGS_ALL) -o $(MUTANTS_V)/$$t $(BUILD)/obj/tests/cosim/$$t.o \
	        $(call obj,$(TEST_HELP_cosim)) $(TEST_RTL_cosim) $^ $(call mutants_v_of,$(V_TEST_A)) \
	        $(call mutants_v_of,$(call link,$(TEST_LIBS) fpga rtl)) \
	        -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS) || exit 1; done
