"""The commands of `vigpu`, one a module. Each module's add() adds its parser, whose
`run` default takes the parsed arguments."""
from vigpu.commands import trace

ALL = (trace.add,)
