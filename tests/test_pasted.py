"""What stands in programs, contests, pages and answers, pasted as it is: read right, or refused with what to type."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.solution import read_any_solution
from pegcp.game import Board, Jump, hole_names

ENGLISH = "  XXX\n  XXX\nXXXXXXX\nXXXoXXX\nXXXXXXX\n  XXX\n  XXX\n"
TRIANGLE = "    o\n   X X\n  X X X\n X X X X\nX X X X X\n"
LINE = "XoXXXXXX\n"
SQUARE = "XXo\nXoX\nXXX\n"


def rows(peg: str, vacancy: str, outside: str, between: str = "") -> list[str]:
    """The rows of the central game in some signs."""
    signs = {"X": peg, "o": vacancy, " ": outside}
    return [between.join(signs[sign] for sign in f"{row:7}") for row in ENGLISH.splitlines()]


def lines(*signs: str) -> str:
    return "\n".join(rows(*signs))


DRAWINGS: dict[str, tuple[str, str]] = {
    # programs
    "string in Go": (
        "var board = []rune(\n\t`...........\n" + "\n".join(f"..{row}.." for row in rows("●", "○", ".")) + "\n`)\n",
        ENGLISH,
    ),
    "matrix with semicolons": ("[" + "; ".join(rows("1", "0", "-1", " ")) + "]", ENGLISH),
    "matrix with a name": ("B = [" + ";\n     ".join(rows("1", "0", "2", " ")) + "];", ENGLISH),
    "printed array": ("[[" + "]\n [".join(rows(" 1", " 0", "-1", " ")) + "]]", ENGLISH),
    "array": ("array([[" + "],\n       [".join(rows(" 1", " 0", "-1", ", ")) + "]])", ENGLISH),
    "braces with a type": (
        "int[][] board = {\n" + ",\n".join(f"    {{{row}}}" for row in rows("1", "0", "-1", ", ")) + "\n};",
        ENGLISH,
    ),
    "braces": ("{{" + "},{".join(rows("1", "0", "9", ",")) + "}}", ENGLISH),
    "assignment": ("board = [[" + "],\n         [".join(rows("2", "1", "0", ", ")) + "]]\n", ENGLISH),
    "strings with a name": ('board = ["' + '","'.join(rows("o", ".", "#")) + '"]', ENGLISH),
    "list of strings": ('[ "' + '"\n, "'.join(rows("O", ".", " ")) + '"\n]', ENGLISH),
    "strings in C": ('char *board[] = {\n  "' + '",\n  "'.join(rows("*", ".", " ")) + '"\n};', ENGLISH),
    "string with ends of lines": ('"' + '\\n"\n"'.join(rows("X", ".", "#")) + '\\n"', ENGLISH),
    "lists without commas": ("((" + ")\n (".join(rows("1", "0", "-1", " ")) + "))", ENGLISH),
    "array of Lisp": ("#2A((" + ")\n    (".join(rows("1", "0", "-1", " ")) + "))", ENGLISH),
    "lists of letters": ("[[" + "],\n [".join(rows("x", "o", "n", ",")) + "]].", ENGLISH),
    "fact": ("board([[" + "],\n [".join(rows("1", "0", "-1", ",")) + "]]).", ENGLISH),
    "JSON strings": (json.dumps({"board": rows("X", "o", ".")}), ENGLISH),
    "JSON lists": ('{"board": [[' + "], [".join(rows("1", "0", "-1", ", ")) + "]]}", ENGLISH),
    "truth": ("[[" + "], [".join(rows("True", "False", "None", ", ")) + "]]", ENGLISH),
    "words": ('[["peg","peg","hole"],["peg","hole","peg"],["peg","peg","peg"]]', SQUARE),
    "characters": ('[["X","X","."],["X",".","X"],["X","X","X"]]', SQUARE),
    "remark and assignment": ("# the board\nboard = [[" + "],\n [".join(rows("1", "0", "-1", ", ")) + "]]", ENGLISH),
    "remark": ("// start position\n" + lines("X", ".", "#"), ENGLISH),
    "remarks": ("\n".join(f"// {row}" for row in rows("●", "○", ".")), ENGLISH),
    "bits": ("0b10111111", LINE),
    "list": ("{1,0,1,1,1,1,1,1}", LINE),
    "list of words": ("[peg,empty,peg,peg,peg,peg,peg,peg]", LINE),
    "vectors": ("let b = vec![\n  vec![" + "],\n  vec![".join(rows("1", "0", "2", ", ")) + "],\n];", ENGLISH),
    "text of several lines": ('board = """\n' + lines("O", ".", " ") + '\n"""', ENGLISH),
    "remarks after lists": (
        "board = [\n" + "\n".join(f"  [{row}],  # row" for row in rows("1", "0", "-1", ", ")) + "\n]",
        ENGLISH,
    ),
    "remarks after rows": ("\n".join(f"{row}  // row" for row in rows("X", ".", "#")), ENGLISH),
    "array between strokes": ("b = [|" + "\n|".join(rows("1", "0", "-1", ",")) + "|];", ENGLISH),
    # contests
    "size first": ("7 7\n" + lines("o", ".", "#"), ENGLISH),
    "number of rows first": ("7\n" + lines("1", "0", "2", " "), ENGLISH),
    # pages and answers
    "title": ("Start position:\n\n" + lines("X", "o", ".", " ") + "\n", ENGLISH),
    "quotation": ("\n".join(f"> {row}" for row in rows("●", "○", " ")), ENGLISH),
    "fence": ("```\n" + lines("X", ".", "#") + "\n```\n", ENGLISH),
    "tabs": (lines("1", "0", "-1", "\t"), ENGLISH),
    "tabs without signs outside": (lines("X", "O", "", "\t"), ENGLISH),
    "commas without signs outside": (lines("1", "0", "", ","), ENGLISH),
    "commas": ("1,0,1,1,1,1,1,1", LINE),
    "frame": ("+-------+\n" + "\n".join(f"|{row}|" for row in rows("o", ".", " ")) + "\n+-------+", ENGLISH),
    "drawn frame": ("┌───────┐\n" + "\n".join(f"│{row}│" for row in rows("●", "○", " ")) + "\n└───────┘", ENGLISH),
    "cells": ("\n".join(f"|{row}|" for row in rows("o", ".", " ", "|")), ENGLISH),
    "lines between cells": (
        "+---+---+---+\n| X | X | o |\n+---+---+---+\n| X | o | X |\n+---+---+---+\n| X | X | X |\n+---+---+---+\n",
        SQUARE,
    ),
    "numbers of rows": ("\n".join(f"{i} {row}" for i, row in enumerate(rows("X", ".", " ", " "))), ENGLISH),
    "numbers of rows and columns": (
        "  0 1 2 3 4 5 6\n" + "\n".join(f"{i} {row}" for i, row in enumerate(rows("X", ".", " ", " "))),
        ENGLISH,
    ),
    "letters of columns": (
        "   A B C D E F G\n" + "\n".join(f"{i}  {row}" for i, row in enumerate(rows("*", "o", " ", " "), 1)),
        ENGLISH,
    ),
    "emoji": (lines("🔴", "⚪", "⬛"), ENGLISH),
    "twos": (lines("1", "0", "2"), ENGLISH),
    "x as a vacancy": (lines("o", "x", "#"), ENGLISH),
    "pins": (lines("i", ".", " "), ENGLISH),
    # triangles
    "rows of a triangle": ("[[0],[1,1],[1,1,1],[1,1,1,1],[1,1,1,1,1]]", TRIANGLE),
    "rows between strokes": ("/".join(rows("X", "o", " ")), ENGLISH),
    "legend behind a row": (
        lines("*", ".", "#").replace("\n", " *=peg, .=hole, #=outside\n", 1),
        ENGLISH,
    ),
    "legend in brackets behind a row": ("●○●●●●●● (● = peg, ○ = hole)", LINE),
    "strings of a triangle": ('["0","11","111","1111","11111"]', TRIANGLE),
    "braces of a triangle": ("{{0},{1,1},{1,1,1},{1,1,1,1},{1,1,1,1,1}}", TRIANGLE),
    "wide triangle": (
        "        .\n      P   P\n    P   P   P\n  P   P   P   P\nP   P   P   P   P\n",
        TRIANGLE,
    ),
    # more programs, pages and tables
    "R matrix": ("board <- matrix(c(" + ",\n  ".join(rows("1", "0", "-1", ", ")) + "), nrow=7, byrow=TRUE)", ENGLISH),
    "R matrix ncol one line": (
        "m <- matrix(c(" + ", ".join(rows("1", "0", "NA", ",")) + "), ncol = 7, byrow = TRUE)",
        ENGLISH,
    ),
    "R print": (
        "     [,1] [,2] [,3] [,4] [,5] [,6] [,7]\n"
        + "\n".join(f"[{i},] " + r for i, r in enumerate(rows("   1", "   0", "  -1", " "), 1)),
        ENGLISH,
    ),
    "LaTeX tabular": (
        "\\begin{tabular}{ccccccc}\n" + " \\\\\n".join(rows("X", "o", " ", " & ")) + " \\\\\n\\end{tabular}",
        ENGLISH,
    ),
    "LaTeX array bullets": (
        "\\begin{array}{ccccccc}\n" + " \\\\\n".join(rows("\\bullet", "\\circ", "", " & ")) + "\n\\end{array}",
        ENGLISH,
    ),
    "LaTeX tabular lined": (
        "\\begin{tabular}{|c|c|c|}\n\\hline\n$\\bullet$ & $\\bullet$ & $\\circ$ \\\\ \\hline\n"
        "$\\bullet$ & $\\circ$ & $\\bullet$ \\\\ \\hline\n$\\bullet$ & $\\bullet$ & $\\bullet$ \\\\ \\hline\n"
        "\\end{tabular}",
        SQUARE,
    ),
    "LaTeX pmatrix": ("\\begin{pmatrix} 1 & 1 & 0 \\\\ 1 & 0 & 1 \\\\ 1 & 1 & 1 \\end{pmatrix}", SQUARE),
    "Rust lines": ('const BOARD: &str = "\\\n' + "\n".join(rows("X", "o", ".")) + '";', ENGLISH),
    "Rust raw": ('let board = r#"\n' + "\n".join(rows("#", "o", ".")) + '\n"#;', ENGLISH),
    "Rust escaped": ('let board = "' + "\\n\\\n             ".join(rows("O", ".", "-")) + '";', ENGLISH),
    "Rust chars": (
        "let b: [[char; 7]; 7] = [\n"
        + "".join("    [" + ", ".join(f"'{c}'" for c in r) + "],\n" for r in rows("o", ".", "#"))
        + "];",
        ENGLISH,
    ),
    "Rust bytes": ("let b = [\n" + "".join(f'    b"{r}",\n' for r in rows("o", ".", "#")) + "];", ENGLISH),
    "Rust concat": ("let s = concat!(\n" + "".join(f'    "{r}\\n",\n' for r in rows("x", ".", "#")) + ");", ENGLISH),
    "C++ raw": ('const char* s = R"(\n' + "\n".join(rows("X", "o", ".")) + '\n)";', ENGLISH),
    "C array flat": ("int board[49] = {\n" + ",\n".join("  " + r for r in rows("1", "0", "2", ",")) + "\n};", ENGLISH),
    "C enum": (
        "cell_t board[7][7] = {\n" + ",\n".join("  {" + r + "}" for r in rows("PEG", "EMPTY", "WALL", ", ")) + "\n};",
        ENGLISH,
    ),
    "Java text block": (
        'String b = """\n' + "\n".join("    " + r for r in rows("X", "o", ".")) + '\n    """;',
        ENGLISH,
    ),
    "Java split": ('String[] b = ("' + "/".join(rows("x", "o", "-")) + '").split("/");', ENGLISH),
    "Haskell unlines": ('board :: [String]\nboard =\n  [ "' + '"\n  , "'.join(rows("*", "o", " ")) + '"\n  ]', ENGLISH),
    "Haskell gap": ('board = "' + "\\n\\\n        \\".join(rows("X", "o", ".")) + '"', ENGLISH),
    "Haskell lists of constructors": ("start = [[" + "],[".join(rows("Peg", "Empty", "Out", ",")) + "]]", ENGLISH),
    "JS template": ("const board = `\n" + "\n".join(rows("●", "○", " ")) + "\n`.trim().split('\\n');", ENGLISH),
    "Python join": ("board = (\n" + "\n".join(f'    "{r}\\n"' for r in rows("#", ".", "_")) + "\n)", ENGLISH),
    "Python reshape": ("np.array([" + ", ".join(rows("1", "0", "-1", ", ")) + "]).reshape(7, 7)", ENGLISH),
    "numpy repr dtype": (
        "array([[" + "],\n       [".join(rows("'X'", "'.'", "' '", ", ")) + "]], dtype='<U1')",
        ENGLISH,
    ),
    "numpy repr int8": ("array([[" + "],\n       [".join(rows(" 1", " 0", "-1", ", ")) + "]], dtype=int8)", ENGLISH),
    "torch tensor": ("tensor([[" + "],\n        [".join(rows(" 1", " 0", "-1", ", ")) + "]])", ENGLISH),
    "JSON rows board": (json.dumps({"name": "english", "board": rows("#", "o", " ")}), ENGLISH),
    "JSON nested key": (
        json.dumps(
            {
                "rows": 7,
                "cols": 7,
                "cells": [[{"X": 1, "o": 0, " ": None}[c] for c in f"{r:7}"] for r in ENGLISH.splitlines()],
            }
        ),
        ENGLISH,
    ),
    "YAML block": ("board: |\n" + "\n".join("  " + r for r in rows("X", "o", ".")), ENGLISH),
    "YAML list": ("board:\n" + "\n".join('  - "' + r + '"' for r in rows("X", ".", "#")), ENGLISH),
    "YAML list with some quotes": (
        "board:\n" + "\n".join(f"  - '{r}'" if " " in r else f"  - {r}" for r in rows("X", "o", " ")),
        ENGLISH,
    ),
    "array of MiniZinc": (
        "array[1..7,1..7] of int: start = [| " + " | ".join(rows("1", "0", "-1", ",")) + " |];",
        ENGLISH,
    ),
    "array of Go": ("b := [7][7]int{\n\t{" + "},\n\t{".join(rows("1", "0", "-1", ", ")) + "},\n}", ENGLISH),
    "printed floats": ("[[" + "]\n [".join(rows(" 1.", " 0.", "nan", " ")) + "]]", ENGLISH),
    "floats": ("[[" + "], [".join(rows("1.0", "0.0", "NaN", ", ")) + "]]", ENGLISH),
    "floats in columns": ("\n".join(rows("1.0", "0.0", "-1.0", ",")), ENGLISH),
    "prompt": (">>> print(board)\n" + lines("X", ".", " "), ENGLISH),
    "YAML lists": ("board:\n" + "\n".join("  - [" + r + "]" for r in rows("1", "0", "-1", ", ")), ENGLISH),
    "TSV": ("\n".join(rows("1", "0", "", "\t")) + "\n", ENGLISH),
    "CSV quoted": ("\n".join(rows('"X"', '"o"', '""', ",")) + "\n", ENGLISH),
    "CSV semicolons": ("\n".join(rows("1", "0", "", ";")) + "\n", ENGLISH),
    "CSV header": ("a,b,c\n1,1,0\n1,0,1\n1,1,1\n", SQUARE),
    "CSV header and index": (",a,b,c\n1,X,X,o\n2,X,o,X\n3,X,X,X\n", SQUARE),
    "markdown table": ("| a | b | c |\n|---|---|---|\n| X | X | o |\n| X | o | X |\n| X | X | X |\n", SQUARE),
    "markdown table empty head": (
        "|   |   |   |   |   |   |   |\n|---|---|---|---|---|---|---|\n"
        + "\n".join("| " + r + " |" for r in rows("●", "○", " ", " | "))
        + "\n",
        ENGLISH,
    ),
    "markdown table no head": ("| 1 | 1 | 0 |\n|:-:|:-:|:-:|\n| 1 | 0 | 1 |\n| 1 | 1 | 1 |\n", SQUARE),
    "markdown rows": (
        "|   | A | B | C |\n|---|---|---|---|\n| 1 | X | X | o |\n| 2 | X | o | X |\n| 3 | X | X | X |\n",
        SQUARE,
    ),
    "HTML pre": ("<pre>\n" + "\n".join(rows("X", "o", ".")) + "\n</pre>", ENGLISH),
    "HTML table": (
        "<table>\n"
        + "\n".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) + "</tr>" for r in ("XXo", "XoX", "XXX"))
        + "\n</table>",
        SQUARE,
    ),
    "HTML entities": ("&#9679;&#9679;&#9675;<br>\n&#9679;&#9675;&#9679;<br>\n&#9679;&#9679;&#9679;<br>", SQUARE),
    "C comment": ("/* the central game */\n" + "\n".join(rows("X", "o", ".")), ENGLISH),
    "C comment lines": ("/*\n" + "\n".join(" * " + r for r in rows("X", "o", ".")) + "\n */", ENGLISH),
    "Haskell comment": ("-- start\n" + "\n".join(rows("X", "o", ".")), ENGLISH),
    "Lisp comment": (";; start\n" + "\n".join(rows("X", "o", ".")), ENGLISH),
    "percent comment": ("% start\n" + "\n".join(rows("X", "o", ".")), ENGLISH),
    "hash comment after": ("\n".join(f"{r}  # row {i}" for i, r in enumerate(rows("X", "o", "."))), ENGLISH),
    "Prolog rows": ("\n".join(f"row({i},[{r}])." for i, r in enumerate(rows("x", "o", "n", ","), 1)), ENGLISH),
    "Prolog atoms": (
        "board([\n" + ",\n".join("  [" + r + "]" for r in rows("peg", "hole", "none", ",")) + "\n]).",
        ENGLISH,
    ),
    "MiniZinc": ("board = [| " + "\n | ".join(rows("1", "0", "-1", ", ")) + " |];", ENGLISH),
    "array2d": ("start = array2d(1..3, 1..3, [1,1,0, 1,0,1, 1,1,1]);", SQUARE),
    "slashes": ("/".join(rows("X", "o", ".")), ENGLISH),
    "slashes bits": ("110/101/111", SQUARE),
    "contest N": ("1\n7\n" + "\n".join(rows("o", ".", "#")), ENGLISH),
    "emoji pegs": ("\n".join(rows("🟢", "⚪", "⬛")), ENGLISH),
    "emoji squares": ("\n".join(rows("🟩", "⬜", "⬛")), ENGLISH),
    "emoji hole": ("\n".join(rows("🔵", "🕳️", "⬛")), ENGLISH),
    "Matlab": ("B = [\n" + "\n".join("  " + r for r in rows(" 1", " 0", "NaN", " ")) + "\n];", ENGLISH),
    "Matlab zeros 3": ("[1 1 0; 1 0 1; 1 1 1]", SQUARE),
    "Julia": ("board = [" + ";\n         ".join(rows("1", "0", "-1", " ")) + "]", ENGLISH),
    "Ruby words": ("board = %w[\n" + "\n".join("  " + r for r in rows("X", "o", ".")) + "\n]", ENGLISH),
    "Ruby heredoc": ("board = <<~MAP\n" + "\n".join("  " + r for r in rows("X", "o", ".")) + "\nMAP", ENGLISH),
    "shell heredoc": ("cat <<EOF\n" + "\n".join(rows("X", "o", ".")) + "\nEOF", ENGLISH),
    "PHP heredoc": ("$board = [\n" + "".join(f"  '{r}',\n" for r in rows("X", "o", ".")) + "];", ENGLISH),
    "SQL": ("VALUES\n" + ",\n".join("(" + r + ")" for r in rows("1", "0", "NULL", ",")), ENGLISH),
    "Scala": (
        "val b = Array(\n" + ",\n".join("  Array(" + r + ")" for r in rows("1", "0", "-1", ", ")) + "\n)",
        ENGLISH,
    ),
    "Scala margin": ('val b = """' + "\n".join("|" + r for r in rows("X", "o", ".")) + '""".stripMargin', ENGLISH),
    "Kotlin": (
        "val b = arrayOf(\n" + ",\n".join("  intArrayOf(" + r + ")" for r in rows("1", "0", "-1", ", ")) + "\n)",
        ENGLISH,
    ),
    "Go rows": (
        "var b = [][]int{\n" + "\n".join("\t{" + r + "}," for r in rows("1", "0", "-1", ", ")) + "\n}",
        ENGLISH,
    ),
    "Go strings": ("b := []string{\n" + "\n".join('\t"' + r + '",' for r in rows("X", "o", ".")) + "\n}", ENGLISH),
    "C++ vector": (
        "std::vector<std::string> b = {\n" + ",\n".join('  "' + r + '"' for r in rows("X", "o", ".")) + "\n};",
        ENGLISH,
    ),
    "C++ vector ints": (
        "vector<vector<int>> b{\n" + ",\n".join("  {" + r + "}" for r in rows("1", "0", "-1", ",")) + "\n};",
        ENGLISH,
    ),
    "OCaml": ("let b = [|\n" + ";\n".join("  [|" + r + "|]" for r in rows("1", "0", "-1", "; ")) + "\n|]", ENGLISH),
    "Fsharp list": ("let b = [ [1; 1; 0]; [1; 0; 1]; [1; 1; 1] ]", SQUARE),
    "Wolfram": ("board = {{1, 1, 0}, {1, 0, 1}, {1, 1, 1}};", SQUARE),
    "Clojure": ("(def board [[1 1 0]\n            [1 0 1]\n            [1 1 1]])", SQUARE),
    "triangle slashes": ("o/XX/XXX/XXXX/XXXXX", TRIANGLE),
    "triangle numbered": ("1:     o\n2:    X X\n3:   X X X\n4:  X X X X\n5: X X X X X\n", TRIANGLE),
    "triangle LaTeX": (
        "\\begin{tabular}{c}\n$\\circ$ \\\\\n"
        + " \\\\\n".join(" ".join(["$\\bullet$"] * n) for n in range(2, 6))
        + "\n\\end{tabular}",
        TRIANGLE,
    ),
    "Row labels": ("\n".join(f"Row {i}: {r}" for i, r in enumerate(rows("X", "o", "."), 1)), ENGLISH),
    "dict rows": (
        "{0: '..XXX..', 1: '..XXX..', 2: 'XXXXXXX', 3: 'XXXoXXX', 4: 'XXXXXXX', 5: '..XXX..', 6: '..XXX..'}",
        ENGLISH,
    ),
    "double width": ("\n".join(rows("[X]", "[ ]", "   ")), ENGLISH),
    "parens cells": ("\n".join(rows("(*)", "( )", "   ")), ENGLISH),
    "frame stars": ("=========\n" + "\n".join(rows("X", "o", ".")) + "\n=========", ENGLISH),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name: str) -> None:
    text, same = DRAWINGS[name]
    problem, other = pegcp.problem(text), pegcp.problem(same)
    assert (problem.board.cells, problem.board.lines) == (other.board.cells, other.board.lines)
    assert problem.start.pegs == other.start.pegs
    assert problem.read_as or name in ("triangle numbered", "Row labels")  # pegcp's own signs


def test_numbers_in_a_column_are_no_size() -> None:
    assert len(pegcp.problem("3\n4\n9\n15\n").start) == 4
    assert len(pegcp.problem("3 10\n4 11\n9 16\n15 22\n").start) == 8


def test_words_that_are_left_out_are_said() -> None:
    assert len(pegcp.problem("baXyyba\nXXbybXX\n", legend="a=outside b=vacancy y=peg X=peg").board.holes) == 12
    assert pegcp.problem("Start position:\nXXo\n").read_as == "words beside it are left out"
    assert pegcp.problem("board = ['XX.']").read_as == "X peg, . vacancy; words beside it are left out"
    with pytest.raises(InputError, match='cannot tell what "q" means'):
        pegcp.problem("oooqooo\nooo.ooo\n")
    with pytest.raises(InputError, match="board='english' or board='french'"):
        pegcp.problem(" ".join(rows("1", "0", "0")))
    assert len(pegcp.problem(" ".join(rows("1", "0", "0")), board="english").start) == 32


@pytest.mark.parametrize("text", ["XXX\n'XoX'\nXXX", '"XXX"\n"XoX"\nXXX', "['XXX',\n XoX,\n 'XXX']"])
def test_rows_beside_quotes_are_not_lost(text: str) -> None:
    with pytest.raises(InputError, match=r"outside of the quotes: X.X"):
        pegcp.problem(text)


CENTRAL = (
    "d2-d4 f3-d3 e5-e3 d3-f3 g3-e3 e7-e5 g4-e4 b3-d3 c5-c3 d3-b3 e4-c4 c1-c3 e1-c1 a5-c5 c7-e7 e2-e4 c4-c2 e4-e6 "
    "d5-b5 c1-c3 a3-a5 a5-c5 g5-e5 b3-d3 c6-c4 b4-d4 d3-d5 d5-f5 e7-e5 f5-d5 d6-d4"
)
TRIANGULAR = "6 3 1,13 9 6,10 6 3,1 3 6,2 5 9,7 4 2,14 9 5,6 5 4,2 4 7,11 7 4,4 8 13,12 13 14,15 14 13"  # holes from 1
GAMES = {
    "english": read_any_solution(pegcp.problem("english"), CENTRAL).jumps,
    "triangle15:a1->?": [Jump(*(int(hole) - 1 for hole in jump.split())) for jump in TRIANGULAR.split(",")],
}


def way(at: tuple[int, ...]) -> str:
    """The way of a jump between two cells, by rows and columns."""
    rows, columns = ((b > a) - (b < a) for a, b in zip(at[:2], at[2:], strict=True))
    return "-".join(word for word in (["", "down", "up"][rows], ["", "right", "left"][columns]) if word)


Form = Callable[[int, tuple[int, ...], tuple[str, ...], tuple[int, ...]], str]
# Number of the jump; its holes from 1; their names; rows and columns of its ends from 0.
FORMS: dict[str, Form] = {
    "move in Prolog": lambda _, h, *__: f"move({h[0]},{h[1]},{h[2]}),",
    "facts": lambda _, h, *__: f"move({h[0]},{h[2]}).",
    "record": lambda _, h, *__: f"Move {{from = {h[0]}, over = {h[1]}, to = {h[2]}}},",
    "record as text": lambda _, h, *__: f"Move{{from={h[0]}, over={h[1]}, to={h[2]}}}",
    "row of a table": lambda n, h, *_: f"| {n} | {h[0]} | {h[1]} | {h[2]} |",
    "row of a file": lambda n, h, *_: f"{n},{h[0]},{h[1]},{h[2]}",
    "jumps over": lambda _, h, *__: f"#{h[0]} jumps over #{h[1]} to #{h[2]}",
    "lands on": lambda _, h, *__: f"Peg {h[0]} jumped over {h[1]} to land on {h[2]}",
    "jump over": lambda n, h, *_: f"{n}. Jump {h[0]} over {h[1]}",
    "numbers in brackets": lambda n, h, *_: f"[{n:02d}] {h[0]} x {h[1]} -> {h[2]}",
    "remarks": lambda n, h, *_: f"{h[0]}, {h[2]}  // jump {n}",
    "hole": lambda _, h, *__: f"Move peg in hole {h[0]} to hole {h[2]}, removing peg {h[1]}",
    "colon": lambda _, __, name, ___: f"{name[0]}:{name[2]}",
    "without a sign between": lambda _, __, name, ___: f"{name[0]}{name[2]}",
    "log of a planner": lambda _, __, name, ___: f"jump {' '.join(name)} (1)",
    "atoms": lambda n, _, name, __: f"jump({name[0]},{name[1]},{name[2]},{n})",
    "atoms with the time before": lambda n, _, name, __: f"jump({n},{name[0]},{name[2]})",
    "plan with times": lambda n, _, name, __: f"{n - 1}.000: (jump {' '.join(name)}) [1.000]",
    "two digits": lambda _, __, ___, at: "{}{}-{}{}".format(*(x + 1 for x in at)),
    "two digits from 0": lambda _, __, ___, at: "{1}{0} {3}{2}".format(*at),
    "tuples of tuples": lambda _, __, ___, at: "(({}, {}), ({}, {})),".format(*at),
    "words": lambda _, __, ___, at: "Peg at row {}, col {} moves to row {}, col {}".format(*at),
    "R rows": lambda _, h, __, ___: f"c({h[0]}, {h[1]}, {h[2]}),",
    "R print": lambda n, h, _, __: f"[{n},]   {h[0]}   {h[1]}   {h[2]}",
    "LaTeX rows": lambda n, _, m, __: f"{n} & {m[0]} & {m[2]} \\\\",
    "LaTeX to": lambda _, __, m, ___: f"\\item ${m[0]} \\to {m[2]}$",
    "LaTeX rightarrow": lambda _, h, __, ___: f"{h[0]} $\\rightarrow$ {h[2]}",
    "Rust struct": lambda _, __, ___, a: f"Move {{ from: ({a[0]}, {a[1]}), to: ({a[2]}, {a[3]}) }},",
    "Rust tuple": lambda _, __, ___, a: f"(({a[0]}, {a[1]}), ({a[2]}, {a[3]})),",
    "Java call": lambda _, __, ___, a: f"board.move({a[0]}, {a[1]}, {a[2]}, {a[3]});",
    "Java new": lambda _, h, __, ___: f"moves.add(new Move({h[0] - 1}, {h[1] - 1}, {h[2] - 1}));",
    "Java toString": lambda _, h, __, ___: f"Move[from={h[0]}, over={h[1]}, to={h[2]}]",
    "Haskell record": lambda _, __, ___, a: f"Move {{from = ({a[1]},{a[0]}), to = ({a[3]},{a[2]})}}",
    "Haskell tuple": lambda _, h, __, ___: f"({h[0]},{h[1]},{h[2]}),",
    "Prolog list": lambda _, h, __, ___: f"jump({h[0]}, {h[1]}, {h[2]})",
    "Prolog dash": lambda _, h, __, ___: f"{h[0]}-{h[1]}-{h[2]},",
    "Prolog slash": lambda _, __, ___, a: f"{a[0]}/{a[1]}->{a[2]}/{a[3]}",
    "slash": lambda _, __, m, ___: f"{m[0]}/{m[2]}",
    "markdown table": lambda n, _, m, __: f"| {n} | {m[0]} | {m[1]} | {m[2]} |",
    "TSV": lambda n, _, m, __: f"{n}\t{m[0]}\t{m[2]}",
    "TSV numbers": lambda n, h, _, __: f"{n}\t{h[0]}\t{h[2]}",
    "CSV semis": lambda n, h, _, __: f"{n};{h[0]};{h[1]};{h[2]}",
    "CSV at": lambda n, _, __, a: f"{n},{a[0]},{a[1]},{a[2]},{a[3]}",
    "CSV semis names": lambda _, __, m, ___: f"{m[0]};{m[1]};{m[2]}",
    "tuple dir": lambda _, __, ___, a: f"({a[0]}, {a[1]}, '{way(a)}'),",
    "dir arrow": lambda _, __, m, a: (
        f"{m[0]}" + {"right": "→", "left": "←", "up": "↑", "down": "↓", "down-right": "↘", "up-left": "↖"}[way(a)]
    ),
    "dir first": lambda _, __, m, a: f"move {way(a)} from {m[0]}",
    "dir letter": lambda _, __, ___, a: f"{a[0]} {a[1]} {''.join(w[0] for w in way(a).split('-')).upper()}",
    "captures": lambda _, __, m, ___: f"{m[0]}x{m[1]}->{m[2]}",
    "captures paren": lambda _, __, m, ___: f"{m[0]}-{m[2]} (x{m[1]})",
    "removing": lambda n, _, m, __: f"{n}) {m[0]} → {m[2]}, removes {m[1]}",
    "german": lambda n, _, m, __: f"{n}. von {m[0]} nach {m[2]}",
    "french": lambda n, _, m, __: f"{n}. de {m[0]} à {m[2]}",
    "spanish": lambda n, h, _, __: f"{n}. {h[0]} salta sobre {h[1]} a {h[2]}",
    "over arrows": lambda _, h, __, ___: f"{h[0]} -> ({h[1]}) -> {h[2]}",
    "numpy rows": lambda _, h, __, ___: f" [{h[0] - 1:2} {h[1] - 1:2} {h[2] - 1:2}]",
    "hash comments": lambda n, _, m, __: f"{m[0]} {m[2]}  # {33 - n} pegs",
    "bold": lambda _, __, m, ___: f"* **{m[0]}** to **{m[2]}**",
    "asp time": lambda n, _, m, __: f"move({n},{m[0]},{m[1]},{m[2]}).",
    "asp xy": lambda n, _, __, a: f"jump({a[1] + 1},{a[0] + 1},{a[3] + 1},{a[2] + 1},{n})",
    "asp dir": lambda n, _, __, a: f"move({way(a).replace('-', '_')},{a[1]},{a[0]},{n})",
    "pddl pos": lambda _, __, ___, a: (
        f"(jump pos-{a[0]}-{a[1]} pos-{(a[0] + a[2]) // 2}-{(a[1] + a[3]) // 2} pos-{a[2]}-{a[3]})"
    ),
    "pddl numbers": lambda n, _, m, __: f"{n - 1}: JUMP {m[0].upper()} {m[1].upper()} {m[2].upper()}",
    "r1c1": lambda _, __, ___, a: f"R{a[0] + 1}C{a[1] + 1} to R{a[2] + 1}C{a[3] + 1}",
    "sentence": lambda _, __, m, ___: f"The peg at {m[0]} jumps over the peg at {m[1]} and lands in {m[2]}.",
    "first then": lambda n, _, __, a: f"Move {n}: from ({a[0]},{a[1]}) to ({a[2]},{a[3]}) - pegs left: {31 - n}",
    "pipes": lambda _, __, m, ___: f"{m[0]}|{m[1]}|{m[2]}",
    "html rows": lambda n, _, m, __: f"<tr><td>{n}</td><td>{m[0]}</td><td>{m[2]}</td></tr>",
    "html li": lambda _, __, m, ___: f"<li>{m[0]} &rarr; {m[2]}</li>",
    "python namedtuple": lambda _, h, __, ___: f"Jump(from_={h[0] - 1}, over={h[1] - 1}, to={h[2] - 1}),",
    "set dict": lambda _, h, __, ___: f"{{'from': {h[0]}, 'to': {h[2]}}},",
    "time stamped": lambda n, _, m, __: f"[00:{n:02d}] {m[0]} -> {m[2]}",
    "column row letters": lambda _, __, ___, a: f"{a[0] + 1}{chr(97 + a[1])} {a[2] + 1}{chr(97 + a[3])}",
    "row col r,c": lambda _, __, ___, a: f"r{a[0]}c{a[1]} -> r{a[2]}c{a[3]}",
    "asp made": lambda n, h, _, __: f"made({n},{h[0] - 1},{h[1] - 1},{h[2] - 1})",
    "printf": lambda n, _, __, a: (
        f"Step {n:2d}: ({a[0]}, {a[1]}) jumps over ({(a[0] + a[2]) // 2}, {(a[1] + a[3]) // 2}) into ({a[2]}, {a[3]})"
    ),
    "from:to:": lambda _, __, m, ___: f"from: {m[0]}, to: {m[2]}",
    "yaml": lambda _, __, m, ___: f"- {{from: {m[0]}, over: {m[1]}, to: {m[2]}}}",
    "semicolon line": lambda _, __, m, ___: f"{m[0]} {m[2]};",
    "A1:C1 excel": lambda _, __, m, ___: f"{m[0].upper()}:{m[2].upper()}",
    "n W": lambda _, h, __, a: (
        f"{h[0]} "
        + "".join(
            word[0]
            for word in way(a)
            .replace("down", "south")
            .replace("up", "north")
            .replace("right", "east")
            .replace("left", "west")
            .split("-")
        ).upper()
    ),
    "into": lambda _, h, __, ___: f"Take peg {h[0]}, jump peg {h[1]}, land in hole {h[2]}.",
    "padded": lambda _, h, __, ___: f"{h[0] - 1:02d}-{h[1] - 1:02d}-{h[2] - 1:02d}",
    "md header": lambda n, _, m, __: (
        ("| # | from | to |\n|---|------|----|\n" if n == 1 else "") + f"| {n} | {m[0]} | {m[2]} |"
    ),
    "latex header": lambda n, _, m, __: (
        ("\\begin{tabular}{rll}\n" if n == 1 else "") + f"{n} & {m[0]} & {m[2]} \\\\ \\hline"
    ),
    "header over first": lambda n, h, _, __: ("over,from,to\n" if n == 1 else "") + f"{h[1]},{h[0]},{h[2]}",
    "md header to first": lambda n, _, m, __: (
        ("| # | To | From |\n|---|---|---|\n" if n == 1 else "") + f"| {n} | {m[2]} | {m[0]} |"
    ),
    "taken": lambda _, __, m, ___: f"Take {m[1]} with {m[0]}",
    "log": lambda n, _, m, __: f"[INFO] 12:00:{n:02d} move {n}/31: {m[0]} -> {m[2]}, remaining {32 - n}",
    "digits": lambda _, __, ___, a: "{}{}{}{}".format(*a),
    "complex numbers": lambda _, __, ___, a: f"({complex(a[1], a[0])}, {complex(a[3], a[2])}),",
    "latex names": lambda n, _, m, __: f"{n}.\\ & {m[0][0]}_{{{m[0][1:]}}} \\to {m[2][0]}_{{{m[2][1:]}}} \\\\",
    "holes with words": lambda _, h, __, ___: f"hole{h[0]} -> hole_{h[2]}",
    "json removes": lambda _, h, __, ___: f'{{"from": {h[0]}, "removes": {h[1]}, "to": {h[2]}}},',
    "over alone": lambda _, h, __, ___: f"then {h[0]} over {h[1]},",
    "way in brackets": lambda n, _, __, a: f"## {n}.) <{way(a)}> ({a[0]}, {a[1]})->({a[2]}, {a[3]})",
    "SCIP": lambda n, _, __, a: f"x#{a[0]}#{a[1]}#{a[2]}#{a[3]}#{n}    1   (obj:0)",
    "variables": lambda n, _, __, a: f"move_{a[0] + 1}_{a[1] + 1}_{a[2] + 1}_{a[3] + 1}_{n} = 1.0",
    "colours": lambda _, h, __, ___: f"\x1b[32m{h[0]}\x1b[0m -> \x1b[31m{h[2]}\x1b[0m",
    "peg and land": lambda _, h, __, ___: f'{{"peg": {h[0]}, "jumps": {h[1]}, "lands": {h[2]}}},',
    "R header": lambda n, h, _, __: ("     from over to\n" if n == 1 else "") + f"{n:3d}   {h[0]}   {h[1]}  {h[2]}",
    "csv header numbers": lambda n, h, _, __: ("step,from,over,to\n" if n == 1 else "") + f"{n},{h[0]},{h[1]},{h[2]}",
}


def written(game: str, form: Form) -> str:
    board = pegcp.problem(game).board
    assert board.cells is not None
    texts = []
    for number, jump in enumerate(GAMES[game], 1):
        ends = (*board.cells[jump.from_], *board.cells[jump.to])
        texts.append(form(number, tuple(hole + 1 for hole in jump), board.jump_names(jump), ends))
    return "\n".join(texts)


@pytest.mark.parametrize("form", FORMS)
def test_jumps(form: str) -> None:
    for game, jumps in GAMES.items():
        text = written(game, FORMS[form])
        for pasted in (text, f"```\n{text}\n```", f"Solution:\n{text}\n1 peg left\n"):
            if form in ("log of a planner", "plan with times") and pasted != text:
                continue  # a log of a planner is pasted without such lines
            assert len(pegcp.check(game, pasted).positions) == len(jumps) + 1, game


def test_lists_of_starts_and_ends() -> None:
    columns = list(zip(*GAMES["english"], strict=True))
    text = "".join(f"{name} = {list(holes)};\n" for name, holes in zip(("from", "over", "to"), columns, strict=True))
    assert pegcp.check("english", text).read_as == "holes numbered from 0 row by row"


def test_jumps_in_other_arrangements() -> None:
    """A matrix of MiniZinc, vectors of R, jumps without a sign between them, ways, JSON with a start beside them."""
    board, jumps = pegcp.board("english"), [Jump(*jump) for jump in GAMES["english"]]
    assert board.cells is not None
    rows = [f"{board.cells[a][0]}, {board.cells[a][1]}, {board.cells[b][0]}, {board.cells[b][1]}" for a, _, b in jumps]
    ways = {2: "R", -2: "L", 14: "D", -14: "U"}
    shifts = [7 * (board.cells[b][0] - board.cells[a][0]) + board.cells[b][1] - board.cells[a][1] for a, _, b in jumps]
    emojis = {2: "➡️", -2: "⬅️", 14: "⬇️", -14: "⬆️"}
    triples = ", ".join(f"[{a}, {o}, {b}]" for a, o, b in jumps)
    for text in (
        "move = [| " + "\n | ".join(rows) + " |];",
        "from <- c({})\nto <- c({})".format(*(", ".join(str(jump[end]) for jump in jumps) for end in (0, 2))),
        "".join(f"{board.holes[a]}{board.holes[b]}" for a, _, b in jumps),
        " ".join(f"{jump.from_}{ways[shift]}" for jump, shift in zip(jumps, shifts, strict=True)),
        " ".join(f"{board.holes[jump.from_]}{emojis[shift]}" for jump, shift in zip(jumps, shifts, strict=True)),
        f'{{"start": 16, "moves": [{triples}]}}',
    ):
        assert len(pegcp.check("english", text).positions) == len(jumps) + 1, text


@pytest.mark.parametrize("below", ["\n", "  "])
def test_sentences_below_drawings(below: str) -> None:
    """A game as programs tell it: each position with a digit for each peg, and how it came about."""
    board, mask, digits = pegcp.board("triangle15"), (1 << 15) - 2, "123456789ABCDEF"
    assert board.cells is not None
    story, solution = "", pegcp.solve("triangle15", "dfs").jumps
    sentence = "Starting with peg 1 removed"
    for jump in [*(solution or ()), None]:
        rows = [
            " ".join(digits[hole] if mask >> hole & 1 else "-" for hole in range(15) if board.cells[hole][0] == row)
            for row in range(5)
        ]
        story += "\n".join(" " * (5 - row) + text for row, text in enumerate(rows)) + below + sentence + "\n\n"
        if jump is not None:
            sentence = f"Peg {digits[jump.from_]} jumped over {digits[jump.over]} to land on {digits[jump.to]}"
            mask ^= jump.mask
    assert len(pegcp.check("triangle15", story).positions) == len(solution or ()) + 1


def test_positions_are_read_forwards_first() -> None:
    """A game of a reversal, told backwards with pegs and vacancies exchanged, is another solution."""
    problem = pegcp.problem("english")
    replay = pegcp.check(problem, CENTRAL)
    drawn = "\n\n".join(
        "\n".join(line[3:] for line in str(position).split("\n")[1:])
        .replace("o", "-")
        .replace("X", "o")
        .replace("-", ".")
        for position in replay.positions
    )
    assert pegcp.check(problem, drawn.translate(str.maketrans("o.", ".o"))).moves == replay.moves


def test_sweeps_without_a_sign_between_their_holes() -> None:
    moves = pegcp.check("english", CENTRAL).moves
    names = ["".join(pegcp.board("english").holes[hole] for hole in (m[0].from_, *(j.to for j in m))) for m in moves]
    assert max(map(len, names)) > 4
    for text in (" ".join(names), "\n".join(f"{number}. {name}" for number, name in enumerate(names, 1))):
        assert pegcp.check("english", text).moves == moves


def test_steps_go_before_the_order_of_a_text() -> None:
    """The jumps of a reversal are a solution in reverse order of play, too; which one is meant the steps say."""
    lines = written("english", FORMS["asp time"]).split("\n")
    assert pegcp.check("english", "\n".join(lines[::-1])).moves == pegcp.check("english", "\n".join(lines)).moves


def test_a_wrong_jump_behind_numbers_in_brackets_is_named() -> None:
    jumps = [*GAMES["triangle15:a1->?"][:4], GAMES["triangle15:a1->?"][0]]
    text = "\n".join(f"[{n:02d}] {a + 1} x {o + 1} -> {b + 1}" for n, (a, o, b) in enumerate(jumps, 1))
    with pytest.raises(InvalidSolution, match="jump 5"):
        pegcp.check("triangle15:a1->?", text)


def test_numbers_of_one_line() -> None:
    text = written("english", lambda _, __, ___, a: "{} {} {} {}".format(*(number + 1 for number in a)))
    assert pegcp.check("english", f"{text} q".replace("\n", " ")).read_as == "(column, row) from 1"


def test_readings_that_differ_are_refused() -> None:
    """A text that is one solution with holes from 0, and another with holes from 1."""
    problem = pegcp.problem("XXXo\nXXXo\noooo\n", goal="b3 *")
    text = "1 5 9\n2 6 10"
    jumps = {"zero": "b1-b3 c1-c3", "one": "a1-a3 b1-b3"}
    with pytest.raises(InputError, match=r"holes numbered from 1 row by row; holes numbered from 0 .* by --numbering"):
        read_any_solution(problem, text)
    for numbering, same in jumps.items():
        read = read_any_solution(problem, text, numbering=numbering)
        assert read.jumps == read_any_solution(problem, same).jumps
        assert pegcp.check(problem, read.jumps).positions


@pytest.mark.timeout(60)
def test_long_texts_are_checked_soon() -> None:
    with pytest.raises(InvalidSolution, match="jump 1"):
        pegcp.check("XXoX", "1 " * 5000)  # also with blanks in place of the numbers
    with pytest.raises(InputError, match='no hole "X"'):
        pegcp.check("XXoX", "\n" * 5000 + "X\n")
    for sign in ("X", "上", "<!--", "/* "):
        with pytest.raises(InputError):
            pegcp.check("english", sign * 200_000)
    with pytest.raises(InvalidSolution, match="jump 2"):
        pegcp.check("english", "d2-d4 " * 400_000, time_limit=1)


BOARDS = [
    *("english", "french", "wiegleb", "diamond", "asymmetric", "cross1", "huber", "hermary", "kralenspel"),
    *("triangle10", "triangle15", "triangle21", "square4", "square5", "rectangle3x5", "rectangle4x6", "line8"),
    *("line12", "diamond32", "cross2"),
]


def positions(seed: str, number: int) -> Iterator[tuple[Board, int]]:
    """Random positions of the boards in turn."""
    chance = random.Random(seed)
    for i in range(number):
        board = pegcp.board(BOARDS[i % len(BOARDS)])
        yield board, chance.getrandbits(len(board.holes)) or 1


def picture(board: Board, mask: int, peg: str, vacancy: str, outside: str, between: str = "") -> list[str]:
    """The rows of a position, those of a triangle at the left."""
    assert board.cells is not None
    at = {cell: peg if mask >> hole & 1 else vacancy for hole, cell in enumerate(board.cells)}
    width, height = (1 + max(cell[axis] for cell in at) for axis in (1, 0))
    full = [[at.get((r, c), outside) for c in range(width)] for r in range(height)]
    staggered = board.name.startswith("triangle")
    return [between.join(row[: r + 1] if staggered else row) for r, row in enumerate(full)]


WRITINGS: dict[str, Callable[[Board, int], tuple[str, dict[str, str]]]] = {
    "legend": lambda b, m: ("\n".join(picture(b, m, "q", "z", "w")), {"legend": "q=peg z=vacancy w=outside"}),
    "lists": lambda b, m: (
        "[[" + "], [".join(picture(b, m, "1", "0", "-1", ", ")) + "]]",
        {"legend": "1=peg 0=vacancy -1=outside"},
    ),
    "lists of strings": lambda b, m: (
        json.dumps(picture(b, m, "o", "-", "#")),
        {"legend": "o=peg -=vacancy #=outside"},
    ),
    "on a board": lambda b, m: ("".join("01"[m >> h & 1] for h in range(len(b.holes))), {"legend": "1=peg 0=vacancy"}),
    "rows on a board": lambda b, m: ("\n".join(picture(b, m, "1", "0", "0")), {"legend": "1=peg 0=vacancy"}),
    "zero": lambda b, m: (" ".join(str(h) for h in range(len(b.holes)) if m >> h & 1), {"numbering": "zero"}),
    "one": lambda b, m: (str([h + 1 for h in range(len(b.holes)) if m >> h & 1]), {"numbering": "one"}),
    "letters": lambda b, m: (", ".join(b.names(m)).upper(), {"numbering": "letters"}),
    "grid": lambda b, m: (
        " ".join(n for h, n in enumerate(hole_names(b, "grid")) if m >> h & 1),
        {"numbering": "grid"},
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("number", [100, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("writing", WRITINGS)
def test_positions_in_each_notation_read_back(writing: str, number: int) -> None:
    """The same position, said how to read it; without that the same, or refused, or said otherwise."""
    same = 0
    for board, mask in positions(writing, number):
        text, options = WRITINGS[writing](board, mask)
        if "board" in writing or "numbering" in options:
            options = options | {"board": board.name}
        read = pegcp.problem(text + "\n", **options)
        assert (read.board.cells, read.start.mask) == (board.cells, mask), (board.name, text)
        try:
            free = pegcp.problem(text + "\n", **({"board": board.name} if "board" in options else {}))
        except InputError:
            continue
        assert free.read_as or writing == "letters", text
        same += (free.board.cells, free.start.mask) == (board.cells, mask)
    assert (same > number // 10) == (writing != "legend"), same  # whose signs nobody uses
