"""What people type first, as they know it from other tools: it works, or one line says what to type."""

from __future__ import annotations

import copy
import json
import pickle
import re
import shlex
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import pytest
from asking import said, typed
from parts import need

import pegcp
from pegcp.backends import inventory
from pegcp.cli.main import cli
from pegcp.cli.suggestions import _first_slip
from pegcp.errors import InputError
from pegcp.game import graph_board
from pegcp.habits import BOARDS, COMMANDS, MAKERS, NAMES, OPTIONS
from pegcp.modelling.formulation import Formulation
from pegcp.report import Comparison

AGENTS = Path(__file__).parents[1] / "AGENTS.md"
CLASSES = {
    kind.__name__: kind
    for kind in (Formulation, pegcp.Board, pegcp.Position, pegcp.Problem, pegcp.Result, pegcp.Solutions, Comparison)
} | {
    "Group": type(pegcp.board("english").symmetries),
    "Jump": pegcp.Jump,
    "NextJumps": pegcp.NextJumps,
    "Page": type(pegcp.show("XoX")),
    "Replay": type(pegcp.check("XoXX", "d1-b1 a1-c1")),
    "Status": pegcp.Status,
}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("validate lab1 plan.txt", "'validate'; type: pegcp check lab1 plan.txt"),
        ("bench lab1 -m dfs,moves", "'bench'; type: pegcp compare lab1 -m dfs,moves"),
        ("draw 'english:c1->d4'", "type: pegcp show 'english:c1->d4'"),
        ("solvers", "type: pegcp backends"),
        ("doctor", "type: pegcp backends"),
        ("count XoXX", "type: pegcp solve XoXX --objective count"),
        ("optimize lab1", "type: pegcp solve lab1 --objective fewest-moves"),
        ("list", "type: pegcp --help"),
        ("version", "type: pegcp --version"),
        ("ls models", "type: pegcp models$"),
        ("list solvers", "type: pegcp backends$"),
        ("board", "'board'; type: pegcp boards$"),
        ("with", "'with'; \"pegcp --help\" shows the usage"),
        ("dfs lab1", "type: pegcp solve lab1 -m dfs"),
        ("sat english", "type: pegcp solve english -m sat-rounds"),
        ("english", "type: pegcp solve english"),
        ("solv english", "no such command 'solv'; type: pegcp solve english"),
        (
            "solve lab1 --timeout 1h --fools",
            "type: pegcp solve lab1 --time-limit 1h --goal 'dead end' --objective fewest-jumps",
        ),
        ("solve lab1 --timeout 10", "no such option '--timeout'; type: pegcp solve lab1 --time-limit 10"),
        ("solve lab1 --timeout=10", "type: pegcp solve lab1 --time-limit 10"),
        ("solve lab1 -t10 --json", "type: pegcp solve lab1 --time-limit 10 --json"),
        ("solve lab1 --solver cp-sat", "cp-sat is a backend of .*; type: pegcp solve lab1 -m rounds"),
        ("solve lab1 --solver dfs", "type: pegcp solve lab1 -m dfs"),
        ("solve lab1 --solver nonsense", ".pegcp backends. lists the solvers; type: pegcp solve lab1 -m rounds:cp-sat"),
        ("compare lab1 --backend clingo", "clingo is a backend of .*; type: pegcp compare lab1 -m asp-rounds"),
        ("solve lab1 --format json", "type: pegcp solve lab1 --json"),
        ("solve lab1 --format svg", "type: pegcp solve lab1 -o solution.svg"),
        ("solve lab1 --verbose", "type: pegcp solve lab1 --log"),
        ("solve lab1 -v", "type: pegcp solve lab1 --log"),
        ("solve lab1 -q", "type: pegcp solve lab1$"),
        ("solve lab1 --threads 4", "type: pegcp solve lab1 --workers 4"),
        ("compare lab1 --parallel 2", "type: pegcp compare lab1 --jobs 2"),
        ("compare -e mine.toml", "type: pegcp compare --experiment mine.toml"),
        ("compare moves rounds", '"moves" is a method, not a problem; type: pegcp compare english -m moves -m rounds'),
        ("plot r.jsonl", "type: pegcp report r.jsonl"),
        ("diff a.jsonl b.jsonl", "type: pegcp report a.jsonl b.jsonl --against"),
        ("lint mine.py", "type: pegcp why english -m mine.py"),
        ("man solve", "type: pegcp solve --help"),
        ("export lab1 --to mps", "type: pegcp export lab1 --format mps -m ip-rounds"),
        ("export lab1 cnf", "type: pegcp export lab1 -m sat-rounds"),
        (
            "solve lab1 -m astar",
            '"astar"; astar is fast-downward-opt here; type: pegcp solve lab1 -m fast-downward-opt$',
        ),
        ("solve lab1 --gif", "type: pegcp solve lab1 --output solution.animated.svg"),
        ("solve lab1 --vacancy 'all but d4'", "type: pegcp solve lab1 --start 'all but d4'"),
        ("solve english --vacancy c1", "type: pegcp solve english:c1$"),
        ("solve lab1 --cp-sat", "type: pegcp solve lab1 -m rounds"),
        ("solve lab1 dfs", "type: pegcp solve lab1 -m dfs"),
        ("solve lab1 dfs bfs", "type: pegcp compare lab1 -m dfs -m bfs"),
        ("solve lab1 --optimal", "type: pegcp solve lab1 --objective fewest-moves"),
        ("compare lab1 --csv", "type: pegcp compare lab1 --report report.csv"),
        ("boards english", "type: pegcp show english"),
        ("next english d2-d4", "type: pegcp next english --after d2-d4"),
        ("export english pddl", "type: pegcp export english -m pddl"),
        ("pddl english", "type: pegcp export english -m pddl"),
        ("solve english -f pddl", "type: pegcp export english -m pddl"),
        ("solve english -f cnf", "type: pegcp export english -m sat-rounds"),
        ("convert english --to pddl", "type: pegcp export english -m pddl"),
        ("convert english pddl", "type: pegcp export english -m pddl"),
        ("encode english --format dimacs", "type: pegcp export english -m sat-rounds"),
        ("plot english", "type: pegcp show english"),
        ("plot results.jsonl", "type: pegcp report results.jsonl"),
        ("test mine.py", "type: pegcp mark mine.py"),
        ("show english --png", "type: pegcp show english --output picture.png"),
        ("solve english --all-solutions", "type: pegcp solve english --all 10"),
        ("solve -p english", "type: pegcp solve english"),
        ("solve english with sat", "type: pegcp solve english -m sat-rounds"),
        ("solve english d4", "type: pegcp solve english:d4"),
        ("solve mine.py", "mine.py. is a model file, not a problem; type: pegcp solve english -m mine.py"),
        ("run english mine.lp --timeout 5", "type: pegcp solve english --time-limit 5 -m mine.lp"),
        ("why english mine.py", "type: pegcp why english -m mine.py"),
        ("solve triangle15 count", "type: pegcp solve triangle15 --objective count"),
        ("solve --all triangle15", "type: pegcp solve --all 10 triangle15"),
        ("generate --board triangle15 -k 8", "type: pegcp generate triangle15 --pegs 8"),
        ("check proof --verbose", "type: pegcp check proof$"),
        ("mark mine.py --report points.csv", "type: pegcp mark mine.py --output points.csv"),
        ("whynot XoXX mine.py", "type: pegcp why XoXX -m mine.py"),
        ("solve english --search 'astar(lmcut())'", "fast-downward-opt"),
        ("compare english --with dfs --and bfs", "type: pegcp compare english -m dfs -m bfs"),
        ("why mine.py XoXX", "type: pegcp why -m mine.py XoXX"),
        ("solve english solution.svg", "type: pegcp solve english -o solution.svg"),
        ("solve english all", "argument \\(all\\); type: pegcp solve english --all 10"),
        (
            "boards --holes 33",
            'no such option .--holes.; "pegcp boards --help" shows the usage; without --holes, type: ',
        ),
        ("compare english --algorithms dfs,bfs", "type: pegcp compare english -m dfs,bfs"),
        ("solve english --from c1", "type: pegcp solve english:c1$"),
        ("solve english --from c1,d4", "type: pegcp solve english --start c1,d4"),
        ("compare mine.py theirs.mzn", "type: pegcp compare english -m mine.py -m theirs.mzn"),
        ("compare english --methods sat cp", "type: pegcp compare english --methods sat-rounds -m rounds"),
        ("solve english --minimize moves", "type: pegcp solve english --objective fewest-moves"),
        ("solve english --objective moves", "type: pegcp solve english --objective fewest-moves"),
        ("solve english --fewest-moves", "type: pegcp solve english --objective fewest-moves"),
        ("why english --optimal", "type: pegcp explain english --objective fewest-moves"),
        ("export english --count", "type: pegcp export english --objective count -m pddl"),
        ("solve english --fools out.svg", "type: pegcp solve english --goal 'dead end' --objective fewest-jumps"),
        ("solve english --all", "type: pegcp solve english --all 10"),
        ("solve --file board.txt", "type: pegcp solve board.txt"),
        ("check plan.txt --problem english", "type: pegcp check english plan.txt"),
        ("check --domain d.pddl --problem p.pddl --plan x", "type: pegcp check p.pddl d.pddl x"),
        ("solvers --list", "type: pegcp backends$"),
        ("--list-solvers", "type: pegcp backends$"),
        ("export english -o out.lp", "type: pegcp export english -o out.lp -m ip-rounds"),
        ("export english --format minizinc", "type: pegcp export english -m mzn-rounds"),
        ("compare lab1 -o out.csv", "type: pegcp compare lab1 --report out.csv"),
        ("proof XXoXX", "type: pegcp prove XXoXX -o DIR"),
        ("generate english -n 3", "type: pegcp generate english --count 3 --pegs 10"),
        ("solve", "missing argument 'PROBLEM'; type: pegcp solve english"),
        ("solve english -q", '"pegcp solve --help" shows the usage; without -q, type: pegcp solve english$'),
        ("compare english --slurm", "type: pegcp compare english --on dask-slurm:QUEUE"),
        ("compare --suite small -t 5", "'-t'; there is no set \"small\"; type: pegcp suite$"),
        ("suite all", 'there is no set "all"; type: pegcp suite$'),
        ("compare english -m all", 'no method "all"; without -m those of the tour run; type: pegcp compare english$'),
        ("prove XXoXX -o proof.json", "a proof is a folder of files, not a .json; type: -o proof$"),
        ("solve XoXX -o model.lp", '"pegcp export" writes models'),
        ("solve XoXX -o solution.pdf", "type: solution.svg"),
        ("solve XoXX -o solution.tex", "type: solution.svg"),
        ("solve english --goal 'two pegs'", "name the holes of the last pegs, or ask for --objective fewest-pegs"),
        ("solve english:d4,c4", "did you mean \"english --start 'all but d4,c4'\""),
        ("solve english --fools", "type: pegcp solve english --goal 'dead end' --objective fewest-jumps"),
    ],
)
def test_a_command_line_of_another_tool_leads_to_what_to_type(line: str, words: str) -> None:
    message = typed(*shlex.split(line), status=2)
    assert re.search(words, message), message
    assert message.count("\n") == 1
    if right := shlex.split(message.partition("type: pegcp ")[2]):
        assert right[0].startswith("-") or _first_slip(cli, right) is None


GUESSES = {  # a line that somebody types, and the line that pegcp says to type
    "solve XoXX --search-time-limit 5": "solve XoXX --time-limit 5",
    "solve XoXX --max_time_in_seconds=5": "solve XoXX --time-limit 5",
    "compare XoXX -m dfs --seed 3": "compare XoXX -m dfs --seeds 3,",
    "solve XoXX --timout 5": "solve XoXX --time-limit 5",
    "solve XoXX --num-search-workers 1 --log_search_progress": "solve XoXX --workers 1 --log",
    "solve XoXX --numOfThreads 1": "solve XoXX --workers 1",
    "solve XoXX --start-hole a1 --end-hole c1": "solve XoXX --start 'all but a1' --goal c1",
    "solve XoXX --to-file out.txt": "solve XoXX --output out.txt",
    "solve XoXX --plan-file sas_plan": "solve XoXX --output sas_plan.txt",
    "solve XoXX --output-mode json": "solve XoXX --json",
    "solve XoXX --max-solutions 5": "solve XoXX --all 5",
    "solve XoXX -n 0": "solve XoXX --all 10",
    "solve XoXX --pretty": "solve XoXX",
    "solve XoXX --max-moves 10": "solve XoXX --objective fewest-moves",
    "solve XoXX --first d1-b1": "solve XoXX --after d1-b1",
    "solve XoXX --solver glucose4": "solve XoXX -m sat-rounds:glucose",
    "solve line4 --start b1 --end c1": "solve line4:b1 --goal c1",
    "solve --board=triangle --size=4 --hole=b2": "solve triangle10:b2",
    "solve rectangle 4x1": "solve rectangle4x1",
    "solve XoXX board.txt -m dfs": "compare XoXX board.txt -m dfs",
    "solve line5 --vacancy a1,b1": "solve line5 --start 'all but a1,b1'",
    "solve line5 --remove 'a1 b1'": "solve line5 --start 'all but a1 b1'",
    "solve line5 --position 'a1 b1'": "solve line5 --start 'a1 b1'",
    "solve line5 --one-peg": "solve line5 --goal 'one peg'",
    "solve line4 --upto-symmetry --count": "solve line4 --up-to symmetry --objective count",
    "solve 1011 -b line4": "solve 1011 --board line4",
    "solve board=line4 hole=b1": "solve line4:b1",
    "compare XoXX --cutoff 5 -m dfs --resume r.jsonl": "compare XoXX --time-limit 5 -m dfs --out r.jsonl",
    "export XoXX -o t.dzn": "export XoXX -o t -m mzn-rounds",
    "solve XoXX board.txt": "compare XoXX board.txt -m auto",
    "compare XoXX -m dfs -n 2": "compare XoXX -m dfs --seeds 2",
    "compare XoXX -m 'dfs-*' -t 5": "compare XoXX -m dfs-plain,dfs-chained,dfs-double --time-limit 5",
    "solve XoXX -m 'dfs-*'": "compare XoXX -m dfs-plain,dfs-chained,dfs-double",
    "compare --problems names.txt -m dfs": "compare names.txt -m dfs",
    "export XoXX --list-formats": "backends",
    "solve XoXX --depth 31": "solve XoXX",
    "solve XoXX --const n=31": "solve XoXX",
    "solve XoXX json": "solve XoXX --json",
    "solve XoXX goal=c1": "solve XoXX --goal c1",
    "solve XoXX /json": "solve XoXX --json",
    "solve XoXX -method dfs -output out.txt": "solve XoXX --method dfs --output out.txt",
    "test XoXX": "solve XoXX",
    "boards show XoXX": "show XoXX",
    "boards list": "boards",
    "models show dfs": "models dfs",
    "model moves": "models moves",
    "next XXoX a1-c1 d1-b1": "next XXoX --after 'a1-c1 d1-b1'",
    "prove XXoXX out/p1": "prove XXoXX -o out/p1",
    "report results.jsonl --format latex": "report results.jsonl -o report.tex",
    "models --for XoXX": "backends --for XoXX",
    "solve /method:dfs XoXX": "solve --method dfs XoXX",
    "solve XoXX -m cadical": "solve XoXX -m sat-rounds",
    "compare XoXX -m cp-sat -m sat,mip": "compare XoXX -m rounds -m sat-rounds,ip-rounds",
    "solve XoXX -m dfs,bfs": "compare XoXX -m dfs,bfs",
    "solve XoXX -m dfs -m bfs": "compare XoXX -m dfs -m bfs",
    "solve XoXX -json": "solve XoXX --json",
    "solve XoXX --free-search": "solve XoXX",
    "solve XoXX --steps": "solve XoXX",
    "show XoXX --nodisplay": "show XoXX",
    "models --search": "models",
    "compare XoXX --list-methods -m dfs": "compare XoXX -m dfs",
    "run-benchmark XoXX -m dfs": "compare XoXX -m dfs",
    "report results.jsonl --csv runs.csv": "report results.jsonl --output runs.csv",
    "solve XoXX XXoX -m dfs": "compare XoXX XXoX -m dfs",
    "compare line4,line5 -m dfs": "compare line4 line5 -m dfs",
    "solve --board line4 --empty-hole b1": "solve line4:b1",
    "solve --board english --start d4": "solve english:d4",
    "solve --board english --start 'all but d4 c4' --goal 'one peg'": (
        "solve english --start 'all but d4 c4' --goal 'one peg'"
    ),
    "solve english start=c1": "solve english:c1",
    "solve XoXX --show": "solve XoXX -o solution.svg",
    "compare --suite line4 -m dfs": "compare line4 -m dfs",
    "suite line4": "show line4",
    "compare --suite csplib037 --list": "suite csplib",
    "export line4 -m minizinc -o tri.mzn": "export line4 -m mzn-rounds -o tri",
    "export line4 -m svg": "show line4 -o picture.svg",
    "compare triangle 6 -m dfs": "compare triangle6 -m dfs",
    "show results.jsonl": "report results.jsonl",
    "why board.txt": "explain board.txt",
    "report results.jsonl --plot growth": "report results.jsonl --output growth.svg",
    "report results.jsonl --growth": "report results.jsonl --output growth.svg",
    "solve --board board.txt": "solve board.txt",
    "play --board line4 --no-browser": "play line4 --no-browser",
    "XoXX solve": "solve XoXX",
    "XoXX --solve": "solve XoXX",
    "show XoXX --solution": "solve XoXX",
    "show methods": "models",
    "show boards": "boards",
    "list-methods": "models",
    "info dfs": "models dfs",
    "explain dfs": "models dfs",
    "models asp": "models asp-rounds",
    "ground XoXX": "export XoXX -m asp-rounds",
    "translate XoXX": "export XoXX -m pddl -o out",
    "export XoXX -m cnf": "export XoXX -m sat-rounds",
    "compile XoXX --solver gecode -o out": "export XoXX -m mzn-rounds -o out",
    "generate line9 4": "generate line9 --pegs 4",
    "generate line9 --pegs 3 --how-many 2": "generate line9 --pegs 3 --count 2 -o out",
    "generate --board square4 --pegs 4 --difficulty 1": "generate square4 --pegs 4 --grade 1",
    "compare experiment.toml": "compare --experiment experiment.toml",
    "show-report results.jsonl": "report results.jsonl",
    "table-generator results.jsonl": "report results.jsonl",
    "report results.jsonl --format html": "report results.jsonl -o report.html",
    "report results.jsonl --to report.md": "report results.jsonl -o report.md",
    "report results.jsonl --filter-algorithm dfs": "report results.jsonl -m dfs",
    "solve XoXX /T:5 /JSON": "solve XoXX --time-limit 5 --json",
    "solve XoXX --plan plan.txt": "solve XoXX --output plan.txt",
    "solve XoXX --unsat-core": "solve XoXX",
    "solve XoXX -m 'cp sat'": "solve XoXX -m rounds",
    "count-models XoXX": "solve XoXX --objective count",
    "drat XoX": "prove XoX -o DIR",
    "generate line9 --pegs ten": "generate line9 --pegs 3",
    "solve XoXX --workers all": "solve XoXX --workers 10",
    "solve XoXX --all=all": "solve XoXX --all 10",
    "compare XoXX -m dfs -o r.xlsx": "compare XoXX -m dfs --report r.csv",
    "suite csplib --format cnf -o out": "suite csplib --formats cnf -o out",
    "show csplib037": "suite csplib",
    "solve random": "generate english --pegs 10",
    "generate random": "generate english --random --pegs 10",
    "export suite csplib -m pddl": "export 'csplib:*' -m pddl -o out",
    "compare --suite csplib --list": "suite csplib",
    "new mine.toml": "generate english --pegs 10 -o mine.toml",
    "solve XoXX 17 17": "solve XoXX",
    "--json solve XoXX": "solve --json XoXX",
    "export line4 line5 -m sat": "export line4 line5 -m sat-rounds -o out",
    "report results.jsonl --latex": "report results.jsonl --output report.tex",
    "show XoXX --latex": "show XoXX",
    "solve triangle 6": "solve triangle6",
    "solve line4 a1 c1": "solve 'line4:a1->c1'",
    "solve line4 b1": "solve line4:b1",
    "solve line9 --goal a1 c1": "solve line9 --goal 'a1 c1'",
    "solve XoXX --min-moves 10": "solve XoXX --objective fewest-moves",
    "solve XoXX --list": "problems",
    "solve XoXX -p 1": "solve XoXX --workers 1",
    "compare XoXX -m dfs --format markdown": "compare XoXX -m dfs --report report.md",
    "compare XoXX -m dfs, bfs": "compare XoXX -m dfs,bfs",
    "compare XoXX -m dfs --sort time": "compare XoXX -m dfs",
    "export XoXX -m mzn": "export XoXX -m mzn-rounds -o out",
    "export XoXX -m xcsp3": "export XoXX -m cpmpy-rounds -f xcsp3",
    "export XoXX -o XoXX.svg": "show XoXX -o XoXX.svg",
    "export line4 -o line4.toml": "import line4 -o line4.toml",
    "convert board.txt board.toml": "import board.txt -o board.toml",
    "why XoXX": "explain XoXX",
    "generate 4": "generate english --pegs 4",
    "generate triangle 15 5": "generate triangle15 --pegs 5",
    "generate line9 --n 2": "generate line9 --count 2 --pegs 3 -o out",
    "graph XoXX --no-symmetries": "graph XoXX --no-symmetry",
    "report results.jsonl report.html": "report results.jsonl -o report.html",
    "--time-limit 5 solve XoXX": "solve --time-limit 5 XoXX",
    "-v": "--version",
    "suite csplib -o out": "suite csplib --formats toml -o out",
    "solve fools": "solve 'english:d4!'",
    "export XoXX out.lp": "export XoXX -o out.lp -m ip-rounds",
    "export XoXX out.smt2": "export XoXX -o out.smt2 -m smt-sweep",
    "export XoXX out.mzn": "export XoXX -o out -m mzn-rounds",
    "export XoXX out.pddl": "export XoXX -o out -m pddl",
    "export XoXX -o out.cnf": "export XoXX -o out.cnf -m sat-rounds",
    "flatten XoXX": "export XoXX -m mzn-rounds -o out",
    "report results.jsonl --plot cactus.pgf": "report results.jsonl --output cactus.pgf",
    "generate triangle10": "generate triangle10 --pegs 3",
    "solve english -s d4 -g d4": "solve english:d4 --goal d4",
    "solve XoXX start=a1": "solve XoXX --start 'all but a1'",
    "show csplib": "suite csplib",
    "export csplib -m pddl": "export 'csplib:*' -m pddl -o out",
    "solve english.cnf -m dfs": "solve english -m dfs",
    "--solver dfs XoXX": "solve -m dfs XoXX",
    "solve XoXX --log_search_progress=true": "solve XoXX --log",
    "solve XoXX --cp_model_presolve=false": "solve XoXX -m rounds:cp-sat.cp_model_presolve=false",
    "solve XoXX --param-file search.mpc": "solve XoXX",
    "report results.jsonl -k XoXX": "report results.jsonl",
    "sat XoXX --dimacs": "solve XoXX -m sat-rounds",
    "compare XoXX -m dfs -o r.csv --plot": "compare XoXX -m dfs --report r.csv",
    "solve XoXX /?": "solve --help",
    "/h": "-h",
    "hilfe": "--help",
    "löse XoXX": "solve XoXX",
    "résoudre XoXX": "solve XoXX",
    "resolver XoXX --tiempo 5": "solve XoXX --time-limit 5",
}


@pytest.fixture(scope="module")
def results() -> str:
    return json.dumps(pegcp.solve("XoXX", "dfs").to_json())


@pytest.mark.parametrize("line", GUESSES)
def test_the_line_to_type_answers_when_it_is_typed(
    line: str, results: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "growth" in line:
        need("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Path("results.jsonl").write_text(f"{results}\n")
    Path("board.txt").write_text("XoXX\n")
    Path("names.txt").write_text("line4:b1->c1\nXXoX\n\nline5\n")
    Path("experiment.toml").write_text('methods = ["dfs"]\n[[runs]]\nproblems = ["XoXX"]\n')
    message = typed(*shlex.split(line), status=2)
    assert message.partition("type: pegcp ")[2] == f"{GUESSES[line]}\n", message
    assert said(*shlex.split(GUESSES[line]))[-1] in (0, 3)


def test_what_is_left_out_of_a_line_is_said() -> None:
    assert '"pegcp solve --help" shows the usage; without --depth, type: ' in typed(
        "solve", "XoXX", "--depth", "3", status=2
    )


@pytest.mark.parametrize("word", ["frobnicate", "/frobnicate", "--frobnicate"])
def test_a_command_that_means_nothing_leads_to_the_help(word: str) -> None:
    assert '--help" shows the usage' in typed(word, "english", status=2)


@pytest.mark.parametrize("name", ["english:center", "english:Centre", "'english'", '"english:d4"', "English Solitaire"])
def test_names_with_quotes_and_words_that_say_nothing(name: str) -> None:
    assert pegcp.problem(name).start == pegcp.problem("english").start


def test_the_centre_is_a_hole_only_where_there_is_one() -> None:
    assert pegcp.problem("line5", goal="middle").goal_text == "exactly c1"
    with pytest.raises(InputError, match='triangle15 has no hole "center"'):
        pegcp.problem("triangle15:center")


def test_a_hole_by_its_number_in_a_name() -> None:
    problem = pegcp.problem("english:17->5", numbering="one")
    assert (problem.name, problem.goal_text) == ("english:d4->d2", "exactly d2")
    with pytest.raises(InputError, match=r"english has no hole 17; .* numbers need numbering='one', zero or grid"):
        pegcp.problem("english:17")
    with pytest.raises(InputError, match="numbering= is for numbers"):
        pegcp.problem("english:c1", numbering="one")


@pytest.mark.parametrize("name", [r"C:\boards\mine.txt", r"boards\mine.txt"])
def test_a_path_of_windows_is_a_file_that_is_not_there(name: str) -> None:
    with pytest.raises(InputError, match="there is no file"):
        pegcp.problem(name)


def test_a_goal_of_one_peg_or_the_complement_of_the_start_is_said_in_words() -> None:
    for goal in ("last peg in c1", "peg at c1", "one peg in hole c1"):
        assert pegcp.problem("line4", goal=goal).goal_text == "exactly c1"
    assert pegcp.problem("XXoXoo", goal="complement").goal_text == "exactly c1 e1 f1"
    board = graph_board(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert pegcp.problem(board, goal="a b").goal_text == "exactly a b"


@pytest.mark.parametrize("form", ["array", "rows", "numbers", "text", "bits"])
def test_a_start_and_a_goal_may_be_arrays_or_drawings(form: str) -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.array([[1, 0, 1, 1]])
    start = {"array": array, "rows": array.tolist(), "numbers": [1, 0, 1, 1], "text": "[[1,0,1,1]]", "bits": "1011"}
    goal = {"array": 1 - array, "rows": [[0, 1, 0, 0]], "numbers": [0, 1, 0, 0], "text": "[[0,1,0,0]]", "bits": "0100"}
    problem = pegcp.problem("line4", start=start[form], goal=goal[form])
    assert (problem.start.pegs, problem.goal_text) == (["a1", "c1", "d1"], "exactly b1")
    with pytest.raises(InputError, match='no hole "b"'):
        pegcp.problem("line4", goal="b")


def test_a_drawing_may_have_line_breaks_as_a_program_writes_them() -> None:
    assert pegcp.problem(r"XXXX\nXoXX").start == pegcp.problem("XXXX\nXoXX").start


def test_a_file_of_names_stands_for_its_problems(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("line4:b1->c1\nXXoX\n\nline5\n")
    table = pegcp.compare(str(file), "dfs")
    assert [result.problem.name for result in table] == ["line4:b1->c1", "XXoX", "line5"]


def test_a_start_of_one_peg_is_said() -> None:
    about = "read as: one peg, in d4; for a peg in every other hole write: "
    assert f"{about}english:d4" in typed("show", "english", "--start", "d4")
    assert f"{about}all but d4" in typed("show", "XXXX/XXXX/XXXX/XXXo", "--start", "d4")


@pytest.mark.parametrize("command", ["solve", "show", "explain", "export", "prove"])
def test_a_command_without_its_problem_says_so(command: str) -> None:
    assert "missing argument 'PROBLEM" in typed(
        command, *["-o", "x"] * (command == "prove"), *["-m", "pddl"] * (command == "export"), status=2
    )


def test_a_solution_without_its_problem_says_so(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    file.write_text("d2-d4\n")
    assert f"to check a solution name its problem, too: pegcp check PROBLEM {file}" in typed("check", file, status=2)
    assert "XXoX: no solution to check; name its file" in typed("check", "XXoX", status=2)


def test_a_start_and_a_goal_may_be_drawn_in_files(tmp_path: Path) -> None:
    (tmp_path / "start.txt").write_text("XoXX\n")
    (tmp_path / "goal.txt").write_text("ooXo\n")
    start, goal = str(tmp_path / "start.txt"), str(tmp_path / "goal.txt")
    problem = pegcp.problem("line4", start=start, goal=goal)
    assert (problem.start.pegs, problem.goal_text) == (["a1", "c1", "d1"], "exactly c1")
    assert "SOLVED" in typed("solve", "line4", "--start", start, "--goal", goal)


@pytest.mark.parametrize("line", ["cat board.txt | pegcp solve", "pegcp solve < board.txt"])
def test_what_comes_through_a_pipe_is_a_problem_by_the_name_of_a_hyphen(line: str, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("XoXX\n")
    command = line.replace("pegcp", f"{sys.executable} -m pegcp")
    ended = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert ended.stderr == "pegcp: missing argument 'PROBLEM'; type: pegcp solve -\n"


def test_a_name_without_a_certificate_says_what_it_stands_for() -> None:
    said_of = typed("explain", "line4", status=3)
    assert "line4, which is line4:b1->?, may have a solution" in said_of


def test_a_method_without_a_log_says_so() -> None:
    assert "dfs writes no log; a solver does, such as that of -m moves" in typed("solve", "XoXX", "-m", "dfs", "--log")
    assert "writes no log" not in typed("solve", "XoXX", "-m", "moves", "--log")


def test_help_is_a_command_too() -> None:
    assert typed("help", "solve") == typed("solve", "--help")
    assert typed("help") == typed("--help")
    assert typed("-V") == typed("--version")


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("English", "english"),
        ("Hi-Q", "english"),
        ("European", "french"),
        ("german", "wiegleb"),
        ("7x7", "square7"),
        ("square6x6", "square6"),
        ("4x6", "rectangle4x6"),
        ("10x10", "square10"),
        ("cracker-barrel", "triangle15"),
        ("Triangle-15", "triangle15"),
        ("english board", "english"),
        ("Englisch", "english"),
        ("français", "french"),
        ("Dreieck-15", "triangle15"),
        ("carré4", "square4"),
        ("Kreis8", "cycle8"),
    ],
)
def test_boards_by_the_names_that_people_use(name: str, usual: str) -> None:
    assert pegcp.board(name) == pegcp.board(usual)
    assert pegcp.problem(name) == pegcp.problem(usual)


def test_a_word_for_boards_of_many_sizes_names_one_of_them() -> None:
    with pytest.raises(InputError, match='did you mean "triangle15"'):
        pegcp.board("triangle")
    with pytest.raises(InputError, match="no triangle has 5 holes; triangle15 has side 5, triangle6 has side 3"):
        pegcp.board("triangle5")


def test_what_a_legend_reads_is_no_size_of_a_board() -> None:
    assert pegcp.problem("11x11", legend="1=peg x=vacancy").start.pegs == ["a1", "b1", "d1", "e1"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pegcp.solvers()", r"pegcp has no attribute 'solvers'; use pegcp.backends\(\)"),
        ("pegcp.models()", r"use pegcp.methods\(\)"),
        ("pegcp.read_pddl('p01.pddl')", r'use pegcp.problem\("p01.pddl"\)'),
        ("pegcp.to_cnf('english')", r'use pegcp.export\(problem, "sat-rounds"\)'),
        ("pegcp.board('english').neighbors('d4')", "use lines"),
        ("pegcp.list_boards()", "use pegcp.boards$"),
        ("pegcp.get_board('english')", "use pegcp.board$"),
        ("pegcp.solv('english')", "use pegcp.solve$"),
        ("pegcp.Board()", r'missing .*; use pegcp.board\("english"\)'),
        ("pegcp.Board('english')", r'pegcp.board\("english"\)'),
        ("pegcp.Board.from_name('english')", r'use pegcp.board\("english"\)'),
        ("pegcp.Problem('english')", r'missing .*; use pegcp.problem\("english"'),
        ("pegcp.position('english').legal_moves", r"use legal_jumps\(\)"),
        ("pegcp.position('english').push('d2-d4')", r'use after\("d2-d4"\)'),
        ("pegcp.problem('XoXX').is_solved()", "use is_goal"),
        ("pegcp.solve('XoXX').plan", "use moves, or .jumps"),
        ("pegcp.solve('XoXX').solution", "use moves, or .jumps"),
        ("pegcp.solve('XoX').is_solved", "use status.has_solution"),
        ("pegcp.model('XoXX', 'moves').variables", r"use made\[t\]\[jump\] and peg"),
        ("pegcp.model('XoXX', 'moves').solve()", r"use pegcp.solve\(problem, method\)"),
        ("pegcp.Result.from_json({})", r"use pegcp.read_result\(data\)"),
        ("pegcp.compare('XoXX', 'dfs').to_pandas()", r"use to_dataframe\(\)"),
        (
            "pegcp.solve('XoXX', backend='cp-sat')",
            r"no keyword 'backend'; use method='rounds'",
        ),
        ("pegcp.solve('XoXX', timeout=10)", "use time_limit=10"),
        ("pegcp.solve('XoXX', colour='red')", "it takes problem, method, objective=, time_limit="),
        ("pegcp.solutions('XoXX', limit=5)", "use most=5"),
        ("pegcp.compare('XoXX', 'dfs', seed=3)", r"use seeds=\[3\]"),
        ("pegcp.problem('english', vacancy='d4')", "use start='all but d4'"),
        ("pegcp.problem('english', vacant_hole='d4')", "use start='all but d4'"),
        ("pegcp.problem(name='english')", "use text='english'"),
        ("pegcp.problem()", "problem.. ?: missing a required argument: 'text'; it takes text .such as .*., start="),
        ("pegcp.board(7, 7)", 'too many positional arguments; it takes text .such as "triangle15", .*$'),
        ("pegcp.boards('english')", "too many positional arguments; it takes no argument$"),
        ("pegcp.solve('XoXX', 'dfs', 10)", "it takes problem, method, objective=, time_limit="),
        ("pegcp.solve('XoXX', max_time_in_seconds=5)", "use time_limit=5$"),
        ("pegcp.solve('XoXX', vacancy='a1')", r"use pegcp.solve\(pegcp.problem\('XoXX', start='all but a1'\)\)$"),
        ("pegcp.graph('XoXX', symmetries=False)", "use symmetry=False$"),
        ("pegcp.check('XoXX', solution=['d1-b1'])", "use jumps=...$"),
        ("pegcp.explain('XoX', method='sat')", "it takes problem$"),
        ("pegcp.problem('XoXX').pegs", "use start.pegs"),
        ("pegcp.board('english').number_of_nodes()", r"use len\(board.holes\)"),
        ("pegcp.show('XoXX').plot()", "Page has no attribute 'plot'; it has save, svg$"),
        ("pegcp.Status.SAT", "Status has no attribute 'SAT'; use SOLVED$"),
        ("pegcp.OPTIMAL", "use pegcp.Status, such as Status.OPTIMAL"),
        ("pegcp.Objective.MIN", "it has ANY, FEWEST_JUMPS, .*, COUNT$"),
        ("pegcp.compare('XoXX', 'dfs')['method']", r"use to_dataframe\(\)\['method'\]"),
        ("len(pegcp.solve('XoXX', 'dfs'))", r"use len\(result.jumps\)"),
        ("pegcp.problem('english', initial='d4')", "use start='d4'"),
    ],
)
def test_a_python_name_of_another_library_leads_to_the_one_here(code: str, words: str) -> None:
    with pytest.raises((AttributeError, TypeError, InputError), match=words):
        eval(code, {"pegcp": pegcp})


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("pegcp.problem('english', objective=5)", "objective: expected text that names an objective, not 5"),
        ("pegcp.solve('XoXX', objective=5)", "objective: expected text that names an objective, not 5"),
        ("pegcp.solutions('XoXX', up_to=5)", "solutions are listed up to order or symmetry"),
        ("pegcp.position('english')[5]", 'no hole "5"'),
        ("pegcp.board('english').hole(5)", 'no hole "5"'),
        ("pegcp.to_unified_planning('XoXX', 5)", "5"),
    ],
)
def test_a_wrong_type_is_one_clear_error(code: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        eval(code, {"pegcp": pegcp})


@pytest.mark.parametrize("name", ["XoXX", "XoX"])
def test_a_result_is_neither_true_nor_false(name: str) -> None:
    """There may be a solution, none, or no answer: "if result" would take two of them for one."""
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(pegcp.solve(name, "dfs"))


@pytest.mark.parametrize("word", ["solved", "SAT"])
def test_a_status_that_there_is_not_is_equal_to_none_and_says_so(word: str) -> None:
    status = pegcp.solve("XoXX", "dfs").status
    with pytest.warns(UserWarning, match=f"no Status is equal to '{word}'; use 'SOLVED'"):
        assert status != word
    with pytest.warns(UserWarning, match="no Status"):
        assert not status == word  # noqa: SIM201 - "==" is another method
    assert status == "SOLVED"
    assert {status: 1}["SOLVED"] == 1  # type: ignore[index]


def test_what_is_proved_is_true_and_an_answer_in_its_place_false(tmp_path: Path) -> None:
    assert pegcp.prove("XoX", tmp_path / "proof")
    assert not pegcp.prove("XoXX", tmp_path / "none")


def test_a_board_and_a_position_are_problems() -> None:
    assert pegcp.board(pegcp.board("french")) == pegcp.board("french")
    assert pegcp.problem(pegcp.board("french")) == pegcp.problem("french")
    assert pegcp.problem(pegcp.position("XoXX"), goal="c1") == pegcp.problem("XoXX", goal="c1")
    assert len(pegcp.board("french")) == 37


def test_public_functions_are_pickled_by_name() -> None:
    for name in pegcp.__all__:
        assert pickle.loads(pickle.dumps(getattr(pegcp, name))) == getattr(pegcp, name)


def test_a_goal_takes_positions() -> None:
    problem = pegcp.problem("XoXX")
    assert [problem.is_goal(position) for position in pegcp.solve(problem).positions()] == [False, False, True]
    assert [problem.is_goal(pegs) for pegs in ("a1", "a1 b1")] == [True, False]


def test_backends_are_listed_as_methods_are() -> None:
    assert {"cp-sat", "cadical", "clingo"} <= set(pegcp.backends())  # type: ignore[operator]


def test_solve_takes_an_objective() -> None:
    result = pegcp.solve("XoXX", "bfs", objective="fewest-jumps")
    assert (result.status, result.objective) == ("OPTIMAL", 2)


def test_each_meaning_exists_and_no_word_for_it_does() -> None:
    for owner, table in NAMES.items():
        kind = pegcp if owner == "pegcp" else CLASSES[owner]
        words = " ".join(table.values()).split()
        assert len(words) == len(set(words)), owner
        assert not set(words) & set(pegcp.__all__ if owner == "pegcp" else dir(kind)), owner
        for right in table:
            attribute = re.match(r"[a-z_]+(?=\(|$|, )", right)
            assert (
                attribute is None
                or attribute[0] in ("backends", "set", "str", "len", "print")
                or hasattr(kind, attribute[0])
                or attribute[0] in vars(kind).get("__dataclass_fields__", ())
            ), (owner, right)
    assert {key.split()[0] for key in COMMANDS} <= {*cli.commands, "--help", "--version"}
    assert not set(" ".join(COMMANDS.values()).split()) & set(cli.commands)
    parameters = [option for command in [cli, *cli.commands.values()] for option in command.params]
    options = {text for option in parameters for text in (*option.opts, *option.secondary_opts)}
    assert {key.split()[0] for key in OPTIONS} <= {*options, "ARGUMENT", "solutions", "--help", "nothing"}
    assert set(MAKERS) <= set(CLASSES)
    assert all(pegcp.board(name) for name in BOARDS)


def test_objects_with_suggestions_are_copied_and_pickled_as_before() -> None:
    comparison, page = pegcp.compare("XoXX", ["dfs", "moves"]), pegcp.show("XoXX")
    values = (pegcp.board("english"), pegcp.position("english"), pegcp.problem("lab1"), pegcp.solve("XoXX"))
    for value in (*values, comparison, page):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert not hasattr(value, "__array__")
    assert str(pickle.loads(pickle.dumps(comparison))) == str(comparison)
    assert pickle.loads(pickle.dumps(page)).svg == page.svg


@pytest.mark.thorough
def test_no_solution_goes_on() -> None:
    """The lines are commands that answer what they say."""
    text = typed("solve", "english:c1->e5")
    fewest = "pegcp solve 'english:c1->e5' --objective fewest-pegs"
    nearest = "pegcp solve 'english:c1->e5' --objective nearest"
    assert text.endswith(f"\nFewest pegs left:\n  {fewest}\nNearest end:\n  {nearest}\n")
    assert "fewest-pegs = 1\n" in typed(*shlex.split(fewest)[1:])
    assert "nearest = 2\n" in typed(*shlex.split(nearest)[1:])
    assert "Fewest pegs left" in typed("explain", "english:c1->e5")
    assert "Fewest pegs left" not in typed("solve", "english:c1->e5", "--json")
    assert "Fewest pegs left" not in typed("solve", "XoXX")


def test_no_solution_after_some_jumps_names_the_command_for_the_one_that_lost() -> None:
    text = typed("solve", "XXXoXX", "--after", "b1-d1", "--goal", "c1")
    command = "pegcp next XXXoXX --after b1-d1 --goal c1"
    assert f"First jump that lost:\n  {command}\n" in text
    assert "Nearest end:\n  pegcp solve XXXoXX --after b1-d1 --goal 'near c1'\n" in text
    assert "out of reach" in typed(*shlex.split(command)[1:])


@pytest.mark.thorough
@pytest.mark.parametrize("line", re.findall(r"^    pegcp (.*--json)", AGENTS.read_text(), re.MULTILINE))
def test_what_the_page_for_programs_says_prints_one_json_value(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("solution.txt").write_text("d1-b1 a1-c1")
    output, _, _, status = said(*shlex.split(line))
    assert status == 0
    assert json.loads(output)


def test_lists_for_programs_have_numbers_as_numbers() -> None:
    boards = {board["name"]: board for board in json.loads(typed("boards", "--json"))}
    assert (boards["english"]["holes"], boards["english"]["jumps"], boards["english"]["symmetries"]) == (33, 76, 8)
    assert {"name": "fig7", "board": "english"}.items() <= {
        key: value
        for row in json.loads(typed("problems", "--json"))
        if row["name"] == "fig7"
        for key, value in row.items()
    }.items()
    (moves,) = json.loads(typed("models", "moves", "--json"))
    assert moves["backends"] == ["cp-sat"]
    assert moves["options"]["order"] == {"default": True, "values": ["on", "off"]}
    solvers = {solver["name"]: solver for solver in json.loads(typed("backends", "--json"))}
    assert solvers["cp-sat"]["version"]
    assert solvers["cp-sat"]["licence"] == "Apache-2.0"
    csplib = {row["name"]: row["problems"] for row in json.loads(typed("suite", "--json"))}
    assert csplib["csplib"] == len(json.loads(typed("suite", "csplib", "--json")))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("pegcp.solveAll", "use pegcp.solutions(problem)"),
        ("pegcp.available_backends", "use pegcp.backends"),
        ("pegcp.SequentialPlanValidator", "use pegcp.check(problem, jumps)"),
        ("pegcp.nothing_like_it", "it has Board, Comparison, .*, solve, "),
        ("pegcp.solve('XoXX').get_plan", "use moves, or .jumps"),
        ("pegcp.solve('XoXX').getPlan", "use moves, or .jumps"),
        ("pegcp.position('XoXX').turn", "Position has no attribute 'turn'; it has after, board, is_dead_end"),
        ("pegcp.board('english').rotate", "it has .*symmetries"),
        ("pegcp.solve('XoXX', 'moves', order=False)", 'options of a method .* "moves:order=off"'),
        ("pegcp.compare(problem='XoXX')", "use problems='XoXX'"),
    ],
)
def test_an_expression_of_another_library_leads_to_what_to_write(expression: str, words: str) -> None:
    with pytest.raises((AttributeError, TypeError)) as error:
        eval(expression, {"pegcp": pegcp})
    assert re.search(words.replace("(", "\\(").replace(")", "\\)"), str(error.value)), error.value


def test_methods_may_be_given_one_by_one() -> None:
    said_of = typed("compare", "XoXX", "-m", "dfs", "-m", "bfs")
    assert "All 2 verdicts" in said_of


def test_objects_without_items_say_so() -> None:
    with pytest.raises(TypeError, match=r"a Problem has attributes, no items; type: \.start"):
        pegcp.problem("XoXX")["start"]  # type: ignore[index]
    with pytest.raises(TypeError, match=r"a Board has attributes, no items; use holes$"):
        pegcp.board("english")["d4"]  # type: ignore[index]


def test_a_legend_may_be_a_mapping() -> None:
    assert pegcp.problem("qq-q", legend={"q": "peg", "-": "vacancy"}).start.pegs == ["a1", "b1", "d1"]


def test_a_result_is_no_list_and_says_where_one_is() -> None:
    with pytest.raises(TypeError, match=r"a Result has attributes, no items; use moves, or \.jumps$"):
        list(pegcp.solve("XoXX"))  # type: ignore[call-overload]


@pytest.mark.parametrize("order", [("domain.pddl", "problem.pddl"), ("problem.pddl", "domain.pddl")])
def test_a_domain_and_its_problem_go_together_in_either_order(tmp_path: Path, order: tuple[str, str]) -> None:
    """Each in a folder of its own, so that nothing lies beside the other."""
    places = {}
    for name, text in pegcp.export(pegcp.problem("XoXX", goal="c1"), "pddl").items():
        places[name] = tmp_path / name.partition(".")[0] / name
        places[name].parent.mkdir(exist_ok=True)
        places[name].write_text(text.replace("peg-jumps", "mine").replace("jump", "hop"))
    files = [places[name] for name in order]
    plan = tmp_path / "plan.txt"
    plan.write_text("(hop d1 c1 b1)\n(hop a1 b1 c1)\n")
    assert "SOLVED" in typed("solve", *files)
    assert "plan.txt solves problem" in typed("check", *files, plan)
    assert "plan.txt solves problem" in typed("check", plan, *files)
    assert 'name = "problem"' in typed("import", *files)
    plan.write_text("(jump d1 c1 b1)\n(jump a1 b1 c1)\n")
    assert "(jump d1 c1 b1) is impossible: the domain has no such action on these objects, but such as (hop " in typed(
        "check", *files, plan, status=4
    )


def test_a_time_may_have_a_unit() -> None:
    assert "SOLVED" in typed("solve", "XoXX", "--time-limit", "2m")
    assert "'soon' is not a valid float" in typed("solve", "XoXX", "--time-limit", "soon", status=2)


def test_an_option_may_be_written_with_an_equals_sign() -> None:
    said_of = typed("solve", "XoXX", "--objective=shortest", status=2)
    assert said_of.endswith("; type: pegcp solve XoXX --objective fewest-moves\n")


def test_a_model_is_found_by_its_name_without_the_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").touch()
    assert 'unknown method "mine": type: -m mine.py' in typed("solve", "XoXX", "-m", "mine", status=2)
    Path("mine.mod").touch()
    assert "mine.mod: a model file is Python (.py), answer-set rules" in typed(
        "solve", "XoXX", "-m", "mine.mod", status=2
    )
    assert "begin with a copy of a model: pegcp models moves > new_mine.py" in typed(
        "solve", "XoXX", "-m", "mine.py", status=2
    )


def test_a_plan_may_come_before_the_name_of_its_problem(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    file.write_text("d1-b1 a1-c1\n")
    assert "plan.txt solves line4" in typed("check", file, "line4:b1->c1")


def test_a_list_of_solutions_by_a_method_that_finds_one_names_a_method_that_lists() -> None:
    said_of = typed("solve", "XoXX", "--all", "10", "-m", "mzn-rounds", status=2)
    assert said_of == "pegcp: mzn-rounds lists no solutions, it looks for one. Try: -m count\n"
    assert "that is all" in typed("solve", "XoXX", "--all", "10", "-m", "count")


@pytest.mark.parametrize(
    ("target", "files"),
    [("out.cnf", ["out.cnf"]), ("out", ["out", "out/model.cnf"]), ("out.d", ["out.d", "out.d/model.cnf"])],
)
def test_a_single_model_is_written_to_the_file_that_is_named(tmp_path: Path, target: str, files: list[str]) -> None:
    typed("export", "XoXX", "-m", "sat-rounds", "-o", tmp_path / target)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == files
    assert typed("export", "XoXX", "-m", "sat-rounds") == (tmp_path / files[-1]).read_text()


def test_the_ending_of_a_file_names_the_format(tmp_path: Path) -> None:
    typed("export", "XoXX", "-m", "ip-rounds", "-o", tmp_path / "out.mps")
    assert (tmp_path / "out.mps").read_text() == typed("export", "XoXX", "-m", "ip-rounds", "-f", "mps")
    assert "sat-rounds writes model.cnf, no .mps" in typed(
        "export", "XoXX", "-m", "sat-rounds", "-o", tmp_path / "sat.mps", status=2
    )
    assert "3 files to write (domain.pddl, problem.pddl, names.json): choose a folder with -o out" in typed(
        "export", "XoXX", "-m", "pddl", "-o", tmp_path / "out.pddl", status=2
    )
    assert [path.name for path in tmp_path.iterdir()] == ["out.mps"]
    assert "the file exists; --force replaces it" in typed(
        "export", "XoXX", "-m", "ip-rounds", "-o", tmp_path / "out.mps", status=2
    )


def test_planners_that_are_installed_are_named_first() -> None:
    name = typed("solve", "XoXX", "-m", "pddl", status=2).partition("type: -m ")[2].partition(";")[0]
    info = inventory.info(name)
    assert info is not None
    assert info.version() is not None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("english d4", "english:d4"),
        ("english/d4", "english:d4"),
        ("english.d4", "english:d4"),
        ("english(c1)", "english:c1"),
        ("english:4,4", "english:d4"),
        ("english:d4:d4", "english:d4->d4"),
        ("english c1 f4", "english:c1->f4"),
        ("english!", "english:d4!"),
        ("fool's solitaire", "english:d4!"),
        ("d4", "english:d4"),
        ("triangle:15", "triangle15"),
        ("triangle(5)", "triangle15"),
        ("cracker:15", "triangle15"),
        ("square:4", "square4"),
        ("rectangle:3x6", "rectangle3x6"),
    ],
)
def test_a_board_and_its_holes_in_another_form_lead_to_the_name(text: str, name: str) -> None:
    with pytest.raises(InputError, match=re.escape(f'there is no problem "{text}"; did you mean "{name}"?')):
        pegcp.problem(text)
    assert pegcp.problem(name).name == name


@pytest.mark.parametrize("text", ["english:17", "nonsense d4", "english c1 d1 e1", "english a1", "triangle:0"])
def test_what_is_no_name_in_another_form_is_left(text: str) -> None:
    with pytest.raises(InputError) as error:
        pegcp.problem(text)
    assert "there is no problem" not in str(error.value)


@pytest.mark.parametrize("name", ["english:c1-", "english:c1="])
@pytest.mark.parametrize("command", ["solve", "prove", "why"])
def test_what_a_shell_takes_of_a_name_is_said_first(command: str, name: str) -> None:
    assert f"write quotes around a name with >, as in '{name}>?'" in typed(command, name, status=2)


def test_jumps_in_several_words_are_one_solution() -> None:
    said_of = typed("check", "line4:b1->c1", "d1-b1,", "a1-c1")
    assert said_of.startswith("d1-b1 a1-c1 solves line4:b1->c1")
    assert "2 legal jumps, but not yet" in typed("check", "english", "d2-d4", "b3-d3", status=4)


def test_a_solution_that_names_its_problem_says_what_to_type(tmp_path: Path) -> None:
    for name in ("s.txt", "s.json"):
        file = tmp_path / name
        typed("solve", "line4:b1->c1", "-m", "dfs", "-o", file)
        said_of = typed("check", file, status=2)
        assert said_of.endswith(f": pegcp check 'line4:b1->c1' {file}\n")
        assert "solves line4" in typed(*shlex.split(said_of.partition(": pegcp ")[2]))


def test_a_drawing_is_imported_too(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("XoXX\n")
    typed("import", file, "-o", tmp_path / "board.toml")
    assert pegcp.problem(str(tmp_path / "board.toml")).start == pegcp.problem("XoXX").start
    assert 'start = """' in typed("import", "english")
    typed("export", "XoXX", "-m", "pddl", "-o", tmp_path / "out")
    assert typed("import", tmp_path / "out") == typed("import", tmp_path / "out" / "problem.pddl")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("solve XoXX -o s.gif", 'not ".gif"; type: s.animated.svg'),
        ("solve XoXX -o sas_plan", "type: sas_plan.soln"),
        ("solve XoXX -o frames/", "type: frames.svg"),
        ("show english:3,1", "its holes are c1 .. e7, a letter for the column and a number for the row"),
        ("show english --goal 'at most 2 pegs'", "name the holes of the last pegs, or ask for --objective fewest-pegs"),
        ("compare XoXX -m dfs --out r.csv", "for a report, type: --report r.csv"),
        ("export XoXX -m rounds -f mps", "type: -m ip-rounds -f mps"),
        ("solve XoXX -m rounds:highs", "highs is a backend of .*; type: -m ip-rounds:highs"),
        ("backends rounds", "type: pegcp models rounds"),
        ("backends gurobi", "type: pegcp solve english -m 'ip-rounds:command=gurobi_cl"),
        ("check -", "pegcp check PROBLEM -"),
        ("report board.json", "pegcp compare --out FILE writes such files"),
    ],
)
def test_a_refusal_of_a_command_says_what_to_type(
    line: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board.json").write_text("[]\n")
    message = typed(*shlex.split(line), status=2)
    assert re.search(words, message), message
    assert not Path("r.csv").exists()


def test_standard_output_is_a_file_too() -> None:
    assert typed("export", "XoXX", "-m", "sat-rounds", "-o", "-") == typed("export", "XoXX", "-m", "sat-rounds")


def python(call: str) -> tuple[str, str]:
    """Return what a stranger's script sees of a call: its value as text, and its error or its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = str(eval(call, {"pegcp": pegcp, "__name__": "__main__"}))
        except (AttributeError, TypeError, ValueError, InputError) as error:
            return "", str(error)
    return value, "; ".join(str(warning.message) for warning in caught)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            "pegcp.solve('english', start='c1', goal='f4')",
            r"use pegcp.solve\(pegcp.problem\('english', start='all but c1', goal='f4'\)\)$",
        ),
        (
            "pegcp.problem('english', start='c1', goal='f4')",
            "one peg, in c1; for a peg in every other hole write: english:c1",
        ),
        ("pegcp.solve('XX.X')", "read as: X peg, . vacancy"),
        ("pegcp.solve('XoXX').status == 'solved'", "no Status is equal to 'solved'; use 'SOLVED'"),
        ("pegcp.solve('XoXX').status != 'sat'", "use 'SOLVED'"),
        ("pegcp.solve('XoXX', objective='fewest-jumps').problem.objective == 'shortest_plan'", ""),
        ("pegcp.solutions('triangle15')", "the first 1,000; use most="),
        ("pegcp.solutions('triangle15', most=10)", ""),
        ("pegcp.solve('XoXX').num_moves", r"use len\(result.moves\)$"),
        ("pegcp.solve('XoXX').proof", "use certificate; rests_on names the evidence$"),
        (
            "pegcp.solve('XoXX', 'z3')",
            "z3 is a backend of smt-sweep; write method='smt-sweep:z3'; pegcp.methods.. lists",
        ),
        (
            "pegcp.solve('XoXX', solver='gurobi')",
            "use method='ip-rounds:command=gurobi_cl ResultFile={solution} {lp}'",
        ),
        ("pegcp.solve('XoXX', optimize=True)", 'use objective="fewest-moves"'),
        ("pegcp.solve('XoXX', all_solutions=True)", r"use pegcp.solutions\(problem\)"),
        ("pegcp.solve(['english', 'french'])", r"one problem, not a list; pegcp.compare\(problems, methods\)"),
        ("pegcp.solve('english', ['dfs', 'bfs'])", r"not by a list; pegcp.compare\(problem, methods\) takes several"),
        ("pegcp.solve('dfs', 'english')", '"dfs" is a method; the problem goes first: "english", "dfs"'),
        ("pegcp.solve('english', 'd4')", 'is a hole; with it as the vacancy the problem is "english:d4"'),
        ("pegcp.solutions('triangle15', 5)", "numbers have names, such as most=5"),
        ("pegcp.export('english', 'english.lp')", "export returns texts by file name; write them: "),
        ("pegcp.graph('english')", 'the command "pegcp graph" counts them'),
        ("pegcp.problem('1011', board='square2').start.fen()", "str"),
        ("pegcp.check('proof')", 'the command "pegcp check" takes folders with proofs'),
        ("pegcp.load('board.toml')", "use pegcp.problem..board.toml"),
        ("pegcp.solve('XoXX').save('solution.gif')", "solution.animated.svg"),
        ("pegcp.compare('XoXX', 'dfs')['dfs']", "result for result in comparison if 'dfs' in"),
        ("pegcp.board('english').symmetries[1]", r"a Group has attributes, no items; use elements\(\)"),
        ("pegcp.Board.from_ascii('XXX')", "XXX/XoX/XXX"),
        ("pegcp.solve('XoXX', start='c1', max_jumps=9)", 'start=.*, objective="fewest-jumps".$'),
        ("pegcp.next_jumps('XoXX').best", "NextJumps has no attribute 'best'; use verdicts"),
        ("pegcp.FRENCH", 'use pegcp.board."FRENCH".$'),
        ("pegcp.solve('XoXX', objective='min_moves')", 'unknown objective "min_moves" .did you mean "fewest-moves"'),
        ("pegcp.board('english').legal_moves", r"use pegcp.position.board..legal_jumps\(\)"),
        ("pegcp.problem('english').legal_moves", r"use start.legal_jumps\(\)"),
        ("pegcp.Problem.from_file('board.toml')", 'use pegcp.problem."file.txt".$'),
        ("pegcp.read('board.txt')", 'use pegcp.problem."file.txt".$'),
        ("pegcp.export('XoXX', 'pddl', 'out')", "export returns texts by file name; write them: "),
        ("pegcp.problem('XoXX').to_unified_planning()", "use pegcp.to_unified_planning.problem.$"),
        ("pegcp.solve('XoXX').verdict == 'solved'", "no Status is equal to 'solved'; use 'SOLVED'"),
        ("pegcp.Status('solved')", "Status has no attribute 'solved'; use SOLVED$"),
        ("setattr(pegcp.problem('XoXX'), 'goal', 'c1')", "a Problem does not change; use pegcp.problem.problem, goal="),
        ("setattr(pegcp.board('line4'), 'name', 'mine')", 'a Board does not change; use pegcp.board."english"'),
        ("pegcp.problem('english:d4,c4')", "did you mean \"english start='all but d4,c4'\""),
        ("pegcp.problem('english', goal='two pegs')", "or ask for objective='fewest-pegs'$"),
        ("pegcp.board('triangle', 5)", 'it takes text .such as "triangle15", "rectangle4x6" or '),
        (
            "pegcp.board('english').jumps[0].start",
            "Jump has no attribute 'start'; use from_, an index into board.holes",
        ),
        ("pegcp.board('english').index", r'use hole."d4"., its index$'),
        ("pegcp.solve('XoXX').nodes", r'use statistics."nodes".$'),
        ("pegcp.solve('XoXX').to_csv", "use pegcp.compare.problem, methods..to_dataframe..$"),
        ("pegcp.board('english').neighbors", "use lines, triples of indices into holes"),
        ("pegcp.export('XoXX', format='mps')", "ip1, ip-parallel, .*; write method='ip-rounds'$"),
        ("pegcp.solve('XoXX', max_moves=10)", 'use objective="fewest-moves"$'),
        ("pegcp.solve('XoXX', max_steps=10)", 'use method="rounds:horizon=10"$'),
        ("pegcp.read_plan('plan.txt')", "use pegcp.from_plan.problem, path.$"),
        ("pegcp.problem('english').with_start('c1')", 'use pegcp.problem.problem, start="all but d4"., a new problem'),
        ("pegcp.model('XoXX', 'sat-rounds').nv", "use len.native.names.$"),
        ("pegcp.gui", 'use the command "pegcp play english"$'),
    ],
)
def test_a_first_guess_in_python_is_told_what_to_write(call: str, words: str) -> None:
    value, said_of = python(call)
    assert re.search(words, said_of) if words else not said_of, (value, said_of)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("pegcp.solve('XoXX').jumps", "(Jump(d1-b1), Jump(a1-c1))"),
        ("pegcp.solve('XoXX').solutions", "((Jump(d1-b1), Jump(a1-c1)),)"),
        ("list(pegcp.solutions('XoXX'))", "[(Jump(d1-b1), Jump(a1-c1))]"),
        ("pegcp.check('XoXX', 'd1-b1 a1-c1').jumps", "(Jump(d1-b1), Jump(a1-c1))"),
        ("pegcp.check('XoXX', str(pegcp.solve('XoXX').jumps)).value", "None"),
        ("pegcp.check(pegcp.solve('XoXX')) == pegcp.check('XoXX', 'd1-b1 a1-c1')", "True"),
        ("pegcp.solve(pegcp.solve('XoXX'), 'bfs').method", "bfs"),
        ("' '.join(map(str, pegcp.board('line4').jumps))", "a1-c1 b1-d1 c1-a1 d1-b1"),
        ("pegcp.Jump(0, 1, 2)", "Jump(from_=0, over=1, to=2)"),
        ("pegcp.problem('english').goal", "exactly d4"),
        ("pegcp.problem('XoXX').is_goal('a1'), pegcp.problem('XoXX').is_goal(['a1', 'b1'])", "(True, False)"),
        ("pegcp.solve('XoXX').verdict", "SOLVED"),
        ("[pegcp.solve('XoXX').verdict]", "['SOLVED']"),
        ("pegcp.problem('english:c1', goal='any').goal_text", "one peg anywhere"),
        ("pegcp.board(pegcp.board('english')) is pegcp.board('english')", "True"),
        ("pegcp.board(pegcp.position('french')).name", "french"),
        ("[result.method for result in pegcp.compare('XoXX', 'dfs,bfs')]", "['dfs', 'bfs']"),
        ("pegcp.board('XXX\\nXoX\\nXXX').holes[-1]", "c3"),
        ("[result.problem.name for result in pegcp.compare({'mine': 'XoXX'}, 'dfs')]", "['mine']"),
        ("pegcp.from_plan('XoXX', ['(jump d1 c1 b1)', '(jump a1 b1 c1)']) == [*pegcp.solve('XoXX').jumps]", "True"),
    ],
)
def test_a_first_guess_in_python_does_what_is_meant(call: str, value: str) -> None:
    assert python(call) == (value, "")


def test_a_problem_and_a_solution_are_given_by_a_path_an_open_file_or_a_data_frame(tmp_path: Path) -> None:
    board, plan = tmp_path / "board.txt", tmp_path / "plan.txt"
    board.write_text("XoXX\n")
    plan.write_text("(jump d1 c1 b1)\n(jump a1 b1 c1)\n")
    pandas = pytest.importorskip("pandas")
    with open(board) as file:
        subjects = [board, file, pandas.DataFrame([[1, 0, 1, 1]])]
        assert {pegcp.problem(subject).start for subject in subjects} == {pegcp.position("XoXX")}
    assert pegcp.board(board) == pegcp.board("line4")
    for solution in (str(plan), plan):
        assert pegcp.check(board, solution) == pegcp.check("XoXX", "d1-b1 a1-c1")
        assert pegcp.from_plan("XoXX", solution) == [*pegcp.check("XoXX", solution).jumps]
    assert pegcp.problem("line4", start={"d1", "c1", "a1"}).start == pegcp.position("XoXX")
    assert pegcp.problem("line4", start=pegcp.position("XoXX")).start == pegcp.position("XoXX")
    with pytest.raises(InputError, match="not dict"):
        pegcp.solve({"board": "english"})  # type: ignore[arg-type]


def test_no_proof_is_false_and_says_why(tmp_path: Path) -> None:
    assert pegcp.prove("XoX", tmp_path / "proof")
    answer = pegcp.prove("XoXX", tmp_path / "none")
    assert not answer
    assert "solution" in str(answer)


def test_a_problem_is_saved_as_its_text(tmp_path: Path) -> None:
    pegcp.problem("lab1").save(tmp_path / "mine.toml")
    assert pegcp.problem(str(tmp_path / "mine.toml")) == pegcp.problem("lab1")


def test_python_adds_no_private_name_to_an_error() -> None:
    with pytest.raises(AttributeError) as error:
        pegcp.solve("XoXX").cost  # type: ignore[attr-defined] # noqa: B018
    assert "_costs" not in "".join(traceback.format_exception(error.value)[-1:])


def test_commands_speak_as_commands() -> None:
    assert "type: pegcp solve XoXX -m smt-sweep:z3" in typed("solve", "XoXX", "-m", "z3", status=2)


def test_a_graph_is_a_board() -> None:
    networkx = pytest.importorskip("networkx")
    assert pegcp.board(networkx.cycle_graph(6)) == pegcp.problem("cycle6").board
