"""Members of Rust's libraries in a program that a linker has linked: their IR, sliced.

    sliced_records(found, linked, name)   the records of what came without one; of Rust's members
                                          only what the program needs of their IR
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from irsan.engine.inputs.carried import CarriedUnit, carried_unit, decode_carried

#: crates for backtraces, and the compiler's own arithmetic
_NATIVE: Final = re.compile(
    r"lib(compiler_builtins|addr2line|gimli|object|miniz_oxide|adler2?|rustc_demangle)-[0-9a-f]+"
    r"\.rlib"
)
#: std looks names up in the file that is running, which is not the program here
NO_NAMES: Final = r"backtrace_rs\w*symbolize\w*gimli\w*with_global"
_MEMBER: Final = re.compile(r"\.rlib\b|\.rcgu\.o\b")
_MAIN: Final = "main"


def is_native_crate(path: str) -> bool:
    """Whether a library of Rust's is linked as native code although it has IR."""
    return _NATIVE.fullmatch(Path(path).name) is not None


def sliced_records(
    found: Sequence[CarriedUnit], linked: bytes, name: str
) -> list[CarriedUnit]:
    """The records, those of Rust's members reduced; linked: the file, with the other records."""
    members = [one for one in found if one.kind == "ir" and _MEMBER.search(one.path)]
    if not members:
        return list(found)
    from irsan.engine.cache import open_cache
    from irsan.engine.front_end.ir_input import read_ir_parts
    from irsan.engine.producers.sliced_ir import IrPart, sliced

    others = [one for one in found if one not in members]
    wanted = _wanted_by([*decode_carried(linked, name), *others])
    current = read_ir_parts([(one.path, one.body) for one in members])
    parts = [IrPart(one.path, raw) for one, raw in zip(members, current, strict=True)]
    kept = sliced(parts, wanted, open_cache(os.environ), NO_NAMES)
    return [*others, *(carried_unit("ir", one.name, "ir", one.bitcode) for one in kept)]


def _wanted_by(records: Iterable[CarriedUnit]) -> set[str]:
    from irsan.engine.front_end.ir_input import read_ir_parts
    from irsan.engine.inputs.linked_archives import bitcode_names, object_names

    wanted, coded = {_MAIN}, []
    for one in records:
        if one.kind == "ir":
            coded.append((one.path, one.body))
        else:
            wanted |= object_names(one.body, one.path).wanted
    for raw in read_ir_parts(coded):
        wanted |= bitcode_names(raw).wanted
    return wanted
