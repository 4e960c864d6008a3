"""What cannot be linked, said with the names of both files.

All problems of one link are collected and said at once: whoever mends the first would meet the next
one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from irsan.errors import UsageError
from irsan.ir.metadata import DebugNode
from irsan.ir.values import GlobalValue

_N_SAID: Final = 10  # what fits a screen
_DEBUG: Final = "dbg"


class LinkError(UsageError):
    """Modules that cannot become one; the message says which symbols, flags or targets clash."""


@dataclass(slots=True)
class Problems:
    """Sentences, without the word "error"; warnings are for the caller to print."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Raises LinkError when there is any error."""
        if not self.errors:
            return
        said = self.errors[:_N_SAID]
        n_more = len(self.errors) - len(said)
        more = [f"and {n_more} more"] if n_more else []
        raise LinkError("cannot link: " + "; ".join([*said, *more]))

    def defined_twice(self, one: GlobalValue, file: str, other: GlobalValue, by: str) -> None:
        """Two files define one symbol for good."""
        first, second = _place(one, file), _place(other, by)
        self.errors.append(f"`{one.name}` is defined in {first} and in {second}")


def _place(value: GlobalValue, file: str) -> str:
    """The file, with the source line where the debug information has it."""
    for kind, node in value.metadata:
        if kind != _DEBUG or not isinstance(node, DebugNode):
            continue
        known = node.get("var") if node.kind == "DIGlobalVariableExpression" else node
        source = known.get("file") if isinstance(known, DebugNode) else None
        if isinstance(known, DebugNode) and isinstance(source, DebugNode) and known.get("line"):
            named, line = source.string("filename"), known.get("line")
            is_same = PurePath(named).name == PurePath(file).name
            return f"{file}:{line}" if is_same else f"{file} ({named}:{line})"
    return file
