"""Where the text that a mutant changes stands; for the tables mutants*.py."""
import sys


def begin_of(table, path, plain):
    """Offset of `plain` in the file, in which it stands once; else the table is told to end."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(plain) != 1:
        sys.exit(f"{table}: {path}: `{plain}` stands there {text.count(plain)} times, not once")
    return text.index(plain)
