"""Source files as reports read them: bounded, tolerant, and only where they may."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.reports.derived import sources as module
from irsan.reports.derived.sources import Sources
from irsan.reports.model.run_facts import SourceExcerpt

TEXT = "int main(void) {\n    return s->next[3].x + 1;\n}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    return path


def test_lines_and_statements(file: Path) -> None:
    sources = Sources(root=file.parent)
    assert sources.line("a.c", 1) == "int main(void) {"
    assert sources.line("a.c", 9) is None
    assert sources.around(str(file), 1, 1) == ((1, "int main(void) {"), (2, TEXT.split("\n")[1]))
    assert sources.statement("a.c", 2, 12) == "return s -> next [ 3 ] . x + 1"
    assert sources.statement("a.c", 1, 0, "main") == "int main ( void )"
    assert sources.line_hash("a.c", 2).endswith(":1")


@pytest.mark.parametrize(
    ("column", "expression", "end"),
    [
        (12, "s->next[3].x", 24),  # the expression begins there
        (15, "s->next[3].x", 24),  # or holds the place
        (5, "s->next[3].x", 11),  # else the word counts
        (12, "", 13),
        (25, "", 26),
        (0, "s", 0),
    ],
)
def test_ends_of_columns(file: Path, column: int, expression: str, end: int) -> None:
    assert Sources().end_column(str(file), 2, column, expression) == end


@pytest.mark.parametrize("content", [b"", b"\0\0", b"\xff\xfe\x00", None])
def test_what_is_no_source_has_no_lines(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.c"
    if content is not None:
        path.write_bytes(content)
    sources = Sources()
    assert sources.statement(str(path), 1, 1) == sources.line_hash(str(path), 1) == ""
    assert sources.n_lines(str(path)) == 0


def test_a_pipe_and_a_big_file_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(module, "MAX_FILE_BYTES", 3)
    (tmp_path / "big").write_text("abcd")
    for name in ("pipe", "big", "/dev/zero"):
        assert Sources(root=tmp_path).n_lines(name) == 0


def test_reports_of_others_open_nothing_outside_of_a_folder(file: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.c").symlink_to(file)
    (tmp_path / "in" / "b.c").write_text("b();\n")
    sources = Sources.of_report((), tmp_path / "in")
    assert sources.line("b.c", 1) == "b();"
    for name in (str(file), "../a.c", "link.c", "\0", "a" * 5000):
        assert sources.line(name, 1) is None
    assert Sources.of_report(()).line(str(file), 1) is None


def test_excerpts_come_first(file: Path) -> None:
    sources = Sources.of_report([SourceExcerpt(str(file), 2, ("told", "so"))])
    assert sources.around(str(file), 2, 5) == ((2, "told"), (3, "so"))


def test_files_under_a_mapped_name(file: Path) -> None:
    sources = Sources(aliases=(("/src", str(file.parent)),))
    assert sources.line("/src/a.c", 3) == "}"
