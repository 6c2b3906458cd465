#!/usr/bin/env bash
# test_node.sh - what a render node knows between its calls, and whose fault a bad call is:
# what was bound stays readable, threads write and end while a batch is executed, calls of
# bad contents get their error, and no program, capture or memory is lost by them.
# tests/run: timeout=600 slow
. tests/support/cli.sh
. tests/bridge/graphics/mesa.sh
t=$IGPU_TMP
build_program bound
build_program meanwhile "-lEGL -lGLESv2 -lpthread"
build_program ioctls "-I/usr/include/libdrm" libdrm-dev

# ---- what is bound -----------------------------------------------------------
for scene in draws border queries; do
    expect 0 "bound $scene: as the program knows it" "$igpu" gl -o "$t/$scene.igf" -- "$t/bound" $scene "$t/$scene.ppm"
    [ ! -s "$t/err" ]
    report $? "bound $scene: all is executed"
    [ $scene = queries ] && continue
    expect 0 "bound $scene: captured whole" "$igpu" frame render -o "$t/$scene.png" "$t/$scene.igf"
    python3 tests/bridge/graphics/same.py "$t/$scene.png" "$t/$scene.ppm"
    report $? "bound $scene: the capture's picture is the program's"
    expect 0 "bound $scene: cut" "$igpu" frame cut -o "$t/cut.igf" "$t/$scene.igf"
    expect 0 "bound $scene: the cut's picture" "$igpu" frame render -o "$t/cut.png" "$t/cut.igf"
    cmp -s "$t/$scene.png" "$t/cut.png"
    report $? "bound $scene: is the capture's"
    timeout 120 "$igpu" gl --no-execute -o "$t/n.igf" -- "$t/bound" $scene "$t/n.ppm" >/dev/null 2>&1
    expect 0 "bound $scene: captured without execution" "$igpu" frame render -o "$t/n.png" "$t/n.igf"
    cmp -s "$t/$scene.png" "$t/n.png"
    report $? "bound $scene: has the same picture"
done

# ---- meanwhile ---------------------------------------------------------------
expect 0 "a thread writes while a batch is executed" "$igpu" gl -o "$t/w.igf" -- "$t/meanwhile" writes "$t/w.ppm"
expect 0 "captured" "$igpu" frame render --frame 2 -o "$t/w.png" "$t/w.igf"
python3 tests/bridge/graphics/same.py "$t/w.png" "$t/w.ppm"
report $? "what it wrote is in the capture"
expect 0 "a thread is ended amidst a batch" timeout 120 "$igpu" gl -o "$t/e.igf" -- "$t/meanwhile" ends
expect 0 "the capture is whole" "$igpu" frame verify "$t/e.igf"
expect 0 "a child of fork() amidst a batch" timeout 120 "$igpu" gl -o "$t/k.igf" -- "$t/meanwhile" forks
expect 0 "the capture is whole" "$igpu" frame verify "$t/k.igf"

# ---- calls -------------------------------------------------------------------
expect 0 "calls with bad contents get their errors" "$igpu" gl -o "$t/i.igf" -- "$t/ioctls"
cat "$t/out"
expect 0 "what was captured is read" "$igpu" frame verify "$t/i.igf"
expect 0 "the same without execution" "$igpu" gl --no-execute -o "$t/i.igf" -- "$t/ioctls"
expect 0 "is read, too" "$igpu" frame verify "$t/i.igf"
"$igpu" gl -o "$t/r.igf" -- "$t/ioctls" noise 200000 >"$t/out" 2>&1
[ $? -le 1 ] && ! grep -q "killed by signal" "$t/out"
report $? "200,000 calls of noise end no program"
"$igpu" gl --time -- "$t/ioctls" noise 100000 >"$t/out" 2>&1
[ $? -le 1 ] && ! grep -q "killed by signal" "$t/out"
report $? "nor do 100,000 where i915-perf is there, too"

expect 0 "a buffer of 3 GB of which a page is written" python3 -c '
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"# at most {kilobytes} KB")
sys.exit(status or kilobytes > 400000)' "$igpu" gl -o "$t/h.igf" -- "$t/ioctls" huge
(ulimit -f 200000 && exec "$igpu" gl -o "$t/f.igf" -- "$t/bound" queries "$t/q.ppm") >"$t/out" 2>"$t/err"
report $? "with a limit of files' sizes"
says "it is told" 'the limit of files. sizes (ulimit -f)'
(ulimit -f 100 && exec "$igpu" gl -o "$t/g.igf" -- "$t/bound" queries "$t/q.ppm") >"$t/out" 2>"$t/err"
[ $? -lt 128 ] && says "with too small a one it is told, and no signal" 'ulimit -f'
[ -z "$(ls "$t" | grep -E 'part$')" ]
report $? "nothing half-written is left"

# ---- ends --------------------------------------------------------------------
# gone PID: its process, or the one with that name, is there no more
gone() {
    for _ in $(seq 50); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    return 1
}
mkdir "$t/tmp"
export TMPDIR=$t/tmp
cat >"$t/program" <<END
#!/bin/sh
echo \$\$ >"$t/pid"
exec "$t/meanwhile" writes "$t/x.ppm"
END
chmod +x "$t/program"
for signal in TERM HUP KILL; do
    rm -f "$t/pid"
    (with_signals "$igpu" gl -o "$t/s.igf" -- "$t/program" >/dev/null 2>&1) &
    being_written "$t"
    kill -$signal $!
    wait $! 2>/dev/null
    gone "$(cat "$t/pid")"
    report $? "igpu gl and SIG$signal: its program ends, too"
    [ -z "$(ls "$TMPDIR")" ]
    report $? "nothing temporary is left"
    [ -z "$(ls "$t" | grep -E 'part$')" ]
    report $? "nor a part of a capture"
done
"$igpu" gl -o "$t/s.igf" -- "$t/meanwhile" aborts >"$t/out" 2>&1
[ $? = 134 ] && [ -z "$(ls "$t" "$TMPDIR" | grep -E 'part$|^igpu')" ]
report $? "a program that crashes leaves nothing"
expect 1 "one that becomes another program" "$igpu" gl -o "$t/s.igf" -- "$t/meanwhile" becomes
says "it is told so" 'ended without its end'
[ -z "$(ls "$t" "$TMPDIR" | grep -E 'part$|^igpu')" ]
report $? "and leaves nothing"
expect 0 "the next capture" "$igpu" gl -o "$t/s.igf" -- "$t/bound" queries "$t/q.ppm"
[ -z "$(ls "$t" | grep -E 'part$')" ]
report $? "sweeps what a killed one has left"
for signal in INT TERM HUP KILL; do
    (with_signals timeout -s $signal 0.05 "$igpu" frame time "$t/w.igf") >/dev/null 2>&1
    [ -z "$(ls "$TMPDIR")" ]
    report $? "igpu frame time and SIG$signal: nothing is left"
done
exit $failures
