"""Accesses a constant step behind their root: the shadow between them says that it is one object.

    this->last        16 bytes at least stand between two objects, so none do between the root and
                      the access where no granule in between has shadow

    root    |g0 ........ g0+7|  |g1 ........ g1+7|  access     up to four looks at 8 bytes of shadow

Nothing is looked up and no value is kept. What says no goes to `__irsan_slow_near`, which asks for
the object of the root as a question would (object_extents.py).

    near = NearRoots(provenance, homes)
    looks = near.looks(pointer, block)     what to look at; None: ask for the object
                                           () where accesses before it have looked at all of that

Only within the loops that the root is in: a question in front of a loop is asked once.

Soundness: what stands between two objects has two bytes of shadow, and one byte at most is left
out: that before the access, or between two looks. Accesses are asked for in the order of their
blocks, one that stands on every way to another comes first, and its own check has seen its bytes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from irsan.instrument.access.access_checks import is_vtable_access
from irsan.instrument.analysis.control_flow.value_homes import ValueHomes
from irsan.instrument.analysis.objects.underlying_object import Provenance
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantNull
from irsan.ir.memory import Load
from irsan.ir.operations import Select
from irsan.ir.phi import Phi
from irsan.ir.values import Argument, BasicBlock, Value

GRANULE_BYTES: Final = 8
LOOK: Final = 8  # granules that one look sees
MAX_LOOKS: Final = 4  # of one access
_MAX_GRANULES: Final = MAX_LOOKS * (LOOK + 1)  # that so many looks tell of
_MAX_JOINED: Final = 32


class Looks(NamedTuple):
    """Granules from that of the root on at which looks begin; the last one may stand again."""

    root: Value
    at: tuple[int, ...]


def looks_between(first: int, end: int) -> tuple[int, ...]:
    """Where looks begin that leave out one of the granules [first, end) at most between two of
    them and in front of them; none when there is but one. The last one ends at `end`."""
    if end - first <= 1:
        return ()
    at = [end - LOOK]
    while at[-1] - first > 1:
        at.append(max(at[-1] - LOOK - 1, first))
    return tuple(at[::-1])


class NearRoots:
    """Answers for one function; each access is asked for once, in the order of the code."""

    __slots__ = ("_homes", "_provenance", "_roots", "_seen")

    def __init__(self, provenance: Provenance, homes: ValueHomes) -> None:
        self._provenance, self._homes = provenance, homes
        self._roots: dict[Value, bool] = {}
        self._seen: dict[Value, list[tuple[BasicBlock, int]]] = {}

    def looks(self, pointer: Value, block: BasicBlock) -> Looks | tuple[()] | None:
        """What an access in `block` has to look at; see above."""
        root, offset = self._provenance.strip(pointer)
        if offset is None or offset < LOOK * GRANULE_BYTES or not self._is_root(root):
            return None
        if not self._is_in_loops_of(root, block):
            return None
        end = offset // GRANULE_BYTES
        first = self._known(root, block, end) + 1
        if end - first > _MAX_GRANULES:
            return None
        at = looks_between(first, end)
        found = Looks(root, at + at[-1:] * (MAX_LOOKS - len(at))) if at else ()
        self._seen.setdefault(self._key(root), []).append((block, end))
        return found

    def _known(self, root: Value, block: BasicBlock, end: int) -> int:
        """The last granule behind the root, up to `end`, that was seen on every way here; or -1."""
        seen = self._seen.get(self._key(root))
        if not seen:
            return -1
        dominates = self._homes.dominators.dominates
        near = [at for where, at in seen if at <= end + 1 and dominates(where, block)]
        return max(near, default=-1)

    def _key(self, root: Value) -> Value:
        """What stands for the root: one for all loads of a variable that is set once."""
        slot = self._provenance.slot_of(root)
        is_constant = slot is not None and len(self._provenance.slots[slot]) == 1
        return slot if slot is not None and is_constant else root

    def _is_root(self, value: Value) -> bool:
        """Whether the value points to where an object was found, and not to a step behind it."""
        found = self._roots.get(value)
        if found is None:
            found = self._roots[value] = self._is_joined_of_roots(value)
        return found

    def _is_joined_of_roots(self, value: Value) -> bool:
        seen, waiting = {value}, [value]
        while waiting:
            at = waiting.pop()
            behind = self._behind(at)
            if behind is None:
                return False
            for one in behind:
                base, offset = self._provenance.strip(one)
                if offset != 0:
                    return False
                if base not in seen:
                    seen.add(base)
                    waiting.append(base)
            if len(seen) > _MAX_JOINED:
                return False
        return True

    def _behind(self, value: Value) -> list[Value] | None:
        """What a join or a local variable gets its pointer from, [] for a root; None: no root."""
        if isinstance(value, Phi):
            return value.operands
        if isinstance(value, Select):
            return value.operands[1:]
        slot = self._provenance.slot_of(value)
        if slot is not None:
            return [site.store.operands[0] for site in self._provenance.slots[slot]]
        if isinstance(value, Load):
            return None if is_vtable_access(value) else []
        return [] if isinstance(value, (Argument, Call, ConstantNull)) else None

    def _is_in_loops_of(self, root: Value, block: BasicBlock) -> bool:
        """Whether a question for the root could not be asked less often than the access is made."""
        home = self._homes.home_of(root)
        return block is home or self._homes.dominators.outside(block, home) is block
