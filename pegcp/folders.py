"""Where the files of models and searches are that ship with pegcp."""

from __future__ import annotations

from pathlib import Path


def models_folder() -> Path:
    """The folder of the bundled models: in the installed package, or in the checkout."""
    packaged = Path(__file__).parent / "_models"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "models"


def searches_folder() -> Path:
    """The folder of the bundled searches."""
    return Path(__file__).parent / "search"
