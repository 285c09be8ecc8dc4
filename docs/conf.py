"""How Sphinx builds the site: python -m sphinx -W docs docs/_build."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
PAGES = {"README": "index"}  # of models/, under other names on the site
project = "pegcp"
author = "The pegcp authors"
extensions = ["myst_nb", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_code_prompt_show = "Solution"  # what the lessons hide
nb_code_prompt_hide = "Hide the solution"
autodoc_typehints = "description"
exclude_patterns = ["_build", "jupyter_execute"]
html_theme = "furo"
html_show_copyright = False
html_title = "pegcp"
html_static_path = ["_static"]
html_css_files = ["pegcp.css"]


def formulations() -> None:
    """A page for each text and each file in models/, made anew: the words, and the files themselves."""
    folder = ROOT / "docs" / "formulations"
    folder.mkdir(exist_ok=True)
    models = ROOT / "models"
    for page in models.glob("*.md"):
        name = f"{PAGES.get(page.stem, page.stem)}.md"
        text = re.sub(r"\[([^]]*)\]\((?!https?:|#)([^)]*)\)", _link, page.read_text(encoding="utf-8"))
        if name == "index.md":
            text += "\n```{toctree}\n:glob:\n:hidden:\n\n*\n```\n"
        (folder / name).write_text(text, encoding="utf-8")
    for file in [*models.glob("*.py"), *models.glob("*.[ph]ddl"), *models.glob("*.lp"), *models.glob("*.mzn")]:
        language = {".py": "python", ".pddl": "lisp"}.get(file.suffix, "text")
        path = os.path.relpath(file, folder)
        text = f"# {file.name}\n\n```{{literalinclude}} {path}\n:language: {language}\n```\n"
        (folder / f"{file.name}.md").write_text(text, encoding="utf-8")


def _link(link: re.Match[str]) -> str:
    """A link of a page in models/ as it is on the site: to the page of a file; the words alone where there is none."""
    words, (file, mark, heading) = link[1], link[2].partition("#")
    if file == "README.md":
        return f"[{words}](index.md{mark}{heading})"
    if "/" in file:
        return f"{words} (`{Path(file).name}`)"
    return f"[{words}]({file}{'' if file.endswith('.md') else '.md'}{mark}{heading})"


formulations()


def setup(app: Sphinx) -> None:
    """Links into models/, which lead to the files where these pages are read in the repository, lead to their pages."""
    app.connect("source-read", lambda _app, _name, source: source.__setitem__(0, _into_models(source[0])))


def _into_models(text: str) -> str:
    text = re.sub(r"\]\((\.\./)?\.\./models/([\w-]+\.(?!md)\w+)", r"](\1formulations/\2.md", text)
    return re.sub(r"\]\(\.\./models/(\w+)\.md", lambda link: f"](formulations/{PAGES.get(link[1], link[1])}.md", text)
