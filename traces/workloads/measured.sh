#!/usr/bin/env bash
# measured.sh [DIR] - the traces of programs that `igpu bench measured` times (default:
# the cache folder's `measured`). From the top folder, after `make igpu`.
#
# apt-get install glmark2-es2-x11 glmark2-data libegl-dev libgles-dev xvfb xauth hashcat git g++ \
#   ocl-icd-opencl-dev
# FluidX3D is cloned from its repository; FLUIDX3D=FOLDER takes a clone that is there.
# What is not installed or cannot be had is told and left out; what is recorded, kept.
set -u
igpu=$PWD/igpu
folder=$(realpath -m "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/vigpu/measured}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" || exit 1
have() { command -v "$1" >/dev/null || { echo "measured.sh: no $1, left out" >&2; false; }; }
# keep NAME TRACE: the trace is a row's, unless there is none.
keep() {
    if [ -s "$2" ]; then mv "$2" "$folder/$1.pb"; else echo "measured.sh: $1 gave no trace" >&2; fi
}
wanted() { [ ! -s "$folder/$1.pb" ]; }

# glmark2's scenes that were published of an HD 530.
if have glmark2-es2 && have xvfb-run; then
    traces/workloads/glmark2.sh "$folder" build bump effect2d desktop ideas terrain shadow
fi

# A pass that reads a compressed target: noise, and squares of 8x8 pixels.
packed() { # NAME SQUARE
    wanted "packed-$1" || return 0
    "$igpu" gl --frames 2 -o "$work/frame.igf" -- "$work/packed" "$2" >"$work/log" 2>&1 &&
        "$igpu" frame trace -o "$work/frame.pb" "$work/frame.igf" >>"$work/log" 2>&1
    keep "packed-$1" "$work/frame.pb"
}
if wanted packed-noise || wanted packed-8x8; then
    if cc -std=c11 -O1 -o "$work/packed" traces/workloads/packed.c -lEGL -lGLESv2 2>"$work/log"; then
        packed noise 0
        packed 8x8 3
    else
        echo "measured.sh: packed.c is not compiled (libegl-dev, libgles-dev), left out" >&2
    fi
fi

# hashcat: a launch of 24,576 candidates and 3 rounds, behind its autotuning.
if wanted hashcat-1600 && have hashcat; then
    # shellcheck disable=SC2016
    echo '$apr1$71850310$gh9m4xcAn3MGxogwX/ztb.' >"$work/hash"
    (cd "$work" && HOME=$work "$igpu" run -d cfl-gt2 -o hashcat -k m01600_loop --launches 23..24 --quiet -- \
        hashcat -m 1600 -a 3 hash '?l?l?l?l?l?l' --force --self-test-disable -n 4 -u 3 -T 256 \
        --runtime 12 --potfile-disable >log 2>&1)
    keep hashcat-1600 "$(find "$work/hashcat" -name '*.pb' | sort | tail -n 1)"
fi

# FluidX3D: its benchmark in a box of 128x128x64, the second step.
fluidx3d() { # NAME SED-SCRIPT
    wanted "fluidx3d-$1" || return 0
    cp -r "$FLUIDX3D" "$work/$1" && cd "$work/$1" || return 0
    sed -i 's/LBM lbm(256u, 256u, 256u, 1.0f);/LBM lbm(128u, 128u, 64u, 1.0f);/; s/i<1000u/i<1u/
        s/lbm.run(10u, 1000u\*10u)/lbm.run(3u, 3u)/' src/setup.cpp
    sed -i "$2" src/defines.hpp
    g++ -std=c++17 -pthread -O -w -I src/OpenCL/include src/*.cpp -o fluidx3d -lOpenCL 2>"$work/log" &&
        "$igpu" run -d cfl-gt2 -o "$work/$1-out" -k stream_collide --one --launches 2..2 --quiet -- \
            ./fluidx3d >"$work/log" 2>&1
    keep "fluidx3d-$1" "$work/$1-out/trace.pb"
}
if wanted fluidx3d-fp32 || wanted fluidx3d-fp16s || wanted fluidx3d-fp16c; then
    if [ -z "${FLUIDX3D:-}" ] && have git; then
        FLUIDX3D=$work/clone
        git clone -q https://github.com/ProjectPhysX/FluidX3D "$FLUIDX3D" &&
            git -C "$FLUIDX3D" checkout -q 8986874 || FLUIDX3D=
    fi
    if [ -n "${FLUIDX3D:-}" ] && have g++; then
        (fluidx3d fp32 's,^#define FP16S,//&,')
        (fluidx3d fp16s '')
        (fluidx3d fp16c 's,^#define FP16S,//&,; s,^//#define FP16C,#define FP16C,')
    else
        echo "measured.sh: no FluidX3D, left out" >&2
    fi
fi
exit 0
