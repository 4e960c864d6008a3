"""`irsan instrument`: verified text or bitcode, with the hooks that were asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irsan.engine.commands.instrument_command import instrument_to_file, write_stats
from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import FrontendOptions
from irsan.errors import UsageError
from irsan.instrument.check_stats import CheckStats

TEXT = (
    b"define i32 @read(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
    b"define i32 @main() {\n  ret i32 0\n}\n"
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "program.ll"
    path.write_bytes(TEXT)
    return path


def test_portable_text_holds_only_compiler_rts_hooks(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ll"
    instrument_to_file(
        program, out, FrontendOptions(), frozenset({"thread", "address"}), portable=True
    )
    text = out.read_text()
    assert "@__tsan_read4" in text
    assert "@__asan_load4" in text
    assert "__irsan_" not in text


def test_bitcode_by_its_suffix(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.bc"
    instrument_to_file(program, out, FrontendOptions(), frozenset({"thread"}), portable=True)
    (unit,) = compile_to_ir([out], FrontendOptions())
    assert unit.bitcode


def test_an_output_that_cannot_be_written(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "missing" / "out.ll"
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        instrument_to_file(program, out, FrontendOptions(), frozenset({"thread"}), portable=True)


LOOP = b"""define i64 @sum(ptr %a, i64 %n, ptr %once) {
entry:
  %x = load i64, ptr %once
  %y = load i64, ptr %once
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %next = add i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %out, label %head
out:
  %s = add i64 %x, %y
  ret i64 %s
}
"""


def test_what_became_of_checks(program: Path, tmp_path: Path) -> None:
    program.write_bytes(LOOP)
    wanted = frozenset({"address", "thread", "object-bounds"})
    stats = instrument_to_file(
        program, tmp_path / "out.ll", FrontendOptions(), wanted, portable=False
    )
    rows = set(stats.rows())
    for tool in ("address", "thread"):
        assert (tool, "left out", "checked before on every way here", 1) in rows
        assert (tool, "ahead", "once for many turns", 1) in rows
        assert (tool, "stays", "in no loop", 1) in rows
    assert ("object", "left out", "a walk in short steps", 1) in rows
    assert len(rows) == 7
    path = tmp_path / "stats.json"
    write_stats(stats, path)
    written = json.loads(path.read_text())
    assert {(one["tool"], one["fate"], one["reason"], one["checks"]) for one in written} == rows
    with pytest.raises(UsageError, match=r"missing/stats.json: cannot be written: No such file"):
        write_stats(stats, tmp_path / "missing" / "stats.json")


def test_what_became_of_loads_that_may_be_uninitialised(program: Path, tmp_path: Path) -> None:
    changes = {
        b"  %p =": b"  %sum = phi i64 [ %x, %entry ], [ %more, %head ]\n  %p =",
        b"  %next = add": b"  %more = add i64 %sum, %v\n  %next = add",
        b"%s = add i64 %x, %y": b"%s = add i64 %more, %y",
    }
    text = LOOP
    for old, new in changes.items():
        text = text.replace(old, new)
    program.write_bytes(text)
    stats = instrument_to_file(
        program, tmp_path / "out.ll", FrontendOptions(), frozenset({"memory"}), portable=False
    )
    assert set(stats.rows()) == {
        ("memory", "ahead", "once for many turns", 1), ("memory", "stays", "in no loop", 2),
    }  # fmt: skip


def test_a_table_has_percentages_of_each_tool() -> None:
    stats = CheckStats()
    stats.note("thread", "stays", "in no loop", 3)
    stats.note("thread", "left out", "constant")
    stats.note("address", "ahead", "never", 0)
    assert stats.table().splitlines() == [
        "checks of races: 4",
        "  left out        1  25.0 %  constant",
        "  stays           3  75.0 %  in no loop",
    ]
