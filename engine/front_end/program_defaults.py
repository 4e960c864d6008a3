"""Options that a program carries itself: what `__asan_default_options` and similar return.

    const char *__asan_default_options(void) { return "detect_leaks=0"; }

The function is not run: it is read, and must be one `return` of a constant string, or of a pointer
variable, which then counts with the value that it starts with: natively the function runs before
anything else of the program, so there is little else it can do.

Source: sanitizer/asan_interface.h and its siblings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.runtime.flags.flag_table import Owner

if TYPE_CHECKING:
    from irsan.ir.values import Constant, Function, Value

_OWNERS: Final[tuple[Owner, ...]] = ("asan", "tsan", "lsan", "ubsan", "msan")


def program_defaults(units: Sequence[CompiledUnit]) -> dict[Owner, str]:
    """Option text by tool; a function that cannot be read is a warning on standard error."""
    found: dict[Owner, str] = {}
    for unit in units:
        present = [owner for owner in _OWNERS if owner in unit.traits.defaults]
        if present:
            found.update(_read_unit(unit, present))
    return found


def _name(owner: Owner) -> str:
    return f"__{owner}_default_options"


def _read_unit(unit: CompiledUnit, owners: Sequence[Owner]) -> Iterator[tuple[Owner, str]]:
    from irsan.ir.reading import parse_ir_bitcode

    module = parse_ir_bitcode(unit.bitcode)
    for owner in owners:
        function = module.function_by_name(_name(owner))
        if function is None or not function.blocks:
            continue
        text = returned_text(function)
        if text is not None:
            yield owner, text
            continue
        print(
            f"irsan: warning: {_name(owner)} does not just return a constant string; it is "
            f"ignored: set {owner.upper()}_OPTIONS",
            file=sys.stderr,
        )


def returned_text(function: Function) -> str | None:
    """The constant string that `function` returns, None when it does more than that."""
    last = function.blocks[0].instructions[-1]
    if len(function.blocks) > 1 or last.opcode != "ret" or not last.operands:
        return None
    return _text_of(_first_value(last.operands[0]))


def _first_value(value: Value) -> Value:
    """What a loaded variable holds when the program starts; other values are themselves."""
    from irsan.ir.instruction import Instruction
    from irsan.ir.values import GlobalVariable

    if not isinstance(value, Instruction) or value.opcode != "load":
        return value
    source = value.operands[0]
    if isinstance(source, GlobalVariable) and source.initializer is not None:
        return _unpadded(source.initializer)
    return value


def _unpadded(value: Value) -> Value:
    """The object itself, without a redzone behind it."""
    from irsan.ir.constants import ConstantAggregate

    is_padded = isinstance(value, ConstantAggregate) and bool(value.elements)
    return value.elements[0] if is_padded else value  # type: ignore[attr-defined]


def _text_of(value: Value) -> str | None:
    from irsan.ir.constants import ConstantAggregate, ConstantBytes, ConstantNull
    from irsan.ir.values import GlobalVariable

    if not isinstance(value, GlobalVariable) or value.initializer is None:
        return None
    raw: Constant = value.initializer
    if isinstance(raw, ConstantAggregate) and raw.elements:
        raw = raw.elements[0]  # a string with a redzone behind it
    if isinstance(raw, ConstantNull):
        return ""
    if not isinstance(raw, ConstantBytes):
        return None
    return raw.contents.partition(b"\0")[0].decode("utf-8", "replace")
