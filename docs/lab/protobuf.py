"""Protocol buffers of CP-SAT, as far as the models of pegcp need them: as text, and as bytes for the solver."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

CHOICES = (
    "CHOOSE_FIRST",
    "CHOOSE_LOWEST_MIN",
    "CHOOSE_HIGHEST_MAX",
    "CHOOSE_MIN_DOMAIN_SIZE",
    "CHOOSE_MAX_DOMAIN_SIZE",
)
REDUCTIONS = ("SELECT_MIN_VALUE", "SELECT_MAX_VALUE", "SELECT_LOWER_HALF", "SELECT_UPPER_HALF", "SELECT_MEDIAN_VALUE")
NAMES = {"variable_selection_strategy": CHOICES, "domain_reduction_strategy": REDUCTIONS}  # as text
SCHEMA = """
message Variable { string name = 1; repeated int domain = 2; }
message Literals { repeated int literals = 1; }
message Expression { repeated int vars = 1; repeated int coeffs = 2; int offset = 3; }
message Expressions { repeated Expression exprs = 1; }
message Linear { repeated int vars = 1; repeated int coeffs = 2; repeated int domain = 3; }
message Circuit { repeated int tails = 3; repeated int heads = 4; repeated int literals = 5; }
message Constraint { string name = 1; repeated int enforcement_literal = 2; Literals bool_or = 3; Literals bool_and = 4;
  Literals bool_xor = 5; Linear linear = 12; Expressions all_diff = 13; Circuit circuit = 15;
  Literals at_most_one = 26; Literals exactly_one = 29; }
message Objective { repeated int vars = 1; repeated int coeffs = 4; double offset = 2; double scaling_factor = 3;
  repeated int domain = 5; }
message Strategy { int variable_selection_strategy = 2; int domain_reduction_strategy = 3;
  repeated Expression exprs = 5; }
message Hint { repeated int vars = 1; repeated int values = 2; }
message Model { string name = 1; repeated Variable variables = 2; repeated Constraint constraints = 3;
  Objective objective = 4; repeated Strategy search_strategy = 5; Hint solution_hint = 6;
  repeated int assumptions = 7; }
message Response { int status = 1; repeated int solution = 2; double objective_value = 3;
  double best_objective_bound = 4; int num_conflicts = 11; int num_branches = 12; int num_binary_propagations = 13;
  int num_integer_propagations = 14; string solution_info = 20; int num_restarts = 24; int num_lp_iterations = 25; }
"""
Field = tuple[int, str, bool]  # its number, its type, and whether it is repeated


def read_fields(text: str) -> dict[str, Field]:
    """Return the fields of a message by name, in the order of their numbers; text is in the language of protobuf."""
    found = re.findall(r"(?:(repeated|optional)\s+)?(\w+)\s+(\w+)\s+=\s+(\d+)\b", text)
    fields = {name: (int(number), kind, label == "repeated") for label, kind, name, number in found}
    return dict(sorted(fields.items(), key=lambda item: item[1][0]))


FIELDS = {kind: read_fields(body) for kind, body in re.findall(r"message (\w+) {(.*?)}", SCHEMA, re.DOTALL)}


@lru_cache(1 << 16)
def varint(number: int) -> bytes:
    """Return a whole number, modulo 2^64, in groups of seven bits."""
    groups, number = [], number & 0xFFFFFFFFFFFFFFFF
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def field_bytes(number: int, kind: str, value: Any) -> bytes:
    """Return a field with its number: a whole number, a double, or the length and the bytes of anything else."""
    if kind == "double":
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else bytes(value)
    return varint(number << 3 | 2) + varint(len(content)) + content


class Message:
    """A protocol buffer: its fields are attributes, and made when they are first asked for."""

    def __init__(self, kind: str) -> None:
        self.__dict__["_kind"] = kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("has_"):
            return lambda: name[4:] in self.__dict__
        if name.startswith("_") or name not in FIELDS[self._kind]:
            raise AttributeError(name)
        _, kind, repeated = FIELDS[self._kind][name]
        value: Any = Repeated(kind) if repeated else Message(kind) if kind in FIELDS else ""
        if kind in ("int", "double") and not repeated:
            return 0
        self.__dict__[name] = value
        return value

    def fields(self) -> Iterator[tuple[str, Field, Any]]:
        """The fields that are set, in the order of their numbers."""
        for name, field in FIELDS[self._kind].items():
            value = self.__dict__.get(name)
            if value or isinstance(value, Message):
                yield name, field, value

    def __bytes__(self) -> bytes:
        parts = []
        for _, (number, kind, repeated), value in self.fields():
            if repeated and kind == "int":
                content = b"".join(map(varint, value))
                parts.append(varint(number << 3 | 2) + varint(len(content)) + content)
            else:
                parts += [field_bytes(number, kind, item) for item in (value if repeated else [value])]
        return b"".join(parts)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The lines of the text form."""
        for name, (_, kind, repeated), value in self.fields():
            for item in value if repeated else [value]:
                if kind in FIELDS:
                    yield f"{name} {{"
                    yield from (f"  {line}" for line in item.lines())
                    yield "}"
                else:
                    word = f'"{item}"' if kind == "string" else NAMES[name][item] if name in NAMES else f"{item:g}"
                    yield f"{name}: {item if kind == 'int' and name not in NAMES else word}"

    @classmethod
    def read(cls, kind: str, content: bytes) -> Message:
        """Read the bytes of a message; fields of no interest are skipped."""
        message, at = cls(kind), 0
        known = {number: (name, form, repeated) for name, (number, form, repeated) in FIELDS[kind].items()}
        while at < len(content):
            key, at = read_varint(content, at)
            name, form, repeated = known.get(key >> 3, ("", "", False))
            value: Any
            if key & 7 == 1:
                (value,), at = struct.unpack_from("<d", content, at), at + 8
            else:
                value, at = read_varint(content, at)
                if key & 7 == 2:
                    value, at = content[at : at + value], at + value
            if isinstance(value, bytes) and form == "string":
                value = value.decode(errors="replace")
            if repeated:
                values, begin = getattr(message, name), 0
                while begin < len(value):
                    number, begin = read_varint(value, begin)
                    values.append(number)
            elif name:
                message.__dict__[name] = value
        return message


class Repeated(list[Any]):
    """The values of a repeated field."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def add(self) -> Message:
        """Append an empty message, and return it."""
        self.append(Message(self.kind))
        return self[-1]  # type: ignore[no-any-return]


def read_varint(content: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at an index, as a signed one of 64 bits, and the index after it."""
    number = shift = 0
    while True:
        byte, at = content[at], at + 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number - (number >> 63 << 64), at
