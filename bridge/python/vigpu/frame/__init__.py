"""A captured frame as a page: its picture, draws, overdraw and counters."""
from vigpu.frame.page import html
from vigpu.frame.rendered import Draw, Frame, render

__all__ = ["Draw", "Frame", "html", "render"]
