"""Names of traces: their form, where they are written, what cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.recording.trace_files import Recorded, form_of, open_part, part_of
from irsan.errors import UsageError


@pytest.mark.parametrize(
    ("name", "asked", "form"),
    [
        ("a.std", None, "std"),
        ("a.std.gz", None, "std"),
        ("a.log", None, "std"),
        ("a.irt", None, "binary"),
        ("a.irt", "std", "std"),
        ("a", "binary", "binary"),
    ],
)
def test_the_form_is_what_is_said_or_named(name: str, asked: str | None, form: str) -> None:
    assert form_of(Path(name), asked) == form


@pytest.mark.parametrize("name", ["a", "a.bin", "a.irt.gz"])
def test_a_name_that_says_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: say the form of the trace with --format"):
        form_of(Path(name), None)


def test_a_special_file_is_written_itself(tmp_path: Path) -> None:
    assert part_of(Path("/dev/full")) == Path("/dev/full")
    assert part_of(tmp_path / "a.std") == tmp_path / "a.std.part"
    (tmp_path / "a.std").write_text("old")
    os.close(open_part(tmp_path / "a.std"))
    assert (tmp_path / "a.std").read_text() == "old"


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a directory"):
        open_part(tmp_path)
    with pytest.raises(UsageError, match=r"no/a\.std: No such file or directory"):
        open_part(tmp_path / "no" / "a.std")


def test_an_incomplete_trace_is_told_with_its_events() -> None:
    lost = Recorded(12, [], "No space left on device", is_ended=True, n_approximate=0)
    assert lost.why_incomplete(Path("a.std")) == (
        "a.std: No space left on device; a.std.part has the first 12 events of the trace"
    )
    ended = Recorded(0, [], "", is_ended=False, n_approximate=0)
    assert "the run ended before its recording" in ended.why_incomplete(Path("a.std"))
