"""`irsan instrument`: verified text or bitcode, with the hooks that were asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.instrument_command import instrument_to_file
from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import FrontendOptions
from irsan.errors import UsageError

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
