"""Naive twin of the type context: types as plain tuples, equal when their structure is equal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Naive = tuple[Any, ...]


def spelling(naive: Naive) -> str:
    """LLVM's spelling of a naive type, by recursion."""
    kind = naive[0]
    if kind == "int":
        return f"i{naive[1]}"
    if kind == "float":
        return str(naive[1])
    if kind == "ptr":
        return f"ptr addrspace({naive[1]})" if naive[1] else "ptr"
    if kind == "array":
        return f"[{naive[1]} x {spelling(naive[2])}]"
    if kind == "vector":
        scale = "vscale x " if naive[3] else ""
        return f"<{scale}{naive[1]} x {spelling(naive[2])}>"
    if kind == "struct":
        inside = ", ".join(spelling(element) for element in naive[2])
        body = "{ " + inside + " }" if inside else "{}"
        return f"<{body}>" if naive[1] else body
    assert kind == "function"
    parameters = [spelling(parameter) for parameter in naive[2]] + ["..."] * naive[3]
    return f"{spelling(naive[1])} ({', '.join(parameters)})"


@dataclass
class NaiveNames:
    """Identified structs as a list of names; a taken one is tried with .0, .1, ... of one count."""

    taken: list[str] = field(default_factory=list)
    suffix: int = 0

    def claim(self, name: str) -> str:
        """The name a new struct gets."""
        candidate = name
        while candidate in self.taken:
            candidate = f"{name}.{self.suffix}"
            self.suffix += 1
        self.taken.append(candidate)
        return candidate
