#!/usr/bin/env bash
# programs.sh FOLDER IGPU - record Debian's OpenCL programs into FOLDER/progs, as
# PACKAGE_WHAT__NNNN-KERNEL.pb; those that are not installed are told and left out.
# apt-get install gegl hashcat python3-pyopencl libclblast1 python3-opencv
set -u
folder=$1 igpu=$2 here=$PWD/traces/workloads
work=$folder/work
mkdir -p "$work/rec" && cd "$work" || exit 1

# record NAME LAUNCHES PROGRAM ARGUMENT...
record() {
    local name=$1 launches=$2
    shift 2
    [ -e "rec/$name/launches.csv" ] || timeout 120 "$igpu" run -o "rec/$name" --launches "$launches" --quiet -- "$@" \
        >"$name.log" 2>&1 || echo "programs.sh: $name ended with $?; its launches so far count" >&2
    [ -n "$(ls "rec/$name"/*.pb 2>/dev/null)" ] || echo "programs.sh: $name launched nothing; see $work/$name.log" >&2
    for trace in "rec/$name"/*.pb; do
        [ -e "$trace" ] && ln -sf "$(realpath "$trace")" "$folder/progs/${name}__${trace##*/}"
    done
}
have() { command -v "$1" >/dev/null || { echo "programs.sh: no $1, left out" >&2; false; }; }
python=/usr/bin/python3

if "$python" -c 'import pyopencl' 2>/dev/null; then
    for part in array math sort radix random; do
        record pyopencl_$part 0..23 "$python" "$here/pyopencl_parts.py" $part
    done
    for part in level1 gemv gemm; do record clblast_$part 0..23 "$python" "$here/clblast_parts.py" $part; done
else
    echo "programs.sh: no python3-pyopencl, left out (CLBlast too)" >&2
fi
if "$python" -c 'import cv2' 2>/dev/null; then
    for part in arith filter geom color feature; do
        record opencv_$part 0..23 "$python" "$here/opencv_parts.py" $part
    done
fi
if have gegl; then
    "$python" "$here/picture.py" in.ppm
    export GEGL_USE_OPENCL=gpu
    for operation in "bilateral-filter blur-radius=3" "edge-laplace" "motion-blur-linear length=8" \
        "noise-hsv" "pixelize size-x=8 size-y=8" "levels" "box-blur radius=3" "brightness-contrast contrast=1.5" "snn-mean radius=3" "oilify mask-radius=3"; do
        # shellcheck disable=SC2086
        set -- $operation
        record "gegl_$1" 0..11 gegl in.ppm -o out.png -- "$@"
    done
fi
if have hashcat; then
    echo 900150983cd24fb0d6963f7d28e17f72 >md5.txt
    record hashcat_md5 0..11 hashcat -m 0 -a 3 md5.txt '?l?l?l' --force --self-test-disable -O -n 1 -u 1 -T 32
fi
exit 0
