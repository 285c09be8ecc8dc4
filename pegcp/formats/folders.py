"""The folders of files that ship with pegcp."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def models_folder() -> Path:
    """The folder of the bundled models: in the installed package, or in the checkout."""
    return folder("models")


def folder(name: str) -> Path:
    """The folder of that name, which stands beside the package in the checkout."""
    packaged = PACKAGE / f"_{name}"
    return packaged if packaged.is_dir() else PACKAGE.parent / name
