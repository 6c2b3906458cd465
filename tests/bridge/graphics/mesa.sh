# mesa.sh - for tests of graphics; source it. Skips the test where Mesa is missing.
mkdir -p "$IGPU_TMP"
unset DISPLAY WAYLAND_DISPLAY
for lib in libEGL.so.1 libGLESv2.so.2 libEGL_mesa.so.0 dri/iris_dri.so; do
    [ -n "$(ls /usr/lib/*-linux-gnu/$lib /usr/lib64/$lib /usr/lib/$lib 2>/dev/null)" ] && continue
    echo "1..0 # SKIP no $lib: apt-get install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"
    exit 0
done

# object_of NAME: its object of the build (lint-c's), if it is as new as all that it may read;
# else its source
object_of() {
    for file in "tests/bridge/graphics/$1.c" tests/bridge/graphics/*.h; do
        [ "$IGPU_BUILD/obj/tests/bridge/graphics/$1.o" -nt "$file" ] && continue
        echo "tests/bridge/graphics/$1.c"
        return
    done
    echo "$IGPU_BUILD/obj/tests/bridge/graphics/$1.o"
}

# build_program NAME [LIBRARY PACKAGE]: tests/bridge/graphics/NAME.c as $IGPU_TMP/NAME, of
# EGL and GLES or of LIBRARY
build_program() {
    for from in "$(object_of "$1")" "tests/bridge/graphics/$1.c"; do
        gcc -std=c11 -D_POSIX_C_SOURCE=200809L -o "$IGPU_TMP/$1" "$from" \
            ${2:--lEGL -lGLESv2} -lm 2>"$IGPU_TMP/cc" && return
    done
    echo "1..0 # SKIP $(head -1 "$IGPU_TMP/cc"): apt-get install ${3:-libegl-dev libgles-dev}"
    exit 0
}
