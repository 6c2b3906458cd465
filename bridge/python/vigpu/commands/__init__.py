"""The commands of `vigpu`, one a module. Each module's add() adds its parser, whose
`run` default takes the parsed arguments."""
from vigpu.commands import plot, report, trace

ALL = (report.add, plot.add, trace.add)
