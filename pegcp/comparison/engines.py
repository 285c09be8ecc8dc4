"""Name the engine of a result: the program that did the reasoning, whatever the method that it worked for."""

import re
from pathlib import PurePath

from pegcp.backends import inventory
from pegcp.backends.program import split_command
from pegcp.catalogue.methods import method_of
from pegcp.errors import InputError
from pegcp.results.result import Result
from pegcp.running.task import method_name

_INTERPRETERS = ("python", "java", "sh", "bash", "env", "perl", "nice", "timeout", "apptainer", "singularity", "docker")
_CP_SAT = ("cp-sat", "cpsat", "ortools", "or-tools")


def engine(result: Result) -> str:
    """Return the engine of a result, also of one from a file: only another engine gives a second opinion.

    That of ``auto`` is the engine of the method that it chose; models on one solver have one engine, whichever library
    hands them over; searches may share one; and a command has that of the program that it starts.
    """
    choice = result.statistics.get("chosen")
    name, backend = (choice, None) if isinstance(choice, str) else (method_name(result.method), result.backend)
    if backend is None:
        try:
            method = method_of(name)
        except InputError:  # it was a method of another machine
            return name
        backend = next(iter(method.backends), None)
        if backend is None:
            return method.engine or name
    info = inventory.info(backend)
    if info is not None and info.engine:
        return info.engine
    command = result.parameters.get("command")
    if isinstance(command, str) and command:
        return _program(command)
    return _known(str(result.parameters.get("minizinc.solver", "gecode"))) if backend == "minizinc" else backend


def _program(command: str) -> str:
    """Return the name of the program in a command: the first word that is no interpreter, option or number."""
    try:
        words = split_command(command)
    except InputError:
        return command
    if solver := re.search(r"minizinc .*--solver[ =](\S+)", command):
        return _known(solver[1])
    names = [PurePath(word).name for word in words if not word.startswith(("-", "{")) and "=" not in word]
    programs = [name for name in names if not (name.rstrip("0123456789.") in _INTERPRETERS or name[:1].isdigit())]
    return _known((programs or names or [command])[0])


def _known(program: str) -> str:
    """Return one name for programs and solvers that have several."""
    stem = program.lower().partition(".")[0] if "ortools" not in program else "cp-sat"
    return "cp-sat" if stem in _CP_SAT else stem
