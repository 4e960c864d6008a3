"""Parts of functions that Polly has made functions of their own, to run them in several threads.

They have none of the attributes of the function that they were a part of, sanitize_address among
them: what is said of that one holds for them.

Source: LLVM's Polly, ParallelLoopGenerator (the attribute and the name of such a function).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from irsan.ir.module import Module
from irsan.ir.values import Function

_MARK: Final = "polly.skip.fn"
_NAME: Final = "_polly_subfn"


def polly_parts(module: Module) -> Mapping[str, Function | None]:
    """By name of such a function: the one it was a part of; None: that is not there any more."""
    parts = [f for f in module.functions if _NAME in f.name and f.attributes.has_function(_MARK)]
    if not parts:
        return {}
    known = {function.name: function for function in module.functions}
    return {part.name: known.get(part.name.partition(_NAME)[0]) for part in parts}
