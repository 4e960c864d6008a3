"""One instruction as text, without its result name, debug location and attachments.

Each class has a function in `PRINTERS`; values are spelt by their `ref`, which the numbering has
set before.

Source: the LLVM Language Reference, "Instruction Reference".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irsan.ir import instructions as i
from irsan.ir.constants import ConstantInt
from irsan.ir.printing.attributes import AttributeTexts
from irsan.ir.text import escape_name
from irsan.ir.types import IntegerType
from irsan.ir.values import BasicBlock, InlineAsm, Value

Printer = Callable[[Any, AttributeTexts], str]


def _flagged(opcode: str, flags: tuple[str, ...]) -> str:
    return f"{opcode} {' '.join(flags)}" if flags else opcode


def _binary(op: i.BinaryOp, _: AttributeTexts) -> str:
    left, right = op.operands
    head = _flagged(op.opcode, op.flags)
    return f"{head} {left.type.text} {left.ref}, {right.ref}"


def _unary(op: i.UnaryOp, _: AttributeTexts) -> str:
    operand = op.operands[0]
    return f"{_flagged(op.opcode, op.flags)} {operand.type.text} {operand.ref}"


def _cast(op: i.Cast, _: AttributeTexts) -> str:
    operand = op.operands[0]
    head = _flagged(op.opcode, op.flags)
    return f"{head} {operand.type.text} {operand.ref} to {op.type.text}"


def _compare(op: i.Compare, _: AttributeTexts) -> str:
    left, right = op.operands
    head = _flagged(op.opcode, op.flags)
    return f"{head} {op.predicate} {left.type.text} {left.ref}, {right.ref}"


def _select(op: i.Select, _: AttributeTexts) -> str:
    condition, if_true, if_false = op.operands
    head = _flagged("select", op.flags)
    return (
        f"{head} {condition.type.text} {condition.ref}, {if_true.type.text} {if_true.ref}, "
        f"{if_false.type.text} {if_false.ref}"
    )


def _phi(op: i.Phi, _: AttributeTexts) -> str:
    head = _flagged("phi", op.flags)
    pairs = ", ".join(
        [f"[ {v.ref}, {b.ref} ]" for v, b in zip(op.operands, op.blocks, strict=True)]
    )
    return f"{head} {op.type.text} {pairs}"


def _typed_list(values: list[Value]) -> str:
    return ", ".join([f"{value.type.text} {value.ref}" for value in values])


def _plain(op: i.Instruction, _: AttributeTexts) -> str:
    return f"{op.opcode} {_typed_list(op.operands)}"


def _shuffle(op: i.ShuffleVector, _: AttributeTexts) -> str:
    return f"shufflevector {_typed_list(op.operands)}, {op.mask.typed_ref}"


def _member(op: i.ExtractValue | i.InsertValue, _: AttributeTexts) -> str:
    indices = ", ".join([str(index) for index in op.indices])
    return f"{op.opcode} {_typed_list(op.operands)}, {indices}"


def _va_arg(op: i.VAArg, _: AttributeTexts) -> str:
    return f"va_arg {_typed_list(op.operands)}, {op.type.text}"


def _alloca(op: i.Alloca, _: AttributeTexts) -> str:
    words = "alloca "
    words += "inalloca " if op.inalloca else ""
    words += "swifterror " if op.swifterror else ""
    text = words + op.allocated_type.text
    count = op.operands[0]
    if not _is_one(count):
        text += f", {count.type.text} {count.ref}"
    text += f", align {op.alignment}" if op.alignment else ""
    space = op.type.address_space  # type: ignore[attr-defined]
    return f"{text}, addrspace({space})" if space else text


def _is_one(count: Value) -> bool:
    """LLVM leaves out an element count of `i32 1`."""
    if not isinstance(count, ConstantInt):
        return False
    return count.value == 1 and isinstance(count.type, IntegerType) and count.type.width == 32


def _scope_and_ordering(sync_scope: str, ordering: str) -> str:
    scope = f'syncscope("{escape_name(sync_scope)}") ' if sync_scope else ""
    return f" {scope}{ordering}"


def _load(op: i.Load, _: AttributeTexts) -> str:
    pointer = op.operands[0]
    volatile = "volatile " if op.volatile else ""
    where = f"{volatile}{op.type.text}, {pointer.type.text} {pointer.ref}"
    if op.ordering is None:
        return f"load {where}, align {op.alignment}"
    order = _scope_and_ordering(op.sync_scope, op.ordering)
    return f"load atomic {where}{order}, align {op.alignment}"


def _store(op: i.Store, _: AttributeTexts) -> str:
    value, pointer = op.operands
    volatile = "volatile " if op.volatile else ""
    where = f"{volatile}{value.type.text} {value.ref}, {pointer.type.text} {pointer.ref}"
    if op.ordering is None:
        return f"store {where}, align {op.alignment}"
    order = _scope_and_ordering(op.sync_scope, op.ordering)
    return f"store atomic {where}{order}, align {op.alignment}"


def _gep(op: i.GetElementPtr, _: AttributeTexts) -> str:
    head = _flagged("getelementptr", op.flags)
    return f"{head} {op.source_type.text}, {_typed_list(op.operands)}"


def _fence(op: i.Fence, _: AttributeTexts) -> str:
    return "fence" + _scope_and_ordering(op.sync_scope, op.ordering)


def _cmpxchg(op: i.CmpXchg, _: AttributeTexts) -> str:
    words = "cmpxchg "
    words += "weak " if op.weak else ""
    words += "volatile " if op.volatile else ""
    order = _scope_and_ordering(op.sync_scope, op.ordering)
    return f"{words}{_typed_list(op.operands)}{order} {op.failure_ordering}, align {op.alignment}"


def _rmw(op: i.AtomicRMW, _: AttributeTexts) -> str:
    volatile = "volatile " if op.volatile else ""
    order = _scope_and_ordering(op.sync_scope, op.ordering)
    text = f"atomicrmw {volatile}{op.operation} {_typed_list(op.operands)}"
    return f"{text}{order}, align {op.alignment}"


def calling_convention_text(number: int) -> str:
    """`fastcc `, `cc 99 `, or nothing for the C convention."""
    if number == 0:
        return ""
    return i.CALLING_CONVENTIONS.get(number, f"cc {number}") + " "


def _call_tail(op: i.Call | i.CallTerminator, texts: AttributeTexts, head: str) -> str:
    """`head cc attrs type callee(args) #N [bundles]`."""
    attributes = texts.of(op.attributes)
    function_type, callee = op.function_type, op.operands[0]
    shown = function_type if function_type.is_vararg else function_type.return_type
    space = ""
    if callee.type.text != "ptr" and not isinstance(callee, InlineAsm):
        space = f"addrspace({callee.type.address_space}) "  # type: ignore[attr-defined]
    convention = calling_convention_text(op.calling_convention) if op.calling_convention else ""
    arguments = _arguments_text(op.operands, attributes.parameters)
    if function_type.is_vararg and isinstance(op, i.Call) and op.tail == "musttail":
        arguments = f"{arguments}, ..." if arguments else "..."  # the caller's own go on
    text = f"{head} {convention}{attributes.returns}{space}{shown.text} {callee.ref}({arguments})"
    text += attributes.suffix
    return f"{text} {_bundles_text(op)}" if op.bundles else text


def _arguments_text(operands: list[Value], attributes: tuple[str, ...]) -> str:
    if not attributes:
        return ", ".join([f"{value.type.text} {value.ref}" for value in operands[1:]])
    parts = [
        f"{value.type.text} {words}{value.ref}"
        for value, words in zip(operands[1:], attributes, strict=False)
    ]
    rest = operands[len(parts) + 1 :]
    parts += [f"{value.type.text} {value.ref}" for value in rest]
    return ", ".join(parts)


def _bundles_text(op: i.Call | i.CallTerminator) -> str:
    words = [f'"{escape_name(b.tag)}"({_typed_list(b.operands)})' for b in op.bundles]
    return f"[ {', '.join(words)} ]"


def _call(op: i.Call, texts: AttributeTexts) -> str:
    head = f"{op.tail} call" if op.tail else "call"
    return _call_tail(op, texts, _flagged(head, op.flags))


def _label_list(blocks: list[BasicBlock]) -> str:
    return ", ".join([f"label {block.ref}" for block in blocks])


def _invoke(op: i.Invoke, texts: AttributeTexts) -> str:
    normal, unwind = op.successors
    head = _call_tail(op, texts, "invoke")
    return f"{head}\n          to label {normal.ref} unwind label {unwind.ref}"


def _callbr(op: i.CallBr, texts: AttributeTexts) -> str:
    head = _call_tail(op, texts, "callbr")
    fallthrough = op.successors[0].ref
    return f"{head}\n          to label {fallthrough} [{_label_list(op.successors[1:])}]"


def _ret(op: i.Ret, _: AttributeTexts) -> str:
    return f"ret {_typed_list(op.operands)}" if op.operands else "ret void"


def _br(op: i.Br, _: AttributeTexts) -> str:
    if not op.operands:
        return f"br label {op.successors[0].ref}"
    condition = op.operands[0]
    return f"br {condition.type.text} {condition.ref}, {_label_list(op.successors)}"


def _switch(op: i.Switch, _: AttributeTexts) -> str:
    condition = op.operands[0]
    lines = [
        f"    {value.type.text} {value.ref}, label {block.ref}\n"
        for value, block in zip(op.cases, op.successors[1:], strict=True)
    ]
    default = op.successors[0].ref
    return f"switch {condition.type.text} {condition.ref}, label {default} [\n{''.join(lines)}  ]"


def _indirectbr(op: i.IndirectBr, _: AttributeTexts) -> str:
    return f"indirectbr {_typed_list(op.operands)}, [{_label_list(op.successors)}]"


def _unreachable(_op: i.Unreachable, _: AttributeTexts) -> str:
    return "unreachable"


def _landingpad(op: i.LandingPad, _: AttributeTexts) -> str:
    text = f"landingpad {op.type.text}"
    text += "\n          cleanup" if op.is_cleanup else ""
    for clause, value in zip(op.clauses, op.operands, strict=True):
        text += f"\n          {clause} {value.type.text} {value.ref}"
    return text


def _funclet_pad(op: i.FuncletPad, _: AttributeTexts) -> str:
    return f"{op.opcode} within {op.operands[0].ref} [{_typed_list(op.operands[1:])}]"


def _unwind_text(blocks: list[BasicBlock]) -> str:
    return f"unwind label {blocks[0].ref}" if blocks else "unwind to caller"


def _catchswitch(op: i.CatchSwitch, _: AttributeTexts) -> str:
    handlers = op.handlers
    unwind = _unwind_text(op.successors[len(handlers) :])
    return f"catchswitch within {op.operands[0].ref} [{_label_list(handlers)}] {unwind}"


def _catchret(op: i.CatchRet, _: AttributeTexts) -> str:
    return f"catchret from {op.operands[0].ref} to label {op.successors[0].ref}"


def _cleanupret(op: i.CleanupRet, _: AttributeTexts) -> str:
    return f"cleanupret from {op.operands[0].ref} {_unwind_text(op.successors)}"


PRINTERS: dict[type[i.Instruction], Printer] = {
    i.BinaryOp: _binary,
    i.UnaryOp: _unary,
    i.Cast: _cast,
    i.ICmp: _compare,
    i.FCmp: _compare,
    i.Select: _select,
    i.Freeze: _plain,
    i.VAArg: _va_arg,
    i.ExtractElement: _plain,
    i.InsertElement: _plain,
    i.ShuffleVector: _shuffle,
    i.ExtractValue: _member,
    i.InsertValue: _member,
    i.Alloca: _alloca,
    i.Load: _load,
    i.Store: _store,
    i.GetElementPtr: _gep,
    i.Fence: _fence,
    i.CmpXchg: _cmpxchg,
    i.AtomicRMW: _rmw,
    i.Call: _call,
    i.Invoke: _invoke,
    i.CallBr: _callbr,
    i.Phi: _phi,
    i.Ret: _ret,
    i.Br: _br,
    i.Switch: _switch,
    i.IndirectBr: _indirectbr,
    i.Unreachable: _unreachable,
    i.Resume: _plain,
    i.LandingPad: _landingpad,
    i.FuncletPad: _funclet_pad,
    i.CatchSwitch: _catchswitch,
    i.CatchRet: _catchret,
    i.CleanupRet: _cleanupret,
}
