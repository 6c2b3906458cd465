#!/usr/bin/env bash
# igpu run: an unmodified program's launches become traces, filtered and timed as asked.
# tests/run: slow
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
program=$build/tests/ocl/test_ocl_compute
launches=13 # of it
out=""

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}
traces() { find "$1" -name '*.pb' | wc -l; }

out=$("$igpu" run -o "$tmp/all" "$program" 2>&1) && [ "$(traces "$tmp/all")" = $launches ] &&
    [ "$(wc -l <"$tmp/all/launches.csv")" = $((launches + 1)) ] && grep -q "^all  *$launches  *$launches " <<<"$out"
check "each launch leaves a trace, a line and its part of the table"
out=$(for t in "$tmp"/all/*.pb; do "$igpu" trace verify "$t" || exit 1; done 2>&1)
check "the traces verify"
out=$("$igpu" run -o "$tmp/again" "$program" 2>&1) &&
    for t in "$tmp"/all/*.pb; do cmp "$t" "$tmp/again/${t##*/}" || exit 1; done
check "a second run records the same bytes"
out=$("$igpu" run -o "$tmp/all" "$program" 2>&1)
[ "$?" = 2 ] && grep -q 'earlier run' <<<"$out"
check "a folder with another run is refused"

out=$("$igpu" run -o "$tmp/one" --one "$program" 2>&1) &&
    out=$("$igpu" trace info "$tmp/one/trace.pb" 2>&1) && grep -qE "^launches +$launches" <<<"$out"
check "--one: one trace for all"
out=$("$igpu" run -o "$tmp/k" -k 'f*' "$program" 2>&1) && [ "$(ls "$tmp"/k/*.pb)" = "$tmp/k/0006-fill.pb" ]
check "-k: only kernels that match"
out=$("$igpu" run -o "$tmp/r" --launches 2..6 --every 2 "$program" 2>&1) &&
    [ "$(cd "$tmp/r" && echo *.pb)" = "0002-ids.pb 0004-add.pb 0006-fill.pb" ]
check "--launches and --every: a range, sampled"
out=$("$igpu" run -o "$tmp/n" --instructions 700 "$program" 2>&1) && [ "$(traces "$tmp/n")" = 2 ]
check "--instructions: no further launch after so many"

out=$("$igpu" run -o "$tmp/time" --time -k ids -d kbl "$build/tests/ocl/test_ocl_time" 2>&1) &&
    [ "$(traces "$tmp/time")" = 0 ]
check "--time: events tell simulated time; nothing else is left"
cycles=$(awk -F, '$2 == "saxpy" {print $11; exit}' "$tmp/time/launches.csv")
out=$("$igpu" run -o "$tmp/saxpy" -d kbl -k saxpy --launches 0 "$build/tests/ocl/test_ocl_time" 2>&1)
[ -n "$cycles" ] && out=$("$igpu" ref -c kbl-gt3e "$tmp/saxpy/0000-saxpy.pb" 2>&1) &&
    grep -qE "^cycles +$cycles\$" <<<"$out"
check "--time simulates what igpu ref does on the trace"
cycles=$(awk -F, '$2 == "saxpy" {print $11}' "$tmp/time/launches.csv")
out=$("$igpu" run -o "$tmp/three" --one -d kbl --launches 0..2 "$build/tests/ocl/test_ocl_time" 2>&1) &&
    out=$("$igpu" ref --quiet -c kbl-gt3e --csv - "$tmp/three/trace.pb" 2>&1) && [ "$(wc -w <<<"$cycles")" = 3 ] &&
    out=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") n = i } NR > 1 && NR < 5 { print $n }' <<<"$out") &&
    [ "$out" = "$cycles" ]
check "launches that follow each other find the caches as in one trace of all"

out=$("$igpu" run -o "$tmp/policy" --one -k mad "$build/tests/ocl/test_ocl_time" 2>&1) &&
    out=$("$igpu" trace dump --no-code --threads 0..0 "$tmp/policy/trace.pb" | grep '^arbiter: ' | tr '\n' ' ') &&
    [ "$out" = "arbiter: oldest arbiter: rr " ]
check "a trace says how a launch's threads were chosen, where the program did"
engine() { # engine CONFIG COMMAND...: cycles of these launches, or that the engine refuses
    "${@:2}" --quiet --csv - --kernels 1..4 -s eu.arbiter="$1" "$tmp/policy/trace.pb" 2>&1 |
        awk -F, '/^Vigpu: eu.arbiter=oldest: the engine .rtl. has only rr/ { print "refused" }
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") n = i } NR > 1 && NR < 6 { print $n }' | xargs
}
rr=$(engine rr "$igpu" ref) oldest=$(engine oldest "$igpu" ref) rtl=$(engine rr "$build/bin/Vigpu")
out="rr $rr, oldest $oldest, rtl $rtl" # plain, plain, oldest, rr
read -r -a a <<<"$rr" && read -r -a b <<<"$oldest"
[ "${#a[@]}" = 4 ] && [ "${a[2]}" != "${a[3]}" ] && [ "${a[0]}" != "${b[0]}" ] &&
    { [ "$rtl" = "$rr" ] || [ "$rtl" = refused ]; }
check "and that counts, in every engine; the configuration for the others"

printf 'base: skl-gt2\neu.threads: 4\n' >"$tmp/four.yaml"
here=$PWD
out=$(cd "$tmp" && "$here/$igpu" run -o byfile --time -d skl -c four.yaml sh -c "cd $here && exec $build/tests/ocl/test_ocl_time" 2>&1) &&
    out=$(awk -F, 'NR > 1 && $11 == 0' "$tmp/byfile/launches.csv" 2>&1) && [ -z "$out" ]
check "--time -c FILE: the program may change its folder"
mkdir "$tmp/left"
out=$(TMPDIR=$tmp/left "$igpu" run --time "$build/tests/ocl/test_ocl_time" 2>&1) && [ -z "$(ls -A "$tmp/left")" ]
check "--time leaves no temporary file"
out=$(grep -E '^(kernel .* cycles  *time us|saxpy  *[0-9]+  *0  *[0-9]+ )' <<<"$out") && [ "$(wc -l <<<"$out")" = 2 ]
check "--time: a table without -o, too"
# shellcheck disable=SC2016 # for the inner shell
out=$(TMPDIR=$tmp/left timeout 20 "$igpu" run --time sh -c 'kill -TERM $PPID; exec sleep 30' 2>&1)
[ "$?" = 143 ] && grep -q 'killed by signal 15' <<<"$out" && grep -q 'no launch' <<<"$out" && [ -z "$(ls -A "$tmp/left")" ]
check "a signal ends the program; the table comes, nothing is left"
out=$("$igpu" run -o "$tmp/cut" "$build/tests/ocl/test_ocl_range" 2>&1) &&
    out=$("$igpu" trace verify "$tmp/cut/0000-ids.pb" 2>&1 && "$igpu" trace info "$tmp/cut/0000-ids.pb" 2>&1) &&
    grep -qE '^launches +4' <<<"$out"
check "a range with groups cut off in two dimensions is a trace of four launches"
for threads in 1 2; do
    out=$("$igpu" run --threads $threads -o "$tmp/t$threads" -k mix "$build/tests/ocl/test_ocl_range" 2>&1) || break
done && out=$(cmp "$tmp/t1/0003-mix.pb" "$tmp/t2/0003-mix.pb")
check "--threads: the same trace from any number of host threads"
out=$("$igpu" run -o "$tmp/s" --sample windows=2 -k mix "$build/tests/ocl/test_ocl_range" 2>&1) &&
    grep -qE '^mix .* 2048 .* 1 sampled' <<<"$out" &&
    out=$("$igpu" trace info "$tmp/s/0003-mix.pb" 2>&1) && grep -qE '^threads +1176$' <<<"$out"
check "--sample: a trace of some threads, everything executed"

out=$("$igpu" run -o "$tmp/killed" sh -c "touch $tmp/killed/0000-k.pb.\$\$.01234567.part; kill -TERM \$\$" 2>&1)
[ "$?" = 143 ] && out=$(ls "$tmp/killed") && [ -z "$out" ]
check "a killed program leaves no beginning of a trace"
# A program that is recorded by the environment alone ends in a handler of its own amidst a
# launch, or is killed.
queue() { IGPU_TRACE_DIR=$1 IGPU_TEST_ONLY='a_signals*' exec "$build/tests/ocl/test_ocl_queue"; }
out=$(queue "$tmp/exits" 2>&1) && [ -e "$tmp/exits/0000-spin.pb" ] && out=$(ls "$tmp/exits") && ! grep part <<<"$out"
check "a program that ends amidst a launch leaves no beginning of a trace"
(queue "$tmp/kill9" >/dev/null 2>&1) &
for _ in {1..400}; do
    ls -l "$tmp/kill9" /proc/[0-9]*/fd 2>/dev/null | grep -q -e '\.part$' -e "/kill9/#" && break
    sleep 0.05
done
pkill -KILL -P $!
kill -KILL $!
wait $! 2>/dev/null
out=$(ls "$tmp/kill9") && [ -e "$tmp/kill9/launches.csv" ] && ! grep part <<<"$out"
check "nor does one that is killed"
out=$("$igpu" run -o "$tmp/four.yaml" true 2>&1)
[ "$?" = 2 ] && grep -q 'four.yaml: is no folder' <<<"$out"
check "-o FILE is refused"
out=$("$igpu" run sh -c 'exit 7' 2>&1)
[ "$?" = 7 ]
check "the exit status is the program's"
out=$("$igpu" run /no/such/program 2>&1)
[ "$?" = 127 ] && grep -q 'No such file' <<<"$out"
check "a program that is not there"
out=$("$igpu" run -s eu.threads=4 true 2>&1)
[ "$?" = 2 ] && grep -q -- '--time' <<<"$out"
check "settings without --time are refused"
out=$("$igpu" run --time -s no.such=4 true 2>&1)
[ "$?" = 2 ] && grep -q 'no.such' <<<"$out"
check "an unknown setting is refused"
for bad in '--every 0' '--time --one true' '--sample error=2% true' '--time --sample 1344 true' '--time --sample error=2 true' '--time --skip-rest true' '--threads 0' '--launches x' '--launches 5..1' '-d tgl' '--bogus' ''; do
    # shellcheck disable=SC2086 # a list of words
    out=$("$igpu" run $bad 2>&1)
    [ "$?" = 2 ] && [ "$(wc -l <<<"$out")" = 1 ]
    check "usage: run $bad"
done
(
    IGPU_TRACE_DIR=$tmp/env OCL_ICD_VENDORS=$build/lib "$program" &&
        IGPU_TRACE_DIR=$tmp/env OCL_ICD_VENDORS=$build/lib "$program"
) >/dev/null 2>&1
[ -f "$tmp/env/0000-saxpy.pb" ] && [ -f "$tmp/env/1-0000-saxpy.pb" ] && [ -f "$tmp/env/launches.1.csv" ]
check "the environment alone records; a second process keeps apart"

for wrong in HOST_THREADS=0 MAX_INSTRUCTIONS=abc LENIENT=yes TIME=maybe DEVICE=tgl SAMPLE=-1 SKIP_REST=2 QUIET=x \
    TRACE_ONE=yes TRACE_EVERY=0 TRACE_INSTRUCTIONS=1e6 TRACE_LAUNCHES=2..1 TRACE_LAUNCHES=1..; do
    rm -rf "$tmp/wrong"
    out=$(env "IGPU_$wrong" IGPU_TRACE_DIR="$tmp/wrong" OCL_ICD_VENDORS="$build/lib" "$program" 2>&1) &&
        [ "$(grep -c "^vigpu: IGPU_${wrong%=*}='${wrong#*=}' is not used: expected" <<<"$out")" = 1 ] &&
        out=$(traces "$tmp/wrong") && [ "$out" = $launches ]
    check "IGPU_$wrong is told once, and not used"
done
out=$("$igpu" run -o "$tmp/s2" --sample windows=2,seed=2 -k mix "$build/tests/ocl/test_ocl_range" 2>&1) &&
    ! cmp -s "$tmp/s/0003-mix.pb" "$tmp/s2/0003-mix.pb"
check "--sample with another seed: other threads"
out=$(IGPU_TIME=1 IGPU_SAMPLE=windows=256 OCL_ICD_VENDORS=$build/lib "$program" 2>&1) && ! grep -q vigpu: <<<"$out"
check "a sample larger than any launch is all of it"

# A plugin that ends after the driver: its last commands are still executed.
cat >"$tmp/plugin.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
static cl_command_queue queue;
static cl_mem buffer;
void use(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    buffer = clCreateBuffer(context, 0, 64 << 20, NULL, NULL);
    for (char i = 0; i < 40; i++)
        clEnqueueFillBuffer(queue, buffer, &i, 1, 0, 64 << 20, 0, NULL, NULL);
}
static void __attribute__((destructor)) end(void)
{
    char last = 0;
    cl_int status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 5, 1, &last, 0, NULL, NULL);
    printf("status %d, %d\n", status, last);
}
C
cat >"$tmp/host.c" <<'C'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    unsigned n;
    void *cl = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL), *plugin;
    void (*use)(void);
    ((int (*)(unsigned, void *, unsigned *))dlsym(cl, "clGetPlatformIDs"))(0, 0, &n);
    plugin = dlopen(argv[argc - 1], RTLD_NOW);
    *(void **)&use = dlsym(plugin, "use");
    use();
    return 0;
}
C
out=$({ "${CC:-gcc}" -shared -fPIC -o "$tmp/plugin.so" "$tmp/plugin.c" -lOpenCL &&
    "${CC:-gcc}" -o "$tmp/host" "$tmp/host.c" -ldl && timeout 60 "$igpu" run "$tmp/host" "$tmp/plugin.so"; } 2>&1) &&
    [ "$out" = "status 0, 39" ]
check "a library that ends after the driver can still finish its queue"

# A folder relative to where the program began.
cat >"$tmp/moves.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <unistd.h>
int main(void)
{
    const char *source = "kernel void k(void) {}";
    const size_t one = 1;
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    for (int i = 0; i < 2; i++)
        if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) != 0 ||
            clFinish(queue) != 0 || chdir("/") != 0)
            return 1;
    return 0;
}
C
out=$({ "${CC:-gcc}" -o "$tmp/moves" "$tmp/moves.c" -lOpenCL && driver=$(realpath "$build/lib") && cd "$tmp" &&
    IGPU_TRACE_DIR=moved OCL_ICD_VENDORS=$driver ./moves && ls moved; } 2>&1) &&
    [ "$out" = $'0000-k.pb\n0001-k.pb\nlaunches.csv' ]
check "a relative folder stays where it was when the program changes its own"

# Killed, it cannot remove the folder of its list of launches: the next one does, once the
# program is over. (It is told to end, too: this one does not listen.)
mkdir "$tmp/kill"
TMPDIR=$tmp/kill "$igpu" run --time sh -c "trap '' TERM; echo \$\$ >$tmp/pid; while [ ! -e $tmp/go ]; do sleep 0.05; done" &
run=$!
for _ in $(seq 200); do [ -s "$tmp/pid" ] && break || sleep 0.05; done
kill -KILL $run
wait $run 2>/dev/null
touch -d '1 hour ago' "$tmp"/kill/*
out=$(TMPDIR=$tmp/kill "$igpu" run true 2>&1) && [ "$(ls "$tmp/kill" | wc -l)" = 1 ]
check "a killed run's folder stays while its program runs"
touch "$tmp/go"
while kill -0 "$(cat "$tmp/pid")" 2>/dev/null; do sleep 0.05; done
out=$(TMPDIR=$tmp/kill "$igpu" run true 2>&1) && out=$(ls "$tmp/kill") && [ -z "$out" ]
check "and goes with the next run"

# A foreign igpu_ocloc, wherever the driver could be led to, is not executed.
mkdir -p "$tmp"/evil/{bin/build/lib,lib,driver,away/driver}
cp "$build/lib/libigpu_ocl.so" "$build/lib/igpu_ocloc" "$tmp/evil/driver/"
echo "driver/libigpu_ocl.so" >"$tmp/evil/driver/vigpu.icd"
printf '#!/bin/sh\ntouch %s/evil/executed\nexit 1\n' "$tmp" >"$tmp/evil/lib/igpu_ocloc"
chmod +x "$tmp/evil/lib/igpu_ocloc"
for place in bin bin/build/lib away/driver; do cp "$tmp/evil/lib/igpu_ocloc" "$tmp/evil/$place/"; done
cat >"$tmp/compiles.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    const char *source = "kernel void evil(global int *a) { *a = 66; }";
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (argc > 1 && chdir(argv[1]) != 0)
        return 1;
    return clBuildProgram(program, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS;
}
C
out=$("${CC:-gcc}" -o "$tmp/evil/bin/compiles" "$tmp/compiles.c" -lOpenCL 2>&1 && cd "$tmp/evil" &&
    for folder in . away; do
        XDG_CACHE_HOME=$(mktemp -d -p "$tmp") OCL_ICD_VENDORS=driver/libigpu_ocl.so bin/compiles $folder || exit 1
    done 2>&1) && [ ! -e "$tmp/evil/executed" ]
check "a driver loaded by a relative path executes no foreign compile server"
rm "$tmp/evil/driver/igpu_ocloc"
out=$(cd "$tmp/evil" && XDG_CACHE_HOME=$(mktemp -d -p "$tmp") OCL_ICD_VENDORS=driver/libigpu_ocl.so bin/compiles away 2>&1) &&
    [ ! -e "$tmp/evil/executed" ]
check "without a server of its own the driver compiles by ocloc, not by one beside the program"

# What takes long is told after ten seconds, without a terminal too: a slow compiler, and
# many short launches.
mkdir "$tmp/slow"
printf '#!/bin/sh\n[ "$1" = compile ] && sleep 11\nexec %s "$@"\n' "$(command -v ocloc)" >"$tmp/slow/ocloc"
chmod +x "$tmp/slow/ocloc"
sed -e 's/i < 2/i < 56/; s/ || chdir("\/") != 0/ || usleep(200000) != 0/' "$tmp/moves.c" >"$tmp/many.c"
"${CC:-gcc}" -D_DEFAULT_SOURCE -o "$tmp/many" "$tmp/many.c" -lOpenCL
for quiet in "" --quiet; do
    PATH=$tmp/slow:$PATH XDG_CACHE_HOME=$(mktemp -d -p "$tmp") "$igpu" run $quiet "$tmp/evil/bin/compiles" \
        >"$tmp/compiling$quiet" 2>&1 &
    "$igpu" run $quiet "$tmp/many" >"$tmp/launching$quiet" 2>&1 &
done
wait
out=$(cat "$tmp/compiling")
[[ $out =~ ^vigpu:\ compiling\ for\ skl,\ 1[0-9]\ s$ ]]
check "a compilation of eleven seconds is told"
out=$(cat "$tmp/launching")
[[ $out =~ ^vigpu:\ [0-9]+\ launches\ in\ 1[0-9]\ s,\ next\ [0-9]+,\ kernel\ k$ ]]
check "short launches for eleven seconds are told of together"
out=$(cat "$tmp/compiling--quiet" "$tmp/launching--quiet") && [ -z "$out" ]
check "--quiet: neither is"

# shellcheck disable=SC2016 # for the inner shell
# A copy uses its own driver, whatever path its vigpu.icd still has.
mkdir -p "$tmp/copy/bin"
cp -r "$build/lib" "$tmp/copy/lib"
cp "$igpu" "$tmp/copy/bin/"
out=$("$tmp/copy/bin/igpu" run sh -c '"$1" && readlink -f "$OCL_ICD_VENDORS"' sh "$tmp/evil/bin/compiles" 2>&1) &&
    [ "$out" = "$(realpath "$tmp/copy/lib/libigpu_ocl.so")" ]
check "igpu run of a copied folder takes the driver there"
out=$(OCL_ICD_VENDORS=$tmp/copy/lib "$tmp/evil/bin/compiles" 2>&1) &&
    [ "$(grep -c "^vigpu: $tmp/copy/lib/vigpu.icd names another driver, .*make igpu" <<<"$out")" = 1 ]
check "a copied vigpu.icd that names the original's driver is told"
out=$(OCL_ICD_VENDORS=$build/lib "$tmp/evil/bin/compiles" 2>&1) && ! grep -q 'names another driver' <<<"$out"
check "and an own one is not"

# Devices, and what they are called.
cat >"$tmp/name.c" <<'C'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
    cl_platform_id platform;
    cl_device_id device[8];
    cl_uint devices = 0;
    char name[128];
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS) return 1;
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, device, &devices);
    for (cl_uint i = 0; i < devices; i++) {
        clGetDeviceInfo(device[i], CL_DEVICE_NAME, sizeof(name), name, NULL);
        puts(name);
    }
    return 0;
}
C
out=$(cc -o "$tmp/name" "$tmp/name.c" -lOpenCL 2>&1)
check "the program that tells names compiles"
named() { # named EXPECTED WHAT OPTION...
    out=$("$igpu" run "${@:3}" "$tmp/name" 2>&1) && [ "$out" = "$1" ]
    check "$2"
}
named "Intel(R) HD Graphics 530 (Vigpu Skylake GT2)
Intel(R) Iris(R) Plus Graphics 650 (Vigpu Kaby Lake GT3e)" "two devices"
named "Intel(R) HD Graphics 620 (Vigpu Kaby Lake GT2)" "-d kbl-gt2" -d kbl-gt2
named "Intel(R) UHD Graphics 630" "--device-name exact" -d cfl-gt2 --device-name exact
named "Quadro" "--device-name of one's own" -d skl --device-name Quadro

# A kernel's own clock is no simulated one, and says so once.
sed -e 's/^    cl_uint devices = 0;/&\n    static const char *text = "ulong __builtin_IB_read_cycle_counter(void); kernel void k(global ulong *o) "\n        "{ *o = __builtin_IB_read_cycle_counter(); }";\n    size_t one = 1;/' \
    -e '/^    return 0;/d' "$tmp/name.c" >"$tmp/clock.c"
sed -i '$d' "$tmp/clock.c"
cat >>"$tmp/clock.c" <<'C'
    cl_context context = clCreateContext(NULL, 1, device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device[0], 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
    clBuildProgram(program, 1, device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    for (int i = 0; i < 3; i++)
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    return clFinish(queue) != CL_SUCCESS;
}
C
out=$(cc -w -o "$tmp/clock" "$tmp/clock.c" -lOpenCL 2>&1) && out=$("$igpu" run --time -d skl "$tmp/clock" 2>&1) &&
    [ "$(grep -c "^vigpu: kernel k reads its clock: it counts the thread's instructions" <<<"$out")" = 1 ]
check "--time: a kernel that reads its clock is told of once"
out=$("$igpu" run -d skl "$tmp/clock" 2>&1) && ! grep -q 'clock' <<<"$out"
check "without --time it is not"
out=$("$igpu" run -o "$tmp/gt2" --one -d kbl-gt2 "$tmp/clock" 2>&1) &&
    out=$("$igpu" ref "$tmp/gt2/trace.pb" 2>&1) && grep -q '^config  *kbl-gt2,' <<<"$out"
check "-d kbl-gt2: its traces are simulated on it"
out=$(IGPU_TIME=1 IGPU_CONFIG=skl-gt2 "$igpu" run -d skl "$tmp/name" 2>&1) &&
    [ "$(grep -c '^igpu run: note: IGPU_[A-Z]*=.* is not used; use -' <<<"$out")" = 2 ] &&
    grep -q 'IGPU_TIME=1 .* use --time$' <<<"$out"
check "variables of options are told, not used"
