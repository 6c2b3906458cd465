#!/usr/bin/env bash
# --check-values can fail: one flipped bit in the values of a trace, and one in a copy of
# the RTL's datapath, are found and told with instruction, thread, lane and both results.
# tests/run: timeout=600 long
. tests/support/cli.sh
python=$(.ci/deps.sh python)
make -s BUILD="$IGPU_TMP/build" python
report $? "the tool is there"

trace=$IGPU_TMP/mad.pb
"$igpu" record --quiet -k mad_sp -g 64 -l 32 --arg buf:256 --arg i32:2 --arg f32:0.9 \
    --arg f32:0.1 --values -o "$trace" traces/kernels/mad.cl
expect 0 "the trace as it was recorded" "$vigpu" --quiet --check-values "$trace"
PYTHONPATH=$IGPU_TMP/build/python PYTHONDONTWRITEBYTECODE=1 \
    "$python" tests/fail/values_flip.py "$trace" "$IGPU_TMP/bad.pb"
"$igpu" trace verify "$IGPU_TMP/bad.pb" >/dev/null
report $? "with a flipped bit it is still a trace"
expect 1 "but its values are wrong" "$vigpu" --quiet --check-values "$IGPU_TMP/bad.pb"
says "where, and both results" \
    'differ first at cycle [0-9]*: kernel mad_sp, pc 0x.*thread [01], lane.*operands.*RTL.*emulator'

# The same program, its datapath rounding wrong when more than a half is cut off.
cp -r rtl "$IGPU_TMP/rtl"
sed -i 's/half && (rest || odd)/half \&\& odd/' "$IGPU_TMP/rtl/include/igpu_fpu_away.vh"
cmp -s "$IGPU_TMP/rtl/include/igpu_fpu_away.vh" rtl/include/igpu_fpu_away.vh &&
    report 1 "the defect changes nothing"
(cd "$IGPU_TMP" && verilator --cc -O3 -Wno-fatal -Wno-lint --x-assign fast --x-initial fast --noassert \
    -y rtl/fpu -y rtl/lib -Irtl/include --prefix Vigpu_eu_fpu --Mdir v \
    --top-module igpu_eu_fpu rtl/eu/igpu_eu_fpu.v &&
    make -s -C v -f Vigpu_eu_fpu.mk Vigpu_eu_fpu__ALL.a OPT_FAST=-O0 OPT_SLOW=-O0) \
    >"$IGPU_TMP/log" 2>&1
report $? "a defective datapath is built"
root=$(verilator --getenv VERILATOR_ROOT)
archives=$(make -s list-archives NAMES='$(VIGPU_LIBS)' |
    sed "s|[^ ]*/Vigpu_eu_fpu__ALL.a|$IGPU_TMP/v/Vigpu_eu_fpu__ALL.a|g")
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++17 -O1 -DVM_TRACE=1 -DVM_TRACE_FST=1 -I. -Icsim/include \
    -I"$IGPU_BUILD/gen" -I"$IGPU_TMP/v" -I"$root/include" -I"$root/include/vltstd" -c \
    -o "$IGPU_TMP/fpu_rtl.o" bridge/engines/rtl/fpu_rtl.cpp &&
    "${CXX:-g++}" -pthread -Wl,--as-needed -o "$IGPU_TMP/Vigpu" \
        "$IGPU_BUILD/obj/bridge/programs/cli/main.o" "$IGPU_TMP/fpu_rtl.o" $archives \
        -lprotobuf-c -lzstd -lyaml -lm -lz -latomic
report $? "and linked"
expect 1 "its results differ" "$IGPU_TMP/Vigpu" --quiet --check-values "$trace"
says "where" 'differ first at cycle .* mad_sp, pc 0x'
exit $failures
