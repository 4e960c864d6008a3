"""What a link takes from outside its objects, so that a kept one can be set right (kept_link.py).

    Moving     which words hold addresses of native libraries, by the link's own numbers
    Outside    the same by name, with where the names were
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irsan.engine.linker import plt, relocations
from irsan.engine.linker.demands import Demands, Surroundings, ifuncs, is_foreign
from irsan.engine.linker.elf import Array
from irsan.engine.linker.relocations import Fixups
from irsan.engine.linker.sections import Layout


@dataclass(frozen=True, slots=True)
class Moving:
    """What depends on addresses outside the arena.  Externals are named by their place in
    Surroundings.externals.

    places, externals: addresses of words that hold such an address, or lie at a distance from it.
    copies: address, external and size in bytes of copies of foreign objects.
    direct: externals that are functions, as their stub stands for them everywhere.
    """

    places: Array  # int64
    externals: Array  # int64
    copies: list[tuple[int, int, int]]
    direct: list[int]


@dataclass(frozen=True, slots=True)
class Outside:
    """What a link has found outside its objects.

    asked: addresses of names that its caller resolves, None for those that it does not.
    natives: addresses of names in native libraries, None for weak ones that are not there.
    places, owners: address of each word that holds one of these (or a distance to it), and the
    number of its name in `natives`.
    copies: address, number and size in bytes of copies of native objects.
    direct: numbers of names that are functions.
    """

    asked: dict[str, int | None]
    natives: dict[str, int | None]
    places: Array
    owners: Array
    copies: list[tuple[int, int, int]]
    direct: list[int]


@dataclass(frozen=True, slots=True)
class MovingParts:
    """What a link knows when its bytes are written."""

    known: Surroundings
    layout: Layout
    fixups: Fixups
    demands: Demands

    def found(
        self, values: Array, got: Array, copies: list[tuple[int, int, int]]
    ) -> Moving | None:
        """None where the image depends on more: thread-locals of others, indirect functions.

        values: int64 address per flat symbol, a stub's where it stands for a function everywhere.
        got: int64 slot per flat symbol.  copies: flat symbol, address and size in bytes.
        """
        demands, first = self.demands, self.known.table.n_symbols
        pairs = [flat for flat in demands.tls_pairs if flat >= first]
        if demands.tls_static or pairs or ifuncs(self.known.table):
            return None
        is_far = np.zeros(len(values), bool)
        is_far[first:] = is_foreign(values[first:])
        words, word_symbols = self._words(is_far)
        slots = np.array([flat for flat in demands.got if is_far[flat]], np.int64)
        stubs = np.array(demands.stubs, np.int64)
        at = self.layout.slots_lo + np.arange(len(stubs)) * plt.SLOT_BYTES
        return Moving(
            np.concatenate((words, got[slots], at)),
            np.concatenate((word_symbols, slots, stubs)).astype(np.int64) - first,
            [(place, flat - first, size) for flat, place, size in copies],
            [flat - first for flat in demands.direct],
        )

    def _words(self, is_far: Array) -> tuple[Array, Array]:
        """Whole words of the objects that mean something foreign: addresses, flat symbols."""
        fixups = self.fixups
        chosen = is_far[fixups.symbol] & (fixups.base == relocations.SYMBOL) & (fixups.width == 8)
        places = self.layout.section_addr[fixups.section[chosen]] + fixups.offset[chosen]
        return places, fixups.symbol[chosen]
