"""What a model file imports, kept stable: the formulation, encodings, orders of jumps."""
