"""Command lines of programs, planners and solvers: their words, their versions, and running them on files."""

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from pegcp.errors import InputError, Missing, PegcpError, refuse_if, suggestion
from pegcp.method import Run

MOST_OUTPUT_BYTES = 400_000  # bytes at the end of a planner's output that are read
_LOOK_EVERY = 0.05  # seconds
_VERSION_TIME = 20.0  # seconds
_PLACE = re.compile(r"(?<!\$)\{(\w+)\}")  # ${NAME} is for a shell
_LINE_BYTES = 1 << 16  # bytes of a line that are reported at once


def home() -> Path:
    """Return the folder of the user's own files; processes of runs, which work elsewhere, get it as PEGCP_HOME."""
    return Path(os.environ.get("PEGCP_HOME") or os.getcwd())


def split_command(command: str) -> tuple[str, ...]:
    """Split a command into words, as a shell does. Raises InputError if it cannot be split."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(f"cannot split the command into words: {error}") from None


def resolved_words(command: str) -> tuple[str, ...]:
    """Split a command for a process that works in another folder than the user.

    A word that is a path from ``.`` or ``..``, or the name of a file in the user's folder, becomes absolute. So does
    the path of the program; a program without a folder in its name is looked for on the path alone.
    """

    words = list(split_command(command))
    for at, word in enumerate(words):
        is_program = at == 0 and "/" in word and not word.startswith("{")
        is_file = at > 0 and (word.startswith(("./", "../")) or os.path.isfile(home() / word))  # or too long for a file
        if is_program or is_file:
            words[at] = os.path.normpath(home() / word)
    return tuple(words)


def fill_places(word: str, values: Mapping[str, str]) -> str:
    """Return a word of a command with values in its places."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), word)


def places(words: Iterable[str], names: Collection[str]) -> set[str]:
    """Return the places in the words of a command. Raises InputError for one that nothing fills.

    A word with blanks is a script, which may have braces of its own.
    """
    pairs = {(place, word) for word in words for place in _PLACE.findall(word)}
    for place, word in sorted(pairs):
        near = suggestion(place, names)
        refuse_if(
            place not in names and (near or len(word.split()) == 1),
            f"nothing fills {{{place}}} in the command{near}; places: {', '.join(f'{{{name}}}' for name in names)}",
        )
    return {place for place, _ in pairs}


@cache
def printed_version(command: str) -> str:
    """Run a command and return the version that it prints.

    ``unknown`` if none can be read, ``found`` if there is no command.
    """
    if not command:
        return "found"
    try:
        process = subprocess.run(
            resolved_words(command),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_VERSION_TIME,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    number = re.search(r"\d+(\.\d+)+", process.stdout + process.stderr)
    return number[0] if number else "unknown"


def execute(
    command: list[str],
    run: Run,
    seconds: float,
    log: str,
    most: int = MOST_OUTPUT_BYTES,
    poll: Callable[[], None] = lambda: None,
) -> tuple[int | None, str]:
    """Run a program in the folder of the run and end all that it started; return its exit code and its output's end.

    The exit code is None if it was stopped after so many seconds. The output goes to the file ``log``, of which the
    last ``most`` bytes are returned, and line by line to the run, if that asks for it; ``poll`` is called now and then.
    Raises Missing if the program cannot be started.
    """
    import psutil

    with open(run.folder / log, "wb") as output, open(run.folder / log, "rb") as lines:
        process, is_over = _start(command, run.folder, output), False

        def report_lines() -> None:
            while run.wishes.log and (line := lines.readline(_LINE_BYTES)):
                if not (is_over or line.endswith(b"\n") or len(line) == _LINE_BYTES):  # the program is writing it
                    lines.seek(-len(line), os.SEEK_CUR)
                    return
                run.report({"log": line.removesuffix(b"\n").decode("utf-8", "replace")})

        program = psutil.Process(process.pid)
        try:
            deadline, pause = time.monotonic() + seconds, 0.001
            while not (is_over := has_ended(program)) and time.monotonic() < deadline:
                time.sleep(pause)
                pause = min(2 * pause, _LOOK_EVERY)
                poll()
                report_lines()
        finally:
            code = _end_all(process, None if is_over else program)
        report_lines()
        lines.seek(max(0, lines.seek(0, os.SEEK_END) - most))
        text = lines.read(most).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        if is_over and code is None:
            raise PegcpError(f'the exit code of "{command[0]}" is lost: something else in this process reaps children')
        return code if is_over else None, text


def _start(command: list[str], folder: Path, output: BinaryIO) -> subprocess.Popen[bytes]:
    """Start a program in a folder and a process group of its own. Raises Missing."""
    try:
        null, both = subprocess.DEVNULL, subprocess.STDOUT
        return subprocess.Popen(command, stdin=null, stdout=output, stderr=both, cwd=folder, process_group=0)
    except OSError as error:
        is_absent = isinstance(error, FileNotFoundError) and "/" not in command[0]
        why = "it is not on the path" if is_absent else error.strerror or error
        raise Missing(f'cannot start "{command[0]}": {why}') from None


def _end_all(process: subprocess.Popen[bytes], program: Any) -> int | None:
    """Kill what is left of a process group, and what the ``program`` has started if it goes on; reap it, and return its
    exit code.

    Solvers that MiniZinc starts are in process groups of their own; and the program may have left some in its group. It
    is reaped last: until then its number, which is that of the group, is no other's.
    """
    import psutil

    descendants = list[Any]()
    with suppress(psutil.Error):
        descendants += [] if program is None else program.children(recursive=True)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for descendant in descendants:
        with suppress(psutil.Error):
            descendant.kill()
    return _reaped(process)


def _reaped(process: subprocess.Popen[bytes]) -> int | None:
    """Reap a process and return its exit code; None if somebody else has reaped it, which Popen takes for a 0."""
    with suppress(ChildProcessError):
        process.returncode = os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1])
        return process.returncode
    process.returncode = 0  # it does not wait again
    return None


def has_ended(process: Any) -> bool:
    """Tell whether a process of psutil has ended, reaped or not; a new process with its number does not count."""
    import psutil

    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


# The error in a log: of Python, of its parser of options, of Fast Downward and SymK; of any other program a line with
# such a word. The first that matches.
_ERRORS = (
    r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S.*)",
    r"^(\S+: error: .+)",
    r"^(.+)\nUsage error occurred",
)
_PLACE_OF_ERROR = re.compile(r"[\w-]+\.mzn:\d+[\d.-]*\d")  # MiniZinc has it on another line
_COMPLAINT = re.compile(r"\b(?:error|exception|fatal|unknown option|invalid|unrecogni[sz]ed|no such)\b", re.IGNORECASE)


def failure(code: int, log: str) -> str:
    """Describe how a program failed: its exit code or signal, and its error, else the last line that it printed."""
    name = next((each.name for each in signal.Signals if each == -code), f"signal {-code}")
    lines = [line.strip() for line in log.splitlines() if line.strip()] or ["it printed nothing"]
    errors = [line for pattern in _ERRORS for line in re.findall(pattern, log, re.MULTILINE)[-1:]]
    line = next(iter([*errors, *filter(_COMPLAINT.search, lines), lines[-1]])).strip()
    place = next((f" ({match[0]})" for match in _PLACE_OF_ERROR.finditer(log) if match[0] not in line), "")
    return f"({f'exit code {code}' if code >= 0 else f'killed by {name}'}): {line[:200]}{place}"
