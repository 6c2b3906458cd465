#!/bin/sh
# Debian packages, made and used as .ci/Containerfile does it, in two bare Debian 12:
# lintian finds no error, the programs, the driver, the libraries and the Python package
# work where nothing else of Vigpu is, and removing them leaves nothing.
# tests/run: long timeout=7200
. tests/support/cli.sh
. tests/package/chroot.sh
chroot_or_skip
maker=$IGPU_TMP/maker user=$IGPU_TMP/user log=$IGPU_TMP/log

# good WHAT ROOT COMMAND: the command's verdict; its last lines explain a failure.
good() {
    chroot_run "$2" "$3" >"$log" 2>&1 </dev/null
    status=$?
    [ $status = 0 ] || tail -n 20 "$log" | sed 's/^/# /'
    report $status "$1"
}
# stage N: the RUN commands of the Containerfile's N-th stage.
stage() { awk -v n="$1" '/^FROM/ { s++ } s == n && sub(/^RUN /, "")' .ci/Containerfile; }
stages() { # stages N ROOT
    stage "$1" >"$IGPU_TMP/stage"
    while read -r command; do
        good "$command" "$2" "export DEBIAN_FRONTEND=noninteractive IGPU_PATIENCE=10; $command"
    done <"$IGPU_TMP/stage"
}

for root in "$maker" "$user"; do
    chroot_make "$root" ca-certificates >"$log" 2>&1
    report $? "debootstrap"
    [ $failures = 0 ] || exit 1
done
chroot_source "$maker"
stages 1 "$maker"
lintian --fail-on error --allow-root "$maker"/vigpu_*.changes >"$log" 2>&1
status=$?
sed 's/^/# /' "$log"
report $status "lintian finds no error"

good "libvigpu-dev installs" "$maker" "apt-get install -y --no-install-recommends pkg-config /libvigpu-dev_*.deb"
for name in trace sim; do
    good "use_$name compiles against it" "$maker" "gcc -std=c11 -Wall -Werror -o /use_$name \
        tests/package/use_$name.c \$(pkg-config --cflags --libs vigpu-$name)"
done
good "use_opencl compiles" "$maker" "gcc -o /use_opencl tests/package/use_opencl.c -lOpenCL"

mkdir -p "$user/packages"
cp "$maker"/*.deb "$user/packages"
cp "$maker"/use_* "$user"
stages 2 "$user"
samples=/usr/share/doc/vigpu/examples
cycles=$(grep -m 1 '^cycles  ' README.md)
good "Vigpu simulates, with the README's cycles" "$user" \
    "Vigpu --check --quiet $samples/mad_sp.pb | tee /dev/stderr | grep -qx '$cycles'"
good "a program uses the driver through the loader" "$user" "/use_opencl"
good "igpu run times it" "$user" "igpu run --time -- /use_opencl"
cat >"$user/src/saxpy.cl" <<'END'
__kernel void saxpy(__global const float *x, __global float *y, float a)
{
    y[get_global_id(0)] += a * x[get_global_id(0)];
}
END
good "igpu records" "$user" "igpu record -k saxpy -g 4096 -l 256 --arg buf:16K:iota --arg buf:16K:zero \
    --arg f32:2.0 -o /src/saxpy.pb saxpy.cl && Vigpu --check --quiet /src/saxpy.pb"
good "the libraries' programs run" "$user" "/use_trace $samples/mad_sp.pb && /use_sim $samples/mad_sp.pb"
good "the Python package reads a trace" "$user" "igpu trace mix $samples/mad_sp.pb"
.ci/links.py "$user/usr/share/doc/vigpu/site" >"$log" 2>&1
status=$?
sed 's/^/# /' "$log"
report $status "the documentation is there, with no link broken"
good "removing the packages leaves nothing" "$user" "apt-get purge -y '*vigpu*' &&
    test -z \"\$(find / -xdev \\( -name '*vigpu*' -o -name '*igpu*' \\) ! -path '/proc/*' ! -path '/use_*' | grep -v -e ^/var/cache -e ^/root)\""
exit $failures
