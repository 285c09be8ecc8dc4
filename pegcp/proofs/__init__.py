"""Proofs that a stranger can check: folders, clauses, and the checker of their proofs. Nothing here asks a solver."""
