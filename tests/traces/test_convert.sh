#!/usr/bin/env bash
# test_convert.sh - traces from GT-Pin dumps and to MacSim.
# tests/run: timeout=200 slow turn=2of3
. tests/support/cli.sh
export IGPU=$igpu
convert() { "$igpu" trace convert "$@"; }
import=(trace convert --from gtpin-dump)
d=$IGPU_TMP/dumps
python3 tests/traces/gtpin_dump.py "$d"

# ---- import ----
expect 0 "two threads, three launches" "$igpu" "${import[@]}" -o "$IGPU_TMP/a.pb" "$d/t0.dump" "$d/t1.dump"
grep -q '2 threads, 3 launches, 2 kernels, 42 instructions, 10 memory accesses' "$IGPU_TMP/out"
report $? "its totals"
expect 0 "verify" "$igpu" trace verify "$IGPU_TMP/a.pb"
"$igpu" trace dump "$IGPU_TMP/a.pb" >"$IGPU_TMP/a.txt"
grep -q '^THREAD 0_0' "$IGPU_TMP/a.txt" && grep -q '^bbls: 0 1\*3 2$' "$IGPU_TMP/a.txt" &&
    grep -q '^bbls: 0 1\*5 2$' "$IGPU_TMP/a.txt"
report $? "paths with their laps"
grep -q 'memop: ins_uid "0_1_0" mask 0xff addr 0x20400 0x20404 0x20408' "$IGPU_TMP/a.txt"
report $? "addresses of each lap"
grep -q 'asm:  *mad (8|M0) *r20.0<1>:f *r20.0<8;8,1>:f *r30.0<8;8,1>:f *r31.0<8;8,1>:f' "$IGPU_TMP/a.txt"
report $? "a mad with its operands"
"$igpu" trace info "$IGPU_TMP/a.pb" | grep -q '^flops *192$' # 10 mads x 16 + 2 adds x 16
report $? "FLOPs of mad and add"
expect 0 "the trace runs" "$igpu" ref --quiet "$IGPU_TMP/a.pb"
expect 0 "and in RTL, the same" "$vigpu" --quiet --check "$IGPU_TMP/a.pb"
expect 0 "fields in any order and repeated" "$igpu" "${import[@]}" -o "$IGPU_TMP/b.pb" "$d/shuffled/t0.dump" "$d/shuffled/t1.dump"
"$igpu" trace dump "$IGPU_TMP/b.pb" | grep -v '^command_line\|^PROGRAM' >"$IGPU_TMP/b.txt"
grep -v '^command_line\|^PROGRAM' "$IGPU_TMP/a.txt" | cmp -s - "$IGPU_TMP/b.txt"
report $? "give the same trace"
expect 0 "work-groups of two threads" "$igpu" "${import[@]}" --threads-per-group 2 -o "$IGPU_TMP/c.pb" "$d/t0.dump" "$d/t1.dump"
expect 2 "three threads in groups of two" "$igpu" "${import[@]}" --threads-per-group 2 -o "$IGPU_TMP/c.pb" "$d/t0.dump" "$d/t1.dump" "$d/t0.dump"

# A dump may stop anywhere: what is whole before the cut is imported, and verifies. Only
# where not even one instruction is whole there is nothing to import.
python3 - "$d/t1.dump" "$IGPU_TMP" <<'PY'
import glob, os, subprocess, sys
text = open(sys.argv[1]).read()
igpu, cut, out = os.environ["IGPU"], sys.argv[2] + "/cut.dump", sys.argv[2] + "/cut.pb"
first = text.index("****** BBL", text.index("opcode:"))  # the first instruction is whole
last = 0
for place in [(i + 1) * len(text) // 120 for i in range(120)]:
    open(cut, "w").write(text[:place])
    if os.path.exists(out):
        os.remove(out)
    run = subprocess.run([igpu, "trace", "convert", "--from", "gtpin-dump", "-o", out, cut],
                         capture_output=True, text=True)
    if place <= first:
        assert run.returncode == 3 and run.stderr.count("\n") == 1, (place, run)
        assert not os.path.exists(out) and not glob.glob(out + ".*.part")
        continue
    assert run.returncode == 0, (place, run)
    subprocess.run([igpu, "trace", "verify", out], check=True, capture_output=True)
    now = int(run.stdout.split(" instructions")[0].split()[-1])
    whole = text[:place].count("\nopcode:")
    assert last <= now and whole - 1 <= now <= whole, (place, now, whole)
    last = now
assert last == text.count("\nopcode:")
PY
report $? "a dump cut at many places"
printf 'hello\n' >"$IGPU_TMP/text"
expect 3 "a text file" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$IGPU_TMP/text"
head -c 5000 /dev/urandom >"$IGPU_TMP/noise"
expect 3 "random bytes" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$IGPU_TMP/noise"
expect 3 "a missing dump" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" /nonexistent
sed 's/GED_OPCODE_mad/GED_OPCODE_fly/' "$d/t0.dump" >"$IGPU_TMP/opcode"
expect 3 "an unknown opcode" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$IGPU_TMP/opcode"
says "it names the line" 'line [0-9]*: bad value of opcode'
sed 's/GED_OPCODE_mad/GED_OPCODE_add/' "$d/t1.dump" >"$IGPU_TMP/other"
expect 3 "threads of different programs" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$d/t0.dump" "$IGPU_TMP/other"
says "it says so" 'another opcode'
edit() { # edit WHAT SED-SCRIPT WORDS: the changed dump is refused and the error says so
    sed "$2" "$d/t0.dump" >"$IGPU_TMP/edited"
    expect 3 "$1" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$IGPU_TMP/edited"
    says "it says so" "edited: line [0-9]*: $3"
}
edit "an impossible width" 's/exec_size: 8/exec_size: 9/' 'kernel loop, instruction 0: an exec_size'
edit "a number for a type" 's/dst_data_type: .*/dst_data_type: 255/' 'bad value of dst_data_type: 255'
edit "a truth for an opcode" 's/opcode: GED_OPCODE_mad/opcode: true/' 'bad value of opcode: true'
edit "an instruction of no bytes" 's/ins_size: .*/ins_size: 0/' 'bad value of ins_size: 0'
edit "an end of thread that writes" \
    '/msg_desc: 33554448/{s/.*/msg_desc: 33713664/;n;s/.*/ex_msg_desc: 44/}' \
    'kernel loop, instruction 4: a message'
edit "an offset between instructions" 's/ins_offset: 32/ins_offset: 33/' 'ins_offset 33'
expect 3 "instructions behind the end of the thread" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" tests/fuzzing/corpus/gtpin/behind_the_end
says "it says so" 'line 117: kernel loop, instruction 4: instructions behind the end'
sed '/^mem_addr/d' "$d/t0.dump" >"$IGPU_TMP/edited"
expect 3 "a dump without addresses" "$igpu" "${import[@]}" -o "$IGPU_TMP/x.pb" "$IGPU_TMP/edited"
says "it says so" 'none of [0-9]* memory operations has an address'
[ -z "$(ls "$IGPU_TMP"/x.pb* 2>/dev/null)" ]
report $? "none of them leaves a file"
# A number is found by any of the three that say it, and without all by the place.
for gone in '/^ins_uid/d' '/^ins_id/d' '/^ins_offset/d' '/^ins_uid/d;/^ins_id/d'; do
    sed "$gone" "$d/t0.dump" >"$IGPU_TMP/t0"
    sed "$gone" "$d/t1.dump" >"$IGPU_TMP/t1"
    expect 0 "dumps without $gone" "$igpu" "${import[@]}" -o "$IGPU_TMP/b.pb" "$IGPU_TMP/t0" "$IGPU_TMP/t1"
    "$igpu" trace dump "$IGPU_TMP/b.pb" | grep -v '^command_line\|^PROGRAM' >"$IGPU_TMP/b.txt"
    grep -v '^command_line\|^PROGRAM' "$IGPU_TMP/a.txt" | cmp -s - "$IGPU_TMP/b.txt"
    report $? "give the same trace"
done
awk '/^opcode: GED_OPCODE_mad/ { mad = 1 } /^\*/ { mad = 0 } !(mad && /^ins_(uid|id|offset)/)' \
    "$d/t0.dump" >"$IGPU_TMP/t0"
expect 0 "an instruction without number" "$igpu" "${import[@]}" -o "$IGPU_TMP/b.pb" "$IGPU_TMP/t0"
"$igpu" trace dump "$IGPU_TMP/b.pb" | grep -q '^bbls: 0 1\*3 2$'
report $? "is the one after the one before"
[ -z "$(ls "$IGPU_TMP"/x.pb* 2>/dev/null)" ] && [ ! -e "$IGPU_TMP/x.pb.part" ]
report $? "a refused dump leaves no file"
expect 2 "neither from nor to" "$igpu" trace convert -o "$IGPU_TMP/x.pb" "$d/t0.dump"
expect 2 "an unknown format" "$igpu" trace convert --from elf -o "$IGPU_TMP/x.pb" "$d/t0.dump"
expect 0 "help" "$igpu" trace convert --help

# ---- export ----
for sample in mad_sp chase_n reduce; do
    file=$(ls traces/samples/"$sample"*.pb | head -1)
    for variant in intel 2018 main; do
        convert --to macsim --variant $variant -o "$IGPU_TMP/$sample.$variant" "$file" >/dev/null &&
            python3 tests/traces/macsim_read.py "$file" "$IGPU_TMP/$sample.$variant" $variant
        report $? "$sample to MacSim, $variant"
    done
done
expect 0 "several launches to MacSim" "$igpu" trace convert --to macsim -o "$IGPU_TMP/three" "$IGPU_TMP/a.pb"
python3 tests/traces/macsim_read.py "$IGPU_TMP/a.pb" "$IGPU_TMP/three" intel >"$IGPU_TMP/out" &&
    grep -q '6 threads, 42 instructions, 10 lines' "$IGPU_TMP/out"
report $? "their instructions and lines"
[ "$(sed -n 2,5p "$IGPU_TMP/three/trace.txt" | tr '\n' ' ')" = "-1 ./K0/trace.txt ./K1/trace.txt ./K2/trace.txt " ]
report $? "the list of launches"
expect 2 "a folder that exists" "$igpu" trace convert --to macsim -o "$IGPU_TMP/three" "$IGPU_TMP/a.pb"
# What an export that was killed has left does not block the next; anything else stays.
mkdir -p "$IGPU_TMP/left.part/K1"
touch "$IGPU_TMP/left.part/trace.txt" "$IGPU_TMP/left.part/K1/trace_7.raw"
expect 0 "behind one that was killed" "$igpu" trace convert --to macsim -o "$IGPU_TMP/left" "$IGPU_TMP/a.pb"
[ ! -e "$IGPU_TMP/left.part" ] && [ ! -e "$IGPU_TMP/left/K1/trace_7.raw" ]
report $? "nothing of it is left"
mkdir "$IGPU_TMP/mine.part" && touch "$IGPU_TMP/mine.part/letter" "$IGPU_TMP/mine.part/trace_1.rawer"
expect 3 "another's files" "$igpu" trace convert --to macsim -o "$IGPU_TMP/mine" "$IGPU_TMP/a.pb"
says "it says so" 'holds files that no export made'
[ "$(ls "$IGPU_TMP/mine.part" | tr '\n' ' ')" = "letter trace_1.rawer " ]
report $? "and leaves them"
mkdir "$IGPU_TMP/held.part"
expect 3 "two exports at once" flock "$IGPU_TMP/held.part" \
    "$igpu" trace convert --to macsim -o "$IGPU_TMP/held" "$IGPU_TMP/a.pb"
says "it says so" 'another export is writing it'
"$igpu" record -k mad_sp -g 1048576 -l 32 --arg buf:4M --arg i32:16 --arg f32:1 --arg f32:1 \
    -o "$IGPU_TMP/large.pb" traces/kernels/mad.cl >/dev/null
for signal in HUP INT TERM; do
    # A background job of a script ignores INT, one of nohup HUP: not this program.
    python3 - $signal "$igpu" "$IGPU_TMP/stopped" "$IGPU_TMP/large.pb" <<'PY'
import os, signal, subprocess, sys, time
name, igpu, folder, trace = sys.argv[1:]
number = getattr(signal, "SIG" + name)
signal.signal(number, signal.SIG_DFL)
run = subprocess.Popen([igpu, "trace", "convert", "--to", "macsim", "-o", folder, trace],
                       stderr=subprocess.PIPE, text=True)
while not os.path.exists(folder + ".part/trace_20.raw"):
    assert run.poll() is None
    time.sleep(0.001)
run.send_signal(number)
assert "stopped; nothing is left" in run.communicate()[1] and run.returncode == -number
assert not os.path.exists(folder) and not os.path.exists(folder + ".part")
PY
    report $? "an export stopped by SIG$signal leaves nothing"
done
# All kinds of operands, predicates, regions, branches and messages, there and back.
for name in atomics32 chase_a64 divergent ext_native ids_3d private_small reduce_u32 stencil; do
    for guess in "" --guess; do
        # shellcheck disable=SC2086 # none or one
        python3 tests/traces/gtpin_again.py $guess "$igpu" "$IGPU_TMP" traces/samples/$name.pb
        report $? "$name as a dump and back${guess:+, its messages by their names}"
    done
done
head -c 900 "$IGPU_TMP/a.pb" >"$IGPU_TMP/short.pb"
expect 3 "a trace cut short" "$igpu" trace convert --to macsim -o "$IGPU_TMP/four" "$IGPU_TMP/short.pb"
[ ! -e "$IGPU_TMP/four" ] && [ ! -e "$IGPU_TMP/four.part" ]
report $? "a refused trace leaves no folder"
exit $failures
