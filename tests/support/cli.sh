# cli.sh - helpers of the shell tests; source it. Needs IGPU_BUILD and IGPU_TMP.
: "${IGPU_BUILD:=build}" "${IGPU_TMP:=$(mktemp -d)}"
igpu=$IGPU_BUILD/bin/igpu
vigpu=$IGPU_BUILD/bin/Vigpu
failures=0

report() { # report GOOD WHAT
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        echo "not ok $2"
        failures=1
    fi
}

# expect STATUS WHAT COMMAND...: the exit status must be STATUS; for 2 and 3 stderr
# must be one line of at most 600 characters that names the program.
expect() {
    want=$1 what=$2
    shift 2
    "$@" >"$IGPU_TMP/out" 2>"$IGPU_TMP/err"
    got=$?
    good=0
    [ "$got" = "$want" ] || good=1
    case $want in
    2 | 3)
        [ "$(wc -l <"$IGPU_TMP/err")" = 1 ] || good=1
        [ "$(wc -c <"$IGPU_TMP/err")" -le 600 ] || good=1
        grep -q '^[A-Za-z]*gpu' "$IGPU_TMP/err" || good=1
        ;;
    esac
    [ $good = 0 ] || { echo "# $*: exit $got, expected $want"; head -3 "$IGPU_TMP/err"; }
    report $good "$what"
}

# part_of N: which of N parts of its work a test does for this commit, from 0.
part_of() {
    commit=${IGPU_COMMIT:-0}
    echo $((0x${commit%"${commit#?}"} % $1))
}

# says WHAT PATTERN: the last command's stderr must match.
says() {
    grep -q -e "$2" "$IGPU_TMP/err"
    report $? "$1"
}

# being_written FOLDER: wait until somebody writes a file there, which has no name yet, or
# NAME.part where the file system has no such files.
being_written() {
    folder=$(realpath "$1")
    for _ in {1..200}; do
        ls "$folder"/*.part >&- 2>&- && return
        ls -l /proc/[0-9]*/fd 2>/dev/null | grep -q "$folder/#" && return
        sleep 0.05
    done
}

# strip_host: statistics as JSON without what tells of the host and the build.
strip_host() {
    python3 -c '
import json, sys
d = json.load(sys.stdin)
for key in ("host", "engine", "version"):
    d.pop(key)
json.dump(d, sys.stdout, indent=1)'
}

# own_cache: a cache of this test's, without recorded traces; what is compiled it shares with
# all other tests, both ways.
own_cache() {
    compiled=${XDG_CACHE_HOME:-$HOME/.cache}/vigpu
    export XDG_CACHE_HOME="$IGPU_TMP/cache"
    mkdir -p "$compiled" "$XDG_CACHE_HOME/vigpu"
    find "$compiled" -maxdepth 1 -name '*.compiled' -exec ln -t "$XDG_CACHE_HOME/vigpu" {} + 2>/dev/null
    trap 'find "$XDG_CACHE_HOME/vigpu" -maxdepth 1 -name "*.compiled" -links 1 -exec ln -t "$compiled" {} + 2>/dev/null' EXIT
}

# with_signals COMMAND...: in place of this process, ended by SIGHUP, SIGINT and SIGQUIT
# as a program in the foreground is. A shell ignores the last two in what it starts in the
# background, nohup the first, and what is ignored once stays so for all below.
with_signals() {
    exec python3 -c 'import os, signal, sys
for s in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP: signal.signal(s, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}
