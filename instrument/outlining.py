"""Outlining: in big modules, checks outside of small loops and small functions become calls.

    __asan_load4(%p)  __tsan_read4(%p)   -->   __irsan_check_both_r4(%p)

An inlined pair of checks is some fifty instructions for LLVM's code generator, an outlined one is
one.  Small modules keep everything inline: their code is generated at once anyway.

Soundness: an outlined hook makes the same checks of the same address in the same order; the site
was told before the first of them, so this runs behind `SiteMarking`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.cycles import small_cycles
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import HOOKS, Hook, outlined_name
from irsan.instrument.policy import is_touched
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import BasicBlock, Function

_CHECKS = {hook.name: hook for hook in HOOKS.values() if hook.group in ("access", "vptr")}


@dataclass(frozen=True, slots=True)
class Outlining:
    """Numbers of checks.

    inline_limit: modules with at most so many are left alone.
    function_limit: so are functions, which are often the ones that the loops of others call.
    loop_limit: and loops, inner ones when the outer one has more.
    """

    inline_limit: int = 2000
    function_limit: int = 12
    loop_limit: int = 48

    def apply(self, module: Module) -> None:
        """Outline the checks of all big functions when the module is big."""
        functions = [(f, _check_counts(f)) for f in module.functions if is_touched(f)]
        if sum([sum(counts.values()) for _, counts in functions]) <= self.inline_limit:
            return
        hooks = HookCalls(module)
        for function, counts in functions:
            if sum(counts.values()) > self.function_limit:
                kept = small_cycles(function, counts, self.loop_limit)
                for block in counts:
                    if block not in kept:
                        block.instructions = list(_outlined(hooks, block))


def _check_counts(function: Function) -> dict[BasicBlock, int]:
    """Blocks with checks and how many they have."""
    counts = {}
    for block in function.blocks:
        number = sum([_check(one) is not None for one in block.instructions])
        if number:
            counts[block] = number
    return counts


def _check(instruction: Instruction | None) -> Hook | None:
    """The hook that `instruction` calls when it is the check of one scalar access."""
    if not isinstance(instruction, Call):
        return None
    callee = instruction.operands[0]
    return _CHECKS.get(callee.name) if isinstance(callee, Function) else None


def _outlined(hooks: HookCalls, block: BasicBlock) -> Iterator[Instruction]:
    following = [*block.instructions[1:], None]
    skipped = False
    for instruction, behind in zip(block.instructions, following, strict=True):
        hook = None if skipped else _check(instruction)
        if hook is None:
            if not skipped:
                yield instruction
            skipped = False
            continue
        skipped = _is_pair(hook, instruction, behind)
        yield _call(hooks, "both" if skipped else hook.sanitizer, hook, instruction)


def _is_pair(hook: Hook, instruction: Instruction, behind: Instruction | None) -> bool:
    """Whether the next instruction is the race check of the access that this memory check is of."""
    second = _check(behind)
    return (
        behind is not None
        and second is not None
        and (hook.sanitizer, second.sanitizer) == ("address", "thread")
        and (hook.size_bytes, hook.is_write) == (second.size_bytes, second.is_write)
        and instruction.operands[1] is behind.operands[1]
    )


def _call(hooks: HookCalls, checks: str, hook: Hook, old: Instruction) -> Call:
    name = outlined_name(checks, hook.size_bytes, is_write=hook.is_write)
    made = hooks.call(name, [old.operands[1]], old.debug_location)
    made.debug_records = old.debug_records
    return made
