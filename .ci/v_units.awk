# v_units.awk - the units that a Verilated class is compiled as: V<class>_fast.cpp and
# V<class>_slow.cpp include all that V<class>_classes.mk lists of either kind. Verilator's
# own are up to a dozen, and each takes a second for its headers alone.
#   awk -f .ci/v_units.awk FOLDER/Varray_1x24_classes.mk
FNR == 1 {
    name = FILENAME
    sub("_classes.mk$", "", name)
    printf "" > (name "_fast.cpp")
    printf "" > (name "_slow.cpp")
}
/^VM_(CLASSES|SUPPORT)_(FAST|SLOW) [+]=/ { unit = name (/FAST/ ? "_fast.cpp" : "_slow.cpp"); next }
/^\t/ && unit { print "#include \"" $1 ".cpp\"" > unit; next }
{ unit = "" }
