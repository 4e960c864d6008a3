"""Primary and related places, and the sentence that is made of them."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.derived.one_line import one_line
from irsan.reports.derived.places import primary_place, related_places, role_words
from irsan.reports.model.report import Finding, Frame, Stack
from tests.reports import samples

RACE = samples.RACES["race-heap"]
UAF = samples.MEMORY["heap-use-after-free"]


def test_the_primary_place_is_the_programs_own() -> None:
    library = Frame("_ZNSt6vectorIiE2atEm", "/usr/include/c++/13/vector", 99, 3, library=True)
    own = replace(samples.own("f", 7), end_column=9, expression="v[i]")
    stack = samples.access(samples.libc("memcpy"), library, own, samples.own("main", 9))
    place = primary_place(replace(UAF, stacks=(stack,)), "/src")
    assert place is not None
    assert (str(place), place.end_column, place.function) == ("a.c:7:5", 9, "f")
    assert (place.expression, place.is_outside) == ("v[i]", False)


def test_a_finding_without_frames_has_no_place() -> None:
    assert primary_place(Finding("ThreadSanitizer", "data race"), "") is None
    empty = replace(UAF, stacks=(Stack("access", "T0", (Frame(),)),))
    assert primary_place(empty, "") is None
    assert related_places(empty, "") == ()


def test_related_places_come_in_order() -> None:
    roles = [each.role for each in related_places(RACE, "/src")]
    assert roles == ["previous", "allocation", "thread-creation"]
    words = [f"{each.words} {each.place}" for each in related_places(RACE, "/src")]
    assert words == [
        "previous read by thread T1 (worker) a.c:7:5",
        "allocated by main thread a.c:3:5",
        "thread T1 (worker) created here by main thread a.c:5:5",
    ]


def test_the_sentence_names_both_accesses() -> None:
    assert one_line(RACE, "/src") == (
        "data race: (1) write of 4 bytes in main by main thread at a.c:9:5, (2) earlier read of 4 "
        "bytes in f by thread T1 (worker) at a.c:7:5; nothing orders the two; object: 4 bytes into "
        "a heap block of 40 bytes"
    )
    assert "(2) after the free in main by main thread at a.c:4:5" in one_line(UAF, "/src")


def test_a_wait_that_is_none_has_no_words() -> None:
    deadlock = samples.RACES["deadlock"]
    for subject in (-1, 99):
        stack = replace(deadlock.stacks[0], subject=subject)
        assert role_words(deadlock, stack).endswith(" here")


def test_every_kind_has_one_line() -> None:
    for name, finding in samples.EVERYTHING.items():
        text = one_line(replace(finding, count=3), "/src")
        assert text.startswith(f"{finding.kind}: ") and text.endswith("(seen 3 times)"), name
        assert "\n" not in text and "None" not in text, name
