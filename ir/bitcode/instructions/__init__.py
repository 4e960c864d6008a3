"""FUNCTION_BLOCK records that are instructions: code -> reader.

A reader gets the scope of the function and the record's operands, and returns the instruction.
"""

from __future__ import annotations

from collections.abc import Callable

from irsan.ir.bitcode.instructions.calls import CALL_READERS
from irsan.ir.bitcode.instructions.control import CONTROL_READERS
from irsan.ir.bitcode.instructions.memory import MEMORY_READERS
from irsan.ir.bitcode.instructions.operations import OPERATION_READERS
from irsan.ir.bitcode.scope import FunctionScope
from irsan.ir.instruction import Instruction

HANDLERS: dict[int, Callable[[FunctionScope, list[int]], Instruction]] = {
    **OPERATION_READERS,
    **MEMORY_READERS,
    **CALL_READERS,
    **CONTROL_READERS,
}
