"""Writing proofs that a stranger can check: the folder, and the refutations of its formulas."""
