"""The commands of `igpu` that are Python, one a module. Each module's add() adds its parser, whose
`run` default takes the parsed arguments."""
from vigpu.commands import (compare, frame_report, plot, predict, report, sweep, sweep_report,
                            sweep_show, sweep_task, trace)

ALL = (compare.add, sweep.add, sweep_show.add, sweep_report.add, sweep_task.add, predict.add, report.add,
       plot.add, trace.add, frame_report.add)
# Commands whose names are two words.
PAIRS = ("sweep show", "sweep report", "sweep task", "frame report", "trace mix")
FIRST = ("compare", "sweep", "predict", "report", "plot", "trace", "frame")
# Commands that arrange their words for argparse first.
ARRANGE = {"predict": predict.arrange}
