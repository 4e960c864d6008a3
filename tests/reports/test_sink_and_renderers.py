"""Where text goes, and formats by name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from irsan.errors import UsageError
from irsan.reports.renderers import renderer, renderer_names
from irsan.reports.sink import ReportSink
from tests.reports import samples


def test_standard_streams() -> None:
    out, err = io.StringIO(), io.StringIO()
    for name in ("", "stderr", "stdout"):
        ReportSink(name, stderr=err, stdout=out).write(name or "none")
    assert (out.getvalue(), err.getvalue()) == ("stdout", "nonestderr")


def test_log_file_names(tmp_path: Path) -> None:
    base = str(tmp_path / "log")
    ReportSink(base, 7).write("a")
    ReportSink(base, 7, program="/x/prog.c", log_exe_name=True, log_suffix=".txt").write("b")
    sink = ReportSink(base, 7)
    sink.write("c")
    sink.close()
    assert (tmp_path / "log.7").read_text() == "ac"
    assert (tmp_path / "log.prog.c.7.txt").read_text() == "b"
    assert not sink.is_terminal


def test_no_report_no_file(tmp_path: Path) -> None:
    ReportSink(str(tmp_path / "log"), 7).close()
    assert list(tmp_path.iterdir()) == []


def test_unwritable_log_falls_back_once(tmp_path: Path) -> None:
    err = io.StringIO()
    sink = ReportSink(str(tmp_path / "no" / "log"), 7, stderr=err)
    sink.write("one\n")
    sink.write("two\n")
    lines = err.getvalue().splitlines()
    assert lines[1:] == ["one", "two"]
    assert lines[0].startswith("irsan: cannot write reports to") and "log.7" in lines[0]


def test_unwritable_log_without_fallback(tmp_path: Path) -> None:
    sink = ReportSink(str(tmp_path / "no" / "log"), 7, fallback=False)
    with pytest.raises(UsageError, match=r"cannot write reports to .*log\.7"):
        sink.write("x")


@pytest.mark.parametrize("name", renderer_names())
def test_renderers_render(name: str) -> None:
    assert "heap-use-after-free" in renderer(name)(
        samples.report(samples.MEMORY["heap-use-after-free"])
    )


def test_unknown_format_names_the_known() -> None:
    with pytest.raises(UsageError, match=r"unknown report format 'xml'; choose one of: text, json"):
        renderer("xml")
