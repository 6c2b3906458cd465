# install.mk - what `make install` copies where; included by the Makefile.
#
# The directories are GNU's: each may be given alone, PREFIX moves them all, DESTDIR
# stages. Only what is installed knows them: `make install` compiles the sources that ask
# for them again, and links igpu and the driver with these. A build in its folder looks
# nowhere else.
exec_prefix ?= $(PREFIX)
bindir ?= $(exec_prefix)/bin
libdir ?= $(exec_prefix)/lib
libexecdir ?= $(exec_prefix)/libexec
includedir ?= $(PREFIX)/include
datarootdir ?= $(PREFIX)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/vigpu
pkgconfigdir ?= $(libdir)/pkgconfig
pythondir ?= $(datadir)/vigpu/python
# Where the OpenCL loader's list of drivers is: /etc/OpenCL/vendors to offer Vigpu to all,
# empty to offer it to nobody but igpu run.
ICDDIR ?= $(PREFIX)/etc/OpenCL/vendors

# The driver is no library to link with: it is loaded by its path.
DRIVER_DIR := $(libdir)/vigpu
SERVER_DIR := $(libexecdir)/vigpu
HEADER_DIR := $(includedir)/vigpu
MANIFEST := $(libdir)/vigpu/manifest
PATH_DEFS := -DIGPU_LIBEXECDIR='"$(SERVER_DIR)"' -DIGPU_DRIVERDIR='"$(DRIVER_DIR)"'

# ---- libraries for other programs: two archives, since no interface is stable yet -----
# vigpu-trace reads and writes traces; vigpu-sim runs them on the C reference.
TRACE_LIBS := $(filter $(call lib_closure,feed),$(LIBS_DOWN))
SIM_LIBS := $(filter-out $(TRACE_LIBS),$(filter $(call lib_closure,sim ref),$(LIBS_DOWN)))
# Their headers, with those that they include.
TRACE_HEADERS := traces/format/trace.h traces/feed/feeder.h
SIM_HEADERS := $(addprefix bridge/host/sim/,sim.h config_file.h check.h)
PUBLIC_HEADERS := $(TRACE_HEADERS) $(SIM_HEADERS)
PUBLIC_A := $(LIB)/libvigpu-trace.a $(LIB)/libvigpu-sim.a
$(LIB)/libvigpu-trace.a: $(foreach l,$(TRACE_LIBS),$(LIB)/libigpu-$(l).a)
$(LIB)/libvigpu-sim.a: $(foreach l,$(SIM_LIBS),$(LIB)/libigpu-$(l).a)
$(PUBLIC_A): Makefile .ci/install.mk
	@rm -f $@
	$(call say,ar,$@){ echo 'create $@'; printf 'addlib %s\n' $(filter %.a,$^); echo save; echo end; } | ar -M

# ---- what names the directories ----------------------------------------------------
STAGE := $(BUILD)/install
$(STAGE)/paths: FORCE
	@mkdir -p $(@D)
	@echo "$(PATH_DEFS)" | cmp -s - $@ || echo "$(PATH_DEFS)" > $@
PATH_OBJ = $(patsubst %,$(STAGE)/%.o,$(1))
$(STAGE)/%.o: %.c $(BUILD)/flags $(STAGE)/paths | $(PROTO_H)
	@mkdir -p $(@D)
	$(call say,cc,$<)$(CC) $(CFLAGS_ALL) $(PATH_DEFS) -MMD -MP -c -o $@ $<
-include $(wildcard $(STAGE)/*/*/*.d)
$(STAGE)/igpu: $(call PATH_OBJ,$(basename $(IGPU_MAIN)) traces/program/compile_server $(addprefix bridge/programs/igpu/,ocl_run node_child hand_over)) \
        $(call link,$(IGPU_LIBS))
	$(call link_igpu,$(filter %.o,$^))
$(STAGE)/$(notdir $(OCL_SO)): $(call obj,$(OCL_SRC)) $(call PATH_OBJ,traces/program/compile_server) \
        $(call link,$(OCL_LIBS)) bridge/drivers/ocl/exports.map
	$(call link_driver,$(filter %.o,$^))
STAGED := $(addprefix $(STAGE)/,igpu $(notdir $(OCL_SO)) vigpu.icd)
$(STAGE)/%.pc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(libdir)' 'includedir=$(includedir)' '' \
	    'Name: $*' 'Description: $(PC_TEXT)' 'Version: $(VERSION)' \
	    'Requires: $(PC_REQUIRES)' 'Cflags: -I$${includedir}/vigpu' \
	    'Libs: -L$${libdir} -l$* $(PC_LIBS)' > $@
$(STAGE)/vigpu-trace.pc: PC_TEXT = traces of programs on Intel Gen9 GPUs
$(STAGE)/vigpu-trace.pc: PC_REQUIRES = libprotobuf-c libzstd
$(STAGE)/vigpu-trace.pc: PC_LIBS = -pthread -lm
$(STAGE)/vigpu-sim.pc: PC_TEXT = timing of Intel Gen9 GPUs on traces: host loop and C reference
$(STAGE)/vigpu-sim.pc: PC_REQUIRES = vigpu-trace yaml-0.1
$(STAGE)/vigpu.icd: FORCE
	@mkdir -p $(@D)
	@echo '$(DRIVER_DIR)/$(notdir $(OCL_SO))' > $@
# Python finds Debian's own folders by itself.
$(STAGE)/igpu-python: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '#!/usr/bin/python3' 'import sys' \
	    $(if $(filter %-packages,$(pythondir)),,'sys.path.insert(0, "$(pythondir)")') \
	    'from vigpu.__main__ import main' 'sys.exit(main())' > $@

# ---- the lists: MODE SOURCE TARGET -------------------------------------------------
to = $(foreach f,$(2),'$(1) $(f) $(3)/$(notdir $(f))')
INSTALL_PROGRAM = $(call to,755,$(BUILD)/bin/Vigpu,$(bindir)) \
    $(call to,755,$(BUILD)/bin/igpu-rtl,$(SERVER_DIR)) \
    '644 .ci/completion.bash $(datadir)/bash-completion/completions/Vigpu'
INSTALL_IGPU = $(call to,755,$(STAGE)/igpu,$(bindir)) \
    $(call to,755,$(OCL_SERVER),$(SERVER_DIR)) \
    $(call to,644,$(STAGE)/$(notdir $(OCL_SO)) $(DRM_SO) $(JIT_SO),$(DRIVER_DIR)) \
    $(call to,644,$(STAGE)/vigpu.icd,$(DRIVER_DIR)) \
    $(if $(ICDDIR),$(call to,644,$(STAGE)/vigpu.icd,$(ICDDIR))) \
    $(call to,644,$(wildcard traces/kernels/*.cl traces/kernels/*.yaml),$(datadir)/vigpu/kernels) \
    $(call to,644,$(wildcard traces/samples/*.pb),$(datadir)/vigpu/samples) \
    '644 .ci/completion.bash $(datadir)/bash-completion/completions/igpu'
INSTALL_DEV = $(call to,644,$(PUBLIC_A),$(libdir)) \
    $(call to,644,$(PUBLIC_A:$(LIB)/lib%.a=$(STAGE)/%.pc),$(pkgconfigdir)) \
    $(call to,644,$(wildcard csim/include/igpu/*.h csim/include/igpu/*.def),$(HEADER_DIR)/igpu) \
    $(foreach h,$(PUBLIC_HEADERS),'644 $(h) $(HEADER_DIR)/$(h)')
INSTALL_MAN = $(call to,644,$(wildcard $(BUILD)/man/*.1),$(mandir)/man1)
INSTALL_PYTHON = $(call to,755,$(STAGE)/igpu-python,$(bindir)) \
    $(call to,644,$(wildcard bridge/python/examples/*),$(datadir)/vigpu/examples) \
    $(foreach f,$(shell cd $(BUILD)/python && find vigpu -type f ! -name '*.pyc'),'644 $(BUILD)/python/$(f) $(pythondir)/$(f)')
put = printf '%s\n' $(1) | .ci/install.sh install '$(DESTDIR)' '$(MANIFEST)'

# They never install packages: what is missing is named, and they stop.
INSTALLS := install install-igpu install-python uninstall man
$(INSTALLS): export IGPU_NO_INSTALL := 1

## install: programs, driver, libraries, headers, Python and man pages below PREFIX
.PHONY: install
install: install-igpu install-python man
	@+$(BUILD_ALONE) $(BUILD)/bin/igpu-rtl $(PUBLIC_A) $(PUBLIC_A:$(LIB)/lib%.a=$(STAGE)/%.pc)
	@$(call put,$(INSTALL_PROGRAM))
	@$(call put,$(INSTALL_DEV))
	@$(call put,$(INSTALL_MAN))

# Nothing is copied before all is made: a missing help2man leaves no half of an install.
ifneq ($(filter install,$(MAKECMDGOALS)),)
install-igpu install-python: | man
endif

## install-igpu: igpu and the OpenCL driver only, which need no Verilator
.PHONY: install-igpu
install-igpu: igpu
	@+$(BUILD_ALONE) $(STAGED)
	@$(call put,$(INSTALL_IGPU))

## install-python: the Python package and the commands of igpu that are in it
.PHONY: install-python
install-python: python $(STAGE)/igpu-python
	@$(call put,$(INSTALL_PYTHON))

## uninstall: remove what install copied below PREFIX
.PHONY: uninstall
uninstall:
	@.ci/install.sh uninstall '$(DESTDIR)' '$(MANIFEST)'
