#!/usr/bin/env bash
# programs.sh [PROGRAM...] - user CPU seconds of programs that nobody here wrote, on this driver
# and on pocl, one host thread each: clblast hashcat xsbench minibude.
#
# Rule: a long run less a short one, so start, compilers and input fall out; five of each in
# turn, medians, and the ratio's median. Once before, so that compilers and translators have what
# they keep. From the top folder after `make igpu`.
# apt-get install clinfo libclblast1 hashcat pocl-opencl-icd python3-numpy python3-pyopencl time;
# XSBENCH: the program of github.com/ANL-CESAR/XSBench (opencl/, `make`); MINIBUDE: the one of
# github.com/UoB-HPC/miniBUDE (-DMODEL=ocl), BM1: its data/bm1.
set -u
icd=${ICD:-$PWD/build/lib/vigpu.icd} pocl=${POCL:-/etc/OpenCL/vendors/pocl.icd} here=$PWD/tests/perf/jit
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
echo 'WPA*01*4d4fe7aac3a2cecab195321ceb99a7d0*fc690c158264*f4747f87f9f4*686173686361742d6573736964***' >hash

run() { # ICD COMMAND...: user CPU seconds
    OCL_ICD_VENDORS=$1 IGPU_HOST_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 \
        /usr/bin/time -f %U -o "$work/time" "${@:2}" >"$work/log" 2>&1 </dev/null
    tail -n 1 "$work/time"
}
once() { # PROGRAM ICD short|long
    case $1.$3 in
    clblast.*) run "$2" /usr/bin/python3 "$here/gemm.py" 1024 "$([ "$3" = short ] && echo 1 || echo 5)" ;;
    hashcat.*) run "$2" hashcat -m 22000 -a 3 hash 'hash?l?l?d?d' --force --self-test-disable -n 1 -u 64 -T 64 \
        --potfile-disable -d 1 --limit "$([ "$3" = short ] && echo 256 || echo 8448)" ;;
    xsbench.*) run "$2" "$XSBENCH" -m event -s small -G unionized -g 1000 -l "$([ "$3" = short ] && echo 1000 || echo 201000)" ;;
    minibude.*) run "$2" "$MINIBUDE" -n 2048 -p 2 -w 64 --deck "$BM1" -i "$([ "$3" = short ] && echo 1 || echo 5)" ;;
    *) echo "programs.sh: $1: expected clblast, hashcat, xsbench or minibude" >&2 && exit 2 ;;
    esac
}
middle() { sort -g | sed -n 3p; }

[ $# -gt 0 ] || set -- clblast hashcat xsbench minibude
cp -r "$(dirname "${XSBENCH:-$0}")"/*.cl . 2>/dev/null
echo "| program | this driver, s | pocl, s | ratio |"
echo "|---|---|---|---|"
for program in "$@"; do
    for who in "$icd" "$pocl"; do once "$program" "$who" long >/dev/null || exit 2; done
    for _ in 1 2 3 4 5; do
        a=$(once "$program" "$icd" short) b=$(once "$program" "$icd" long)
        c=$(once "$program" "$pocl" short) d=$(once "$program" "$pocl" long)
        awk -v a="$a" -v b="$b" -v c="$c" -v d="$d" 'BEGIN { print b - a, d - c, (b - a) / (d - c) }'
    done >"$work/all"
    echo "| $program | $(cut -d' ' -f1 "$work/all" | middle) | $(cut -d' ' -f2 "$work/all" | middle) |" \
        "$(cut -d' ' -f3 "$work/all" | middle) |"
done
