#!/usr/bin/env bash
# Each lint gate is silent on a small clean tree and fails on its injected defect.
# tests/run: timeout=300 slow turn=1of3
set -u
tree=${IGPU_TMP:?run through tests/run}/tree
tools=$(realpath "$IGPU_BUILD/lint-tools")
gates="text includes headers params format c verilator iverilog yosys slang verible"

# fresh: a clean tree of the real gates and a few small sources.
fresh() {
    rm -rf "$tree"
    mkdir -p "$tree"/{csim/include/igpu,csim/mem,csim/emu,rtl/lib,rtl/include,docs/{reference,develop},traces}
    cp -r Makefile .ci .clang-format "$tree"
    mkdir -p "$tree/tests" && cp -r tests/lint "$tree/tests"
    rm -rf "$tree/tests/lint/__pycache__"
    printf '<!-- folders: begin -->\n<!-- folders: end -->\n' >"$tree/README.md"
    printf '# none here\n' >"$tree/tests/lint/corners.txt"
    printf 'IGPU_PARAM(a_b, "a.b", 3, 1, 9, "cycle", "estimate: a number")\n' \
        >"$tree/csim/include/igpu/params.def"
    printf 'IGPU_PRESET("one", a_b, 4)\n' >"$tree/csim/include/igpu/presets.def"
    cat >"$tree/csim/include/igpu/one.h" <<'C'
#ifndef IGPU_ONE_H
#define IGPU_ONE_H
int one(int x);
#endif
C
    cat >"$tree/csim/mem/one.c" <<'C'
#include "igpu/one.h"

int one(int x)
{
    return x + 1;
}
C
    printf '#ifndef IN_H\n#define IN_H\n#endif\n' >"$tree/csim/emu/inside.h"
    cat >"$tree/rtl/lib/igpu_one.v" <<'V'
`default_nettype none

module igpu_one (
    input  wire       clk_i,
    input  wire [3:0] a_i,
    output reg  [3:0] a_q
);

    always @(posedge clk_i) begin
        a_q <= a_i;
    end

endmodule

`default_nettype wire
V
    sed -e 's/igpu_one/igpu_two/' -e 's/a_q <= a_i/a_q <= ~a_i/' \
        "$tree/rtl/lib/igpu_one.v" >"$tree/rtl/igpu_two.v"
    (cd "$tree" && env -u MAKEFLAGS BUILD=build make params architecture && git init -q . && printf '/build/\n' >.gitignore &&
        ln -s "$tools" build/lint-tools && git add -A && git -c user.name=t -c user.email=t@t commit -qm t) >/dev/null 2>&1
}

gate() { (cd "$tree" && env -u MAKEFLAGS BUILD=build make -s -k V_TOPS= "lint-$1" 2>&1); }

# defect GATE NAME PATTERN COMMAND: after COMMAND in the tree, the gate fails and
# its output matches PATTERN.
defect() {
    local gate=$1 name=$2 pattern=$3 output
    (cd "$tree" && eval "$4")
    if output=$(gate "$gate"); then
        echo "not ok $gate: $name (the gate passed)"
    elif ! grep -qE "$pattern" <<<"$output"; then
        echo "not ok $gate: $name (failed, but without: $pattern)"
        printf '%s\n' "$output"
    else
        echo "ok $gate: $name"
    fi
    (cd "$tree" && git checkout -q . && git clean -qfd csim rtl traces tests docs)
}

fresh
for g in $gates; do
    output=$(gate "$g")
    if [ -z "$output" ]; then echo "ok $g: silent on a clean tree"; else
        echo "not ok $g: silent on a clean tree"
        printf '%s\n' "$output"
    fi
done

# installs STATUS: the tree has no tools; what installs them says so, and ends with STATUS.
installs() {
    rm -f "$tree/build/lint-tools" "$tree/build/lint/slang.ok"
    printf '#!/bin/sh\necho "installing: slang" >&2\n[ %s = 0 ] && ln -s %s build/lint-tools\n' "$1" "$tools" >"$tree/.ci/deps.sh"
    output=$(gate slang)
    status=$?
    (cd "$tree" && git checkout -q .ci/deps.sh && ln -sfn "$tools" build/lint-tools)
}
verdict() { if [ "$?" = 0 ]; then echo "ok slang: $1"; else echo "not ok slang: $1" && printf '%s\n' "$output"; fi; }
installs 0
[ "$status" = 0 ] && [ -z "$output" ]
verdict "silent where it is installed first"
installs 1
[ "$status" != 0 ] && grep -q '^installing: slang' <<<"$output"
verdict "an installation that fails is told"

marker="TO""DO"
place="/wo""rk/x"
defect text "an unfinished marker" "one.c:7: unfinished" \
    "echo '/* $marker */' >>csim/mem/one.c"
defect text "a path of one machine" "one.c:7: a path" "echo '/* $place */' >>csim/mem/one.c"
defect text "one in a file that is no text" "seed: a path of one machine at byte 2" \
    "printf 'x\\0%s/' '${place}y' >tests/seed"
defect text "a file written past the one writer" "one.c:7: files are written" \
    "echo 'FILE *f = fopen(path, \"w\");' >>csim/mem/one.c"
defect text "JSON past the one writer" "one.c:7: JSON is written" \
    "echo 'char a[] = \"{\\\\\"x\\\\\": 1}\";' >>csim/mem/one.c"
defect text "an array that grows past the one owner" "one.c:7: arrays grow" \
    "echo 'void *two(void *p) { return realloc(p, 2); }' >>csim/mem/one.c"
defect text "a paragraph of two lines" "params.md:[0-9]*: a paragraph is one line" \
    "printf '\\none line\\nand one more\\n' >>docs/reference/params.md"
defect text "an item of two lines" "adding.md:3: a paragraph is one line.* to be$" \
    "printf '\140\140\140\nx\ny\n\140\140\140\n| a |\n' >docs/develop/a.md
     printf '# a\n\n- it has to be\n  joined\n- not this\n' >docs/develop/adding.md"
defect text "a section that a page has not" "one.c:7: params.md has no section 77" \
    "echo '/* params.md,' section '77 */' >>csim/mem/one.c"
defect text "a long RTL file" "over 400" 'yes "// x" | head -n 500 >>rtl/igpu_two.v'
defect text "a file not named after its module" "expected exactly igpu_three" \
    "mv rtl/igpu_two.v rtl/igpu_three.v"
defect text "no default_nettype" "default_nettype" "sed -i 1d rtl/igpu_two.v"
defect text "test code in RTL" "test code" \
    "sed -i 's/a_q <= a_i;/\$display(\"x\");/' rtl/lib/igpu_one.v;
     sed -i 's/^    *\$display/    \$display/' rtl/lib/igpu_one.v"
defect text "a waiver in RTL" "igpu_one.v:9: rtl/ has no waivers" \
    "sed -i '9i // verilator lint_off BLKSEQ' rtl/lib/igpu_one.v"
defect includes "mem sees emu's insides" "csim/mem/one.c: may not include" \
    "sed -i '1i #include \"csim/emu/inside.h\"' csim/mem/one.c"
defect includes "csim sees protobuf" "pb-c.h> belongs to" \
    "sed -i '1i #include \"igpu_trace.pb-c.h\"' csim/mem/one.c"
defect includes "lib uses the top" "rtl/lib/igpu_one.v: may not use rtl/igpu_two.v" \
    "sed -i 's/^endmodule/igpu_two u_two(clk_i, a_i, );\nendmodule/' rtl/lib/igpu_one.v"
defect includes "a packet by its number" "gfx_raster.c:7: 0x52: name it" \
    "cp -r $PWD/csim/gfx csim && sed -i '7i if (sub == 0x52) {' csim/gfx/gfx_raster.c"
defect includes "a field by its bits" "gfx_raster.c:7: gfx_bits.*: name the field" \
    "cp -r $PWD/csim/gfx csim && sed -i '7i x = gfx_bits(p[1], 3, 5);' csim/gfx/gfx_raster.c"
defect includes "a packet's readers that are none" "packets.def:[0-9]*: should be" \
    "cp -r $PWD/csim/gfx csim && sed -i '/^GFX_STATE(3DSTATE_WM,/s/ gfx_hiz//' csim/gfx/packets.def"
defect includes "a packet without its volume" "3DSTATE_VS is below no heading" \
    "cp -r $PWD/csim/gfx csim && sed -i '/---- volume 2a: pipelined/s/volume 2a: //' csim/gfx/packets.def"
defect includes "a field of no packet" "SCRATCH_SIZE: MEDIA_VFE is no packet" \
    "cp -r $PWD/csim/gfx csim && sed -i 's/^GFX_PART(SCRATCH_SIZE, MEDIA_VFE_STATE/GFX_PART(SCRATCH_SIZE, MEDIA_VFE/' csim/gfx/packets.def"
defect headers "a header that needs another" "uint32_t" \
    "sed -i 's/int one.*/uint32_t one(int x);/' csim/include/igpu/one.h"
defect params "a default changed in the table only" "reproduce: diff" \
    "sed -i 's/, 3, 1/, 5, 1/' csim/include/igpu/params.def"
defect params "a generated file edited by hand" "params.md" "echo x >>docs/reference/params.md"
defect params "a default outside its range" "outside its range" \
    "sed -i 's/, 3, 1/, 99, 1/' csim/include/igpu/params.def"
defect params "a library that the page of them lacks" "README.md.*|architecture.md" \
    "sed -i 's/^library  ref/library  new csim\/new util: new\n&/' .ci/libraries.txt"
defect format "a long line" "clang-format" \
    "sed -i 's/return x + 1;/return   x+1;/' csim/mem/one.c"
defect c "a warning of gcc and clang" "Werror" \
    "sed -i 's/return x/int y; return x/' csim/mem/one.c"
defect c "a sign conversion" "conversion" \
    "sed -i 's/return x + 1/return (long)x/' csim/mem/one.c"
# What clang alone tells, of a source that the commit changed, in the commits of each quarter.
(cd "$tree" && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m t)
for digit in 0 1 2 3; do
    IGPU_COMMIT=$digit defect c "an assignment to itself, in a commit of $digit" "self-assign" \
        "sed -i 's/return x + 1/x = x;\n    return x + 1/' csim/mem/one.c"
done
defect verilator "a width mismatch" "WIDTH" \
    "sed -i 's/a_q <= a_i/a_q <= {a_i, 1'\"'\"'b0}/' rtl/lib/igpu_one.v"
defect verilator "an unused input" "UNUSED" "sed -i 's/<= a_i/<= 4'\"'\"'d1/' rtl/lib/igpu_one.v"
defect iverilog "an undeclared net" "undeclared|Unable to bind|declare" \
    "sed -i 's/<= a_i/<= b_i/' rtl/lib/igpu_one.v"
defect yosys "a latch" "assert|select" \
    "sed -i 's/always @(posedge clk_i) begin/always @* if (clk_i) begin/;
             s/<=/=/' rtl/lib/igpu_one.v"
defect yosys "an unknown module" "referenced in module|not part of the design" \
    "sed -i 's/^endmodule/igpu_none u_x(clk_i);\nendmodule/' rtl/lib/igpu_one.v"
defect slang "a net used above its declaration" "used before its declaration" \
    "sed -i 's/a_q <= a_i/a_q <= b/; s/^endmodule/wire [3:0] b = a_i;\nendmodule/' \
         rtl/lib/igpu_one.v"
defect slang "bits that are missing at a corner only" "index-oob|range-oob|out of bounds" \
    "sed -i 's/^module igpu_one (/module igpu_one #(parameter N = 4) (/;
             s/a_q <= a_i/a_q <= a_i[N-1:N-4]/' rtl/lib/igpu_one.v
     printf 'igpu_one N=5\n' >tests/lint/corners.txt"
defect slang "SystemVerilog" "error" "sed -i 's/always @(posedge/always_ff @(posedge/' rtl/lib/igpu_one.v"
defect verible "a name that is a keyword elsewhere" "syntax error" \
    "sed -i 's/a_i/inf/' rtl/lib/igpu_one.v"
defect verible "a tab" "no-tabs" "sed -i 's/^        a_q/\ta_q/' rtl/lib/igpu_one.v"
