"""Read the text of a file or of standard input, and find the files beside it."""

from os.path import isfile  # unlike Path.is_file it takes any text
from pathlib import Path

from pegcp.errors import InputError, line_and_column, refuse_if
from pegcp.formats.files import read_file

MOST_FILE_BYTES = 10_000_000
MOST_TOML_CHARACTERS = 500_000  # a map of 10,000 holes takes 20,000


def is_path(text: str) -> bool:
    """Tell whether a text is a path (``./mine``) or a name with a suffix (``mine.toml``)."""
    return "/" in text or bool(Path(text).suffix)


def beside(folder: Path, text: str) -> Path | None:
    """Return the file in a folder that a path or a name with a suffix refers to; None for other texts."""
    return folder / text if is_path(text) and isfile(folder / text) else None


def read_toml(path: Path) -> str:
    """Return the text of a TOML file. Raises InputError if it cannot be read."""
    return not_too_long(read_text(path), str(path))


def not_too_long(text: str, source: str) -> str:
    """Return a text. Raises InputError if it is too long for TOML or a map."""
    refuse_if(
        len(text) > MOST_TOML_CHARACTERS,
        f"TOML, drawings and numbers are read up to {MOST_TOML_CHARACTERS:,} characters",
        source=source,
        line=1,
        column=1,
    )
    return text


def read_text(path: str | Path) -> str:
    """Return the text of a file (UTF-8); ``-`` is standard input. Raises InputError if it cannot be read."""
    data = read_file(path, MOST_FILE_BYTES, standard_input=str(path) == "-")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = line_and_column(data.decode("latin-1"), error.start)  # a character for each byte
        raise InputError("not UTF-8 text", source=str(path), line=line, column=column) from None
