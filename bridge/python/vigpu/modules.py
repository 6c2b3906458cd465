"""Libraries that only some calls need, imported when they are needed."""
from __future__ import annotations

import importlib
from types import ModuleType

from vigpu.errors import MissingModule

# module: Debian's package, PyPI's package
PACKAGES = {
    "google.protobuf": ("python3-protobuf", "protobuf"),
    "jinja2": ("python3-jinja2", "jinja2"),
    "matplotlib": ("python3-matplotlib", "matplotlib"),
    "numpy": ("python3-numpy", "numpy"),
    "pandas": ("python3-pandas", "pandas"),
    "scipy": ("python3-scipy", "scipy"),
    "sklearn": ("python3-sklearn", "scikit-learn"),
    "statsmodels": ("python3-statsmodels", "statsmodels"),
    "yaml": ("python3-yaml", "pyyaml"),
    "zstandard": ("python3-zstandard", "zstandard"),
}


def need(name: str) -> ModuleType:
    """Import the module `name` (or one inside it); MissingModule says how to get it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        known = next((k for k in PACKAGES if name == k or name.startswith(k + ".")), None)
        if known is None or not _is_part(error.name, known):
            raise
        debian, pypi = PACKAGES[known]
        raise MissingModule(
            f"the Python module {known} is missing: apt-get install {debian}, or "
            f"pip install {pypi}") from error


def _is_part(missing: str | None, name: str) -> bool:
    """Is `missing` the module `name` or a package around it?"""
    return missing is not None and (name + ".").startswith(missing + ".")
