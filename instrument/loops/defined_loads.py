"""Loads whose bytes are asked ahead: was each given a value?  Then nothing has to follow them.

    for (i = 0; i < n; i++) c[i] = a[i] * k + b[2 * i];

    ranges    shadow of a[i] and of b[2 * i] in all turns of the strip, which must be zero
    loads     of that shadow: zero in the fast version, so LLVM drops what is made of them
    stores    of shadow to what is asked about: zeros where there are zeros
    begins    shadow that must be zero when the strip begins: of k

    plan = plan_defined(loop, forms)        DefinedPlan, or None when the loop has to stay

What turns store, and what is checked in them, has to be surely zero then (clear_values.py): a bit
that one turn sets could be among those that others were asked about, and a report belongs to its
turn.  So a loop that decides something by a value which is not asked ahead, as a search in a tree
does, has no strips.  Sums of such values may be anything: they only leave the loop.

Source: ours; MemorySanitizer follows each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from irsan.instrument.analysis.control_flow.linear_forms import LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.loops.address_hulls import MAX_STRIDE, Place, Range, hulls_of
from irsan.instrument.loops.clear_values import ClearValues
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Load, Store
from irsan.ir.values import BasicBlock, Function, Value

MAX_HULLS: Final = 16
SHADOW_OF: Final = frozenset(f"__irsan_bits_{word}" for word in ("from", "to", "at", "beside"))
SHOWN: Final = "__irsan_bits_shown"
_DECIDING: Final = frozenset(("__irsan_uninit_use", "__irsan_uninit_stored"))


@dataclass(slots=True)
class DefinedPlan:
    """What is asked about uninitialised bits ahead of the strips of a loop."""

    ranges: list[Range] = field(default_factory=list)
    loads: list[Instruction] = field(default_factory=list)
    stores: list[Instruction] = field(default_factory=list)
    begins: list[Value] = field(default_factory=list)


def callee_name(instruction: Instruction) -> str:
    """The function that an instruction calls, "" when it calls none by name."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return callee.name if isinstance(callee, Function) else ""


def follows_bits(instruction: Instruction) -> bool:
    """Whether an instruction looks for the shadow of bits, in code that strips may copy."""
    name = callee_name(instruction)
    return name in SHADOW_OF or name == SHOWN or name in _DECIDING


def loads_of_shadow(block: BasicBlock) -> list[Load]:
    """Loads of shadow in a block, but for those that look again behind `SHOWN`."""
    if any(callee_name(one) == SHOWN for one in block.instructions):
        return []
    return [
        one for one in block.instructions
        if isinstance(one, Load) and _shadow_of(one.pointer) is not None
    ]  # fmt: skip


def _shadow_of(pointer: Value) -> Value | None:
    """The address whose shadow is at `pointer`, None if it is no place of shadow."""
    if not isinstance(pointer, Call) or callee_name(pointer) not in SHADOW_OF:
        return None
    return pointer.operands[1]


def plan_defined(loop: Loop, forms: LinearForms, sizes: TypeSizes) -> DefinedPlan | None:
    """What can be asked ahead; None when a turn may store or decide by what is not."""
    places = list(_places(loop, forms, sizes))
    hulls = hulls_of(place for place in places if isinstance(place.key, Load))[:MAX_HULLS]
    found = DefinedPlan([hull for hull, _ in hulls])
    loads = [place.key for _, group in hulls for place in group]
    found.loads = [one for one in loads if isinstance(one, Load)]
    clear = ClearValues(loop, frozenset(found.loads))
    for value in _decisive(loop):
        if value is None or not clear.holds(value):
            return None
    found.begins = list(clear.begins)
    asked = {(one.form.terms, one.stride): (hull, group) for hull, group in hulls for one in group}
    for place in places:
        hull, group = asked.get((place.form.terms, place.stride), (None, []))
        if isinstance(place.key, Store) and hull is not None and _lies_in(place, hull, group):
            found.stores.append(place.key)
    return found


def _lies_in(place: Place, hull: Range, group: list[Place]) -> bool:
    """Whether a place is among the bytes that are asked about for its turn."""
    lo = min(one.form.constant for one in group)
    return lo <= place.form.constant and place.end <= lo + hull.span


def _places(loop: Loop, forms: LinearForms, sizes: TypeSizes) -> Iterator[Place]:
    """Loads and stores of shadow whose addresses are known ahead."""
    for one in [one for block in loop.blocks for one in block.instructions]:
        if not isinstance(one, (Load, Store)):
            continue
        pointer = _shadow_of(one.pointer)
        if pointer is None:
            continue
        form = forms.of(pointer)
        stride = forms.stride(form) if form is not None else None
        if form is not None and stride is not None and abs(stride) <= MAX_STRIDE:
            kind = one.value.type if isinstance(one, Store) else one.type
            yield Place(one, pointer, form, stride, sizes.store_size(kind))


def _decisive(loop: Loop) -> Iterator[Value | None]:
    """Shadow that is stored or tested in the loop; None: what cannot be told."""
    for block in loop.blocks:
        for one in block.instructions:
            if isinstance(one, Store) and _shadow_of(one.pointer) is not None:
                yield one.value
            elif callee_name(one) in _DECIDING:
                yield _condition_of(loop, block)


def _condition_of(loop: Loop, cold: BasicBlock) -> Value | None:
    """What leads to a block on the cold side of a test."""
    ways = [block for block in loop.blocks if cold in block.successors]
    terminator = ways[0].instructions[-1] if len(ways) == 1 else None
    if terminator is None or terminator.opcode != "br" or not terminator.operands:
        return None
    successors = terminator.successors  # type: ignore[attr-defined]
    return terminator.operands[0] if successors[0] is cold and successors[1] is not cold else None
