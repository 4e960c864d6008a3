"""Arguments passed by value in memory: the call copies them, so it reads the caller's object.

    call f(ptr byval(%struct.big) %p)      __asan_loadN(%p, size)  __tsan_read_range(%p, size)  call

Source: LLVM's AddressSanitizer pass, which treats byval arguments as reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from irsan.instrument.access.access_checks import Access, add_checks
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.passes import Handler, Out
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.instruction import Instruction
from irsan.ir.types import Type


@dataclass(frozen=True, slots=True)
class ByvalArguments:
    """Checks of what calls copy."""

    def handlers(self) -> Mapping[str, Handler]:
        return {"call": _before_call, "invoke": _before_call, "callbr": _before_call}


def _before_call(scope: FunctionScope, instruction: Instruction, out: Out) -> Instruction:
    assert isinstance(instruction, (Call, CallTerminator))
    for index, attributes in enumerate(instruction.attributes.parameters):
        if not attributes:
            continue
        copied = find_attribute(attributes, "byval")
        if copied is not None and isinstance(copied.value, Type):
            alignment = find_attribute(attributes, "align")
            known = alignment.value if alignment is not None else 1
            access = Access(
                instruction.operands[1 + index],
                scope.sizes.store_size(copied.value),
                known if isinstance(known, int) else 1,
                False,
            )
            add_checks(scope, access, instruction.debug_location, out)
    return instruction
