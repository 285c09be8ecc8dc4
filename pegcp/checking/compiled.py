"""``python compiled.py FOLDER``: the checker, with faster code for long work."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:] = [str(Path(__file__).parents[2]), *(path for path in sys.path if path != str(Path(__file__).parent))]
    sys.modules["scipy"] = None  # type: ignore[assignment]  # numba would load it, for nothing that is used here
    from pegcp.checking import checker, lrat, moves

    sys.exit(checker.main(sys.argv[1:], lrat.follow, moves.meet))
