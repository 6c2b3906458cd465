#!/usr/bin/env bash
# Programs whose path depends on time (traces/kernels/time.cl), executed in time: results
# are right in every configuration, paths differ between configurations and are the same
# in each run and in both engines; what never ends is told, what is damaged refused.
# tests/run: timeout=600 slow turn=0of2
set -u
build=${IGPU_BUILD:?run through tests/run}
tmp=${IGPU_TMP:?run through tests/run}
igpu=$build/bin/igpu
vigpu=$build/bin/Vigpu
out=""
mkdir -p "$tmp"

check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}
launch() { # launch KERNEL GLOBAL ARG...: its launch file
    local args=()
    for a in "${@:3}"; do args+=(--arg "$a"); done
    out=$("$igpu" record -k "$1" -g "$2" -l 16 "${args[@]}" -O -DSIMD=16 --quiet \
        --launch "$tmp/$1.pb" traces/kernels/time.cl 2>&1)
}
execute() { # execute NAME KERNEL OPTION...: on the reference, into NAME.N
    out=$("$igpu" ref --quiet --execute "${@:3}" "$tmp/$2.pb" 2>&1) && printf '%s\n' "$out" >"$tmp/$1.txt"
}
cycles() { sed -n 's/^cycles *\([0-9]*\).*/\1/p' "$tmp/$1.txt"; }
word() { od -An -tu4 -N4 "$1" | tr -d ' '; }
py() { out=$(python3 tests/bridge/execute.py "$@" 2>&1); }

# ---- locks: 168 groups, four turns each ----
other="-s eu.threads=3"
for kernel in spin_lock ticket_lock; do
    launch $kernel 2688 buf:128 buf:64 buf:2688 u32:4
    check "$kernel: its launch file"
    for way in "a" "b $other" "c"; do
        name=$kernel-${way%% *} options=${way#?}
        # shellcheck disable=SC2086
        execute "$name" $kernel $options --dump-buf "1:$tmp/$name.sum" --dump-buf "2:$tmp/$name.order"
        check "$kernel (${options:-defaults}): it ends"
        [ "$(word "$tmp/$name.sum")" = 672 ]
        check "$kernel (${options:-defaults}): no addition is lost"
        py turns "$tmp/$name.order" 168 4 && [ "$out" = ok ]
        check "$kernel (${options:-defaults}): every group had its four turns"
    done
    cmp -s "$tmp/$kernel-a.order" "$tmp/$kernel-c.order" && [ "$(cycles $kernel-a)" = "$(cycles $kernel-c)" ]
    check "$kernel: the same run twice is the same"
    ! cmp -s "$tmp/$kernel-a.order" "$tmp/$kernel-b.order"
    check "$kernel: another configuration, another order"
    # shellcheck disable=SC2086
    out=$("$vigpu" --quiet --execute --check $other "$tmp/$kernel.pb" 2>&1) && grep -q 'events equal in rtl and ref' <<<"$out"
    check "$kernel: the RTL and the reference go the same way"
done
launch no_lock 2688 buf:128 buf:64 buf:2688 u32:4 &&
    execute no_lock no_lock --dump-buf "1:$tmp/no.sum" && [ "$(word "$tmp/no.sum")" -lt 672 ]
check "no_lock: without a lock additions are lost"

# ---- work stealing: 4,096 tasks in 8 of 168 queues ----
launch steal 2688 buf:672 buf:16K buf:16K buf:16K u32:512 u32:8
check "steal: its launch file"
for way in "a" "b -s eu.threads=3"; do
    name=steal-${way%% *} options=${way#?}
    # shellcheck disable=SC2086
    execute "$name" steal $options --dump-buf "1:$tmp/$name.who" --dump-buf "2:$tmp/$name.done" \
        --dump-buf "3:$tmp/$name.result" && py tasks "$tmp/$name.who" "$tmp/$name.done" && [ "$out" -gt 60 ]
    check "steal (${options:-defaults}): each task is done once, by many groups"
done
cmp -s "$tmp/steal-a.result" "$tmp/steal-b.result" && ! cmp -s "$tmp/steal-a.who" "$tmp/steal-b.who"
check "steal: the same results by other groups"

# ---- a search whose queue grows while it is read ----
py graph "$tmp" && launch bfs 1344 "buf:2404:file:$tmp/first.bin" \
    "buf:$(stat -c %s "$tmp/edge.bin"):file:$tmp/edge.bin" "buf:2400:file:$tmp/dist.bin" \
    "buf:256K:file:$tmp/queue.bin" "buf:192:file:$tmp/count.bin" buf:2400
check "bfs: its launch file"
for way in "a" "b -s l3.latency=60" "c -s eu.arbiter=oldest"; do
    name=bfs-${way%% *} options=${way#?}
    # shellcheck disable=SC2086
    execute "$name" bfs $options --dump-buf "2:$tmp/$name.dist" --dump-buf "3:$tmp/$name.queue" &&
        cmp -s "$tmp/$name.dist" "$tmp/expected.bin"
    check "bfs (${options:-defaults}): the distances"
done
! cmp -s "$tmp/bfs-a.queue" "$tmp/bfs-b.queue"
check "bfs: another configuration, another order of vertices"
out=$("$vigpu" --quiet --execute --check "$tmp/bfs.pb" 2>&1)
check "bfs: the RTL and the reference go the same way"

# ---- a clock: 2,048 steps through 64 KB and 16 MB; the second half is timed ----
for size in 64K 16M; do
    launch clock_chase 16 buf:$size:chase:5 buf:64 buf:16K u32:2048 &&
        execute "clock-$size" clock_chase --dump-buf "2:$tmp/$size.ticks" && py ticks "$tmp/$size.ticks" &&
        printf '%s\n' "$out" >"$tmp/$size.median"
    check "clock_chase: a chase of $size tells its steps"
done
# 63 cycles of the step are the kernel's own: two reads of the clock and a store.
small=$(cat "$tmp/64K.median") large=$(cat "$tmp/16M.median")
out="64 KB: $small, 16 MB: $large cycles" && [ "$small" -gt 150 ] && [ "$small" -lt 260 ] && [ "$large" -gt 400 ]
check "clock_chase: a step in the L3 and one in DRAM"
whole=$(cycles clock-16M) sum=$(od -An -tu8 -v "$tmp/16M.ticks" | tr -s ' ' '\n' | awk '{s += $1} END {print s}')
out="$sum ticks in $whole cycles" && [ "$sum" -lt "$whole" ] && [ "$sum" -gt $((whole * 98 / 100)) ]
check "clock_chase: the ticks are the launch's cycles"

# ---- what does not end ----
launch broken_lock 2688 buf:128 buf:64 buf:2688 u32:1
check "broken_lock: its launch file"
out=$("$igpu" ref --quiet --execute "$tmp/broken_lock.pb" 2>&1)
[ $? = 1 ] && grep -q '^igpu ref: livelock at cycle 10[0-9]*: launch 0, 1 of 168 threads ended' <<<"$out" &&
    grep -q 'last #' <<<"$out" && grep -q '^reproduce: ' <<<"$out"
check "broken_lock: the run ends, and says where each thread is"
out=$("$vigpu" --quiet --execute -s gpu.subslices=1 -s eu.count=2 "$tmp/broken_lock.pb" 2>&1)
[ $? = 1 ] && grep -q '^Vigpu: livelock at cycle 10' <<<"$out"
check "broken_lock: in the RTL too"

# ---- what is refused ----
no() { # no STATUS WORDS NAME COMMAND...
    out=$("${@:4}" 2>&1)
    [ $? = "$1" ] && grep -q -- "$2" <<<"$out" && [ "$(wc -l <<<"$out")" = 1 ]
    check "$3"
}
t=$tmp/steal.pb
# A profile follows where threads really go: both engines' alike, and its sums hold.
"$vigpu" --execute --quiet --check --profile "$tmp/p.json" "$tmp/clock_chase.pb" >"$tmp/out" 2>&1
check "a profile of what is executed in time, the same in both engines"
"$igpu" profile --execute --quiet "$t" >"$tmp/out" 2>&1 && head -1 "$tmp/out" | grep -q 'is held up by'
check "and its text"
no 3 'run it with --execute' "a launch file is no trace" "$igpu" ref "$t"
no 3 'run it with --execute' "... for trace verify either" "$igpu" trace verify "$t"
no 3 'igpu record --launch' "a trace is no launch file" "$igpu" ref --execute traces/samples/copy.pb
no 2 '--execute: the engines rtl, fpga and ref' "--engine array" "$vigpu" --execute --engine array "$t"
no 2 'without --threads' "--threads 2" "$vigpu" --execute --threads 2 "$t"
no 2 '--check-values is for recorded paths' "--check-values" "$vigpu" --execute --check-values "$t"
no 2 '-j is for recorded paths' "-j 2" "$igpu" ref --execute -j 2 "$t"
no 2 '--sample is for recorded paths' "--sample" "$igpu" ref --execute --sample error=2% "$t"
no 2 'use it with --execute' "--dump-buf of a trace" "$igpu" ref --dump-buf 0:x traces/samples/copy.pb
no 2 'argument 4 is no buffer' "--dump-buf of a value" "$igpu" ref --execute --csv "$tmp/none.csv" --dump-buf "4:$tmp/x" "$t"
no 2 'expected ARGUMENT:FILE' "--dump-buf without a file" "$igpu" ref --execute --dump-buf 4 "$t"
head -c 700 "$t" >"$tmp/cut.pb"
no 3 'cut short' "a launch file that is cut short" "$igpu" ref --execute "$tmp/cut.pb"

# ---- several launches, and a kernel that does wrong ----
cat >"$tmp/two.cl" <<'CL'
kernel void add(global uint *a, uint n) { a[get_global_id(0)] += n; }
kernel void wild(global uint *a, uint n) { a[get_global_id(0) * n] = 1; }
CL
out=$("$igpu" record -k add -g 64 -l 16 --arg buf:256:iota --arg u32:1 --repeat 3 --again 1:u32:10 --quiet \
    --launch "$tmp/add.pb" "$tmp/two.cl" 2>&1) &&
    out=$("$igpu" ref --quiet --execute --dump-buf "0:$tmp/add.bin" "$tmp/add.pb" 2>&1) &&
    [ "$(word "$tmp/add.bin")" = 21 ]
check "three launches, the last two with another value, on one memory"
no 2 'use --kernels 0..2' "--kernels 1..2" "$igpu" ref --execute --kernels 1..2 "$tmp/add.pb"
out=$("$igpu" ref --quiet --execute --kernels 0..1 --dump-buf "0:$tmp/add.bin" "$tmp/add.pb" 2>&1) &&
    [ "$(word "$tmp/add.bin")" = 11 ]
check "--kernels 0..1: the first two"
out=$("$igpu" record -k wild -g 64 -l 16 --arg buf:256 --arg u32:100 --quiet --launch "$tmp/wild.pb" "$tmp/two.cl" 2>&1)
[ $? = 0 ] && out=$("$igpu" ref --quiet --execute "$tmp/wild.pb" 2>&1)
[ $? = 1 ] && grep -q '^igpu ref: kernel wild, pc 0x.*of surface' <<<"$out"
check "an access outside its buffer is the kernel's error"
no 2 'nothing is recorded here' "only igpu record writes launch files" "$igpu" features -g 64 -l 16 --arg buf:256 --arg u32:1 -k add --launch "$tmp/x.pb" "$tmp/two.cl"
