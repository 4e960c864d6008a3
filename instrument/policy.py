"""Which functions are checked for what.

    no function of the module is marked sanitize_address   every function is checked for it
    some are                                               only those; same for sanitize_thread
    irsan's own front end has made the marks               only marked ones, be it none
    the module already calls a sanitizer's hooks           not checked again by us
    no_sanitize_address, no_sanitize_thread                not checked for that
    sanitize_memory                                        the same; shadow is kept everywhere
    a part of a function that Polly has outlined           as that function
    naked, disable_sanitizer_instrumentation, hooks        left as they are

Atomics are instrumented in every function that is touched at all: their order matters to all
threads.  So is its entry and exit: an unmarked function is part of the stacks of those it calls.

Source: Clang's documentation of AddressSanitizer, ThreadSanitizer and
`disable_sanitizer_instrumentation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from irsan.instrument.check_names import (
    ADDRESS,
    INNER_BOUNDS,
    MEMORY,
    NO_RACE_ACCESSES,
    NO_RACE_ATOMICS,
    OBJECT_BOUNDS,
    POINTER_PAIRS,
    THREAD,
)
from irsan.instrument.hooks import is_hook_name
from irsan.instrument.polly_parts import polly_parts
from irsan.ir.module import Module
from irsan.ir.values import Function

__all__ = [
    "ADDRESS", "THREAD", "Policy", "decide", "is_touched", "preinstrumented_for",
    "unmarked_for_bits",
]  # fmt: skip

_MARKS = {ADDRESS: "sanitize_address", THREAD: "sanitize_thread"}
_BITS_MARK = "sanitize_memory"
_UNTOUCHED = frozenset(("naked", "disable_sanitizer_instrumentation"))
_OF_THE_FRONT_END = "__asan_load_cxx_array_cookie"  # called by marked code as well
# not __asan_report_present, which programs ask
_REPORTS = ("__asan_report_load", "__asan_report_store", "__asan_report_exp_")
_POISONING = ("__asan_poison_memory", "__sanitizer_annotate_")
_OWN_CONSTRUCTORS = ("asan.module_", "tsan.module_")
_SIGNS = {
    ADDRESS: ("__asan_init", "__asan_load", "__asan_store", *_REPORTS),
    THREAD: ("__tsan_init", "__tsan_func_entry", "__tsan_read", "__tsan_write", "__tsan_atomic"),
}
_ENTRIES = frozenset(("__tsan_func_entry", "__tsan_func_exit"))


@dataclass(frozen=True, slots=True)
class Policy:
    """Decided once per module: which checks to insert, which marks count, which checks exist
    already.

    wanted: asked for and not there already. pairs: ask about pairs of pointers as well.
    bounds_level: 1 checks accesses against the object of their pointer, 2 against arrays in it too.
    marked: sanitizers for which our front end has marked functions and globals to be checked.
    poisons: the module poisons memory itself, so no place in an object is surely addressable.
    races_atomics_only, leaves_atomics: what race checks do without.
    parts: functions that Polly has made of a part of another one, whose marks are theirs.
    """

    asked: frozenset[str]
    wanted: frozenset[str]
    marked_only: frozenset[str]
    preinstrumented: frozenset[str]
    pairs: bool = False
    bounds_level: int = 0
    poisons: bool = False
    marked: frozenset[str] = frozenset()
    races_atomics_only: bool = False
    leaves_atomics: bool = False
    parts: Mapping[str, Function | None] = field(default_factory=dict)

    def checks_of(self, function: Function) -> frozenset[str]:
        """The sanitizers (`address`, `thread`) to put into a function."""
        if not is_touched(function):
            return frozenset()
        return frozenset(
            [
                sanitizer
                for sanitizer in self.wanted
                if self._is_marked(function, sanitizer)
                and not (sanitizer == THREAD and self.races_atomics_only)
            ]
        )

    @property
    def checks_atomics(self) -> bool:
        """Whether atomic operations become hooks, marked or not."""
        return THREAD in self.wanted and not self.leaves_atomics

    def has_race_frame(self, function: Function) -> bool:
        """Whether a function is to be part of the stacks that the race detector keeps."""
        return THREAD in self.wanted and is_touched(function)

    def _is_marked(self, function: Function, sanitizer: str) -> bool:
        origin = self.parts.get(function.name, function)
        if origin is None:
            return True
        attributes = origin.attributes
        if attributes.has_function(f"no_{_MARKS[sanitizer]}"):
            return False
        return sanitizer not in self.marked_only or attributes.has_function(_MARKS[sanitizer])


def decide(
    module: Module, sanitizers: frozenset[str], marked: frozenset[str] = frozenset()
) -> Policy:
    """The policy for `module` when `sanitizers` are asked for; other names are ignored.

    marked: sanitizers for which our front end has marked functions: no mark means unchecked.
    """
    asked = sanitizers & _MARKS.keys()
    # In what our front end has marked, a race hook is a call of the program's own.
    present = preinstrumented_for(module) - (marked & {THREAD})
    marked_only = [
        sanitizer
        for sanitizer in asked
        if sanitizer in marked
        or any(function.attributes.has_function(_MARKS[sanitizer]) for function in module.functions)
    ]
    wanted = asked - present
    pairs = POINTER_PAIRS in sanitizers and ADDRESS in wanted
    level = 0
    if OBJECT_BOUNDS in sanitizers and ADDRESS in wanted:
        level = 2 if INNER_BOUNDS in sanitizers else 1
    poisons = any(function.name.startswith(_POISONING) for function in module.functions)
    return Policy(
        asked, wanted, frozenset(marked_only), present, pairs, level, poisons, marked,
        NO_RACE_ACCESSES in sanitizers, NO_RACE_ATOMICS in sanitizers, polly_parts(module),
    )  # fmt: skip


def unmarked_for_bits(module: Module, marked: frozenset[str]) -> frozenset[str]:
    """Names of functions in which uses of uninitialised values are no findings.

    marked: as for `decide`.
    """
    found = [f for f in module.functions if f.attributes.has_function(_BITS_MARK)]
    if not found and MEMORY not in marked:
        return frozenset()
    names = {function.name for function in found}
    parts = polly_parts(module)
    names |= {name for name, origin in parts.items() if origin is None or origin.name in names}
    return frozenset([f.name for f in module.functions if not f.is_declaration]) - names


def preinstrumented_for(module: Module) -> frozenset[str]:
    """Sanitizers whose hooks the module mentions already.

    Not those that programs call themselves: accesses with a place of their own, __tsan_read4_pc,
    and what goes with them, calls with a place of their own.
    """
    present = {function.name for function in module.functions if function.name.startswith("__")}
    own = {name for name in present if name.endswith("_pc")}
    names = present - own - {_OF_THE_FRONT_END}
    if own:
        names -= _ENTRIES
    return frozenset(
        [
            sanitizer
            for sanitizer, signs in _SIGNS.items()
            if any(name.startswith(signs) for name in names)
        ]
    )


def is_touched(function: Function) -> bool:
    """Whether passes may change the body of `function`."""
    if function.is_declaration or is_hook_name(function.name):
        return False
    if function.name.startswith(_OWN_CONSTRUCTORS):
        return False
    return _UNTOUCHED.isdisjoint([attribute.kind for attribute in function.attributes.function])
