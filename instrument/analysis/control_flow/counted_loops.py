"""Counted loops: which loops surely end and do nothing that another thread could see.

    for (int i = 0; i != n; i++) sum += table[i] * x;      table: a variable of this function

Such a loop waits for no thread and none can observe it, so it needs no safepoint.  It is a natural
loop whose blocks compute, and load and store local variables (checked or not), and which leaves,
from its first or its last block, when a counter that steps by one equals something that the loop
does not change.

Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6 (natural loops).
Soundness: a counter that steps by one meets every value.  An inner loop has back edges of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from irsan.instrument.check_hooks import COMPARING
from irsan.instrument.hooks import HOOKS
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr, Load, Store
from irsan.ir.operations import BinaryOp, ICmp
from irsan.ir.phi import Phi
from irsan.ir.values import Argument, BasicBlock, Constant, Function, Value

PURE = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "trunc", "zext", "sext", "fptoui", "fptosi",
    "uitofp", "sitofp", "fptrunc", "fpext", "ptrtoint", "inttoptr", "bitcast", "icmp", "fcmp",
    "select", "freeze", "getelementptr", "phi", "extractelement", "insertelement", "shufflevector",
    "extractvalue", "insertvalue", "br", "switch",
))  # fmt: skip
PURE_INTRINSICS = (
    "llvm.fmuladd.", "llvm.fma.", "llvm.sqrt.", "llvm.fabs.", "llvm.abs.", "llvm.smax.",
    "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.maxnum.", "llvm.minnum.", "llvm.floor.",
    "llvm.ceil.", "llvm.trunc.", "llvm.rint.", "llvm.ctpop.", "llvm.ctlz.", "llvm.cttz.",
    "llvm.fshl.", "llvm.fshr.", "llvm.bswap.", "llvm.assume", "llvm.copysign.",
)  # fmt: skip
_ADDRESS_CHECKS = frozenset(
    hook.name
    for hook in HOOKS.values()
    if hook.sanitizer == "address" and hook.group in ("access", "range")
)
Predecessors = Mapping[BasicBlock, Sequence[BasicBlock]]


def predecessors_of(function: Function) -> Predecessors:
    """The blocks that lead to each block of a function."""
    found: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in function.blocks}
    for block in function.blocks:
        for successor in block.successors:
            found[successor].append(block)
    return found


def is_counted_computation(
    latch: BasicBlock, header: BasicBlock, blocks: set[BasicBlock]
) -> bool:
    """Whether the natural loop of a back edge, of these blocks, needs no safepoint."""
    if not all(_only_computes(one) for block in blocks for one in block.instructions):
        return False
    return any(_counts_to_a_bound(block, header, blocks) for block in {header, latch})


def natural_loop(
    latch: BasicBlock, header: BasicBlock, predecessors: Predecessors
) -> set[BasicBlock]:
    """Blocks that reach `latch` without `header`, and that; empty when it has another entrance."""
    found = {header, latch}
    waiting = [latch] if latch is not header else []
    while waiting:
        behind = predecessors[waiting.pop()]
        if not behind:
            return set()
        new = [block for block in behind if block not in found]
        found.update(new)
        waiting += new
    return found


def every_turn_meets(
    places: Set[BasicBlock], latch: BasicBlock, header: BasicBlock, blocks: Set[BasicBlock]
) -> bool:
    """Whether each way of a natural loop from its header to its latch comes to one of `places`."""
    if places.isdisjoint(blocks):
        return False
    seen = {header}
    waiting = [header] if header not in places else []
    while waiting:
        block = waiting.pop()
        if block is latch:
            return False
        free = [one for one in block.successors if one in blocks and one not in places]
        new = [one for one in free if one not in seen]
        seen.update(new)
        waiting += new
    return True


def _only_computes(instruction: Instruction) -> bool:
    if instruction.opcode in PURE:
        return True
    if isinstance(instruction, Load):
        return _is_local(instruction.operands[0])
    if isinstance(instruction, Store):
        return _is_local(instruction.operands[1])
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    if not isinstance(callee, Function):
        return False
    if callee.name in _ADDRESS_CHECKS:
        return _is_local(instruction.operands[1])
    if callee.name in COMPARING:
        return True  # compares numbers; the access behind it is looked at by itself
    return callee.name.startswith(PURE_INTRINSICS)


def _is_local(pointer: Value) -> bool:
    while isinstance(pointer, GetElementPtr):
        pointer = pointer.operands[0]
    return isinstance(pointer, Alloca)


def _counts_to_a_bound(block: BasicBlock, header: BasicBlock, blocks: set[BasicBlock]) -> bool:
    """Whether `block` leaves by `icmp eq/ne counter, bound`, when they are equal."""
    terminator = block.terminator
    if terminator is None or terminator.opcode != "br" or not terminator.operands:
        return False
    condition = terminator.operands[0]
    if not isinstance(condition, ICmp) or condition.predicate not in ("eq", "ne"):
        return False
    when_equal = terminator.successors[condition.predicate == "ne"]
    if when_equal in blocks:
        return False
    left, right = condition.operands
    return (_is_counter(left, header, blocks) and _is_fixed(right, blocks)) or (
        _is_counter(right, header, blocks) and _is_fixed(left, blocks)
    )


def _is_counter(value: Value, header: BasicBlock, blocks: set[BasicBlock]) -> bool:
    """A phi of the header that steps by one, or the stepped value itself."""
    if isinstance(value, BinaryOp):
        phi = value.operands[0]
        return _is_step_of(value, phi) and isinstance(phi, Phi) and _is_counter(phi, header, blocks)
    if not isinstance(value, Phi) or value not in header.phis():
        return False
    steps = [step for step, origin in value.incoming if origin in blocks]
    return bool(steps) and all(_is_step_of(step, value) for step in steps)


def _is_step_of(step: Value, phi: Value) -> bool:
    if not isinstance(step, BinaryOp) or step.opcode != "add" or step.operands[0] is not phi:
        return False
    amount = step.operands[1]
    return isinstance(amount, ConstantInt) and amount.value in (1, -1)


def _is_fixed(value: Value, blocks: set[BasicBlock]) -> bool:
    """Whether the loop cannot change `value`."""
    if isinstance(value, (Constant, Argument)):
        return True
    if not isinstance(value, Instruction):
        return False
    return not any(value is one for block in blocks for one in block.instructions)
