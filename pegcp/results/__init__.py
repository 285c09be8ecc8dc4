"""A result: how an answer becomes one, how it is read back, and what it is written to."""
