"""All positions of a board, counted by a cluster: here three Dask workers on this machine, which share a folder.

Run it with:  python examples/levels_on_a_cluster.py [PROBLEM] [FOLDER]

Needs Dask: pip install "pegcp[dask]". On a real cluster, give Client the address of its scheduler, and a folder that
all machines see. A worker that dies loses the shard it was working on, nothing else; after Ctrl-C or a kill the same
command goes on from there.
"""

import sys
import tempfile
from pathlib import Path

import pegcp
from pegcp.method import Limits, Run
from pegcp.states.graph import level_counts

try:
    from distributed import Client, LocalCluster
except ImportError:
    sys.exit('this example needs Dask: pip install "pegcp[dask]"')


def main(name: str, folder: Path) -> None:
    """Print the positions of each level, up to symmetry."""
    run = Run(Limits(time=30 * 24 * 3600, workers=1))
    total = 0
    with LocalCluster(n_workers=3, threads_per_worker=1) as cluster, Client(cluster) as client:
        for made, counts in enumerate(
            level_counts(pegcp.problem(name), run, folder=folder, executor=client.get_executor())
        ):
            total += counts.positions
            print(f"{made:3} jumps {counts.positions:14,} positions {counts.dead_ends:12,} dead ends", flush=True)
    print(f"{total:,} positions")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(sys.argv[1] if len(sys.argv) > 1 else "triangle21:a1->?", Path(*(sys.argv[2:3] or [temporary])))
