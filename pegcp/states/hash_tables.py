"""Hash tables for positions, written out: chained ("open") and double ("closed") hashing.

Both hold whole numbers, count their probes and collisions, and grow to about twice their size when too full. Knuth, The
Art of Computer Programming, volume 3, section 6.4: chaining, and open addressing with double hashing (algorithm D).
"""

from math import isqrt
from typing import Any


class ChainedTable:
    """Open hashing: every slot has a list of the keys that hash to it; the number of slots is prime.

    ``probes``: entries or slots looked at; ``collisions``: keys that found another key at their first slot when they
    were entered; ``full``: the load factor (keys per slot) at which the table grows.
    """

    full = 1.0

    def __init__(self, size: int = 1009) -> None:
        self.size = next_prime(size)
        self.slots: list[Any] = [None] * self.size
        self.entries = self.probes = self.collisions = 0

    def __contains__(self, key: int) -> bool:
        for other in self.slots[key % self.size] or ():
            self.probes += 1
            if other == key:
                return True
        return False

    def add(self, key: int) -> None:
        """Enter a key that is not in the table."""
        if self.entries >= self.full * self.size:
            keys, self.size = self._keys(), next_prime(2 * self.size)
            self.slots = [None] * self.size
            for other in keys:
                self._put(other)
        self.collisions += self.slots[key % self.size] is not None
        self.entries += 1
        self._put(key)

    def _keys(self) -> list[int]:
        return [key for chain in self.slots for key in chain or ()]

    def _put(self, key: int) -> None:
        slot = key % self.size
        self.slots[slot] = [*(self.slots[slot] or ()), key]

    def statistics(self) -> dict[str, float]:
        """Return size, entries, load factor (keys per slot), probes and collisions."""
        return {
            "table_size": self.size,
            "stored": self.entries,
            "load_factor": round(self.entries / self.size, 3),
            "probes": self.probes,
            "collisions": self.collisions,
        }


class DoubleTable(ChainedTable):
    """Closed hashing: every slot holds one key; a second hash gives the step to the next slot to try.

    With a prime number of slots any step reaches all of them.
    """

    full = 0.7

    def __contains__(self, key: int) -> bool:
        slots, size = self.slots, self.size
        slot, step = key % size, 1 + key % (size - 2)
        while (other := slots[slot]) is not None:
            self.probes += 1
            if other == key:
                return True
            slot = (slot + step) % size
        return False

    def _keys(self) -> list[int]:
        return [key for key in self.slots if key is not None]

    def _put(self, key: int) -> None:
        slot, step = key % self.size, 1 + key % (self.size - 2)
        while self.slots[slot] is not None:
            slot = (slot + step) % self.size
        self.slots[slot] = key


def next_prime(number: int) -> int:
    """Return the least prime that is at least ``number`` and at least 5."""
    number = max(5, number | 1)
    while any(number % divisor == 0 for divisor in range(3, isqrt(number) + 1, 2)):
        number += 2
    return number
