"""``python quick_checker.py FOLDER``: the checker, with numpy for long bounds on moves."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:] = [str(Path(__file__).parents[2]), *(path for path in sys.path if path != str(Path(__file__).parent))]
    from pegcp.proofs import checker, moves

    sys.exit(checker.main(sys.argv[1:], meet=moves.meet))
