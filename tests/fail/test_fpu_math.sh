#!/bin/sh
# The accuracy test of extended math can fail: one changed bit in each of its parts is
# found. The parts are built apart from the others, with the change.
# tests/run: timeout=200 slow
. tests/support/cli.sh
mkdir -p "$IGPU_TMP/src"

cc="${CC:-gcc} -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -Icsim/include -Icsim/fpu -I."
for file in traces/program/half tests/fpu/math_oracle tests/fpu/test_math_accuracy; do
    $cc -c -o "$IGPU_TMP/${file##*/}.o" "$file.c"
done

build() { # build: the accuracy test with $IGPU_TMP/src for csim/fpu
    $cc "$IGPU_TMP"/src/*.c "$IGPU_TMP"/*.o -o "$IGPU_TMP/accuracy" -lcmocka -lmpfr \
        -lgmp -lm
}

found() { # found TEST: the changed sources build, and that test fails
    build && ! IGPU_TEST_ONLY="*$1*" CMOCKA_MESSAGE_OUTPUT=TAP "$IGPU_TMP/accuracy" >"$IGPU_TMP/out" 2>&1 &&
        grep -q "^not ok.*$1" "$IGPU_TMP/out"
}

defect() { # defect FILE SED-EXPRESSION WHAT FINDS: the test named FINDS fails
    cp csim/fpu/*.[ch] "$IGPU_TMP/src"
    sed -i "$2" "$IGPU_TMP/src/$1"
    cmp -s "csim/fpu/$1" "$IGPU_TMP/src/$1" && { report 1 "$3: nothing changed"; return; }
    found "$4"
    report $? "$3 is found"
}

# Bit 20 of c0 in one segment of each table (2^-20), counted by lines of two segments.
flip() { # flip TABLE-TEXT LINE WHAT FINDS
    awk -v text="$1" -v at="$2" '
        index($0, "/* " text) { on = NR }
        on && NR == on + at { match($0, /{[0-9]+/)
            c0 = substr($0, RSTART + 1, RLENGTH - 1)
            $0 = substr($0, 1, RSTART) sprintf("%.0f", c0 + 1048576) \
                 substr($0, RSTART + RLENGTH) }
        { print }' csim/fpu/math_table.c >"$IGPU_TMP/table.c"
    cp csim/fpu/*.[ch] "$IGPU_TMP/src" && cp "$IGPU_TMP/table.c" "$IGPU_TMP/src/math_table.c"
    ! cmp -s csim/fpu/math_table.c "$IGPU_TMP/table.c" && found "$4"
    report $? "$3 is found"
}

flip "1 / m" 30 "an entry of the inverse's table" integer_division
flip "2^f" 9 "an entry of the exponential's table" singles_are_within
defect math_format.h 's/rest > half ||/rest >= half ||/' "a tie that rounds up" follow_ieee
defect math_div.c '0,/q--;/s///' "a quotient without its correction" follow_ieee
defect math_trig.c 's/x.exp < -1/x.exp < 1/' "a small angle taken for a large one" singles_in_order
exit $failures
