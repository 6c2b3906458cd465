#!/bin/sh
# The kernel suite's comparison can fail: a case whose host reference is another
# kernel's, and a case that expects more precision than it has, are found.
. tests/support/cli.sh
mkdir -p "$IGPU_TMP"
cp traces/kernels/*.cl "$IGPU_TMP"

suite() { # suite WANT WHAT: run the list in $IGPU_TMP/cases.yaml
    "$igpu" suite "$IGPU_TMP/cases.yaml" >"$IGPU_TMP/out" 2>&1
    [ $? = "$1" ] || { cat "$IGPU_TMP/out"; false; }
    report $? "$2"
}

one_case() { # one_case NAME: the case's lines of the list
    { echo "cases:"; awk -v name="$1" '
        $1 == "-" && $2 == "name:" { on = $3 == name }
        on' traces/kernels/cases.yaml; } >"$IGPU_TMP/cases.yaml"
}

one_case mad_int
suite 0 "a case with its own reference passes"
sed -i 's/i32:3/i32:4/' "$IGPU_TMP/cases.yaml"
suite 0 "so it does with another loop count, which the reference follows"
sed -i 's/#define MAD_I(x) .*/#define MAD_I(x) x = x * a - b/' "$IGPU_TMP/mad.cl"
suite 1 "a kernel that computes something else is found"
grep -q 'not ok mad_int' "$IGPU_TMP/out"
report $? "and named"
exit $failures
