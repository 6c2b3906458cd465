# chroot.sh - a bare Debian 12 in a folder, for tests of what users meet on a fresh
# machine; source it. Nothing that was installed here by hand can be seen in there.

# Leave the test, as skipped, where no such folder can be made.
chroot_or_skip() {
    [ "$(id -u)" = 0 ] || { echo "1..0 # SKIP a bare Debian needs root" && exit 0; }
    command -v debootstrap >/dev/null ||
        { echo "1..0 # SKIP a bare Debian needs debootstrap" && exit 0; }
    unshare --mount --pid --fork true 2>/dev/null ||
        { echo "1..0 # SKIP a bare Debian needs mount namespaces" && exit 0; }
}

# chroot_make ROOT PACKAGE...: Debian 12's smallest set and the packages, from the
# mirror and through the proxy that this machine's apt uses; who signs for this network is
# trusted in there too, as soon as ca-certificates is installed.
chroot_make() {
    root=$1
    shift
    mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }')
    proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
    http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase \
        --include="$(echo "$*" | tr ' ' ,)" bookworm "$root" ${mirror:+"$mirror"} || return 1
    [ -z "$proxy" ] || echo "Acquire::http::Proxy \"$proxy\";" >"$root/etc/apt/apt.conf.d/01proxy"
    cp -r /usr/local/share/ca-certificates "$root/usr/local/share/" 2>/dev/null
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# chroot_run ROOT COMMAND: in /src with a shell, with /proc but without /sys, and without
# this machine's environment. Whatever it started ends with it.
chroot_run() {
    mkdir -p "$1/src"
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" || exit 1
        exec env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            chroot "$1" sh -c "cd /src && $2"' sh "$1" "$2"
}

# chroot_source ROOT: the repository's files as they are now, as a clone in ROOT/src.
chroot_source() {
    mkdir -p "$1/src"
    git ls-files -z --cached --others --exclude-standard |
        xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' sh |
        tar --null -T - -cf - | tar -C "$1/src" --no-same-owner -xf - &&
        git -C "$1/src" init -q && git -C "$1/src" add -A &&
        git -C "$1/src" -c user.name=t -c user.email=t@t commit -qm t
}
