"""Data layout and triple of the result: those of the first module that says them.

Modules of different layouts, processors or systems would be wrong code as one module: an error.
Triples that differ in the rest (vendor, version, C library) are a warning, and the first stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from irsan.ir.linker.problems import Problems
from irsan.ir.module import Module


def merged_target(modules: Sequence[tuple[str, Module]], problems: Problems) -> tuple[str, str]:
    """The data layout and the triple for modules with their names."""
    layout = _first([(name, module.data_layout) for name, module in modules])
    triple = _first([(name, module.target_triple) for name, module in modules])
    for name, module in modules:
        if module.data_layout not in ("", layout[1]):
            problems.errors.append(
                f"{layout[0]} and {name} have two data layouts, {layout[1]} and "
                f"{module.data_layout}: compile both for one machine"
            )
        elif module.target_triple not in ("", triple[1]):
            _compare(triple, (name, module.target_triple), problems)
    return layout[1], triple[1]


def _first(named: list[tuple[str, str]]) -> tuple[str, str]:
    return next(((name, text) for name, text in named if text), ("", ""))


def _compare(first: tuple[str, str], other: tuple[str, str], problems: Problems) -> None:
    said = f"{first[0]} is made for {first[1]}, {other[0]} for {other[1]}"
    if _machine(first[1]) != _machine(other[1]):
        problems.errors.append(f"{said}: compile both for one machine")
    else:
        problems.warnings.append(f"{said}; the result says {first[1]}")


def _machine(triple: str) -> tuple[str, str]:
    """Processor and system, without versions: x86_64-linux and x86_64-pc-linux-gnu are one."""
    parts = triple.split("-")
    systems = [part.rstrip("0123456789.") for part in parts[1:3]]
    system = next((part for part in systems if part in _SYSTEMS), systems[-1] if systems else "")
    return parts[0], system


_SYSTEMS = frozenset((
    "linux", "darwin", "macosx", "windows", "freebsd", "netbsd", "openbsd", "wasi", "none",
))  # fmt: skip
