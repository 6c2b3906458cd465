#!/usr/bin/env bash
# aarch64.sh BUILD TEST... - unit tests of the C side (csim/test_icache ...) built for
# AArch64 by Debian's cross compiler into BUILD, and run under qemu-user. Needs the Debian
# packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
#
# The libraries come from Debian's archive for arm64 and lie in BUILD/root: the machine's
# own packages are left alone. Intel's IGA, which decodes instructions when a trace is
# recorded, exists for amd64 only: functions that abort stand in for it, so tests that
# decode cannot run. Nothing of Verilator's is built.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: aarch64.sh BUILD TEST...}
shift
host=aarch64-linux-gnu
root=$build/root
libs="libprotobuf-c1 libprotobuf-c-dev libzstd1 libzstd-dev libyaml-0-2 libyaml-dev libelf1
    libelf-dev zlib1g zlib1g-dev libxxhash0 libxxhash-dev libcmocka0 libcmocka-dev libmpfr6
    libmpfr-dev libgmp10 libgmp-dev libpng16-16 libpng-dev libllvm14 libedit2 libz3-4 libtinfo6
    libxml2 libffi8 libbsd0 libmd0 libicu72 liblzma5 libdw1 libdw-dev libbz2-1.0"

# apt-get for arm64, with lists and state of its own.
here=$PWD/$build/apt
apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
        -o APT::Sandbox::User=root -o "Dir::State=$here" -o "Dir::State::status=$here/status" \
        -o "Dir::Cache=$here/cache" "$@"
}
if [ ! -f "$root/complete" ]; then
    mkdir -p "$here/lists/partial" "$here/cache/archives/partial" "$here/debs" "$root"
    : >"$here/status"
    apt update >"$here/log" 2>&1 || true # some archives have nothing for arm64
    # shellcheck disable=SC2086 # a list of words
    (cd "$here/debs" && apt download $libs) >>"$here/log" 2>&1 || {
        echo "aarch64.sh: not all packages for arm64 could be had; the log is $here/log" >&2
        exit 1
    }
    for deb in "$here"/debs/*.deb; do dpkg-deb -x "$deb" "$root"; done
    # LLVM's headers are the same for each host, but for what they call native.
    mkdir -p "$root/llvm/llvm/Config"
    sed 's/X86/AArch64/; s/x86_64-pc/aarch64-unknown/' \
        "$(llvm-config-14 --includedir)/llvm/Config/llvm-config.h" >"$root/llvm/llvm/Config/llvm-config.h"
    touch "$root/complete"
fi

make -s -j2 BUILD="$build" CC=$host-gcc CXX=$host-gcc V_LIBS= \
    CPPFLAGS="-isystem $root/usr/include -isystem $root/usr/include/$host" \
    LDFLAGS="-L$root/usr/lib/$host -Wl,-rpath-link,$root/usr/lib/$host:$root/lib/$host" \
    LLVM_INC="-isystem $root/llvm -isystem $(llvm-config-14 --includedir)" \
    "$build/lib/libigpu_jit.so" "${@/#/$build/tests/}"
failed=0
for test; do
    if qemu-aarch64 -L /usr/$host -E "LD_LIBRARY_PATH=$root/usr/lib/$host:$root/lib/$host" \
        -E "IGPU_BUILD=$build" "$build/tests/$test" >"$build/out" 2>&1 &&
        ! grep -q '# SKIP' "$build/out"; then
        echo "ok $test under qemu-aarch64"
    else
        echo "not ok $test under qemu-aarch64"
        tail -n 5 "$build/out"
        failed=1
    fi
done
exit $failed
