"""Every parameter on every engine (tests/bridge/test_parameters.sh).

    parameters.py TABLE FOLDER IGPU VIGPU BOARD

TABLE has a line for each parameter: KEY VALUE TRACE [OPTION...], a run whose statistics
VALUE changes; or KEY - REASON. TRACE is in FOLDER or traces/samples, without its ".pb".
BOARD is an engine, "fpga:...". It has every second parameter, those of one or the other half by
the commit's first digit (IGPU_COMMIT), with IGPU_LONG=1 all. Prints ok and not ok lines.
"""

import json
import os
import subprocess
import sys

# What is not of the simulated machine.
OWN = ("config", "host", "engine", "command", "trace")
table, folder, igpu, vigpu, board = sys.argv[1:]
half = int(os.environ.get("IGPU_COMMIT", "")[:1] or "0", 16) % 2
failed = False


def report(good, text, *notes):
    global failed
    print("ok" if good else "not ok", text)
    for note in notes if not good else ():
        print("#", note)
    failed = failed or not good


def statistics(command):
    """The statistics of a run as text; None and what was said if it fails."""
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return None, f"exit {run.returncode}: {run.stderr}"
    found = json.loads(run.stdout)
    for name in OWN:
        found.pop(name, None)
    return json.dumps(found, sort_keys=True), ""


def refused(command, key):
    """The engine says in one line that it does not honour the key, and fails."""
    run = subprocess.run(command, capture_output=True, text=True)
    line = run.stderr
    return run.returncode == 2 and line.count("\n") == 1 and line.startswith(f"Vigpu: {key}=")


def read_table():
    rows = {}
    for line in open(table):
        if line.strip() and not line.startswith("#"):
            key, value, *rest = line.split()
            report(key not in rows, f"{key}: one line in {table}")
            rows[key] = (value, rest)
    return rows


def path(name):
    here = os.path.join(folder, name + ".pb")
    return here if os.path.exists(here) else f"traces/samples/{name}.pb"


asked = 0  # parameters, of the engines


def on_engines(parameter, options, setting, expected):
    """The engines that honour it have the reference's statistics, the others refuse."""
    global asked
    key, honoured = parameter["key"], parameter["engines"].split()
    engines = [("rtl", "rtl"), ("array", "array"), ("fpga", board)]
    asked += 1
    if asked % 2 != half and "IGPU_LONG" not in os.environ:
        engines.pop()
    for name, engine in engines:
        command = [vigpu, "--quiet", "--json", "-", "--engine", engine, *options, *setting]
        if honoured == ["all"] or name in honoured:
            found, said = statistics(command)
            report(found == expected, f"{key}: {name} does what the reference does", said)
        else:
            report(refused(command, key), f"{key}: {name} refuses it")


before = {}  # statistics without the setting


def shown(parameter, value, name, *options):
    key, setting = parameter["key"], ["-s", f"{parameter['key']}={value}"]
    options = [*options, path(name)]
    run = [igpu, "ref", "--quiet", "--json", "-", *options]
    plain = before.setdefault(tuple(options), None) or statistics(run)
    before[tuple(options)] = plain
    changed = statistics(run + setting)
    good = None not in (plain[0], changed[0]) and plain[0] != changed[0]
    report(good, f"{key}={value} changes {name}", plain[1], changed[1])
    if good and parameter["engines"] != "host":
        on_engines(parameter, options, setting, changed[0])


parameters = json.loads(subprocess.run([igpu, "params", "--json"], capture_output=True,
                                       text=True, check=True).stdout)
rows = read_table()
unknown = set(rows) - {p["key"] for p in parameters}
report(not unknown, "the table names parameters alone", *sorted(unknown))
for p in parameters:
    value, rest = rows.get(p["key"], (None, []))
    if value is None:
        report(False, f"{p['key']}: a line in {table}")
    elif value == "-":
        report(len(rest) > 3, f"{p['key']}: not shown here: {' '.join(rest)}")
    else:
        shown(p, value, *rest)
sys.exit(failed)
