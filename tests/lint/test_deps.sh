#!/usr/bin/env bash
# .ci/deps.sh: what it says and does when packages are missing. apt-get is a stub
# that records its arguments; IGPU_FAKE_MISSING pretends that packages are absent.
# tests/run: slow turn=2of3
set -u
stub=${IGPU_TMP:?run through tests/run}/apt-get
log=$IGPU_TMP/log
printf '#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >>"%s"\n' "$log" >"$stub"
chmod +x "$stub"

check() { # check NAME: the last command's verdict
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out"; fi
}
deps() { out=$(IGPU_APT=$stub IGPU_FAKE_MISSING=${fake:-} .ci/deps.sh "$@" 2>&1); }

fake="" deps ensure test && [ -z "$out" ]
check "everything there: silent, and nothing installed"
[ ! -e "$log" ]
check "everything there: apt-get is not called"

fake="yosys libzstd-dev"
deps check test
[ "$?" = 1 ] && [ "$out" = $'libzstd-dev\nyosys' ]
check "check lists the missing packages"
deps check verilate
[ "$out" = libzstd-dev ]
check "a target asks only for what it needs"
deps check build
[ "$out" = libzstd-dev ]
check "so does the build of the tests"
out=$(IGPU_NO_INSTALL=1 IGPU_FAKE_MISSING="$fake" .ci/deps.sh ensure build 2>&1)
[ "$?" = 1 ] && [[ $out == *"--no-install-recommends libzstd-dev yosys" ]]
check "who installs by hand is told at once what running them needs too"

if [ "$(id -u)" = 0 ]; then
    deps ensure verilate && grep -q '^noninteractive .*install --no-install-recommends libzstd-dev$' "$log" &&
        head -n 1 "$log" | grep -q '^noninteractive -y .*update$'
    check "as root: update, then install without questions or recommended packages"
else
    # Without a password-less sudo: the command is printed and nothing is run.
    deps ensure verilate || [[ $out == *"sudo apt-get install -y --no-install-recommends libzstd-dev"* ]]
    check "not root: installs through sudo -n, or prints the command"
fi

rm -f "$log"
out=$(IGPU_NO_INSTALL=1 IGPU_APT=$stub IGPU_FAKE_MISSING=$fake .ci/deps.sh ensure test 2>&1)
[ "$?" = 1 ] && [ ! -e "$log" ] &&
    [[ $out == *"apt-get install -y --no-install-recommends libzstd-dev yosys"* ]]
check "IGPU_NO_INSTALL: prints the command, fails, installs nothing"
out=$(BUILD=$IGPU_TMP/build IGPU_NO_INSTALL=1 .ci/deps.sh ensure lint 2>&1)
[ "$?" = 1 ] && [ ! -e "$IGPU_TMP/build" ] && [[ $out == *".ci/deps.sh ensure lint"* ]]
check "IGPU_NO_INSTALL: prints the command for what comes from PyPI, installs nothing"
out=$(IGPU_APT=no-such-apt IGPU_FAKE_MISSING=$fake .ci/deps.sh ensure test 2>&1)
[ "$?" = 1 ] && [[ $out == *"no apt-get here"* ]]
check "without apt-get: names the packages and fails"
printf '#!/bin/sh\nexit 100\n' >"$stub"
deps ensure test
[ "$?" = 1 ] && [[ $out == *"installation failed"* ]]
check "a failed installation stops with the command"

out=$(IGPU_NO_INSTALL=1 IGPU_FAKE_MISSING=verilator make -s verilate 2>&1)
[ "$?" != 0 ] && [[ $out == *"--no-install-recommends verilator"* ]]
check "make verilate stops at a missing package"
fake="verilator" deps doctor
[ "$?" = 1 ] && [[ $out == *"MISSING: package verilator"* ]]
check "doctor names the package of a missing tool"
[[ $out == *"make verilate: lacks verilator"* && $out == *"make igpu: "* ]]
check "and which targets lack it"
if [ -n "${IGPU_LONG:-}" ]; then # as long as all tools need to tell their versions
    fake="mypy" deps doctor
    [ "$?" = 0 ] && [[ $out == *"make test: lacks mypy"*"can be built and used"* ]]
    check "doctor succeeds where only tests lack something"
fi
