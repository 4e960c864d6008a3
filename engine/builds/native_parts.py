"""What irsan-cc adds to native code, made once for each compiler and kept.

    start.o      what an executable runs first (start.c)
    stubs.bc     functions that the marks leave calls of, and the sanitizers' interface, for native
                 code: a copy is a copy, the rest does nothing. Only what an object calls is linked
                 into it, as internal functions, so that it links anywhere.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import irsan
from irsan.cachedir import cache_base, cache_root
from irsan.engine.builds.toolchain import Toolchain
from irsan.errors import InternalError
from irsan.sealed import is_kept_whole, keep_beside_seal

_START: Final = Path(__file__).with_name("start.c")
_NAMES: Final = Path(__file__).with_name("interface_names.txt")
_BOOT: Final = (
    "import sys; sys.path[0] = {root!r}; from irsan.built_program import main; "
    "sys.exit(main(sys.argv[1:]))"
)
_COPIED: Final = ("asan", "tsan", "msan", "hwasan")
_COPIES: Final = {
    "memcpy": "ptr %a, ptr %b, i64 %n", "memmove": "ptr %a, ptr %b, i64 %n",
    "memset": "ptr %a, i32 %b, i64 %n",
}  # fmt: skip
_ALSO: Final = ("__tsan_init", "__asan_init", "__asan_handle_no_return", "__msan_init",
                "__sanitizer_dtor_callback", "__sanitizer_dtor_callback_fields",
                "__sanitizer_dtor_callback_vptr")  # fmt: skip
_ENDING: Final = "_abort"  # of handlers of undefined behaviour that do not return


@dataclass(frozen=True, slots=True)
class NativeParts:
    """The files; see the module."""

    start: Path
    stubs: Path


def native_parts(toolchain: Toolchain) -> NativeParts:
    """The parts for a compiler, made now if they are not there yet."""
    root = str(Path(irsan.__file__).parent.parent)
    cache = str(cache_base(os.environ) or "")
    facts = (toolchain.identity, sys.executable, root, cache, _START.read_text(), _sources_hash())
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
    folder = cache_root() / "tools" / f"builds-{digest}"
    parts = NativeParts(folder / "start.o", folder / "stubs.bc")
    if not (is_kept_whole(parts.start) and is_kept_whole(parts.stubs)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="irsan-cc-") as own:  # builds run side by side
            _make(parts, toolchain, _start_words(root, cache), Path(own))
    return parts


def _make(parts: NativeParts, toolchain: Toolchain, start_words: list[str], folder: Path) -> None:
    keep_beside_seal(parts.start, _compiled(toolchain, start_words, "c", folder))
    (folder / "stubs.ll").write_text("\n".join(_stub_text()))
    stubs = _compiled(toolchain, ["-emit-llvm", "stubs.ll"], "ir", folder)
    keep_beside_seal(parts.stubs, stubs)


def _sources_hash() -> str:
    return hashlib.sha256(Path(__file__).read_bytes() + _NAMES.read_bytes()).hexdigest()


def _start_words(root: str, cache: str) -> list[str]:
    boot = _BOOT.format(root=root)
    strings = {"PYTHON": sys.executable, "ROOT": root, "BOOT": boot, "CACHE": cache}
    return [
        *(f"-DIRSAN_{name}={_c_string(text)}" for name, text in strings.items()),
        *("-O1", "-fPIC", "-fno-stack-protector", "-w", str(_START)),
    ]


def _c_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _compiled(toolchain: Toolchain, words: list[str], language: str, folder: Path) -> bytes:
    """What a command makes: bitcode names its source, so the same name, or two who make it at
    once each write another file beside the other's seal."""
    command = [*toolchain.c, "-x", language, "-c", *words, "-Wno-override-module", "-o", "made"]
    answer = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        env=toolchain.environment(), cwd=folder,
    )  # fmt: skip
    if answer.returncode:
        raise InternalError(f"{toolchain.title} does not compile irsan's own part: {answer.stderr}")
    return Path(folder, "made").read_bytes()


def _stub_text() -> Iterator[str]:
    """LLVM text of all stubs."""
    for function, parameters in _COPIES.items():
        yield f"declare ptr @{function}({parameters})"
        for tool in _COPIED:
            yield f"define ptr @__{tool}_{function}({parameters}) {{"
            yield f"  %r = call ptr @{function}({parameters})\n  ret ptr %r\n}}"
    yield "declare void @abort()"
    for name in sorted({*_interface_names(), *_ALSO}):
        act = "  call void @abort()\n" if name.endswith(_ENDING) else ""
        yield f"define i64 @{name}() {{\n{act}  ret i64 0\n}}"


def _interface_names() -> list[str]:
    """Functions of the sanitizers' interface that irsan has: asking the interceptors themselves
    would compile them first."""
    return _NAMES.read_text().split()
