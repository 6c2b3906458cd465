#!/usr/bin/env bash
# silent.sh COMMAND... - run it; any output, or a failure, is printed with the
# command that reproduces it, and is a failure. Silence is success.
output=$("$@" 2>&1)
status=$?
[ "$status" = 0 ] && [ -z "$output" ] && exit 0
printf '%s\n' "$output"
printf 'reproduce:'
printf ' %q' "$@"
printf '\n'
exit 1
