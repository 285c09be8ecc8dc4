"""The same comparison on a cluster: any executor will do, here that of two Dask workers on this machine.

Needs Dask: pip install "pegcp[dask]". On a real cluster, give Client the address of its scheduler.
"""

import sys

import pegcp

try:
    from distributed import Client, LocalCluster
except ImportError:
    sys.exit('this example needs Dask: pip install "pegcp[dask]"')

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1) as cluster, Client(cluster) as client:
        results = pegcp.compare(["triangle15", "XXXoXXX"], ["dfs", "constraint"], executor=client.get_executor())
    for result in results:
        print(f"{result.problem.name} by {result.method}: {result.status}")
