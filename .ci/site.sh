#!/usr/bin/env bash
# site.sh BUILD - the documentation as pages in BUILD/site/, from docs/, README.md and
# CHANGELOG.md; a broken link is an error. Needs mkdocs. `make site` calls it.
set -eu
stage=${1:?usage: site.sh BUILD}/docs-site
rm -rf "$stage" && mkdir -p "$stage/docs"
cp -r docs/*/ "$stage/docs"
cp docs/README.md "$stage/docs/map.md" # a README would be taken for the first page
# Cells of text are as wide as there is room; the theme has them on one line.
echo '.wy-table-responsive table td, .wy-table-responsive table th { white-space: normal }' >"$stage/docs/site.css"
# Seen from docs/, where the README's links lead.
sed -e 's,](docs/README.md),](map.md),g' -e 's,](docs/,](,g' -e 's,](LICENSE),](license.md),g' README.md >"$stage/docs/index.md"
sed -e 's,](docs/,](,g' CHANGELOG.md >"$stage/docs/changelog.md"
{ echo '# Licence' && echo '```' && cat LICENSE && echo '```'; } >"$stage/docs/license.md"
(cat .ci/mkdocs.yml && echo '  - Lab:' && cd docs && printf '    - %s\n' lab/*) >"$stage/mkdocs.yml"
mkdocs build --strict -f "$stage/mkdocs.yml" >"$stage/log" 2>&1 || {
    grep -v '^INFO' "$stage/log" >&2
    exit 1
}
# Debian's mkdocs asks for jQuery by a number that it does not have, and for a script
# that it leaves out, which gives tables the class that the theme's style is for.
jquery=$(cd "$stage/site/js" && echo jquery-*.min.js)
find "$stage/site" -name '*.html' -exec sed -i -e "s,jquery-[0-9.]*min\.js,$jquery," \
    -e '/theme_extra\.js/d' -e 's,<table>,<table class="docutils">,' {} +
.ci/links.py "$stage/site"
rm -rf "$1/site" && mv "$stage/site" "$1/site"
