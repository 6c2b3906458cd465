#!/bin/sh
# tests/csim/test_isa_cover can fail: with one wrong line in the emulator it says so. Each
# defect is compiled from a changed copy and linked before the emulator's archive.
# tests/run: slow turn=0of3
. tests/support/cli.sh

flags="-std=c11 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -Icsim/include -Icsim/emu -I."
case $IGPU_BUILD in *san*) san=-fsanitize=address,undefined ;; *) san= ;; esac
objects=$IGPU_BUILD/obj/tests/csim

defect() { # defect WHAT FILE SED-COMMAND: the cover test must not pass with it
    sed "$3" "csim/emu/$2" >"$IGPU_TMP/defect.c"
    ! cmp -s "csim/emu/$2" "$IGPU_TMP/defect.c" || { echo "not ok $1: sed changed nothing"; failures=1; return; }
    ${CC:-gcc} $flags $san -c -o "$IGPU_TMP/defect.o" "$IGPU_TMP/defect.c" &&
        ${CXX:-g++} $san -pthread -o "$IGPU_TMP/cover" "$IGPU_TMP/defect.o" \
            "$objects/test_isa_cover.o" "$objects/emu_rig.o" "$objects/isa_form.o" \
            "$objects/isa_encode.o" "$objects"/isa_oracle*.o \
            $(make -s list-archives NAMES=emu) -lcmocka -lmpfr -lgmp -lm ||
        { echo "not ok $1: does not build"; failures=1; return; }
    "$IGPU_TMP/cover" --report 120 >"$IGPU_TMP/out" 2>&1
    [ $? = 1 ] && grep -q "differ" "$IGPU_TMP/out"
    report $? "$1 is found"
}

defect "an average that rounds down" emu_alu_int.c 's/(a\[i\] + b\[i\] + 1) >> 1/(a[i] + b[i]) >> 1/'
defect "a saturation one too high" emu_store.c 's/ISA_TYPE_UW\] = {0, UINT16_MAX}/ISA_TYPE_UW] = {0, UINT16_MAX + 1}/'
defect "rounding down where up was asked" emu_num.c 's/return !n->sign;/return n->sign;/'
defect "an any-predicate that wants all" emu_state.c 's/all ? group == ones : group != 0/group == ones/'
defect "a region's row that is one off" emu_build.c 's/row = i \/ width, column/row = i \/ (width + (i > 7)), column/'
exit $failures
