"""Names of other tools and libraries that people type first, and the names here.

One table for each kind of name. A key says what to type, its value which names mean that.
"""

import re
import sys
import warnings
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping
from dataclasses import FrozenInstanceError
from difflib import get_close_matches
from enum import EnumType, StrEnum
from functools import reduce, wraps
from inspect import Parameter, signature
from itertools import combinations
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from unicodedata import combining, normalize

from pegcp.errors import LONGEST_SLIP, InputError, shown

COMMANDS = {
    "check": (
        "simulate execute validate verify val replay judge verifier pruefe prufe pruefen prufen verifier-solution "
        "valider verificar comprobar"
    ),
    "mark": "test eval submit grade score evaluate-students",
    "show": (
        "cat inspect draw print display view describe picture render info symmetry symmetries counts "
        "position size sizes profile zeige zeigen afficher montrer mostrar ver"
    ),
    "solve": (
        "run search plan find solution answer feasible solvable is-solvable possible lose losen loese loesen resoudre "
        "resous resolver resuelve"
    ),
    "solve --objective fewest-moves": "optimize optimise minimize shortest fewest-moves fewest",
    "solve --goal 'dead end' --objective fewest-jumps": "fools fool fools-solitaire stuck",
    "solve --all 100": "enumerate solutions all solve-all list-solutions",
    "solve --objective count": "count count-solutions count-models how-many",
    "compare": (
        "bench benchmark race evaluate experiment tournament time demo tour vergleiche vergleichen comparer comparar"
    ),
    "models": "method model methods algorithms encodings formulations list-models",
    "backends": (
        "solvers planners engines doctor env install upgrade update setup status list-solvers versions self-test "
        "selftest"
    ),
    "boards": "board list-boards shapes bretter plateaux tableros",
    "problems": "problem puzzles puzzle levels challenges instances list-problems examples hardest ratsel raetsel",
    "suite": "suites sets set benchmarks collections",
    "next": "best best-move best-jump step hint hints moves move advice suggest legal analyze analyse",
    "explain": "unsat infeasible diagnose reason erklare erklaere expliquer explicar",
    "why": "whynot why-not explain-model debug lint blame mus unsat-core core",
    "report --against": "diff delta changes",
    "prove": "proof certify certificate drat lrat beweise prouver demostrar",
    "export -m sat-rounds": "cnf dimacs to-cnf",
    "export -m asp-rounds": "ground gringo to-asp",
    "export -m mzn-rounds": "mzn to-mzn to-minizinc flatten",
    "export -m ip-rounds": "mps lp",
    "export": "write encode dump save pddl to-pddl convert translate compile exportiere exporter exportar",
    "import": "parse read from-pddl",
    "generate": "shuffle random new create make gen init",
    "play": "gui game serve web ui open start server interactive app spiele spielen jouer jugar",
    "graph": "reachable states statespace state-graph explore",
    "report": (
        "plot scatter cactus chart charts merge tail log aggregate table summary summarize results stats statistics"
    ),
    "solve -o solution.animated.svg": "animate animation movie gif",
    "solve -o solution.svg": "film filmstrip svg",
    "--help": (
        "cite license licence credits about man usage commands list ls config tutorial completion completions docs "
        "h ? hilfe aide ayuda"
    ),
    "--version": "version v",
}

NOUNS = ("boards", "problems", "models", "backends", "suite")  # commands that list things

OPTIONS = {
    "ARGUMENT": (
        "--problem --puzzle --instance --domain --input --in -i -d --file --input-file --board --on --folder --results "
        "--name --problem-file --suite --problems --instances --puzzles"
    ),
    "--pegs": "-k --size --n-pegs --num-pegs",
    "solutions": "--plan --solution --plan-file --solution-file --jumps",
    "--method": (
        "--search --alias --heuristic --language --lang --solver --backend --engine --model --planner --algorithm "
        "--with --using --tool --encoding -s -b -p"
    ),
    "--methods": (
        "--with --and --language --lang --solver --solvers --backend --backends --engine --model --models "
        "--planner --algorithm --algorithms --tool --alias -s -b -p"
    ),
    "--time-limit": (
        "--timeout --solver-timeout --cutoff --time --limit --max-time --seconds --timelimit --time-out --tl -t -T "
        "--zeit --temps --tiempo"
    ),
    "--memory-limit": "--memory --mem --max-memory --memlimit --ram --memory-mb -M",
    "--grade 4": "--hard --hardest --difficult",
    "--grade": "--difficulty --level --rating",
    "--measure": "--attributes --attribute --metric --by",
    "--format": "--to --as --type --fmt",
    "--formats": "--format -f --to --as --type --fmt",
    "--jobs": "--parallel --processes -j",
    "--workers": "--threads --cores --parallel --jobs --processes -j -p -w",
    "--experiment": "-e -x -c --config --file",
    "--json": "--format --output-format --output-mode --machine-readable -f -j",
    "--on dask-slurm:QUEUE": "--slurm --cluster --dask",
    "--on ray:auto": "--ray",
    "--output solution.animated.svg": "--gif --animate --animation",
    "--output picture.svg": "--svg --picture --draw --plot --figure --chart --cactus --scatter --growth --pdf",
    "--output solution.html": "--html",
    "--output picture.png": "--png --image",
    "--output": (
        "--report --out --outfile --output-file --to-file --plan-file --plan --dot --graphml --save --write --dir "
        "--export"
    ),
    "--out": "--output --results --save --resume --continue -o",
    "--log": "--stats --statistics --progress --verbose --debug --trace --show-log -v -d",
    "--all": "--max-solutions --solutions --num-solutions --enumerate --all-solutions --models -n -a",
    "--count": "-n --n --how-many --number --num --amount",
    "--seeds": "--seed --repeat --repeats --runs -n",
    "--seed": "--random-seed --random-state --rng -r",
    "--start": "--vacancy --hole --empty --initial --init --from --position --pegs --vacant --remove --removed",
    "--goal 'one peg'": "--one-peg --anywhere --any-hole --single-peg",
    "--up-to symmetry": "--upto-symmetry --modulo-symmetry --distinct --unique",
    "--goal": "--finish --end --target --final --last --to -g --ziel",
    "-o": "--format --output-format --as --type --fmt --to",
    "--objective": "--metric --criterion --minimize --minimise",
    "--objective count": "--count --count-solutions --number-of-solutions --how-many",
    "--objective fewest-moves": (
        "--optimal --optimize --optimise --shortest --opt --fewest-moves --fewest --min-moves --max-moves"
    ),
    "--objective fewest-jumps": "--min-jumps --fewest-jumps",
    "--objective fewest-pegs": "--min-pegs --fewest-pegs",
    "--no-symmetry": "--no-symmetries",
    "--goal 'dead end' --objective fewest-jumps": "--fools --fool",
    "--report report.csv": "--csv",
    "--report report.tex": "--latex --tex",
    "--output table.csv": "--csv",
    "--output report.tex": "--latex --tex",
    "--output report.md": "--markdown --md",
    "--report report.html": "--html --table --plot --pdf",
    "--force": "--overwrite --yes -y -f",
    "--after": "--moves --jumps --played --prefix --first --first-move --first-jump --opening",
    "--help": "--help-all --usage -? -H -help --hilfe --aide --ayuda",
    "nothing": (
        "-q --quiet --silent --unsat-core --core --mus "
        "--print-plan --verbose -v --debug --sizes --no-color --unicode --ascii --show --print "
        "--pretty --compact --text --check --verify --validate --list --symmetries --counts --info --yes"
    ),
}

OBJECTIVES = {
    "fewest-moves": "moves move sweeps shortest optimal min-moves minimum-moves minimal best",
    "fewest-jumps": "jumps jump length plan-length cost",
    "fewest-steps": "steps step makespan parallel",
    "fewest-pegs": "pegs peg pegs-left min-pegs",
    "nearest": "near closest",
    "count": "count solutions number how-many",
    "any": "none sat satisfy first",
}

FILLERS = (
    "with",
    "by",
    "using",
    "to",
    "as",
    "in",
    "into",
    "on",
    "the",
    "of",
    "for",
    "and",
    "vs",
    "via",
    "central",
    "board",
)

BOARDS = {
    "english": "standard classic british hiq english33 cross33 33 englisch englisches anglais ingles inglesa",
    "french": "european french37 european37 franzosisch franzoesisch francais frances europaisch europeen europeo",
    "wiegleb": "german wiegleb45 german45 deutsch allemand aleman",
    "triangle15": "crackerbarrel cracker golftee 15",
}

SETS = {"csplib": "csplib037 csplib37 prob037 prob37"}

SOLVERS = {  # and languages: a backend, a method, the format of a language, or the command line of a program
    "cp-sat": "cp cpsat cp_sat ortools or-tools",
    "python-constraint": "csp python_constraint",
    "cadical": "cadical103 cadical153 cadical195",
    "glucose": "glucose3 glucose4 glucose42",
    "fast-downward": "fd downward fastdownward lama lama-first ff gbfs wastar lazy_greedy eager_greedy",
    "cnf": "sat cnf dimacs pysat python-sat",
    "opb": "pb opb pseudo-boolean cpmpy",
    "xcsp3": "xcsp xcsp3 pycsp3",
    "lp": "ip ilp mip milp lp mps mathopt",
    "smt2": "smt smt2 smtlib smt-lib",
    "mzn": "mzn fzn dzn flatzinc",
    "asp": "asp potassco",
    "pddl": "pddl planning planners",
    "kissat {cnf}": "kissat",
    "cryptominisat5 {cnf}": "cryptominisat5",
    "lingeling {cnf}": "lingeling",
    "picosat {cnf}": "picosat",
    "fast-downward-opt": "a* astar lmcut",
    "dfs": "ida ida* iddfs depth-first hashing",
    "dfs-plain": "brute-force bruteforce backtrack backtracking",
    "bfs": "breadth-first dijkstra",
    "beam": "beam-search heuristic",
    "minisat {cnf} {solution}": "minisat minisat22",
    "roundingsat {opb}": "roundingsat",
    "clasp {opb}": "clasp",
    "cbc {lp} solve solu {solution}": "cbc",
    "glpsol --lp {lp} -o {solution}": "glpk glpsol",
    "gurobi_cl ResultFile={solution} {lp}": "gurobi gurobi_cl",
    'cplex -c "read {lp}" optimize "write {solution}"': "cplex",
    "lp_solve -S3 -fmps {mps}": "lp_solve",
    "minizinc --solver gecode {mzn}": "gecode",
    "minizinc --solver chuffed {mzn}": "chuffed",
    "minizinc --solver org.gecode.gecode {mzn}": "org.gecode.gecode",
    "yices-smt2 {smt2}": "yices yices-smt2",
    "boolector {smt2}": "boolector",
    "mathsat {smt2}": "mathsat",
    "dlv {asp}": "dlv",
    "dlv2 {asp}": "dlv2",
}

SHAPES = {  # the beginnings of names of boards
    "triangle": "dreieck triangulo",
    "square": "quadrat carre cuadrado",
    "rectangle": "rechteck rectangulo",
    "hexagon": "sechseck hexagone hexagono",
    "star": "stern etoile estrella",
    "line": "linie ligne linea",
    "cycle": "kreis cercle circulo",
}

NAMES = {  # of Python, by module or class
    "pegcp": {
        "methods()": "SolverLookup Engine engine Methods models algorithms solver_names method_names CpSolver",
        "backends()": "solvers engines planners list_solvers available_solvers installed_solvers doctor",
        'problem("p01.pddl")': "read_pddl from_pddl load_pddl parse_pddl import_pddl PDDLReader",
        'problem("file.txt")': "from_file read_file load_file import_file read read_toml",
        "problem([[1, 0, 1, 1]])": "from_array from_list from_numpy from_matrix array",
        "solve(problem, log=True)": "set_log_level log logging verbose",
        'problem("XoXX")': "from_string parse puzzle",
        'board("{name}")': (
            "english french european wiegleb german asymmetric diamond standard triangle15 square6 star13 hexagon19 "
            "ENGLISH FRENCH EUROPEAN WIEGLEB STANDARD"
        ),
        'board("triangle15")': "triangle TRIANGLE cracker_barrel crackerbarrel",
        'board("square6")': "square rectangle grid Graph",
        "problem('edges = \"a-b b-c c-d\"')": "from_edgelist from_edges",
        "problem(graph)": "from_graph from_networkx",
        'problem("english")': "Game Puzzle start_position new_game",
        'problem("english", goal="d4"), or "one peg", "dead end"': "Goal Exact OnePeg DeadEnd Partial Nearest goal",
        'problem("csplib:NAME")': "suite suites sets benchmarks instances",
        'problem(file), of a file that the command "pegcp generate" writes': (
            "generate random_problem random_position scramble random generator"
        ),
        "solve(problem).status.has_solution": "is_solvable solvable is_feasible can_solve is_satisfiable",
        'Status, such as Status.OPTIMAL; a status is also equal to its name, "OPTIMAL"': (
            "OPTIMAL FEASIBLE INFEASIBLE UNKNOWN SOLVED SAT UNSAT SATISFIABLE UNSATISFIABLE SolveStatus"
        ),
        'export(problem, "sat-rounds")': "to_cnf to_sat to_dimacs cnf",
        'export(problem, "mzn-rounds")': "to_minizinc to_mzn",
        'export(problem, "ip-rounds")': "to_mps to_lp",
        'the command "pegcp --help"; help(pegcp.solve) says what it takes': "config help docs settings",
        'the command "pegcp play english"': "play gui game serve",
        'position("english")': "start initial initial_position starting_position state State",
        "check(problem, jumps)": (
            "PlanValidator SequentialPlanValidator is_valid_solution validate_plan check_solution validate verify "
            "replay is_solution judge is_valid"
        ),
        "solutions(problem)": "solve_all enumerate all_solutions iter_solutions enumerate_solutions",
        'solve(problem, objective="count")': "count count_solutions",
        'solve(problem, objective="fewest-pegs")': "min_pegs fewest_pegs pegs_left",
        'solve(problem, objective="fewest-moves")': (
            "shortest_solution shortest_plan optimal optimize optimise minimize shortest"
        ),
        "solve(problem)": "run find_solution plan solution solver Solver OneshotPlanner search",
        "compare(problems, methods)": (
            "solve_many solve_batch batch solve_list compare_methods bench benchmark race experiment run_experiment "
            "evaluate"
        ),
        'load(path).report("page.html")': "report write_report",
        "next_jumps(problem, after)": (
            "next best_move best_jump suggest advice hint hints moves legal_moves legal_jumps next_moves next_move"
        ),
        "print(pegcp.show(problem))": "visualize visualise stats summary draw plot display picture info describe",
        'problem("english").save("english.svg")': "to_svg svg to_png save_image",
        "explain(problem)": "certificate",
        "testing.check_method(path)": "mark grade",
        'export(problem, "pddl")': (
            "convert to_pddl write_pddl write_problem save_problem pddl PDDLWriter save compile dump export_pddl"
        ),
        "model(problem, method)": "Model build formulation build_model get_model",
        "graph(problem)": "to_networkx state_graph statespace",
        "read_result(data)": "from_json loads result from_dict",
        "from_plan(problem, path)": "read_plan load_plan parse_plan import_plan",
        "load(path)": "load_results read_results results open read_csv read_json from_csv jsonl read_jsonl",
        "to_unified_planning(problem)": "to_up unified_planning shortcuts",
        "boards(), problems() and methods()": "list ls names all catalogue",
        "__version__": "version VERSION",
        "methods(), and solve(problem, method)": "Method method",
        "Result, which solve(problem) returns": "Solution Answer Plan",
        "Jump, whose name is such as d2-d4": "Move",
        "InvalidSolution": "IllegalMove IllegalMoveError IllegalJump InvalidMove InvalidJump InvalidMoveError",
        "PegcpError, the base of InputError, InvalidSolution and Missing": "Error PegError exceptions",
    },
    "Board": {
        'pegcp.board("english")': "from_name from_file load from_string named standard english french parse read",
        "holes": "squares vertices nodes hole_names positions points items coords",
        "len(board.holes)": "size n_holes num_holes number_of_nodes hole_count holes_count order",
        'hole("d4"), its index': "index hole_index index_of",
        "symmetries": "symmetry_group automorphisms group",
        "pegcp.graph(problem), the graph of positions; lines are the triples of holes": "to_networkx graph networkx",
        "lines": "triples edge_list",
        "lines, triples of indices into holes; jumps has those with a direction": (
            "adjacency neighbors neighbours adjacent degree"
        ),
        "jumps": "moves actions all_jumps",
        "pegcp.position(board).legal_jumps()": "legal_moves legal_jumps generate_moves",
        'pegcp.problem(board, start="all but d4").start': "position start initial set_fen fen empty",
        'save("board.svg"); a notebook draws it': "draw plot show svg display to_svg write export",
        "pegcp.solve(board)": "solve",
        "pegcp.problem(board)": "problem default_problem",
    },
    "Position": {
        "legal_jumps()": (
            "generate_moves legal_moves moves possible_moves available_moves generate_legal_moves actions "
            "possible_jumps"
        ),
        'after("d2-d4"), a new position': ("push push_san push_uci move make_move apply play jump make do do_move"),
        "the position before; positions do not change": "pop undo unmake undo_move",
        "the position itself; positions do not change": "copy clone",
        "is_dead_end()": "is_game_over is_over is_stuck is_terminal game_over is_stalemate is_checkmate",
        "problem.is_goal(position)": "is_solved is_goal solved is_won won",
        "pegcp.solve(position)": "solve solution plan solver",
        "[position.after(jump) for jump in position.legal_jumps()]": (
            "neighbors neighbours successors children next_positions expand"
        ),
        "len(position)": "pegs_left remaining left n_left peg_count n_pegs num_pegs count size turn_count",
        'position["d4"]': "piece_at peg_at is_peg has_peg get at is_empty piece_map",
        "str(position), which pegcp.position(text) reads": "fen board_fen to_string unicode ascii text epd",
        'the text itself, such as after("d2-d4")': "parse_jump parse_move parse_uci parse_san",
        "pegcp.problem(position.board, start=position.board.holes).start": "filled all_pegs",
        "pegcp.position(text)": "set_piece_at remove_piece_at set_peg remove_peg from_fen from_string parse from_pegs",
        'save("position.svg"); a notebook draws it': "draw plot show svg display render to_svg write export",
        "outcome()": "result winner",
        "pegs": "occupied piece_list items",
        "[hole in position.pegs for hole in board.holes]": "array to_list to_numpy to_array tolist",
        "set(board.holes) - set(position.pegs)": "vacancies holes empty vacant empties",
        "legal_jumps(), which lists them": "is_legal can_jump is_legal_move is_valid_move",
        "mask": "bits bitmask bitboard bitset int",
    },
    "Problem": {
        'pegcp.problem("file.txt")': "from_file load read from_pddl",
        'pegcp.problem("english", start="all but d4", goal="d4")': "from_name from_string parse",
        "start": "initial initial_state initial_position init position initial_values",
        "goal": "goal_state goal_position goals target finish end",
        "objective": "metric quality_metrics minimize",
        'pegcp.problem(problem, goal="d4"), a new problem': "add_goal set_goal with_goal add_action replace",
        'pegcp.problem(problem, start="all but d4"), a new problem': "set_start with_start",
        'pegcp.problem(problem, objective="fewest-moves"), a new problem': "set_objective with_objective",
        "pegcp.to_unified_planning(problem)": "kind fluents user_types to_up to_unified_planning",
        "start.legal_jumps()": "legal_moves moves legal_jumps actions possible_moves",
        'start.after("d2-d4"), a new position': "push move make_move apply after",
        "pegcp.solve(problem)": "solve solution plan is_solvable run optimize",
        "is_goal(position)": "is_solved solved is_solution goal_reached",
        "pegcp.check(problem, jumps)": "check validate verify",
        'pegcp.export(problem, "pddl"), texts by file name': "to_pddl export write write_pddl",
        'text; save("problem.toml") writes it': "to_toml toml to_text dumps to_file dump to_json to_dict",
        "board.jumps": "jumps all_jumps lines",
        'pegcp.solve(problem, objective="count").objective': "count count_solutions n_solutions num_solutions",
        "pegcp.solutions(problem)": "solutions all_solutions solve_all enumerate",
        'pegcp.model(problem, "moves")': "model to_model build compile variables constraints",
        "pegcp.explain(problem)": "explain why is_infeasible",
        "the problem itself; problems do not change": "copy clone",
        "start.is_dead_end()": "is_terminal is_over is_game_over is_dead_end",
        'save("problem.svg"); pegcp.show(problem) says more': "draw plot show svg display render",
        "len(problem.start)": "n_pegs num_pegs size",
        "start.pegs": "pegs",
        "board.holes": "holes hole_names",
        "pegcp.solve(problem).positions()": "positions states",
    },
    "Result": {
        "moves, or .jumps": (
            "items get_plan get_solution plan solution path steps actions sequence answer model plan_text "
            "solution_moves"
        ),
        "status.has_solution": "is_solved solved success is_sat is_feasible ok found feasible has_solution is_solvable",
        "print(result); a notebook draws it": "print",
        "pegcp.compare(problem, methods).to_dataframe()": "to_dataframe to_pandas df to_csv",
        'statistics["nodes"]': "nodes expansions expanded iterations",
        'status == "OPTIMAL"': "is_optimal optimal",
        'status == "INFEASIBLE"': "is_infeasible infeasible unsat is_unsat",
        "seconds": (
            "solve_time_seconds total_time time runtime wall_time walltime elapsed duration solve_time time_seconds"
        ),
        "objective, None where the problem has none": (
            "cost value objective_value optimum best_value quality score count number number_of_solutions"
        ),
        "str(result)": "to_string summary text describe pretty to_text report",
        "bound": "best_bound lower_bound best_objective_bound",
        "len(result.jumps)": "length n_jumps num_jumps makespan plan_length num_steps jump_count",
        "len(result.moves)": "num_moves n_moves move_count number_of_moves",
        "positions()": "states frames trace boards position",
        "replay": "check validate verify",
        "reason": "exitstatus exit_status why_stopped termination termination_condition",
        "statistics": "stats info metrics solver_stats",
        "log": "output log_messages stdout",
        "method": "solver engine engine_name solver_name",
        "message": "error errors reason_text comment warnings",
        "certificate; rests_on names the evidence": "proof explanation why explain core unsat_core",
        "rests_on": "proved is_proved verified is_verified is_proven",
        'save("solution.svg")': "draw plot show svg to_svg write to_file export display to_html",
        'save("solution.animated.svg")': "animate animation movie gif to_gif",
        'save("solution.html"), a page that plays it': "play player",
        'save("plan.soln")': "to_pddl to_plan pddl",
        "pegcp.solutions(problem)": "all_solutions n_solutions num_solutions solution_count",
        "positions()[-1]": "last final end final_position last_position final_state",
        "problem.start": "start initial",
        "len(result.positions()[-1])": "pegs_left remaining left n_left peg_count n_pegs",
        "to_json()": "json as_dict to_dict dict",
        "pegcp.read_result(data)": "from_json from_dict load loads read parse_raw",
    },
    "Jump": {
        "from_, an index into board.holes": "start source src origin begin",
        "to, an index into board.holes": "end target dest destination dst",
        "over, an index into board.holes": "middle mid captured removed",
        "str(jump), such as d2-d4": "text notation uci",
    },
    "Formulation": {
        "made[t][jump] and peg[t][hole], or native": "variables vars decision_variables x constraints objective",
        "native, the solver's own model: native.add(...)": "add add_constraint Add minimize Minimize maximize",
        "pegcp.solve(problem, method); native is the solver's own model": (
            "objective_value value best_bound solve Solve optimize solveAll solver status"
        ),
        "pegcp.export(problem, method)": "to_file write save export_model write_model to_mps to_lp dump",
        "native": "to_cpsat cp_model proto solver_model",
        "native.clauses": "clauses cnf hard",
        "len(native.names)": "nv n_vars num_vars",
    },
    "Comparison": {
        "to_dataframe()": (
            "groupby head tail describe pivot columns loc iloc sort_values query mean median to_pandas df shape "
            "dataframe to_df frame as_dataframe to_frame"
        ),
        "[result.to_json() for result in comparison]": "to_json to_dict json",
        'report("results.csv"); compare(..., out="results.jsonl") keeps them': (
            "save to_csv write to_excel export to_jsonl"
        ),
        'report("results.md")': "to_markdown markdown md",
        'report("results.html")': "to_html html",
        'report("results.tex")': "to_latex latex tex",
        "[result for result in comparison if result.method == ...]": "filter where by_method select",
        'report("cactus.svg")': "plot hist boxplot scatter cactus",
        "scores()": "summary ranking score ranks leaderboard best winner",
        "print(comparison)": "table show display print to_string",
        "pegcp.load(path)": "load from_file read read_csv from_json",
        "the comparison itself, a sequence of results": "results runs rows",
        "disagreements": "errors conflicts faults",
    },
    "Solutions": {
        "written()": "moves plans to_list names jumps",
        "len(solutions)": "number size n num_solutions total",
        "result.status": "status",
        "solutions[0]": "first best solution",
        "complete": "is_complete exhausted done",
    },
    "Group": {
        "elements()": "items permutations rotations reflections list all",
        "order": "size length count n",
    },
    "Status": {
        "SOLVED": "SAT SATISFIABLE FEASIBLE SUCCESS SOLUTION_FOUND OK SOLVABLE",
        "INFEASIBLE": "UNSAT UNSATISFIABLE UNSOLVABLE IMPOSSIBLE NO_SOLUTION",
        "UNKNOWN": "TIMEOUT TIME_LIMIT MODEL_INVALID ERROR",
    },
    "Page": {"pegcp.solve(problem).certificate": "certificate proof core kind"},
    "NextJumps": {
        "verdicts; jumps has each jump with its verdict": "best best_jump best_move good winning moves",
        "solvable": "is_solvable is_winnable winnable solved",
    },
    "Replay": {
        "True: a wrong solution raises InvalidSolution": "ok valid is_valid is_solved success is_correct",
        "moves": "plan solution",
        "positions, or moves": "items steps states frames",
        "positions[-1]": "last final end position final_position",
        "value": "objective cost score",
    },
}
MAKERS = {  # what makes an object of a class
    "Board": 'pegcp.board("english"), or pegcp.problem("XXX/XoX/XXX").board',
    "Problem": 'pegcp.problem("english", start="all but d4", goal="d4")',
    "Position": 'pegcp.position("english")',
    "Result": "pegcp.solve(problem)",
    "Comparison": "pegcp.compare(problems, methods)",
    "Solutions": "pegcp.solutions(problem)",
    "Replay": "pegcp.check(problem, jumps)",
}
KEYWORDS = {  # the first row whose keyword the function has; {text} is the value, {value} the same as Python writes it
    "problems={value}": "problem board boards puzzle puzzles instances",
    "problem={value}": "board puzzle instance name",
    "most={value}": "n_solutions num_solutions limit n max maximum max_solutions solution_limit all_solutions number",
    "method={value}": "backend solver engine planner solver_name model algorithm encoding language",
    "methods={value}": "backends solvers engines models planners backend solver",
    "time_limit={value}": "timeout time limit max_time seconds timelimit time_limit_seconds max_seconds",
    "memory_limit={value}": "memory max_memory mem memory_mb",
    "workers={value}": "threads num_workers n_jobs cores num_threads processes num_search_workers",
    "jobs={value}": "parallel processes n_jobs workers_at_once",
    "log={value}": "display verbose debug log_search_progress output_stream",
    "on_progress=print": "callback on_solution progress",
    "seeds=[{value}]": "seed",
    "seeds={value}": "repeats repeat runs n_runs",
    "seed={value}": "random_seed random_state rng",
    'objective="fewest-moves"': "minimize optimize optimise minimise optimal shortest",
    "objective={value}": "metric criterion",
    "start='all but {text}'": "vacancy vacant hole empty",
    "start={value}": "initial init position pegs",
    "goal={value}": "finish end target final last",
    "after={value}": "moves jumps played",
    "jumps={value}": "solution plan moves",
    "solution={value}": "jumps plan moves",
    "folder={value}": "path out output directory",
    "symmetry={value}": "symmetric up_to",
    "out={value}": "output path file save results",
    "text={value}": "problem name file path",
}
CALLS = {  # by function: what to write in place of the whole call
    "solve": {
        "pegcp.solutions(problem)": "all all_solutions enumerate n_solutions num_solutions max_solutions most",
        'objective="fewest-moves"': "max_moves",
        'objective="fewest-jumps"': "max_jumps",
        'method="rounds:horizon={value}"': "max_steps horizon n_steps depth max_depth steps max_rounds",
        "pegcp.compare(problem, methods)": "methods solvers planners",
        "the result: result.save(path)": "out output path file save",
    },
    "export": {
        'Path(name).write_text(text) for the texts that it returns by name, or the command "pegcp export -o FOLDER"': (
            "out output path folder directory file"
        )
    },
    "show": {'pegcp.problem("english").save("english.svg")': "out output path file save"},
}
PYTHON = {  # what messages say of the command line, as regular expressions, and the same in Python
    r"type: -m (?:'([^']*)'|([^\s;]+))": r"write method='\1\2'",
    '"pegcp models" lists': "pegcp.methods() lists",
    '"pegcp boards" lists': "pegcp.boards() lists",
    '"pegcp problems" lists': "pegcp.problems() lists",
    r"--(legend|start) ('[^']*')": r"\1=\2",
    r"--objective ([a-z-]+)": r"objective='\1'",
    '"pegcp export" writes': "pegcp.export() writes",
    r"--(board|numbering) (?!is\b)(\w+)": r"\1='\2'",
    r"--(board|goal|legend|numbering|objective|start)\b": r"\1=",
    "leave out -o to count them": 'the command "pegcp graph" counts them',
    r" \(pegcp (prove|explain) looks": r" (pegcp.\1 looks",
}
_OF_PROBLEMS = ("start", "goal", "after", "legend", "numbering", "objective")  # what makes another problem of one


_NEAR = 0.82  # similarity of a word that can only be a slip for another
P = ParamSpec("P")
T = TypeVar("T")


def meaning(word: str, table: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """Return what to type in place of a word that is a name itself, or that a row of the table has; nothing else."""
    return _meanings(table, names).get(word, "")


def nearest(word: str, table: Mapping[str, str], names: Iterable[str], *, by_end: bool = False) -> str:
    """Return what to type in place of a word: its own meaning, or that of a part of it, or that of a word spelt nearly
    so; nothing where there is none. ``by_end``: only parts at the end have a meaning, as in ``get_plan``.

    How words are joined does not matter: ``maxTime``, ``max_time`` and ``--max-time`` are the same, and so is a plural.
    Long parts go before short ones, and names before words of the table.
    """
    names = [*names]
    meanings, own_forms = _meanings(table, names), {*map(_form, names)}
    forms = {form: right for other, right in meanings.items() if len(form := _form(other)) > 1}
    words = _form(word[:LONGEST_SLIP]).split("-")
    spans = [span for span in combinations(range(len(words) + 1), 2) if span[1] == len(words) or not by_end]
    parts = ["-".join(words[begin:end]) for begin, end in sorted(spans, key=lambda span: span[0] - span[1])]
    known = [form for part in parts for form in (part, f"{part}s", part.removesuffix("s")) if form in forms]
    known.sort(key=lambda form: (-form.count("-"), form not in own_forms))
    near = [form for form in forms if sorted(form) == sorted(parts[0])] or get_close_matches(parts[0], forms, 1, _NEAR)
    best = next((form for form in (*known, *near) if len(form) > 2 or form == parts[0]), "")
    return meanings.get(word) or forms.get(best, "")


def _meanings(table: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return each word with what to type for it: a name is itself, the first row of the table goes before others."""
    rows = reversed([*table.items()])
    return {word: right for right, words in rows for word in words.split()} | {name: name for name in names}


def plain(word: str) -> str:
    """Return a word in small letters without accents."""
    return "".join(sign for sign in normalize("NFKD", word.lower()) if not combining(sign))


def _form(word: str) -> str:
    """Return a word in small letters without accents, with hyphens between its parts alone."""
    return plain(re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", "-", word).strip("-"))


def guided(function: Callable[P, T], explain: Callable[[str], str] = lambda _: "") -> Callable[P, T]:
    """Let a call with arguments that a function does not take say what to write.

    ``explain`` says which method runs on a solver. Outside pegcp errors speak Python, and how a text was read, if not
    as usual, is a warning.
    """
    form = signature(function)

    @wraps(function)
    def checked(*args: P.args, **keywords: P.kwargs) -> T:
        try:
            form.bind(*args, **keywords)
        except TypeError as error:
            unknown = {key: value for key, value in keywords.items() if key not in form.parameters}
            fault = f" has no keyword {next(iter(unknown))!r}" if unknown else f": {error}"
            subject = shown(args[0]) if args and isinstance(args[0], str) else "problem"
            advice = (
                in_python(explain(str(keywords.get("format", ""))))  # the methods that write it
                or _use(function.__name__, unknown, form.parameters, explain, subject)
                or _takes(form.parameters)
            )
            raise TypeError(f"{function.__name__}(){fault}; {advice}") from None
        is_inside = sys._getframe(1).f_globals.get("__name__", "").startswith("pegcp.")
        try:
            result = function(*args, **keywords)
        except InputError as error:
            error.message = error.message if is_inside else in_python(error.message)
            raise
        read_as = getattr(result, "__dict__", {}).get("read_as", "")
        if read_as and not is_inside and not {"legend", "numbering"} & {*keywords}:
            warnings.warn(f"read as: {in_python(read_as)}", stacklevel=2)
        return result

    return checked


def in_python(text: str) -> str:
    """Return a message with the words of the command line as Python writes them."""
    return reduce(lambda text, form: re.sub(form, PYTHON[form], text), PYTHON, text)


def _takes(parameters: Mapping[str, Parameter]) -> str:
    """Say which arguments a function takes; those that are given by name have a ``=``."""
    names = [
        name
        + ' (such as "triangle15", "rectangle4x6" or "XXXX\\nXoXX")' * (name == "text")
        + "=" * (parameter.kind is Parameter.KEYWORD_ONLY)
        for name, parameter in parameters.items()
    ]
    options = ', and options of a method are written with it, such as "moves:order=off"' * ("method" in parameters)
    return f"it takes {', '.join(names) or 'no argument'}{options}"


def _use(
    name: str, unknown: Mapping[str, object], names: Iterable[str], explain: Callable[[str], str], subject: str
) -> str:
    """Say what to write in place of keywords that a function does not take, which is called about a subject; nothing
    where that is not known."""
    advice = [_instead(name, keyword, value, names, explain) for keyword, value in unknown.items()]
    others = [key for key, right in zip(unknown, advice, strict=True) if not right] if "problem" in names else []
    of_problem = ", ".join(filter(None, (_keyword(key, unknown[key], _OF_PROBLEMS) for key in others)))
    of_problem = re.sub(r"\bstart='(\w+)'", r"start='all but \1'", of_problem)  # a start with one peg is seldom meant
    right = ", ".join(filter(None, (of_problem and f"pegcp.problem({subject}, {of_problem})", *advice)))
    return right and f"use {f'pegcp.{name}({right})' if of_problem else right}"


def _instead(name: str, keyword: str, value: object, names: Iterable[str], explain: Callable[[str], str]) -> str:
    """Return what to write in a call of a function, or in place of it; nothing where that is not known."""
    right = meaning(keyword, CALLS.get(name, {})).format(value=value) or _keyword(keyword, value, names)
    method = in_python(explain(value)) if right.startswith("method=") and isinstance(value, str) else ""
    return method.rpartition("write ")[2] or right


def _keyword(keyword: str, value: object, names: Iterable[str]) -> str:
    """Return the keyword among some names that another one means, with its value; nothing where none is near."""
    rows = {right: words for right, words in KEYWORDS.items() if right.partition("=")[0] in names}
    right = nearest(keyword, rows, names)
    as_written = shown(value) if isinstance(value, str | int | float) else "..."
    form = right + "={value}" * (right in names)
    return form.format(value=as_written, text=str(value).removeprefix("all but "))


def absent(owner: str, name: str, names: Iterable[str]) -> AttributeError:
    """Return the error that says what to use in place of an attribute that a module or class does not have, or what
    there is."""
    right = nearest(name, NAMES.get(owner, {}), names, by_end=True).format(name=name)
    right = right or MAKERS.get(owner, "") * name.startswith(("from_", "read", "parse", "load", "make", "create"))
    of_module = "pegcp." * (owner == "pegcp" and re.split(r"\W", right)[0] in names)
    advice = f"use {of_module}{right}" if right else f"it has {', '.join(names)}"
    # Python would add the nearest name, private ones among them, of an object that it knows.
    return AttributeError(f"{owner} has no attribute {name!r}; {advice}", name=name, obj=None)


class GuidedEnum(EnumType):
    """Enumerations whose missing members, such as ``Status.SAT``, say which is meant."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> object:
            if name.startswith("_"):  # a library asks for it
                raise AttributeError(name)
            raise absent(cls.__name__, name, cls.__members__)


class GuidedWord(StrEnum, metaclass=GuidedEnum):
    """Words that are equal to their text alone; who compares one with another, such as ``"solved"``, is warned."""

    def __eq__(self, other: object) -> bool:
        kind = type(self)
        if type(other) is str and other not in kind._value2member_map_:
            right = nearest(other, NAMES.get(kind.__name__, {}), map(str, kind))
            if right:
                warnings.warn(f"no {kind.__name__} is equal to {other!r}; use {right!r}", stacklevel=2)
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return repr(self.value)

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(absent(cls.__name__, str(value), cls.__members__))


class _Guide(ABCMeta):
    """Classes whose missing attributes, such as ``Board.from_name``, and calls such as ``Board()`` say what to use."""

    if not TYPE_CHECKING:  # else every attribute would be one

        def __call__(cls, *args: object, **options: object) -> object:
            try:
                return super().__call__(*args, **options)
            except TypeError as error:
                raise TypeError("; use ".join(filter(None, (str(error), MAKERS.get(cls.__name__))))) from error

        def __getattr__(cls, name: str) -> object:
            raise absent(cls.__name__, name, _public_names(cls))

        def __setattr__(cls, name: str, value: object) -> None:
            super().__setattr__(name, _refuse_change if name == "__setattr__" else value)  # that of a frozen dataclass


class Guided(metaclass=_Guide):
    """Objects whose missing attributes, such as ``position.push``, say what to use."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            names = _public_names(self)
            if name.startswith("_") or name in names:
                return object.__getattribute__(self, name)  # the error itself, also that of a property
            raise absent(type(self).__name__, name, names)

        def __getitem__(self, key: object) -> object:
            near = f"; type: .{key}" if isinstance(key, str) and hasattr(self, key) else ""
            items = meaning("items", NAMES.get(type(self).__name__, {}))
            raise TypeError(f"a {type(self).__name__} has attributes, no items{near or (items and f'; use {items}')}")


def _refuse_change(thing: object, name: str, _value: object) -> None:
    """Raise the error that says what to write in place of a change of an object that does not change."""
    kind = type(thing).__name__
    right = meaning(f"set_{name}", NAMES.get(kind, {})) or MAKERS.get(kind, "another one")
    raise FrozenInstanceError(f"a {kind} does not change; use {right}")


def _public_names(thing: object) -> list[str]:
    """Return what a class, or an object, has for its users, besides what the types of Python give it."""
    bases = thing.__mro__ if isinstance(thing, type) else type(thing).__mro__
    of_python = {name for base in bases if base.__module__ in ("builtins", "collections.abc") for name in dir(base)}
    return sorted(name for name in {*dir(thing)} - of_python if not name.startswith("_"))
