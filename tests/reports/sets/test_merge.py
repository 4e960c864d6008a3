"""Many reports as one: nothing twice, nothing lost, the same whatever the order of the runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.errors import UsageError
from irsan.reports.formats.json_report import json_to_report, report_to_json
from irsan.reports.model.report import Cut, Report, SourceExcerpt
from irsan.reports.sets.merge import MAX_SIGHTINGS, merge
from irsan.reports.sets.report_files import ReadFile, read_all
from tests.reports import samples
from tests.reports.strategies import values

RACE = samples.RACES["race-heap"]
UAF = samples.MEMORY["heap-use-after-free"]


def read(*reports: Report) -> list[ReadFile]:
    return [ReadFile(Path(f"{n}.json"), report) for n, report in enumerate(reports)]


def test_one_finding_once_with_where_it_was_seen() -> None:
    first = replace(samples.report(RACE, UAF), test="t1")
    second = replace(samples.report(replace(RACE, count=2)), seed=8, schedule="r8")
    merged = merge(read(first, second))
    assert [(each.id, each.count) for each in merged.findings] == [(RACE.id, 3), (UAF.id, 1)]
    seen = merged.findings[0].seen
    assert [(s.seed, s.schedule, s.file, s.test, s.count) for s in seen] == [
        (7, "r7", "0.json", "t1", 1), (8, "r8", "1.json", "", 2),
    ]  # fmt: skip
    assert [(m.file, m.n_findings) for m in merged.merged] == [("0.json", 2), ("1.json", 1)]
    assert json_to_report(report_to_json(merged)) == merged


def test_merged_reports_merge() -> None:
    parts = [samples.report(RACE), samples.report(UAF), samples.report(RACE, UAF)]
    at_once = merge(read(*parts))
    in_steps = merge(read(merge(read(*parts[:2])), parts[2]))
    assert [(f.id, f.count, len(f.seen)) for f in at_once.findings] == [
        (f.id, f.count, len(f.seen)) for f in in_steps.findings
    ]


def test_checkouts_in_two_folders_are_one() -> None:
    excerpts = (SourceExcerpt("/src/a.c", 1, ("x",)),)
    there = replace(samples.report(RACE), root="/src", sources=excerpts)
    moved = json_to_report(report_to_json(there).replace("/src", "/else"))
    merged = merge(read(there, moved))
    assert len(merged.findings) == 1
    assert merged.findings[0].stacks[0].frames[0].file == "a.c"
    assert (merged.root, merged.sources) == ("", (SourceExcerpt("a.c", 1, ("x",)),))


def test_sightings_are_bounded_and_the_cut_is_said() -> None:
    merged = merge(read(*[samples.report(RACE)] * (MAX_SIGHTINGS + 5)))
    (finding,) = merged.findings
    assert (len(finding.seen), finding.count) == (MAX_SIGHTINGS, MAX_SIGHTINGS + 5)
    assert [(cut.what, cut.n) for cut in merged.cut] == [("sightings", 5)]


def test_excerpts_are_joined() -> None:
    one = replace(samples.report(), sources=(SourceExcerpt("a", 3, ("3", "4")),))
    excerpts = (SourceExcerpt("a", 4, ("x", "5")), SourceExcerpt("a", 9, ("9",)))
    other = replace(samples.report(), sources=excerpts)
    assert merge(read(one, other)).sources == (
        SourceExcerpt("a", 3, ("3", "4", "5")), SourceExcerpt("a", 9, ("9",)),
    )  # fmt: skip


def test_files_that_are_no_reports_are_named_and_counted(tmp_path: Path) -> None:
    good = report_to_json(samples.report(RACE))
    for name, text in (
        ("a.json", good.encode()), ("b.json", good[:300].encode()), ("c.json", b""),
        ("d.json", b"\xff{"), ("e.json", b"[]"), ("f.json", b"[" * 200_000),
        (".hidden.json", b"x"), ("notes.txt", b"x"),
    ):  # fmt: skip
        (tmp_path / name).write_bytes(text)
    merged = merge(read_all([tmp_path]))
    problems = {Path(m.file).name: m.problem for m in merged.merged}
    assert sorted(problems) == [f"{letter}.json" for letter in "abcdef"]
    assert problems["a.json"] == ""
    assert problems["b.json"].startswith("cut off: not JSON")
    assert "killed" in problems["c.json"] and "UTF-8" in problems["d.json"]
    assert merged.cut == (Cut("report files", 5, "no whole reports"),)


def test_nothing_to_merge(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        merge(read_all([tmp_path / "none"]))
    (tmp_path / "a.json").write_text("")
    with pytest.raises(UsageError, match=r"no report to merge: .*a\.json: empty"):
        merge(read_all([tmp_path]))


@given(st.lists(values(Report), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_reports_merge(reports: list[Report]) -> None:
    merged = merge(read(*reports))
    assert len({each.id for each in merged.findings}) == len(merged.findings)
    assert json_to_report(report_to_json(merged)) == merged
