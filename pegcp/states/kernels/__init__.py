"""Loops over many positions, compiled to machine code by numba. Import these modules only where levels are large."""
