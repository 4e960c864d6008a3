"""From debug locations to source frames: `DILocation` and its chain of inlined calls.

    !DILocation(line: 3, scope: !inner, inlinedAt: !DILocation(line: 9, scope: !outer))
        -> (("inner", "/src/a.h", 3, 5), ("outer", "/src/a.c", 9, 2))

Source: the LLVM Language Reference, "DILocation", "DISubprogram", "DIFile".
"""

from __future__ import annotations

from irsan.instrument.sites.sites import Frame
from irsan.ir.metadata import DebugNode, DILocation, Metadata
from irsan.ir.values import Function


def location_to_frames(location: DILocation, function: Function) -> tuple[Frame, ...]:
    """Frames of `location`, innermost first; scopes without a subprogram count as `function`."""
    frames = []
    at: Metadata | None = location
    while isinstance(at, DILocation):
        name = _subprogram_name(at.scope) or function.name
        frames.append((name, scope_file(at.scope), at.line, at.column))
        at = at.inlined_at
    return tuple(frames)


def function_to_frames(function: Function) -> tuple[Frame, ...]:
    """The frame of an instruction without a location: function and file, no line."""
    subprogram = dict(function.metadata).get("dbg")
    file = scope_file(subprogram) if subprogram is not None else ""
    return ((function.name, file, 0, 0),)


def _subprogram_name(scope: Metadata | None) -> str:
    while isinstance(scope, DebugNode):
        if scope.kind == "DISubprogram":
            return scope.string("linkageName") or scope.string("name")
        scope = scope.get("scope")
    return ""


def scope_file(scope: Metadata | None) -> str:
    """The path of the file of the nearest scope that has one."""
    while isinstance(scope, DebugNode):
        file = scope.get("file")
        if isinstance(file, DebugNode):
            return _joined(file.string("directory"), file.string("filename"))
        scope = scope.get("scope")
    return ""


def _joined(directory: str, filename: str) -> str:
    if filename.startswith("/") or not directory:
        return filename
    return f"{directory.rstrip('/')}/{filename.removeprefix('./')}"
