#!/usr/bin/env bash
# test_images.sh - images that OpenCL kernels read are timed by the subslices' samplers
# (docs/contract/fixed-functions.md, "Sampler"): their rate, their caches, which forget between launches
# and when they are flushed; what kernels write stays with the data port.
. tests/support/cli.sh
t=$IGPU_TMP

cat >"$t/k.cl" <<'END'
kernel void texels(read_only image2d_t image, global uint *out, int n)
{
    int x = get_global_id(0), y = get_global_id(0) / 32;
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum += read_imageui(image, (int2)(x + i & 31, y & 31)).x;
    out[get_global_id(0)] = sum;
}

kernel void words(global const uint *in, global uint *out, int n)
{
    int x = get_global_id(0), y = get_global_id(0) / 32;
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum += in[(x + i & 31) + 32 * (y & 31)];
    out[get_global_id(0)] = sum;
}

kernel void filtered(read_only image2d_t image, sampler_t s, global float4 *out, float apart)
{
    float x = get_global_id(0) % 32, y = get_global_id(0) / 32;

    out[get_global_id(0)] = read_imagef(image, s, (float2)(x + apart, y + apart));
}

kernel void deep(read_only image3d_t image, sampler_t s, global float4 *out)
{
    float x = get_global_id(0) % 32, y = get_global_id(0) / 32;

    out[get_global_id(0)] = read_imagef(image, s, (float4)(x, y, 1, 0));
}

kernel void written(write_only image2d_t image)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imageui(image, at, (uint4)(at.x));
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void blocks(read_only image2d_t image, write_only image2d_t copy, global uint *out)
{
    int2 at = (int2)(0, 4 * (int)get_group_id(0) + 1);
    uint4 block = intel_sub_group_block_read4(image, at);

    intel_sub_group_block_write4(copy, at, block);
    out[get_global_id(0)] = block.x + block.y + block.z + block.w;
}

kernel void fenced(read_write image2d_t image, global uint *out)
{
    int2 at = (int2)(get_global_id(0) & 31, get_global_id(0) / 32);
    uint4 old = read_imageui(image, at);

    write_imageui(image, at, old + 1);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    out[get_global_id(0)] = read_imageui(image, at).x;
}
END

kernel() { # kernel TRACE NAME RANGE GROUP ARG...
    local name=$1 kernel=$2 args=()
    local -a range=(-g "$3" -l "$4")
    shift 4
    for arg in "$@"; do args+=("${arg%%=*}" "${arg#*=}"); done
    expect 0 "$name is recorded" "$igpu" record -O -cl-std=CL2.0 -k "$kernel" "${range[@]}" \
        "${args[@]}" -o "$t/$name.pb" "$t/k.cl"
}
image=--arg=image2d:32x32:rgba-u8:rand:1
kernel few texels 6144 64 $image --arg=buf:24K --arg=i32:32
kernel many texels 6144 64 $image --arg=buf:24K --arg=i32:64
kernel words words 6144 64 --arg=buf:4K:rand:1 --arg=buf:24K --arg=i32:32
kernel written written 32,32 16,4 --arg=image2d:32x32:rgba-u8
kernel fenced fenced 1024 64 $image --arg=buf:4K
# One group twice: the second launch reads the first one's lines.
kernel twice texels 64 64 $image --arg=buf:256 --arg=i32:8 --repeat=2

for sampler in nearest linear; do
    for bits in 32:rgba-unorm8 64:rgba-f16 128:rgba-f32; do
        kernel $sampler${bits%:*} filtered 1024 64 --arg=image2d:32x32:${bits#*:} \
            --arg=sampler:clamp_to_edge:$sampler --arg=buf:16K --arg=f32:0.25
    done
    kernel ${sampler}3d deep 1024 64 --arg=image3d:32x32x4:rgba-unorm8 \
        --arg=sampler:clamp_to_edge:$sampler --arg=buf:16K
done
kernel centres filtered 1024 64 --arg=image2d:32x32:rgba-unorm8 --arg=sampler:clamp_to_edge:linear \
    --arg=buf:16K --arg=f32:0.5

# figures TRACE OPTION...: cycles of all launches, then the figures of "tex", then of the
# last launch's
figures() {
    local trace=$1
    shift
    "$igpu" ref --json "$t/j.json" "$@" "$t/$trace.pb" >/dev/null || return 1
    python3 - "$t/j.json" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
for of in run, run["kernels"][-1]:
    print(of["cycles"], *(of["tex"][k] for k in (
        "messages", "samples", "l1_accesses", "l1_hits", "l1_misses", "l2_hits", "l2_misses")))
END
}

# within PART WHOLE PERCENT EXPECTED: is PART so many per cent of WHOLE, give or take 1?
within() {
    awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {exit !(a > b * (p - 1) / 100 && a < b * (p + 1) / 100)}'
}

# ---- rate ----------------------------------------------------------------------
read -r few messages samples lines hits misses _ <<<"$(figures few)"
[ "$messages" = $((6144 * 32 / 16)) ] && [ "$samples" = $((6144 * 32)) ]
report $? "a sample for each work-item and read"
[ "$misses" -lt $((lines / 50)) ] && [ $((hits + misses)) -le "$lines" ]
report $? "an image that fits is found in the first cache"
read -r many _ <<<"$(figures many)"
# so many samples more, four a cycle, in three subslices
within $((many - few)) $((6144 * 32 / 4 / 3)) 100
report $? "texels come at the samplers' rate ($((many - few)) cycles)"
for rate in 1 2; do
    read -r less _ <<<"$(figures few -s tex.samples=$rate)"
    read -r more _ <<<"$(figures many -s tex.samples=$rate)"
    within $((more - less)) $((6144 * 32 / rate / 3)) 100
    report $? "at $rate a cycle ($((more - less)) cycles)"
done
read -r whole _ <<<"$(figures words)"
read -r half messages _ <<<"$(figures words -s tex.samples=2)"
[ "$whole" = "$half" ] && [ "$messages" = 0 ]
report $? "a kernel of buffers does not meet it"
read -r _ messages _ <<<"$(figures written)"
[ "$messages" = 0 ]
report $? "nor what is written to an image"

# Blocks are messages of the data port, of 32 bytes by 4 rows. From the second row of a
# line on they touch two lines, in two columns of 16 bytes; the last one is clamped to, or
# cut off at, the last row.
kernel blocks blocks 128 16 $image --arg=image2d:32x32:rgba-u8 --arg=buf:512
expect 0 "blocks: the trace is whole" "$igpu" trace verify "$t/blocks.pb"
"$igpu" trace dump --format csv "$t/blocks.pb" >"$t/rows.csv"
"$igpu" trace dump --format json "$t/blocks.pb" | python3 -c '
import csv, json, sys
of = {i["ins_uid"]: i.get("msg_type") for k in json.load(sys.stdin)["kernels"] for i in k["instructions"]}
for kind in "typed_read", "typed_write":
    rows = [r["addresses"].split() for r in csv.DictReader(open(sys.argv[1])) if of[r["ins_uid"]] == kind]
    assert [len(r) for r in rows] == [4] * 14 + [2] * 2, (kind, [len(r) for r in rows])
    lines = {int(a, 16) for r in rows for a in r}
    assert len(lines) == 4 * 8 and all(a % 64 == 0 for a in lines), (kind, len(lines))' "$t/rows.csv"
report $? "blocks: each of their lines"
read -r _ messages _ <<<"$(figures blocks)"
[ "$messages" = 0 ]
report $? "blocks pass by the sampler"
expect 0 "blocks: RTL and reference agree" "$vigpu" --quiet --check "$t/blocks.pb"
"$igpu" ref --json "$t/j.json" "$t/blocks.pb" >/dev/null &&
    python3 -c 'import json, sys; l3 = json.load(open(sys.argv[1]))["l3"]; sys.exit(not l3["accesses"] >= 2 * (14 * 4 + 2 * 2))' "$t/j.json"
report $? "blocks: their lines reach the L3"

# Further lines of texels are version 1.6's, and of what was written to a pipe (1.1).
for version in 0:3 1:0 5:3 6:0 7:3; do
    cp "$t/linear32.pb" "$t/version.pb"
    printf "\\x0${version%:*}" | dd of="$t/version.pb" bs=1 seek=7 conv=notrunc status=none
    expect ${version#*:} "lines of texels in version 1.${version%:*}" "$igpu" trace verify "$t/version.pb"
    [ ${version#*:} = 0 ] || says "whose lanes" 'lanes that the message has not, of instruction'
done

# Without optimisation descriptors come from registers, which the code in front tells.
expect 0 "code without optimisation is recorded" "$igpu" record -O "-cl-std=CL2.0 -cl-opt-disable" \
    -k texels -g 6144 -l 64 ${image/=/ } --arg buf:24K --arg i32:32 -o "$t/plain.pb" "$t/k.cl"
expect 0 "its trace is whole" "$igpu" trace verify "$t/plain.pb"
read -r _ messages samples _ <<<"$(figures plain)"
[ "$messages" = $((6144 * 32 / 8)) ] && [ "$samples" = $((6144 * 32)) ]
report $? "it reads as many texels"
expect 0 "its writes, too" "$igpu" record -O "-cl-std=CL2.0 -cl-opt-disable" -k written -g 32,32 -l 16,4 \
    --arg image2d:32x32:rgba-u8 -o "$t/plain_written.pb" "$t/k.cl"
"$igpu" trace dump --format csv "$t/plain_written.pb" >"$t/rows.csv"
"$igpu" trace dump --format json "$t/plain_written.pb" | python3 -c '
import csv, json, sys
of = {i["ins_uid"]: i.get("msg_type") for k in json.load(sys.stdin)["kernels"] for i in k["instructions"]}
rows = [r for r in csv.DictReader(open(sys.argv[1])) if of[r["ins_uid"]] == "typed_write"]
texels = {a for r in rows for a in r["addresses"].split()}
sys.exit(len(rows) != 32 * 32 / 8 or len(texels) != 32 * 32)' "$t/rows.csv"
report $? "each of its texels once"

# ---- filters -------------------------------------------------------------------
# A line has 4x4 texels of 32 bits, 2x4 of 64, 1x4 of 128. A message has 16 neighbours of a
# row, from column 0 or 16 on; a filter a quarter texel beside their centres reads one
# column and one row before them, too: of 32 bits 4 and 5 columns of lines, of 64 bits 8
# and 9, each two lines high for 7 of 32 rows. Of 128 bits those 7 have more than the 15
# further lines that a record has room for.
for of in nearest32:1:256 nearest64:2:512 nearest128:4:1024 nearest3d:1:256 centres:1:256 \
    linear32:1:$((39 * 9)) linear64:2:$((39 * 17)) linear128:4:$((25 * 33 + 7 * 61)) linear3d:2:$((39 * 9 * 2)); do
    IFS=: read -r trace each lines <<<"$of"
    read -r _ messages samples accesses _ <<<"$(figures "$trace")"
    [ "$samples" = $((1024 * each)) ] && [ "$messages" = 64 ]
    report $? "$trace: $each samples for each work-item"
    [ "$accesses" = "$lines" ]
    report $? "$trace: $accesses lines"
    expect 0 "$trace: the trace is whole" "$igpu" trace verify "$t/$trace.pb"
done
# Of one thread, since others are moved from the first (version 1.11).
expect 0 "one thread is recorded" "$igpu" record -O -cl-std=CL2.0 -k filtered -g 16 -l 16 --arg=image2d:32x32:rgba-unorm8 \
    --arg=sampler:clamp_to_edge:linear --arg=buf:16K --arg=f32:0.5 -o "$t/one.pb" "$t/k.cl"
"$igpu" trace info "$t/one.pb" | grep -q '^format  *1\.6$'
report $? "of images: version 1.6"
expect 0 "one thread is recorded" "$igpu" record -O -cl-std=CL2.0 -k words -g 16 -l 16 --arg=buf:4K:rand:1 --arg=buf:24K \
    --arg=i32:32 -o "$t/one.pb" "$t/k.cl"
"$igpu" trace info "$t/one.pb" | grep -q '^format  *1\.1$'
report $? "of buffers: version 1.1"
# A pipe's version cannot be written behind the rest.
set -o pipefail
"$igpu" record --quiet -O -cl-std=CL2.0 -k filtered -g 1024 -l 64 --arg=image2d:32x32:rgba-unorm8 \
    --arg=sampler:clamp_to_edge:linear --arg=buf:16K --arg=f32:0.5 -o /dev/stdout "$t/k.cl" |
    cat >"$t/piped.pb"
report $? "a trace of images goes through a pipe"
cmp <(figures piped) <(figures centres)
report $? "and is simulated as that of a file is"

# ---- caches --------------------------------------------------------------------
read -r small _ <<<"$(figures few -s tex.l1_bytes=256 -s tex.l1_ways=1 -s tex.l2_bytes=256 -s tex.l2_ways=1)"
[ "$small" -gt $((few * 11 / 10)) ]
report $? "smaller caches are felt ($few, $small cycles)"
{
    read -r _ _ _ _ _ _ all_l2 all_l3
    read -r _ _ _ lines hits _ l2 l3
} <<<"$(figures twice)"
[ "$hits" -gt 0 ] && [ "$l2" = 0 ] && [ "$l3" -gt 0 ] && [ "$all_l3" = $((2 * l3)) ] &&
    [ "$all_l2" = 0 ] && [ "$lines" -gt "$hits" ]
report $? "a launch finds nothing of the one before in the sampler's caches"
read -r _ messages samples _ hits misses _ <<<"$(figures fenced)"
[ "$messages" -gt $((samples / 16)) ]
report $? "a flush is a message of its own"
[ "$misses" -gt "$hits" ]
report $? "and what is read behind it is fetched anew ($misses lines, $hits found)"

# ---- other readers ---------------------------------------------------------------
for trace in nearest linear; do
    expect 0 "${trace}128 for MacSim" "$igpu" trace convert --to macsim -o "$t/$trace.macsim" "$t/${trace}128.pb"
    expect 0 "${trace}128's features" "$igpu" features --csv "$t/$trace.csv" "$t/${trace}128.pb"
done
python3 - "$t/nearest.csv" "$t/linear.csv" <<'END'
import csv, sys
nearest, linear = (next(csv.DictReader(open(f))) for f in sys.argv[1:])
assert int(nearest["msg.sampler"]) == 64 and nearest["mem.lanes"] == linear["mem.lanes"], nearest
END
report $? "features count the message's own lanes alone"

# ---- both engines ---------------------------------------------------------------
for trace in few fenced twice linear128; do
    expect 0 "$trace: RTL and C reference agree" "$vigpu" --check "$t/$trace.pb"
done
expect 0 "on another GPU" "$vigpu" -c kbl-gt3e -s eu.threads=3 -s tex.latency=8 --check "$t/few.pb"
"$vigpu" "$t/few.pb" | grep -q '^samplers  *12288 messages, [0-9]* lines, 9[89]\.[0-9] % hits$'
report $? "the text tells of the samplers"

exit $failures
