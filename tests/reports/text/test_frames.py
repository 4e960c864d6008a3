"""Frame templates, demangling, snippets, blame, and which variable an access belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.model.names import demangled
from irsan.reports.model.report import Frame, Stack, StackObject
from irsan.reports.text.frames import blamed_frame, format_frame, format_memory_stack
from irsan.reports.text.locations import intersection_verb
from irsan.reports.text.snippet import snippet_lines
from irsan.reports.text.style import TextStyle, wants_color

FRAME = Frame("_Z1fi", "/home/me/a.cc", 3, 7, 0x1234, "/bin/prog", 0x234, 0x10)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("%n|%p|%%", "5|0x000000001234|%"),
        ("%m|%o|%b", "/bin/prog|0x234|"),
        ("%f|%q", "f(int)|0x10"),
        ("%s|%l|%c", "/home/me/a.cc|3|7"),
        ("%F|%S|%L|%M", "in f(int)|/home/me/a.cc:3:7|/home/me/a.cc:3:7|(prog+0x234)"),
        ("%z %", "%z %"),
    ],
)
def test_specifiers(template: str, text: str) -> None:
    assert format_frame(FRAME, 5, TextStyle(), template) == text


def test_frame_without_debug_facts() -> None:
    frame = Frame("g", module="/bin/prog", module_offset=8, function_offset=4)
    assert format_frame(frame, 0, TextStyle(), "%F %S %L") == "in g+0x4 <null> (/bin/prog+0x8)"
    assert format_frame(Frame(), 0, TextStyle(), "%f %F %L") == "<null>  (<unknown module>)"


def test_style_of_names_and_paths() -> None:
    plain = TextStyle(demangle=False, strip_path_prefix="/me/")
    assert format_frame(FRAME, 0, plain, "%f %S %m") == "_Z1fi a.cc:3:7 /bin/prog"
    assert format_frame(FRAME, 0, TextStyle(symbolize_vs_style=True), "%S") == "/home/me/a.cc(3,7)"
    raw = format_frame(FRAME, 0, TextStyle(symbolize=False), "%p %F %L")
    assert raw == "0x000000001234  (/bin/prog+0x234)"


def test_own_template_with_newline() -> None:
    style = TextStyle(stack_trace_format="<%n>\\n<%l>")
    assert format_memory_stack(Stack("access", "T0", (FRAME,)), style) == ["<0>\n<3>", ""]


def test_inline_frames_can_be_left_out() -> None:
    frames = (Frame("inlined", pc=5), Frame("real", pc=5), Frame("main", pc=9), Frame(), Frame())
    style = TextStyle(symbolize_inline_frames=False, stack_trace_format="%f")
    lines = format_memory_stack(Stack("access", "T0", frames), style)
    assert lines[:-1] == ["real", "main", "<null>", "<null>"]


def test_blame_skips_interceptors() -> None:
    memcpy, main = Frame("memcpy", interceptor=True), Frame("main")
    assert blamed_frame(Stack("access", "T0", (memcpy, main))) is main
    assert blamed_frame(Stack("access", "T0", (memcpy,))) is memcpy
    assert blamed_frame(None) == Frame()


def test_names_that_cannot_be_demangled() -> None:
    assert demangled("_Z") == "_Z"
    assert demangled("_Z_not_a_name") == "_Z_not_a_name"
    assert demangled("main") == "main"


def test_demangling_survives_a_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cxxfilt", None)
    demangled.cache_clear()
    assert demangled("_Z1fi") == "_Z1fi"
    demangled.cache_clear()


def test_snippet(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int x;\n\tint y = x;\n")
    assert snippet_lines(str(path), 2, 6) == [
        "         1 | int x;",
        "         2 | \tint y = x;",
        "           | \t    ^",
    ]
    assert snippet_lines(str(path), 9, 1) == []
    assert snippet_lines(str(tmp_path / "none.c"), 1, 1) == []
    frame = Frame("main", str(path), 1, 5)
    stack = Stack("access", "T0", (frame,))
    assert len(format_memory_stack(stack, TextStyle(), with_snippet=True)) == 2
    shown = format_memory_stack(stack, TextStyle(color=True), with_snippet=True)
    assert shown[1:3] == ["         1 | int x;", "           |     ^"]


@pytest.mark.parametrize(
    ("mode", "terminal", "environment", "expected"),
    [
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
        ("auto", True, {}, True),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {}, False),
    ],
)
def test_colour(mode: str, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    assert wants_color(mode, terminal, environment) is expected


def test_style_from_flags() -> None:
    flags = {"symbolize": False, "redzone": 16, "max_leaks": 3, "color": "always"}
    assert TextStyle.from_flags(flags, pid=3) == TextStyle(symbolize=False, max_leaks=3, pid=3)


@given(st.integers(0, 120), st.sampled_from([1, 2, 4, 8, 16]))
def test_at_most_one_variable_is_blamed_unless_it_straddles(offset: int, size: int) -> None:
    a, b = StackObject("a", 32, 42), StackObject("b", 64, 84)
    verbs = [
        intersection_verb(a, offset, size, 0, b.begin),
        intersection_verb(b, offset, size, a.end, 1 << 62),
    ]
    touched = [o.begin < offset + size and offset < o.end for o in (a, b)]
    for verb, touches in zip(verbs, touched, strict=True):
        assert not touches or verb in ("is inside", "partially overflows", "partially underflows")
    if not any(touched):
        distances = [max(o.begin - (offset + size), offset - o.end) for o in (a, b)]
        nearest = min(distances)
        blamed = [d for d, verb in zip(distances, verbs, strict=True) if verb]
        assert all(d == nearest or offset < 32 for d in blamed)
