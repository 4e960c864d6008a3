"""The file of a campaign: what was kept comes back, what cannot be is said."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.errors import UsageError
from irsan.explore.schedules import Ending, Played, Schedule, Shares, Watched
from irsan.explore.store import CampaignStore
from irsan.reports.model.report import SuppressionUse
from tests.reports.samples import EVERYTHING

SETTINGS = {"seed": 1, "sanitize": "thread"}
FINDINGS = list(EVERYTHING.values())[:4]
KEYS = [f"k{number}" for number in range(len(FINDINGS))]
SITES = st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
NUMBERS = st.lists(st.integers(0, 2**40), max_size=3).map(tuple)
PLAYED = st.builds(
    Played,
    index=st.just(0),
    ending=st.builds(Ending, st.text(max_size=9), st.integers(0, 255), st.booleans()),
    digest=st.sampled_from(["", "00ff"]),
    output=st.one_of(st.none(), st.binary(max_size=9)),
    interleaving=st.one_of(st.none(), st.integers(0, 2**64 - 1)),
    steps=st.integers(0, 2**40),
    found=st.lists(st.sampled_from(KEYS), unique=True).map(tuple),
    fails_with=st.integers(0, 255),
    suppressed=st.lists(
        st.builds(
            SuppressionUse, st.just("ThreadSanitizer"), st.just("race"), st.text(max_size=5),
            st.integers(1, 9),
        ),
        max_size=2,
    ).map(tuple),
    racing=st.lists(SITES, max_size=3).map(tuple),
    shares=st.one_of(
        st.none(),
        st.builds(Shares, NUMBERS, st.lists(st.builds(Watched, NUMBERS, NUMBERS)).map(tuple)),
    ),
    run_s=st.floats(0, 9),
)  # fmt: skip


def numbered(played: list[Played]) -> list[Played]:
    """As one host says it: a finding comes whole with the first schedule that has its key."""
    known: set[str] = set()
    made = []
    for index, one in enumerate(played):
        new = [key for key in one.found if key not in known]
        known.update(new)
        whole = tuple((key, FINDINGS[KEYS.index(key)]) for key in new)
        made.append(replace(one, index=index, findings=whole))
    return made


def keep_all(path: Path, played: list[Played]) -> None:
    with CampaignStore(path, SETTINGS) as store:
        program = store.program("a.c one", "hash")
        for one in played:
            store.keep(program, Schedule(one.index, "pos", 7), "pos", "1-token", one)


@given(st.lists(PLAYED, max_size=5))
def test_what_was_kept_comes_back(played: list[Played]) -> None:
    played = numbered(played)
    with CampaignStore(Path(":memory:"), SETTINGS) as store:
        program, other = store.program("a.c", "h"), store.program("a.c", "changed")
        for one in played:
            store.keep(program, Schedule(one.index, "pos", 7), "pos", "1-token", one)
        back = store.played(program)
        assert store.played(other) == []
    assert [replace(one, findings=()) for one in back] == [
        replace(one, findings=()) for one in played
    ]
    assert [[(key, f.kind) for key, f in one.findings] for one in back] == [
        [(key, f.kind) for key, f in one.findings] for one in played
    ]


def test_a_file_is_opened_again_with_the_same_settings_only(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    keep_all(path, numbered([Played(0, Ending("exit status 0", 0, is_bad=False))]))
    with CampaignStore(path, SETTINGS) as store:
        assert len(store.played(store.program("a.c one", "hash"))) == 1
    with pytest.raises(UsageError, match="sanitize: thread then, address now"):
        CampaignStore(path, {**SETTINGS, "sanitize": "address"})


def test_a_schedule_is_kept_once(tmp_path: Path) -> None:
    one = Played(0, Ending("exit status 0", 0, is_bad=False))
    with pytest.raises(sqlite3.IntegrityError):
        keep_all(tmp_path / "c.sqlite", [one, one])


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    path.write_text("no database, but long enough to be looked at\n" * 40)
    with pytest.raises(UsageError, match="no campaign"):
        CampaignStore(path, SETTINGS)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE cats (name TEXT)")
    with pytest.raises(UsageError, match="no campaign"):
        CampaignStore(other, SETTINGS)
