#!/bin/sh
# The commands under "Try it" of the README, in a bare Debian 12 that has git and make:
# what they need, .ci/deps.sh installs; a tool that only this machine has fails them.
# tests/run: long timeout=7200
. tests/support/cli.sh
. tests/package/chroot.sh
chroot_or_skip
root=$IGPU_TMP/root
chroot_make "$root" git make >"$IGPU_TMP/debootstrap.log" 2>&1 || {
    tail -n 5 "$IGPU_TMP/debootstrap.log"
    report 1 "debootstrap"
    exit 1
}
chroot_source "$root"
awk '/^## / { on = $0 == "## Try it" } on && /^make / { sub(/ *#.*/, ""); print }' \
    README.md >"$IGPU_TMP/commands"
[ "$(wc -l <"$IGPU_TMP/commands")" = 2 ]
report $? "the README has its two commands"
while read -r command; do
    # The last lines tell which test failed, and why.
    chroot_run "$root" "export IGPU_PATIENCE=10 && $command" >"$IGPU_TMP/log" 2>&1 </dev/null
    status=$?
    grep -A 62 '^FAIL' "$IGPU_TMP/log" | sed 's/^/# /'
    tail -n 3 "$IGPU_TMP/log" | sed 's/^/# /'
    report $status "$command"
done <"$IGPU_TMP/commands"
exit $failures
