"""Pages made from templates beside a module."""
from __future__ import annotations

import pathlib
from typing import Any

from vigpu.modules import need


def template(folder: pathlib.Path, name: str) -> Any:
    """The Jinja2 template `name` in `folder`; `style.css`, which all pages include, is this
    package's."""
    jinja2 = need("jinja2")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder, pathlib.Path(__file__).parent]),
        undefined=jinja2.StrictUndefined, autoescape=name.endswith(".html.j2"),
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True).get_template(name)
