"""Where the shadow of an address is: asked once for all addresses at known distances from it.

    %v = load i32, ptr %p          %s = bits_from(%p)                   in front of both
    %w = load i32, ptr %p + 8      %t = bits_beside(%p + 8, %s, 8)      %s + 8

`bits_from` is a minimum, as addresses beyond the arena have no shadow; what is near such an address
has none either, and what is near the place that is read instead is zero, too (uninit_layout.py).
Bits that may be set are stored by `bits_to`, which leads to a place that nobody reads; zeros may be
stored where zeros are.

A place stands where its root is known, but in no loop that the root is not in.

Soundness: a place dominates its uses, and does not depend on what memory holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from irsan.instrument.analysis.control_flow.dominators import Dominators
from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.hook_calls import HookCalls
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.metadata import MetadataNode
from irsan.ir.values import BasicBlock, GlobalVariable, Value

if TYPE_CHECKING:
    from irsan.instrument.uninitialised.function_shadow import Out

NEAR_BYTES: Final = 1 << 20
"""Nearer than that to an address, shadow is where it would be (runtime/layout/uninit_layout.py)."""
_FROM: Final = "__irsan_bits_from"
_TO: Final = "__irsan_bits_to"
_AT: Final = "__irsan_bits_at"
_BESIDE: Final = "__irsan_bits_beside"


class ShadowPlaces:
    """The places of one function, whose blocks get them while it is rewritten."""

    __slots__ = ("_block", "_entry", "_facts", "_home", "_hooks", "_known", "_order", "_outs")

    def __init__(
        self,
        hooks: HookCalls,
        sizes: TypeSizes,
        blocks: Sequence[BasicBlock],
        order: Dominators,
    ) -> None:
        self._hooks, self._order, self._facts = hooks, order, AddressFacts(sizes)
        self._home = {one: block for block in blocks for one in block.instructions}
        self._block = self._entry = blocks[0]
        self._outs: dict[BasicBlock, Out] = {}
        self._known: dict[tuple[Value, str], list[tuple[BasicBlock, Value]]] = {}

    def begin_block(self, block: BasicBlock, out: Out) -> None:
        """From now on code goes to `out`, which is what `block` will be."""
        self._block, self._outs[block] = block, out

    def place(self, pointer: Value, location: MetadataNode | None, *, sets: bool) -> Value:
        """Where the shadow of what `pointer` points to is.

        sets: bits that are stored there may be set.
        """
        if _is_own_global(self._facts.object_of(pointer)):
            return self._append(_AT, [pointer], location)
        root, offset = self._facts.locate(pointer)
        hook = _TO if sets else _FROM
        if not -NEAR_BYTES < offset < NEAR_BYTES:
            return self._append(hook, [pointer], location)
        known = self._known_place(root, hook) or self._make(root, hook, location)
        if pointer is root:
            return known
        return self._append(_BESIDE, [pointer, known, self._hooks.int64(offset)], location)

    def once_more(self, place: Value, out: list[Instruction]) -> Value:
        """A place that `out` needs, made there: the processor adds while it loads, so nothing has
        to be kept on the usual way."""
        function = place.called_function if isinstance(place, Call) else None
        if not isinstance(place, Call) or function is None or function.name != _BESIDE:
            return place
        made = self._hooks.call(_BESIDE, place.operands[1:], place.debug_location)
        out.append(made)
        return made

    def _known_place(self, root: Value, hook: str) -> Value | None:
        for block, place in self._known.get((root, hook), ()):
            if self._order.dominates(block, self._block):
                return place
        return None

    def _make(self, root: Value, hook: str, location: MetadataNode | None) -> Value:
        """The place of a root, in front of loops that it is not in."""
        block = self._outside(root)
        if block is self._block:
            made = self._append(hook, [root], location)
        else:
            made = self._hooks.call(hook, [root], location)
            self._outs[block].insert(-1, made)
        self._known.setdefault((root, hook), []).append((block, made))
        return made

    def _outside(self, root: Value) -> BasicBlock:
        """The block for the place of a root, which the current one needs."""
        home = self._entry
        if isinstance(root, Instruction):
            found = self._home.get(root)
            if found is None or found.instructions[-1] is root:
                return self._block
            home = found
        return self._order.outside(self._block, home)

    def _append(
        self, hook: str, arguments: list[Value], location: MetadataNode | None
    ) -> Instruction:
        made = self._hooks.call(hook, arguments, location)
        self._outs[self._block].append(made)
        return made


def _is_own_global(root: Value) -> bool:
    """Whether an object is a variable of this program, which the arena holds."""
    return (
        isinstance(root, GlobalVariable) and not root.is_declaration and not root.thread_local
    )
