"""``python -m pegcp`` is the command line."""

from pegcp.cli import start

start()
