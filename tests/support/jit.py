"""What the native engine's tests share: one reserved arena, compiled text, linked objects."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from irsan.engine.linker.linker import AddressRange, Linker
from irsan.low_heap import python_words
from irsan.runtime import arena
from irsan.runtime.layout import memory_map

TEXT = AddressRange(memory_map.PROGRAM_CODE_LO, memory_map.PROGRAM_CODE_HI)
DATA = AddressRange(memory_map.GLOBALS_LO, memory_map.GLOBALS_HI)


@cache
def _target_machine(reloc: str, level: int) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(reloc=reloc, codemodel="small", opt=level)


def compile_text(text: str, reloc: str = "static", level: int = 1) -> bytes:
    """LLVM text to an object file."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.verify()
    raw: bytes = _target_machine(reloc, level).emit_object(module)
    return raw


@contextmanager
def linked(*objects: bytes, archives: Sequence[bytes] = (), **options: Any) -> Iterator[Linker]:
    """Objects linked into the program's ranges, unloaded afterwards."""
    arena.reserve_arena()
    linker = Linker(TEXT, DATA, **options)
    for number, raw in enumerate(objects):
        linker.add_object(raw, f"object{number}.o")
    for number, raw in enumerate(archives):
        linker.add_archive(raw, f"archive{number}.a")
    linker.link()
    try:
        yield linker
    finally:
        linker.unload()


def linked_call(
    *objects: bytes, archives: list[bytes] | None = None, name: str = "main", **options: Any
) -> int:
    """Link, call `name` with no arguments on this stack, unload: the result as int."""
    with linked(*objects, archives=archives or [], **options) as linker:
        return call(linker.symbols[name])


def call(address: int, *arguments: int) -> int:
    """Call a C function of integer arguments that returns int."""
    kinds = [ctypes.c_uint64] * len(arguments)
    return int(ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(address)(*arguments))


def run_snippet(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own (its output and its end are looked at)."""
    return subprocess.run(
        [*python_words(), "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
