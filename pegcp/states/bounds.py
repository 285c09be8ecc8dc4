"""Levels without the positions that pagoda functions exclude: they cannot be reached, or do not lead to the goal.

The weight of the pegs never grows (:mod:`pegcp.theory.pagoda`), so a position that weighs less than the goal does not
lead to it, and one that weighs more than the start does not come from it. Of the functions that limit the jumps of the
problem, those are taken for a level that exclude most of a sample of it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pegcp.game.symmetry import image
from pegcp.states.levels import Levels
from pegcp.states.positions import Level
from pegcp.theory.pagoda import PagodaFunction, Weights, pagodas, weight

_WORTH = 100_000  # positions from which on a level is worth the linear programs
_SAMPLE = 2048  # positions
_MOST = 16  # functions
_GAIN = 0.005  # of the sample: what a function must exclude to be taken
_BYTE = 128


class Bounds:
    """The bounds of a problem on positions, forwards from the start or ``backwards`` from the goal."""

    def __init__(self, levels: Levels, backwards: bool = False) -> None:
        self.levels, self.backwards = levels, backwards

    def kept(self, level: Level) -> Level:
        """The positions of a level that are not excluded. Small levels are left as they are."""
        if isinstance(level, list) or len(level) < _WORTH:
            return level
        weights, least = self.all
        chosen = self._chosen(level[:: 1 + len(level) // _SAMPLE])
        return self.levels.words.within(level, weights[chosen], least[chosen]) if chosen else level

    @cached_property
    def all(self) -> tuple[Any, Any]:
        """Weights of the holes, a row for each bound, and the least weights; those that fit a byte."""
        import numpy as np

        found = [self._bound(function) for function in pagodas(self.levels.problem)]
        fits = [
            (weights, least)
            for weights, least in found
            if least - _BYTE <= sum(min(w, 0) for w in weights) and sum(max(w, 0) for w in weights) < least + _BYTE
        ]
        weights = np.array([weights for weights, _ in fits], np.int16).reshape(-1, len(self.levels.problem.board.holes))
        return weights, np.array([least for _, least in fits], np.int16)

    def _bound(self, function: PagodaFunction) -> tuple[Weights, int]:
        """Weights, and the least that a position may weigh. Backwards the most: as the least of negative weights."""
        weights, start = function.weights, self.levels.problem.start.mask
        if not self.backwards:
            return weights, weight(weights, start) - function.slack
        # A position stands for its class: what can be reached is an image of it.
        most = max(weight(weights, image(p, start)) for p in self.levels.symmetries)
        return tuple(-w for w in weights), -most

    def _chosen(self, sample: Level) -> list[int]:
        """The bounds that exclude most of a sample, each most of what those before it have left."""
        weights, least = self.all
        excluded = self.levels.words.weights(sample, weights) < least
        enough, chosen = _GAIN * len(sample), list[int]()
        while len(chosen) < min(_MOST, len(least)):
            counts = excluded.sum(axis=0)
            best = int(counts.argmax())
            if counts[best] <= enough:
                break
            chosen.append(best)
            excluded = excluded[~excluded[:, best]]
        return chosen
