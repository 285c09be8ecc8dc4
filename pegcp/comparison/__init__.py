"""Compares methods: schedules of runs, result files, tables.

===============  ===========================================================================================
module           what it does
===============  ===========================================================================================
``experiment``   which runs to make: experiment files (TOML), problems and methods, the tour
``schedule``     many runs: ``run_all``, on the cores of this machine or elsewhere
``places``       where else runs are made: executors, clusters, plug-ins
``store``        result files: JSON lines that survive crashes and several writers
``agreement``    disagreements between results, which engines agree, certificates of what methods only claim
``groups``       things by what they have in common
``scores``       statistics that do not mistake time-outs for times; which runs one row of a table must not mix
``live``         progress while runs go on
``tour.toml``    what ``pegcp compare`` runs where no problem is named
===============  ===========================================================================================

Nothing is imported here, so that the command line stays quick. Problems are names or Problem objects, methods their
written forms (``moves:order=off``). ``time_limit`` is in wall seconds, ``memory_limit`` in MB for the process tree.
At Ctrl-C, ``solve`` lets KeyboardInterrupt through and ``compare`` raises ``schedule.Interrupted``, a KeyboardInterrupt
with the ``results`` so far; either way no child process is left.
"""
