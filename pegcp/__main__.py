"""``python -m pegcp`` is the command line."""

from pegcp.cli import main

main()
