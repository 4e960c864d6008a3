"""The driver: well-formedness, one pass for all analyses, results and their JSON."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import jsonschema
import pytest

from irsan.__main__ import main
from irsan.cli import trace as trace_cli
from irsan.errors import UnsupportedError, UsageError
from irsan.traces import analyze, catalogue, progress
from irsan.traces.analyze import Result, analyze_trace
from irsan.traces.report import SCHEMA_PATH, results_to_json, results_to_text
from irsan.traces.trace_file import FORMS, convert_trace

RACY = "T1|w(x)|5\nT2|acq(l)|1\nT2|w(x)|17\nT2|rel(l)|1\nT2|w(x)|17\nT1|r(x)|3\n"
CLEAN = "T1|w(x)|1\nT1|fork(T2)|2\nT2|w(x)|3\n"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "t.std"
    path.write_text(RACY)
    return path


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("T1|acq(l)|1\nT2|acq(l)|1\n", "event 2: thread T2 acquires lock l, which thread T1 holds"),
        ("T1|rel(l)|1\n", "event 1: thread T1 releases lock l, which it does not hold"),
        ("T1|acq(l)|1\nT2|rel(l)|1\n", "event 2: thread T2 releases lock l"),
        ("T2|w(x)|1\nT1|fork(T2)|1\n", "event 2: thread T1 forks T2, which has begun already"),
        ("T1|fork(T2)|1\nT3|fork(T2)|1\n", "event 2: thread T3 forks T2"),
        ("T1|join(T2)|1\nT2|w(x)|1\n", "event 2: thread T2 acts after it was joined"),
        ("T1|fork(T1)|1\n", "event 1: thread T1 forks or joins itself"),
    ],
)
def test_what_no_execution_does_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "t.std"
    path.write_text(text)
    with pytest.raises(UsageError, match=why):
        analyze_trace(path, ["hb"])


def test_re_entrant_locks_are_flat(tmp_path: Path) -> None:
    """The inner release lets no thread in: what follows it is still protected."""
    path = tmp_path / "t.std"
    section = "{0}|acq(l)|1\n{0}|acq(l)|1\n{0}|rel(l)|1\n{0}|w(x)|1\n{0}|rel(l)|1\n"
    path.write_text(section.format("T1") + section.format("T2"))
    for result in analyze_trace(path, list(catalogue.ENTRIES)):
        assert result.racy_events == []
        assert result.events == 10


def test_a_thread_without_events_orders_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.std"
    path.write_text("T1|w(x)|1\nT1|fork(T2)|1\nT3|join(T2)|1\nT3|w(x)|1\n")
    (result,) = analyze_trace(path, ["hb"])
    assert result.racy_events == [4]
    path.write_text("T1|w(x)|1\nT1|fork(T2)|1\nT2|begin|1\nT3|join(T2)|1\nT3|w(x)|1\n")
    (result,) = analyze_trace(path, ["hb"])
    assert result.racy_events == []


def test_the_end_of_a_joined_thread_may_come_late(tmp_path: Path) -> None:
    path = tmp_path / "t.std"
    path.write_text("T1|fork(T2)|1\nT2|begin|1\nT1|join(T2)|1\nT2|end|1\nT3|dummy(x)|1\n")
    (result,) = analyze_trace(path, ["hb"])
    assert (result.events, result.racy_events) == (5, [])


def test_results_of_several_analyses(trace: Path) -> None:
    hb, lockset = analyze_trace(trace, ["hb", "lockset"])
    assert (hb.name, hb.racy_events) == ("hb", [3, 5, 6])
    assert (hb.racy_locations, hb.first_events) == (["17", "3"], [3, 6])
    assert (lockset.racy_events, lockset.racy_locations) == ([5, 6], ["17", "3"])


def test_the_binary_form_gives_the_same_results(trace: Path, tmp_path: Path) -> None:
    packed = tmp_path / "t.irt"
    convert_trace(trace, packed, None, lambda _: None)
    names = list(catalogue.ENTRIES)
    for one, other in zip(analyze_trace(trace, names), analyze_trace(packed, names), strict=True):
        assert (one.racy_events, one.racy_locations) == (other.racy_events, other.racy_locations)


def test_json_is_the_contract(trace: Path) -> None:
    schema = json.loads(SCHEMA_PATH.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    found = json.loads(results_to_json(analyze_trace(trace, list(catalogue.ENTRIES))))
    validator.validate(found)
    assert set(schema["properties"]["analyses"]["propertyNames"]["enum"]) == set(found["analyses"])
    hb = found["analyses"]["hb"]
    assert hb.pop("seconds") >= 0
    assert hb == {"racy_events": [3, 5, 6], "racy_locations": ["17", "3"], "events": 6}
    assert found["schema"] == "irsan-trace/1"
    assert not validator.is_valid({"schema": "irsan-trace/1", "analyses": {"hb": {}}})


def test_json_to_the_letter() -> None:
    result = Result("hb", racy_events=[3], racy_locations=["17"], first_events=[3], events=9)
    assert results_to_json([result]) == (
        '{"schema": "irsan-trace/1", "analyses": {"hb": {"racy_events": [3], '
        '"racy_locations": ["17"], "events": 9, "seconds": 0.0}}}\n'
    )


ROUND = "".join(
    f"T{t}|acq(l)|1\nT{t}|w(x{t % 3})|2\nT{t}|r(y)|3\nT{t}|rel(l)|4\n" for t in range(6)
)


@pytest.mark.parametrize("form", FORMS)
def test_memory_is_that_of_a_block_however_long_the_trace_is(tmp_path: Path, form: str) -> None:
    """Of the same names; wcp and syncp keep sections and accesses, as their papers do."""
    names = [name for name in catalogue.ENTRIES if name not in ("wcp", "syncp")]
    peaks = []
    for n_rounds in (20_000, 100_000):
        text, path = tmp_path / "t.std", tmp_path / f"t.{form}"
        text.write_text(ROUND * n_rounds)
        if path != text:
            convert_trace(text, path, form, lambda _: None)
        analyze_trace(path, names)  # what is imported once does not count
        tracemalloc.start()
        results = analyze_trace(path, names)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert {result.events for result in results} == {24 * n_rounds}
    assert peaks[1] < 1.2 * peaks[0]


def test_text_counts_and_names_locations(trace: Path, tmp_path: Path) -> None:
    text = results_to_text(analyze_trace(trace, ["hb"]))
    first, *rest = text.splitlines()
    assert first.startswith("hb: 3 racy events at 2 locations (6 events, ")
    assert rest == ["    location 17: event 3", "    location 3: event 6"]
    many = tmp_path / "many.std"
    many.write_text("T1|w(x)|0\n" + "".join(f"T2|w(x)|{i}\n" for i in range(1, 31)))
    assert "and 10 more" in results_to_text(analyze_trace(many, ["hb"]))


def test_too_many_events_or_threads_are_unsupported(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyze, "MAX_EVENTS", 6)
    with pytest.raises(UnsupportedError, match="more than 6 events"):
        analyze_trace(trace, ["hb"])
    monkeypatch.setattr(analyze, "MAX_EVENTS", 100)
    monkeypatch.setattr(analyze, "MAX_THREADS", 1)
    with pytest.raises(UnsupportedError, match="more than 1 threads"):
        analyze_trace(trace, ["hb"])


def test_no_memory_is_unsupported(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: int) -> None:
        raise MemoryError

    monkeypatch.setattr("irsan.traces.analyses.analysis.grown_table", fail)
    with pytest.raises(UnsupportedError, match="not enough memory for hb"):
        analyze_trace(trace, ["hb"])


def test_the_command_line_knows_what_there_is() -> None:
    assert tuple(catalogue.ENTRIES) == trace_cli.ANALYSES
    assert trace_cli.CLOCKS == catalogue.CLOCKS
    assert trace_cli.FORMS == FORMS


def test_status_66_for_races_and_0_for_none(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "analyze", str(trace)]) == 66
    assert capsys.readouterr().out.startswith("hb: 3 racy events")
    clean = tmp_path / "clean.std"
    clean.write_text(CLEAN)
    words = ["trace", "analyze", str(clean), "--analysis", "hb,shb,hb", "--clock", "tree"]
    assert main([*words, "--report-format", "json"]) == 0
    out, err = capsys.readouterr()
    assert list(json.loads(out)["analyses"]) == ["hb", "shb"]
    assert err == ""


def test_a_report_goes_to_a_file(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out.json"
    words = ["trace", "analyze", str(trace), "--report-format", "json", "--report-path"]
    assert main([*words, str(path)]) == 66
    assert json.loads(path.read_text())["analyses"]["hb"]["racy_events"] == [3, 5, 6]
    assert capsys.readouterr().out == ""
    assert main([*words, str(tmp_path / "no" / "out.json")]) == 2


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--analysis", "hbb"], "did you mean hb"),
        (["--analysis", ","], "names none of"),
        (["--clock", "wall"], "unknown 'wall'"),
        (["--report-format", "xml"], "unknown 'xml'"),
    ],
)
def test_wrong_words_are_usage_errors(
    trace: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "analyze", str(trace), *words]) == 2
    assert why in capsys.readouterr().err


def test_bad_files_are_usage_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.std"
    bad.write_text("T1|w(x)|1\nnonsense\n")
    for path, why in ((bad, "bad.std:2"), (tmp_path / "none", "No such file"), (tmp_path, "direc")):
        assert main(["trace", "analyze", str(path)]) == 2
        err = capsys.readouterr().err
        assert err.startswith("irsan: error: ")
        assert why in err
        assert err.count("\n") == 1


def test_conversion_from_the_command_line(trace: Path, tmp_path: Path) -> None:
    packed, again = tmp_path / "t.irt", tmp_path / "u"
    assert main(["trace", "convert", str(trace), str(packed)]) == 0
    assert main(["trace", "convert", str(packed), str(again), "--to", "std"]) == 0
    assert again.read_text() == RACY
    assert main(["trace", "convert", str(trace), str(packed), "--to", "xml"]) == 2


def test_a_bar_for_people_only(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not progress.is_watched()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert progress.is_watched()
    with progress.file_progress(trace, "reading") as on_progress:
        on_progress(3)
    monkeypatch.setenv("CI", "true")
    assert not progress.is_watched()
