"""Templates against a naive twin, the file grammar, and which type hides which finding."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irsan.errors import UsageError
from irsan.reports.model.report import Finding
from irsan.reports.text.report import format_suppressions
from irsan.runtime.flags.suppressions import (
    Suppression,
    Suppressions,
    find_suppression,
    parse_suppressions,
    template_matches,
)
from tests.oracles.template import naive_template_matches
from tests.reports import samples

TEMPLATE = st.text(alphabet="ab*^$", max_size=8)
TEXT = st.text(alphabet="ab", max_size=10)


@given(TEMPLATE, TEXT)
@example("a$", "aba")
@example("^a*b$", "ab")
@example("*", "a")
@example("", "a")
@example("", "")
@example("^$", "a")
@example("a*a", "a")
def test_templates_agree_with_the_naive_one(template: str, text: str) -> None:
    assert template_matches(template, text) == naive_template_matches(template, text)


@pytest.mark.parametrize(
    ("template", "text", "matches"),
    [
        ("oo", "foobar", True),
        ("^foo", "foobar", True),
        ("^oo", "foobar", False),
        ("bar$", "foobar", True),
        ("foo$", "foobar", False),
        ("^f*r$", "foobar", True),
        ("f*z", "foobar", False),
        ("^w$", "w", True),
    ],
)
def test_templates(template: str, text: str, matches: bool) -> None:
    assert template_matches(template, text) is matches


def test_file_grammar() -> None:
    text = "# comment\n\n  race:^w$ \r\nleak:libfoo.so\nsigned-integer-overflow:a.c\n"
    assert [(s.type, s.template, s.origin) for s in parse_suppressions(text, "f")] == [
        ("race", "^w$", "f:3"),
        ("leak", "libfoo.so", "f:4"),
        ("signed-integer-overflow", "a.c", "f:5"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rase:x", r"f:1: unknown suppression type 'rase'; did you mean 'race'\?"),
        ("race", r"f:1: expected TYPE:TEMPLATE, found 'race'"),
    ],
)
def test_wrong_lines(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_suppressions(line, "f")


R = samples.RACES
M = samples.MEMORY


@pytest.mark.parametrize(
    ("finding", "line", "hidden"),
    [
        (R["race-heap"], "race:^f$", True),
        (R["race-heap"], "race:a.c", True),
        (R["race-heap"], "race:a.out", True),
        (R["race-heap"], "race:nowhere", False),
        (R["race-heap"], "race:pthread_create", True),
        (R["race-heap"], "race_top:^f$", True),
        (R["race-heap"], "race_top:malloc", False),
        (R["race-heap"], "mutex:f", False),
        (R["race-global"], "race:^g$", True),
        (R["race-global"], "called_from_lib:a.out", False),
        (R["lock-order-inversion"], "deadlock:^f$", True),
        (R["lock-order-inversion"], "race:^f$", False),
        (R["thread-leak"], "thread:main", True),
        (R["unlock-of-unlocked"], "mutex:f", True),
        (R["destroy-locked"], "mutex:main", True),
        (R["signal-unsafe"], "signal:handler", True),
        (R["signal-unsafe"], "called_from_lib:a.out", False),
        (R["signal-errno"], "signal:main", True),
        (samples.LEAKS[0], "leak:^f$", True),
        (samples.LEAKS[0], "leak:malloc", True),
        (samples.LEAKS[0], "race:f", False),
        (M["memcpy-param-overlap"], "interceptor_name:memcpy", True),
        (M["memcpy-param-overlap"], "interceptor_via_fun:main", True),
        (M["memcpy-param-overlap"], "interceptor_via_lib:a.out", True),
        (M["heap-use-after-free"], "interceptor_via_fun:main", False),
        (M["odr-violation"], "odr_violation:^G$", True),
        (samples.OTHERS["undefined"], "signed-integer-overflow:main", True),
        (samples.OTHERS["undefined"], "undefined:a.c", True),
        (samples.OTHERS["undefined"], "shift:a.c", False),
        (samples.OTHERS["uninitialised"], "race:main", False),
    ],
)
def test_types(finding: Finding, line: str, hidden: bool) -> None:
    assert (find_suppression(parse_suppressions(line), finding) is not None) is hidden


def test_called_from_lib_needs_a_library_call() -> None:
    access = samples.access(samples.libc("memcpy"), samples.own("f", 1))
    finding = Finding("ThreadSanitizer", "data race", stacks=(access,))
    assert find_suppression(parse_suppressions("called_from_lib:a.out"), finding)


def test_demangled_names_match() -> None:
    access = samples.access(samples.own("_ZN3foo3barEv", 1))
    finding = Finding("ThreadSanitizer", "data race", stacks=(access,))
    assert find_suppression(parse_suppressions("race:foo::bar"), finding)


def test_counts_and_printing() -> None:
    rules = parse_suppressions("race:^f$\nleak:^f$\nleak:unused\n")
    suppressions = Suppressions(rules)
    assert suppressions.suppress(M["double-free"]) is None
    for finding in (R["race-heap"], R["race-stack"], *samples.LEAKS):
        suppressions.suppress(finding)
    race, leak = suppressions.uses()
    assert (race.tool, race.type, race.template) == ("ThreadSanitizer", "race", "^f$")
    assert race.count == 2
    assert (leak.tool, leak.count, leak.total_bytes) == ("LeakSanitizer", 1, 10)
    text = format_suppressions(suppressions.uses(), 12)
    assert text == "ThreadSanitizer: Matched 2 suppressions (pid=12):\n2 race:^f$\n"
    assert format_suppressions((), 12) == ""


def test_first_rule_in_the_file_is_counted() -> None:
    rules = (Suppression("race", "main"), Suppression("race", "a.c"))
    assert find_suppression(rules, R["race-heap"]) == rules[0]
