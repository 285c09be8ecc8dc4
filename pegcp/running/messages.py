"""The messages between host, keeper and worker. Each is JSON behind its length; data of methods is brought within
bounds before it is decoded by its declared types."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

from pegcp.errors import InputError
from pegcp.formats.foreign import bounded, check_statistics, convert
from pegcp.game import Jump
from pegcp.method import Answer, Limits, Number, Reason, Wishes

LONGEST_MESSAGE_BYTES = 16_000_000
_LENGTH_BYTES = 4  # bytes of the length before a message

# From the host to the keeper ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """A run as plain data, for another process or machine: see :class:`pegcp.running.task.Task`. ``files`` has the text
    of a model file and of the modules beside it, by name, for a machine without them.

    To a keeper it is a request, with a limit of memory, and ``pause`` seconds in which the clock of the run may stand
    still; the worker gets the environment, the path of modules, and the folder."""

    problem: str
    name: str
    method: str
    backend: str | None
    options: dict[str, object]
    limits: Limits
    wishes: Wishes = field(default_factory=Wishes)
    fingerprint: str = ""
    files: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    environment: dict[str, str] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    folder: str = ""


# To the host: by the keeper Alive and Ended, by the worker Update and Reply -----------------------------------------


@dataclass(frozen=True)
class Alive:
    """The modules are loaded, and the worker starts; or, now and then: it still runs. The number of the keeper."""

    keeper: int = 0


@dataclass(frozen=True)
class Update:
    """Values that a method reports on the way, seconds after the start."""

    values: dict[str, object]
    at_seconds: float = 0.0


@dataclass(frozen=True)
class Reply:
    """The answer of a method. The jumps of a list of solutions are numbers of the board's jumps, which are shorter than
    their holes; -1 stands for any other jump."""

    answer: Answer
    solutions: list[list[int]] = field(default_factory=list)


@dataclass(frozen=True)
class Ended:
    """How a run ended: the limit that stopped it, if one did, the exit code of the worker (negative: a signal), the end
    of its standard error, and the use of all processes together. ``survivors``: processes that could not be killed."""

    stopped: Reason | None = None
    exit_code: int | None = None
    stderr: str = ""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0
    survivors: int = 0


@dataclass(frozen=True)
class Fault:
    """A fault in the messages of a run, or in its processes, that the host has noticed itself."""

    text: str


@dataclass(frozen=True)
class UpdateFigures:
    """The values of an update that a run makes use of."""

    bound: Number | None = None
    objective: Number | None = None
    jumps: tuple[Jump, ...] | None = None


Message = Alive | Update | Reply | Ended | Fault
_KINDS: dict[str, type[Request | Alive | Update | Reply | Ended]] = {
    kind.__name__: kind for kind in (Request, Alive, Update, Reply, Ended)
}


def encode(message: Message | Request) -> bytes:
    """Return a message with its length; numbers of numpy become numbers, sets lists, unknown things text."""
    data = json.dumps([type(message).__name__, message], default=_plain).encode()
    return len(data).to_bytes(_LENGTH_BYTES) + data


def _plain(value: Any) -> object:
    match value:
        case set() | frozenset():
            return sorted(value)
        case Mapping():
            return dict(value)
        case _ if is_dataclass(value):
            return vars(value)
        case _:
            return value.item() if hasattr(value, "item") else str(value)


class MessageReader:
    """Bytes that come piece by piece, and the messages in them. The last one may be cut: then it is left out."""

    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, data: bytes) -> Iterator[bytes]:
        """Yield the messages that are complete with these bytes. Raises ValueError for one that is too long."""
        self.data += data
        while len(self.data) >= _LENGTH_BYTES:
            end = _LENGTH_BYTES + int.from_bytes(self.data[:_LENGTH_BYTES])
            if end > LONGEST_MESSAGE_BYTES:
                raise ValueError("the method's answer or progress is too long")
            if len(self.data) < end:
                return
            yield bytes(self.data[_LENGTH_BYTES:end])
            del self.data[:end]


def decode(data: bytes) -> Any:
    """Return the message of a host or keeper."""
    name, values = json.loads(data)
    return convert(values, _KINDS[name], "")


def decode_foreign(data: bytes) -> Message:
    """Return the message of a worker, whose values come from the code of a method. A Fault if it cannot be read."""
    noun = "answer"
    try:
        name, values = json.loads(data, parse_constant=lambda _: None)
        noun = "answer" if name == "Reply" else "progress"
        if name == "Reply":
            reply = convert(bounded(values), Reply, "")
            check_statistics(reply.answer.statistics)
            return reply
        update = convert(bounded(values), Update, "")
        figures = convert(check_statistics(update.values), UpdateFigures, "")
        return replace(update, values={**update.values, "jumps": figures.jumps}) if figures.jumps else update
    except (InputError, ValueError, TypeError, AttributeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        return Fault(f"the method's {noun} cannot be read: {why}")
