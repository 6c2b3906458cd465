#!/usr/bin/env bash
# deps.sh - which tools and libraries a target needs, and how to get them.
#
#   deps.sh check  SET     list the missing Debian packages (nothing: all there)
#   deps.sh ensure SET     install them, asking nothing, or say the command and fail
#   deps.sh doctor         a table of everything, with versions, and what is ready; fails
#                          where make verilate, igpu or python would
#   deps.sh python         the Python interpreter to use
#
# SET: verilate, igpu, python, test, build (what of it make build-tests needs), fpga, board (what loads a bitstream), man, docs, long
# (what only long tests need), slurm (what tests/python/test_slurm.sh asks for), frames (the
# programs of traces/frames/library.py), games (those of them that are games), d3d (those
# in Wine, and tests/perf/wine_tests.py), piglit (2 GB, for tests/perf/piglit.py), all (but games,
# d3d and piglit).
# Something counts as there when its command, header, library or module is found, however
# it got there. Environment:
#   CC, CXX                the compilers in use
#   IGPU_NO_INSTALL=1      never install: print the command and fail
#   IGPU_APT=PROGRAM       use PROGRAM for apt-get         (tests)
#   IGPU_FAKE_MISSING=".." treat these packages as missing (tests)
set -u

# sets         package               probe                         for doctor
TABLE="
verilate,igpu  make                  cmd:make                      make
verilate,igpu  gcc                   cc:${CC:-gcc}                 C compiler
verilate       g++                   cc:${CXX:-g++}                C++ compiler
verilate       verilator             cmd:verilator                 Verilator (5.006 or later)
verilate,python python3              cmd:python3                   python3 (Verilator's makefiles, the Python package)
verilate,igpu  protobuf-c-compiler   cmd:protoc-c                  protobuf-c compiler
verilate,igpu  libprotobuf-c-dev     hdr:protobuf-c/protobuf-c.h   protobuf-c
verilate,igpu  libzstd-dev           hdr:zstd.h                    zstd
verilate,igpu  libyaml-dev           hdr:yaml.h                    libyaml
verilate,igpu  zlib1g-dev            hdr:zlib.h                    zlib (waves, MacSim traces)
igpu           libelf-dev            hdr:gelf.h                    libelf
igpu           libdw-dev             hdr:elfutils/libdw.h          libdw (source lines)
igpu           libxxhash-dev         hdr:xxhash.h                  xxHash (caches)
igpu           libdrm-dev            hdr:xf86drm.h                 libdrm (igpu gl)
igpu           libxcb1-dev           hdr:xcb/xcbext.h              xcb's headers (igpu gl in X windows)
igpu           libxcb-dri3-dev       hdr:xcb/dri3.h                xcb's headers of DRI3
igpu           libxcb-present-dev    hdr:xcb/present.h             xcb's headers of Present
igpu           libxcb-sync-dev       hdr:xcb/sync.h                xcb's headers of SYNC
igpu           libpng-dev            hdr:png.h                     libpng (igpu frame)
igpu           libigc1               lib:libiga64.so.1             libiga64
igpu           intel-opencl-icd      cmd:ocloc                     ocloc
test,python    protobuf-compiler     cmd:protoc                    protobuf compiler
test,python    python3-protobuf      py:google.protobuf            Python protobuf (trace reader)
test,python    python3-zstandard     py:zstandard                  Python zstd (trace reader)
test,python    python3-pandas        py:pandas                     pandas (Python package)
test           python3-sklearn       py:sklearn                    scikit-learn (training of igpu predict)
test           python3-statsmodels   py:statsmodels                statsmodels (the same)
test,python    python3-matplotlib    py:matplotlib                 matplotlib (Python package)
test,python    python3-jinja2        py:jinja2                     Jinja2 (Python package)
test,python    python3-yaml          py:yaml                       PyYAML (sweeps)
test,python    python3-scipy         py:scipy.stats                SciPy (sweeps by Latin hypercubes)
test           python3-pytest        py:pytest                     pytest
test           python3-nbclient      py:nbclient                   nbclient (notebooks)
test           python3-ipykernel     py:ipykernel                  IPython's kernel (notebooks)
test           mypy                  cmd:mypy                      mypy
test           python3-pip           py:pip                        pip
test           python3-venv          py:ensurepip                  venv
test           python3-setuptools    py:setuptools                 setuptools
igpu           ocl-icd-opencl-dev    hdr:CL/cl_icd.h               OpenCL headers and loader
test           pocl-opencl-icd       lib:libpocl.so.2              pocl (differential OpenCL test)
build,test     libastcenc-dev        hdr:astcenc.h                 ASTC (decoder tests)
build,test     libze-dev             hdr:level_zero/ze_api.h       Level Zero headers and loader (tests of Intel's driver)
test           mesa-opencl-icd       lib:libRusticlOpenCL.so.1     Mesa's OpenCL driver (its test)
test           libigc-tools          cmd:iga64                     iga64 (decoder tests)
test           libegl-dev            hdr:EGL/egl.h                 EGL (graphics tests)
test           libgles-dev           hdr:GLES3/gl3.h               GLES (graphics tests)
test           libgl-dev             hdr:GL/glx.h                  GLX (graphics tests)
test           libx11-dev            hdr:X11/Xlib.h                Xlib (graphics tests)
test           libglx-mesa0          lib:libGLX_mesa.so.0          Mesa's GLX (graphics tests)
test           libgl1-mesa-dri       lib:dri/iris_dri.so           Mesa's drivers (graphics tests)
test           libegl-mesa0          lib:libEGL_mesa.so.0          Mesa's EGL (graphics tests)
test           libvulkan-dev         hdr:vulkan/vulkan.h           Vulkan headers and loader (graphics tests)
test           glslang-tools         cmd:glslangValidator          compiler of Vulkan shaders (graphics tests)
test,frames    mesa-vulkan-drivers   lib:libvulkan_intel.so        Mesa's Vulkan drivers (graphics tests, library of frames)
build,test     libcmocka-dev         hdr:cmocka.h                  cmocka
build,test     libmpfr-dev           hdr:mpfr.h                    MPFR (floating-point oracle)
test           intel-gpu-tools       cmd:i915-perf-reader          i915-perf-reader (OA recordings)
build,test     clang                 cc:clang                      clang
build,lint,test llvm-14-dev           cmd:llvm-config-14            LLVM 14 (translation of kernels: docs/contract/jit.md)
test           libclang-rt-14-dev    lib:llvm-14/lib/clang/14.0.6/include/fuzzer/FuzzedDataProvider.h libFuzzer
test           clang-format          cmd:clang-format              clang-format
test,fpga      iverilog              cmd:iverilog                  Icarus Verilog
test,fpga      yosys                 cmd:yosys                     Yosys
test,fpga      bsdextrautils         cmd:column                    column (tables of the synthesis)
fpga           python3-venv          py:ensurepip                  venv (LiteX, nextpnr-ecp5: fpga/requirements.txt)
board          openfpgaloader        cmd:openFPGALoader            openFPGALoader (make fpga-load)
fpga           nextpnr-ice40         cmd:nextpnr-ice40             nextpnr (fpga/pnr.sh)
test           git                   cmd:git                       git
test           pkg-config            cmd:pkg-config                pkg-config (what is installed)
docs,test      mkdocs                cmd:mkdocs                    mkdocs (make site)
man            help2man              cmd:help2man                  help2man (make install)
long           cadical               cmd:cadical                   CaDiCaL (proof of the EU's two shells)
long           gcovr                 cmd:gcovr                     gcovr (make coverage)
long           debootstrap           cmd:debootstrap               debootstrap (tests in a bare Debian)
long           debhelper             cmd:dh                        debhelper (Debian packages)
long           dh-python             cmd:dh_python3                dh-python (Debian packages)
long           lintian               cmd:lintian                   lintian (Debian packages)
long           gcc-aarch64-linux-gnu cmd:aarch64-linux-gnu-gcc     gcc for AArch64 (.ci/aarch64.sh)
long           libc6-dev-arm64-cross hdr:../aarch64-linux-gnu/include/stdio.h C library for AArch64
long           qemu-user             cmd:qemu-aarch64              qemu (tests on AArch64)
test,frames    xvfb                  cmd:Xvfb                      Xvfb (graphics tests, library of frames)
frames         apitrace              cmd:eglretrace                apitrace (library of frames)
frames         apitrace-tracers      lib:apitrace/wrappers/egltrace.so apitrace's tracers
test,frames    python3-numpy         py:numpy                      NumPy (library of frames)
test,frames    python3-matplotlib    py:matplotlib                 matplotlib (library of frames)
frames         glmark2-es2-x11       cmd:glmark2-es2               glmark2 (library of frames)
frames         glmark2-data          lib:../share/glmark2/shaders  glmark2's data
frames         mesa-utils            cmd:glxgears                  Mesa's demos (library of frames)
frames         mesa-utils-bin        cmd:es2gears_x11.$(uname -m)-linux-gnu Mesa's demos
frames         xscreensaver-gl       lib:../libexec/xscreensaver/glmatrix XScreenSaver's GL hacks (library of frames)
frames         xscreensaver-gl-extra lib:../libexec/xscreensaver/glhanoi  more of them
frames         rss-glx               lib:../libexec/xscreensaver/skyrocket Really Slick Screensavers
frames         vulkan-tools          cmd:vkcube                    Vulkan's cube (library of frames)
frames         vkd3d-demos           cmd:vkd3d-gears               Direct3D's gears by Vulkan (library of frames)
d3d            wine                  cmd:wine                      Wine (Direct3D in the library of frames)
d3d            wine64                lib:../wine/wine64            Wine's loader
d3d            gcc-mingw-w64-x86-64  cmd:x86_64-w64-mingw32-gcc    compiler for Windows (Wine's tests)
d3d            g++-mingw-w64-x86-64  cmd:x86_64-w64-mingw32-g++    compiler for Windows (Direct3D programs)
d3d            python3-pip           py:pip                        pip (fetches Microsoft's HLSL compiler)
piglit         piglit                cmd:piglit                    piglit (tests/perf/piglit.py)
games          libxtst6              lib:libXtst.so.6              XTEST (keys of steady_keys.c)
games          neverball             cmd:/usr/games/neverball      a game
games          chromium-bsu          cmd:/usr/games/chromium-bsu   a game
games          openarena             cmd:/usr/games/openarena      a game
games          supertuxkart          cmd:/usr/games/supertuxkart   a game
games          extremetuxracer       cmd:/usr/games/etr            a game
games          minetest              cmd:/usr/games/minetest       a game
games          armagetronad          cmd:/usr/games/armagetronad   a game
games          foobillardplus        cmd:/usr/games/foobillardplus a game
games          trackballs            cmd:/usr/games/trackballs     a game
games          billard-gl            cmd:/usr/games/billard-gl     a game
slurm          munge                 cmd:munged                    munge (sweeps through Slurm)
slurm          slurmctld             cmd:slurmctld                 slurmctld (sweeps through Slurm)
slurm          slurmd                cmd:slurmd                    slurmd (sweeps through Slurm)
slurm          slurm-client          cmd:sbatch                    Slurm's commands (sweeps through Slurm)
"

# What comes from PyPI: sets, the list of its packages, and the folder under $BUILD that
# they are installed into, as a virtual environment of their own. What is installed there
# is known by its copy of the list. (fpga/soc.sh has another, of fpga/requirements.txt.)
PYPI="
test,lint      tests/lint/requirements.txt  lint-tools
"

usage() {
    echo "usage: deps.sh check|ensure verilate|igpu|python|test|build|lint|fpga|board|man|docs|long|slurm|frames|games|d3d|piglit|all, or deps.sh doctor|python" >&2
    exit 2
}

# include_path and library_path: the folders of a header or a library.
shopt -s nullglob
include_path=(/usr/include /usr/local/include /usr/include/*-linux-gnu)
library_path=(/usr/lib /usr/local/lib /usr/lib64 /usr/lib/*-linux-gnu /lib/*-linux-gnu)
IFS=: read -r -a extra <<<"${CPATH:-}" && include_path+=(${extra[@]+"${extra[@]}"})
IFS=: read -r -a extra <<<"${LIBRARY_PATH:-}" && library_path+=(${extra[@]+"${extra[@]}"})

# package_of_compiler NAME DEFAULT: the package that brings the command NAME.
package_of_compiler() {
    case "${1##*/}" in
    clang++* | clang*) echo clang ;;
    g++*) echo g++ ;;
    gcc* | cc) echo gcc ;;
    *) echo "$2" ;;
    esac
}

# found PROBE: does the command, header, library or Python module exist?
found() {
    local what=${1#*:} dir
    case "$1" in
    cmd:*) command -v "$what" >/dev/null ;;
    cc:*) $what --version >/dev/null 2>&1 ;; # a link to ccache may lead nowhere
    hdr:*)
        for dir in "${include_path[@]}"; do [ -e "$dir/$what" ] && return 0; done
        return 1
        ;;
    lib:*)
        for dir in "${library_path[@]}"; do [ -e "$dir/$what" ] && return 0; done
        return 1
        ;;
    py:*)
        : "${modules:=$(modules "$(interpreter)")}"
        case " $modules " in *" $what "*) return 0 ;; *) return 1 ;; esac
        ;;
    esac
}

# modules PYTHON: those of the table that it finds, in one process; it begins with a word that
# is none. They are not imported, nor the packages that they lie in: pandas and its like take
# a second each.
modules() {
    local sets package probe rest all=()
    while read -r sets package probe rest; do
        case "$probe" in py:*) all+=("${probe#py:}") ;; esac
    done <<<"$TABLE"
    printf "found "
    "$1" -c 'import sys
for name in sys.argv[1:]:
    words, path, spec = name.split("."), None, None
    for i in range(len(words)):
        found = (f.find_spec(".".join(words[: i + 1]), path) for f in sys.meta_path)
        spec = next(filter(None, found), None)
        if spec is None:
            break
        path = spec.submodule_search_locations or []
    print(name if spec else "")' "${all[@]}" 2>/dev/null | tr '\n' ' '
}

# interpreter: the first python3 where it has all that the set python needs, else Debian's
# own, for which the packages are.
interpreter() {
    local sets package probe rest here
    here=$(modules python3)
    while read -r sets package probe rest; do
        case ",$sets,$probe" in
        *,python,py:*) case " $here " in *" ${probe#py:} "*) ;; *) echo /usr/bin/python3 && return ;; esac ;;
        esac
    done <<<"$TABLE"
    command -v python3
}

# in_set SETS SET: test is what its own rows name, and all that it builds and looks at.
in_set() {
    case "$2" in
    all) case "$1" in games | d3d | piglit) return 1 ;; esac ;;
    test) [[ $1 =~ (^|,)(verilate|igpu|python|lint|test|docs|man)(,|$) ]] ;;
    build) [[ $1 =~ (^|,)(verilate|igpu|build)(,|$) ]] ;;
    *) case ",$1," in *",$2,"*) return 0 ;; *) return 1 ;; esac ;;
    esac
}

# missing SET: the packages to install, one a line.
missing() {
    local sets package probe rest
    while read -r sets package probe rest; do
        [ -n "$sets" ] && in_set "$sets" "$1" || continue
        case "$probe" in cc:*) package=$(package_of_compiler "${probe#cc:}" "$package") ;; esac
        case " ${IGPU_FAKE_MISSING:-} " in
        *" $package "*) echo "$package" ;;
        *) found "$probe" || echo "$package" ;;
        esac
    done <<<"$TABLE"
}

# Verilator before 5.006 has neither the options nor the speed; say so early.
check_verilator_version() {
    local version
    version=$(verilator --version 2>/dev/null | awk '{print $2}')
    awk -v v="$version" 'BEGIN { split(v, p, "."); exit !(p[1] + p[2] / 1000 >= 5.006) }' && return 0
    echo "error: verilator $version found; 5.006 or later is needed (Debian 12 has it)" >&2
    return 1
}

# may_install PACKAGE...: as root, or through sudo without a password, packages can be
# installed here; else the command for these is printed.
may_install() {
    apt=${IGPU_APT:-apt-get} sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    advice="${sudo:+$sudo }apt-get update && ${sudo:+$sudo }apt-get install -y --no-install-recommends $*"

    if ! command -v "$apt" >/dev/null; then
        echo "error: missing: $* (Debian package names), and there is no apt-get here." >&2
        echo "Install their equivalents and run make again." >&2
        return 1
    fi
    if [ -n "${IGPU_NO_INSTALL:-}" ] || { [ -n "$sudo" ] && ! sudo -n true 2>/dev/null; }; then
        echo "error: missing packages. Install them with this command, then run make again:" >&2
        echo "  $advice" >&2
        return 1
    fi
}

# install PACKAGE...: or not at all, where that may not be.
install() {
    local apt sudo advice
    may_install "$@" || return 1
    [ -z "$sudo" ] || sudo="sudo -n"
    echo "installing: $*" >&2
    local run="$sudo env DEBIAN_FRONTEND=noninteractive $apt -y -o DPkg::Lock::Timeout=300"
    $run update >&2 </dev/null || echo "warning: apt-get update failed; going on" >&2
    if ! $run install --no-install-recommends "$@" >&2 </dev/null; then
        echo "error: the installation failed. The command was:" >&2
        echo "  $advice" >&2
        return 1
    fi
}

# install_pypi SET: what that set has from PyPI and is not installed, or was of another list.
install_pypi() {
    local sets list folder python
    python=$(command -v python3 || echo /usr/bin/python3)
    while read -r sets list folder; do
        [ -n "$sets" ] && in_set "$sets" "$1" || continue
        folder=${BUILD:-build}/$folder
        cmp -s "$list" "$folder/requirements.txt" && continue
        if [ -n "${IGPU_NO_INSTALL:-}" ]; then
            echo "error: missing Python packages. Install them with this command, then run make again:" >&2
            echo "  BUILD=${BUILD:-build} .ci/deps.sh ensure $1" >&2
            return 1
        fi
        echo "installing: $(grep -v '^#' "$list" | tr '\n' ' ')from PyPI, into $folder" >&2
        rm -rf "$folder"
        mkdir -p "${folder%/*}"
        if ! "$python" -m venv "$folder" ||
            ! "$folder/bin/pip" install -q --disable-pip-version-check -r "$list" >&2; then
            rm -rf "$folder"
            echo "error: the installation of $list from PyPI failed; run make again" >&2
            return 1
        fi
        cp "$list" "$folder/requirements.txt"
    done <<<"$PYPI"
}

ensure() {
    local packages apt sudo advice
    if [ "$1" = build ]; then # who installs by hand is told all at once
        packages=$(missing test | sort -u)
        # shellcheck disable=SC2086 # a list of words
        [ -z "$packages" ] || may_install $packages || return 1
    fi
    packages=$(missing "$1" | sort -u)
    if [ -n "$packages" ]; then
        # shellcheck disable=SC2086 # a list of words
        install $packages || return 1
        IGPU_FAKE_MISSING=""
        packages=$(missing "$1" | sort -u | tr '\n' ' ')
        if [ -n "$packages" ]; then
            echo "error: still missing after the installation: $packages" >&2
            return 1
        fi
    fi
    install_pypi "$1" || return 1
    case "$1" in igpu | build | lint | fpga | board | python | man | docs | long | slurm | frames | games | d3d | piglit) ;; *) check_verilator_version ;; esac
}

# version PROBE PACKAGE: as the tool says it, else as dpkg says it.
version() {
    local what=${1#*:}
    case "$1" in
    cmd:yosys) yosys -V ;;
    cmd:iverilog) iverilog -V ;;
    cmd:ocloc | cmd:iga64 | hdr:* | lib:* | py:*)
        # shellcheck disable=SC2016 # dpkg-query's own format
        dpkg-query -W -f '${Version}' "$2" 2>/dev/null || echo found
        ;;
    *) $what --version ;;
    esac 2>/dev/null | head -n 1
}

doctor() {
    local sets package probe rest needed bad=0 set main=0
    printf '%-44s %-32s %s\n' "tool" "found" "needed by make"
    while read -r sets package probe rest; do
        [ -n "$sets" ] && [ "$sets" != games ] && [ "$sets" != d3d ] && [ "$sets" != piglit ] || continue
        case "$probe" in cc:*) package=$(package_of_compiler "${probe#cc:}" "$package") ;; esac
        case "$sets" in *test* | long | slurm | board) needed=$sets ;; *) needed=$sets,test ;; esac
        if found "$probe" && [[ " ${IGPU_FAKE_MISSING:-} " != *" $package "* ]]; then
            printf '%-44s %-32.32s %s\n' "$rest" "$(version "$probe" "$package")" "$needed"
        else
            printf '%-44s %-32s %s\n' "$rest" "MISSING: package $package" "$needed"
            bad=1
        fi
    done <<<"$TABLE"
    for set in verilate igpu python test; do
        bad=$(missing "$set" | sort -u | tr '\n' ' ')
        if [ -z "$bad" ]; then echo "make $set: ready"; else echo "make $set: lacks ${bad% }"; fi
        [ -z "$bad" ] || [ "$set" = test ] || main=1
    done
    [ "$main" = 0 ] && echo "Vigpu can be built and used." ||
        echo "make deps installs what is missing."
    return "$main"
}

case " verilate igpu python test build lint fpga board man docs long slurm frames games d3d piglit all " in
*" ${2:-none} "*) known=yes ;;
*) known=no ;;
esac
case "${1:-} ${2:+$known}" in
"check yes")
    packages=$(missing "$2" | sort -u)
    [ -z "$packages" ] || { echo "$packages" && exit 1; }
    ;;
"ensure yes") ensure "$2" ;;
"doctor ") doctor ;;
"python ") interpreter ;;
*) usage ;;
esac
