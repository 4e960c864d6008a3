"""Stacks as text: the stack_trace_format template, demangling, and who gets the blame.

Specifiers of a template:
    %n number   %p pc            %m module    %o offset in module   %b build id (never known)
    %f function %q its offset    %s file      %l line               %c column
    %F `in f`   %S file:line:col %L %S, else (module+offset)        %M (module's base name+offset)
"""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from itertools import pairwise

from irsan.reports.model import Frame, Stack
from irsan.reports.snippet import snippet_lines
from irsan.reports.style import TextStyle

MEMORY_FORMAT = "    #%n %p %F %L"
RACE_FORMAT = "    #%n %f %S %M"
_SPECIFIER = re.compile(r"%([%npmobfqslcFSLM])")


def format_frame(frame: Frame, number: int, style: TextStyle, template: str) -> str:
    """One frame by `template`; trailing blanks are cut."""
    shown = frame if style.symbolize else _unsymbolized(frame)
    values = _specifier_values(shown, number, style)
    return _SPECIFIER.sub(lambda match: values[match.group(1)], template).rstrip(" ")


def format_frames(stack: Stack, style: TextStyle, default: str) -> list[str]:
    """Frames of a stack, one line each, without the blank line that ends it."""
    template = default if style.stack_trace_format == "DEFAULT" else style.stack_trace_format
    template = template.replace("\\n", "\n")
    frames = stack.frames if style.symbolize_inline_frames else _outermost(stack.frames)
    return [format_frame(frame, i, style, template) for i, frame in enumerate(frames)]


def format_memory_stack(
    stack: Stack | None, style: TextStyle, *, with_snippet: bool = False
) -> list[str]:
    """Frames, a blank line, and the DEDUP_TOKEN if asked for."""
    if stack is None or not stack.frames:
        return ["    <empty stack>", ""]
    lines = [*format_frames(stack, style, MEMORY_FORMAT), *_touched(stack)]
    return [*_with_snippet(lines, stack, style, with_snippet), "", *_dedup_token(stack, style)]


def format_race_stack(
    stack: Stack | None, style: TextStyle, *, with_snippet: bool = False
) -> list[str]:
    """The same in the layout of race reports; `report_style=compat` uses the memory layout."""
    if stack is None or not stack.frames:
        return ["    [failed to restore the stack]", ""]
    default = MEMORY_FORMAT if style.report_style == "compat" else RACE_FORMAT
    lines = [*format_frames(stack, style, default), *_touched(stack)]
    return [*_with_snippet(lines, stack, style, with_snippet), *_dedup_token(stack, style), ""]


def _touched(stack: Stack) -> list[str]:
    """The line that says what the innermost frame's access touches, in the source's words."""
    expression = stack.frames[0].expression
    return [f"    touches {expression}"] if expression else []


def blamed_frame(stack: Stack | None) -> Frame:
    """The innermost frame that is the program's own; an empty frame when there is none."""
    frames = stack.frames if stack else ()
    own = (f for f in frames if not f.interceptor and (f.function or f.file))
    return next(own, frames[0] if frames else Frame())


def summary_line(
    tool: str, what: str, stack: Stack | None, style: TextStyle, *, with_function: bool = True
) -> list[str]:
    """The SUMMARY line as a list of one, or of none when print_summary is off."""
    if not style.print_summary:
        return []
    frame = blamed_frame(stack)
    if not style.symbolize:
        frame = _unsymbolized(frame)
    where = _location_or_module(frame, style) or "(<unknown module>)"
    who = _in_function(frame, style) if with_function else ""
    return [f"SUMMARY: {tool}: {what} {where} {who}"]


def shown_function(frame: Frame, style: TextStyle) -> str:
    """Function name as printed."""
    return demangled(frame.function) if style.demangle else frame.function


def source_location(file: str, line: int, column: int, style: TextStyle) -> str:
    """`file:line:column`, or `file(line,column)`; what is 0 is left out."""
    text = strip_prefix(file, style.strip_path_prefix)
    numbers = [str(n) for n in ((line, column) if line else ()) if n]
    if not style.symbolize_vs_style:
        return ":".join([text, *numbers])
    return f"{text}({','.join(numbers)})" if numbers else text


def strip_prefix(path: str, prefix: str) -> str:
    """Cut everything up to and including `prefix`, wherever it stands in `path`."""
    if not prefix or prefix not in path:
        return path
    return path[path.index(prefix) + len(prefix) :].removeprefix("./")


@lru_cache(maxsize=4096)
def demangled(name: str) -> str:
    """A C++ name as written in the source; anything else unchanged."""
    if not name.startswith(("_Z", "__Z")):
        return name
    try:
        import cxxfilt

        return str(cxxfilt.demangle(name))
    except Exception:  # a missing C++ library or a name it cannot read: the raw name is honest
        return name


def _unsymbolized(frame: Frame) -> Frame:
    return Frame(pc=frame.pc, module=frame.module, module_offset=frame.module_offset)


def _outermost(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Drop inlined frames: of neighbours with one pc only the last is a real activation."""
    kept = [f for f, after in pairwise(frames) if not f.pc or f.pc != after.pc]
    return (*kept, *frames[-1:])


def _with_snippet(lines: list[str], stack: Stack, style: TextStyle, wanted: bool) -> list[str]:
    if not (wanted and style.color and style.source_snippets and style.symbolize):
        return lines
    frame = blamed_frame(stack)
    if frame not in stack.frames[: len(lines)]:
        return lines
    after = stack.frames.index(frame) + 1
    return [*lines[:after], *snippet_lines(frame.file, frame.line, frame.column), *lines[after:]]


def _dedup_token(stack: Stack, style: TextStyle) -> list[str]:
    names = [f.function or "<null>" for f in stack.frames[: style.dedup_token_length]]
    return [f"DEDUP_TOKEN: {'--'.join(names)}"] if names else []


def _in_function(frame: Frame, style: TextStyle) -> str:
    if not frame.function:
        return ""
    known = not frame.file and frame.function_offset >= 0
    offset = f"+{frame.function_offset:#x}" if known else ""
    return f"in {shown_function(frame, style)}{offset}"


def _location(frame: Frame, style: TextStyle) -> str:
    if not frame.file:
        return "<null>"
    return source_location(frame.file, frame.line, frame.column, style)


def _location_or_module(frame: Frame, style: TextStyle) -> str:
    if frame.file:
        return _location(frame, style)
    if frame.module:
        return f"({_module(frame, style)}+{frame.module_offset:#x})"
    return "" if frame.function else "(<unknown module>)"


def _module(frame: Frame, style: TextStyle) -> str:
    return strip_prefix(frame.module, style.strip_path_prefix)


def _short_module(frame: Frame) -> str:
    if not frame.module:
        return f"({frame.pc:#014x})" if frame.pc else ""
    return f"({posixpath.basename(frame.module)}+{frame.module_offset:#x})"


def _specifier_values(frame: Frame, number: int, style: TextStyle) -> dict[str, str]:
    return {
        "%": "%",
        "n": str(number),
        "p": f"{frame.pc:#014x}",
        "m": _module(frame, style),
        "o": f"{frame.module_offset:#x}",
        "b": "",
        "f": shown_function(frame, style) or "<null>",
        "q": f"{max(frame.function_offset, 0):#x}",
        "s": strip_prefix(frame.file, style.strip_path_prefix) or "<null>",
        "l": str(frame.line),
        "c": str(frame.column),
        "F": _in_function(frame, style),
        "S": _location(frame, style),
        "L": _location_or_module(frame, style),
        "M": _short_module(frame),
    }
