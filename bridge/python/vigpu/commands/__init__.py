"""The commands of `vigpu`, one a module. Each module's add() adds its parser, whose
`run` default takes the parsed arguments."""
from vigpu.commands import plot, report, sweep, trace

ALL = (sweep.add, report.add, plot.add, trace.add)
