"""``python with_numpy.py FOLDER``: the checker, with faster code for long bounds on moves."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from pegcp.checking import checker, two_sided

    sys.exit(checker.main(sys.argv[1:], two_sided.meet))
