"""Objects of bitcode that the compiler under irsan-cc is too old for, and irsan's own LLVM is not.

rustc and clang are installed apart from each other, and their LLVMs differ. So where the compiler
is older than the bitcode, llvmlite's LLVM makes the native object, which is only needed for
`IRSAN_NATIVE=1` and for linking.
"""

from __future__ import annotations

import os
from pathlib import Path

from irsan.engine.builds.newer_bitcode import producer_major
from irsan.engine.builds.toolchain import Toolchain


def needs_own_llvm(path: Path, toolchain: Toolchain) -> bool:
    """Whether a file is bitcode that the compiler is too old for, and llvmlite's LLVM is not."""
    try:
        producer = producer_major(path.read_bytes())
    except OSError:
        return False
    if producer is None or producer <= toolchain.version:
        return False
    from irsan.engine.cache import open_cache
    from irsan.engine.front_end.compilers import llvm_version

    return producer <= llvm_version(open_cache(os.environ))[0]


def own_object(raw: bytes, path: Path) -> tuple[bytes, bytes]:
    """(current bitcode, native object) of bitcode. Raises as `bitcode_to_bitcode`."""
    import llvmlite.binding as llvm

    from irsan.engine.front_end.ir_input import bitcode_to_bitcode
    from irsan.engine.target import TRIPLE

    bitcode = bitcode_to_bitcode(raw, path)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=1, reloc="pic", codemodel="small"
    )
    module = llvm.parse_bitcode(bitcode, llvm.create_context())
    return bitcode, bytes(machine.emit_object(module))
