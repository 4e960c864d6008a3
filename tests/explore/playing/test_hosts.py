"""Schedules in forked processes: what each answers, and what one cannot do to the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.options import ReportTarget, RunOptions
from irsan.engine.replay import replay_token
from irsan.errors import IrsanError, MissingSymbolsError
from irsan.explore.playing.hosts import Hosts
from irsan.explore.schedules import Limits, Played, Schedule
from tests.explore.programs import DEADLOCK, LOST_UPDATE, RACE, WAYS, options_for

LIMITS = Limits(time_s=2.0, output_bytes=1 << 20)


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    with Hosts(2) as found:
        yield found


def played(
    hosts: Hosts, options: RunOptions, n_schedules: int, stdin: bytes = b""
) -> list[Played]:
    hosts.load(options, LIMITS, stdin)
    schedules = [Schedule(number, "random", number) for number in range(n_schedules)]
    return sorted(hosts.play(schedules), key=lambda one: one.index)


def test_a_schedule_is_what_a_run_with_its_seed_is(hosts: Hosts, tmp_path: Path) -> None:
    options = options_for(tmp_path, RACE)
    found = played(hosts, options, 12)
    with BatchRunner(replace(options, reports=())) as runner:
        runs = runner.run(options.programs, range(12))
    assert [one.ending.status for one in found] == [run.exit_status for run in runs]
    assert [bool(one.found) for one in found] == [bool(run.findings) for run in runs]
    outputs = {one.digest: one.output for one in found if one.output is not None}
    assert [outputs[one.digest] for one in found] == [run.stdout for run in runs]
    assert len({one.interleaving for one in found}) > 1


def test_a_schedule_can_be_played_again(hosts: Hosts, tmp_path: Path) -> None:
    options = options_for(tmp_path, RACE)
    first, again = played(hosts, options, 30), played(hosts, options, 30)
    assert [one.interleaving for one in first] == [one.interleaving for one in again]
    assert [(one.digest, one.found, one.racing) for one in first] == [
        (one.digest, one.found, one.racing) for one in again
    ]


def test_findings_come_once_from_each_host_with_sites_and_tokens(
    hosts: Hosts, tmp_path: Path
) -> None:
    options = options_for(tmp_path, RACE)
    found = played(hosts, options, 40)
    (key,) = {key for one in found for key in one.found}
    whole = [finding for one in found for name, finding in one.findings if name == key]
    assert 1 <= len(whole) <= 2 and {each.kind for each in whole} == {"data race"}
    (pair,) = {pair for one in found for pair in one.racing}
    assert all(site > 0 for site in pair)
    assert str(replay_token(Schedule(3, "random", 3).of(options), "0" * 64)).startswith("1-3-O0")


def test_assertions_and_deadlocks_are_endings(hosts: Hosts, tmp_path: Path) -> None:
    endings = {one.ending.words for one in played(hosts, options_for(tmp_path, LOST_UPDATE), 60)}
    assert endings == {"exit status 0", "assertion failed: balance == 2"}
    endings = {one.ending.words for one in played(hosts, options_for(tmp_path, DEADLOCK), 60)}
    assert endings == {"exit status 0", "deadlock"}


@pytest.mark.parametrize(
    ("way", "words", "status"),
    [
        ("hang", "no end within 2 s", 124),
        ("flood", "more than 1 MiB of output", 137),
        ("killed", "killed by SIGKILL", 137),
        ("segv", "SEGV", 66),
        ("exit", "exit status 5", 5),
        ("stray", "exit status 0", 0),
    ],
)
def test_each_way_to_end_is_counted(
    hosts: Hosts, tmp_path: Path, way: str, words: str, status: int
) -> None:
    found = played(hosts, options_for(tmp_path, WAYS, way), 3)
    assert [(one.ending.words, one.ending.status) for one in found] == [(words, status)] * 3
    assert way == "stray" or len({one.digest for one in found}) == 1
    assert found[0].is_hit == (status != 0)


def test_a_child_of_the_program_ends_as_in_a_run_and_tells_what_it_found(
    hosts: Hosts, tmp_path: Path
) -> None:
    first, second = played(hosts, options_for(tmp_path, WAYS, "fork"), 2)
    assert first.output == b"child 66\n"
    assert first.digest == second.digest
    assert [finding.kind for _, finding in first.findings] == ["heap-use-after-free"]
    assert (first.ending.status, first.fails_with) == (0, 66)


def test_leaks_are_searched_where_blocks_live(hosts: Hosts, tmp_path: Path) -> None:
    (leaked,) = played(hosts, options_for(tmp_path, WAYS, "leak"), 1)
    assert [finding.kind for _, finding in leaked.findings] == ["direct-leak"]
    assert leaked.ending.status == 66


def test_each_schedule_reads_all_of_the_input(hosts: Hosts, tmp_path: Path) -> None:
    found = played(hosts, options_for(tmp_path, WAYS, "input"), 4, stdin=b"one\ntwo\n")
    assert {one.digest for one in found} == {found[0].digest}
    assert found[0].output == b"got one\n"


def test_the_guarded_pool_samples_as_the_seed_says(hosts: Hosts, tmp_path: Path) -> None:
    options = replace(options_for(tmp_path, WAYS, "exit"), sanitize=frozenset({"gwp-asan"}))
    assert {one.ending.words for one in played(hosts, options, 3)} == {"exit status 5"}


def test_a_program_that_does_not_link_is_refused_and_the_hosts_go_on(
    hosts: Hosts, tmp_path: Path
) -> None:
    options = options_for(tmp_path, "void missing(void); int main(void) { missing(); }")
    with pytest.raises(MissingSymbolsError, match="missing"):
        hosts.load(options)
    (one,) = played(hosts, options_for(tmp_path, WAYS), 1)
    assert one.ending.words == "exit status 0"


def test_a_program_that_does_not_compile_is_refused(hosts: Hosts, tmp_path: Path) -> None:
    with pytest.raises(IrsanError):
        hosts.load(options_for(tmp_path, "int main(void) { return }"))


def test_facts_that_only_data_shows_come_when_a_form_wants_them(
    hosts: Hosts, tmp_path: Path
) -> None:
    options = replace(options_for(tmp_path, RACE), reports=(ReportTarget("json"),))
    findings = [finding for one in played(hosts, options, 20) for _, finding in one.findings]
    assert findings and all(each.timeline is not None for each in findings)
