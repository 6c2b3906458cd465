"""counters.py J.json D.csv - do a frame's counters agree with each other, and with those
of its draws? Exit status 1 and a line for each that does not."""
import csv
import json
import sys

data = json.load(open(sys.argv[1]))
total = data["counters"]
draws = [d["counters"] for d in data["draws"]]
rows = list(csv.DictReader(open(sys.argv[2])))
bad = 0


def same(what, a, b):
    global bad
    if a != b:
        print(f"# {what}: {a} and {b}")
        bad = 1


def parts(whole, *names):
    for where in [total, *draws]:
        same(whole, where[whole], sum(where[name] for name in names))


for definition in data["definitions"]:
    name = definition["name"]
    if not definition["unit"] or not definition["text"] or name not in total:
        print(f"# {name} is not defined")
        bad = 1
    if definition["group"] not in ("commands", "state packets, by what they set"):
        same(name, total[name], sum(d[name] for d in draws))
    same(f"{name} as CSV", [d[name] for d in draws], [int(row[name]) for row in rows])
classes = ("move", "logic", "float", "integer", "math", "branch", "send", "other")
for stage in ("vs", "ps"):
    parts(f"{stage}_instructions", *[f"{stage}_{c}" for c in classes])
for kind in ("depth", "stencil"):
    for end in ("tested", "passed"):
        parts(f"{kind}_{end}", f"early_{kind}_{end}", f"late_{kind}_{end}")
parts("hiz_blocks", "hiz_failed", "hiz_passed", "hiz_ambiguous")
for where in [total, *draws]:
    same("notes that did not hold", where["hiz_stale"], 0)
parts("draws", *[f"{t}_draws" for t in ("point", "line", "triangle", "strip", "fan", "quad",
                                        "rectangle", "patch")])
for stage in ("ia", "rasterized"):
    parts("ia_primitives" if stage == "ia" else stage,
          *[f"{stage}_{k}" for k in ("points", "lines", "triangles", "rectangles")],
          *(["ia_patches"] if stage == "ia" else []))
parts("cl_invocations", "cl_accepted", "cl_rejected", "cl_cut")
for where in [total, *draws]:
    same("primitives set up", where["cl_primitives"] + where["outline_parts"],
         sum(where[n] for n in ("outlined", "culled", "off_screen", "rasterized")))
parts("rasterized_triangles", "front_facing", "back_facing")
parts("sampler_messages", "vs_sampler_messages", "ps_sampler_messages")
parts("sampler_messages", *[f"{t}_messages" for t in ("sample", "bias", "level", "gradient",
                                                      "gather", "load", "info")])
parts("texels", *[f"texels_{f}" for f in ("unorm8", "compressed", "float", "integer", "other")])
parts("target_messages", "target_messages_8", "target_messages_16",
      "target_messages_replicated")
print(f"# {len(data['definitions'])} counters, {len(draws)} draws")
sys.exit(bad or len(data["definitions"]) < 174 or not draws)
