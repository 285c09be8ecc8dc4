"""Errors a user can act on: each says what is wrong, where, and what to do.

Where an optional part is not installed, that is the command to type.
"""

import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from unicodedata import category

_LONG_WORD = re.compile(r"(\S{200})\S+")  # nobody wants to read more of what was not understood
_MESSAGE_CHARACTERS = 8_000  # characters of a message

_RAW = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # controls, invisible marks, halves of characters, odd line breaks
LONGEST_SLIP = 60  # characters of a name that may be a slip for another


class PegcpError(Exception):
    """Base of every error pegcp raises on purpose."""


class InputError(PegcpError):
    """Bad input: a malformed file, an unknown name, an impossible combination of arguments.

    ``source`` (a file or an argument), ``line`` and ``column`` (both from 1) locate the fault when known; ``hole`` is
    a name that is no hole of the board, where that is the fault.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        hole: str = "",
    ) -> None:
        short = _LONG_WORD.sub(r"\1...", message[:_MESSAGE_CHARACTERS])
        self.message = printable(short, keep="\n\t")[:_MESSAGE_CHARACTERS]
        super().__init__(self.message)
        self.source = None if source is None else printable(source)
        self.line = line
        self.column = column
        self.hole = hole

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return f"{'' if self.source else 'line '}{place}: {self.message}" if place else self.message


def refuse_if(
    fault: object,
    message: str,
    source: str | Path | None = None,
    line: int | None = None,
    column: int | None = None,
) -> None:
    """Raise InputError if there is a fault in what was asked."""
    if fault:
        raise InputError(message, source=None if source is None else str(source), line=line, column=column)


class Missing(PegcpError):
    """A backend or planner that is not installed; the message says how to get it."""


class InvalidSolution(PegcpError):
    """A sequence of jumps that is not a solution; ``step`` (from 1) is the first bad jump, if one jump is to blame.

    ``lost``: which jump before lost the game, and what would have won, where it is known; ``read_as``: how a text was
    read, in words.
    """

    def __init__(self, message: str, *, step: int | None = None, lost: str = "", read_as: str = "") -> None:
        super().__init__(f"{message}; the game was {lost}" if lost else message)
        self.message = message
        self.step = step
        self.lost = lost
        self.read_as = read_as


class InvalidProof(PegcpError):
    """A proof that proves nothing; the message says what is wrong first."""


def accepts(read: Callable[[str], object], text: str) -> bool:
    """Tell whether a function takes a text: False where it raises InputError."""
    with suppress(InputError):
        read(text)
        return True
    return False


@contextmanager
def name_source(source: str) -> Iterator[None]:
    """Say in errors about a text where it is from. Errors that know it stay as they are."""
    try:
        yield
    except InputError as error:
        error.source = error.source or printable(source)
        raise


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return the line and column, both from 1, of the character with index ``at``."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def plural(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 jump``, ``2 jumps``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def line_width() -> int:
    """Return how many characters a printed line of prose may have: 79, or fewer in a narrow terminal."""
    return max(30, min(79, shutil.get_terminal_size().columns - 1))


def suggestion(name: str, names: Iterable[str], least: float = 0.6) -> str:
    """Return a suggestion such as `` (did you mean "english"?)``, or nothing when none of some names is near."""
    word = str(name)[:LONGEST_SLIP].lower()  # whatever somebody gave as one
    near = get_close_matches(word, list(names), n=1, cutoff=least if len(word) > 2 else 0.5)
    return f' (did you mean "{near[0]}"?)' if near else ""


def printable(value: str, keep: str = "") -> str:
    """Return text with escapes such as ``\\x1b`` for the characters that cannot be printed, except those to keep."""
    signs = (c.encode("unicode_escape").decode() if category(c) in _RAW and c not in keep else c for c in value)
    return value if value.isprintable() else "".join(signs)


def clipped(text: str, most: int) -> str:
    """Return printable text of at most ``most`` characters and three dots; line breaks and tabs stay."""
    return printable(text if len(text) <= most else f"{text[:most]}...", keep="\n\t")


def shown(value: object) -> str:
    """Return a value for a message, cut to 60 characters."""
    if isinstance(value, list | tuple | dict):
        return "an object" if isinstance(value, dict) else "a list"
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write thousands of digits
        return "a number with thousands of digits"
    return text if len(text) <= 60 else f"{text[:60]}..."


def is_importable(module: str) -> bool:
    """Tell whether a module can be imported, without importing it."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # it is blocked
        return False


def how_to_install(package: str) -> str:
    """Return the command that installs a package, such as ``pegcp[sat]``, into the environment of this process.

    It works from every folder, whichever environment the shell has activated, and also where pegcp was installed from a
    checkout: pip finds it there and adds what the extra asks for. An environment without pip, made with
    ``--without-pip``, is served by the pip of the Python that it was made from.
    """
    command = [sys.executable, "-m", "pip", "install"]
    if not is_importable("pip"):
        base = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
        command = [str(base), "-m", "pip", "--python", sys.executable, "install"]
    return shlex.join([*command, *shlex.split(package)])


def missing(what: str, package: str) -> Missing:
    """Return the error that says what needs a package, and how to get it."""
    return Missing(f"{what}; install it with: {how_to_install(package)}")


def need(what: str, package: str, *modules: str) -> None:
    """Raise Missing unless all of the modules can be imported."""
    absent = [module for module in modules if not is_importable(module)]
    if absent:
        raise missing(f"{what} needs the package {absent[0]}", package)
