#!/usr/bin/env bash
# install.sh - copy files into place and remove them again, as `make install` asks.
#
#   install.sh install DESTDIR MANIFEST    stdin: a line `MODE SOURCE TARGET` for each file
#   install.sh uninstall DESTDIR MANIFEST
#
# TARGET and MANIFEST are absolute, without DESTDIR. The manifest lists what was installed,
# itself included, so that another version of the Makefile still removes all of it.
set -u
action=${1:-} dest=${2-} manifest=${3:-}
fail() { echo "error: $1" >&2 && exit 1; }

case "$action $manifest" in
"install /"*)
    list=$(mktemp) || exit 1
    trap 'rm -f "$list"' EXIT
    [ ! -e "$dest$manifest" ] || cat "$dest$manifest" >"$list"
    while read -r mode source target; do
        case "$target" in /*) ;; *) fail "not an absolute path: '$target' (of $source)" ;; esac
        install -D -m "$mode" "$source" "$dest$target" || exit 1
        echo "$target" >>"$list"
    done
    echo "$manifest" >>"$list"
    sort -u "$list" | install -D -m 644 /dev/stdin "$dest$manifest"
    ;;
"uninstall /"*)
    [ -f "$dest$manifest" ] || fail "$dest$manifest: no such file: nothing is installed there"
    list=$(cat "$dest$manifest") || exit 1
    while read -r target; do
        case "$target" in /*) ;; *) fail "$dest$manifest: not an absolute path: '$target'" ;; esac
        rm -f "$dest$target" || exit 1
        case "$target" in # what Python has made of it
        *.py)
            cache=$dest${target%/*}/__pycache__ name=${target##*/}
            rm -f "$cache/${name%.py}".*.pyc || exit 1
            [ ! -d "$cache" ] || rmdir --ignore-fail-on-non-empty "$cache" || exit 1
            ;;
        esac
    done <<<"$list"
    # Folders of ours that are empty now; those of others are left.
    sed 's,/[^/]*$,,' <<<"$list" | sort -ur | while read -r folder; do
        while [[ $folder == */vigpu* ]] && rmdir "$dest$folder" 2>/dev/null; do
            folder=${folder%/*}
        done
    done
    ;;
*)
    echo "usage: install.sh install|uninstall DESTDIR MANIFEST" >&2
    exit 2
    ;;
esac
