"""What is compiled to machine code by numba: loops over many positions at once. Import it only when it is needed."""
