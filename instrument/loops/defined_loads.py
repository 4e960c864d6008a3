"""Loads whose bytes are asked ahead: was each given a value?  Then nothing has to follow them.

    for (i = 0; i < n; i++) c[i] = a[i] * k + b[2 * i];

    ranges    shadow of a[i] and of b[2 * i] in all turns of the strip, which must be zero
    loads     of that shadow: zero in the fast version, so LLVM drops what is made of them
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
SHADOW_OF: Final = frozenset(f"__irsan_bits_{word}" for word in ("from", "to", "at"))
SHOWN: Final = "__irsan_bits_shown"
_DECIDING: Final = frozenset(("__irsan_uninit_use", "__irsan_uninit_stored"))


@dataclass(slots=True)
class DefinedPlan:
    """What is asked about uninitialised bits ahead of the strips of a loop."""

    ranges: list[Range] = field(default_factory=list)
    loads: list[Instruction] = field(default_factory=list)
    begins: list[Value] = field(default_factory=list)


def callee_name(instruction: Instruction) -> str:
    """The function that an instruction calls, "" when it calls none by name."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return callee.name if isinstance(callee, Function) else ""


def follows_bits(instruction: Instruction) -> bool:
    """Whether an instruction looks for the shadow of bits, in code that strips may copy."""
    name = callee_name(instruction)
    return name in SHADOW_OF or name == SHOWN or name in _DECIDING


def plan_defined(loop: Loop, forms: LinearForms, sizes: TypeSizes) -> DefinedPlan | None:
    """What can be asked ahead; None when a turn may store or decide by what is not."""
    found = DefinedPlan()
    for hull, places in hulls_of(_places(loop, forms, sizes))[:MAX_HULLS]:
        found.ranges.append(hull)
        found.loads += [place.key for place in places if isinstance(place.key, Load)]
    clear = ClearValues(loop, frozenset(found.loads))
    for value in _decisive(loop):
        if value is None or not clear.holds(value):
            return None
    found.begins = list(clear.begins)
    return found


def _places(loop: Loop, forms: LinearForms, sizes: TypeSizes) -> Iterator[Place]:
    """Loads of shadow whose addresses are known ahead."""
    for one in [one for block in loop.blocks for one in block.instructions]:
        shadow = one.pointer if isinstance(one, Load) else None
        if not isinstance(shadow, Instruction) or callee_name(shadow) not in SHADOW_OF:
            continue
        pointer = shadow.operands[1]
        form = forms.of(pointer)
        stride = forms.stride(form) if form is not None else None
        if form is not None and stride is not None and abs(stride) <= MAX_STRIDE:
            yield Place(one, pointer, form, stride, sizes.store_size(one.type))


def _decisive(loop: Loop) -> Iterator[Value | None]:
    """Shadow that is stored or tested in the loop; None: what cannot be told."""
    for block in loop.blocks:
        for one in block.instructions:
            if isinstance(one, Store) and isinstance(one.pointer, Instruction):
                if callee_name(one.pointer) in SHADOW_OF:
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
