"""How Sphinx builds the site: sphinx-build -W docs docs/_build."""

project = "pegcp"
author = "The pegcp authors"
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "pegcp"
