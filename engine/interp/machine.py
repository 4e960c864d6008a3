"""The virtual machine: the table of operations as native code, an object that programs link.

    u64 interpret(ptr frame, ptr pc)     runs a function until it ends (0) or asks its stub (n > 0)

`frame` is where the function's registers are: 8-byte slots, the first of which holds the address of
the function's pool (constants, then helpers).  `pc` is the address of a code word.  The machine
keeps nothing else: it runs on the guest's own stack, one activation per function, so threads,
signals, exceptions and longjmp pass through it as through any native function.

Threaded code (Bell, "Threaded Code", CACM 16(6), 1973): there is no loop.  Each operation of
`opcodes.OPCODES` is a function that numba compiles, and ends with a jump to the next word's
operation through a table, an LLVM `musttail` call; so each has registers and a branch to predict of
its own, and nothing is spilt around those that call.

Nothing can be missed or falsely reported here: checks are operations of the program.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from typing import Any, Final

from irsan.engine.cache import Cache
from irsan.engine.interp.dispatch import SYMBOL, TABLE, dispatch
from irsan.engine.interp.opcodes import OPCODES, Opcode
from irsan.engine.packaged import MACHINE, packaged
from irsan.engine.runtime_image.source_hash import (
    are_unchanged,
    interp_sources_hash,
    portable_hash,
)
from irsan.engine.target import TRIPLE, optimise, target_machine

_FIELDS: Final = ("pc + 2", "pc + 4", "pc + 6")
_READ: Final = {
    "s": "{name} = frame + (u64(load_u16({field})) << 3)",
    "k": "k = sext16(load_u16({field}))",
    "j": "k = sext16(load_u16({field}))",
    "n": "n = u64(load_u16({field}))",
    "r": "request = u64(load_u16({field}))",
    "J": "far = u64(sext32(load_u32(pc + 4))) << 3",
    "o": "place = u64(load_u32(pc + 4))",
}


Prologue = Callable[[int], list[str]]
"""LLVM lines that an operation begins with, by its number (bench/operation_pairs.py counts)."""


def _nothing(_number: int) -> list[str]:
    return []


def load_or_build_machine(cache: Cache, progress: Callable[[str], None]) -> bytes:
    """The machine's object, from the cache or compiled now (some ten seconds, once)."""
    key = interp_sources_hash()
    stored = cache.get("machine", key)
    if stored is None:
        stored = packaged(MACHINE, portable_hash(MACHINE))
        if stored is not None:
            cache.put("machine", key, stored)
    if stored is None:
        progress("compiling the interpreter (once per version; about ten seconds)")
        stored = build_machine()
        if are_unchanged():
            cache.put("machine", key, stored)
    return stored


def build_machine(prologue: Prologue = _nothing) -> bytes:
    """Compile the operations with numba and export the machine, so that exceptions may pass."""
    machine = target_machine()
    module = machine_module(machine, prologue)
    return bytes(machine.emit_object(module))


def machine_module(machine: Any, prologue: Prologue = _nothing) -> Any:
    """The optimised LLVM module of the machine."""
    import llvmlite.binding as llvm

    known = _names()
    overloads = [_compile(opcode, known) for opcode in OPCODES]
    names = [overload.fndesc.llvm_func_name for overload in overloads]
    module = llvm.parse_assembly(_module_text(names, prologue))
    for name, overload in zip(names, overloads, strict=True):
        bitcode = overload.library._get_module_for_linking().as_bitcode()
        module.link_in(llvm.parse_bitcode(bitcode))
        module.get_function(name).add_function_attribute("alwaysinline")
        module.get_function(name).add_function_attribute("uwtable")
    optimise(module, machine, level=2)
    return module


def _module_text(names: list[str], prologue: Prologue) -> str:
    """LLVM text of the table and of one function for each operation."""
    table = ", ".join(f"ptr @op.{number}" for number in range(len(names)))
    lines = [
        f'target triple = "{TRIPLE}"',
        f"@{TABLE} = constant [{len(names)} x ptr] [{table}]",
        f"define i64 @{SYMBOL}(ptr %frame, ptr %pc) uwtable {{", *dispatch("%pc"), "}",
    ]  # fmt: skip
    for number, (name, opcode) in enumerate(zip(names, OPCODES, strict=True)):
        lines += [
            f"declare i32 @{name}(ptr, ptr, i64, i64)",
            f"define internal i64 @op.{number}(ptr %frame, ptr %pc) uwtable {{", *prologue(number),
            "  %r = alloca i64",
            "  %f = ptrtoint ptr %frame to i64",
            "  %p = ptrtoint ptr %pc to i64",
            f"  %s = call i32 @{name}(ptr %r, ptr null, i64 %f, i64 %p)",
            "  %v = load i64, ptr %r", *_end(opcode), "}",
        ]  # fmt: skip
    return "\n".join(lines)


def _end(opcode: Opcode) -> list[str]:
    """What the operation's value `%v` is for."""
    if opcode.leaves:
        return ["  ret i64 %v"]
    pointer = "  %next = inttoptr i64 %v to ptr"
    if not opcode.enters:
        return [pointer, *dispatch("%next")]
    return [
        pointer, "  %result = musttail call i64 %next(ptr %frame, ptr %pc)", "  ret i64 %result",
    ]  # fmt: skip


def _compile(opcode: Opcode, known: Mapping[str, Any]) -> Any:
    """numba's overload of one operation: (frame, pc) -> what `_end` makes use of."""
    import numba
    from numba import types

    from irsan.runtime.kernels.language.typing_rules import literals_like_neighbours

    name, source = f"<irsan operation {opcode.name}>", operation_source(opcode)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = dict(known)
    exec(compile(source, name, "exec"), names)
    njit: Any = numba.njit
    decorate = njit(
        [types.uint64(types.uint64, types.uint64)],
        error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True,
    )  # fmt: skip
    with literals_like_neighbours():
        [overload] = decorate(names["operation"]).overloads.values()
    return overload


def operation_source(opcode: Opcode) -> str:
    """Python source of one operation."""
    lines = ["def operation(frame, pc):"]
    for letter, name, field in zip(opcode.layout, "abc", _FIELDS, strict=False):
        if letter != "-":
            lines.append("    " + _READ[letter].format(name=name, field=field))
    lines.append("    pc += 8")
    lines += [f"    {part.strip()}" for part in opcode.body.split(";")]
    if not (opcode.leaves or opcode.enters):
        lines.append("    return pc")
    return "\n".join([*lines, ""])


def _names() -> dict[str, Any]:
    """What an operation's source speaks of: intrinsics, numba's types, numbers."""
    import numpy as np

    from irsan.engine.interp import intrinsics
    from irsan.runtime.kernels import memory

    names: dict[str, Any] = {}
    for module in (memory, intrinsics):
        names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    names |= {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
              "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}  # fmt: skip
    return names
