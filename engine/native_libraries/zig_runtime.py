"""The C++ library of the pip-installed compiler: `libc++.a` and `libc++abi.a`, built once.

zig has no C++ library on disk: it builds one when a C++ program is linked for the first time.  So
a two-line program is linked with `--verbose-link`, and the archives named on the link line are
copied into irsan's cache under the compiler's identity.  They join the guest's link as ordinary
archives and bind to the interceptors by themselves.

zig's libunwind stays out: exceptions are unwound by libgcc_s, which also knows the process's own
libraries.  Without compiler-rt, sanitizer runtime and debug sections the build takes 20 to 60 s
and 3 MB.  A wheel brings both archives along for the zig that it was made with: they are code for
any x86-64, and the same wherever that zig builds them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from irsan.cachedir import cache_root
from irsan.engine.headed_bytes import join_head, read_head
from irsan.engine.packaged import CXX, packaged
from irsan.errors import UnsupportedError
from irsan.sealed import is_kept_whole, keep_beside_seal

ARCHIVE_NAMES: Final = ("libc++.a", "libc++abi.a")

_PROGRAM: Final = "#include <iostream>\nint main() { std::cout << 0; }\n"
_FLAGS: Final = (
    "-target", "x86_64-linux-gnu.2.31", "-mcpu=baseline", "-lc++", "-lc", "-fstrip",
    "-fno-compiler-rt", "-fno-ubsan-rt", "-fno-sanitize-c", "--verbose-link",
)  # fmt: skip
_TIMEOUT_S: Final = 900


def zig_cxx_archives(
    compiler: Sequence[str],
    identity: str,
    environment: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[Path]:
    """Paths of libc++.a and libc++abi.a for a zig compiler.

    compiler: how zig is called, e.g. [python, "-m", "ziglang", "c++"]; identity: changes when the
    installed zig changes; environment: of the compiler (ZIG_GLOBAL_CACHE_DIR says where its own
    intermediate files stay), None for this process's; progress: called once, before a build that
    takes about a minute.
    UnsupportedError, with the end of zig's output, when it cannot build them.
    """
    folder = cache_root() / "libraries"
    places = [folder / f"zig-{_short(identity)}-{name}" for name in ARCHIVE_NAMES]
    if all(is_kept_whole(place) for place in places):
        return places
    shipped = _shipped(compiler)
    if shipped is not None:
        for place, content in zip(places, shipped, strict=True):
            keep_beside_seal(place, content)
        return places
    if progress is not None:
        progress("building the C++ library of the bundled compiler (once, about a minute)")
    with tempfile.TemporaryDirectory(prefix="irsan-zig-") as scratch:
        built = _build(_without_language(compiler), Path(scratch), environment)
        return [_keep(path, place) for path, place in zip(built, places, strict=True)]


def package_key(compiler: Sequence[str]) -> str | None:
    """Names the archives of this Python's own ziglang in a wheel; None for any other zig."""
    if compiler[0] != sys.executable or "ziglang" not in compiler:
        return None
    try:
        return _short("\0".join((version("ziglang"), *_FLAGS)))
    except PackageNotFoundError:
        return None


def archives_encoded(archives: Sequence[Path]) -> bytes:
    """Both in one, for a wheel."""
    first, second = (path.read_bytes() for path in archives)
    return join_head(first, second)


def _shipped(compiler: Sequence[str]) -> tuple[bytes, bytes] | None:
    key = package_key(compiler)
    raw = packaged(CXX, key) if key is not None else None
    if raw is None:
        return None
    first, begin = read_head(raw)
    return first, raw[begin:]


def _short(identity: str) -> str:
    import hashlib

    return hashlib.sha256(identity.encode()).hexdigest()[:20]


def _without_language(compiler: Sequence[str]) -> list[str]:
    words = list(compiler)
    return words[:-1] if words[-1] in ("c++", "cc") else words


def _build(zig: list[str], scratch: Path, environment: Mapping[str, str] | None) -> list[Path]:
    """Link a program in an empty local cache, so that the link line is printed in any case."""
    source = scratch / "probe.cpp"
    source.write_text(_PROGRAM)
    argv = [
        *zig, "build-exe", *_FLAGS, "--cache-dir", str(scratch / "cache"),
        f"-femit-bin={scratch / 'probe'}", source.name,
    ]  # fmt: skip
    done = subprocess.run(
        argv,
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    found = [_named(done.stderr, name, scratch) for name in ARCHIVE_NAMES]
    paths = [path for path in found if path is not None]
    if len(paths) != len(ARCHIVE_NAMES):
        tail = "\n".join(done.stderr.splitlines()[-8:])
        raise UnsupportedError(
            f"zig did not build its C++ library (exit status {done.returncode}):\n{tail}"
        )
    return paths


def _named(output: str, name: str, scratch: Path) -> Path | None:
    for line in reversed(output.splitlines()):
        if not line.startswith("ld.lld"):
            continue
        word = re.search(rf"(\S+/{re.escape(name)})(\s|$)", line)
        if word is not None and (scratch / word[1]).exists():
            return scratch / word[1]
    return None


def _keep(built: Path, place: Path) -> Path:
    keep_beside_seal(place, built.read_bytes())
    return place
