"""A Sphinx extension: a page whose cells fail, or print what looks like a failure, does not pass ``sphinx -W``.

A shell command must end with the exit status that the page says (see notebook_startup.py). An output that matches
:data:`SUSPICIOUS` needs a cell with the tag ``expected``, or with a comment ``# exit status N``.
"""

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

SUSPICIOUS = re.compile(r"Traceback|\bNone\b|UNSUPPORTED|MISSING|ERROR|INVALID_|rejected|proves nothing|not found")


def setup(app: Sphinx) -> dict[str, bool]:
    """Give kernels their startup file, and look at each page after it has been run."""
    settings = TemporaryDirectory(prefix="pegcp-docs-")
    startup = Path(settings.name, "profile_default", "startup")
    startup.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("notebook_startup.py"), startup)
    os.environ["IPYTHONDIR"] = settings.name
    app.connect("build-finished", lambda _app, _error: settings.cleanup())
    app.connect("doctree-read", check_outputs)
    return {"parallel_read_safe": False}


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
