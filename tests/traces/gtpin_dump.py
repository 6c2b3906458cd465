"""gtpin_dump.py - makes small GT-Pin text dumps for the import's tests.

gtpin_dump.py DIR writes t0.dump and t1.dump: two threads of one run, kernel `loop`
launched twice and `once` in between. The loop runs 3 and 5 times. Fields that are
zero are left out, as the real ones do.
"""
import os
import random
import sys

NOT = "4294967295"


def inst(block, number, opcode, exec_size, extra, size=16, addrs=()):
    fields = {"opcode": f"GED_OPCODE_{opcode}", "exec_size": exec_size,
              "ins_uid": f'"0_{block}_{number}"', "ins_size": size, "src2_reg_num": NOT,
              "msg_desc": NOT, "ex_msg_desc": NOT, "uip": -1, "jip": -1,
              "src2_reg_file": "GED_REG_FILE_INVALID", "some_new_field": 7}
    if number:
        fields.update(ins_id=number, ins_offset=16 * number, bbl_id=block)
    fields.update(extra)
    lines = [f"{k}: {v}" for k, v in fields.items()]
    return lines + [f"mem_addr: {a}" for a in addrs]


def grf(name, reg, kind):
    fields = {f"{name}_reg_file": "GED_REG_FILE_GRF", f"{name}_reg_num": reg}
    if kind != "ud":
        fields[f"{name}_data_type"] = f"GED_DATA_TYPE_{kind}"
    if name != "dst":
        fields.update({f"{name}_width": 8, f"{name}_vert_stride": 8,
                       f"{name}_horz_stride": 1})
    return fields


def send(block, number, addrs):
    return inst(block, number, "send", 8, {
        **grf("dst", 20, "ud"), "src0_reg_file": "GED_REG_FILE_GRF",
        "src0_reg_num": 12, "msg_desc": 0x041401FF, "ex_msg_desc": 12,
        "is_memop": "true", "is_mem_read": "true",
        "msg_type": "GEN_MEM_MSG_TYPE_A64_SCATTERED_READ", "mem_size": 4}, addrs=addrs)


def loop_kernel(laps, base):
    """(block, instruction lines) in order of execution."""
    yield 0, inst(0, 0, "mov", 8, {**grf("dst", 10, "ud"),
                                   "src0_reg_file": "GED_REG_FILE_IMM", "imm": 5})
    for lap in range(laps):
        yield 1, send(1, 1, [base + 256 * lap + 4 * i for i in range(8)])
        yield 1, inst(1, 2, "mad", 8, {**grf("dst", 20, "f"), **grf("src0", 20, "f"),
                                       **grf("src1", 30, "f"), **grf("src2", 31, "f")})
        yield 1, inst(1, 3, "while", 8, {"jip": -32})
    yield 2, inst(2, 4, "send", 8, {"src0_reg_file": "GED_REG_FILE_GRF",
                                    "src0_reg_num": 127, "msg_desc": 0x02000010,
                                    "ex_msg_desc": 0x27, "eot": "GED_EOT_EOT"})


def once_kernel():
    yield 0, inst(0, 0, "add", 16, {**grf("dst", 10, "f"), **grf("src0", 12, "f"),
                                    **grf("src1", 14, "f")})
    yield 0, inst(0, 1, "send", 8, {"src0_reg_file": "GED_REG_FILE_GRF",
                                    "src0_reg_num": 127, "msg_desc": 0x02000010,
                                    "ex_msg_desc": 0x27})


def dump(launches, shuffle=None):
    """The text of one thread: launches are (name, instructions)."""
    launches = [(name, list(insts)) for name, insts in launches]
    count = sum(len(insts) for _, insts in launches)
    out = ["******* Program Summary ***********", f"Program Num Ins: {count}",
           "************************", "HW Thread id: 0"]
    for name, insts in launches:
        out += ["", f"KERNEL: {name}", ""]
        last = None
        for block, lines in insts:
            if block != last:
                out += ["", "****** BBL ******", "", f"BBL-id: 0_{block}"]
            last = block
            if shuffle:
                lines = lines + shuffle.sample(lines, 3)
                addresses = [l for l in lines if l.startswith("mem_addr")]
                rest = [l for l in lines if not l.startswith("mem_addr")]
                shuffle.shuffle(rest)
                once = sorted(set(addresses), key=addresses.index)
                lines = rest + once + addresses[:2]  # one for each lane, and more
            out += ["", "****** INSTRUCTION ******"] + lines
    return "\n".join(out) + "\n"


def threads(shuffle=None):
    for t, laps in enumerate((3, 5)):
        yield dump([("loop", loop_kernel(laps, 0x10000 * (t + 1))),
                    ("once", once_kernel()),
                    ("loop", loop_kernel(1, 0x40000))], shuffle)


def write(folder, shuffle=None):
    os.makedirs(folder, exist_ok=True)
    for t, text in enumerate(threads(shuffle)):
        with open(f"{folder}/t{t}.dump", "w", encoding="ascii") as out:
            out.write(text)


if __name__ == "__main__":
    write(sys.argv[1])
    write(sys.argv[1] + "/shuffled", random.Random(4))
