"""What crosses a call: which arguments are checked, which pass their shadow on, what comes back.

    noundef argument, callee      checked at the call; the callee takes it as initialised
    other argument                its shadow is passed on
    aggregate passed in memory    its address is passed on, the callee copies the shadow from there
    noundef result                checked where it is returned
    other result                  its shadow comes back

With `crosses_calls` (clang's -fno-sanitize-memory-param-retval) nothing is taken as promised.

Shadow lies in one area for all calls, at eight bytes a word in the order of the parameters; what
does not fit counts as initialised.  The caller says for which function the area is meant, the
callee whose result it is: natively compiled code between the two says neither, and nothing is
taken from the area then.

Source: MemorySanitizer's `-fsanitize-memory-param-retval`, the default of clang.
Variadic arguments: variadic.py.
"""

from __future__ import annotations

from irsan.instrument.analysis.calls.followed_calls import is_followed
from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.types import FunctionType, TypeID
from irsan.ir.values import Argument, Function, Value

AREA_BYTES = 800
_WORD = 8
_NEVER_ARRIVING = ("byval", "swifterror", "sret")


class CallFacts:
    """Questions about the calls of one module."""

    __slots__ = ("_types", "crosses_calls")

    def __init__(self, types: ShadowTypes, crosses_calls: bool = False) -> None:
        self._types, self.crosses_calls = types, crosses_calls

    def offsets(self, signature: FunctionType) -> list[int | None]:
        """Byte of the area where each parameter's shadow begins; None beyond its end."""
        found: list[int | None] = []
        at = 0
        for kind in signature.parameters:
            size = -(-self._types.size_bytes(kind) // _WORD) * _WORD
            found.append(at if at + size <= AREA_BYTES and size else None)
            at += size
        return found

    def checked(self, call: Call | CallTerminator) -> list[Value]:
        """Arguments, and a callee known only at run time, that must be initialised."""
        if not is_followed(call):
            return []
        found = [
            argument
            for index, argument in enumerate(call.arguments)
            if self._is_promised(call, index)
        ]
        callee = call.operands[0]
        return found if isinstance(callee, Function) else [callee, *found]

    def passed(self, call: Call | CallTerminator) -> list[tuple[int, Value, int]]:
        """(index, argument, offset) of the arguments whose shadow is passed on."""
        if not is_followed(call):
            return []
        offsets = self.offsets(call.function_type)
        return [
            (index, argument, offset)
            for index, (argument, offset) in enumerate(zip(call.arguments, offsets, strict=False))
            if offset is not None
            and not self._is_promised(call, index)
            and not _promises(call, index, "byval")
            and self._types.of(argument.type) is not None
        ]

    def copied(self, call: Call | CallTerminator) -> list[tuple[Value, int]]:
        """(address, offset) of the aggregates that are passed in memory."""
        if not is_followed(call):
            return []
        offsets = self.offsets(call.function_type)
        return [
            (argument, offset)
            for index, (argument, offset) in enumerate(zip(call.arguments, offsets, strict=False))
            if offset is not None and _promises(call, index, "byval")
        ]

    def mattering(self, call: Call | CallTerminator) -> list[Value]:
        """Operands whose shadow is asked for at the call."""
        passed = [argument for _, argument, _ in self.passed(call)]
        if call.function_type.is_vararg and is_followed(call):
            passed += call.arguments[len(call.function_type.parameters) :]
        return [*self.checked(call), *passed]

    def may_return_bits(self, call: Call | CallTerminator) -> bool:
        """Whether the result may have undefined bits, whose shadow the callee passes."""
        result = call.type
        if result.type_id is TypeID.VOID or not is_followed(call):
            return False
        size = self._types.size_bytes(result)
        if self._types.of(result) is None or not 0 < size <= AREA_BYTES:
            return False
        if getattr(call, "tail", "") == "musttail":
            return False
        callee = call.operands[0]
        promised = [*call.attributes.returns]
        if isinstance(callee, Function):
            promised += callee.attributes.returns
        return self.crosses_calls or find_attribute(tuple(promised), "noundef") is None

    def may_arrive(self, function: Function, argument: Argument) -> bool:
        """Whether a caller may pass undefined bits without a report."""
        attributes = function.attributes.parameter(argument.index)
        if not self.crosses_calls and find_attribute(attributes, "noundef"):
            return False
        return not any(find_attribute(attributes, kind) for kind in _NEVER_ARRIVING)

    def returns_checked(self, function: Function) -> bool:
        """Whether what a function returns must be initialised."""
        if function.name == "main":
            return True
        promised = find_attribute(function.attributes.returns, "noundef")
        return promised is not None and not self.crosses_calls

    def _is_promised(self, call: Call | CallTerminator, index: int) -> bool:
        return not self.crosses_calls and _promises(call, index, "noundef")


def _promises(call: Call | CallTerminator, index: int, kind: str) -> bool:
    if find_attribute(call.attributes.parameter(index), kind):
        return True
    callee = call.operands[0]
    if not isinstance(callee, Function):
        return False
    return find_attribute(callee.attributes.parameter(index), kind) is not None
