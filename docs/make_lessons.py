"""Build the lessons as notebooks that run in a browser, beside the page of make_lab.py: python docs/make_lessons.py DIR

DIR is a folder that make_lab.py has built; myst-nb is needed. JupyterLite is installed into an environment of its own.
Python and its packages come from the folder itself: nothing is fetched from another site when a lesson runs.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from make_lab import DOCS, PLATFORM, run
from myst_nb.core.read import read_myst_markdown_notebook

JUPYTERLITE = ("jupyterlite-core==0.8.6", "jupyterlite-pyodide-kernel==0.8.6", "jupyter-server")
EXERCISES = DOCS.parent / "examples" / "exercises"
LESSONS = ("modelling", "symmetry", "planning", "proofs")
KERNEL = ("ipython", "jedi", "micropip", "packaging", "platformdirs", "rich")  # packages of Pyodide's list
OWN = {
    "pegcp": ["platformdirs", "rich", "msgspec", "python-sat"],
    "python-sat": ["six"],
    "msgspec": [],
}  # and what they need
IMPORTS = {"python-sat": ["pysat", "pysolvers", "pycard"]}
NOTE = """*This lesson runs in your browser: Shift+Enter runs a cell, the menu Run all of them. The models for CP-SAT,
the planners and the command line need an installation: their cells are replaced by others, or shown without being run.
The sheet, the slides, the models and the solutions are on the site.*"""
LINK = re.compile(
    r"\[([^]]+)\]\([\w./-]+\.(?:md|py|lp|mzn|pddl)(?:#[\w-]+)?\)"
)  # to a file that is not beside the notebook
MARKING = """## Mark an exercise here

The exercises in clauses can be done in this window: put in what is missing, run the cell, which writes the file, and
then the next one."""
MARK = """from pathlib import Path

from mark import mark

print(mark(Path("sat_rounds.py").resolve()) or "All is well.")"""
ELSEWHERE = (
    "\n%%",
    "\n!",
    "ortools",
    "unified_planning",
    "fast-downward",
    "pagoda",
    "expected",
)  # words that a browser cannot run


def build(site: Path) -> None:
    """Add the folder ``lessons`` to the site, and the packages that its kernel needs to Pyodide's."""
    pyodide, pip = site / "vendor" / "pyodide", (sys.executable, "-m", "pip", "--disable-pip-version-check", "download")
    with tempfile.TemporaryDirectory(prefix="pegcp-lessons-") as folder:
        scratch = Path(folder)
        lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
        packages = closure(lock["packages"], KERNEL)
        wanted = [f"{package['name']}=={package['version']}" for package in packages.values()] + ["comm"]
        run(*pip, "-q", "--no-deps", "--only-binary", ":all:", *PLATFORM, "-d", "wheels", *wanted, cwd=scratch)
        files = (scratch / "wheels").iterdir()
        wheels = {file.name.partition("-")[0].lower().replace("_", "-"): file for file in files}
        for name, package in packages.items():
            wheel = wheels[name]
            shutil.copy(wheel, pyodide)
            package |= {"file_name": wheel.name, "sha256": sha256(wheel.read_bytes()).hexdigest()}
        for own, needed in OWN.items():
            version = json.loads((site / "parts.json").read_text(encoding="utf-8"))[own]["version"]
            wheel = pyodide / f"{own.replace('-', '_')}-{version}-py3-none-any.whl"
            shutil.copy(site / "vendor" / "wheels" / f"{own}.whl", wheel)
            imports = IMPORTS.get(own, [own])
            about = {"name": own, "version": version, "depends": needed, "imports": imports, "file_name": wheel.name}
            packages[own] = packages["six"] | about | {"sha256": sha256(wheel.read_bytes()).hexdigest()}
        lock["packages"] = packages
        (pyodide / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
        contents = scratch / "contents"
        contents.mkdir()
        for lesson in LESSONS:
            notebook = adapted(
                lesson, read_myst_markdown_notebook((DOCS / "teaching" / f"{lesson}.md").read_text(encoding="utf-8"))
            )
            notebook.metadata["kernelspec"] = {
                "name": "python",
                "display_name": "Python (Pyodide)",
                "language": "python",
            }
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell(NOTE))
            if lesson == "modelling":
                skeleton = (EXERCISES / "sat_rounds.py").read_text(encoding="utf-8")
                notebook.cells += [
                    nbformat.v4.new_markdown_cell(MARKING),
                    nbformat.v4.new_code_cell(f"%%writefile sat_rounds.py\n{skeleton}"),
                    nbformat.v4.new_code_cell(MARK),
                ]
            nbformat.write(notebook, contents / f"{lesson}.ipynb")
        for exercise in EXERCISES.glob("*.py"):
            shutil.copy(exercise, contents)
        pegcp = (sys.executable, "-m", "pegcp")  # the proof that the checker of lesson 4 reads
        run(*pegcp, "prove", "triangle10:a2->b2", "--bound", "4", "-o", "steps", cwd=contents)
        run(*pegcp, "check", "steps", "--cnf", "steps.cnf", cwd=contents)
        settings = {"pyodideUrl": "../../vendor/pyodide/pyodide.mjs", "disablePyPIFallback": True}
        configuration = {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {
                "exposeAppInBrowser": True,
                "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": settings},
            },
        }
        (scratch / "jupyter-lite.json").write_text(json.dumps(configuration), encoding="utf-8")
        run(sys.executable, "-m", "venv", "venv", cwd=scratch)
        run("venv/bin/pip", "--disable-pip-version-check", "install", "-q", *JUPYTERLITE, cwd=scratch)
        run(
            *("venv/bin/jupyter-lite", "build", "--lite-dir", str(scratch)),
            *("--contents", str(contents), "--piplite-wheels", str(wheels["comm"])),
            *(word for app in ("lab", "notebooks", "tree", "edit") for word in ("--apps", app)),
            *("--no-unused-shared-packages", "--output-dir", str(site / "lessons")),
            cwd=scratch,
        )


def adapted(lesson: str, notebook: Any) -> Any:
    """Return a lesson with the cells and paragraphs of lab/lessons.txt in the place of those that begin alike.

    Other cells that need an installation become text, and links to files of the site become words. Raises SystemExit
    for a text that replaces none.
    """
    texts = (DOCS / "lab" / "lessons.txt").read_text(encoding="utf-8").split("%% ")[1:]
    replacing = {
        head: body for head, _, body in (text.partition("\n") for text in texts) if head.startswith(f"{lesson}: ")
    }

    def here(text: str) -> str:
        """Return what stands in the place of a text."""
        return replacing.pop(f"{lesson}: {text.partition(chr(10))[0]}", text).rstrip()

    for i, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            cell.source = LINK.sub(r"\1", "\n\n".join(here(paragraph) for paragraph in cell.source.split("\n\n")))
            continue
        source = here(cell.source)
        if source != cell.source:
            cell.source = source
        elif any(word in f"\n{cell.source}" for word in ELSEWHERE):
            text = f"*This cell needs an installation:*\n```python\n{cell.source}\n```"
            notebook.cells[i] = nbformat.v4.new_markdown_cell(text)
    if replacing:
        sys.exit(f"docs/lab/lessons.txt: no text of the lessons begins with {', '.join(replacing)}")
    return notebook


def closure(packages: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the entries of packages, and of all that they need."""
    entries: dict[str, Any] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().replace("_", "-")
        if name not in entries:
            entries[name] = packages[name]
            waiting += packages[name]["depends"]
    return entries


if __name__ == "__main__":
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "vendor" / "pyodide").is_dir():
        sys.exit("usage: python docs/make_lessons.py DIR, a folder that make_lab.py has built")
    build(Path(sys.argv[1]).resolve())
