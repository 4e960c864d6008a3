"""Loops: back edges, and which loops surely end without touching memory.

A back edge goes to a block that is still on the depth-first path from the entry. Every cycle of
the graph has one, also where control flow is irreducible, so a safepoint on each back edge stops
every endless loop.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (depth-first numbering).
Deviations: the header need not dominate the latch: irreducible cycles count too.
"""

from __future__ import annotations

from collections.abc import Iterator

from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.operations import BinaryOp, ICmp
from irsan.ir.phi import Phi
from irsan.ir.values import Argument, BasicBlock, Constant, Function, Value

_PURE = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "trunc", "zext", "sext", "fptoui", "fptosi",
    "uitofp", "sitofp", "fptrunc", "fpext", "ptrtoint", "inttoptr", "bitcast", "icmp", "fcmp",
    "select", "freeze", "getelementptr", "phi", "extractelement", "insertelement", "shufflevector",
    "extractvalue", "insertvalue", "br",
))  # fmt: skip


def back_edge_sources(function: Function) -> list[BasicBlock]:
    """Blocks with at least one back edge, each once, in the order of the function."""
    found: set[BasicBlock] = set()
    on_path: set[BasicBlock] = set()
    entry = function.blocks[0]
    seen = {entry}
    on_path.add(entry)
    path: list[tuple[BasicBlock, Iterator[BasicBlock]]] = [(entry, iter(entry.successors))]
    while path:
        block, successors = path[-1]
        for successor in successors:
            if successor in on_path:
                found.add(block)
            elif successor not in seen:
                seen.add(successor)
                on_path.add(successor)
                path.append((successor, iter(successor.successors)))
                break
        else:
            path.pop()
            on_path.discard(block)
    return [block for block in function.blocks if block in found]


def is_counted_computation(block: BasicBlock) -> bool:
    """Whether `block` is a loop by itself that only computes and ends after counting to a bound.

    Such a loop waits for nobody, so it needs no safepoint.
    """
    terminator = block.terminator
    if terminator is None or terminator.opcode != "br" or not terminator.operands:
        return False
    if block not in terminator.successors or len(set(terminator.successors)) != 2:
        return False
    if any(instruction.opcode not in _PURE for instruction in block.instructions):
        return False
    return _counts_to_a_bound(terminator.operands[0], block)


def _counts_to_a_bound(condition: Value, block: BasicBlock) -> bool:
    """`icmp eq/ne counter, bound` where the counter steps by one and equality leaves the loop."""
    if not isinstance(condition, ICmp) or condition.predicate not in ("eq", "ne"):
        return False
    if not _leaves_on_equal(condition, block):
        return False
    left, right = condition.operands
    return (_is_counter(left, block) and _is_fixed(right, block)) or (
        _is_counter(right, block) and _is_fixed(left, block)
    )


def _leaves_on_equal(condition: ICmp, block: BasicBlock) -> bool:
    terminator = block.terminator
    assert terminator is not None
    stays_on_true = terminator.successors[0] is block
    return stays_on_true == (condition.predicate == "ne")


def _is_counter(value: Value, block: BasicBlock) -> bool:
    """A phi of this block that steps by one, or the stepped value itself: it meets every bound."""
    if isinstance(value, BinaryOp):
        phi = value.operands[0]
        return _is_step_of(value, phi) and isinstance(phi, Phi) and _is_counter(phi, block)
    if not isinstance(value, Phi) or value not in block.phis():
        return False
    steps = [step for step, origin in value.incoming if origin is block]
    return len(steps) == 1 and _is_step_of(steps[0], value)


def _is_step_of(step: Value, phi: Value) -> bool:
    if not isinstance(step, BinaryOp) or step.opcode != "add" or step.operands[0] is not phi:
        return False
    amount = step.operands[1]
    return isinstance(amount, ConstantInt) and amount.value in (1, -1)


def _is_fixed(value: Value, block: BasicBlock) -> bool:
    """Whether the loop cannot change `value`."""
    if isinstance(value, (Constant, Argument)):
        return True
    return isinstance(value, Instruction) and value not in block.instructions
