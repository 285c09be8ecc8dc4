"""Readers of what solvers print, form by form, by the conventions of the field and of single programs.

Every solution is replayed, so a wrong value does no harm: solutions are read leniently, also from a program that was
stopped or crashed. "No solution" is read strictly: as a whole line, from a program that ended well and says nothing
else. The exit status alone is never believed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pegcp.method import Reason

Assignment = Mapping[object, int | None]  # None: the program writes something that is no whole number
_FLAGS = re.MULTILINE | re.IGNORECASE


@dataclass(frozen=True)
class Reading:
    """The output of a program, as it was read.

    ``values`` are those of a solution, empty if there are none; it is ``clear`` if the program announced a solution and
    ended well. ``refuted``: there is no solution. Else ``words`` say why there is no verdict; the ``reason`` is ERROR
    unless they are the program's own words, by which it gave up.
    """

    values: Assignment
    clear: bool = False
    refuted: bool = False
    reason: Reason = Reason.ERROR
    words: str = ""


@dataclass(frozen=True)
class Reader:
    """The reader of a format: its forms, and how they write values.

    A form has a title, and patterns of what announces a solution, and that there is none. ``sparse``: variables that
    are 0 may be left out. ``relaxes``: what has no solution may have a relaxation with one. ``codes``: exit codes that
    go with "no solution".
    """

    forms: Sequence[tuple[str, str, str]]
    values: Callable[[str], Assignment]
    sparse: bool = False
    relaxes: bool = False
    codes: tuple[int, ...] = (0, 20)

    def __call__(self, output: str, code: int | None) -> Reading:
        """Read the output of a program that ended with an exit code, or with None was stopped."""
        titles, *patterns = zip(*self.forms, strict=True)
        summary = _summary(output)
        yes, no = (_first("|".join(pattern), summary) for pattern in patterns)
        if yes and ((no and not self.relaxes) or code == 20):
            return Reading({}, words=f'says both "{yes}" and "{no or f"exit code {code}"}"')
        stops = ((reason, _first(pattern, summary)) for reason, pattern in _STOP_PATTERNS.items())
        reason, words = next((stop for stop in stops if stop[1]), (Reason.ERROR, ""))
        if no and not words:
            ended_well = code in self.codes or (code == 1 and '(error "' in output)  # of get-value, after unsat
            return Reading({}, refuted=ended_well, words="" if ended_well else f'says "{no}", but did not end well')
        values = {} if no else self.values(output)
        if words or not yes:
            words = words or _first(_UNDECIDED, summary)
            return Reading(values, reason=Reason.COMPLETED if words and reason is Reason.ERROR else reason, words=words)
        unread = f'says "{yes}", but neither prints nor writes to {{solution}} a form that is read: {", ".join(titles)}'
        return Reading(values, clear=code is not None and 0 <= code < 128, words=unread)


def _word_line(words: str, prefix: str = "s") -> str:
    """Return the pattern of a line that is a word, perhaps with a mark before it, or of a word as the status in
    JSON."""
    mark = rf"(?:(?:{prefix})[ \t]+|result:[ \t]*|instance[ \t]+|=+)?"
    return rf'^[ \t]*{mark}(?:{words})[ \t=]*$|"(?:result|status)"\s*:\s*"(?:{words})"'


_WITHOUT_FIGURES = str.maketrans("", "", "0123456789+-.* \t")


def _summary(output: str) -> str:
    """Return neighbouring lines, but not those again that differ only in figures; both ends of long lines."""
    pairs: dict[tuple[str, str], str] = {}
    before = shape_before = ""
    for line in output.splitlines():
        short = line if len(line) < 2000 else line[:1000] + line[-1000:]
        shape = short.translate(_WITHOUT_FIGURES) or short[:50]
        pairs.setdefault((shape_before, shape), f"{before}\n{short}")
        before, shape_before = short, shape
    return "\n".join(pairs.values())


def _first(pattern: str, text: str) -> str:
    """Return the first line that has a pattern; empty if there is none."""
    match = re.search(pattern, text, _FLAGS)
    if match is None:
        return ""
    begin, end = text.rfind("\n", 0, match.start() + 1) + 1, text.find("\n", match.end())
    return " ".join(text[begin : end if end >= 0 else None].split())[:120]


# Words by which programs say that they give up, by reason; they make void what looks like "no solution".
_LIMIT_WORDS = r"\W+(?:\w+\W+){0,3}?(?:reached|exceeded|expired|hit)\b"
_STOP_PATTERNS = {
    Reason.UNSUPPORTED: r"^[ \t]*s[ \t]+UNSUPPORTED\b",  # a line without s is about a command of SMT-LIB
    Reason.MEMORY: rf"\bout of memory\b|\bmemory[ _-]?limit{_LIMIT_WORDS}|\bmemout\b|bad_alloc|cannot allocate memory|"
    + _word_line("MEMORY[ _]?LIMIT", "[sc]"),
    Reason.TIME: rf"\btime[ _-]?limit{_LIMIT_WORDS}|\btime limit *: *1$|\btime[ _-]?limit[\]).!]*$"
    r"|\btimed out\b|\bout of time\b"
    r"|\b(?:reached|exceeded|hit) (?:the )?(?:\w+ )?time[ _-]?limit|\b(?:stopped|exiting) on (?:maximum )?time\b"
    r"|\btime[_-]?out\b(?!\s*[:=(]|[ \t]+(?:\d|is|to|of|set)\b)|\bSIG(?:TERM|ALRM|XCPU)\b|"
    + _word_line("TIME[ _]?(?:LIMIT|OUT)", "[sc]"),
    Reason.COMPLETED: _word_line(
        r"UNKNOWN(?: \(\w+\))?|INDETERMINATE|UNDETERMINED|UNDECIDED|UNDEFINED|NOT SOLVED|UNSATorUNBOUNDED|UNBOUNDED",
        "[sc]|%+",
    )
    + rf"|\b(?:node|iteration|conflict|decision|failure|solution|gap|search|work)s?[ _-]?limit{_LIMIT_WORDS}"
    r"|\b(?:stopped|exiting) on (?:maximum )?(?:\w|ctrl-)+|\bstopped by\b|\b(?:user|keyboard) interrupt"
    r"|\binterrupted by\b|\bsolv\w+ (?:was )?interrupted|^[\W]*(?:c )?INTERRUPTED\b(?!\s*: 0)|:reason-unknown"
    r"|\bg(?:iv(?:es|ing)|ave) up\b|^Status: +UNDEFINED|\bINTEGER UNDEFINED\b|^s mip \d+ \d+ u\b",
}
# Words that leave the question open where nothing else is said.
_UNDECIDED = (
    r"\binfeasible or unbounded\b|\bunbounded\b|\bno (?:\w+ )?solution (?:was )?(?:found|available|exists)\b"
    r"|\bsolution count 0\b|\bnumerical (?:difficult|trouble|failure|instabilit|error)|\btoo expensive\b"
    r"|^(?:(?:model|solution|solver|scip|problem|termination) *)?status *(?::|:? *\n) *\[?[a-z]"
)


def _number(text: str) -> int | None:
    """Return a whole number, bit vector or truth value; nearly whole is whole, such as ``0.9999999``. None for
    others."""
    text = text.lower().strip("()[],;").replace("#", "0").replace("0bin", "0b").replace("0hex", "0x").removeprefix("bv")
    with suppress(ValueError):
        return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text, 0)
    with suppress(ValueError, OverflowError):
        return round(number) if abs((number := float(text)) - round(number)) <= 1e-4 else None
    return None


def _literals(output: str) -> Assignment:
    """Return the variables of lines ``v``, else of lines of numbers, as MiniSat's file and ``print(model)`` have
    them."""
    numbers = r"^[ \t\[]*(-?\d+(?:[ \t,]+-?\d+)*)[ \t\]]*(?:Random Seed.*)?$"
    lines = re.findall(r"^[ \t]*v[ \t]+(.*)$", output, _FLAGS) or re.findall(numbers, output, _FLAGS)
    words = " ".join(lines).replace(",", " ").split()
    if len(words) == 1 and re.fullmatch(r"[01]{3,}", words[0]):  # a bit for each variable
        return {variable: int(bit) for variable, bit in enumerate(words[0], start=1)}
    literals = [re.fullmatch(r"([-~!]?)x?(\d+)(?:=([01]))?", word, _FLAGS) for word in words]
    return {int(m[2]): int(not m[1] and m[3] != "0") for m in literals if m and m[2] != "0"}


def _instantiation(output: str) -> Assignment:
    """Return the values of the last instantiation; ``2x3`` stands for three times the value 2."""
    text = re.sub(r"^[ \t]*v[ \t]+", "", output, flags=_FLAGS)
    matches = re.findall(r"<list>(.*?)</list>\s*<values>(.*?)</values>", text, _FLAGS | re.DOTALL)
    listing, numbers = matches[-1] if matches else ("", "")
    names = listing.split()
    values = re.sub(r"(\S+?)x(\d+)\b", lambda run: f"{run[1]} " * min(int(run[2]), len(names)), numbers).split()
    if len(names) != len(values):
        return dict.fromkeys(names)
    return {name: 0 if value == "*" else _number(value) for name, value in zip(names, values, strict=True)}


_MADE = re.compile(
    r"""\bmade\\?"?\s*[=:]\s*(?:array\dd\((?:[^,\[]*,)*?\s*(?P<first>-?\d+)\.\.(?P<last>-?\d+)\s*,\s*)?"""
    r"""(?P<rows>\[[^;}]*\])"""
)


def _array(output: str) -> Assignment:
    """Return the array ``made`` by step and jump, from 0, as MiniZinc writes it, or as JSON; the last one."""
    arrays = list(_MADE.finditer(output.replace("\\n", "\n")))  # in a JSON stream lines end so
    if not arrays:
        return {}
    array = arrays[-1]
    text = re.sub(r"\d+:", "", array["rows"])  # names of rows and columns
    rows = [row for part in re.split(r"[|\]]\s*,?", text) if (row := re.findall(r"\d+|true|false", part))]
    if array["first"] and len(rows) == 1:
        columns = max(1, int(array["last"]) - int(array["first"]) + 1)
        rows = [rows[0][i : i + columns] for i in range(0, len(rows[0]), columns)]
    return {(t, j): int(value in ("1", "true")) for t, row in enumerate(rows) for j, value in enumerate(row)}


def _atoms(output: str) -> Assignment:
    """Return the atoms of the last answer set, by step, from 1, and number of the jump."""
    answers = re.split(r'\bAnswer\b|\bStable Model\b|"Value"|\{', output, flags=_FLAGS)
    atoms = [re.findall(r"made\((\d+),\s*(\d+)\)", answer) for answer in answers]
    return {(int(t), int(jump)): 1 for t, jump in next(filter(None, reversed(atoms)), [])}


_PAIR = re.compile(
    r"""(?<![\w.#-])\|?(?P<name>[a-z_]\w*)\|?
    (?:\s*\(\)\s*\(_\s+BitVec\s+\d+\)|\s*:\s*BITVECTOR\(\d+\)|\s+(?:\*|[a-z]{1,2})(?=\s))?  # its sort, or its status
    (?:\s*(?::?=|->)\s*|\s+)(?:\(_\s+)?
    (?P<value>(?:[\d+.#-]|bv\d|nan|inf|true|false)[^\s\])]*)""",
    re.VERBOSE | re.IGNORECASE,
)
_TABLES = (  # that name the value before the variable, or in words of their own
    r'<variable\b[^>]*?\bname="(?P<name>[^"]+)"[^>]*?\bvalue="(?P<value>[^"]+)"',  # CPLEX
    r'"VarName"\s*:\s*"(?P<name>[^"]+)"\s*,\s*"X"\s*:\s*(?P<value>[^,}\s]+)',  # Gurobi
    r"^ *\d+ +(?:[A-Z]{2} +)?\S+ +\S+ +(?P<value>\S+) +(?:\S+ +)?(?:Integer|Continuous) +(?P<name>\S+)$",  # HiGHS
)


def _pairs(output: str) -> Assignment:
    """Return the names followed by values, from any program; sections of dual values, which name variables again, are
    left out."""
    text = re.split(r"^(?:# )?Dual (?:value|solution)", output, flags=_FLAGS)[0]
    tables = (list(re.finditer(table, text, _FLAGS)) for table in _TABLES)
    matches = next(filter(None, tables), None) or _PAIR.finditer(text)
    return {match["name"]: _number(match["value"]) for match in matches}


def _bit_vectors(output: str) -> Assignment:
    """Return the values of constants; Boolector's lines have a number, the value, and the name."""
    lines = re.findall(r"^\d+ ([\da-f]+) (\w+)(?:[#@]\d+)?$", output, _FLAGS)
    digits, lengths = {digit for value, _ in lines for digit in value}, {len(value) for value, _ in lines}
    base = 10 if len(lengths) > 1 else 2 if digits <= {"0", "1"} else 16
    return {name: int(value, base) for value, name in lines} if lines else _pairs(output)


def _competition(title: str, yes: str = "", no: str = "") -> tuple[str, str, str]:
    """Return a form with the words of the competitions, and some of its own."""
    words = _word_line("SAT|SATISFIABLE|SATISFIED|OPTIMUM[ _]FOUND|OPTIMAL_SOLUTION|ALL_SOLUTIONS")
    return (title, f"{words}|{yes}" if yes else words, _word_line("UNSAT|UNSATISFIABLE") + (no and f"|{no}"))


_LINEAR_FORMS = (
    (
        "CBC's solution file",
        r"^(?:Result - )?Optimal(?: solution found| - objective value)|^Optimal \(within",
        r"^(?:Integer infeasible|Infeasible) - objective value|^(?:Result - )?Problem (?:is|proven) infeasible\b"
        r"|^Result - Linear relaxation infeasible|\bPresolve determined that the problem was infeasible\b"
        r"|^Problem is infeasible\b",
    ),
    (
        "GLPK's table (-o)",
        r"^Status: +(?:INTEGER )?(?:NON-)?OPTIMAL|OPTIMAL SOLUTION FOUND|^s mip \d+ \d+ [of]\b",
        r"^Status: +INTEGER EMPTY|HAS NO (?:INTEGER |PRIMAL )?FEASIBLE SOLUTION$|^s mip \d+ \d+ n\b",
    ),
    ("lp_solve's table (-S3)", r"^Actual values of the variables", r"^This problem is infeasible *$"),
    (
        "SCIP's list and file",
        r"^solution status: optimal|\[optimal solution found\]|^primal solution",
        r"^(?:SCIP Status +: problem is solved \[infeasible\]|solution status: infeasible) *$",
    ),
    (
        "HiGHS's solution file",
        r"^Model +status *:? *\n? *Optimal$|^ *Status +Optimal$|^# Primal solution values\nFeasible$",
        r"^Model +status *:? *\n? *Infeasible$|^ *Status +Infeasible$",
    ),
    (
        "Gurobi's solution file",
        r"^Optimal solution found|^# Objective value =|\"Status\": *2\b",
        r"^(?:Model is infeasible|Infeasible model) *$|\"Status\": *3\b",
    ),
    (
        "CPLEX's list and file",
        r"^MIP - Integer optimal|solutionStatusString=\"integer (?:optimal|feasible)|^Variable Name +Solution Value",
        r"^MIP - Integer infeasible\.? *$|solutionStatusString=\"integer infeasible\"",
    ),
    (
        "others that write a name and a value",
        r"(?:\b|_)optimal\b",
        r"^(?:\w+ )*status *[:=] *(?:primal_)?infeasible\.? *$|^The (?:problem|model) is infeasible[.!]? *$",
    ),
)
_LINEAR = Reader(_LINEAR_FORMS, _pairs, sparse=True, relaxes=True, codes=(0, 2))  # 2 is lp_solve's
# By the formats that programs read.
READERS = {
    # https://satcompetition.github.io/2024/output.html
    "cnf": Reader((_competition("lines s and v of the SAT competitions, MiniSat's file"),), _literals),
    # https://www.cril.univ-artois.fr/PB24/
    "opb": Reader(
        (_competition("lines s and v of the pseudo-Boolean competitions"),),
        lambda text: {f"x{variable}": value for variable, value in _literals(text).items()} or _pairs(text),
    ),
    # https://www.xcsp.org/competitions/
    "xcsp3": Reader((_competition("an XCSP3 <instantiation>"),), lambda text: _instantiation(text) or _pairs(text)),
    "lp": _LINEAR,
    "mps": _LINEAR,
    # The MiniZinc handbook, "FlatZinc and Flattening", section "Output"; its JSON stream.
    "mzn": Reader(
        (_competition("MiniZinc's array made, in its own form or JSON", r'^-{10}$|^={10}$|"type": *"solution"'),),
        _array,
        codes=(0,),
    ),
    # The SMT-LIB standard, version 2.6, sections 3.9 and 4.2.6.
    "smt2": Reader((_competition("the values of SMT-LIB, Yices, STP, CVC and Boolector"),), _bit_vectors),
    # The Potassco user guide, section 3.1; also DLV, smodels and others.
    "asp": Reader(
        (
            _competition(
                "answer sets of clingo, clasp, DLV and smodels, as text or JSON",
                r"^Answer\b|^Stable Model|^(?:Best model: *)?\{.*\}$",
                r"^(?:INCOHERENT|INCONSISTENT|No Answer Sets?)\.?$|\bReading\.\.\. *done\n+False$",
            ),
        ),
        _atoms,
        sparse=True,
    ),
}
