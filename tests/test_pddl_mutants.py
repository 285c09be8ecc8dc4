"""Mutated domains are refused or read as what they are: an interpreter of STRIPS that shares no code is the judge."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Any

import pytest
from test_pddl_recognition import EMPTY_ONLY, FULL_ONLY, MOVES, PLAIN, ROW, SPOTS, STATE, domain, task

from pegcp.errors import InputError
from pegcp.formats import pddl
from pegcp.game import Goal, Partial, Position, Problem

COST = "(= (total-cost) 0)"
KINDS = {
    "plain": (PLAIN, f"{ROW} {STATE}", ""),
    "full only": (FULL_ONLY, f"{ROW} (full a) (full b) (full d)", ""),
    "empty only": (EMPTY_ONLY, f"{ROW} (empty c) (empty e)", ""),
    "moves": (domain(MOVES), f"{ROW} {STATE} (idle) {COST}", "(:metric minimize (total-cost))"),
}
COMPETITION = {
    "spot": "location", "row": "in-line", "full": "occupied", "empty": "free", "idle": "move-ended",
    "hot": "last-visited", "first": "jump-new-move", "again": "jump-continue-move", "rest": "end-move",
}  # fmt: skip
GOALS = {"plain": "(full e)", "full only": "(full e)", "empty only": "(empty a)", "moves": "(full e)"}


def parsed(text: str) -> Any:
    """Nested lists of words."""
    stack: list[list[Any]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0][0]


def literals(node: Any) -> list[tuple[bool, tuple[str, ...]]]:
    if not node or node[0] == "increase":
        return []
    if node[0] == "and":
        return [literal for part in node[1:] for literal in literals(part)]
    return [(False, tuple(node[1]))] if node[0] == "not" else [(True, tuple(node))]


class Interpreter:
    """A STRIPS task; nothing is known of pegs, and costs do not matter."""

    def __init__(self, of: str, problem: str) -> None:
        parts = {part[0]: part[1:] for part in parsed(problem)[1:]}
        self.names = [word for word in parts[":objects"] if word not in ("-", "spot")]
        self.start = frozenset(tuple(fact) for fact in parts[":init"] if fact[0] != "=")
        self.goal = literals(parts[":goal"][0])
        self.actions = []
        for part in parsed(of):
            if part[0] == ":action":
                about = dict(zip(part[2::2], part[3::2], strict=True))
                names = [word for word in about.get(":parameters", []) if word[0] == "?"]
                wants, does = literals(about.get(":precondition", [])), literals(about.get(":effect", []))
                self.actions.append((names, wants, does))

    def after(self, state: frozenset[Any]) -> Iterator[frozenset[Any]]:
        for names, wants, does in self.actions:
            for objects in product(self.names, repeat=len(names)):
                value = dict(zip(names, objects, strict=True))

                def holds(fact: tuple[str, ...], value: dict[str, str] = value) -> tuple[str, ...]:
                    return tuple(value.get(word, word) for word in fact)

                if all((holds(fact) in state) == sign for sign, fact in wants):
                    gone = {holds(fact) for sign, fact in does if not sign}
                    yield state - gone | {holds(fact) for sign, fact in does if sign}

    @cached_property
    def states(self) -> set[frozenset[Any]]:
        """All states that actions lead to."""
        done, waiting = {self.start}, [self.start]
        while waiting:
            after = set(self.after(waiting.pop())) - done
            done |= after
            waiting += after
            assert len(done) < 3_000
        return done

    def is_goal(self, state: frozenset[Any]) -> bool:
        return all((fact in state) == sign for sign, fact in self.goal)


def positions(start: Position) -> set[int]:
    """All positions that jumps lead to."""
    done, waiting = {start.mask}, [start.mask]
    while waiting:
        mask = waiting.pop()
        after = {mask ^ jump.mask for jump in start.board.jumps if jump.is_legal(mask)} - done
        done |= after
        waiting += after
    return done


def reached(goal: Goal, mask: int) -> bool:
    assert isinstance(goal, Partial)
    return mask & goal.pegs == goal.pegs and not mask & goal.vacancies


def mutant(chance: random.Random, text: str) -> str:
    """The text with one or two facts of its actions left out, negated, moved or changed."""
    head, actions = text[: text.index("(:action")], text[text.index("(:action") :]
    for _ in range(chance.randrange(1, 3)):
        atoms = list(re.finditer(r"\(not \([^()]*\)\)|\((?!and|:|not)[a-z][^():]*\)", actions))
        one, other = chance.choice(atoms), chance.choice(atoms)
        words = one[0]
        change = chance.randrange(6)
        if change == 0:
            words = ""
        elif change == 1:
            words = words[5:-1] if words.startswith("(not") else f"(not {words})"
        elif change == 2:
            words = re.sub(r"\?[xyz]", chance.choice(["?x", "?y", "?z", "a"]), words, count=1)
        elif change == 3:
            words = re.sub(r"full|empty|hot|idle|row", chance.choice(["full", "empty", "hot", "idle", "row"]), words)
        elif change == 4:
            words += other[0]
        else:
            words = other[0]
        actions = actions[: one.start()] + words + actions[one.end() :]
    return head + actions


def in_competition_words(text: str) -> str:
    """A domain with moves is read only if it is that of the sequential track."""
    return re.sub(r"[a-z]+", lambda word: COMPETITION.get(word[0], word[0]), text)


def is_read(kind: str, of: str, init: str) -> bool:
    """True if a domain is read; if it is, everything reachable must be the same in both."""
    _, _, metric = KINDS[kind]
    problem = task(SPOTS, init, GOALS[kind], metric)
    texts = [in_competition_words(text) if kind == "moves" else text for text in (problem, of)]
    try:
        found = pddl.read_problem(texts[0], "p.pddl", "p", (texts[1], "d.pddl"))
    except InputError:
        return False
    judge = Interpreter(of, problem)
    # A mutant may use one predicate alone, and in the sense of the other.
    assert any(agree(found, judge, *peg) for peg in product(("full", "empty"), (True, False))), of
    return True


def agree(problem: Problem, judge: Interpreter, predicate: str, sign: bool) -> bool:
    """True if both reach the same positions, and the goal in the same of them."""
    board = problem.board
    theirs: dict[int, bool] = {}
    for state in judge.states:
        mask = sum(1 << board.hole(name) for name in board.holes if ((predicate, name) in state) == sign)
        theirs[mask] = theirs.get(mask, False) or judge.is_goal(state)
    return theirs.keys() == positions(problem.start) and all(
        reached(problem.goal, mask) == at_goal for mask, at_goal in theirs.items()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_interpreter_and_the_reader_agree_on_what_is_right(kind: str) -> None:
    of, init, _ = KINDS[kind]
    assert is_read(kind, of, init)


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutant_is_read_as_another_game(kind: str) -> None:
    chance, (of, init, _) = random.Random(kind), KINDS[kind]
    verdicts = [is_read(kind, mutant(chance, of), init) for _ in range(100)]
    assert not all(verdicts)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [100, pytest.param(3_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_none_of_many_mutants_is_read_as_another_game(kind: str, number: int) -> None:
    chance, (of, init, _) = random.Random(f"many {kind}"), KINDS[kind]
    verdicts = [is_read(kind, mutant(chance, of), init) for _ in range(number)]
    assert 0 < sum(verdicts) < number // 3
