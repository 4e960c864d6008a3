"""A report without its root: every path that lay below it is named from there."""

from __future__ import annotations

from dataclasses import replace

from irsan.reports.formats.json_report import report_to_json
from irsan.reports.model.report import Frame, SourceExcerpt, Timeline, TimelineEvent
from irsan.reports.sets.rooted import rooted
from tests.reports import samples


def test_no_path_below_the_root_is_left_whole() -> None:
    excerpts = (SourceExcerpt("/src/a.c", 1, ("x",)), SourceExcerpt("/usr/b.h", 1, ("y",)))
    report = replace(
        samples.report(*samples.EVERYTHING.values()), root="/src", sources=excerpts
    )
    before = report_to_json(report)
    bare = rooted(report)
    assert '"file": "/src/' in before and '"file": "/src/' not in report_to_json(bare)
    assert bare.root == ""
    assert [each.file for each in bare.sources] == ["a.c", "/usr/b.h"]
    assert {f.file for s in bare.findings[0].stacks for f in s.frames} <= {"a.c", "b.c", ""}


def test_nothing_else_changes() -> None:
    report = replace(samples.report(*samples.EVERYTHING.values()), root="/src")
    bare = rooted(report)
    assert rooted(bare) == bare
    timeline = Timeline((TimelineEvent(1, "T0", "end", frame=Frame("f", "/src/a.c", 3)),))
    told = replace(report.findings[0], timeline=timeline)
    (event,) = rooted(replace(report, findings=(told,))).findings[0].timeline.events  # type: ignore[union-attr]
    assert event.frame is not None and event.frame.file == "a.c"
    assert [f.id for f in bare.findings] == [f.id for f in report.findings]
    assert rooted(replace(report, root="/elsewhere")).findings != bare.findings
