"""gtpin_again.py - traces as GT-Pin dumps and back: for the import's tests.

gtpin_again.py IGPU DIR TRACE...: for each trace write what its first thread did as a text
dump, with each field of each executed instruction; import it; and compare what both
traces say of that thread: the instructions in order of execution, as IGA writes them,
and the addresses. With --guess the dump has no message descriptors, and the import has to
see in GT-Pin's own words for a message what it does: only whether it reads or writes, and
where, is compared.
"""
import itertools
import json
import subprocess
import sys

MEMORY = ("read", "write", "atomic")
NOT_GIVEN = ("asm", "ins_id", "ins_uid")


def dumped(igpu, trace):
    text = subprocess.run([igpu, "trace", "dump", "--format", "json", "--threads", "0",
                           trace], check=True, capture_output=True).stdout
    trace = json.loads(text)
    launch = trace["launches"][0]
    return trace["kernels"][launch["kernel"]], launch["threads"][0]


def executed(kernel, thread):
    """(block number, first of its block, instruction's number) in order."""
    for number in thread["path"]:
        block = kernel["blocks"][number]
        for i in range(block["count"]):
            yield number, i == 0, block["first"] + i


def words(message):
    """GT-Pin's name for a message: GEN_MEM_MSG_TYPE_A64_UNTYPED_READ."""
    parts = ["A64"] if message.get("msg_addr_model") == "a64" else []
    parts += [w.upper() for w in message["msg_type"].split("_")]
    return "GEN_MEM_MSG_TYPE_" + "_".join(parts)


def fields(inst, block, number, guess):
    yield "ins_id", number
    yield "ins_uid", f'"0_{block}_{number}"'
    yield "mem_size", int(inst.get("msg_elements", "1 x 4").split()[2])
    for key, value in inst.items():
        if key.endswith("_reglist"):
            yield from ((key, f'"{v}"') for v in value)
        elif key.startswith("msg_") and key != "msg_desc" or key in NOT_GIVEN:
            continue
        elif key  in ("jip", "uip"):  # there as a distance, jmpi's from its end
            end = inst["ins_size"] if inst["opcode"] == "GED_OPCODE_jmpi" else 0
            yield key, value - inst["ins_offset"] - end
        elif not (guess and key == "msg_desc" and "eot" not in inst):
            yield key, value
    kind = inst.get("msg_type", "")
    if any(k in kind for k in MEMORY):
        yield "is_memop", "true"
        yield ("is_mem_write" if "write" in kind else "is_mem_read"), "true"
        yield "msg_type", words(inst)


def dump(kernel, thread, guess):
    accesses = iter(thread["accesses"])
    out = ["HW Thread id: 0", "", f"KERNEL: {kernel['name']}", ""]
    at = next(accesses, None)
    for number, starts, i in executed(kernel, thread):
        inst = kernel["instructions"][i]
        if starts:
            out += ["", "****** BBL ******", "", f"BBL-id: 0_{number}"]
        out += ["", "****** INSTRUCTION ******"]
        out += [f"{key}: {value}" for key, value in fields(inst, number, i, guess)]
        if at is not None and at["instruction"] == i:
            out += [f"mem_addr: {a}" for a in at["addresses"]]
            at = next(accesses, None)
    return "\n".join(out) + "\n"


def is_arf(inst, key):
    operand = key.split("_", maxsplit=1)[0]
    return inst.get(f"{operand}_reg_file") == "GED_REG_FILE_ARF"


def story(kernel, thread, guess):
    """What the thread did, as far as a dump has it: it does not name registers that are
    no GRFs, nor an instruction's options, and an import numbers anew."""
    accesses = iter(thread["accesses"])
    at = next(accesses, None)
    for _, _, i in executed(kernel, thread):
        inst = kernel["instructions"][i]
        where = None
        if at is not None and at["instruction"] == i:
            where = [a for a in at["addresses"]]
            at = next(accesses, None)
        does = [k for k in MEMORY if k in inst.get("msg_type", "")]
        said = ("opcode", "exec_size") if guess else \
            [k for k in inst if k.split("_")[0] not in ("asm", "ins", "thread", "msg")
             and not is_arf(inst, k) and not (k == "src1_data_type" and "msg_type" in inst)]
        yield {k: inst[k] for k in said}, does, where


def differ(a, b):
    if a is None or b is None:
        return "one ends here"
    keys = [k for k in {**a[0], **b[0]} if a[0].get(k) != b[0].get(k)]
    return [(k, a[0].get(k), b[0].get(k)) for k in keys], a[1:], b[1:]


def same(a, b):
    """The same instruction? A branch's predicate that the dump does not name is taken
    for the usual one, and nobody knows a target where the thread never went."""
    if a is None or b is None or a[1:] != b[1:]:
        return False
    free = [k for k in ("jip", "uip") if b[0].get(k) is None]
    if "pred_ctrl" not in a[0] and ("jip" in a[0] or "uip" in a[0]):
        free += ["pred_ctrl", "pred_inv", "flag_reg_num", "flag_sub_reg_num"]
    return all(a[0].get(k) == b[0].get(k) for k in {**a[0], **b[0]} if k not in free)


def main():
    guess = sys.argv[1] == "--guess"
    igpu, folder, *traces = sys.argv[1 + guess:]
    bad = 0
    for trace in traces:
        kernel, thread = dumped(igpu, trace)
        with open(f"{folder}/again.dump", "w", encoding="ascii") as out:
            out.write(dump(kernel, thread, guess))
        subprocess.run([igpu, "trace", "convert", "--from", "gtpin-dump", "-o",
                        f"{folder}/again.pb", f"{folder}/again.dump"], check=True,
                       stdout=subprocess.DEVNULL)
        again = dumped(igpu, f"{folder}/again.pb")
        pairs = itertools.zip_longest(story(kernel, thread, guess), story(*again, guess))
        wrong = next(((n, a, b) for n, (a, b) in enumerate(pairs) if not same(a, b)), None)
        if wrong:
            bad += 1
            print(f"{trace}: instruction {wrong[0]}: {differ(*wrong[1:])}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
