"""The folders of files that ship with pegcp."""

from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def models_folder() -> Path:
    """Return the folder of the bundled models: in the installed package, or in the checkout."""
    packaged = PACKAGE / "_models"
    return packaged if packaged.is_dir() else PACKAGE.parent / "models"
