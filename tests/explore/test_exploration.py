"""The sum of schedules does not depend on who was ready first."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from irsan.explore.exploration import Exploration, InOrder
from irsan.explore.schedules import Ending, Played, Schedule
from irsan.reports.model.report import Finding, SuppressionUse

GOOD, BAD = Ending("exit status 0", 0, is_bad=False), Ending("SEGV", 66, is_bad=True)
RACE = Finding("ThreadSanitizer", "data race")
PLAYED = st.builds(
    Played,
    index=st.just(0),
    ending=st.sampled_from([GOOD, BAD, Ending("exit status 3", 3, is_bad=True)]),
    digest=st.sampled_from(["a", "b"]),
    interleaving=st.one_of(st.none(), st.integers(0, 3)),
    found=st.lists(st.sampled_from(["r", "s"]), max_size=3).map(tuple),
    fails_with=st.sampled_from([0, 66]),
)


def with_findings(played: list[Played]) -> list[Played]:
    """As hosts say it: a finding comes with the first schedule of a host that has its key."""
    seen: list[set[str]] = [set(), set()]
    made = []
    for index, one in enumerate(played):
        known = seen[index % 2]
        new = tuple((key, RACE) for key in dict.fromkeys(one.found) if key not in known)
        known.update(one.found)
        made.append(replace(one, index=index, findings=new, output=b"text"))
    return made


def explored(played: list[Played]) -> Exploration:
    result, order = Exploration(), InOrder()
    for one in played:
        for each in order.put(one):
            result.take(Schedule(each.index, "random", each.index), "random", each)
    return result


@given(st.lists(PLAYED, max_size=12), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same(played: list[Played], random: object) -> None:
    played = with_findings(played)
    mixed = [*played]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert explored(mixed) == explored(played)


@given(st.lists(PLAYED, min_size=1, max_size=12))
def test_sums_are_those_of_the_schedules(played: list[Played]) -> None:
    played = with_findings(played)
    result = explored(played)
    assert result.n_schedules == len(played)
    assert sum(one.n_schedules for one in result.outcomes.values()) == len(played)
    for key, found in result.found.items():
        having = [one.index for one in played if key in one.found]
        assert (found.first.index, found.n_schedules) == (having[0], len(having))
    hashes = {one.interleaving for one in played} - {None}
    assert result.interleavings == hashes
    hits = [one.index for one in played if one.is_hit]
    assert (result.hit.index if result.hit else None) == (hits[0] if hits else None)


def test_a_finding_decides_the_status_over_an_earlier_bad_end() -> None:
    bad = Played(0, Ending("exit status 3", 3, is_bad=True), output=b"")
    assert explored([bad]).status == 3
    of_child = Played(1, GOOD, output=b"", found=("r",), fails_with=66, findings=(("r", RACE),))
    assert explored([bad, of_child]).status == 66


def test_suppressions_are_summed() -> None:
    use = SuppressionUse("ThreadSanitizer", "race", "f", 2)
    played = [Played(index, GOOD, output=b"", suppressed=(use,)) for index in range(3)]
    assert list(explored(played).suppressed.values()) == [6]


def test_what_lies_behind_a_gap_waits() -> None:
    order = InOrder()
    assert list(order.put(Played(2, GOOD))) == []
    assert [each.index for each in order.put(Played(0, GOOD))] == [0]
    assert [each.index for each in order.put(Played(1, GOOD))] == [1, 2]
