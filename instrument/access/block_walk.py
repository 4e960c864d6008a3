"""One walk over all instructions for a group of local passes.

    for each function, for each block:  in --(handlers by opcode append to)--> out

A handler puts its hooks into `out` before the instruction; what it returns goes to the next
handler and in the end into `out` too. Facts about covered places flow from blocks to successors, so
blocks are walked in an order in which predecessors come first, but for back edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.counted_loops import predecessors_of
from irsan.instrument.analysis.control_flow.dominators import reverse_postorder
from irsan.instrument.analysis.control_flow.effects import may_free_or_synchronise
from irsan.instrument.analysis.objects.redundant_checks import CoveredPlaces
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.check_stats import CheckStats
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.passes import Handler, LocalPass, Out
from irsan.instrument.policy import Policy, is_touched
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.rewriting import replace_all_uses
from irsan.ir.values import BasicBlock

_ENDING_FACTS = frozenset(("call", "invoke", "callbr", "fence", "cmpxchg", "atomicrmw"))


@dataclass(frozen=True, slots=True)
class BlockWalk:
    """Runs `passes` in order at every instruction of every function that `policy` touches."""

    passes: tuple[LocalPass, ...]
    policy: Policy
    stats: CheckStats | None = None

    def apply(self, module: Module) -> None:
        """Instrument all functions."""
        hooks, sizes = HookCalls(module), TypeSizes(module)
        chains = _chains(self.passes)
        has_atomics_only = self.policy.checks_atomics
        for function in module.functions[:]:
            checks = self.policy.checks_of(function)
            if not checks and not (has_atomics_only and is_touched(function)):
                continue
            scope = FunctionScope(module, function, checks, hooks, sizes, self.stats)
            scope.instruments_atomics = has_atomics_only
            scope.poisons = self.policy.poisons
            walk_function(scope, chains)


def walk_function(scope: FunctionScope, chains: dict[str, list[Handler]]) -> None:
    """Rewrites the blocks of one function."""
    function = scope.function
    predecessors = predecessors_of(function)
    facts_at_end: dict[BasicBlock, CoveredPlaces] = {}
    order = reverse_postorder(function)
    reached = set(order)
    for block in (*order, *(one for one in function.blocks if one not in reached)):
        scope.covered = _facts_on_the_way(predecessors[block], facts_at_end)
        scope.alive = scope.lifetimes.alive_at(block)
        _walk_block(scope, block, chains)
        facts_at_end[block] = scope.covered
    if scope.replaced:
        replace_all_uses(function, scope.replaced)


def _facts_on_the_way(
    before: Sequence[BasicBlock], facts_at_end: Mapping[BasicBlock, CoveredPlaces]
) -> CoveredPlaces:
    """What holds at the end of all blocks that lead here; nothing where a loop begins."""
    if not before or not all(block in facts_at_end for block in before):
        return CoveredPlaces()
    made = facts_at_end[before[0]].copy()
    for block in before[1:]:
        made.keep_common(facts_at_end[block])
    return made


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
