"""The pass of `--sanitize memory`: shadow bits beside all values that need them.

    blocks in an order in which definitions come first; phis get their operands at the end
    each instruction -> shadow in front (loads, arithmetic), behind (stores, results), checks
    blocks are split where a check branches to its report

Run it before the passes of the other sanitizers: what it appends is no access of the program.

Source: Stepanov and Serebryany, CGO 2015; LLVM's MemorySanitizer pass for which instruction does
what.
Deviations: see the files of this room; the greatest is that origins are looked up by the address a
value was loaded from, so the fast path carries no origin.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.calls.assembly import is_assembly
from irsan.instrument.analysis.calls.followed_calls import is_followed
from irsan.instrument.analysis.control_flow.dominators import reverse_postorder
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.uninitialised import calls, memory
from irsan.instrument.uninitialised.call_facts import CallFacts
from irsan.instrument.uninitialised.flow import DIVISIONS, bits_reach, edges_into, live_values
from irsan.instrument.uninitialised.function_shadow import (
    Detour,
    FunctionShadow,
    Out,
    split_at_detours,
)
from irsan.instrument.uninitialised.late_uses import LateUses
from irsan.instrument.uninitialised.rules import computed_shadow
from irsan.instrument.uninitialised.shadow_types import ShadowTypes
from irsan.ir.calls import Call, CallTerminator, Invoke
from irsan.ir.control import Ret
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, Load, Store
from irsan.ir.module import Module
from irsan.ir.phi import Phi
from irsan.ir.values import BasicBlock, Function, Value

_BRANCHES = frozenset(("br", "switch", "indirectbr"))


@dataclass(frozen=True, slots=True)
class UninitialisedValues:
    """Instruments every function that passes may touch; `sites` gets the stack's variables.

    unchecked: names of functions whose uses are no findings; what they store is initialised.
    crosses_calls: arguments and results may be uninitialised, whatever the language promises.
    """

    sites: SiteTable | None = None
    unchecked: frozenset[str] = frozenset()
    crosses_calls: bool = False

    def apply(self, module: Module) -> None:
        """Put shadow into all functions."""
        types, hooks = ShadowTypes(module), HookCalls(module)
        facts = CallFacts(types, self.crosses_calls)
        for function in module.functions[:]:
            if is_touched(function):
                blocks = reverse_postorder(function)
                live = live_values(function, blocks, types, facts)
                checks = function.name not in self.unchecked
                late = LateUses(function, blocks if checks else (), live, facts)
                scope = FunctionShadow(
                    module, function, types, facts, hooks, live, late, blocks, checks=checks
                )
                _Rewriting(scope, self.sites, blocks).run()


class _Rewriting:
    """One function."""

    def __init__(
        self, scope: FunctionShadow, sites: SiteTable | None, blocks: list[BasicBlock]
    ) -> None:
        self._scope, self._blocks = scope, blocks
        self._block = blocks[0]
        self._variables = memory.StackVariables(scope, sites, blocks)
        self._entered = edges_into(blocks)
        self._waiting: dict[BasicBlock, list[Invoke]] = {}
        self._outs: dict[BasicBlock, Out] = {}
        self._checked_at_end: dict[BasicBlock, set[Value]] = {}
        scope.keep_places(_needed_by_phis(scope.live))

    def run(self) -> None:
        for block in self._blocks:
            self._walk(block)
        self._complete_phis()
        ends: dict[BasicBlock, BasicBlock] = {}
        for block, out in self._outs.items():
            last = split_at_detours(self._scope.module, self._scope.function, block, out)
            if last is not block:
                ends[block] = last
        for block in self._scope.function.blocks if ends else ():
            for phi in block.phis():
                phi.blocks = [ends.get(origin, origin) for origin in phi.blocks]
        for one in [one for out in self._outs.values() for one in out]:
            if isinstance(one, Detour) and one.merged is not None:
                one.merged.blocks = one.ways

    def _walk(self, block: BasicBlock) -> None:
        scope, out = self._scope, []  # type: ignore[var-annotated]
        above = scope.order.nearest_above(block)
        known = self._checked_at_end[above] if above is not None else ()
        scope.begin_block(block, out, set(known))
        self._outs[block], self._block = out, block
        start = block.first_insertion_index()
        for instruction in block.instructions[:start]:
            out.append(instruction)
            if isinstance(instruction, Phi):
                self._add_phi(instruction)
        if block is self._blocks[0]:
            calls.receive_arguments(scope)
        for invoke in self._waiting.get(block, ()):
            calls.shadow_of_result(scope, invoke)
        for instruction in block.instructions[start:]:
            if not isinstance(instruction, Alloca):
                self._variables.begin_waiting()
            scope.at.debug_location = instruction.debug_location
            self._one(instruction)
            scope.define_place(instruction)
        self._checked_at_end[block] = scope.checked

    def _add_phi(self, phi: Phi) -> None:
        """Its shadow and its place are phis too; their operands come later."""
        scope = self._scope
        kind = scope.types.of(phi.type)
        if phi not in scope.live or kind is None or not scope.checks:
            return
        scope.at.debug_location = phi.debug_location
        scope.shadows[phi] = scope.at.phi(kind, [], [])
        scope.places[phi] = scope.at.phi(scope.module.types.ptr_default, [], [])

    def _complete_phis(self) -> None:
        scope, null = self._scope, self._scope.at.null()
        for block in self._blocks:
            for phi in [one for one in block.phis() if one in scope.shadows]:
                bits, place = scope.shadows[phi], scope.places[phi]
                assert isinstance(bits, Phi) and isinstance(place, Phi)
                for value, origin in phi.incoming:
                    bits.operands.append(scope.full(value))
                    place.operands.append(scope.place(value, scope.at, 99) or null)
                    bits.blocks.append(origin)
                    place.blocks.append(origin)

    def _one(self, instruction: Instruction) -> None:
        scope = self._scope
        if isinstance(instruction, (Call, CallTerminator)):
            self._call(instruction)
            return
        self._before(instruction)
        if instruction in scope.live and scope.checks and not isinstance(instruction, Load):
            shadow = computed_shadow(scope, instruction)
            if shadow is not None:
                scope.shadows[instruction] = shadow
        scope.out.append(instruction)
        if isinstance(instruction, Store):
            memory.after_store(scope, instruction)
        elif isinstance(instruction, Alloca):
            self._variables.begin_at_alloca(instruction)

    def _before(self, instruction: Instruction) -> None:
        """Checks, and what stands in front of the instruction."""
        scope, opcode, operands = self._scope, instruction.opcode, instruction.operands
        location = instruction.debug_location
        if isinstance(instruction, Load):
            scope.check(instruction.pointer, location)
            shadow = None
            if instruction in scope.live and not instruction.get_metadata("nosanitize"):
                shadow = memory.shadow_of_load(scope, instruction)
            if shadow is not None:
                scope.shadows[instruction] = shadow
        elif isinstance(instruction, Store):
            scope.check(instruction.pointer, location)
        elif opcode in ("cmpxchg", "atomicrmw"):
            for value in operands[: 2 if opcode == "cmpxchg" else 1]:
                scope.check(value, location)
            memory.before_atomic(scope, instruction)
        elif opcode in DIVISIONS or opcode == "extractelement":
            scope.check(operands[1], location)
        elif opcode == "insertelement":
            scope.check(operands[2], location)
        elif opcode in _BRANCHES and operands:
            scope.check(operands[0], location)
        elif isinstance(instruction, Ret) and not _is_after_musttail(scope.out):
            calls.before_return(scope, instruction)

    def _call(self, call: Call | CallTerminator) -> None:
        scope, callee = self._scope, call.operands[0]
        if isinstance(callee, Function) and callee.is_intrinsic and isinstance(call, Call):
            calls.around_intrinsic(scope, call)
            scope.out.append(call)
            calls.after_intrinsic(scope, call)
            self._variables.begin_at_mark(call)
            return
        if is_followed(call):
            calls.before_call(scope, call)
        scope.out.append(call)
        if isinstance(call, Invoke):
            if self._entered.get(call.normal) == [self._block]:
                self._waiting.setdefault(call.normal, []).append(call)
        elif isinstance(call, Call):
            if is_assembly(call):
                calls.after_assembly(scope, call)
            elif scope.checks:
                calls.shadow_of_result(scope, call)


def _needed_by_phis(live: frozenset[Value]) -> set[Value]:
    """Live values that phis are made of, directly or not: their places are always computed."""
    found: set[Value] = set()
    todo: list[Value] = [value for value in live if isinstance(value, Phi)]
    while todo:
        value = todo.pop()
        if isinstance(value, Instruction):
            for operand in bits_reach(value):
                if operand in live and operand not in found:
                    found.add(operand)
                    todo.append(operand)
    return found


def _is_after_musttail(out: Out) -> bool:
    return any(isinstance(one, Call) and one.tail == "musttail" for one in out[:-3:-1])

