"""Permutation groups of holes: the symmetries of a board and of a problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

Permutation = tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """A permutation group given by generators; ``degree`` points, ``order`` elements.

    A permutation p maps hole i to hole p[i].
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int

    def elements(self, limit: int | None = None) -> Iterator[Permutation]:
        """The elements, the identity first; at most ``limit`` of them."""
        identity = tuple(range(self.degree))
        seen = {identity}
        queue = [identity]
        for element in queue:
            if limit is not None and len(queue) > limit:
                break
            for generator in self.generators:
                product = tuple(generator[i] for i in element)
                if product not in seen:
                    seen.add(product)
                    queue.append(product)
        yield from queue[:limit]

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Classes of points that the group carries into each other, each sorted, in order of their first point."""
        parent = list(range(self.degree))

        def root(i: int) -> int:
            while parent[i] != i:
                i = parent[i]
            return i

        for generator in self.generators:
            for i, j in enumerate(generator):
                a, b = sorted((root(i), root(j)))
                parent[b] = a
        classes: dict[int, list[int]] = {}
        for i in range(self.degree):
            classes.setdefault(root(i), []).append(i)
        return tuple(tuple(members) for members in classes.values())


def image(permutation: Permutation, mask: int) -> int:
    """The set of holes (a bit mask) that a permutation makes of another."""
    result = 0
    i = 0
    while mask:
        if mask & 1:
            result |= 1 << permutation[i]
        mask >>= 1
        i += 1
    return result


def from_elements(elements: Sequence[Permutation]) -> Group:
    """The group with exactly these elements (a set closed under composition)."""
    distinct = sorted(set(elements))
    identity = tuple(range(len(distinct[0])))
    return Group(len(identity), tuple(p for p in distinct if p != identity), len(distinct))


def automorphisms(points: int, lines: Sequence[tuple[int, int, int]]) -> Group:
    """All permutations of the points that map lines to lines, middles to middles.

    A stabiliser chain: fix points one after the other; for every point that the next one might be carried to, one
    isomorphism search (VF2, networkx) either finds an automorphism, which becomes a generator, or shows there is none.
    """
    import networkx as nx
    from networkx.algorithms.isomorphism import GraphMatcher, categorical_node_match

    graph = nx.Graph()
    graph.add_nodes_from(range(points))
    for number, (a, over, b) in enumerate(lines):
        # A line is a vertex joined to its ends and, through a second vertex, to its middle.
        graph.add_edges_from(((("line", number), a), (("line", number), b)))
        graph.add_edges_from(((("line", number), ("middle", number)), (("middle", number), over)))
    kinds = {node: "hole" if isinstance(node, int) else node[0] for node in graph}
    same_colour = categorical_node_match("colour", None)

    def automorphism(fixed: Sequence[int], source: int, target: int) -> Permutation | None:
        pins = [(i, i) for i in fixed] + [(source, target)]
        before, after = (_refined(graph, kinds, [pin[side] for pin in pins]) for side in (0, 1))
        if sorted(before.values()) != sorted(after.values()):
            return None
        left, right = graph.copy(), graph.copy()
        nx.set_node_attributes(left, before, "colour")
        nx.set_node_attributes(right, after, "colour")
        for mapping in GraphMatcher(left, right, node_match=same_colour).isomorphisms_iter():
            return tuple(mapping[i] for i in range(points))
        return None

    generators: list[Permutation] = []
    order = 1
    fixed: list[int] = []
    for point in range(points):
        level: list[Permutation] = [g for g in generators if all(g[i] == i for i in fixed)]
        orbit = _orbit(point, level)
        for target in range(point + 1, points):
            if target in orbit:
                continue
            found = automorphism(fixed, point, target)
            if found is not None:
                generators.append(found)
                level.append(found)
                orbit = _orbit(point, level)
        order *= len(orbit)
        fixed.append(point)
    return Group(points, tuple(generators), order)


def _orbit(point: int, generators: Sequence[Permutation]) -> set[int]:
    orbit = {point}
    queue = [point]
    for i in queue:
        for generator in generators:
            if generator[i] not in orbit:
                orbit.add(generator[i])
                queue.append(generator[i])
    return orbit


def _refined(graph: object, kinds: dict[object, str], pins: Sequence[int]) -> dict[object, str]:
    """Colours after pinning points and refining (Weisfeiler and Leman) until nothing changes; names are canonical."""
    import networkx as nx

    assert isinstance(graph, nx.Graph)
    colours = dict(kinds)
    for number, point in enumerate(pins):
        colours[point] = f"pin{number}"
    while True:
        signature = {node: (colours[node], tuple(sorted(colours[n] for n in graph[node]))) for node in graph}
        rank = {s: str(i) for i, s in enumerate(sorted(set(signature.values())))}
        refined = {node: rank[s] for node, s in signature.items()}
        if len(rank) == len(set(colours.values())):
            return refined
        colours = refined
