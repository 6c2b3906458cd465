"""The example notebooks run to their ends where Jupyter opens them, in their own folder; they
are kept without output."""
import os
import pathlib

import nbclient
import nbformat
import pytest

import vigpu

TOP = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((TOP / "bridge" / "python" / "examples").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore")  # the kernel's own, of Debian's versions
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch, igpu_path):
    place = pathlib.Path(vigpu.__file__).resolve().parents[1]
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setenv("IGPU", igpu_path)
    for name in ("XDG_CACHE_HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
        os.mkdir(tmp_path / name)
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": path.parent}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in shown) == 3
    assert not [output for output in shown if output.output_type == "stream"]
    nbformat.write(notebook, tmp_path / path.name)


def test_there_are_notebooks():
    assert NOTEBOOKS
