"""IR from outside made fit for irsan's one reader: parsed, upgraded, verified, written as bitcode.

Whatever arrives (text, bitcode of an older LLVM, a compiler's output) goes through llvmlite, which
is the real LLVM: after it there is only current, verified bitcode.

Soundness: LLVM reads all older bitcode and no newer one, so a module made by a newer LLVM is
refused by name; nothing is guessed about records LLVM did not understand. Some damaged files make
LLVM end the whole process: files of the user are therefore read in a process of their own. Every
module has a context of its own: threads do not share one, and the bytes do not depend on what was
read before.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from irsan.engine.front_end.older_text import has_older_types, modernised, text_writer
from irsan.errors import IrsanError, UnsupportedError, UsageError
from irsan.own_process import module_command

_BITCODE_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_PRODUCER_IN_ERROR = re.compile(r"Producer: 'LLVM\s*(\d+)[^']*?(-rust-[^']*)?'")
_LAST_TYPED = 16  # the last LLVM that can write pointers of a type
_LENGTH_BYTES = 8
_TEXT_PLACE = re.compile(r"<string>:(?=\d+:)")


def is_bitcode(content: bytes) -> bool:
    """Whether these bytes start as LLVM bitcode does, bare or in its wrapper."""
    return content.startswith(_BITCODE_MAGICS)


def read_ir_file(path: Path) -> bytes:
    """Current bitcode of a .ll or .bc file. Raises as the two conversions below do."""
    answer = subprocess.run(
        module_command("irsan.engine.front_end.ir_input", str(path)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    words = answer.stderr.decode(errors="replace").strip()
    if answer.returncode == 0:
        return answer.stdout
    if answer.returncode == UnsupportedError.exit_status:
        raise UnsupportedError(words)
    if answer.returncode == UsageError.exit_status:
        raise UsageError(words)
    last_words = words.splitlines()[-1] if words else f"status {answer.returncode}"
    raise UsageError(f"{path}: damaged: LLVM gave up reading it: {last_words}")


def read_ir_parts(parts: Sequence[tuple[str, bytes]]) -> list[bytes]:
    """Current bitcode of (name, bitcode) parts of files, read by one process of its own.

    Raises as `bitcode_to_bitcode`, and UsageError for a part that ends the process.
    """
    sent = b"".join(_frame(name.encode(errors="surrogateescape")) + _frame(raw)
                    for name, raw in parts)  # fmt: skip
    answer = subprocess.run(
        module_command("irsan.engine.front_end.ir_input"),
        input=sent, capture_output=True, check=False,
    )  # fmt: skip
    got = list(_frames(answer.stdout))
    for status, words in zip(got[::2], got[1::2], strict=False):
        if status:
            kind = UnsupportedError if int(status) == UnsupportedError.exit_status else UsageError
            raise kind(words.decode(errors="replace"))
    found = got[1::2]
    if len(found) < len(parts):
        said = answer.stderr.decode(errors="replace").strip().splitlines()
        last = said[-1] if said else f"status {answer.returncode}"
        raise UsageError(f"{parts[len(found)][0]}: damaged: LLVM gave up reading it: {last}")
    return found


def _read_parts() -> int:
    """The reading process of parts: for each its status, empty when all is well, and its bytes."""
    sent = list(_frames(sys.stdin.buffer.read()))
    for name, raw in zip(sent[::2], sent[1::2], strict=True):
        status, said = b"", b""
        try:
            said = bitcode_to_bitcode(raw, Path(name.decode(errors="surrogateescape")))
        except IrsanError as error:
            status, said = str(error.exit_status).encode(), str(error).encode(errors="replace")
        sys.stdout.buffer.write(_frame(status) + _frame(said))
        sys.stdout.buffer.flush()
    return 0


def _frame(raw: bytes) -> bytes:
    return len(raw).to_bytes(_LENGTH_BYTES, "little") + raw


def _frames(raw: bytes) -> Iterator[bytes]:
    """The whole frames of a stream, which may end within one."""
    at = 0
    while at + _LENGTH_BYTES <= len(raw):
        end = at + _LENGTH_BYTES + int.from_bytes(raw[at : at + _LENGTH_BYTES], "little")
        if end > len(raw):
            return
        yield raw[at + _LENGTH_BYTES : end]
        at = end


def _read_here(path: Path) -> bytes:
    content = path.read_bytes()
    convert = text_to_bitcode if path.suffix == ".ll" else bitcode_to_bitcode
    return convert(content, path)


def _main(path: Path) -> int:
    """The reading process: bitcode to standard output, or one message and a status."""
    try:
        sys.stdout.buffer.write(_read_here(path))
    except IrsanError as error:
        sys.stderr.write(str(error))
        return error.exit_status
    return 0


def text_to_bitcode(content: bytes, path: Path) -> bytes:
    """Current bitcode of LLVM assembly text, also of that of older versions.

    Raises UsageError in LLVM's own words (file:line:column first) when it does not parse.
    """
    from llvmlite.binding import create_context, parse_assembly

    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not LLVM assembly text: {error}") from None
    try:
        module = parse_assembly(text, create_context())
    except RuntimeError as error:
        module = _older_module(text)
        if module is None:
            raise _refused_text(str(error), text, path) from None
    return _verified_bitcode(module, path)


def _older_module(text: str) -> object | None:
    """The module of a text as an older LLVM wrote it; None when it is none."""
    from llvmlite.binding import create_context, parse_assembly

    if not has_older_types(text):
        return None
    try:
        module: object = parse_assembly(modernised(text), create_context())
    except RuntimeError:
        return None
    return module


def _refused_text(message: str, text: str, path: Path) -> UsageError:
    """What is wrong with a text, and what to do with one of another LLVM."""
    writer = text_writer(text)
    if writer is not None:
        _refuse_newer(path, writer[1])
    words = _own_words(message, path)
    if writer is None or writer[1] > _LAST_TYPED:
        return UsageError(words)
    name, major = writer
    return UsageError(
        f"{words}\n{path} is text of {name} {major}: of an older LLVM, bitcode is always read; "
        f"make it with  llvm-as-{major}  or with that compiler's  -c -emit-llvm"
    )


def bitcode_to_bitcode(content: bytes, path: Path) -> bytes:
    """Current bitcode of any bitcode this LLVM can read.

    Raises UsageError when it is damaged, or was made by a newer LLVM.
    """
    from llvmlite.binding import create_context, parse_bitcode

    if not is_bitcode(content):
        raise UsageError(f"{path}: not LLVM bitcode: it does not start with the bitcode signature")
    try:
        module = parse_bitcode(content, create_context())
    except RuntimeError as error:
        producer = _PRODUCER_IN_ERROR.search(str(error))
        if producer is not None:
            _refuse_newer(path, int(producer[1]), is_rust=producer[2] is not None)
        raise UsageError(_own_words(str(error), path)) from None
    return _verified_bitcode(module, path)


def _verified_bitcode(module: object, path: Path) -> bytes:
    from llvmlite.binding import ModuleRef

    assert isinstance(module, ModuleRef)
    _check_target(module.triple, path)
    if not module.data_layout:  # as LLVM's own code generators take it then
        module.data_layout = _own_data_layout()
    try:
        module.verify()
    except RuntimeError as error:
        raise UsageError(f"{path}: LLVM rejects this module: {str(error).strip()}") from None
    bitcode: bytes = module.as_bitcode()
    return bitcode


def _own_data_layout() -> str:
    from irsan.engine.target import target_machine

    return str(target_machine().target_data)


def _check_target(triple: str, path: Path) -> None:
    """Refuse code for another machine. No triple at all means this one, as for LLVM's tools."""
    if not triple:
        return
    architecture, _, system = triple.partition("-")
    foreign = [name for name in ("windows", "darwin", "macos", "msvc", "freebsd") if name in system]
    if architecture in ("x86_64", "amd64", "unknown", "") and not foreign:
        return
    raise UnsupportedError(f"{path}: made for {triple}; irsan runs Linux x86-64 code only")


def _refuse_newer(path: Path, producer_major: int, *, is_rust: bool = False) -> None:
    from llvmlite.binding import llvm_version_info

    ours = llvm_version_info[0]
    if producer_major <= ours:
        return
    advice = "recompile it with an older clang, or give irsan the source and let its own compiler "
    advice += "(irsan[cc]) do it"
    if is_rust:
        advice = "recompile it with a rustc whose LLVM (`rustc -vV` says it) is not newer"
    raise UsageError(
        f"{path}: made by LLVM {producer_major}; this irsan reads up to {ours}; {advice}"
    )


def _own_words(message: str, path: Path) -> str:
    """LLVM's message, with the file's name where LLVM had none."""
    heading, _, words = message.partition("\n")
    if _TEXT_PLACE.search(words):
        return _TEXT_PLACE.sub(f"{path}:", words).rstrip()
    return f"{path}: {heading}: {words.strip()}"


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1])) if sys.argv[1:] else _read_parts())
