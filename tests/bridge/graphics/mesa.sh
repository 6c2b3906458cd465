# mesa.sh - for tests of graphics; source it. Skips the test where Mesa is missing.
mkdir -p "$IGPU_TMP"
unset DISPLAY WAYLAND_DISPLAY
for lib in libEGL.so.1 libGLESv2.so.2 libEGL_mesa.so.0 dri/iris_dri.so; do
    [ -n "$(ls /usr/lib/*-linux-gnu/$lib /usr/lib64/$lib /usr/lib/$lib 2>/dev/null)" ] && continue
    echo "1..0 # SKIP no $lib: apt-get install libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri"
    exit 0
done

build_program() { # build_program NAME [LIBRARIES]: tests/bridge/graphics/NAME.c as $IGPU_TMP/NAME
    local name=$1
    shift
    [ $# -gt 0 ] || set -- -lEGL -lGLESv2
    gcc -std=c11 -D_POSIX_C_SOURCE=200809L -o "$IGPU_TMP/$name" "tests/bridge/graphics/$name.c" "$@" -lm \
        2>"$IGPU_TMP/cc" && return
    echo "1..0 # SKIP $(head -1 "$IGPU_TMP/cc"): apt-get install libegl-dev libgles-dev libgl-dev libx11-dev"
    exit 0
}
