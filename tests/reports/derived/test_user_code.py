"""Which frames are the program's own, what is printed of the others, and what has one cause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irsan.reports.derived.same_cause import SameCause, counted
from irsan.reports.derived.user_code import UserCode, plain_path
from irsan.reports.formats.json_report import json_to_report, report_to_json
from irsan.reports.model.locations import LibraryState
from irsan.reports.model.report import Finding, Frame, HeapRegion, Stack
from irsan.reports.text.frames import blamed_frame, failing_frame, format_memory_stack
from irsan.reports.text.report import format_finding, format_run
from irsan.reports.text.style import TextStyle
from tests.reports import samples

STYLE = TextStyle(pid=1)
SORT = "_ZSt4sortIPiEvT_S1_"  # void std::sort<int*>(int*, int*)
LIBRARY = (
    Frame(SORT, "/usr/lib/gcc/x/12/../../../../include/c++/12/bits/stl_algo.h", 5),
    Frame("_ZN4mineEv", "/usr/include/c++/v1/__utility/swap.h", 5),
    Frame("_ZN4mineEv", "/opt/ziglang/lib/libcxx/include/vector", 5),
    Frame("_mm_add", "/usr/lib/llvm/lib/clang/19/include/emmintrin.h", 5),
    Frame("fopen", "/usr/include/stdio.h", 5),
    Frame("_RNvC4core3fmt", "/rustc/0123abcd/library/core/src/fmt/mod.rs", 5),
    Frame(SORT),
    Frame("_RNvNtC4core3fmt5write"),
    Frame("_ZN4core3fmt5write17h0123456789abcdefE"),
    Frame("__clang_call_terminate"),
)
OWN = (
    Frame("_ZNSt4hashI3KeyEclERKS0_", "/home/me/key.h", 5),
    Frame("_ZN4core3runEv"),
    Frame("main", "/home/me/libcxx_user/main.cpp", 5),
    Frame("f", "/src/usr/include/f.h", 5),
    Frame("_ZN5boost3runEv", "/opt/boost/run.hpp", 5),
)


def mark(*frames: Frame, flag: str = "") -> tuple[Frame, ...]:
    finding = samples.memory("heap-use-after-free", stacks=(Stack("access", "T0", frames),))
    return UserCode.from_flag(flag).marked(finding).stacks[0].frames


@pytest.mark.parametrize("frame", LIBRARY)
def test_frames_of_libraries(frame: Frame) -> None:
    assert mark(frame)[0].library


@pytest.mark.parametrize("frame", OWN)
def test_frames_of_the_program(frame: Frame) -> None:
    assert not mark(frame)[0].library


def test_the_flag_says_more() -> None:
    by_name, by_path = mark(OWN[4], flag="boost::")[0], mark(OWN[4], flag=" /opt/boost/ ")[0]
    assert by_name.library and by_path.library
    assert mark(OWN[4], flag="boost::run")[0].library and not mark(OWN[4], flag="boo")[0].library
    assert not mark(LIBRARY[0], flag="!std")[0].library
    assert not mark(OWN[4], flag="boost,!/opt/boost/run")[0].library
    assert not mark(replace(OWN[4], interceptor=True), flag="boost")[0].library


def test_paths_are_plain() -> None:
    assert plain_path("/a/b/../c.h") == "/a/c.h"
    assert (plain_path("./a.c"), plain_path("a.c")) == ("./a.c", "a.c")
    assert plain_path("") == ""
    assert mark(LIBRARY[0])[0].file == "/usr/include/c++/12/bits/stl_algo.h"


MAIN = Frame("main", "/src/a.cpp", 7, 3)
NEW = Frame("_Znwm", interceptor=True)


def library(number: int) -> Frame:
    return Frame(f"_ZNSt1{'abcdefgh'[number]}Ev", "/usr/include/c++/12/x", number + 1, library=True)


def shown(*frames: Frame, **style: object) -> list[str]:
    stack = Stack("access", "T0", frames)
    lines = format_memory_stack(stack, replace(STYLE, **style))[:-1]  # type: ignore[arg-type]
    return [line.replace(" 0x000000000000 in", "").strip() for line in lines]


def test_library_frames_are_folded_to_the_one_that_was_called() -> None:
    inner = [library(n) for n in range(4)]
    assert shown(NEW, *inner, MAIN, library(4), library(5)) == [
        "#0 operator new(unsigned long)",
        "#4 std::d() [+3 library frames] /usr/include/c++/12/x:4",
        "#5 main /src/a.cpp:7:3",
        "#7 std::f() [+1 library frame] /usr/include/c++/12/x:6",
    ]
    assert len(shown(NEW, *inner, MAIN, show_library_frames=True)) == 6
    assert len(shown(NEW, *inner, MAIN, report_style="compat")) == 6
    assert len(shown(NEW, *inner, MAIN, stack_trace_format="%n %f")) == 6
    assert len(shown(NEW, *inner)) == 5  # where nothing is the program's, nothing is less


def test_the_program_is_blamed_for_what_a_library_does() -> None:
    stack = Stack("access", "T0", (NEW, library(0), MAIN))
    assert (stack.user_frame, blamed_frame(stack), failing_frame(stack)) == (2, MAIN, library(0))
    alone = Stack("access", "T0", (NEW, library(0)))
    assert (alone.user_frame, blamed_frame(alone)) == (-1, library(0))
    text = format_finding(samples.memory("heap-use-after-free", stacks=(stack,)), STYLE)
    assert "SUMMARY: AddressSanitizer: heap-use-after-free /src/a.cpp:7:3 in main\n" in text


def test_json_says_which_frame_is_the_programs() -> None:
    finding = samples.memory("x", stacks=(Stack("access", "T0", (NEW, library(0), MAIN)),))
    text = report_to_json(samples.report(replace(finding, count=3, other_kinds=("y",))))
    assert '"user_frame": 2' in text and '"library": true' in text and '"count": 3' in text
    assert report_to_json(json_to_report(text)) == text


def test_frames_of_a_library_are_no_part_of_a_fingerprint() -> None:
    ids = {
        samples.memory("x", stacks=(Stack("access", "T0", (*frames, MAIN)),)).id
        for frames in ((), (library(0),), (library(1), library(2)))
    }
    assert len(ids) == 1


Frames = tuple[Frame, ...]


def race(access: Frames, previous: Frames, kind: str = "data race") -> Finding:
    stacks = (Stack("access", "T1", access), Stack("previous", "T0", previous))
    return Finding("ThreadSanitizer", kind, stacks=stacks)


READ, WRITE = Frame("read", "/src/a.cpp", 1, 9), Frame("write", "/src/a.cpp", 2, 9)


def numbers(*findings: Finding) -> list[int]:
    causes = SameCause()
    return [causes.number_of(finding, number) for number, finding in enumerate(findings)]


def test_one_bug_that_fails_in_many_places_of_a_library_is_one() -> None:
    elsewhere = replace(READ, column=30)
    assert numbers(
        race((library(0), READ), (library(1), WRITE)),
        race((library(2), WRITE), (elsewhere,), "heap-use-after-free"),
        race((library(0), READ), (library(1), MAIN)),
    ) == [0, 0, 2]


def test_places_of_the_program_are_findings_each() -> None:
    first, second = race((READ,), (WRITE,)), race((replace(READ, column=30),), (WRITE,))
    assert numbers(first, second) == [0, 1]
    no_frames = race((library(0),), (library(1), WRITE))
    assert numbers(no_frames, replace(no_frames, kind="other")) == [0, 1]


def test_calls_at_two_places_that_share_a_state_are_one() -> None:
    call, state = Frame("localtime", interceptor=True), (LibraryState(("localtime", "gmtime")),)
    shown, logged = (call, READ, MAIN), (call, WRITE, MAIN)
    first = replace(race(shown, shown), locations=state)
    others = [race(shown, (call, READ)), race(logged, shown), race(shown, (call, WRITE))]
    assert numbers(first, *(replace(each, locations=state) for each in others)) == [0, 0, 2, 2]
    ctime = replace(first, locations=(LibraryState(("asctime", "ctime")),))
    assert numbers(first, ctime, replace(first, locations=())) == [0, 1, 2]


def use(at: Frame, block: int, freed: Frame = MAIN, kind: str = "heap-use-after-free") -> Finding:
    stacks = (Stack("access", "T0", (at,)), Stack("free", "T0", (freed,)))
    region = HeapRegion(block + 1, "inside", 1, block, block + 8, freed=True)
    return samples.memory(kind, stacks=stacks, locations=(region,))


def test_uses_of_one_freed_block_are_one() -> None:
    findings = use(READ, 0x1000), use(WRITE, 0x1000), use(READ, 0x2000)
    assert numbers(*findings) == [0, 0, 2]
    assert numbers(findings[0], use(WRITE, 0x1000, READ)) == [0, 1]
    assert numbers(findings[0], use(WRITE, 0x1000, kind="double-free")) == [0, 1]


def test_counted_findings_are_summed_up_at_the_end() -> None:
    first = race((library(0), READ), (library(1), WRITE))
    both = counted(counted(first, first), replace(first, kind="heap-use-after-free"))
    assert (both.count, both.other_kinds) == (3, ("heap-use-after-free",))
    line = "irsan: 3 findings with one cause: data race, heap-use-after-free /src/a.cpp:1:9 in read"
    assert f"{line}\nThreadSanitizer: reported 1 warnings\n" in format_run(samples.report(both))
