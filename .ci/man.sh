#!/usr/bin/env bash
# man.sh VERSION DIR PROGRAM...: DIR/NAME.1 for each program and each command of igpu,
# made from --help by help2man. `make man` calls it.
set -u
version=$1 dir=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# As help2man wants it: "Usage:", "or:" before each further form, a form on one line.
cat >"$work/usage.awk" <<'END' || exit 1
/^$/ { if (!body++) print form }
body { print; next }
sub(/^usage:/, "Usage:") { form = $0; split($0, word, " "); next }
$1 == word[2] { print form; sub(/^ */, "  or:  "); form = $0; next }
{ sub(/^ */, " "); form = form $0 }
END

# page NAME TEXT COMMAND...: help2man asks one program, without arguments.
page() {
    local name=$1 text=$2
    shift 2
    printf '#!/bin/sh\n%s --help | awk -f %s\n' "$*" "$work/usage.awk" >"$work/$name"
    chmod +x "$work/$name"
    help2man --no-info --section=1 --manual="Vigpu" --source="Vigpu $version" \
        --version-string="$version" --name="$text" --output="$dir/$name.1" "$work/$name"
}

mkdir -p "$dir" || exit 1
for program; do
    case "${program##*/}" in
    Vigpu) page Vigpu "simulate a trace of Intel's Gen9 GPU in RTL, cycle by cycle" "$program" ;;
    igpu)
        page igpu "record, run and measure programs on a simulated Gen9 GPU" "$program" || exit 1
        "$program" --help | sed -n -e 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p' >"$work/commands"
        while read -r command text; do
            page "igpu-$command" "$text" "$program" "$command" || exit 1
        done <"$work/commands"
        ;;
    esac || exit 1
done
