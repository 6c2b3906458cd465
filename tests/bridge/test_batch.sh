#!/bin/bash
# igpu ref --batch and igpu params --resolve: the protocol of bridge/programs/cli/batch.h.
. tests/support/cli.sh
t=traces/samples/triad.pb

# job ID SECONDS WORD...: a line of stdin.
job() {
    local IFS=$'\t'
    echo "$*"
}

"$igpu" ref --quiet --csv - -s eu.threads=4 $t >"$IGPU_TMP/alone.csv"
{
    job a 60 --csv - -s eu.threads=4 $t
    job b 60 --csv - -s l3.ways=1 $t
    job c 60 --csv - /nonexistent.pb
    job d 60 --csv - -s eu.threads=4 $t
} | "$igpu" ref --batch >"$IGPU_TMP/answers"
report $? "four jobs"
python3 - "$IGPU_TMP" <<'END'
import sys
data = open(f"{sys.argv[1]}/answers", "rb").read()
alone = open(f"{sys.argv[1]}/alone.csv", "rb").read()
hello, _, data = data.partition(b"\n")
got = []
while data:
    head, _, data = data.partition(b"\n")
    words = head.split()
    out, err = int(words[6]), int(words[7])
    got.append((words, data[:out], data[out:out + err]))
    data = data[out + err:]
good = lambda ok, what: print("ok" if ok else "not ok", what)
good(hello.split()[:3] == [b"batch", b"1", b"ref"] and len(hello.split()) == 4, "the greeting")
good([w[0] for w, _, _ in got] == [b"a", b"b", b"c", b"d"], "answers in order")
good(all(w[1:4] == [b"0", b"0", b"0"] and int(w[4]) > 0 and int(w[5]) > 1000
         for w, _, _ in (got[0], got[3])), "status, signal, time and memory")
good(got[0][1] == alone and got[3][1] == alone, "the statistics are those of a run alone")
good(got[1][0][1] == b"2" and b"l3.ways" in got[1][2] and not got[1][1], "a refused setting")
good(got[2][0][1] == b"3" and b"/nonexistent.pb" in got[2][2], "a missing trace")
END

# One that does not end: a second is its time.
"$igpu" record --quiet -k mad_sp -g 5376 -l 32 -O -DSIMD=32 --arg buf:21504 --arg i32:9000 \
    --arg f32:0.5 --arg f32:0.5 -o "$IGPU_TMP/long.pb" traces/kernels/mad.cl
report $? "a long trace"
out=$({
    job long 1 --csv - "$IGPU_TMP/long.pb"
    job short 60 --dump-config -
} | "$igpu" ref --batch)
grep -q '^long 0 9 1 ' <<<"$out" && grep -q '^short 0 0 0 ' <<<"$out"
report $? "a job over its time ends by SIGKILL, and the next one runs"

# The process that asks dies: nothing of ours goes on.
job long 0 --csv - "$IGPU_TMP/long.pb" >"$IGPU_TMP/jobs"
python3 - "$igpu" "$IGPU_TMP" <<'END'
import os, subprocess, sys, time
driver = subprocess.Popen([sys.executable, "-c", """
import subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "ref", "--batch"], stdin=open(sys.argv[2] + "/jobs"),
                     stdout=subprocess.PIPE)
print(p.pid, flush=True)
time.sleep(60)
""", *sys.argv[1:]], stdout=subprocess.PIPE)
batch = int(driver.stdout.readline())
def children(pid):
    try:
        return [int(c) for c in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except OSError:
        return []
def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
for _ in range(300):
    job = children(batch)
    if job:
        break
    time.sleep(0.1)
driver.kill()
driver.wait()
for _ in range(100):
    if not alive(batch) and not any(map(alive, job)):
        break
    time.sleep(0.1)
good = bool(job) and not alive(batch) and not any(map(alive, job))
print("ok" if good else "not ok", "a killed driver takes its simulations with it")
END

expect 3 "no job" "$igpu" ref --batch <<<"nonsense"
expect 3 "a time that is none" "$igpu" ref --batch <<<"$(job a soon --csv - $t)"
expect 2 "--batch beside other words" "$igpu" ref --batch $t

printf 'skl-gt2\teu.threads=4\nskl-gt2\tl3.ways=1\nnone\nkbl-gt3e\tllc.size=8M\n' |
    "$igpu" params --resolve >"$IGPU_TMP/out"
report $? "four configurations"
python3 - "$IGPU_TMP/out" "$igpu" <<'END'
import json, subprocess, sys
lines = open(sys.argv[1]).read().splitlines()
keys = [p["key"] for p in json.loads(subprocess.run([sys.argv[2], "params", "--json"],
                                                    capture_output=True).stdout)]
first, last = (dict(zip(keys, map(int, lines[i].split("\t")[1:]), strict=True)) for i in (0, 3))
dump = subprocess.run([sys.argv[2], "ref", "-c", "kbl-gt3e", "-s", "llc.size=8M",
                       "--dump-config", "-"], capture_output=True, text=True).stdout
same = {k: int(v.split("#")[0]) for k, v in (line.split(": ", 1) for line in
                                             dump.splitlines()[1:])}
good = lambda ok, what: print("ok" if ok else "not ok", what)
good(first["eu.threads"] == 4 and last == same, "values as --dump-config has them")
good([line.split("\t")[0] for line in lines] == ["ok", "bad", "bad", "ok"]
     and "l3.ways_slm" in lines[1] and "none" in lines[2], "what is refused, and why")
END
expect 2 "--resolve beside other words" "$igpu" params --resolve l3
exit $failures
