"""Reads-from pairs and the wishes that are made of them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from irsan.engine.guest.explored_schedule import Event
from irsan.explore.explorer import Explorer, ExploreRequest
from irsan.explore.fuzzing import Fuzzing, reads_of
from irsan.explore.playing.hosts import Hosts
from irsan.explore.portfolio import Strategy
from irsan.runtime.layout.explore_words import GOES_ON, READS, STARTS, WRITES
from irsan.runtime.records.explore_records import MAX_PAIRS
from tests.explore.programs import RACE, options_for

EVENTS = st.lists(
    st.builds(
        Event, st.integers(0, 3), st.sampled_from([READS, WRITES, STARTS, GOES_ON]),
        st.integers(1, 9), st.sampled_from([0, 0x10, 0x20]),
    ),
    max_size=30,
)  # fmt: skip


@given(EVENTS)
def test_a_read_finds_the_write_before_it(events: list[Event]) -> None:
    expected = []
    for at, event in enumerate(events):
        if event.touched == 0 or event.kind not in (READS, WRITES):
            continue
        before = [
            one.site for one in events[:at] if one.kind == WRITES and one.touched == event.touched
        ]
        expected.append((before[-1] if before else 0, event.site))
    assert reads_of(events) == tuple(dict.fromkeys(expected))


@given(st.lists(EVENTS, max_size=8), st.integers(0, 2**64 - 1))
def test_wishes_are_pairs_of_sites_that_meet(runs: list[list[Event]], seed: int) -> None:
    fuzzing = Fuzzing()
    for number, run in enumerate(runs):
        words = fuzzing.words(seed + number)
        assert words == fuzzing.words(seed + number)  # the seed decides
        assert len(words) % 3 == 0 and len(words) <= 3 * MAX_PAIRS
        sites = {site for pair in fuzzing.seen for site in pair}
        for wanted, write, read in zip(words[::3], words[1::3], words[2::3], strict=True):
            assert wanted in (0, 1) and read in sites and write in {0, *sites}
        known = set(fuzzing.seen)
        reads = reads_of(run)
        size = len(fuzzing.corpus)
        fuzzing.learn(words, reads)
        grew = len(fuzzing.corpus) - size
        assert grew in (0, 1) and (not grew or set(reads) - known)


def test_sites_of_different_objects_are_no_pair() -> None:
    fuzzing = Fuzzing()
    fuzzing.learn((), ((0, 1), (1, 2), (0, 5), (5, 6)))
    wished = {fuzzing.words(seed)[1:] for seed in range(300)}
    assert {(1, 2), (0, 2), (5, 6), (0, 6)} <= wished
    assert not {(1, 6), (5, 2), (1, 5), (5, 1)} & wished


def test_a_pair_that_was_never_seen_is_wished_for_more_often() -> None:
    fuzzing = Fuzzing()
    for _ in range(50):
        fuzzing.learn((), ((0, 1), (1, 2)))
    wished = [fuzzing.words(seed)[1:] for seed in range(400)]
    assert wished.count((0, 2)) > 5 * wished.count((1, 2))


def test_the_number_of_hosts_changes_nothing(tmp_path: Path) -> None:
    request = ExploreRequest(options_for(tmp_path, RACE), 100, strategies=(Strategy("rff"),))
    found = []
    for n_hosts in (1, 2):
        explorer = Explorer(request)
        with Hosts(n_hosts) as hosts:
            explorer.play(hosts)
        found.append((explorer.result.interleavings, explorer.result.outcomes))
    assert found[0] == found[1]
    outputs = {one.output for one in explorer.result.outcomes.values()}
    assert outputs == {b"0\n", b"41\n", b"42\n"}
