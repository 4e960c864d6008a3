"""Stacks as text: the stack_trace_format template, demangling, and who gets the blame.

Specifiers of a template:
    %n number   %p pc            %m module    %o offset in module   %b build id (never known)
    %f function %q its offset    %s file      %l line               %c column
    %F `in f`   %S file:line:col %L %S, else (module+offset)        %M (module's base name+offset)
"""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise

from irsan.reports.derived.user_code import plain_path
from irsan.reports.model.names import demangled, shortened
from irsan.reports.model.report import Frame, Stack
from irsan.reports.text.snippet import N_LINES_BEFORE, snippet_lines
from irsan.reports.text.style import TextStyle

MEMORY_FORMAT = "    #%n %p %F %L"
RACE_FORMAT = "    #%n %f %S %M"
_SPECIFIER = re.compile(r"%([%npmobfqslcFSLM])")


def format_frame(
    frame: Frame, number: int, style: TextStyle, template: str, after_name: str = ""
) -> str:
    """One frame by `template`, with `after_name` behind the function; trailing blanks are cut."""
    shown = frame if style.symbolize else _unsymbolized(frame)
    values = _specifier_values(shown, number, style)
    values["f"] += after_name
    values["F"] += after_name
    return _SPECIFIER.sub(lambda match: values[match.group(1)], template).rstrip(" ")


def format_frames(stack: Stack, style: TextStyle, default: str) -> list[str]:
    """Frames of a stack, one line each, without the blank line that ends it."""
    return [line for _, line in _frame_lines(stack, style, default)]


def format_memory_stack(
    stack: Stack | None, style: TextStyle, *, with_snippet: bool = False
) -> list[str]:
    """Frames, a blank line, and the DEDUP_TOKEN if asked for.

    The snippet of a report's first stack has a line of context, that of any other has none.
    """
    if stack is None or not stack.frames:
        return ["    <empty stack>", ""]
    lines = _lines_with_snippet(stack, style, MEMORY_FORMAT, with_snippet)
    return [*lines, "", *_dedup_token(stack, style)]


def format_race_stack(
    stack: Stack | None, style: TextStyle, *, with_snippet: bool = False
) -> list[str]:
    """The same in the layout of race reports; `report_style=compat` uses the memory layout."""
    if stack is None or not stack.frames:
        return ["    [failed to restore the stack]", ""]
    default = MEMORY_FORMAT if style.report_style == "compat" else RACE_FORMAT
    lines = _lines_with_snippet(stack, style, default, with_snippet)
    return [*lines, *_dedup_token(stack, style), ""]


def _frame_lines(stack: Stack, style: TextStyle, default: str) -> list[tuple[Frame, str]]:
    """Frames and their text; of many library frames in a row one is shown.

    That is the outermost: the function that the program has called.  Frame 0 is always shown.
    """
    given = style.stack_trace_format
    template = (default if given == "DEFAULT" else given).replace("\\n", "\n")
    frames = stack.frames if style.symbolize_inline_frames else _outermost(stack.frames)
    folds = _folds(style) and given in ("DEFAULT", RACE_FORMAT) and stack.user_frame >= 0
    lines, n_hidden = [], 0
    for number, frame in enumerate(frames):
        if folds and 0 < number < len(frames) - 1 and frame.library and frames[number + 1].library:
            n_hidden += 1
            continue
        line = format_frame(frame, number, style, template, _hidden_in_words(n_hidden))
        lines.append((frame, line))
        n_hidden = 0
    return lines


def _folds(style: TextStyle) -> bool:
    return style.symbolize and style.report_style == "native" and not style.show_library_frames


def _hidden_in_words(n_hidden: int) -> str:
    plural = "" if n_hidden == 1 else "s"
    return f" [+{n_hidden} library frame{plural}]" if n_hidden else ""


def _touched(stack: Stack) -> list[str]:
    """The line that says what the innermost frame's access touches, in the source's words."""
    expression = stack.frames[0].expression
    return [f"    touches {expression}"] if expression else []


def blamed_frame(stack: Stack | None) -> Frame:
    """The innermost frame that is the program's own; an empty frame when there is none.

    Where only a library is to be seen, its innermost frame.
    """
    if stack is None or stack.user_frame < 0:
        return failing_frame(stack)
    return stack.frames[stack.user_frame]


def failing_frame(stack: Stack | None) -> Frame:
    """The innermost frame that is no interceptor, be it the program's or a library's."""
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
    if not style.demangle:
        return frame.function
    return shortened(demangled(frame.function), style.template_width)


def source_location(file: str, line: int, column: int, style: TextStyle) -> str:
    """`file:line:column`, or `file(line,column)`; zeros are left out."""
    text = strip_prefix(plain_path(file), style.strip_path_prefix)
    numbers = [str(n) for n in ((line, column) if line else ()) if n]
    if not style.symbolize_vs_style:
        return ":".join([text, *numbers])
    return f"{text}({','.join(numbers)})" if numbers else text


def strip_prefix(path: str, prefix: str) -> str:
    """Cut everything up to and including `prefix`, wherever it stands in `path`."""
    if not prefix or prefix not in path:
        return path
    return path[path.index(prefix) + len(prefix) :].removeprefix("./")


def _unsymbolized(frame: Frame) -> Frame:
    return Frame(pc=frame.pc, module=frame.module, module_offset=frame.module_offset)


def _outermost(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Drop inlined frames: of neighbours with one pc only the last is a real activation."""
    kept = [f for f, after in pairwise(frames) if not f.pc or f.pc != after.pc]
    return (*kept, *frames[-1:])


def _lines_with_snippet(
    stack: Stack, style: TextStyle, default: str, with_context: bool
) -> list[str]:
    """Frames, what the access touches, and below the program's own frame its line of source."""
    shown = _frame_lines(stack, style, default)
    lines = [line for _, line in shown]
    blamed = blamed_frame(stack)
    after = next((i for i, (frame, _) in enumerate(shown, 1) if frame == blamed), 0)
    if after and stack.role != "thread-creation":
        lines[after:after] = frame_snippet(blamed, style, N_LINES_BEFORE if with_context else 0)
    return [*lines, *_touched(stack)]


def frame_snippet(frame: Frame, style: TextStyle, n_before: int = 0) -> list[str]:
    """The line of source of a frame, for people at a terminal."""
    if not (style.color and style.source_snippets and style.symbolize):
        return []
    return snippet_lines(frame.file, frame.line, frame.column, n_before)


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
