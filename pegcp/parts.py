"""Optional parts: whether they are installed, and what to type where they are not."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from pegcp.errors import Missing


def there(module: str) -> bool:
    """Whether a module can be imported, judged without importing it."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # it is blocked
        return False


def how_to_install(package: str) -> str:
    """The command that installs a package, such as ``pegcp[sat]``, into the environment of this process.

    It works from every folder, whichever environment the shell has activated, and also where pegcp was installed from a
    checkout: pip finds it there and adds what the extra asks for. An environment without pip, made with
    ``--without-pip``, is served by the pip of the Python that it was made from.
    """
    command = [sys.executable, "-m", "pip", "install"]
    if not there("pip"):
        base = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
        command = [str(base), "-m", "pip", "--python", sys.executable, "install"]
    return shlex.join([*command, *shlex.split(package)])


def missing(what: str, package: str) -> Missing:
    """The error that says what needs a package, and how to get it."""
    return Missing(f"{what}; install it with: {how_to_install(package)}")


def need(what: str, package: str, *modules: str) -> None:
    """Go on only if all of the modules are there. Raises Missing."""
    if not all(map(there, modules)):
        raise missing(f"{what} needs an extra", package)
