"""``pegcp why``: the line that excludes a solution, and the rule of the game that no line says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import pegcp
from pegcp.blame.answer import broken_rule
from pegcp.blame.explain import explain
from pegcp.cli.main import cli
from pegcp.errors import InputError

ROOT = Path(__file__).parents[1]
MODELS, EXERCISES = ROOT / "models", ROOT / "examples" / "exercises"

# A model, what is changed in it and into what, the text of the line that is to be named, and an instance of it.
EXCLUDING = [
    ("moves.py", "made[t][j] for j in takes[h]",
     "made[t][j] for j in lands[h]", "model.add_bool_or(~bState[t, h]", "t = "),
    ("moves.py", "~bState[t + 1, a], ~b", "bState[t + 1, a], ~b", "model.add_bool_and(*before, *after)", "j = "),
    ("rounds.py", "model.add_implication(after, x)",
     "model.add_implication(x, after)", "model.add_implication(x", "jump = "),
    ("ip_state.py", "== 1", "== 2", "== 2", "t = 0"),
    ("ip_rounds.py", "before + change", "before - change", "before - change", "hole = "),
    ("sat_parallel.py", "peg[t], made[t], peg[t + 1]", "peg[t + 1], made[t], peg[t]", "step(model, board", "t = 0"),
    ("asp_rounds.lp", "not before(t,J,D).", "before(t,J,D).", "{ made(t,J) }", ""),
    ("mzn_moves.mzn", "(bState[0, h] = (h in start))",
     "(bState[0, h] = not (h in start))", "constraint forall(h in 1..holes)", ""),
    ("cpmpy_rounds.py", "made[i].implies(~after)", "made[i].implies(after)", "made[i].implies(after)", "jump = "),
    ("choco_rounds.py", '"+" if hole == jump.to', '"-" if hole == jump.to', "model.arithm(", "hole = "),
    ("smt_sweep.py", "{p[t]} {m[t]} {p[t + 1]}", "{p[t + 1]} {m[t]} {p[t]}", "model.add(f", "t = "),
]  # fmt: skip


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """A model with a change, in a folder."""
    text = (MODELS / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return folder / name


def needs(name: str) -> None:
    """Skip the test if the library of a model is missing."""
    if name.startswith("mzn"):
        from pegcp import backends

        if backends.backend("minizinc").version() is None:
            pytest.skip("MiniZinc is not installed")
    for word, module in (("asp", "clingo"), ("sat", "pysat"), ("cpmpy", "cpmpy"), ("choco", "pychoco")):
        if name.startswith(word):
            pytest.importorskip(module)
    if name.startswith("constraint"):
        pytest.importorskip("constraint")
    if name.startswith("smt"):
        pytest.importorskip("bitwuzla")


QUICK = ("moves.py", "rounds.py", "ip_state.py", "sat_parallel.py")


@pytest.mark.parametrize(
    ("name", "old", "new", "text", "place"),
    [row if row[0] in QUICK else pytest.param(*row, marks=pytest.mark.long) for row in EXCLUDING],
)
def test_the_changed_line_is_named(name: str, old: str, new: str, text: str, place: str, tmp_path: Path) -> None:
    needs(name)
    why = pegcp.why("XoXX", str(changed(tmp_path, name, old, new)))
    assert why.kind == "excludes"
    (line,) = [line for line in why.lines if text in line.text][:1]
    assert len(why.lines) <= 4
    assert place in line.place
    assert str(why).splitlines()[0].startswith("The model excludes the solution ")
    source = (tmp_path / name).read_text(encoding="utf-8").splitlines()
    assert line.text.splitlines()[0].split()[0] in source[line.number - 1]


@pytest.mark.parametrize(
    ("name", "old", "new", "text"),
    [
        ("rounds.py", "if (i + 1) % len(order)", "if (i + 0) % len(order)", "if (i + 0) % len(order)"),
        ("ip_rounds.py", "peg[hole] = model.add_variable(lb=0", "peg[hole] = model.add_variable(lb=1", "lb=1"),
        ("sat_parallel.py", "if not jump.independent_of", "if jump.independent_of", "if jump.independent_of"),
        ("asp_rounds.lp", "{ made(t,J) } :- jump(J,F,O,D), before(t,J,F), before(t,J,O), not before(t,J,D).", "",
         "not made(t,J)"),
        ("asp_fools.lp", "taken(t,F) :-", "landed(t,F) :-", "landed(t,F) :-"),
    ],
)  # fmt: skip
def test_a_slip_in_what_a_line_uses(name: str, old: str, new: str, text: str, tmp_path: Path) -> None:
    """A condition, a bound of a variable, a list, atoms that nothing defines, atoms that nothing uses."""
    needs(name)
    why = pegcp.why("triangle6:a2!" if "fools" in name else "XoXX", str(changed(tmp_path, name, old, new)))
    assert why.kind == "excludes"
    assert any(text in line.text and not line.excludes for line in why.lines)
    assert len(why.lines) <= 6


@pytest.mark.parametrize(
    "name",
    [
        "moves", "rounds", "parallel", "ip-state", "sat-rounds", "asp-rounds", "constraint",
        pytest.param("mzn-moves", marks=pytest.mark.thorough),
    ],
)  # fmt: skip
def test_a_right_model_agrees(name: str) -> None:
    needs(name)
    assert pegcp.why("XoXX", name).kind == "agrees"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sentence", "old", "rule", "words"),
    [
        ("start", "    begins_at_start(model, problem, peg[0])\n", 1, "the first position has"),
        ("before", "peg[t][a], peg[t][b], ~peg[t][c]", 3, "but finds"),
        ("after", "~peg[t + 1][a], ~peg[t + 1][b], peg[t + 1][c]", 3, "but leaves"),
        ("frame", "", 4, "and no jump"),
        ("goal", "    ends_in_goal(model, problem, peg[T])\n", 5, "the last position is not the goal"),
    ],
)
def test_each_of_the_five_sentences_has_its_own_words(
    sentence: str, old: str, rule: int, words: str, tmp_path: Path
) -> None:
    """The exercise without one sentence; all but one of these models have the frame axioms."""
    text = (EXERCISES / "cp_frame.py").read_text(encoding="utf-8")
    axioms = (
        "            model.add_bool_or(~peg[t][h], peg[t + 1][h], *(made[t][j] for j in takes[h]))\n"
        "            model.add_bool_or(peg[t][h], ~peg[t + 1][h], *(made[t][j] for j in lands[h]))\n"
    )
    text = text.replace("            pass\n", axioms if old else "            pass\n")
    assert old in text
    text = text.replace(old, "True" if "peg[t" in old else "") if old else text
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    why = pegcp.why("triangle15:a1->a1" if sentence == "goal" else "triangle10", str(tmp_path / "mine.py"))
    assert (why.kind, why.rule) == ("accepts", rule)
    assert words in why.says


def test_the_second_sentence_has_its_own_words() -> None:
    """Without it cp_frame.py has no wrong answer: what two independent jumps win, an empty step loses."""
    problem = pegcp.problem("XoXX")
    start, (first, *_) = problem.start.mask, problem.board.jumps
    fault = broken_rule(problem, [[], [first]], [start, start, start ^ first.mask], "single")
    assert fault == (2, 0, "step 1 makes no jump")
    fault = broken_rule(problem, [[first, first], []], [start] * 3, "independent")
    assert fault is not None
    assert fault[0] == 2
    assert "which have a hole in common" in fault[2]


def test_without_a_solution_the_lines_that_leave_none() -> None:
    """Where nobody knows whether there is a solution; of a model that is right, lines of the game are to blame."""
    why = explain(pegcp.problem("XoX"), "moves", None)
    assert why.kind == "impossible"
    assert why.lines


@pytest.mark.parametrize(
    ("name", "old", "new", "text", "step"),
    [
        ("constraint_replay.py", "if not jump.is_legal(", "if jump.is_legal(", "if jump.is_legal(position):", 1),
        ("constraint_replay.py", "return not last or goal(", "return not last and goal(", "not last and goal(", 0),
        ("constraint.py", "position & mask != pegs", "position & mask == pegs", "if position & mask == pegs:", 0),
    ],
)
def test_a_constraint_that_is_a_function_is_named_with_the_line_that_refuses(
    name: str, old: str, new: str, text: str, step: int, tmp_path: Path
) -> None:
    """A solution is given to python-constraint, which has no variables by meaning, by the values of its variables."""
    needs("constraint")
    why = pegcp.why("XoXXXX", str(changed(tmp_path, name, old, new)))
    assert (why.kind, why.step) == ("excludes", step)
    assert text in "".join(line.text for line in why.lines)
    assert "model.addConstraint(" in "".join(line.text for line in why.lines)


def test_a_model_without_variables_by_meaning_says_so(tmp_path: Path) -> None:
    """The positions of a path: no value means a jump, so that no solution can be given to the model."""
    needs("constraint")
    path = changed(
        tmp_path, "constraint_positions.py", "FunctionConstraint(is_goal)", "FunctionConstraint(lambda _: False)"
    )
    why = pegcp.why("XoXX", str(path))
    assert why.kind == "impossible"
    assert "does not say made and peg" in why.says
    assert any("model.addConstraint(FunctionConstraint(lambda" in line.text for line in why.lines)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [("takes, lands =", "_, lands =", "in takes[h]"), ("value(move) !=", "value(moved) !=", "value(moved) !=")],
)
def test_a_model_that_raises_is_named_with_its_line(old: str, new: str, text: str, tmp_path: Path) -> None:
    """In ``build``, and where jumps are read."""
    path = changed(tmp_path, "moves.py", old, new)
    with pytest.raises(InputError, match="NameError") as error:
        pegcp.why("XoXX", str(path))
    assert error.value.line is not None
    assert text in path.read_text(encoding="utf-8").splitlines()[error.value.line - 1]


@pytest.mark.parametrize("problem", ["XXoXXo", "triangle10:a2"])
def test_a_model_agrees_where_the_problem_has_no_solution(problem: str) -> None:
    why = pegcp.why(problem, "moves")
    assert (why.kind, why.says) == ("agrees", "The problem has no solution, and the model has none.")


@pytest.mark.thorough
def test_pegs_may_have_another_name_in_rules(tmp_path: Path) -> None:
    needs("asp")
    right = (EXERCISES / "asp_jumps.lp").read_text(encoding="utf-8")
    right = right.replace(
        "% MISSING: the peg that is jumped over is taken, too.", "taken(t,O) :- made(t,J), jump(J,F,O,D)."
    )
    renamed = re.sub(r"(?<!_)\bpeg\(", "on(", right)
    hidden = right.replace("#show made/2.", "#show taken/2.")
    wrong = renamed.replace("not on(t-1,F)", "not on(t-1,D)")
    for name, text, kind in (("on", renamed, "agrees"), ("show", hidden, "agrees"), ("wrong", wrong, "excludes")):
        path = tmp_path / f"{name}.lp"
        path.write_text(text, encoding="utf-8")
        why = pegcp.why("triangle10:a2->b2", str(path))
        assert why.kind == kind, why
    assert "not on(t-1,D)" in str(why)


def test_the_number_of_steps_is_said_where_it_is_wrong(tmp_path: Path) -> None:
    path = changed(tmp_path, "moves.py", "T = problem.board, problem.board.jumps, problem.lengths[-1]",
                   "T = problem.board, problem.board.jumps, problem.lengths[-1] + 1")  # fmt: skip
    why = pegcp.why("XoXX", str(path))
    assert why.kind == "excludes"
    assert "It has 3 steps, and a solution has 2 jumps." in why.says


def test_variables_may_be_lists(tmp_path: Path) -> None:
    path = changed(tmp_path, "moves.py", "by_hole(board, pegs)", "[[*position] for position in pegs]")
    text = re.sub(r"made=steps", "made=made", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    assert pegcp.why("XoXX", str(path)).kind == "agrees"
    assert pegcp.model("XoXX", str(path)).made[0]["a1-c1"] is not None
    path.write_text(text.replace("made=made", "made=[step[:-1] for step in made]"), encoding="utf-8")
    with pytest.raises(InputError, match="each of made must have 4 variables"):
        pegcp.why("XoXX", str(path))


def test_the_option_horizon() -> None:
    assert pegcp.why("XoXX", "rounds:horizon=2").kind == "agrees"


@pytest.mark.long
def test_a_solution_in_another_order_than_the_model_asks_for() -> None:
    jumps = list(pegcp.why("triangle15:a1->a1", "moves").jumps)
    problem = pegcp.problem("triangle15:a1->a1")
    for i in range(len(jumps) - 1):
        swapped = [*jumps[:i], jumps[i + 1], jumps[i], *jumps[i + 2 :]]
        try:
            pegcp.check(problem, swapped)
        except pegcp.InvalidSolution:
            continue
        why = pegcp.why(problem, "moves", swapped)
        if why.kind == "order":
            assert any("others[k]" in line.text for line in why.lines)
            return
    pytest.fail("no two jumps can change places")


@pytest.mark.long
def test_the_exercise_explain_and_relax(tmp_path: Path) -> None:
    """As the page of solutions says: the line is named, then the sentence, and the right model agrees."""
    text = (EXERCISES / "cp_frame.py").read_text(encoding="utf-8")
    first = "model.add_bool_or(~peg[t][h], peg[t + 1][h], *(made[t][j] for j in takes[h]))"
    second = "model.add_bool_or(peg[t][h], ~peg[t + 1][h], *(made[t][j] for j in lands[h]))"
    path = tmp_path / "cp_frame.py"

    def ask(*axioms: str) -> pegcp.Why:
        path.write_text(text.replace("            pass\n", "".join(f"            {axiom}\n" for axiom in axioms)))
        return pegcp.why("triangle10", str(path))

    slip = ask(first.replace("takes", "lands"), second)
    assert slip.kind == "excludes"
    assert slip.lines[0].text == first.replace("takes", "lands")
    assert slip.lines[0].place == "t = 0, h = a3"
    assert ask("pass").rule == 4
    assert ask(first, second).kind == "agrees"


def test_planning_domains(tmp_path: Path) -> None:
    problem = "triangle15:a1->a1"
    assert pegcp.why(problem, str(MODELS / "jumps.pddl")).kind == "agrees"
    lacking = pegcp.why(problem, str(EXERCISES / "jumps.pddl"))
    assert (lacking.kind, lacking.rule) == ("accepts", 3)
    assert "lacks the precondition (peg ?over)" in lacking.says
    wrong = pegcp.why(problem, str(changed(tmp_path, "jumps.pddl", "(vacant ?to))\n", "(vacant ?from))\n")))
    assert wrong.kind == "excludes"
    assert "(vacant ?from)" in wrong.lines[0].text
    path = changed(tmp_path, "jumps.pddl", "(not (peg ?from)) ", "")
    assert "lacks the effect (not (peg ?from))" in pegcp.why(problem, str(path)).says


def test_the_command(tmp_path: Path) -> None:
    path = changed(tmp_path, *EXCLUDING[0][:3])
    run = CliRunner().invoke(cli, ["why", "XoXX", "-m", str(path), "--json"], standalone_mode=False)
    assert run.return_value == 4
    answer = json.loads(run.stdout)
    assert answer["kind"] == "excludes"
    assert answer["step"] == 1
    assert "lands[h]" in answer["lines"][0]["text"]
    assert answer["lines"][0]["place"].startswith("t = 0, h = ")
    run = CliRunner().invoke(cli, ["why", "XoXX", "-m", "moves", "d1-b1 a1-c1"], standalone_mode=False)
    assert run.return_value == 0


@pytest.mark.parametrize("method", ["dfs", "fast-downward"])
def test_a_method_without_lines_is_refused(method: str) -> None:
    with pytest.raises(InputError, match="is no model file with lines to name"):
        pegcp.why("XoXX", method)


@pytest.mark.thorough
def test_a_wrong_model_leads_to_why(tmp_path: Path) -> None:
    path = changed(tmp_path, "moves.py", "made[t][j] for j in takes[h]", "made[t][j] for j in lands[h]")
    result = CliRunner().invoke(cli, ["solve", "XoXX", "--goal", "one peg", "-m", str(path)])
    command = f"pegcp why XoXX --goal 'one peg' -m {path}"
    assert result.stdout.endswith(f"Which line says no:\n  {command}\n"), result.stdout
    result = CliRunner().invoke(cli, ["solve", "-", "-m", str(path)], input="XoXX\n")  # which can be read once
    assert "pegcp why" not in result.stdout


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "word"),
    [
        pytest.param("mzn_rounds.mzn", "constraint", "constrain", 46, "syntax error", marks=pytest.mark.thorough),
        pytest.param("mzn_rounds.mzn", "int: holes", "int: hols", 65, "type error", marks=pytest.mark.thorough),
        ("asp_rounds.lp", "start(H).", "start(H.", 29, "unexpected"),
    ],
)
def test_a_slip_in_the_language_of_a_file_is_an_error_with_its_line(
    name: str, old: str, new: str, line: int, word: str, tmp_path: Path
) -> None:
    needs(name)
    path = changed(tmp_path, name, old, new)
    with pytest.raises(InputError, match=rf"{path}:{line}: .*{word}"):
        pegcp.why("XoXX", str(path))
