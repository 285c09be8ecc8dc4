"""The same comparison on an executor: here two processes of this machine.

On a cluster, give the executor of its scheduler, such as that of a Dask client: anything with the methods of
concurrent.futures.Executor.
"""

from concurrent.futures import ProcessPoolExecutor

import pegcp

if __name__ == "__main__":
    with ProcessPoolExecutor(2) as executor:
        results = pegcp.compare(["triangle15", "XXXoXXX"], ["dfs", "constraint"], executor=executor)
    for result in results:
        print(f"{result.problem.name} by {result.method}: {result.status}")
