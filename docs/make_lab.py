"""Build the page "Models here" into a folder: python docs/make_lab.py DIR

The folder can be served by any web server (python -m http.server --directory DIR). npm and pip fetch the solvers at the
versions of docs/lab/package.json; nothing is fetched from another site when the page runs.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
LAB, ROOT = DOCS / "lab", DOCS.parent
PAGE = (
    "index.html lab.css lab.js asking.js changes.js wrong.js packed.js programs.js worker.js lab.py planner.py "
    "isolation.js headers.js cpsat.js cpsat_worker.js cp_model.py protobuf.py"
)
SHARED = ("render/pages/style.css", "render/pages/drawing.js", "play/page/board.js", "play/page/game.js")
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")  # of this version of Pyodide
VENDOR = {  # package of npm: folder and files that the page needs
    "pyodide": ("", "pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json"),
    "clingo-wasm": ("dist", "clingo.web.js clingo.wasm"),
    "minizinc": ("dist", "minizinc.mjs minizinc-worker.js minizinc.wasm minizinc.data"),
    "or-tools-wasm": (
        "build/javascript/wasm",
        "cp_sat_runtime.js cp_sat_runtime.wasm cp_sat_runtime_asyncify.js cp_sat_runtime_asyncify.wasm",
    ),
}
NAMES = {"clingo-wasm": "clingo", "or-tools-wasm": "or-tools"}
OTHERWISE = "asyncify"  # in the name of a file that is fetched in the place of another by some browsers
PACKED = {  # files that are kept packed, so that they are small from any server; these are needed as they are, too
    "pyodide/pyodide.asm.mjs": True,  # by the lessons
    "pyodide/pyodide.asm.wasm": True,
    "clingo/clingo.wasm": False,
    "or-tools/cp_sat_runtime.wasm": False,
    "or-tools/cp_sat_runtime_asyncify.wasm": False,
    "minizinc/minizinc-worker.js": False,
    "minizinc/minizinc.wasm": False,
    "minizinc/minizinc.data": False,
}
# Modules of Python's library that neither pegcp nor a model needs; of the encodings a few are.
UNUSED = (
    "_pyrepl doctest pdb bdb pydoc pydoc_data unittest xmlrpc wsgiref imaplib mailbox smtplib poplib ftplib "
    "optparse pickletools trace cProfile profile pstats turtle idlelib tkinter ensurepip venv sqlite3 dbm "
    "curses"
)
ENCODINGS = (
    "__init__ aliases ascii cp437 idna latin_1 punycode raw_unicode_escape unicode_escape utf_8 utf_8_sig "
    "utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le"
)
PARTS = {  # for the list of licences: the name to show, the licence, and what is inside
    "pyodide": ("Pyodide", "MPL-2.0", "CPython, PSF licence"),
    "clingo": ("clingo-wasm", "Apache-2.0", "clingo, MIT"),
    "or-tools": (
        "or-tools-wasm",
        "Apache-2.0",
        "OR-tools, Abseil: Apache-2.0; Protocol Buffers: BSD-3-Clause; zlib; bzip2",
    ),
    "minizinc": ("MiniZinc", "MPL-2.0", "Gecode, Chuffed, HiGHS: MIT; CBC: EPL-2.0"),
    "python-sat": ("python-sat", "MIT", "CaDiCaL, Glucose: MIT"),
    "msgspec": ("msgspec", "BSD-3-Clause", ""),
    "six": ("six", "MIT", ""),
    "z3-solver": ("Z3", "MIT", ""),
    "pegcp": ("pegcp", "Apache-2.0", ""),
}


def build(site: Path) -> None:
    """Put the site together in a new or empty folder."""
    package = json.loads((LAB / "package.json").read_text(encoding="utf-8"))
    versions = {NAMES.get(name, name): version for name, version in package["dependencies"].items()} | package["wheels"]
    vendor = site / "vendor"
    (site / "shared").mkdir(parents=True)
    for name in PAGE.split():
        shutil.copy(LAB / name, site)
    for name in SHARED:
        shutil.copy(ROOT / "pegcp" / name, site / "shared")
    drawing = site / "shared" / "drawing.js"  # a plain script for the report, a module here
    drawing.write_text(drawing.read_text(encoding="utf-8") + "export { Drawing, make };\n", encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="pegcp-lab-") as name:
        scratch = Path(name)
        for file in ("package.json", "package-lock.json"):
            shutil.copy(LAB / file, scratch)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=scratch)
        for package_name, (folder, files) in VENDOR.items():
            target = vendor / NAMES.get(package_name, package_name)
            target.mkdir(parents=True)
            for file in files.split():
                shutil.copy(scratch / "node_modules" / package_name / folder / file, target)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        wheels = [f"{name}=={version}" for name, version in package["wheels"].items()]
        run(
            *pip,
            "download",
            "-q",
            "--no-deps",
            "--only-binary",
            ":all:",
            *PLATFORM,
            "-d",
            "wheels",
            *wheels,
            cwd=scratch,
        )
        run(*pip, "wheel", "-q", "--no-deps", "-w", str(scratch / "wheels"), str(ROOT), cwd=scratch)
        (vendor / "wheels").mkdir()
        for wheel in (scratch / "wheels").iterdir():
            name, version, *_ = wheel.name.split("-")
            name = name.replace("_", "-")
            versions.setdefault(name, version)
            shutil.copy(wheel, vendor / "wheels" / f"{name}.whl")
    (vendor / "python").mkdir()
    trim_library(vendor / "pyodide" / "python_stdlib.zip", vendor / "python" / "stdlib.zip")
    for file, stays in PACKED.items():
        (vendor / f"{file}.gz").write_bytes(gzip.compress((vendor / file).read_bytes(), mtime=0))
        if not stays:
            (vendor / file).unlink()
    parts = {
        key: {
            "name": name,
            "version": versions[key],
            "licence": licence,
            "holds": holds,
            "bytes": wire_bytes(vendor, key),
        }
        for key, (name, licence, holds) in PARTS.items()
    }
    (site / "parts.json").write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")


def trim_library(whole: Path, trimmed: Path) -> None:
    """Write Python's library without what the page does not need."""
    with zipfile.ZipFile(whole) as library, zipfile.ZipFile(trimmed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as few:
        for name in library.namelist():
            folder, _, file = name.partition("/")
            is_unused = folder.removesuffix(".py") in UNUSED.split()
            if not is_unused and (folder != "encodings" or file.removesuffix(".py") in ENCODINGS.split()):
                few.writestr(name, library.read(name))


def wire_bytes(vendor: Path, part: str) -> int:
    """Return how many bytes of a part are fetched, from a server that packs nothing."""
    files = [vendor / "wheels" / f"{part}.whl"] if not (vendor / part).is_dir() else (vendor / part).iterdir()
    as_they_are = (file for file in files if not Path(f"{file}.gz").exists() and OTHERWISE not in file.name)
    return sum(file.stat().st_size for file in as_they_are)


def run(*command: str, cwd: Path) -> None:
    """Run a program; end with its status if it fails."""
    if status := subprocess.run(command, cwd=cwd, check=False).returncode:
        sys.exit(f"make_lab.py: {' '.join(command)} ended with status {status}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/make_lab.py DIR")
    folder = Path(sys.argv[1])
    if folder.is_dir() and any(folder.iterdir()):
        sys.exit(f"make_lab.py: {folder} is not empty")
    build(folder)
    print(f"python -m http.server --directory {folder}")
