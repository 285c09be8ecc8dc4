"""``python -m pegcp`` is the command line."""

from pegcp.cli.main import main

main()
