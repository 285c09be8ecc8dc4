"""The folder of the user where pegcp keeps what was expensive to compute."""

from __future__ import annotations

from pathlib import Path


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/pegcp`` on Linux, the usual place elsewhere. It may not exist yet."""
    from platformdirs import user_cache_path

    return user_cache_path("pegcp", appauthor=False)
