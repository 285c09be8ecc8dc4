"""The state graph: counts by level against published ones, the graph itself, its picture."""

from __future__ import annotations

import json
from itertools import islice, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from parts import need

import pegcp
from pegcp.errors import InputError
from pegcp.method import Limits, Run
from pegcp.states.graph import level_counts, shortest_path, state_graph, written

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "published_counts.json").read_text())


def counts(name: str, symmetry: bool, levels: int | None = None, seconds: float = 60) -> list[int]:
    found = level_counts(pegcp.problem(name), Run(Limits(time=seconds)), symmetry)
    return [count.positions for count in islice(found, levels)]


@pytest.mark.thorough
def test_french_levels() -> None:
    assert counts("french:d4->?", True, 10) == PUBLISHED["french37_center"]["positions_per_jump_mod_symmetry"][:10]


@pytest.mark.thorough
def test_english_levels() -> None:
    assert counts("english", True, 11) == PUBLISHED["english33_center"]["positions_per_jump_mod_symmetry"][:11]


@pytest.mark.slow
def test_all_english_classes() -> None:
    found = list(level_counts(pegcp.problem("english"), Run(Limits(time=250))))
    published = PUBLISHED["english33_center"]
    assert [count.positions for count in found] == published["positions_per_jump_mod_symmetry"][:32]
    assert sum(count.positions for count in found) == 23_475_688
    assert [count.goals for count in found] == [0] * 31 + [1]
    assert sum(count.single_pegs for count in found) == len(published["single_peg_finishes_mod_symmetry"])
    assert [count.dead_ends for count in found].index(1) == published["shortest_dead_end_jumps"]


@pytest.mark.parametrize(("hole", "number"), [("a1", "1"), ("a2", "2"), ("a3", "4"), ("b3", "5")])
def test_triangle_levels(hole: str, number: str) -> None:
    published = json.loads((DATA / "triangle15.json").read_text())["by_start_hole"][number]["positions_per_jump"]
    assert counts(f"triangle15:{hole}->?", False) == published


def test_graph_and_levels_agree() -> None:
    need("networkx")
    for name in ("triangle15:a1->?", "XXoXXXXX", "cycle8"):
        for symmetry in (True, False):
            problem = pegcp.problem(name)
            graph = state_graph(problem, symmetry)
            by_level: dict[int, int] = {}
            for vertex in graph:
                level = graph.nodes[vertex]["level"]
                by_level[level] = by_level.get(level, 0) + 1
            found = list(level_counts(problem, Run(), symmetry))
            assert list(by_level.values()) == [count.positions for count in found]
            assert sum(graph.nodes[v]["goal"] for v in graph) == sum(count.goals for count in found)
            assert sum(graph.nodes[v]["dead_end"] for v in graph) == sum(count.dead_ends for count in found)
            assert all(graph.nodes[b]["level"] == graph.nodes[a]["level"] + 1 for a, b in graph.edges)
            assert all((graph.out_degree(v) == 0) == graph.nodes[v]["dead_end"] for v in graph)


def test_shortest_path() -> None:
    need("networkx")
    problem = pegcp.problem("triangle15:a1->?")
    for symmetry in (True, False):
        graph = state_graph(problem, symmetry)
        path = shortest_path(graph)
        assert path is not None
        assert len(path) == 14
        assert path[0] == graph.graph["start"]
        assert all(graph.has_edge(a, b) for a, b in pairwise(path))
        assert graph.nodes[path[-1]]["goal"]
    path = shortest_path(state_graph(pegcp.problem("triangle15:b3!")))
    assert path is not None
    assert len(path) == 5
    assert shortest_path(state_graph(pegcp.problem("XXoXXoX"))) is None


def test_written_graphs() -> None:
    need("networkx")
    import networkx as nx

    problem = pegcp.problem("XXXXoX")
    graph = state_graph(problem)
    picture = ElementTree.fromstring(written(problem, graph, "svg"))
    space = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f".//{space}circle")) == len(graph)
    assert len(picture.findall(f".//{space}line")) == graph.size()
    assert nx.parse_graphml(written(problem, graph, "graphml")).size() == graph.size()
    assert len(json.loads(written(problem, graph, "json"))["nodes"]) == len(graph)
    with pytest.raises(InputError, match="svg, graphml"):
        written(problem, graph, "gif")


def test_too_large() -> None:
    need("networkx")
    with pytest.raises(InputError, match="more than 100 position classes"):
        state_graph(pegcp.problem("english"), limit=100)


@pytest.mark.thorough
def test_time_limit() -> None:
    with pytest.raises(TimeoutError):
        counts("french:d4->?", True, None, 0.2)


def test_a_graph_of_positions_is_public() -> None:
    need("networkx")
    assert pegcp.graph("XoXX").number_of_nodes() == 3
