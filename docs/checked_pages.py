"""A Sphinx extension: a page whose cells fail, or whose sentences are not true of them, does not pass ``sphinx -W``.

A shell command must end with the exit status that the page says (see notebook_startup.py). An output that matches
:data:`SUSPICIOUS` needs a cell with the tag ``expected``, or with a comment ``# exit status N``.

A comment ``<!-- holds: EXPRESSION -->`` below a paragraph is a hidden cell that asserts the expression there, when the
page is run. Each number of a paragraph must stand in its expression, but for years, minutes, code and links.
``<!-- cells of PAGE -->`` stands for all cells of another page, which are run and not shown.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

SUSPICIOUS = re.compile(r"Traceback|\bNone\b|UNSUPPORTED|MISSING|ERROR|INVALID_|rejected|proves nothing|not found")
HOLDS = re.compile(r"\n<!-- holds: (.*?) -->", re.DOTALL)
CELLS = re.compile(r"<!-- cells of (\S+) -->")
NOTEBOOK = "---\nfile_format: mystnb"
CELL = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
NO_OUTPUT = re.compile(
    r"`[^`]*`|\[[^]]*\]\([^)]*\)|\b1[6-9]\d\d\b|\b20\d\d\b|\b\d+ minutes|\w*[a-z]\d+\w*|[*]{2}\d+[*.]"
)
HIDDEN = "\n\n```{{code-cell}}\n:tags: [remove-cell]\n{}\n```\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Give kernels their startup file, and look at each page before and after it is run."""
    settings = TemporaryDirectory(prefix="pegcp-docs-")
    startup = Path(settings.name, "profile_default", "startup")
    startup.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("notebook_startup.py"), startup)
    os.environ["IPYTHONDIR"] = settings.name
    app.connect("build-finished", lambda _app, _error: settings.cleanup())
    app.connect("source-read", check_sentences)
    app.connect("doctree-read", check_outputs)
    return {"parallel_read_safe": False}


def expressions(text: str) -> list[str]:
    """Return what the comments of a page, or of a cell, say that holds."""
    return [f"({expression})" for expression in HOLDS.findall(text)]


def unchecked(page: str) -> Iterator[str]:
    """Yield the numbers of a notebook that no comment checks, each with the beginning of its paragraph."""
    for paragraph in re.split(r"\n\s*\n", CELL.sub("", page.partition("\n# ")[2])):
        if paragraph.startswith(("#", "|")):
            continue
        words = NO_OUTPUT.sub(" ", HOLDS.sub("", paragraph))
        checks = " ".join(expressions(paragraph))
        for number in re.findall(r"(?<![\w.])\d[\d,]+(?!\w)", words):
            if not re.search(rf"\b{number.replace(',', '').strip()}\b", checks):
                yield f"{number.strip(',')} in {paragraph.strip()[:40]!r}"


def check_sentences(app: Sphinx, name: str, source: list[str]) -> None:
    """Make cells of the comments that say what holds, and warn of numbers that nothing checks."""
    if source[0].startswith(NOTEBOOK):
        for number in unchecked(source[0]):
            message = f"no comment <!-- holds: ... --> checks the number {number}"
            logging.getLogger(__name__).warning(message, location=name)
        folder = Path(app.env.doc2path(name)).parent
        source[0] = HOLDS.sub(lambda comment: HIDDEN.format(f"assert ({comment[1]})"), source[0])
        source[0] = CELLS.sub(lambda comment: cells((folder / comment[1]).read_text(encoding="utf-8")), source[0])


def cells(page: str) -> str:
    """Return the cells of a page, hidden."""
    code = re.findall(r"^```\{code-cell\}\n(?::tags:[^\n]*\n)?(.*?)\n```$", page, re.DOTALL | re.MULTILINE)
    return "".join(HIDDEN.format(cell) for cell in code)


def check_outputs(app: Sphinx, page: nodes.document) -> None:
    """Warn of every suspicious output that its page does not expect."""
    for cell in page.findall(nodes.container):
        if "cell" not in cell["classes"]:
            continue
        parts = {name: part.astext() for part in cell.findall(nodes.container) for name in part["classes"]}
        suspicious = SUSPICIOUS.search(parts.get("cell_output", ""))
        expected = "tag_expected" in cell["classes"] or "# exit status" in parts.get("cell_input", "")
        if suspicious and not expected:
            message = f'an output says "{suspicious[0]}": mend the cell, or give it the tag "expected"'
            logging.getLogger(__name__).warning(message, location=(app.env.docname, cell.line))
