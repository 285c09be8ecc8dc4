"""The command line, which takes a moment to be loaded."""

import os
import signal
import sys
from types import FrameType


def end_at_once(signum: int, _frame: FrameType | None) -> None:
    """End on a signal while nothing is to be tidied up; many a library loses an exception, or prints it."""
    os._exit(128 + signum)


def start() -> None:
    """Load the command line and run it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)
    try:
        from pegcp.cli.main import main
    except (ImportError, MemoryError, OSError, SystemError) as error:  # no memory, for example, or no descriptors
        sys.stderr.write(f"pegcp: cannot be loaded: {str(error).partition(chr(10))[0] or 'out of memory'}\n")
        sys.exit(2)
    try:
        main()
    except KeyboardInterrupt:  # between two lines at its very end
        os._exit(128 + signal.SIGINT)
