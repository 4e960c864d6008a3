"""The constructors that start the sanitizers before anything else of the program runs.

    @llvm.global_ctors = [.. { i32 1, ptr @asan.module_ctor }, { i32 0, ptr @tsan.module_ctor } ..]
    asan.module_ctor:  __asan_init()  __asan_version_mismatch_check_v8()
    tsan.module_ctor:  __tsan_init()

Source: LLVM's sanitizer passes (names, priorities); the version check pins the interface between
pass and run-time.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import ADDRESS, THREAD
from irsan.ir.attributes import Attribute, AttributeList
from irsan.ir.builder import Builder
from irsan.ir.module import Module
from irsan.ir.rewriting import new_constructor
from irsan.ir.values import Function

_STARTS = {
    ADDRESS: ("asan.module_ctor", 1, ("__asan_init", "__asan_version_mismatch_check_v8")),
    THREAD: ("tsan.module_ctor", 0, ("__tsan_init",)),
}


@dataclass(frozen=True, slots=True)
class ModuleConstructor:
    """One constructor per sanitizer; existing constructors keep their priorities."""

    sanitizers: frozenset[str]

    def apply(self, module: Module) -> None:
        """Add the missing calls."""
        hooks = HookCalls(module)
        for sanitizer in sorted(self.sanitizers & _STARTS.keys()):
            name, priority, starts = _STARTS[sanitizer]
            if module.symbol(name) is None:
                constructor = _constructor(hooks, name, starts)
                new_constructor(module, constructor, priority)


def _constructor(hooks: HookCalls, name: str, starts: tuple[str, ...]) -> Function:
    module = hooks.module
    types = module.types
    function = module.declare_function(
        name, types.function(types.void), AttributeList((Attribute("nounwind"),))
    )
    function.linkage = "internal"
    block = function.new_block(types.label)
    for start in starts:
        block.instructions.append(hooks.call(start, [], None))
    Builder(module, block.instructions).ret()
    return function
