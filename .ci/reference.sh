#!/usr/bin/env bash
# reference.sh BIN OUT - the reference pages that programs know, in OUT/docs/reference/:
# statistics.md and options.md of what Vigpu and igpu in BIN say of themselves, features.md and
# gfx-counters.md of their tables. `make reference` calls it; tests/package/test_reference.sh
# compares. Needs the Python package (make python).
set -eu
bin=${1:?usage: reference.sh BIN OUT} out=${2:?}/docs/reference
export COLUMNS=88
mkdir -p "$out"

# help COMMAND...: what it says of itself, under a heading.
help() {
    printf '\n## %s\n\n```text\n' "$*"
    "$bin/$1" "${@:2}" --help
    printf '```\n'
}
# names COMMAND...: the lines of its help that begin with a name and tell what that is.
names() { "$bin/$1" "${@:2}" --help | sed -n 's/^  \([a-z]\+\)  *[^ ].*/\1/p'; }

{
    printf '# Options\n\nMade by `make reference`: what each program and command says with `--help`.\n'
    help Vigpu
    for command in $(names igpu); do
        help igpu "$command"
        case $command in
        bench) for name in $(names igpu bench); do help igpu bench "$name"; done ;;
        trace) for verb in convert mix; do help igpu trace $verb; done ;;
        sweep) for verb in show report; do help igpu sweep $verb; done ;;
        esac
    done
} >"$out/options.md"

{
    printf '# Statistics\n\nMade by `make reference` of what `--stats-help` says: the names in `--json`, '
    printf '`--csv` and sweeps. Which sums hold: [using.md](../guide/using.md).\n'
    "$bin/Vigpu" --stats-help | awk '
        { section = $1 ~ /\./ ? $1 : "run"; sub(/\..*/, "", section); gsub(/\|/, "\\|")
          if (!(section in rows)) order[++sections] = section
          colon = index($0, ": "); name = substr($0, 1, colon - 1); text = substr($0, colon + 2); unit = ""
          if (match(name, / \[.*\]/)) {
              unit = substr(name, RSTART + 2, RLENGTH - 3); with = substr(name, RSTART + RLENGTH + 2)
              name = substr(name, 1, RSTART - 1); if (with) text = with ": " text }
          rows[section] = rows[section] "| `" name "` | " unit " | " text " |\n" }
        END { for (i = 1; i <= sections; i++)
            printf "\n## %s\n\n| statistic | unit | what |\n|---|---|---|\n%s", order[i], rows[order[i]] }'
} >"$out/statistics.md"

{
    printf '# Features\n\nMade by `make reference` of `igpu features --list`; what they are for and how '
    printf 'they are taken: [predict.md](../guide/predict.md).\n\n'
    "$bin/igpu" features --list
} >"$out/features.md"

"$bin/igpu" frame counters >"$out/gfx-counters.md"
