"""Fingerprints by themselves: what they are made of. Edits are in test_fingerprint_edits.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from irsan.reports.derived.finished import N_AROUND, finished
from irsan.reports.derived.sources import Sources
from irsan.reports.model.fingerprints import CAUSE, EXACT, LINE, TEXT, fingerprints, plain_name
from irsan.reports.model.report import Finding, Frame, Stack
from tests.reports import samples

TEXT_OF_A = "\n".join(f"statement_{n}();" for n in range(1, 40)) + "\n"
UAF = samples.MEMORY["heap-use-after-free"]
RACE = samples.RACES["race-heap"]


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    (tmp_path / "a.c").write_text(TEXT_OF_A)
    return Sources(aliases=(("/src", str(tmp_path)),))


def with_line(finding: Finding, role: str, line: int) -> Finding:
    """The innermost own frame of a role at another line."""

    def changed(stack: Stack) -> Stack:
        if stack.role != role:
            return stack
        number = stack.user_frame
        frames = list(stack.frames)
        frames[number] = replace(frames[number], line=line)
        return replace(stack, frames=tuple(frames))

    return replace(finding, stacks=tuple(map(changed, finding.stacks)))


@pytest.mark.parametrize(
    ("finding", "role", "counts"),
    [
        (UAF, "access", True),
        (UAF, "allocation", True),
        (UAF, "free", True),
        (RACE, "access", True),
        (RACE, "previous", True),
        (RACE, "allocation", False),
        (RACE, "thread-creation", False),
    ],
)
def test_which_places_count(sources: Sources, finding: Finding, role: str, counts: bool) -> None:
    before, after = (
        fingerprints(each, sources) for each in (finding, with_line(finding, role, 33))
    )
    assert (before[EXACT] != after[EXACT]) == counts
    assert (before[TEXT] != after[TEXT]) == counts
    assert before[CAUSE] == after[CAUSE]


def test_without_sources_there_is_no_text() -> None:
    assert set(fingerprints(UAF)) == {EXACT, CAUSE}
    assert fingerprints(UAF)[EXACT] == UAF.id


def test_levels_threads_and_libraries_do_not_count(sources: Sources) -> None:
    library = Frame("_ZSt4sortv", "/usr/include/c++/13/algo", 3, library=True)

    def optimised(stack: Stack) -> Stack:
        own = [replace(frame, pc=1, column=2, function_offset=9) for frame in stack.frames]
        again = [each for frame in own for each in (frame, frame)]  # a recursion
        return replace(stack, thread="T9", frames=(library, *again))

    changed = replace(RACE, stacks=tuple(map(optimised, RACE.stacks)), pc=77, thread="T9")
    before, after = fingerprints(RACE, sources), fingerprints(changed, sources)
    assert {n: before[n] for n in (EXACT, TEXT, CAUSE)} == {
        n: after[n] for n in (EXACT, TEXT, CAUSE)
    }


def test_functions_that_compilers_make_do_not_count() -> None:
    def made_by(*names: str) -> dict[str, str]:
        frames = (samples.own("_ZN3LogC2Ev", 7), *(Frame(name) for name in names))
        return fingerprints(replace(UAF, stacks=(samples.access(*frames),)))

    optimised = made_by("__cxx_global_var_init", "_GLOBAL__sub_I_a.cpp")
    assert made_by() == made_by("__cxx_global_var_init.1") == optimised


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("work.constprop.0", "work"),
        ("work.cold", "work"),
        ("work.llvm.123", "work"),
        ("_ZN1a1b17h0123456789abcdefE", "_ZN1a1bE"),
        ("_ZZ4mainENK3$_0clEv", "_ZZ4mainENK$_clEv"),
        ("_ZZ4mainENK3$_1clEv", "_ZZ4mainENK$_clEv"),
        ("main", "main"),
    ],
)
def test_what_compilers_add_is_left_out(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_a_finished_report_has_names_ends_and_lines(sources: Sources) -> None:
    report = finished(replace(samples.report(UAF, RACE, UAF), root="/src"), sources)
    ids = [each.id for each in report.findings]
    assert len(set(ids)) == 3
    assert ids[0] == fingerprints(UAF, sources)[EXACT]
    assert {each.name for each in report.findings[0].fingerprints} == {EXACT, TEXT, CAUSE, LINE}
    frame = report.findings[0].stacks[0].frames[0]
    assert (frame.line, frame.column, frame.end_column) == (7, 5, 12)
    kept = {
        number: line
        for each in report.sources
        for number, line in enumerate(each.lines, each.first_line)
    }
    assert kept[7] == "statement_7();" and max(kept) == 9 + N_AROUND
    assert finished(report, Sources()) == report


def test_a_place_without_a_column_is_the_function_that_it_names(tmp_path: Path) -> None:
    def names(text: str, line: int) -> dict[str, str]:
        file = tmp_path / "a.cpp"
        file.write_text(text)
        frame = Frame("_ZN1n6handleEi", str(file), line)
        return fingerprints(replace(UAF, stacks=(samples.access(frame),)), Sources())

    lines = "namespace n {\nint one;\nvoid handle(int)\n{ one++; }\n}\n"
    assert names(lines, 3) == names(" ".join(lines.split()), 1) | {LINE: names(lines, 3)[LINE]}
