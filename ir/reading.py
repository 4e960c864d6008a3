"""From a file or a text to a module: the one way in.

    .ll text --(llvmlite parses, upgrades, verifies)--> bitcode --(irsan.ir.bitcode)--> Module
    .bc file --(llvmlite parses, upgrades, verifies)--> bitcode --------^

Whatever LLVM version wrote the input, the reader sees what llvmlite's LLVM writes.
"""

from __future__ import annotations

from pathlib import Path

from irsan.errors import UsageError
from irsan.ir.module import Module

_BITCODE_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def read_module(path: Path | str) -> Module:
    """The module in a `.ll` or `.bc` file, distinguished by content; UsageError when LLVM refuses
    it.
    """
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    return _module_of(raw, str(file))


def parse_ir_text(text: str) -> Module:
    """The module of LLVM text; UsageError when LLVM refuses it."""
    return _module_of(text.encode("utf-8", "surrogateescape"), "<text>")


def parse_ir_bitcode(raw: bytes) -> Module:
    """The module of bitcode of any version LLVM reads; UsageError when LLVM refuses it."""
    return _module_of(raw, "<bitcode>")


def _module_of(raw: bytes, origin: str) -> Module:
    from irsan.ir.bitcode.reader import read_bitcode

    return read_bitcode(current_bitcode(raw, origin))


def current_bitcode(raw: bytes, origin: str) -> bytes:
    """`raw` (text or bitcode) as verified bitcode of llvmlite's LLVM.

    origin: the name for messages. Raises UsageError with LLVM's words.
    """
    import llvmlite.binding as llvm

    # A context of its own: in a shared one LLVM renames a struct that an earlier module had too.
    context = llvm.create_context()
    try:
        if raw[:4] in _BITCODE_MAGIC:
            module = llvm.parse_bitcode(raw, context)
        else:
            module = llvm.parse_assembly(raw.decode("utf-8"), context)
        module.verify()
        bitcode: bytes = module.as_bitcode()
    except (RuntimeError, UnicodeDecodeError) as error:
        raise UsageError(_refusal(origin, error)) from None
    return bitcode


def _refusal(origin: str, error: Exception) -> str:
    import llvmlite.binding as llvm

    version = ".".join([str(part) for part in llvm.llvm_version_info])
    return (
        f"{origin}: LLVM {version} does not accept this IR: {str(error).strip()}\n"
        f"If a newer compiler made it, compile with clang {version.split('.')[0]} or older "
        f"(irsan's own: pip install 'irsan[cc]')."
    )
