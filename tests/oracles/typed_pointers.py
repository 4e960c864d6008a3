"""Naive twin of the conversion of pointer types in text: types are trees, written in two ways.

    Kind = ("word", "i32") | ("pointer", kind, space) | ("array", n, kind) | ("struct", kinds)
         | ("packed", kinds) | ("vector", n, kind) | ("function", result, kinds)
"""

from __future__ import annotations

from typing import Any

Kind = tuple[Any, ...]


def written(kind: Kind, *, typed: bool) -> str:
    """The type as LLVM up to 14 (typed) or today's writes it."""
    form, *parts = kind
    if form == "word":
        return str(parts[0])
    if form == "pointer":
        space = f" addrspace({parts[1]})" if parts[1] else ""
        return f"{written(parts[0], typed=True)}{space}*" if typed else f"ptr{space}"
    if form in ("array", "vector"):
        opening, closing = ("[", "]") if form == "array" else ("<", ">")
        return f"{opening}{parts[0]} x {written(parts[1], typed=typed)}{closing}"
    if form == "function":
        inside = ", ".join(written(one, typed=typed) for one in parts[1])
        return f"{written(parts[0], typed=typed)} ({inside})"
    inside = ", ".join(written(one, typed=typed) for one in parts[0])
    return f"<{{ {inside} }}>" if form == "packed" else f"{{ {inside} }}"
