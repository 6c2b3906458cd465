# Vigpu's build. `make` alone lists the targets; docs/develop/developing.md explains them.
#
#   make [TARGET] [CC=gcc|clang] [CXX=g++] [OPT=-O2] [SAN=1|thread] [BUILD=build]
#
# SAN=1: AddressSanitizer and UBSan; SAN=fuzzer, with clang: the same for fuzzing;
# SAN=thread: ThreadSanitizer.
#
# Every object goes under $(BUILD). Only the default build leaves ./Vigpu and
# ./igpu in the top folder; another BUILD keeps its programs in $(BUILD)/bin.

# ---- settings ---------------------------------------------------------------
VERSION := 0.1.0
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
SAN ?=
# COVERAGE=1: the C of csim, traces and bridge counts how often its lines run (gcov).
COVERAGE ?=
SAN_BUILD_thread := build/tsan
SAN_BUILD_fuzzer := build/fuzz
BUILD ?= $(if $(SAN),$(or $(SAN_BUILD_$(SAN)),build/san),build)
OPT ?= $(if $(filter fuzzer,$(SAN)),-O1,-O2)
# Optimisation of the Verilated classes, where the simulation's time goes.
VOPT ?= $(if $(SAN),-O1,-O3)
# Where things are installed: .ci/install.mk has the other directories.
PREFIX ?= /usr/local
DESTDIR ?=
TRACE ?= traces/samples/mad_sp.pb
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory
export BUILD CC CXX
# V=1 shows the commands in full; otherwise one short line for each; -s: nothing.
V ?=
SILENT_RUN := $(findstring s,$(filter-out --%,$(firstword $(MAKEFLAGS))))
say = $(if $(V)$(SILENT_RUN),,@printf '%-9s %s\n' '$(1)' '$(2)';)

include .ci/verilated.mk

# ---- sources ----------------------------------------------------------------
# .ci/libraries.txt, the one table of libraries, programs and arrows: KIND:NAME:PLACE:USES.
comma := ,
TABLE := $(shell awk '/^(library|program) / { sub(/:.*/, ""); print $$1 ":" $$2 ":" $$3 ":" $$4 }' .ci/libraries.txt)
LIBRARIES := $(patsubst library:%,%,$(filter library:%,$(TABLE)))
# What is known of a library NAME: folder_NAME, uses_NAME, and closure_NAME: it and all
# that it uses. Each is worked out once, for every make reads this.
define LIBRARY
folder_$(1) := $(2)
uses_$(1) := $(subst $(comma), ,$(3))
closure_$(1) := $$(sort $(1) $$(foreach l,$$(uses_$(1)),$$(closure_$$l)))
endef
LIBS := $(foreach l,$(LIBRARIES),$(eval words := $$(subst :, ,$(l)))\
    $(eval $(call LIBRARY,$(word 1,$(words)),$(word 2,$(words)),$(word 3,$(words))))$(word 1,$(words)))
lib_folder = $(folder_$(1))
lib_uses = $(uses_$(1))
# $(call lib_closure,NAMES): they and all that they use.
lib_closure = $(foreach l,$(1),$(closure_$(l)))
reverse = $(if $(1),$(call reverse,$(wordlist 2,99,$(1))) $(firstword $(1)))
LIBS_DOWN := $(call reverse,$(LIBS))
# $(call archives,NAMES): their archives and those that they need, the user before the
# used, so that one pass of the linker does.
archives = $(patsubst %,$(LIB)/libigpu-%.a,$(filter-out ocloc,$(filter $(call lib_closure,$(1)),$(LIBS_DOWN))))

# Programs: a file with main() is never part of a library.
program_field = $(subst $(comma), ,$(word $(2),$(subst :, ,$(filter program:$(1):%,$(TABLE)))))
VIGPU_MAIN := $(call program_field,Vigpu,3)
IGPU_MAIN := $(call program_field,igpu,3)
IGPU_RTL_MAIN := $(call program_field,igpu-rtl,3)
PARAMS_GEN := .ci/params_gen.c
# The compile server, a program that the driver and igpu start; no other program has it.
SERVER_SRC := $(wildcard traces/ocloc/*.c)
MAINS := $(VIGPU_MAIN) $(IGPU_MAIN) $(IGPU_RTL_MAIN) $(SERVER_SRC)
# $(call lib_src,NAME): a library's sources; rtl alone has C++, the shim of Verilator.
lib_src = $(filter-out $(MAINS),$(wildcard $(call lib_folder,$(1))/*.c $(call lib_folder,$(1))/*.cpp))
# Sources that touch Verilator's generated code; all others build without it.
RTL_LIB_SRC := $(call lib_src,rtl)
V_USERS := $(shell grep -lE '__Dpi\.h|svdpi\.h|verilated' /dev/null $(filter %.c,$(RTL_LIB_SRC)))
# The OpenCL driver, which needs OpenCL headers, as the node does.
OCL_SRC := $(call lib_src,ocl)
PROTO := $(wildcard traces/format/igpu_trace.proto)
RTL_DIRS := $(patsubst %/,%,$(sort $(dir $(wildcard rtl/*.v rtl/*/*.v))))
RTL_SRC := $(sort $(wildcard rtl/*.v rtl/*/*.v))
TEST_DIRS := $(filter-out rtl lint golden,$(patsubst tests/%/,%,$(sort $(wildcard tests/*/))))

# What decides a result, for the version of the model: the two engines' sources.
MODEL_SRC = $(sort $(wildcard csim/include/igpu/*) $(wildcard csim/util/config.c csim/util/uop_cycles.c) \
    $(wildcard $(foreach l,$(1),$(call lib_folder,$(l))/*.c $(call lib_folder,$(l))/*.cpp \
    $(call lib_folder,$(l))/*.h $(call lib_folder,$(l))/*.sv)))
MODEL_REF_SRC := $(call MODEL_SRC,isa mem ff side ref power stats format feed sim)
MODEL_RTL_SRC := $(sort $(call MODEL_SRC,isa mem ff side power stats format feed sim rtl) $(RTL_SRC) $(wildcard rtl/*/*.vh))

# ---- flags ------------------------------------------------------------------
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wvla -Wundef
WARNXX := -Wall -Wextra -Wpedantic -Wshadow -Wundef
SANFLAGS := $(if $(SAN),-fno-omit-frame-pointer $(if $(filter thread,$(SAN)),-fsanitize=thread,\
                -fsanitize=address$(comma)undefined -fno-sanitize-recover=all))
SANFLAGS += $(if $(filter fuzzer,$(SAN)),-fsanitize=fuzzer-no-link)
# Lines alone are what a sanitizer's report needs; all else costs time and room.
DEBUG := $(if $(filter fuzzer thread,$(SAN)),-g1,-g)
COUNT_LINES := $(if $(COVERAGE),--coverage -fprofile-update=single)
$(addprefix $(BUILD)/obj/,csim/% traces/% bridge/%): COUNT := $(COUNT_LINES)
ifneq ($(filter fuzzer,$(SAN)),)
# Comparisons tell libFuzzer what to try, in what reads inputs; in what executes they would
# take a third of the time.
$(patsubst %,$(BUILD)/obj/csim/%/%,emu ff fpu mem power profile ref side stats tex): COUNT := -fno-sanitize-coverage=trace-cmp
endif
# Where the Verilator installation keeps its headers; asked once, when needed.
VROOT = $(eval VROOT := $$(shell verilator --getenv VERILATOR_ROOT))$(VROOT)
VROOT_INC = -isystem $(VROOT)/include -isystem $(VROOT)/include/vltstd
V_INC = $(addprefix -isystem $(BUILD)/verilated/,$(V_TOPS) $(V_TEST_TOPS) $(V_LONG_TOPS) $(V_FPGA_TOPS))
INC = -Icsim/include -I. -Irtl/include -I$(BUILD)/gen $(V_INC)
DEFS := -D_POSIX_C_SOURCE=200809L -DIGPU_VERSION='"$(VERSION)"'
# -ffp-contract=off: a fused multiply-add would change results between machines.
# -fPIC with hidden names: the OpenCL driver is a shared library of the same archives.
CFLAGS_ALL = -std=c11 $(DEBUG) $(OPT) -fPIC -fvisibility=hidden $(WARN) $(DEFS) $(INC) $(V_USER_INC) \
             -ffp-contract=off -pthread $(SANFLAGS) $(COUNT) $(CPPFLAGS) $(CFLAGS)
CXXFLAGS_ALL = -std=c++17 -g $(OPT) $(WARNXX) $(INC) $(VROOT_INC) -DVM_TRACE=1 -DVM_TRACE_FST=1 \
               -pthread $(SANFLAGS) $(COUNT) $(CPPFLAGS) $(CXXFLAGS)
LDFLAGS_ALL = -Wl,--as-needed -pthread $(SANFLAGS) $(if $(COVERAGE),--coverage) $(LDFLAGS)

obj = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
LIB := $(BUILD)/lib
VRT_A := $(if $(V_TOPS),$(BUILD)/verilated/rt/libverilated.a)
V_A := $(foreach t,$(V_TOPS),$(BUILD)/verilated/$(t)/V$(t)__ALL.a)
V_TEST_A := $(foreach t,$(V_TEST_TOPS),$(BUILD)/verilated/$(t)/V$(t)__ALL.a)

# An archive gives only the members somebody needs, and --as-needed drops the
# dynamic libraries that nobody uses: so Vigpu needs no libelf.
RT_LIBS := -lprotobuf-c -lzstd -lyaml -lm
REC_LIBS := -ldw -lelf -lz -lxxhash -lpng -ldl
V_LIBS := -lz -latomic
V_FPGA_A := $(foreach t,$(V_FPGA_TOPS),$(BUILD)/verilated/$(t)/V$(t)__ALL.a)
OCL_SO := $(LIB)/libigpu_ocl.so
OCL_ICD := $(LIB)/vigpu.icd
OCL_SERVER := $(LIB)/igpu_ocloc
DRM_SO := $(LIB)/libigpu_drm.so
# The translator of kernels, where LLVM is (docs/contract/jit.md); what runs kernels opens it.
LLVM_CONFIG := $(or $(shell command -v llvm-config-14),$(shell llvm-config --version 2>/dev/null | sed -n 's/^14\..*/llvm-config/p'))
JIT_SO := $(if $(LLVM_CONFIG),$(LIB)/libigpu_jit.so)
LLVM_INC := $(if $(LLVM_CONFIG),-isystem $(shell $(LLVM_CONFIG) --includedir))
# The Verilated classes call the DPI functions of rtl, and rtl the classes: the one pair
# that needs each other, so these are given twice.
V_LINK = $(V_A) $(VRT_A) $(LIB)/libigpu-rtl.a $(V_A) $(VRT_A)
# $(call link,NAMES): the archives to link a program with that uses these libraries.
link = $(patsubst $(LIB)/libigpu-rtl.a,$(LIB)/libigpu-rtl.a $(V_LINK),$(call archives,$(1)))
VIGPU_LIBS := $(call program_field,Vigpu,4)
IGPU_LIBS := $(call program_field,igpu,4)
IGPU_RTL_LIBS := $(call program_field,igpu-rtl,4)
OCL_LIBS := $(call lib_uses,ocl)
DRM_SRC := $(call lib_src,drm)
DRM_LIBS := $(call lib_uses,drm)

# The default build puts its programs in the top folder as well.
publish = $(if $(filter build,$(BUILD)),cmp -s $(BUILD)/bin/$(1) $(1) || \
          install -m 755 $(BUILD)/bin/$(1) $(1))

# ---- targets for people -----------------------------------------------------
## help: list the targets (the default)
.PHONY: help
help:
	@echo "usage: make TARGET [CC=gcc] [CXX=g++] [OPT=-O2] [SAN=1|thread] [BUILD=build]"
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile .ci/install.mk | \
	    awk -F'\t' '{ printf "  %-14s %s\n", $$1, $$2 }'

## doctor: show each tool and library, its version, and which targets need it
.PHONY: doctor
doctor:
	@.ci/deps.sh doctor

## deps: install what any target needs (Debian packages, no questions)
.PHONY: deps
deps:
	@.ci/deps.sh ensure all

# Two makes at once (`make -j verilate igpu`, two terminals) would both write the same
# libraries: one waits for the other.
# Without -j all processors are used.
BUILD_ALONE = mkdir -p $(BUILD) && flock $(BUILD)/.lock $(MAKE) \
    $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

## verilate: build ./Vigpu, the simulator with the RTL engine
.PHONY: verilate
verilate:
	@.ci/deps.sh ensure verilate
	@+$(BUILD_ALONE) $(BUILD)/bin/Vigpu
	@$(call publish,Vigpu)

## igpu: build ./igpu (recorder, trace tools, reference engine) and the drivers for it
.PHONY: igpu
igpu:
	@.ci/deps.sh ensure igpu
	@+$(BUILD_ALONE) $(BUILD)/bin/igpu $(OCL_SO) $(OCL_ICD) $(OCL_SERVER) $(DRM_SO) $(JIT_SO)
	@$(call publish,igpu)

## igpu-rtl: build $(BUILD)/bin/igpu-rtl, for `igpu frame render --rtl-values`
.PHONY: igpu-rtl
igpu-rtl:
	@.ci/deps.sh ensure verilate && .ci/deps.sh ensure igpu
	@+$(BUILD_ALONE) $(BUILD)/bin/igpu-rtl

## run: simulate TRACE (default traces/samples/mad_sp.pb) with ARGS
.PHONY: run
run: verilate
	@$(BUILD)/bin/Vigpu $(ARGS) $(TRACE)

## python: build the Python package in $(BUILD)/python, and $(BUILD)/bin/igpu-python
.PHONY: python
python:
	@.ci/deps.sh ensure python
	@+$(BUILD_ALONE) $(BUILD)/bin/igpu-python

# What only running the tests needs is installed while they are compiled.
define BUILD_TESTS
@.ci/deps.sh ensure build && mkdir -p $(BUILD)
@+.ci/deps.sh ensure test >$(BUILD)/deps.log 2>&1 & \
    $(MAKE) -k build-tests || echo "make $@: something did not build; its tests fail"; \
    wait $$! || { cat $(BUILD)/deps.log >&2; exit 1; }
endef

## test: build everything, run every test and every lint gate
.PHONY: test
test:
	$(BUILD_TESTS)
	@tests/run --build && tests/run

## check: what is not slow of it, in about three minutes
.PHONY: check
check:
	$(BUILD_TESTS)
	@tests/run --quick --build && tests/run --quick

## test-long: the same with the long random campaigns (hours)
.PHONY: test-long
test-long:
	@.ci/deps.sh ensure all
	@+$(MAKE) -k build-tests || echo "make test-long: something did not build; its tests fail"
	@tests/run --long

## fuzz: run each fuzzing target for SECONDS (60), or those in TARGETS
.PHONY: fuzz
SECONDS ?= 60
TARGETS ?=
fuzz:
	@.ci/deps.sh ensure test
	@tests/fuzzing/run $(SECONDS) $(TARGETS)

## coverage: run the tests (or TESTS) and print which lines of C never ran
.PHONY: coverage
TESTS ?=
coverage:
	@.ci/deps.sh ensure test && .ci/deps.sh ensure long
	@tests/coverage $(TESTS)

## perf: measure the rates and speeds that the README promises
.PHONY: perf
perf:
	@.ci/deps.sh ensure test
	@+$(MAKE) build-tests
	@+$(MAKE) python
	@tests/run --perf; status=$$?; tests/perf/shown.py || status=1; \
	    /usr/bin/python3 tests/perf/traces.py && exit $$status

## sampling: samples against whole runs, of 40 kernels and 6 programs; results.csv (an hour)
.PHONY: sampling
sampling:
	@.ci/deps.sh ensure test
	@+$(MAKE) -s igpu
	@IGPU_BUILD=$(BUILD) /usr/bin/python3 tests/perf/sampling/run.py

## rates: measure the EU's rates and latencies on both engines; docs/reference/rates.md
.PHONY: rates
rates: $(BUILD)/tests/cosim/test_rates
	@$< --write docs/reference/rates.md

## validate: run every published experiment; report.html and docs/reference/validation.md
.PHONY: validate
validate: igpu python
	$(BUILD)/bin/igpu report -o report.html --markdown docs/reference/validation.md

## lint: every static check; any output is a failure
.PHONY: lint
lint:
	@.ci/deps.sh ensure test
	@+$(BUILD_ALONE) -s -k $(LINT_GATES)

## samples: record traces/samples/ anew from traces/kernels/
.PHONY: samples
samples: igpu
	$(BUILD)/bin/igpu suite --samples traces/samples traces/kernels/cases.yaml

## fpga-synth: synthesize the compute side with 1 and 24 EUs; print LUT, FF and BRAM counts
.PHONY: fpga-synth
fpga-synth:
	@.ci/deps.sh ensure fpga
	@fpga/synth.sh

## fpga: BOARD=ulx3s|...: build the bitstream of a board (SYNTH=0: its Verilog only)
.PHONY: fpga fpga-load
fpga:
	@.ci/deps.sh ensure fpga
	@BUILD=$(BUILD) fpga/soc.sh $(or $(BOARD),ulx3s) $(ARGS)

## fpga-load: BOARD=ulx3s|...: load that bitstream into the board
fpga-load:
	@BUILD=$(BUILD) fpga/load.sh $(or $(BOARD),ulx3s)

## fpga-sim: start the virtual board: the FPGA's design under Verilator, on UDP port 7600
.PHONY: fpga-sim
fpga-sim:
	@.ci/deps.sh ensure verilate
	@+$(BUILD_ALONE) $(BUILD)/bin/fpga-sim
	@exec $(BUILD)/bin/fpga-sim $(ARGS)

## fpga-pnr: place and route 24 EUs on one pipeline for an ECP5-85F; print area and clock
.PHONY: fpga-pnr
fpga-pnr:
	@.ci/deps.sh ensure fpga
	@fpga/array.sh

# The macros that RTL and its benches use; the page of the words that RTL and C share.
RTL_MACROS := cat $(wildcard rtl/*.v rtl/*/*.v tests/rtl/*.v) /dev/null | grep -oE '`IGPU_[A-Z0-9_]+' | tr -d '`' | sort -u
LAYOUTS := awk -v out=md -f .ci/words.awk $(wildcard rtl/include/igpu_regs.vh rtl/include/igpu_eu.vh rtl/include/igpu_link.vh) /dev/null
## params: regenerate what is made from csim/include/igpu/params.def and rtl/include
.PHONY: params
params: $(BUILD)/bin/params_gen
	@$(RTL_MACROS) | $< vh > rtl/include/igpu_params.vh.part
	@mv rtl/include/igpu_params.vh.part rtl/include/igpu_params.vh
	@$< md > docs/reference/params.md
	@$(LAYOUTS) > docs/reference/layouts.md

## reference: regenerate the pages of options, statistics, features and counters in docs/reference
.PHONY: reference
reference: verilate igpu python
	@.ci/reference.sh $(BUILD)/bin .

## architecture: regenerate what is made from .ci/libraries.txt
.PHONY: architecture
architecture:
	@.ci/architecture.py

## fpu-tables: regenerate tables: of extended math, for C and for the RTL; of compacted code
.PHONY: fpu-tables
fpu-tables:
	@python3 .ci/math_tables.py c > csim/fpu/math_table.c
	@python3 .ci/math_tables.py turn > rtl/fpu/igpu_math_rom_turn.v
	@.ci/igpu_isa_tables.py > rtl/include/igpu_isa_tables.vh
	@for rom in inv rsqt log exp sin; do \
	    python3 .ci/math_tables.py $$rom > rtl/include/igpu_math_rom_$$rom.vh || exit 1; done

## format: run clang-format over the C and C++ sources; a paragraph of docs/ is one line
.PHONY: format
format:
	@.ci/deps.sh ensure test
	clang-format -i $(C_FILES)
	python3 tests/lint/prose.py --fix

## tidy: clang-tidy's advice (not a gate)
.PHONY: tidy
tidy:
	clang-tidy --quiet $(C_SRC) -- -std=c11 $(DEFS) $(INC)

## man: the manual pages, from each command's --help
.PHONY: man
man: verilate igpu python
	@.ci/deps.sh ensure man
	$(call say,man,$(BUILD)/man)rm -rf $(BUILD)/man && \
	    .ci/man.sh $(VERSION) $(BUILD)/man $(BUILD)/bin/Vigpu $(BUILD)/bin/igpu

## site: the documentation as pages in $(BUILD)/site; a broken link is an error
.PHONY: site
site:
	@IGPU_NO_INSTALL=1 .ci/deps.sh ensure docs
	$(call say,mkdocs,$(BUILD)/site).ci/site.sh $(BUILD)

# install, install-igpu, install-python, uninstall
include .ci/install.mk

## clean: remove $(BUILD), ./Vigpu and ./igpu
.PHONY: clean
clean:
	rm -rf $(BUILD) Vigpu igpu

# ---- how things are built ---------------------------------------------------
# $(BUILD)/flags changes only when a setting changed; then everything is rebuilt.
FLAGS_NOW = $(CC) $(CXX) $(OPT) $(VOPT) $(SAN) $(COVERAGE) $(INC) $(subst ',,$(DEFS)) \
            $(CPPFLAGS) $(CFLAGS) $(CXXFLAGS) $(LDFLAGS)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@
.PHONY: FORCE
FORCE:

PROTO_C := $(patsubst traces/format/%.proto,$(BUILD)/gen/%.pb-c.c,$(PROTO))
PERFETTO_C := $(patsubst bridge/host/sim/%.proto,$(BUILD)/gen/%.pb-c.c,$(wildcard bridge/host/sim/perfetto.proto))
FPU_OPS_H := $(patsubst rtl/include/%.vh,$(BUILD)/gen/%_ops.h,$(wildcard rtl/include/igpu_fpu.vh))
# The link's words for C, from the one table of them.
WORDS_H := $(patsubst rtl/include/%.vh,$(BUILD)/gen/%_words.h,$(wildcard $(addprefix rtl/include/igpu_,link.vh regs.vh eu.vh)))
PROTO_H := $(PROTO_C:.c=.h) $(PERFETTO_C:.c=.h) $(FPU_OPS_H) $(BUILD)/gen/igpu_model.h $(WORDS_H)
V_MK := $(foreach t,$(V_TOPS),$(BUILD)/verilated/$(t)/V$(t).mk)

vpath %.proto traces/format bridge/host/sim
$(BUILD)/gen/%.pb-c.c $(BUILD)/gen/%.pb-c.h &: %.proto
	@mkdir -p $(BUILD)/gen
	$(call say,protoc-c,$<)protoc-c --proto_path=$(<D) --c_out=$(BUILD)/gen $<

$(BUILD)/gen/igpu_model.h: FORCE
	@mkdir -p $(@D)
	@{ echo '#define IGPU_MODEL_REF "$(VERSION)-'$$(cat $(MODEL_REF_SRC) | sha256sum | cut -c 1-12)'"'; \
	    echo '#define IGPU_MODEL_RTL "$(VERSION)-'$$(cat $(MODEL_RTL_SRC) | sha256sum | cut -c 1-12)'"'; } > $@.part
	@cmp -s $@.part $@ && rm $@.part || mv $@.part $@

$(BUILD)/gen/igpu_fpu_ops.h: rtl/include/igpu_fpu.vh
	@mkdir -p $(@D)
	@{ echo 'enum igpu_fpu_op {'; sed -n "s/^.define \(IGPU_FPU_OP_[A-Z0-9]*\) *5'd\([0-9]*\)$$/    \1 = \2,/p" $<; \
	    echo '    IGPU_FPU_OP_COUNT'; echo '};'; } > $@

$(BUILD)/gen/%_words.h: rtl/include/%.vh .ci/words.awk
	@mkdir -p $(@D)
	@awk -v out=h -f .ci/words.awk $< > $@

# What includes Verilator's headers (system headers, which .d files leave out) is
# compiled again whenever they were made again: the classes' layout is in them.
$(call obj,$(V_USERS) $(filter %.cpp,$(RTL_LIB_SRC))): $(V_MK)
$(call obj,$(V_USERS)): V_USER_INC = $(VROOT_INC)
# libdrm's headers find each other in their own folder alone.
$(call obj,$(DRM_SRC) tests/bridge/graphics/ioctls.c tests/bridge/graphics/counted.c): V_USER_INC = -isystem /usr/include/libdrm
$(call obj,$(wildcard tests/cosim/*.cpp)): $(V_TEST_A:%__ALL.a=%.mk)
# The emulator's loops over lanes, the sampler's, those of the features, and what each message passes are
# worth unrolling and inlining. Private: what is made for these, such as flags, is not.
EMU_OBJ := $(call obj,$(call lib_src,emu))
# The page of a profile is in it.
$(BUILD)/obj/bridge/programs/view/view_html.o: bridge/programs/view/page.html

# Handlers of common forms, the sampler's of all lanes, the targets' and depth tests, once more
# for hosts with AVX2 and FMA (gfx_bytes and gfx_cover for those alone, gfx_bytes for AVX-512 too).
# csim/emu/emu_form.c, csim/gfx/gfx_{depth,flat,raster,sampler,target}.c choose at run time.
TWICE_emu := emu_fast emu_fused emu_copy emu_madm
TWICE_gfx := gfx_lanes gfx_bytes gfx_cover gfx_blend gfx_blocks gfx_store
WIDE_gfx := gfx_bytes
twice = $(if $(findstring x86_64,$(MACHINE)),$(TWICE_$(1):%=$(BUILD)/obj/csim/$(1)/%.avx2.o) $(WIDE_$(1):%=$(BUILD)/obj/csim/$(1)/%.avx512.o))
MACHINE := $(shell $(CC) -dumpmachine)
$(BUILD)/obj/%.avx2.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc,$< for AVX2)$(CC) $(CFLAGS_ALL) -mavx2 -mfma -mtune=haswell -DEMU_AVX2 -MMD -MP -c -o $@ $<
$(BUILD)/obj/%.avx512.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc,$< for AVX-512)$(CC) $(CFLAGS_ALL) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mtune=icelake-server -DEMU_AVX512 -MMD -MP -c -o $@ $<
$(EMU_OBJ) $(call twice,emu) $(call twice,gfx) $(call obj,bridge/engines/rtl/engine_tiles.c bridge/engines/rtl/tile_eu.c $(foreach l,gfx features feed format mem ff side ref sim,$(call lib_src,$(l)))): private OPT := $(patsubst -O2,-O3,$(OPT))
# For any x86-64 GCC copies by string instructions, which start slowly; prefetchw harms no such host.
$(EMU_OBJ) $(call obj,$(foreach l,gfx tex,$(call lib_src,$(l)))): private OPT += $(if $(findstring x86_64,$(MACHINE)),-mtune=haswell -mprfchw)
# Fields written one by one are not read together: a host would wait for it.
$(call obj,$(call lib_src,gfx)): private OPT += -fno-tree-slp-vectorize
# What each message passes is no loop over lanes: vectors cost more than they save there.
$(call obj,$(foreach l,feed mem ff side sim,$(call lib_src,$(l)))): private OPT += -fno-tree-vectorize
# lint-c reads the warnings that are kept beside the object.
$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(PROTO_H)
	@mkdir -p $(@D)
	$(call say,cc,$<)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $< 2>$@.warn; \
	    status=$$?; cat $@.warn >&2; exit $$status
$(BUILD)/obj/%.o: %.cpp $(BUILD)/flags | $(PROTO_H)
	@mkdir -p $(@D)
	$(call say,c++,$<)$(CXX) $(CXXFLAGS_ALL) -MMD -MP -c -o $@ $<
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc,$<)$(CC) -std=c11 -g $(OPT) -fPIC -fvisibility=hidden -w -I$(BUILD)/gen $(SANFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The package as it is, with the messages' generated code and bytecode, and a program that finds it.
PYTHON_SRC := $(shell find $(wildcard bridge/python/vigpu) /dev/null -type f ! -name '*.pyc')
$(BUILD)/bin/igpu-python: $(PYTHON_SRC) $(PROTO) Makefile
	@rm -rf $(BUILD)/python
	@$(foreach f,$(PYTHON_SRC),install -D -m 644 $(f) $(f:bridge/%=$(BUILD)/%) &&) mkdir -p $(@D)
	$(call say,protoc,$(PROTO))protoc --proto_path=$(dir $(PROTO)) --python_out=$(BUILD)/python/vigpu/trace $(PROTO) && $$(.ci/deps.sh python) -m compileall -q $(BUILD)/python
	@printf '%s\n' "#!$$(.ci/deps.sh python)" 'import os, sys' \
	    'sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../python"))' \
	    'from vigpu.__main__ import main' 'sys.exit(main())' > $@.part
	@chmod 755 $@.part && mv $@.part $@

PROTO_OBJ := $(patsubst $(BUILD)/gen/%.c,$(BUILD)/obj/gen/%.o,$(PROTO_C))
PERFETTO_OBJ := $(patsubst $(BUILD)/gen/%.c,$(BUILD)/obj/gen/%.o,$(PERFETTO_C))
# An archive gives only the members somebody needs, and --as-needed drops the dynamic
# libraries that nobody uses: so Vigpu needs no libelf. A removed
# source must leave its archive too: it is made anew when its list of members changes.
# $(call ARCHIVE_RULES,NAME): of the objects LIB_OBJ_NAME.
define ARCHIVE_RULES
$(LIB)/libigpu-$(1).a: $$(LIB_OBJ_$(1)) $(LIB)/$(1).list
	@rm -f $$@
	$$(call say,ar,$$@)ar rcs $$@ $$(filter %.o,$$^)
$(LIB)/$(1).list: FORCE
	@mkdir -p $$(@D)
	@echo '$$(LIB_OBJ_$(1))' | cmp -s - $$@ || echo '$$(LIB_OBJ_$(1))' > $$@
endef
define LIBRARY_RULES
LIB_OBJ_$(1) := $$(call obj,$$(call lib_src,$(1))) $(if $(filter format,$(1)),$$(PROTO_OBJ)) $(if $(filter sim,$(1)),$$(PERFETTO_OBJ)) $(call twice,$(1))
$$(eval $$(call ARCHIVE_RULES,$(1)))
endef
$(foreach l,$(filter-out ocloc,$(LIBS)),$(eval $(call LIBRARY_RULES,$(l))))

$(BUILD)/bin/Vigpu: $(call obj,$(VIGPU_MAIN)) $(call link,$(VIGPU_LIBS))
	@mkdir -p $(@D)
	$(call say,link,$@)$(CXX) $(LDFLAGS_ALL) -o $@ $< $(call link,$(VIGPU_LIBS)) $(RT_LIBS) $(V_LIBS)
# $(call link_igpu,OBJECTS): what these objects define is not taken from the archives.
link_igpu = $(call say,link,$@)$(CC) $(LDFLAGS_ALL) -o $@ $(1) $(call link,$(IGPU_LIBS)) $(RT_LIBS) $(REC_LIBS)
$(BUILD)/bin/igpu: $(call obj,$(IGPU_MAIN)) $(call link,$(IGPU_LIBS))
	@mkdir -p $(@D)
	$(call link_igpu,$<)

$(BUILD)/bin/igpu-rtl: $(call obj,$(IGPU_RTL_MAIN)) $(call link,$(IGPU_RTL_LIBS))
	@mkdir -p $(@D)
	$(call say,link,$@)$(CXX) $(LDFLAGS_ALL) -o $@ $< $(call link,$(IGPU_RTL_LIBS)) $(RT_LIBS) $(REC_LIBS) $(V_LIBS)

# The driver for the OpenCL loader, and the file that tells the loader where it is.
# --exclude-libs and the map: only the loader's three entry points are visible.
link_driver = $(call say,link,$@)$(CC) -shared $(LDFLAGS_ALL) -Wl,--exclude-libs=ALL -Wl,-Bsymbolic \
	    -Wl,-soname,$(@F) -Wl,--version-script=bridge/drivers/ocl/exports.map $(if $(SAN),,-Wl$(comma)-z$(comma)defs) \
	    -o $@ $(1) $(call link,$(OCL_LIBS)) $(RT_LIBS) $(REC_LIBS)
$(OCL_SO): $(call obj,$(OCL_SRC)) $(call link,$(OCL_LIBS)) bridge/drivers/ocl/exports.map
	@mkdir -p $(@D)
	$(call link_driver,$(filter %.o,$^))
# LLVM's headers are the system's: no warnings of theirs.
$(call obj,$(call lib_src,jit)): V_USER_INC = $(LLVM_INC)
$(LIB)/libigpu_jit.so: $(call obj,$(call lib_src,jit)) $(call archives,isa)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CC) -shared $(LDFLAGS_ALL) -Wl,--exclude-libs=ALL -Wl,-soname,$(@F) \
	    -o $@ $^ $(shell $(LLVM_CONFIG) --ldflags) -lLLVM-14
# What igpu gl preloads: a render node for Mesa. Never with a sanitizer: the programs
# that it is loaded into have none.
$(DRM_SO): $(call obj,$(DRM_SRC)) $(call archives,$(DRM_LIBS)) bridge/drivers/drm/exports.map
	@mkdir -p $(@D)
	$(call say,link,$@)$(CC) -shared $(LDFLAGS_ALL) -Wl,--exclude-libs=ALL -Wl,-Bsymbolic \
	    -Wl,-soname,$(@F) -Wl,--version-script=bridge/drivers/drm/exports.map -o $@ $(filter %.o,$^) \
	    $(call archives,$(DRM_LIBS)) $(RT_LIBS) -lxxhash -ldl
# Never with a sanitizer, which would watch Intel's compiler.
# -rdynamic: the compiler's libraries find its open().
$(OCL_SERVER): $(SERVER_SRC) $(wildcard traces/ocloc/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,cc,$@)$(CC) -std=c11 -g -O2 -rdynamic $(WARN) -I. $(COUNT_LINES) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) \
	    -o $@ $(SERVER_SRC) -ldl
# Its path is absolute, as the loader wants it: written anew where the folder was copied.
$(OCL_ICD): $(OCL_SO) FORCE
	@echo $(abspath $(OCL_SO)) | cmp -s - $@ || echo $(abspath $(OCL_SO)) > $@

# The virtual board.
$(call obj,fpga/sim/vboard.cpp): $(V_FPGA_A:%__ALL.a=%.mk)
$(BUILD)/bin/fpga-sim: $(call obj,fpga/sim/vboard.cpp) $(V_FPGA_A) $(VRT_A)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CXX) $(LDFLAGS_ALL) -o $@ $^ $(V_LIBS)

# Verilator: one class for each name in V_TOPS, from scratch when a file changed. It is
# compiled as two units (.ci/v_units.awk).
V_ARGS := --cc -O3 --x-assign fast --x-initial fast --noassert --MMD \
          $(addprefix -y ,$(RTL_DIRS)) -Irtl/include
V_FLAGS_NOW = $(V_ARGS) $(foreach t,$(V_ALL_TOPS),$(t) $(V_TOP_$(t)) $(V_FLAGS_$(t)) $(V_OPT_$(t)) $(V_SLOW_$(t)) $(call checked,$(t)))
$(BUILD)/verilated/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(V_FLAGS_NOW)' | cmp -s - $@ || echo '$(V_FLAGS_NOW)' > $@
define V_RULES
$(BUILD)/verilated/$(1)/V$(1).mk: $(V_SRC_$(1)) $(BUILD)/flags $(BUILD)/verilated/flags .ci/v_units.awk
	@rm -rf $$(@D) && mkdir -p $$(@D)
	$$(call say,verilate,$(1))verilator $(V_ARGS) $(V_FLAGS_$(1)) $(call checked,$(1)) --prefix V$(1) --Mdir $$(@D) \
	    --top-module $(or $(V_TOP_$(1)),$(1)) $(V_SRC_$(1))
	@.ci/v_depfile.sh $$@ $$(@D)/V$(1)__ver.d > $$(@D)/deps.d
	@awk -f .ci/v_units.awk $$(@D)/V$(1)_classes.mk
	@touch $$@
$(BUILD)/verilated/$(1)/V$(1)__ALL.a: $(BUILD)/verilated/$(1)/V$(1).mk
	$$(call say,compile,$$@)true
	@+$(MAKE) -s -C $$(@D) -f V$(1).mk V$(1)_fast.o V$(1)_slow.o CXX='$(or $(V_CXX_$(1)),$(CXX))' OPT='$(SANFLAGS) $(CPPFLAGS) $(CXXFLAGS)' \
	    VM_CLASSES_FAST=V$(1)_fast VM_CLASSES_SLOW=V$(1)_slow VM_SUPPORT_FAST= VM_SUPPORT_SLOW= \
	    OPT_FAST='$(or $(V_OPT_$(1)),$(VOPT))' OPT_SLOW='$(or $(V_SLOW_$(1)),-O1)' OPT_GLOBAL='-O2' >/dev/null
	@rm -f $$@ && ar rcs $$@ $$(@D)/V$(1)_fast.o $$(@D)/V$(1)_slow.o
endef
$(foreach t,$(V_ALL_TOPS),$(eval $(call V_RULES,$(t))))
$(VRT_A): $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compile,Verilator runtime)for f in verilated verilated_dpi verilated_threads; do \
	    $(CXX) -std=c++17 -O2 -w $(SANFLAGS) $(CPPFLAGS) $(CXXFLAGS) -DVM_TRACE=1 -DVM_TRACE_FST=1 -pthread \
	        -I$(VROOT)/include -I$(VROOT)/include/vltstd \
	        -c -o $(@D)/$$f.o $(VROOT)/include/$$f.cpp || exit 1; done
	@rm -f $@ && ar rcs $@ $(@D)/*.o

# ---- test programs: tests/DIR/test_NAME.c, with the helpers beside it and in
#      tests/support/ --------------------------------------------------------------
TEST_SRC := $(wildcard tests/*/test_*.c)
TEST_BIN := $(patsubst %.c,$(BUILD)/%,$(TEST_SRC))
TEST_LIBS := $(filter-out ocloc ocl drm rtl fpga,$(LIBS))
# Folders whose programs use the Verilated classes too.
TEST_V_DIRS := cosim $(if $(filter fuzzer,$(SAN)),,bridge) fail fpu perf
# Without the classes, what a test of bridge needs of rtl and fpga.
TEST_RTL_bridge := $(if $(filter fuzzer,$(SAN)),$(call obj,$(addprefix bridge/engines/,rtl/rtl_pool.c rtl/rtl_ranges.c rtl/array_pages.c fpga/fpga_link.c fpga/fpga_frame.c)))
TEST_RTL_cosim := $(call obj,$(addprefix tests/csim/,emu_rig.c isa_encode.c isa_form.c))
# What helps is an archive: a program has, and is linked with, what it needs of it. One
# helper is asked for by nobody, the server.
TEST_SERVER := $(call obj,tests/support/server.c)
define TEST_RULES
TEST_HELP_$(1) := $(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c tests/$(1)/*.cpp tests/support/*.c))
LIB_OBJ_tests-$(1) := $$(filter-out $$(TEST_SERVER),$$(call obj,$$(TEST_HELP_$(1)))) $(TEST_RTL_$(1))
$$(eval $$(call ARCHIVE_RULES,tests-$(1)))
$$(patsubst %.c,$(BUILD)/%,$(filter tests/$(1)/%,$(TEST_SRC))): $(BUILD)/tests/$(1)/%: \
        $(BUILD)/obj/tests/$(1)/%.o $(TEST_SERVER) $(LIB)/libigpu-tests-$(1).a $(if $(filter $(1),cosim),$(V_TEST_A)) \
        $(call link,$(TEST_LIBS) $(if $(filter $(1),$(TEST_V_DIRS)),fpga rtl))
	@mkdir -p $$(@D)
	$$(call say,link,$$@)$(CXX) $(LDFLAGS_ALL) -o $$@ $$(filter %.o,$$^) $(LIB)/libigpu-tests-$(1).a \
	    $(if $(filter $(1),cosim),$(V_TEST_A)) $(call link,$(TEST_LIBS) $(if $(filter $(1),$(TEST_V_DIRS)),fpga rtl)) \
	    -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS) $(if $(filter ocl,$(1)),-lOpenCL) $(if $(filter tex,$(1)),-lastcenc)
endef
$(foreach d,$(TEST_DIRS),$(eval $(call TEST_RULES,$(d))))

# The shapes that take minutes to compile, for tests/cosim/test_shapes.sh.
V_LONG_A := $(foreach t,$(V_LONG_TOPS),$(BUILD)/verilated/$(t)/V$(t)__ALL.a)
SHAPES_O := $(call obj,$(wildcard tests/cosim/shapes/*.c tests/cosim/shapes/*.cpp))
$(call obj,$(wildcard tests/cosim/shapes/*.cpp)): $(V_LONG_A:%__ALL.a=%.mk)
$(BUILD)/tests/cosim/array_shapes: $(SHAPES_O) $(call obj,$(TEST_HELP_cosim)) $(TEST_RTL_cosim) $(V_LONG_A) $(V_TEST_A) \
        $(call link,$(TEST_LIBS) fpga rtl)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CXX) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(V_LONG_A) $(V_TEST_A) \
	    $(call link,$(TEST_LIBS) fpga rtl) -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS)
.PHONY: array-shapes
array-shapes: $(BUILD)/tests/cosim/array_shapes

# test_values and its like with one lane of the FPU, for tests/cosim/test_values_lanes.sh.
LANE_TESTS := $(addprefix $(BUILD)/tests/cosim/lanes/,test_values test_values_forms test_values_programs)
LANE_A := $(foreach t,$(V_LANE_TOPS),$(BUILD)/verilated/$(t)/V$(t)__ALL.a)
LANE_O := $(call obj,$(wildcard tests/cosim/lanes/*.cpp))
LANE_HELP := $(call obj,$(wildcard tests/cosim/random_program*.c tests/support/*.c)) $(TEST_RTL_cosim)
$(LANE_O): $(LANE_A:%__ALL.a=%.mk)
$(LANE_O): private CPPFLAGS += $(addprefix -isystem $(BUILD)/verilated/,$(V_LANE_TOPS))
$(LANE_TESTS): $(BUILD)/tests/cosim/lanes/%: $(BUILD)/obj/tests/cosim/%.o $(LANE_HELP) $(LANE_O) $(LANE_A) \
        $(call link,$(TEST_LIBS) fpga rtl)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CXX) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(LANE_A) $(call link,$(TEST_LIBS) fpga rtl) \
	    -lcmocka -lmpfr -lgmp $(RT_LIBS) $(REC_LIBS) $(V_LIBS)
.PHONY: values-lanes
values-lanes: $(LANE_TESTS)

include $(wildcard tests/cosim/mutants/mutants.mk)

# Fuzzing targets, one a file; libFuzzer has main(). tests/fuzzing/run builds them with
# CC=clang SAN=fuzzer, those in FUZZ_TARGETS. That of the OpenCL driver has its sources inside.
FUZZ_BIN := $(patsubst tests/fuzzing/%.c,$(BUILD)/bin/%,$(wildcard tests/fuzzing/fuzz_*.c))
FUZZ_LIBS := $(sort $(TEST_LIBS) $(OCL_LIBS))
$(FUZZ_BIN): $(BUILD)/bin/%: $(BUILD)/obj/tests/fuzzing/%.o $(call obj,tests/fuzzing/fuzz.c tests/fuzzing/sections.c) \
        $(call link,$(FUZZ_LIBS))
	@mkdir -p $(@D)
	$(call say,link,$@)$(CC) -fsanitize=fuzzer $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) \
	    $(call link,$(FUZZ_LIBS)) $(RT_LIBS) $(REC_LIBS)
$(BUILD)/bin/fuzz_api: $(call obj,$(OCL_SRC))
.PHONY: fuzz-targets
fuzz-targets:
	@+$(BUILD_ALONE) $(if $(FUZZ_TARGETS),$(FUZZ_TARGETS:%=$(BUILD)/bin/fuzz_%),$(FUZZ_BIN))

# The C tests with their programs and the driver, without Verilator's classes: for
# tests/bridge/test_sanitized, with the settings and objects of the fuzzing targets of
# tests/fuzzing/test_fuzzing.
PLAIN_TESTS := $(filter $(addprefix $(BUILD)/tests/,csim/% traces/% bridge/% ocl/%),$(TEST_BIN))
.PHONY: plain-tests
plain-tests:
	@+$(BUILD_ALONE) $(PLAIN_TESTS) $(BUILD)/bin/igpu $(OCL_SO) $(OCL_ICD) $(OCL_SERVER)

.PHONY: build-tests test-programs
build-tests:
	@+$(BUILD_ALONE) test-programs
test-programs: $(TEST_BIN) $(BUILD)/bin/fpga-sim \
    $(if $(wildcard $(VIGPU_MAIN)),$(BUILD)/bin/Vigpu) $(if $(IGPU_MAIN),$(BUILD)/bin/igpu) $(BUILD)/bin/igpu-rtl \
    $(if $(OCL_SRC),$(OCL_SO) $(OCL_ICD) $(OCL_SERVER)) $(DRM_SO) $(JIT_SO)
	@$(if $(wildcard $(VIGPU_MAIN)),$(call publish,Vigpu))
	@$(if $(IGPU_MAIN),$(call publish,igpu))

# ---- generated from params.def ----------------------------------------------
$(BUILD)/bin/params_gen: $(PARAMS_GEN) $(BUILD)/flags
	@mkdir -p $(@D) $(BUILD)/gen
	$(call say,cc,$<)$(CC) -std=c11 $(WARN) -Icsim/include $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -MF $(BUILD)/gen/params_gen.d -o $@ $<
-include $(BUILD)/gen/params_gen.d

# ---- lint: each gate is silent or fails; unchanged files are not read again ----
LINT_GATES := lint-text lint-includes lint-libraries lint-headers lint-params lint-format lint-c \
              lint-verilator lint-iverilog lint-yosys lint-slang lint-verible
.PHONY: $(LINT_GATES) list-lint list-libraries list-archives
list-lint:
	@echo $(LINT_GATES)
list-libraries:
	@printf '%s\n' $(LIBRARIES)
# list-archives NAMES="cli rtl": what a program that uses these libraries is linked with.
list-archives:
	@echo $(call link,$(NAMES))
C_FILES = $(sort $(wildcard $(foreach d,csim traces bridge fpga tests,$(addprefix $(d),\
            /*.c /*.h /*.cpp /*/*.c /*/*.h /*/*.cpp /*/*/*.c /*/*/*.h /*/*/*.cpp))))
C_SRC = $(filter %.c,$(C_FILES))
C_HDR = $(filter %.h,$(C_FILES))
LINT := $(BUILD)/lint
include $(if $(filter lint%,$(MAKECMDGOALS)),tests/lint/lint.mk)

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d $(BUILD)/obj/*/*/*/*.d)
-include $(wildcard $(BUILD)/verilated/*/deps.d)
