"""What a pass is, and the passes by name.

    class ModulePass(Protocol):           valid IR in, valid IR out
        def apply(self, module) -> None

    find_pass("thread_locals")            imported only when asked for

Most checks need one look at each instruction, so passes that only insert before an instruction or
replace it are `LocalPass`es: `irsan.instrument.access.block_walk` runs a group of them in one walk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Protocol

from irsan.errors import UsageError
from irsan.instrument.function_scope import FunctionScope
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module

Out = list[Instruction | None]
"""The block as it will be; None marks a dropped check."""

Handler = Callable[[FunctionScope, Instruction, Out], Instruction | None]
"""Appends what goes before; returns the instruction, or None when `out` has its replacement."""


class ModulePass(Protocol):
    """A frozen dataclass that changes a module; afterwards LLVM still accepts it."""

    def apply(self, module: Module) -> None:
        """Change `module` in place."""


class LocalPass(Protocol):
    """A frozen dataclass of handlers by opcode."""

    def handlers(self) -> Mapping[str, Handler]:
        """Which opcodes this pass wants to see."""


_PASSES: dict[str, tuple[str, str]] = {
    "memory_access": ("irsan.instrument.access.memory_access", "MemoryAccess"),
    "masked_access": ("irsan.instrument.access.masked_access", "MaskedAccess"),
    "memory_intrinsics": ("irsan.instrument.access.memory_intrinsics", "MemoryIntrinsics"),
    "library_order": ("irsan.instrument.border.library_order", "LibraryOrder"),
    "assembly_order": ("irsan.instrument.border.assembly_order", "AssemblyOrder"),
    "byval": ("irsan.instrument.access.byval", "ByvalArguments"),
    "atomics": ("irsan.instrument.access.atomics", "Atomics"),
    "rmw_loops": ("irsan.instrument.access.rmw_loops", "RmwLoops"),
    "function_frames": ("irsan.instrument.frames.function_frames", "FunctionFrames"),
    "stack_frames": ("irsan.instrument.frames.stack_frames", "StackFrames"),
    "dynamic_allocas": ("irsan.instrument.frames.dynamic_allocas", "DynamicAllocas"),
    "exit_roots": ("irsan.instrument.frames.exit_roots", "ExitRoots"),
    "stack_arrivals": ("irsan.instrument.frames.stack_arrivals", "StackArrivals"),
    "marks_off": ("irsan.instrument.border.strip_attributes", "MarksOff"),
    "module_constructor": ("irsan.instrument.globals.module_constructor", "ModuleConstructor"),
    "undefined_checks": ("irsan.instrument.undefined.undefined_checks", "UndefinedChecks"),
    "unreachable_ends": ("irsan.instrument.undefined.unreachable_ends", "UnreachableEnds"),
    "pointer_pairs": ("irsan.instrument.access.pointer_pairs", "PointerPairs"),
    "init_order": ("irsan.instrument.globals.init_order", "InitOrder"),
    "global_redzones": ("irsan.instrument.globals.global_redzones", "GlobalRedzones"),
    "object_sizes": ("irsan.instrument.analysis.objects.object_sizes", "ObjectSizes"),
    "timestamp_reads": ("irsan.instrument.border.timestamp_reads", "TimestampReads"),
    "thread_pointer_reads": (
        "irsan.instrument.border.thread_pointer_reads", "ThreadPointerReads",
    ),
    "front_end_marks": ("irsan.instrument.border.front_end_attributes", "FrontEndMarks"),
    "preinstrumented": ("irsan.instrument.border.preinstrumented", "Preinstrumented"),
    "object_bounds": ("irsan.instrument.bounds.object_bounds", "ObjectBounds"),
    "uninitialised_values": (
        "irsan.instrument.uninitialised.uninitialised_values", "UninitialisedValues",
    ),
    "pointer_ids": ("irsan.instrument.pointer_ids.pointer_ids", "PointerIds"),
    "thread_locals": ("irsan.instrument.frames.thread_locals", "ThreadLocals"),
    "effect_attributes": ("irsan.instrument.border.effect_attributes", "EffectAttributes"),
    "safepoints": ("irsan.instrument.access.safepoints", "Safepoints"),
    "shadow_frames": ("irsan.instrument.frames.shadow_frames", "ShadowFrames"),
    "marking": ("irsan.instrument.sites.site_stores", "SiteMarking"),
    "loop_strips": ("irsan.instrument.loops.loop_strips", "LoopStrips"),
    "hot_functions": ("irsan.instrument.access.hot_functions", "HotFunctions"),
    "outlining": ("irsan.instrument.access.outlining", "Outlining"),
    "small_copies": ("irsan.instrument.access.small_copies", "SmallCopies"),
    "older_readers": ("irsan.instrument.border.older_readers", "OlderReaders"),
    "access_counting": ("irsan.instrument.access.access_counting", "AccessCounting"),
    "fault_sites": ("irsan.instrument.sites.fault_sites", "FaultSites"),
    "site_lines": ("irsan.instrument.sites.site_lines", "SiteLines"),
    "structors": ("irsan.instrument.globals.structors", "Structors"),
    "debug_stripping": ("irsan.instrument.sites.debug_stripping", "DebugStripping"),
}
PASS_NAMES = tuple(_PASSES)


def find_pass(name: str) -> type:
    """The class of the pass called `name`; UsageError when there is none."""
    if name not in _PASSES:
        raise UsageError(f"no pass is called {name}; there are: {', '.join(_PASSES)}")
    module_name, class_name = _PASSES[name]
    found: type = getattr(import_module(module_name), class_name)
    return found
