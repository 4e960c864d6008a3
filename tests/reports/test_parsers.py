"""Our text in the eyes of the tools that read such text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.model.report import Finding, Stack
from irsan.reports.text.report import format_finding
from irsan.reports.text.style import TextStyle
from tests.reports import samples
from tests.reports.parsers import casr_crash, checker_reports, fuzz_state

STYLE = TextStyle(pid=12, command=("a.c",), schedule="r0")
WITHOUT_STACK = ("odr-violation",)
NAMES = [n for n in samples.MEMORY if n not in WITHOUT_STACK]
BLANK_FRAME = ("SEGV-jump",)


def at_existing_file(finding: Finding, path: Path) -> Finding:
    """The same finding with frames in a file that exists, and one more caller."""

    def moved(stack: Stack) -> Stack:
        frames = tuple(replace(f, file=str(path)) if f.file else f for f in stack.frames)
        return replace(stack, frames=(*frames, replace(samples.own("caller", 50), file=str(path))))

    return replace(finding, stacks=tuple(moved(s) for s in finding.stacks))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text("int main() { return 0; }\n")
    return path


@pytest.mark.parametrize("name", [n for n in NAMES if n not in BLANK_FRAME])
def test_codechecker_keeps_every_memory_error(name: str, source: Path) -> None:
    finding = at_existing_file(samples.MEMORY[name], source)
    (place,) = checker_reports(format_finding(finding, STYLE))
    assert place.file == str(source)
    # The converter skips the line after the header, which may be the first frame.
    assert place.line in [f.line for f in finding.stacks[0].frames if f.file]


@pytest.mark.parametrize("name", [n for n in NAMES if n not in BLANK_FRAME])
def test_casr_reads_every_memory_error(name: str) -> None:
    finding = samples.MEMORY[name]
    kind, frames = casr_crash(format_finding(finding, STYLE))
    assert kind == finding.kind
    assert len(frames) == len(finding.stacks[0].frames)


@pytest.mark.parametrize(
    ("name", "kind", "functions"),
    [
        ("heap-use-after-free", "heap-use-after-free", ["f"]),
        ("double-free", "attempting double-free", []),
        ("SEGV", "SEGV", []),
        ("memcpy-param-overlap", "memcpy-param-overlap", []),
        ("alloc-dealloc-mismatch", "alloc-dealloc-mismatch", []),
    ],
)
def test_clusterfuzz_memory(name: str, kind: str, functions: list[str]) -> None:
    assert fuzz_state(format_finding(samples.MEMORY[name], STYLE)) == (kind, functions)


def test_compat_serves_races_to_both(source: Path) -> None:
    finding = at_existing_file(samples.RACES["race-heap"], source)
    finding = replace(
        finding,
        stacks=(
            Stack("access", "T0", (samples.own("writer", 3),)),
            *finding.stacks[1:],
        ),
    )
    finding = at_existing_file(finding, source)
    native = format_finding(finding, STYLE)
    compat = format_finding(finding, replace(STYLE, report_style="compat"))
    assert checker_reports(native) == []
    assert [p.line for p in checker_reports(compat)] == [3]
    assert fuzz_state(native) == ("data race", [])
    assert fuzz_state(compat) == ("data race", ["writer", "caller"])


@pytest.mark.parametrize("name", samples.RACES)
def test_codechecker_keeps_every_race_in_compat_style(name: str, source: Path) -> None:
    finding = at_existing_file(samples.RACES[name], source)
    (place,) = checker_reports(format_finding(finding, replace(STYLE, report_style="compat")))
    assert place.file == str(source)


def test_replay_line_is_last_and_alone() -> None:
    for finding in samples.EVERYTHING.values():
        lines = format_finding(finding, STYLE).splitlines()
        told = [i for i, line in enumerate(lines) if line.startswith("replay: ")]
        assert told == ([] if finding.verdict == "limit" else [len(lines) - 1])
