"""The commands that list boards, problems, sets, methods and backends, and those that show a problem, or play it."""

import shlex
import shutil
import sys
import webbrowser
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from pegcp import library
from pegcp.backends import external, inventory, planners
from pegcp.backends.info import BackendInfo
from pegcp.catalogue.choice import choose, option_text
from pegcp.catalogue.methods import added, bundled, explain_name
from pegcp.checking import verification
from pegcp.cli import console
from pegcp.cli.options import (
    check_methods,
    check_set,
    complete_methods,
    complete_problems,
    examples,
    find_problem,
    json_option,
    memory_option,
    methods_option,
    output_folder,
    problem_argument,
    problem_options,
    time_option,
    with_limits,
    with_output,
    with_problem,
    workers_option,
)
from pegcp.cli.suggestions import ask_further
from pegcp.errors import InputError, how_to_install, plural, refuse_if, suggestion
from pegcp.formats.pddl import domains
from pegcp.game import GOAL_KINDS, Objective, Problem
from pegcp.game.svg import check_picture
from pegcp.habits import SOLVERS, meaning
from pegcp.library import Suite, lookup
from pegcp.method import Limits, Method, Run, stopped
from pegcp.render.show import align, describe
from pegcp.render.table import Column, Table
from pegcp.theory import certificates
from pegcp.writing import check_new_folder, write_folder


@click.command(epilog=examples("pegcp boards", "pegcp boards | grep triangle"))
@json_option()
def boards(as_json: bool) -> None:
    """List the boards; "pegcp show NAME" shows one."""
    console.show(
        Table(
            "Boards",
            (
                Column("name"),
                Column("holes", right=True),
                Column("jumps", 2, right=True),
                Column("symmetries", 3, right=True),
                Column("problem", 1),
                Column("title", prose=18),
            ),
            tuple(
                (
                    name,
                    *map(str, (len(board.holes), len(board.jumps), board.symmetries.order)),
                    board.default or "",
                    board.title,
                )
                for name in library.board_names()
                for board in [library.board(name)]
            ),
        ),
        Table(
            "Families",
            (Column("name"), Column("example"), Column("title", prose=18)),
            tuple((family.form, family.example, family.title) for family in library.FAMILIES),
        ),
        as_json=as_json,
    )


@click.command(epilog=examples("pegcp problems", "pegcp problems | grep fig"))
@json_option()
def problems(as_json: bool) -> None:
    """List the named problems."""
    console.show(
        Table(
            "Problems",
            (
                Column("name"),
                Column("board", 2),
                Column("pegs", 1, right=True),
                Column("goal", prose=18),
                Column("objective", 1),
            ),
            tuple(
                (name, problem.board.name, str(len(problem.start)), problem.goal_text, problem.objective.value)
                for name in library.all_problems()
                for problem in [lookup.problem(name)]
            ),
        ),
        "BOARD:HOLE, BOARD:HOLE->HOLE, BOARD:HOLE->? and BOARD:HOLE! name more problems on every board.",
        as_json=as_json,
    )


@click.command(epilog=examples("pegcp models", "pegcp models moves"))
@click.argument("name", required=False, shell_complete=complete_methods, callback=check_methods)
@json_option()
def models(name: str | None, as_json: bool) -> None:
    """List the methods (models, planners, searches), or show one.

    In a pipe rows are as long as they need: "pegcp models | less -S" scrolls sideways.
    """
    methods = {**bundled(), **added()} if name is None else {}
    if as_json:
        entries = methods.values() if name is None else [choose(name).method]
        console.print_answer([_record(method) for method in entries if isinstance(method, Method)])
    elif name is None:
        console.show(
            Table(
                "Methods",
                (
                    Column("name"),
                    Column("description", prose=50),
                    Column("goals", 1),
                    Column("objectives", 2, prose=18),
                ),
                tuple(
                    (name, f"cannot be loaded: {type(method).__name__}: {method}", "", "")
                    if isinstance(method, Exception)
                    else (name, method.summary, _goals(method), " ".join(sorted(method.objectives)))
                    for name, method in methods.items()
                ),
            ),
            "Write a method as NAME[:BACKEND][:OPTION=VALUE]..., such as moves:order=off.",
            '"pegcp models NAME" shows goals, objectives, backends, options, and the model itself.',
        )
    elif domain := next((row for row in domains.DOMAINS if name == f"{row.stem}.pddl"), None):
        click.echo(domain.text, nl=False)
    else:
        _show_method(choose(name).method)


def _record(method: Method) -> dict[str, object]:
    """Return what programs may want to know of a method."""
    return {
        "name": method.name,
        "description": method.summary,
        "goals": sorted(method.goals),
        "objectives": sorted(method.objectives),
        "without": sorted(map(list, method.without)),
        "backends": list(method.backends),
        "options": {
            key: {"default": value, "values": list(method.values(key))} for key, value in method.options.items()
        },
        "file": method.path and str(method.path),
    }


def _goals(method: Method) -> str:
    return "all" if method.goals == GOAL_KINDS else " ".join(sorted(method.goals))


def _show_method(method: Method) -> None:
    """Show a method: its goals, objectives, backends, options, and its file.

    Where output is not a terminal, the file alone goes there, so that it can be kept as a model of one's own.
    """
    choices = {key: f"  ({', '.join(values)})" if (values := method.values(key)) else "" for key in method.options}
    rows = [
        ("goals", _goals(method)),
        ("objectives", " ".join(sorted(method.objectives))),
        ("but not", ", ".join(f"{goal} with {objective}" for goal, objective in sorted(method.without))),
        ("backends", " ".join(method.backends)),
        *(("option", f"{key}={option_text(value)}{choices[key]}") for key, value in method.options.items()),
        *(
            ("parameter", f"{method.backends[0]}.{name}={str(value).lower() if isinstance(value, bool) else value}")
            for name, value in method.parameters.items()
        ),
        ("file", str(method.path or "")),
    ]
    about = f"{method.name}: {method.summary}\n\n{align([row for row in rows if row[1]])}"
    if method.path is None:
        click.echo(about)
    else:
        click.echo(f"{about}\n", err=not console.is_terminal(sys.stdout))
        click.echo(method.path.read_text(encoding="utf-8"), nl=False)


@click.command(epilog=examples("pegcp backends", "pegcp backends cadical"))
@click.argument("name", required=False)
@click.option(
    "--for", "subject", metavar="PROBLEM", shell_complete=complete_problems, help="Only those that take PROBLEM."
)
@json_option()
def backends(name: str | None, subject: str | None, as_json: bool) -> int:
    """List solvers and planners, or show one and ask it six small problems.

    The list says how to install those that are missing.
    """
    if name is not None:
        return _try_backend(name, as_json=as_json)
    if subject is not None:
        return _show_takers(lookup.problem(subject), as_json=as_json)
    if as_json:
        return console.print_answer(
            [
                {
                    **{key: getattr(b, key) for key in ("name", "title", "licence", "package", "formats")},
                    "abilities": sorted(b.abilities),
                    "version": b.version(),
                }
                for b in inventory.infos()
            ]
        )
    return console.show(
        Table(
            "Backends",
            (
                Column("name"),
                Column("solver", 1, prose=18),
                Column("version"),
                Column("licence", 2),
                Column("exports", 1),
                Column("package", prose=18),
            ),
            tuple(
                (b.name, b.title, version or "missing", b.licence, " ".join(b.formats), "" if version else b.package)
                for b in inventory.infos()
                for version in [b.version()]
            ),
        ),
        f"To install a missing one: {how_to_install('PACKAGE')}",
    )


def _show_takers(problem: Problem, *, as_json: bool) -> int:
    """List the backends that take a problem: with which methods, and planners in which encodings."""
    methods = {name: method for name, method in bundled().items() if not method.refusal(problem, header_only=True)}
    rows = []
    for taker in inventory.infos():
        names = [name for name, method in methods.items() if taker.name in method.backends]
        own = methods.get(taker.name)
        encodings = own.encodings(problem) if isinstance(own, planners.PlannerMethod) else []
        if names:
            rows.append((taker.name, taker.version() or "missing", " ".join(names), " ".join(encodings)))
    return console.show(
        Table(
            f"Backends for {problem.name}",
            (Column("name"), Column("version"), Column("methods", prose=30), Column("encodings", 1)),
            tuple(rows),
        ),
        as_json=as_json,
    )


def _try_backend(name: str, *, as_json: bool) -> int:
    """Show which program or library a backend is, how it is started, and its answers to small problems."""
    from pegcp.testing import check_backend, method_on

    backend = inventory.info(meaning(name.lower(), SOLVERS) or name)
    if backend is None:
        advice = explain_name(name).replace("type: -m", "type: pegcp solve english -m")
        advice = f"type: pegcp models {name}" if name in bundled() else advice or '"pegcp backends" lists them'
        raise InputError(
            f'there is no backend "{name}"{suggestion(name, [info.name for info in inventory.infos()])}; {advice}'
        )
    if (version := backend.version()) is None:
        raise backend.missing()
    method = method_on(backend.name)
    about = [("solver", backend.title), ("version", version), *_start_of(backend, method), ("asked as", f"-m {method}")]
    trials = check_backend(backend.name)
    table = Table(
        "Six small problems",
        (Column("problem", prose=16), Column("answer", prose=12), Column("fault", prose=40)),
        tuple((t.problem.name, "" if t.result is None else t.result.verdict, t.fault) for t in trials),
    )
    status = console.Exit.WRONG_ANSWER if any(trial.fault for trial in trials) else console.Exit.ANSWERED
    return console.show(*([] if as_json else [align(about)]), table, status=status, as_json=as_json)


def _start_of(backend: BackendInfo, method: str) -> list[tuple[str, str]]:
    """Return the program of a backend and its command line as it is started, or where its library is."""
    if isinstance(backend, planners.Planner):
        words = backend.command_line(choose(method).all_options, Run())
    elif isinstance(backend, external.OwnSolver):
        command = external.read_command(backend.command, backend.model, bundled()[backend.model].backends)
        words = command.command_line(f"model.{command.format}", Run(), Run().limits.time)
    else:
        specs = [spec for module in backend.modules[:1] if (spec := find_spec(module)) is not None]
        return [("library", spec.origin or "") for spec in specs]
    return [("program", shutil.which(words[0]) or words[0]), ("command", shlex.join(words))]


@click.command(
    epilog=examples(
        "pegcp show english -o english.svg",
        "pegcp show 'english:c1->d4' --after \"c3-c1\"",
        "pegcp show english -m rounds,ip-rounds",
    )
)
@with_limits(time_option(default=60))
@with_problem()
@methods_option(help="Show how large these models are.")
@with_output("Also write the picture to a file: .svg, or .png.", check=check_picture)
def show(problem: Problem, limits: Limits, methods: str | None, output: Path | None) -> int:
    """Show a problem: picture, counts, symmetries, certificate.

    With -m: the sizes of its models after building and after presolve. Nothing is solved.
    """
    if methods is None:
        page = describe(problem)
        console.show_text(page)
        console.write_picture(output, page.svg)
        return console.Exit.ANSWERED
    refuse_if(output, "-o writes the picture of the problem, and -m shows sizes: leave one of them out")
    from pegcp.report.tables import sizes_table
    from pegcp.running.road import measure_models

    sizes = measure_models(problem, methods, limits)
    is_measured = any("variables" in result.statistics for result in sizes)
    return console.show(sizes_table(sizes), status=console.Exit.ANSWERED if is_measured else console.Exit.NO_ANSWER)


@click.command(epilog=examples("pegcp explain 'english:c1->e5'", "pegcp explain army5 -o weights.svg"))
@with_limits(time_option(default=60))
@with_problem()
@with_output("Also write the picture to a file: .svg, or .png.", check=check_picture)
def explain(problem: Problem, limits: Limits, output: Path | None) -> int:
    """Explain why a problem has no solution, if a certificate shows it."""
    certificate = certificates.find(problem, cases=True, seconds=limits.time)
    if certificate is None:
        form = f", which is {problem.name}:{lookup.own_form(problem.board)}," * (problem.name == problem.board.name)
        click.echo(
            f"No certificate found: {problem.name}{form} may have a solution.\n"
            'Try "pegcp solve" with the same problem and options.'
        )
        return console.Exit.NO_ANSWER
    click.echo("\n".join([verification.explain(problem, certificate), *ask_further(problem)]))
    console.write_picture(output, certificates.certificate_svg(problem, certificate))
    return console.Exit.ANSWERED


@click.command(epilog=examples("pegcp suite csplib", "pegcp suite csplib --formats cnf,pddl -o DIR"))
@click.argument("name", required=False, callback=check_set)
@click.option("--formats", metavar="A,B", help="Formats to write, such as toml,cnf,mps,pddl.")
@output_folder(help="Folder to write to: new, or empty.")
@json_option()
def suite(name: str | None, formats: str | None, output: Path | None, as_json: bool) -> None:
    """List sets of problems with known answers; write a set to files.

    A problem of a set is called SET:NAME, and SET:* names all of them. A written set has a manifest.json with the
    answers and their evidence, and .yml files with task definitions for BenchExec.
    """
    refuse_if(
        (formats is None) is not (output is None) or (output is not None and name is None),
        f"to write a set, type: pegcp suite {name or 'csplib'} --formats {formats or 'toml'} -o {output or 'out'}",
    )
    if name is None:
        console.show(
            Table(
                "Sets",
                (
                    Column("name"),
                    Column("problems", right=True),
                    Column("answered", right=True),
                    Column("title", prose=18),
                ),
                tuple(
                    (
                        entry.name,
                        str(len(entry.rows)),
                        str(sum(row.answer is not None for row in entry.rows)),
                        entry.title,
                    )
                    for entry in map(library.suite, library.set_names())
                ),
            ),
            '"pegcp suite NAME" lists a set; "pegcp compare --suite NAME -m A,B" runs methods on it.',
            as_json=as_json,
        )
    elif formats is None or output is None:
        _show_set(library.suite(name), as_json=as_json)
    else:
        from pegcp.catalogue.exporting import files

        check_new_folder(output)
        problems, names = library.suite(name), dict.fromkeys(item.strip() for item in formats.split(","))
        contents = dict(files(problems, [*names]))
        write_folder(output, contents)
        size = sum(len(text.encode()) for text in contents.values())
        click.echo(f"{output}: {plural(len(problems.rows), 'problem')} of {name} ({size / 1e6:.1f} MB)")


def _show_set(problems: Suite, *, as_json: bool) -> None:
    """Show the problems of a set with their answers."""
    console.show(
        Table(
            problems.title,
            (
                Column("name"),
                Column("board", 2),
                Column("pegs", 3, right=True),
                Column("goal", 1),
                Column("grade", 1),
                Column("languages", 1),
                Column("answer"),
                Column("shown by", 2, prose=30),
            ),
            tuple(
                (
                    row.name,
                    problem.board.name,
                    str(len(problem.start)),
                    problem.goal.kind.replace("-", " ")
                    if problem.objective is Objective.ANY
                    else str(problem.objective),
                    str(row.grade or ""),
                    row.languages,
                    str(row.answer) if row.kind == "optimum" else row.kind,
                    row.shown,
                )
                for row in problems.rows
                for problem in [problems.problem(row)]
            ),
        ),
        *[f"languages: the grades in {', '.join(library.LANGUAGES)}; - where a language was not tried"]
        * any(row.languages for row in problems.rows),
        as_json=as_json,
    )


@click.command(epilog=examples("pegcp play english", "pegcp play triangle15 -o triangle.html"))
@with_problem(default="english")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
@with_output("Write the page to FILE (.html), and do not open it.", ".html")
def play(problem: Problem, browser: bool, output: Path | None) -> None:
    """Play in the browser, with hints.

    The page is one file, which needs no server and no network. It is written into your cache folder, or to FILE.
    """
    from pegcp.play.page import cache_path, html

    page = html(problem)
    path = output or cache_path(page)
    console.write(path, page)
    if browser and output is None and not webbrowser.open(path.as_uri()):
        click.echo("no browser could be started; open the page yourself", err=True)


@click.command(epilog=examples("pegcp graph triangle15", "pegcp graph triangle10 -o graph.svg"))
@with_problem()
@click.option("--symmetry/--no-symmetry", default=True, show_default=True, help="Count positions up to symmetry.")
@with_limits(time_option(default=60), memory_option(show_default="none"), workers_option())
@with_output("Write the graph of positions of a small board: .svg, .graphml or .json.")
def graph(problem: Problem, symmetry: bool, limits: Limits, output: Path | None) -> int:
    """Count the reachable positions by number of jumps.

    With -o FILE: write the graph of positions instead, for small boards; that needs pegcp[graph].
    """
    from pegcp.states.graph import level_counts, shortest_path, state_graph, written

    if output is not None:
        positions = state_graph(problem, symmetry)
        console.write(output, written(problem, positions, output.suffix.removeprefix(".")))
        path = shortest_path(positions)
        distance = "the goal is out of reach" if path is None else f"the goal is {len(path) - 1} jumps away"
        click.echo(f"{len(positions):,} positions, {positions.size():,} edges; {distance}")
        return console.Exit.ANSWERED
    levels: list[Sequence[int]] = []
    click.echo(f"{'jumps':>5} {'positions':>13} {'goals':>9} {'dead ends':>11} {'one peg':>8}")
    try:
        for counts in level_counts(problem, Run(limits), symmetry):
            click.echo(_row(str(len(levels)), counts))
            levels.append(counts)
    except (TimeoutError, MemoryError) as error:
        click.echo(f"stopped at the {stopped(error).message}: {sum(counts[0] for counts in levels):,} positions so far")
        return console.Exit.NO_ANSWER
    click.echo(_row("total", [sum(column) for column in zip(*levels, strict=True)]))
    return console.Exit.ANSWERED


def _row(name: str, counts: Sequence[int]) -> str:
    """Return a line of the positions, goals, dead ends and single pegs of a level."""
    return "{:>5} {:>13,} {:>9,} {:>11,} {:>8,}".format(name, *counts)


@click.command(name="next", epilog=examples("pegcp next english", "pegcp next english --after 'd2-d4 b3-d3'"))
@problem_argument()
@problem_options
@with_limits(time_option(default=60), memory_option(default=4000), workers_option())
@json_option()
def next_(problem: str, after: str | None, limits: Limits, as_json: bool, **changes: str | None) -> int:
    """List the jumps that keep the goal in reach."""
    from pegcp.play.advice import find_next_jumps

    with console.progress_line(problem) as on_progress:
        jumps = find_next_jumps(find_problem(problem, **changes), after or "", Run(limits, report=on_progress))
    status = console.Exit.NO_ANSWER if jumps.solvable is None else console.Exit.ANSWERED
    return console.print_answer(jumps.to_json() if as_json else str(jumps), status)
