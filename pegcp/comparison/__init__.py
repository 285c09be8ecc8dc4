"""Compares methods: schedules of runs, result files, tables.

===============  ===========================================================================================
module           what it does
===============  ===========================================================================================
``schedule``     many runs: ``compare``, ``run_all``, ``tasks``, on local cores or any executor
``store``        result files: JSON lines that survive crashes and several writers
``experiment``   experiment files (TOML)
``model_sizes``  sizes of models before the search, side by side
``agreement``    ``disagreements`` between results, and which methods agree
``evidence``     certificates of what methods only claim, once for each problem
``scores``       statistics that do not mistake time-outs for times
``table``        the table for terminals and live progress
``tour.toml``    what ``pegcp compare`` runs where no problem is named
===============  ===========================================================================================

Nothing is imported here, so that the command line stays quick. Problems are names or Problem objects, methods their
written forms (``moves:order=off``). ``time_limit`` is in wall seconds, ``memory_limit`` in MB for the process tree.
At Ctrl-C, ``solve`` lets KeyboardInterrupt through and ``compare`` raises ``schedule.Interrupted``, a KeyboardInterrupt
with the ``results`` so far; either way no child process is left.
"""
