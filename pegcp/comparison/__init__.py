"""Running and comparing methods: child processes with limits, tables, result files.

Nothing is imported here, so that the command line stays quick. What there is::

    from pegcp.comparison.runner import solve, run, Task
    from pegcp.comparison.schedule import compare, run_all, tasks, Interrupted, Event
    from pegcp.comparison.agreement import disagreements, Disagreement
    solve(problem, method=None, *, time_limit=60.0, memory_limit=None, seed=0, workers=2, on_progress=None) -> Result
    compare(problems, methods, *, time_limit=60.0, memory_limit=None, seeds=1, workers=2, jobs=1, executor=None,
            out=None, retry=False, on_event=None) -> list[Result]
    disagreements(results) -> list[Disagreement]          # exit status 4 if there are any

    from pegcp.comparison.table import Live, results_table
    with Live(tasks) as live:
        results = run_all(tasks, jobs=2, on_event=live.event)
    Console().print(results_table(results))

    from pegcp.comparison.tour import tour
    tour() -> list[Task]

Problems are names or Problem objects, methods their written forms (``moves:order=off``). ``time_limit`` is in wall
seconds, ``memory_limit`` in MB of the whole process tree. At Ctrl-C, ``solve`` lets KeyboardInterrupt through and
``compare`` raises Interrupted, a KeyboardInterrupt with the ``results`` so far; either way no child process is left.
"""
