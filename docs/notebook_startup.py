"""Make a shell command in a page raise unless it ends as the page says.

Every kernel that runs a page of this site reads this file first. A line ``!command`` or a cell ``%%bash`` must end with
exit status 0, or with the one in a comment: ``!pegcp check wrong  # exit status 4``.
"""

import re
import subprocess
import sys

from IPython import get_ipython

shell = get_ipython()


def run(command):
    """Run a command in bash, stopping at the first line that fails, and print what it prints."""
    expected = re.search(r"# exit status (\d+)\s*$", command)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    sys.stdout.write(done.stdout)
    if done.returncode != int(expected[1] if expected else 0):
        raise RuntimeError(f"exit status {done.returncode}: {command}")


if shell is not None:
    shell.system = lambda command: run(shell.var_expand(command, depth=1))
    shell.register_magic_function(lambda _line, cell: run(cell), "cell", "bash")
