#!/usr/bin/env bash
# The documentation as pages: no link of docs/, the README or the changelog is broken,
# every page is in the menu, and a broken link is found. Versions agree everywhere.
# tests/run: slow turn=0of3
set -u
top=${IGPU_TMP:?run through tests/run}/top
mkdir -p "$top"
cp -r docs .ci README.md CHANGELOG.md LICENSE "$top"
check() { # check NAME: the last command's verdict; $out explains a failure
    if [ "$?" = 0 ]; then echo "ok $1"; else echo "not ok $1" && printf '%s\n' "$out" | sed 's/^/# /'; fi
}
site() { out=$(cd "$top" && .ci/site.sh build 2>&1); }

site && [ -f "$top/build/site/index.html" ]
check "no link is broken"
out=$(for page in docs/[!l]*/*.md; do grep -q "[ :[]${page#docs/}[],]*" .ci/mkdocs.yml || echo "$page"; done)
[ -z "$out" ]
check "every page is in the menu of .ci/mkdocs.yml"
# What is broken is put into a tree of a page in two folders, which is made in a tenth of the time.
rm -r "$top"/docs/* && mkdir "$top/docs/contract" "$top/docs/lab"
sed -i -e '/^  - Guide/,$d' "$top/.ci/mkdocs.yml" && echo '  - Contract: [contract/isa.md]' >>"$top/.ci/mkdocs.yml"
for page in README.md CHANGELOG.md docs/README.md docs/lab/day.md docs/contract/isa.md; do echo "# Page" >"$top/$page"; done
# Two that mkdocs does not see are in one page, to make it once.
echo "[x](../lab/day.md#none) ![x](https://example.org/x.png)" >>"$top/docs/contract/isa.md"
! site && grep -q "day.html#none: no such heading" <<<"$out" && grep -q "x.png: loaded from another" <<<"$out"
check "a link to no heading and an image of another machine are found"
echo "[x](none.md)" >>"$top/docs/contract/isa.md"
! site && grep -q "isa.md.*none.md" <<<"$out"
check "a link to no page is found"

version=$(sed -n 's/^VERSION := //p' Makefile)
out="Makefile $version, changelog $(sed -n '/^## /{s/## //;p;q}' CHANGELOG.md)"
out+=", debian/changelog $(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)"
out+=", Python $(sed -n 's/^__version__ = "\(.*\)"/\1/p' bridge/python/vigpu/__init__.py)"
[ "$out" = "Makefile $version, changelog $version, debian/changelog $version, Python $version" ]
check "the version is the same in the Makefile, both changelogs and the Python package"
