"""The commands of `igpu` that are Python, one a module. Each module's add() adds its parser, whose
`run` default takes the parsed arguments. A module is imported when its command is asked for."""
import importlib
from types import ModuleType

# In the order of --help: a command and its module.
MODULES = {"compare": "compare", "sweep": "sweep", "sweep show": "sweep_show",
           "sweep report": "sweep_report", "sweep task": "sweep_task", "predict": "predict",
           "report": "report", "plot": "plot", "trace mix": "trace", "frame report": "frame_report"}
# Commands whose names are two words.
PAIRS = tuple(name for name in MODULES if " " in name)
FIRST = tuple(dict.fromkeys(name.split()[0] for name in MODULES))
# Commands that arrange their words for argparse first, with arrange() of their module.
ARRANGE = ("predict",)


def module(name: str) -> ModuleType:
    """The module of the command `name`."""
    return importlib.import_module(f"{__name__}.{MODULES[name]}")
