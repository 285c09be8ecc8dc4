"""Searches: procedural solvers, one file each.

A search file describes itself like a model file (see :mod:`pegcp.catalogue.modelfile`) and defines
``search(problem, run, **options) -> Answer``. It is called only where some number of jumps can lead to the goal; the
caller measures its time.
"""
