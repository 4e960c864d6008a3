"""Outlining: but in small modules, a check is not code of its own at every place.

    __irsan_check_read4_both(%p, site)   -->   __irsan_compact_read4_both(%p, site)
                                         -->   __irsan_mixed_read4_both(%p, site)     where often
                                         -->   __irsan_apart_read4_both(%p, site)     with AVX
                                         -->   __irsan_outlined_read4_both(%p, site)  huge, with AVX

An inlined pair of checks is some fifty instructions in ten blocks for LLVM's code generator, which
takes three times as long for sqlite3 with them.  A compact one is one instruction: a piece of
assembly that asks about the address, and whether races count at all, which a program of one thread
answers with no; the rest is a call.  In small loops and functions, which run often, the question
about races stays inline: with several threads it is asked at each access.  Small modules keep
everything inline: their code is generated at once anyway.

Compact checks keep no registers of AVX.  In functions that may use these, an address is asked about
inline, and so is whether races count; in huge ones all of a check becomes one call.

Soundness: each hook makes the same check.  `SiteMarking` makes checks: this runs behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from irsan.instrument.analysis.calls.vector_registers import possible_vector_bytes
from irsan.instrument.analysis.control_flow.cycles import small_cycles
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, apart_name, compact_name, mixed_name, outlined_name
from irsan.instrument.policy import is_touched
from irsan.ir.attributes import Attribute
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

Naming = Callable[[str], str]

_KEPT_VECTOR_BYTES: Final = 16
_PROCESSOR: Final = ("target-cpu", "target-features")
_WEIGHTS: Final = {"address": 1, "thread": 2, "both": 3}
_CHECKS: Final = {
    hook.name: _WEIGHTS[hook.operation.partition("_")[0]]
    for hook in HOOKS.values()
    if hook.group == "check"
}


@dataclass(frozen=True, slots=True)
class Outlining:
    """Weights of checks: 1 for one of an address, 2 for one of races, 3 for both.

    inline_limit: modules with at most so much are left alone.
    function_limit: functions with at most so much run often: the loops of others call them.
    loop_limit: so do loops, inner ones when the outer one has more.
    huge_limit: functions with more have no check inline but in such loops, if they may use AVX.
    """

    inline_limit: int = 300
    function_limit: int = 18
    loop_limit: int = 240
    huge_limit: int = 7000

    def apply(self, module: Module) -> None:
        """Change what the checks of all functions are, when the module is big."""
        functions = [(f, _weights(f)) for f in module.functions if is_touched(f)]
        if sum([sum(weights.values()) for _, weights in functions]) <= self.inline_limit:
            return
        hooks = HookCalls(module)
        for function, weights in functions:
            if weights:
                self._change(function, weights, hooks)

    def _change(
        self, function: Function, weights: Mapping[BasicBlock, int], hooks: HookCalls
    ) -> None:
        often = self._run_often(function, weights)
        usual, frequent = self._names(function, sum(weights.values()))
        for block in weights:
            named = frequent if block in often else usual
            block.instructions = [_renamed(hooks, one, named) for one in block.instructions]

    def _run_often(self, function: Function, weights: Mapping[BasicBlock, int]) -> set[BasicBlock]:
        if sum(weights.values()) <= self.function_limit:
            return set(weights)
        return small_cycles(function, weights, self.loop_limit)

    def _names(self, function: Function, weight: int) -> tuple[Naming, Naming]:
        """Hooks that stand for checks, and for those that run often.

        A function with compact ones loses its red zone: LLVM does not know what they call.
        """
        if has_wide_vectors(function):
            return (outlined_name if weight > self.huge_limit else apart_name), _unchanged
        function.attributes = function.attributes.with_function([Attribute("noredzone")])
        return compact_name, _often_name


def has_wide_vectors(function: Function) -> bool:
    """Whether code of a function may use wider registers than compact checks keep."""
    attributes = function.attributes.function
    is_generic = not any(one.kind in _PROCESSOR for one in attributes)
    return not is_generic and max(possible_vector_bytes(attributes), default=0) > _KEPT_VECTOR_BYTES


def _unchanged(check: str) -> str:
    return check


def _often_name(check: str) -> str:
    if mixed_name(check) in HOOKS:
        return mixed_name(check)
    return check if HOOKS[check].operation == "thread" else compact_name(check)


def _weights(function: Function) -> dict[BasicBlock, int]:
    """Blocks with checks and what these weigh."""
    weights = {}
    for block in function.blocks:
        weight = sum([_CHECKS.get(_check_of(one), 0) for one in block.instructions])
        if weight:
            weights[block] = weight
    return weights


def _check_of(instruction: Instruction) -> str:
    """Name of the check that `instruction` calls, or ""."""
    callee = instruction.operands[0] if isinstance(instruction, Call) else None
    return callee.name if isinstance(callee, Function) and callee.name in _CHECKS else ""


def _renamed(hooks: HookCalls, instruction: Instruction, named: Naming) -> Instruction:
    """The call that stands for a check, if there is a hook of that name; anything else stays."""
    check = _check_of(instruction)
    if not check or named(check) == check or named(check) not in HOOKS:
        return instruction
    made = hooks.call(named(check), instruction.operands[1:], instruction.debug_location)
    made.debug_records = instruction.debug_records
    return made
