"""Accesses that the redzones bound: a walk in steps too short to jump over one.

    for (i = 0; i < n; i++) sum += a[i];        every turn checks 8 bytes; the next are 8 further on

The walk begins at its root, where the shadow says what an access there would find.  Each turn's
access is checked against the shadow, and the next one lies less than a redzone behind it: so
the first one that leaves the object lands, in part at least, in the redzone between it and the
next.  The object itself need not be asked for.

What it loses: no finding, but a part of its words.  The redzone knows the address, and not which
object the pointer was derived from: the report describes the object next to the address, without
`derived-pointer` details and without the hint that names the pointer's object.  To keep them, the
loop would have to hold its root, and the fault's path to look its object up: for words that say
again what the location says.

    ShortSteps(function, sizes, provenance).bound(pointer, size_bytes, block)

Soundness: only innermost loops, only accesses that every turn makes, steps of less than
`REDZONE_BYTES` and the access's own size, counters that begin with constants.  An access whose
check is left out as done before was done with the same address.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from irsan.instrument.analysis.control_flow.linear_forms import Form, LinearForms
from irsan.instrument.analysis.control_flow.natural_loops import Loop, innermost_loops
from irsan.instrument.analysis.objects.underlying_object import Provenance
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.constants import ConstantInt
from irsan.ir.phi import Phi
from irsan.ir.types import PointerType
from irsan.ir.values import BasicBlock, Function, Value

REDZONE_BYTES: Final = 12  # behind a local variable of 4 bytes; 16 and more elsewhere


class _Start(NamedTuple):
    """Where the first turn's address is: behind one of `roots`."""

    roots: tuple[Value, ...]
    offset: int


class ShortSteps:
    """Answers for one function; its loops are looked for when they are asked for first."""

    __slots__ = ("_forms", "_function", "_limit", "_loops", "_provenance", "_sizes")

    def __init__(
        self, function: Function, sizes: TypeSizes, provenance: Provenance, limit_bytes: int
    ) -> None:
        """limit_bytes: an access by a constant offset below it is left to the redzones, too."""
        self._function, self._sizes, self._limit = function, sizes, limit_bytes
        self._provenance = provenance
        self._loops: dict[BasicBlock, Loop] | None = None
        self._forms: dict[Loop, LinearForms] = {}

    def bound(self, pointer: Value, size_bytes: int, block: BasicBlock) -> bool:
        """Whether an access of `size_bytes` in `block` cannot leave its object unseen."""
        loop = self._loop_of(block)
        if loop is None or size_bytes <= 0 or not loop.runs_each_turn(block):
            return False
        if loop not in self._forms:
            self._forms[loop] = LinearForms(loop, self._sizes)
        forms = self._forms[loop]
        form = forms.of(pointer)
        stride = forms.stride(form) if form is not None else None
        if form is None or stride is None or abs(stride) >= REDZONE_BYTES + size_bytes:
            return False
        start = _start_of(form, forms, loop)
        return start is not None and all(self._is_near(one, start.offset) for one in start.roots)

    def _loop_of(self, block: BasicBlock) -> Loop | None:
        if self._loops is None:
            self._loops = {
                inside: loop for loop in innermost_loops(self._function) for inside in loop.blocks
            }
        return self._loops.get(block)

    def _is_near(self, root: Value, offset: int) -> bool:
        """Whether the first address is too near to the root's own root to be in another object."""
        behind = self._provenance.strip(root).offset
        return (
            behind is not None
            and abs(behind + offset) < self._limit
            and not self._provenance.is_moved(root)
        )


def _start_of(form: Form, forms: LinearForms, loop: Loop) -> _Start | None:
    """The address of the first turn; None when it is more than one pointer and constants."""
    roots: tuple[Value, ...] = ()
    offset = form.constant
    for (value, flag), factor in form.terms:
        begins = (value,) if forms.is_fixed(value) else _before(value, loop)
        if isinstance(value.type, PointerType):
            if roots or factor != 1:
                return None
            roots = begins
        else:
            numbers = {
                one.unsigned if flag == "nuw" else one.value
                for one in begins if isinstance(one, ConstantInt)
            }  # fmt: skip
            if len(numbers) != 1 or not all(isinstance(one, ConstantInt) for one in begins):
                return None
            offset += factor * numbers.pop()
    return _Start(roots, offset) if roots else None


def _before(value: Value, loop: Loop) -> tuple[Value, ...]:
    """What a counter of a loop is in its first turn, by way in."""
    assert isinstance(value, Phi)
    return tuple(one for one, block in value.incoming if block is not loop.latch)
