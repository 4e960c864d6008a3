"""DumbSanitizer's pass: a hook before every load, store and atomic of the program.

    %v = load i32, ptr %p      ->      __irsan_count(%p, site)
                                       %v = load i32, ptr %p

The smallest pass there is: docs/first-sanitizer.md walks through it. What library functions and
copies of whole blocks touch is not counted.

Source: the access counter that compiler courses begin with; counting is in the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.sites.source_frames import function_to_frames, location_to_frames
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW, CmpXchg, Load, Store
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.values import Function, Value


@dataclass(frozen=True, slots=True)
class AccessCounting:
    """Counts the accesses of every function; run it before other passes add accesses."""

    sites: SiteTable

    def apply(self, module: Module) -> None:
        """Insert the hooks."""
        hooks = HookCalls(module)
        for function in module.functions[:]:
            if is_touched(function):
                for block in function.blocks:
                    block.instructions = self._counted(hooks, function, block.instructions)

    def _counted(
        self, hooks: HookCalls, function: Function, instructions: list[Instruction]
    ) -> list[Instruction]:
        out: list[Instruction] = []
        for instruction in instructions:
            pointer = accessed_pointer(instruction)
            if pointer is not None:
                site = hooks.int32(self._site(function, instruction))
                out.append(
                    hooks.call("__irsan_count", [pointer, site], instruction.debug_location)
                )
            out.append(instruction)
        return out

    def _site(self, function: Function, instruction: Instruction) -> int:
        location = instruction.debug_location
        if isinstance(location, DILocation):
            return self.sites.add(location_to_frames(location, function))
        return self.sites.add(function_to_frames(function))


def accessed_pointer(instruction: Instruction) -> Value | None:
    """The pointer that an instruction reads or writes through; None when it does neither."""
    if isinstance(instruction, Store):
        return instruction.operands[1]
    if isinstance(instruction, (Load, AtomicRMW, CmpXchg)):
        return instruction.operands[0]
    return None
