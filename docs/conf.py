"""How Sphinx builds the site: python -m sphinx -W docs docs/_build."""

import os
import re
import sys
from pathlib import Path

import click
from sphinx.application import Sphinx

import pegcp
from pegcp.cli.main import SECTIONS, cli
from pegcp.play.page import html

ROOT = Path(__file__).parent.parent
GAMES = [*pegcp.boards(), "triangle10", "triangle15", "triangle21", "square5", "square6", "rectangle4x6", "hexagon37"]
PAGES = {"README": "index"}  # of models/, under other names on the site
project = "pegcp"
author = "The pegcp authors"
sys.path.insert(0, str(ROOT / "docs"))
import front  # noqa: E402 -- a module of this folder

LESSONS = ("modelling", "symmetry", "planning", "proofs")  # which make_lessons.py makes notebooks of
extensions = ["myst_nb", "sphinx.ext.autodoc", "checked_pages"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
autodoc_typehints = "description"
exclude_patterns = ["_build", "_extra", "jupyter_execute"]
html_theme = "furo"
html_favicon = "_static/favicon.svg"
html_show_copyright = False
html_title = "pegcp"
html_static_path = ["_static"]
html_extra_path = ["_extra"]
html_css_files = ["pegcp.css"]
html_js_files = ["pegcp.js"]


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
        text = f"# {file.name}\n\n```{{literalinclude}} {path}\n:language: {language}\n:class: source\n```\n"
        (folder / f"{file.name}.md").write_text(text, encoding="utf-8")


def _link(link: re.Match[str]) -> str:
    """A link of a page in models/ as it is on the site: to the page of a file; the words alone where there is none."""
    words, (file, mark, heading) = link[1], link[2].partition("#")
    if file == "README.md":
        return f"[{words}](index.md{mark}{heading})"
    if file.startswith("../docs/"):
        return f"[{words}]({file.replace('docs/', '', 1)}{mark}{heading})"
    if "/" in file:
        return f"{words} (`{Path(file).name}`)"
    return f"[{words}]({file}{'' if file.endswith('.md') else '.md'}{mark}{heading})"


def commands() -> None:
    """The reference of the command line, as the commands tell it themselves: a page for each group."""
    folder = ROOT / "docs" / "commands"
    folder.mkdir(exist_ok=True)
    top = click.Context(cli, info_name="pegcp", terminal_width=100, **cli.context_settings)
    names = []
    for title, held in SECTIONS.items():
        parts = [f"# {title}"]
        for command in held:
            context = click.Context(command, info_name=command.name, parent=top, terminal_width=100)
            parts.append(f"## pegcp {command.name}\n\n```text\n{command.get_help(context)}\n```")
        names.append("-".join(re.findall(r"\w+", title.lower())))
        (folder / f"{names[-1]}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    pages = "\n".join(names)
    text = f"# Command line\n\n```text\n{cli.get_help(top)}\n```\n\n```{{toctree}}\n{pages}\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")


def games() -> None:
    """A page to play on for each board that ships, beside the site's own pages."""
    folder = ROOT / "docs" / "_extra" / "play"
    folder.mkdir(parents=True, exist_ok=True)
    models = '<head>\n<meta name="pegcp-models" content="../lab/index.html">'  # for "Solve from here"
    home = '<p><a href="../index.html">pegcp</a></p>\n  <p id="goal">'
    for name in GAMES:
        text = html(pegcp.problem(name)).replace("<head>", models, 1).replace('<p id="goal">', home, 1)
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


formulations()
commands()
games()
front.build(ROOT / "docs" / "_extra")


def setup(app: Sphinx) -> None:
    """Connect what changes the pages of the repository into those of the site."""
    app.connect("source-read", _read)


def _read(_app: Sphinx, name: str, source: list[str]) -> None:
    """Links into models/ lead to their pages; notebooks can be downloaded; the page about playing has the boards."""
    text = _into_models(source[0])
    if text.startswith("---\nfile_format: mystnb"):
        lesson = name.rpartition("/")[2]
        if lesson in LESSONS:
            link = f"../lab/lessons/notebooks/index.html?path={lesson}.ipynb"
            text = text.replace(
                "\n# ", f'\n<p><a class="game" href="{link}">Run this lesson in the browser</a></p>\n\n# ', 1
            )
        text += f"\n---\n\n{{nb-download}}`Download this page as a notebook <{lesson}.ipynb>`\n"
    if name == "play":
        links = " ".join(f'<a class="game" href="play/{board}.html">{board}</a>' for board in GAMES)
        text = text.replace("<!-- games -->", f"<p>{links}</p>")
    source[0] = text


def _into_models(text: str) -> str:
    text = re.sub(r"\[([^]]*)\]\(\.\./(pegcp/[^)]*\.md)\)", r"\1 (`\2`)", text)  # no page of the site
    text = re.sub(r"\]\((\.\./)?\.\./models/([\w-]+\.(?!md)\w+)", r"](\1formulations/\2.md", text)
    return re.sub(r"\]\(\.\./models/(\w+)\.md", lambda link: f"](formulations/{PAGES.get(link[1], link[1])}.md", text)
