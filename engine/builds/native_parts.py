"""What irsan-cc adds to native code, made once for each compiler and kept.

    start.o      what an executable runs first (start.c)
    stubs.bc     functions that the marks leave calls of, and the sanitizers' interface, for native
                 code (native_stubs.py). Only what an object calls is linked into it, as internal
                 functions, so that it links anywhere.
    copies.o     memcpy and similar, for programs linked without the C library (copies.c)
    restore      what becomes a saved process (engine/snapshot); empty where it cannot be linked
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import irsan
from irsan.cachedir import cache_base, cache_root, kept_root
from irsan.engine.builds import native_stubs
from irsan.engine.builds.native_stubs import NAMES, stub_text
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.snapshot.boot import boot_text, source_root
from irsan.engine.snapshot.table import FORMAT
from irsan.errors import InternalError
from irsan.sealed import is_kept_whole, keep_beside_seal

_START: Final = Path(__file__).with_name("start.c")
_COPIES_SOURCE: Final = Path(__file__).with_name("copies.c")
_SNAPSHOT: Final = Path(__file__).parent.parent / "snapshot"
_RESTORE: Final = tuple(_SNAPSHOT / name for name in ("restore.c", "system_calls.h", "restore.lds"))


@dataclass(frozen=True, slots=True)
class NativeParts:
    """The files; see the module."""

    start: Path
    stubs: Path
    copies: Path
    restore: Path

    def is_whole(self) -> bool:
        """Whether all are what was made."""
        parts = (self.start, self.stubs, self.copies, self.restore)
        return all(map(is_kept_whole, parts))


def native_parts(toolchain: Toolchain) -> NativeParts:
    """The parts for a compiler, made now if they are not there yet."""
    cache = str(cache_base(os.environ) or "")
    facts = (toolchain.identity, sys.executable, source_root(), cache, _sources_hash())
    digest = hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
    kept = _parts_in(kept_root(), digest)
    if kept.is_whole():
        return kept
    parts = _parts_in(cache_root(), digest)
    if not parts.is_whole():
        parts.start.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="irsan-cc-") as own:  # builds run side by side
            _make(parts, toolchain, Path(own))
    return parts


def _parts_in(root: Path, digest: str) -> NativeParts:
    folder = root / "tools" / f"builds-{digest}"
    return NativeParts(*(folder / name for name in ("start.o", "stubs.bc", "copies.o", "restore")))


def _make(parts: NativeParts, toolchain: Toolchain, folder: Path) -> None:
    words = _defined(parts)
    start = [*words, "-O1", "-fPIC", "-fno-stack-protector", "-w", str(_START)]
    keep_beside_seal(parts.start, _compiled(toolchain, start, "c", folder))
    copies = ["-O1", "-fPIC", "-ffreestanding", "-fno-stack-protector", "-w", str(_COPIES_SOURCE)]
    keep_beside_seal(parts.copies, _compiled(toolchain, copies, "c", folder))
    keep_beside_seal(parts.restore, restorer(toolchain, boot_text(), parts.restore.parent, folder))
    parts.restore.chmod(0o700)
    (folder / "stubs.ll").write_text("\n".join(stub_text()))
    stubs = _compiled(toolchain, ["-emit-llvm", "stubs.ll"], "ir", folder)
    keep_beside_seal(parts.stubs, stubs)


def _sources_hash() -> str:
    own = (Path(__file__), Path(native_stubs.__file__), NAMES)
    sources = (*own, _START, _COPIES_SOURCE, *_RESTORE)
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def _defined(parts: NativeParts) -> list[str]:
    """Strings of the C sources."""
    strings = {
        "PYTHON": sys.executable, "ROOT": source_root(), "BOOT": boot_text(),
        "CACHE": str(cache_base(os.environ) or ""), "VERSION": irsan.__version__,
        "RESTORE": str(parts.restore),
    }  # fmt: skip
    return _definitions(strings)


def _definitions(strings: dict[str, str]) -> list[str]:
    return [f"-DIRSAN_{name}={_c_string(text)}" for name, text in strings.items()]


def restorer(toolchain: Toolchain, boot: str, saved: Path, folder: Path) -> bytes:
    """The program that goes on from a snapshot; nothing where the toolchain cannot link it.

    boot: what Python is given where the snapshot does not fit.  saved: the snapshot's folder.
    folder: one to work in.
    """
    source, _, script = _RESTORE
    words = _definitions(
        {"PYTHON": sys.executable, "BOOT": boot, "SAVED": str(saved), "FORMAT": FORMAT}
    )
    flags = ("-O2", "-ffreestanding", "-fno-builtin", "-fno-pic", "-fno-stack-protector", "-w")
    whole = _compiled(toolchain, [*words, *flags, str(source)], "c", folder)
    (folder / "restore.o").write_bytes(whole)
    command = [
        *toolchain.linker(is_cxx=False), "-static", "-nostdlib", "-no-pie", "-Wl,--build-id=none",
        f"-Wl,-T,{script}", "restore.o", "-o", "restore",
    ]  # fmt: skip
    answer = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        env=toolchain.environment(), cwd=folder,
    )  # fmt: skip
    return b"" if answer.returncode else (folder / "restore").read_bytes()


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
