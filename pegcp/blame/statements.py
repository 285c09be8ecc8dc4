"""Files of answer-set rules and in MiniZinc in parts: their statements."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from pegcp.backends.run_loop import Model
from pegcp.blame.parts import ModelFile, Part, Pieces
from pegcp.catalogue.modelfile import Header
from pegcp.game.problem import Problem

_COMMENT = r"%\*.*?\*%|/\*.*?\*/|%[^\n]*"
_RULE = re.compile(rf'(?:{_COMMENT}|"[^"]*"|\.\.|[^.])*?\.(?=\s|$)', re.DOTALL)
_ITEM = re.compile(rf'(?:{_COMMENT}|"[^"]*"|[^;])*?;', re.DOTALL)
_ATOM = re.compile(r"\b([a-z]\w*)\s*\(")


_USED = re.compile(r"\b([a-z]\w*)\b")
_DEFINITION = re.compile(
    r"(?:function|predicate|array|set of|int|bool|float|var|test)\b.*?:\s*(\w+)\s*[=(;]", re.DOTALL
)
# The sorts of what pegcp gives and asks for; those of other atoms follow from the variables that they share with these.
SORTS = {
    "jump": ("jump", "hole", "hole", "hole"), "hole": ("hole",), "start": ("hole",), "final_peg": ("hole",),
    "final_vacancy": ("hole",), "leader": ("jump",), "made": ("time", "jump"), "peg": ("time", "hole"),
}  # fmt: skip


class StatementFile(ModelFile):
    """A file of rules, or in MiniZinc. A part is a statement.

    A rule that defines atoms is left out so that these may be true or false as they like: the model only gets weaker.
    """

    def __init__(self, header: Header, model: Model, options: Mapping[str, Any]) -> None:
        super().__init__(header, model, options)
        is_rules = header.source.path.suffix == ".lp"
        self._spans: dict[int, tuple[int, int, str]] = {}  # by line: where it is, and the predicate that it defines
        defined: dict[str, list[int]] = {}
        codes: dict[int, str] = {}
        for found in (_RULE if is_rules else _ITEM).finditer(self.text):
            code = re.sub(_COMMENT, lambda comment: " " * len(comment[0]), found[0], flags=re.DOTALL)
            at = found.start() + len(code) - len(code.lstrip())
            line, code = self.text.count("\n", 0, at) + 1, code.strip()
            head = _ATOM.search(code.partition(":-")[0]) if is_rules else _DEFINITION.match(code)
            codes[line] = code
            self.texts[line] = " ".join(self.text[at : found.end()].split())
            if head and (is_rules or "=" in code):
                defined.setdefault(head[1], []).append(line)
            if code.startswith("constraint") if not is_rules else (code.startswith(":-") or head) and code[0] != "#":
                self._spans[line] = at, found.end(), head[1] if head and is_rules else ""
        for line, code in codes.items():
            names = dict.fromkeys(_USED.findall(code))
            self.uses[line] = [place for name in names for place in defined.get(name, ()) if place != line]
        self.asked = [place for name in ("peg", "made") for place in defined.get(name, ())]
        self._sorts = _sorts(codes.values()) if is_rules else {}

    def build(self, problem: Problem, horizon: int | None, kept: Collection[Part] | None) -> Pieces:
        """Build the model without the text of the statements that are left out."""
        parts = tuple((line, 0) for line in self._spans)
        formulation = self.model.build(problem, horizon, self.options)
        text = self.text
        left_out = [self._spans[part[0]] for part in parts if kept is not None and part not in kept]
        for start, end, _ in reversed(left_out):
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        model = replace(formulation.model, text=text)
        free = sorted({predicate for *_, predicate in left_out if predicate})
        if free:
            sorts = {
                "hole": [f'"{hole}"' for hole in problem.board.holes],
                "jump": [str(j) for j in range(len(problem.board.jumps))],
                "time": [str(t) for t in range((horizon or 0) + 1)],
            }
            sorts[""] = sorts["hole"] + sorts["jump"]
            rows = []
            for predicate in free:
                arguments = ",".join(f"({';'.join(sorts[sort])})" for sort in self._sorts[predicate])
                rows.append(f"{{ {predicate}({arguments}) }}.\n")
            model = replace(model, facts=model.facts + "".join(rows))
        return Pieces(replace(formulation, model=model), parts)


def _sorts(rules: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The sorts of the arguments of each predicate in rules: hole, jump or time; empty if they do not say."""
    sorts = {name: list(of) for name, of in SORTS.items()}
    atoms = [
        [(name, words.split(",")) for name, words in re.findall(r"\b([a-z]\w*)\(([^()]*)\)", rule)] for rule in rules
    ]
    for _ in range(4):  # often enough for what is defined by what is defined
        for rule in atoms:
            of_word: dict[str, str] = {}
            for name, words in rule:
                for word, sort in zip(words, sorts.get(name, ()), strict=False):
                    of_word[word.strip()] = of_word.get(word.strip()) or sort
            for name, words in rule:
                now = sorts.setdefault(name, [""] * len(words))
                for i, word in enumerate(words[: len(now)]):
                    by_name = "time" if re.match(r"[a-z]", word.strip()) else ""
                    now[i] = now[i] or of_word.get(word.strip(), "") or by_name
    return {name: tuple(of) for name, of in sorts.items()}
