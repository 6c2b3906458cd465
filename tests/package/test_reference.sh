#!/usr/bin/env bash
# docs/reference has what the programs say of themselves: options, statistics, features and
# the counters of graphics.
. tests/support/cli.sh
bin=$IGPU_TMP/build/bin
make -s BUILD="$IGPU_TMP/build" python && cp "$IGPU_BUILD"/bin/{Vigpu,igpu} "$bin" &&
    .ci/reference.sh "$bin" "$IGPU_TMP"
report $? "the pages are made"
for page in "$IGPU_TMP"/docs/reference/*.md; do
    name=docs/reference/${page##*/}
    diff -u "$name" "$page" >"$IGPU_TMP/difference"
    report $? "$name is what the programs say (make reference makes it)"
    head -n 12 "$IGPU_TMP/difference" | sed 's/^/# /'
done
rows=$(grep -c '^| `' docs/reference/statistics.md)
[ "$rows" -ge 140 ] && [ "$(grep -c '^## igpu ' docs/reference/options.md)" -ge 25 ]
report $? "$rows statistics, and every command has its options"
exit $failures
