"""Levels that grow from both ends of a problem until they meet."""

from pegcp.states.levels import Level, Levels
from pegcp.states.pagoda_bounds import Bounds


class MeetingLevels:
    """Levels that grow from the start and from the goal, the smaller one first, until they meet.

    Where the problem is its own reversal (:mod:`pegcp.theory.reversal`) one end is enough, and half of the levels.
    With ``keep`` all levels are kept, otherwise the last ones alone.
    """

    def __init__(self, levels: Levels, keep: bool) -> None:
        self.levels, self.keep = levels, keep
        self.ahead, self.behind = Bounds(levels), Bounds(levels, backwards=True)
        self.forwards, self.backwards = [levels.first()], [levels.last()]
        self.jumps, self.nodes, self.largest = 0, 0, 0  # from the start; positions; the size of the largest level

    def meet(self) -> Level:
        """Return the positions that solutions pass after ``self.jumps`` jumps; none if there is no solution."""
        levels, jumps = self.levels, self.levels.problem.lengths[-1]
        one_end = bool(len(self.backwards[0])) and levels.reversal is not None
        for _ in range(jumps // 2 if one_end else jumps):
            if not len(self.forwards[-1]) or not len(self.backwards[-1]):
                break
            if one_end or len(self.forwards[-1]) <= len(self.backwards[-1]):
                self.jumps += 1
                self._grow(self.forwards, self.ahead)
            else:
                self._grow(self.backwards, self.behind)
        last = self.forwards[-1]
        if not one_end:
            return last.common(self.backwards[-1])
        return self.ahead.mirrored(last) if jumps % 2 else last.common(last.reversed())

    def _grow(self, grown: list[Level], bounds: Bounds) -> None:
        grown.append(self.tally(bounds.next(grown[-1])))
        if not self.keep:
            del grown[0]
        sizes = {"forward": len(self.forwards[-1]), "backward": len(self.backwards[-1])}
        self.levels.run.report({"positions": self.nodes, **sizes})

    def tally(self, level: Level) -> Level:
        """Count the positions of a level; return the level."""
        self.nodes += len(level)
        self.largest = max(self.largest, len(level))
        return level
