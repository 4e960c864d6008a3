"""Whose code a frame is: the program's, or a library's that every program has.

    file known      by its folder: headers of C's and C++'s libraries and of the compiler, Rust's
    file unknown    by its name: std::, __gnu_cxx::, ...

More is said by the flag `library_frames`, a list with commas: `/boost/`, `absl`; `!` before a
pattern says that what it matches is the program's own. The last pattern that matches decides. What
holds a `/` is a part of a path, anything else a namespace, a class or a function.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from irsan.reports.model.names import demangled, qualified_name
from irsan.reports.model.report import (
    Finding,
    Frame,
    GlobalVariable,
    Location,
    Stack,
    StackLocation,
)
from irsan.reports.model.rust_names import is_rust

_FOLDERS: Final = re.compile(
    r"/include/c\+\+/"  # libstdc++, and libc++ where distributions put it
    r"|/lib(?:cxx|cxxabi|unwind)/(?:include|src)/"
    r"|/ziglang/lib/|/lib/gcc/|/lib/clang/\d|^/usr/include/|/compiler-rt/lib/"
    r"|^/rustc/[0-9a-f]+/|/rustc-[\d.]+/library/|/rustlib/src/rust/"
    r"|^library/(?:core|alloc|std)/src/|/include/d/(?:core|ldc|object|rt|std)\b"
)
_NAMESPACES: Final = ("std::", "__gnu_cxx::", "__cxxabiv1::", "__clang_call_terminate")
_RUST_NAMESPACES: Final = ("std::", "core::", "alloc::", "__rust", "rust_begin_unwind")


@dataclass(frozen=True, slots=True)
class UserCode:
    """Tells library frames from the program's own; `patterns` as the flag has them."""

    patterns: tuple[str, ...] = ()

    @classmethod
    def from_flag(cls, text: str) -> UserCode:
        """From a list with commas."""
        return cls(tuple(part.strip() for part in text.split(",") if part.strip("! ")))

    def marked(self, finding: Finding) -> Finding:
        """The finding with plain paths, and with each frame of a library marked as one."""
        return replace(
            finding,
            stacks=tuple(self._marked_stack(stack) for stack in finding.stacks),
            locations=tuple(self._marked_location(each) for each in finding.locations),
        )

    def marked_frames(self, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Frames of one place, those of libraries marked."""
        return tuple(_marked(frame, self.patterns) for frame in frames)

    def _marked_stack(self, stack: Stack) -> Stack:
        return replace(stack, frames=self.marked_frames(stack.frames))

    def _marked_location(self, location: Location) -> Location:
        if isinstance(location, GlobalVariable):
            return replace(location, file=plain_path(location.file))
        if isinstance(location, StackLocation):
            return replace(location, frame=_marked(location.frame, self.patterns))
        return location


@lru_cache(maxsize=4096)
def plain_path(path: str) -> str:
    """A path without `a/../b` and `a/./b`; of an unknown file nothing."""
    return posixpath.normpath(path) if "/." in path or "//" in path else path


@lru_cache(maxsize=8192)
def _marked(frame: Frame, patterns: tuple[str, ...]) -> Frame:
    file = plain_path(frame.file)
    is_library = not frame.interceptor and _is_library(frame.function, file, patterns)
    if file == frame.file and is_library == frame.library:
        return frame
    return replace(frame, file=file, library=is_library)


def _is_library(function: str, file: str, patterns: tuple[str, ...]) -> bool:
    for pattern in reversed(patterns):
        if _matches(pattern.lstrip("! "), function, file):
            return not pattern.startswith("!")
    if file:
        return _FOLDERS.search(file) is not None
    name = qualified_name(demangled(function))
    return name.startswith(_RUST_NAMESPACES if is_rust(function) else _NAMESPACES)


def _matches(pattern: str, function: str, file: str) -> bool:
    if "/" in pattern:
        return pattern in file
    name, wanted = qualified_name(demangled(function)), pattern.rstrip(":")
    return name == wanted or name.startswith(f"{wanted}::")
