"""Takes back what the front end promised about functions, where checks break the promise.

    define i32 @f(ptr %p) nofree nosync memory(argmem: read)   ->   define i32 @f(ptr %p)
    call i32 @f(ptr %p) memory(none)                           ->   call i32 @f(ptr %p)

A checked function reads shadow memory, may switch threads and may never come back. Intrinsics
keep their promises.

Source: LLVM's AddressSanitizer pass, which removes the same kinds.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import calls_of
from irsan.instrument.hooks import is_hook_name
from irsan.ir.attributes import AttributeList
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.module import Module
from irsan.ir.values import Function

_BROKEN = frozenset((
    "memory", "nofree", "nosync", "willreturn", "mustprogress", "speculatable", "norecurse",
    "nocallback", "readnone", "readonly", "writeonly", "argmemonly", "inaccessiblememonly",
    "inaccessiblemem_or_argmemonly",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class EffectAttributes:
    """Removes promises from functions and calls; run it behind the passes that rely on them."""

    def apply(self, module: Module) -> None:
        """Clean every function that is no intrinsic, and every call of one."""
        known: dict[int, tuple[AttributeList, AttributeList]] = {}
        for function in module.functions:
            if not function.is_intrinsic and not is_hook_name(function.name):
                function.attributes = _cleaned(function.attributes, known)
            for call in calls_of(function):
                if _is_open(call):
                    call.attributes = _cleaned(call.attributes, known)


def _is_open(call: Call | CallTerminator) -> bool:
    callee = call.operands[0]
    return not (isinstance(callee, Function) and callee.is_intrinsic)


def _cleaned(
    attributes: AttributeList, known: dict[int, tuple[AttributeList, AttributeList]]
) -> AttributeList:
    """Lists are shared, so each is cleaned once; `known` keeps the original alive with its id."""
    found = known.get(id(attributes))
    if found is None:
        kinds = [a.kind for a in attributes.function if a.kind in _BROKEN and not a.is_string]
        cleaned = attributes.without_function(kinds) if kinds else attributes
        found = known[id(attributes)] = attributes, cleaned
    return found[1]
