"""Vigpu in Python: read traces and statistics, run the published experiments, draw them
and write the report.

    vigpu.trace   traces, thread by thread (google.protobuf, zstandard)
    vigpu.errors  every error is a VigpuError whose text is one line

Each module imports the libraries that it needs at their first use; one that is missing
raises MissingModule, which says what to install.
"""
from vigpu.errors import VigpuError

__all__ = ["VigpuError"]
__version__ = "0.1.0"
