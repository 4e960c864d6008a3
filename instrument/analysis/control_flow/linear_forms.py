"""Values of a loop as sums: what does not change in it, its counters, and a constant.

    %i = phi [0, %before], [%next, %latch]       %next = add nuw nsw i64 %i, 1

    gep i32, ptr %a, i64 %i                       {%a: 1, %i: 4} + 0      4 bytes more each turn
    gep {i32, i32}, ptr %a, i64 %next, i32 1      {%a: 1, %i: 8} + 12     8 bytes more
    gep i32, ptr %a, i64 (load ...)               None

    forms = LinearForms(loop, sizes)
    forms.of(value)          the sum, or None
    forms.stride(form)       by how much it grows from turn to turn
    forms.step(phi)          by how much a counter does, or None

A counter is a phi of the header that grows by the same number each turn.  A number that is widened
is followed only where it surely does not wrap around before (nsw, nuw).

Source: Bachmann, Wang, Zima, "Chains of Recurrences" (ISSAC 1994), those of first order.
Soundness: sums hold modulo 2^64, and for values that are not poison.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.analysis.control_flow.natural_loops import Loop
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.constants import ConstantInt
from irsan.ir.memory import GetElementPtr
from irsan.ir.operations import BinaryOp, Cast, Freeze
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, VectorType
from irsan.ir.values import Value

MAX_DEPTH = 12
_WORD = 1 << 64
_SIGNED, _UNSIGNED = "nsw", "nuw"

Atom = tuple[Value, str]
"""A value that is not looked into, and how it was widened: "", nsw (signed) or nuw (unsigned)."""


class Form(NamedTuple):
    """The sum of `factor * atom` over `terms`, sorted by identity, and `constant`."""

    terms: tuple[tuple[Atom, int], ...]
    constant: int


class LinearForms:
    """Answers about the values of one loop, each found once."""

    __slots__ = ("_forms", "_inside", "_latch", "_phis", "_sizes", "_steps")

    def __init__(self, loop: Loop, sizes: TypeSizes) -> None:
        self._sizes, self._latch = sizes, loop.latch
        self._inside = {one for block in loop.blocks for one in block.instructions}
        self._phis = set(loop.header.phis())
        self._forms: dict[tuple[Value, str], Form | None] = {}
        self._steps: dict[Phi, int | None] = {}

    def is_fixed(self, value: Value) -> bool:
        """Whether the loop does not compute `value`."""
        return value not in self._inside

    def of(self, value: Value, depth: int = MAX_DEPTH) -> Form | None:
        """What `value` is the sum of; None when one part is neither fixed nor a counter."""
        return self._of(value, "", depth)

    def stride(self, form: Form) -> int | None:
        """By how much a sum grows each turn, as a signed number; None: not always the same."""
        grown = 0
        for atom, factor in form.terms:
            step = self._grown(atom)
            if step is None:
                return None
            grown += factor * step
        return _signed(grown, _WORD)

    def step(self, phi: Phi) -> int | None:
        """By how much a phi of the header grows each turn, as a signed number; None: not always."""
        if phi not in self._steps:
            self._steps[phi] = None  # while it is looked for
            self._steps[phi] = self._find_step(phi, "")
        return self._steps[phi]

    def _grown(self, atom: Atom) -> int | None:
        value, flag = atom
        if not isinstance(value, Phi) or value not in self._phis:
            return 0
        return self._find_step(value, flag) if flag else self.step(value)

    def _find_step(self, phi: Phi, flag: str) -> int | None:
        """The step of a phi; with a flag only when no step ever wraps around."""
        following = [value for value, block in phi.incoming if block is self._latch]
        if len(set(following)) != 1:
            return None
        form = self._of(following[0], flag, MAX_DEPTH)
        if form is None or len(form.terms) != 1 or form.terms[0] != ((phi, flag), 1):
            return None
        return form.constant

    def _of(self, value: Value, flag: str, depth: int) -> Form | None:
        key = value, flag
        if key not in self._forms:
            self._forms[key] = None
            self._forms[key] = self._compute(value, flag, depth)
        return self._forms[key]

    def _compute(self, value: Value, flag: str, depth: int) -> Form | None:
        if isinstance(value, ConstantInt):
            return Form((), value.unsigned if flag == _UNSIGNED else value.value)
        if isinstance(value.type, VectorType):
            return None
        if value not in self._inside:
            return Form((((value, flag), 1),), 0)
        if isinstance(value, Phi):
            return self._of_phi(value, flag)
        if not depth:
            return None
        if isinstance(value, GetElementPtr):
            return self._of_gep(value, depth - 1)
        if isinstance(value, BinaryOp):
            return self._of_operation(value, flag, depth - 1)
        if isinstance(value, Cast):
            return self._of_cast(value, flag, depth - 1)
        return self._of(value.operands[0], flag, depth - 1) if isinstance(value, Freeze) else None

    def _of_phi(self, phi: Phi, flag: str) -> Form | None:
        if phi not in self._phis:
            return None
        atom = Form((((phi, flag), 1),), 0)
        if not flag:
            return atom
        self._forms[phi, flag] = atom  # the step is found in terms of it
        return atom if self._find_step(phi, flag) is not None else None

    def _of_gep(self, gep: GetElementPtr, depth: int) -> Form | None:
        if isinstance(gep.operands[0].type, VectorType):
            return None
        form = self._of(gep.operands[0], "", depth)
        fixed = [one if isinstance(one, ConstantInt) else _zero(one) for one in gep.operands[1:]]
        offset = self._sizes.gep_offset(gep.source_type, fixed)
        if form is None or offset is None:
            return None
        form = Form(form.terms, form.constant + offset)
        for at, index in enumerate(gep.operands[1:]):
            if form is not None and not isinstance(index, ConstantInt):
                one = [*fixed[:at], ConstantInt(index.type, 1), *fixed[at + 1 :]]  # type: ignore[arg-type]
                moved = self._sizes.gep_offset(gep.source_type, one)
                form = None if moved is None else self._moved(form, index, moved - offset, depth)
        return form

    def _moved(self, form: Form, index: Value, each: int, depth: int) -> Form | None:
        """`form` and an index of a gep, which steps over `each` bytes."""
        kind = index.type
        is_narrow = isinstance(kind, IntegerType) and kind.width < 64
        steps = self._of(index, _SIGNED if is_narrow else "", depth)
        return None if steps is None else _sum(form, steps, each)

    def _of_operation(self, operation: BinaryOp, flag: str, depth: int) -> Form | None:
        opcode, (left, right) = operation.opcode, operation.operands
        if opcode == "or" and "disjoint" in operation.flags:
            opcode = "add"
        elif flag and flag not in operation.flags:
            return None
        if opcode in ("add", "sub"):
            one, other = self._of(left, flag, depth), self._of(right, flag, depth)
            if one is None or other is None:
                return None
            return _sum(one, other, 1 if opcode == "add" else -1)
        if opcode not in ("mul", "shl") or not isinstance(right, ConstantInt):
            return None
        factor = right.value if opcode == "mul" else 1 << right.unsigned
        form = self._of(left, flag, depth)
        return None if form is None else _sum(Form((), 0), form, factor)

    def _of_cast(self, cast: Cast, flag: str, depth: int) -> Form | None:
        """Of a number that is made wider; of a second time only in the same way."""
        inner = _SIGNED if cast.opcode == "sext" or "nneg" in cast.flags else _UNSIGNED
        if cast.opcode not in ("sext", "zext") or flag not in ("", inner):
            return None
        return self._of(cast.operands[0], inner, depth)


def _sum(one: Form, other: Form, factor: int) -> Form:
    """`one` and `factor` times `other`."""
    terms = dict(one.terms)
    for atom, number in other.terms:
        terms[atom] = terms.get(atom, 0) + number * factor
    kept = [(atom, number) for atom, number in terms.items() if number]
    kept.sort(key=lambda term: (id(term[0][0]), term[0][1]))
    return Form(tuple(kept), one.constant + other.constant * factor)


def _signed(number: int, modulus: int) -> int:
    number %= modulus
    return number - modulus if number >= modulus // 2 else number


def _zero(index: Value) -> ConstantInt:
    return ConstantInt(index.type, 0)  # type: ignore[arg-type]
