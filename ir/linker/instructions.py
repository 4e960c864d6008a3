"""Bodies of functions rewritten in place: operands by meaning, types mapped.

Types stand in the results of instructions, in a few fields of some kinds (`_TYPED`), and in
constants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from irsan.ir.calls import Call, CallBr, CallTerminator, Invoke
from irsan.ir.control import Switch
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr
from irsan.ir.operations import ShuffleVector
from irsan.ir.values import Function, LocalValue

if TYPE_CHECKING:
    from irsan.ir.linker.transfer import Transfer


def rewrite_body(function: Function, transfer: Transfer) -> None:
    """Rewrites all instructions of a function."""
    map_type = transfer.types.map_type
    for block in function.blocks:
        block.type = map_type(block.type)
        for op in block.instructions:
            op.type = map_type(op.type)
            operands = op.operands
            for index, operand in enumerate(operands):
                if not isinstance(operand, LocalValue):
                    operands[index] = transfer.value(operand)
            special = _TYPED.get(op.__class__)
            if special is not None:
                special(op, transfer)
            _rewrite_metadata(op, transfer)


def _rewrite_metadata(op: Instruction, transfer: Transfer) -> None:
    if op.debug_location is not None:
        transfer.nodes[op.debug_location] = None
    if op.metadata:
        transfer.attachments(op.metadata)
    for record in op.debug_records:
        for item in record.operands:
            transfer.metadata(item)
        transfer.metadata(record.debug_location)


def _alloca(op: Instruction, transfer: Transfer) -> None:
    assert isinstance(op, Alloca)
    op.allocated_type = transfer.types.map_type(op.allocated_type)


def _get_element_ptr(op: Instruction, transfer: Transfer) -> None:
    assert isinstance(op, GetElementPtr)
    op.source_type = transfer.types.map_type(op.source_type)


def _call(op: Instruction, transfer: Transfer) -> None:
    assert isinstance(op, (Call, CallTerminator))
    op.function_type = transfer.types.map_type(op.function_type)  # type: ignore[assignment]
    op.attributes = transfer.attributes.of_call(op.attributes, op.callee)
    for bundle in op.bundles:
        bundle.operands = [
            one if isinstance(one, LocalValue) else transfer.value(one) for one in bundle.operands
        ]


def _shuffle_vector(op: Instruction, transfer: Transfer) -> None:
    assert isinstance(op, ShuffleVector)
    op.mask = transfer.constant(op.mask)


def _switch(op: Instruction, transfer: Transfer) -> None:
    assert isinstance(op, Switch)
    op.cases = [transfer.constant(value) for value in op.cases]


_TYPED: Final[dict[type, Callable[[Instruction, Transfer], None]]] = {
    Alloca: _alloca,
    GetElementPtr: _get_element_ptr,
    Call: _call,
    Invoke: _call,
    CallBr: _call,
    ShuffleVector: _shuffle_vector,
    Switch: _switch,
}
