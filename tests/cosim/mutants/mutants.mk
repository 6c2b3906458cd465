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
	    $(BUILD)/obj/tests/cosim/test_array.o $(call obj,$(TEST_HELP_cosim)) $(MUTANT_O) \
	    $(call mutant_of,array_1x3,$(V_TEST_A)) \
	    $(call link,$(TEST_LIBS) rtl) -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS)
mutant-board: $(MUTANT_O)
	$(call mutant,fpga_1x3)
	@$(CXX) $(LDFLAGS_ALL) -o $(MUTANTS)/bin/fpga-sim $(call obj,fpga/sim/vboard.cpp) $(MUTANT_O) \
	    $(call mutant_of,fpga_1x3,$(V_FPGA_A)) $(VRT_A) $(V_LIBS)
