"""`irsan report merge`, `diff` and `triage`: words in, text and a status out, whatever the file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.reports.formats.json_report import json_to_report, report_to_json
from irsan.reports.model.report import Finding, Frame, Report, Stack, ThreadFacts
from tests.reports import samples

RACE = samples.RACES["race-heap"]
UAF = samples.MEMORY["heap-use-after-free"]
HOSTILE = (
    "<script>alert(1)</script>",
    "\x1b]0;title\x07\x1b[31m\x9b2J",
    "\u202egnp.exe\u2066\u200b\u2028",
    "../../../../etc/passwd",
    "line\nbreak\r\tand\0zero",
    "\udc80\udfff\ud800",
    "::error file=a,line=1::x%0A",
)


def written(path: Path, *findings: Finding) -> Path:
    path.write_text(report_to_json(samples.report(*findings)))
    return path


def run(*words: object) -> int:
    return main(["report", *map(str, words)])


def test_diff_names_new_and_fixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path / "a", UAF), written(tmp_path / "b", RACE)
    assert run("diff", old, new) == 66
    shown = capsys.readouterr().out
    assert f"new       {RACE.id} error   data-race /src/a.c:9:5" in shown
    assert f"fixed     {UAF.id} error   heap-use-after-free" in shown
    assert shown.endswith("SUMMARY: 1 new, 1 fixed, 0 moved, 0 unchanged\n")
    assert run("diff", old, new, "--fail-on", "heap-use-after-free") == 0
    assert run("diff", old, old) == 0


def test_diff_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = written(tmp_path / "a", UAF), written(tmp_path / "b", UAF, RACE)
    assert run("diff", old, new, "--format", "json") == 66
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "irsan-diff/1"
    assert [(each["id"], each["fails"]) for each in told["new"]] == [(RACE.id, True)]
    assert [each["id"] for each in told["unchanged"]] == [UAF.id]


def test_verdicts_let_new_findings_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = written(tmp_path / "a"), written(tmp_path / "b", RACE)
    file = tmp_path / ".irsan" / "triage.json"
    words = ("--id", RACE.id[:8], "--verdict", "benign", "--reason", "a counter", "--triage", file)
    assert run("triage", new, *words) == 0
    assert "benign    " in capsys.readouterr().out
    assert run("diff", old, new, "--triage", file) == 0
    assert "SUMMARY: 0 new" in capsys.readouterr().out
    assert run("triage", old, "--triage", file, "--strict") == 66
    assert f"stale     {RACE.id} data-race" in capsys.readouterr().out
    assert run("triage", old, "--triage", file, "--drop-stale", "--strict") == 0
    assert json.loads(file.read_text())["verdicts"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--id", "123456"), "a verdict needs --id, --verdict and --reason together"),
        (("--id", RACE.id, "--verdict", "ok", "--reason", "x"), "expected a verdict of bug"),
        (("--id", RACE.id, "--verdict", "bug"), "expected a reason"),
        (("--id", RACE.id[:3], "--verdict", "bug", "--reason", "x"), "too few digits"),
        (("--id", "ffffffff", "--verdict", "bug", "--reason", "x"), "begins 0 ids"),
        (
            ("--id", RACE.id, "--verdict", "bug", "--reason", "x", "--expires", "soon"),
            "expected a date",
        ),
    ],
)
def test_wrong_verdicts_are_refused(
    tmp_path: Path, words: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = written(tmp_path / "a", RACE)
    file = tmp_path / "triage.json"
    assert run("triage", report, *words, "--triage", file) == 2
    assert message in capsys.readouterr().err
    assert not file.exists()


def test_merge_names_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    written(folder / "1.json", RACE)
    written(folder / "2.json", RACE, UAF)
    (folder / "3.json").write_text((folder / "2.json").read_text()[:500])
    out = tmp_path / "all.json"
    assert run("merge", folder, "-o", out) == 0
    shown = capsys.readouterr().err
    assert "3.json: cut off: not JSON" in shown
    assert "1 of 3 files are no whole reports" in shown
    merged = json_to_report(out.read_text())
    assert [(each.id, each.count) for each in merged.findings] == [(RACE.id, 2), (UAF.id, 1)]
    assert run("convert", out, "--to", "text") == 0


def hostile_report(text: str) -> Report:
    """A race with one string in every field that takes any."""
    frame = Frame(text, text, 3, 1, module=text, expression=text)
    stacks = tuple(Stack(role, "T1", (frame,), text) for role in ("access", "previous", "free"))
    finding = replace(
        RACE, kind=text, thread=text, stacks=stacks, hints=(text,), other_kinds=(text,),
        threads=(ThreadFacts("T1", text, created_by=text),),
    )  # fmt: skip
    return replace(
        samples.report(finding), program=text, arguments=(text,), schedule=text, root=text,
        command=(text,), test=text,
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:20])
def test_hostile_reports_are_shown_safely(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = tmp_path / "a.json"
    report.write_text(report_to_json(hostile_report(text)))
    empty = written(tmp_path / "b.json")
    out, file = tmp_path / "all.json", tmp_path / "triage.json"
    ids = [each["id"] for each in json.loads(report.read_text())["findings"]]
    assert run("diff", empty, report) == 66
    assert run("merge", report, empty, "-o", out) == 0
    words = ("--verdict", "benign", "--reason", "x", "--author", text[:99].replace("\0", ""))
    assert run("triage", out, "--id", ids[0], *words, "--triage", file) == 0
    shown = capsys.readouterr()
    for character in shown.out + shown.err:
        assert character == "\n" or character.isprintable(), repr(character)
    assert len(shown.out) < 20_000
    assert json_to_report(out.read_text()).findings[0].kind == text
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "a.json", "all.json", "b.json", "triage.json",
    ]  # fmt: skip


def test_a_name_of_ten_megabytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stack = Stack("access", "T0", (Frame("_Z" + "x" * 10_000_000, "a.c", 1),))
    long = written(tmp_path / "a.json", replace(UAF, stacks=(stack,)))
    assert run("diff", written(tmp_path / "b.json"), long) == 66
    assert len(capsys.readouterr().out) < 1000
