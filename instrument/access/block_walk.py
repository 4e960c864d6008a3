"""One walk over all instructions for a group of local passes.

    for each function, for each block:  in --(handlers by opcode append to)--> out

A handler puts its hooks into `out` before the instruction; what it returns goes to the next
handler and in the end into `out` too. Facts about covered places flow from a block to a successor
that has no other predecessor.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.effects import may_free_or_synchronise
from irsan.instrument.analysis.redundant_checks import CoveredPlaces
from irsan.instrument.analysis.type_sizes import TypeSizes
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.passes import Handler, LocalPass, Out
from irsan.instrument.policy import Policy, is_touched
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.values import BasicBlock, Function

_ENDING_FACTS = frozenset(("call", "invoke", "callbr", "fence", "cmpxchg", "atomicrmw"))


@dataclass(frozen=True, slots=True)
class BlockWalk:
    """Runs `passes` in order at every instruction of every function that `policy` touches."""

    passes: tuple[LocalPass, ...]
    policy: Policy

    def apply(self, module: Module) -> None:
        """Instrument all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        chains = _chains(self.passes)
        has_atomics_only = self.policy.checks_atomics
        for function in module.functions[:]:
            checks = self.policy.checks_of(function)
            if not checks and not (has_atomics_only and is_touched(function)):
                continue
            scope = FunctionScope(module, function, checks, hooks, sizes)
            scope.instruments_atomics = has_atomics_only
            scope.poisons = self.policy.poisons
            walk_function(scope, chains)


def walk_function(scope: FunctionScope, chains: dict[str, list[Handler]]) -> None:
    """Rewrites the blocks of one function."""
    function = scope.function
    only_predecessor = _only_predecessors(function)
    facts_at_end: dict[BasicBlock, CoveredPlaces] = {}
    for block in function.blocks:
        before = only_predecessor.get(block)
        known = facts_at_end.get(before) if before is not None else None
        scope.covered = known.copy() if known is not None else CoveredPlaces()
        scope.alive = scope.lifetimes.alive_at(block)
        _walk_block(scope, block, chains)
        facts_at_end[block] = scope.covered
    if scope.replaced:
        replace_all_uses(function, scope.replaced)


def _walk_block(scope: FunctionScope, block: BasicBlock, chains: dict[str, list[Handler]]) -> None:
    out: Out = []
    get_chain = chains.get
    for instruction in block.instructions:
        chain = get_chain(instruction.opcode)
        if chain is None:
            out.append(instruction)
            continue
        _run_chain(scope, instruction, chain, out)
        if _ends_facts(instruction):
            scope.covered.forget()
    block.instructions = [instruction for instruction in out if instruction is not None]


def _run_chain(
    scope: FunctionScope, instruction: Instruction, chain: list[Handler], out: Out
) -> None:
    current: Instruction | None = instruction
    n_before = len(out)
    for handler in chain:
        current = handler(scope, instruction, out)
        if current is None:
            break
    else:
        out.append(current)
    if instruction.debug_records and len(out) > n_before:
        _move_debug_records(instruction, out[n_before])


def _move_debug_records(origin: Instruction, first: Instruction | None) -> None:
    """What stood before the instruction stands before its hooks."""
    if first is not None and first is not origin:
        first.debug_records = origin.debug_records
        origin.debug_records = ()


def _ends_facts(instruction: Instruction) -> bool:
    opcode = instruction.opcode
    if opcode in _ENDING_FACTS:
        return may_free_or_synchronise(instruction)
    return getattr(instruction, "ordering", None) is not None


def _chains(passes: tuple[LocalPass, ...]) -> dict[str, list[Handler]]:
    chains: dict[str, list[Handler]] = {opcode: [] for opcode in _ENDING_FACTS}
    for one in passes:
        for opcode, handler in one.handlers().items():
            chains.setdefault(opcode, []).append(handler)
    return chains


def _only_predecessors(function: Function) -> dict[BasicBlock, BasicBlock]:
    """Each block with exactly one edge into it, and where that comes from."""
    found: dict[BasicBlock, BasicBlock | None] = {}
    for block in function.blocks:
        for successor in block.successors:
            found[successor] = None if successor in found else block
    return {block: origin for block, origin in found.items() if origin is not None}
