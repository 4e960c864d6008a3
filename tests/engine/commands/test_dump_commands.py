"""`irsan dump-bitstream` and `irsan dump-ir`: text that LLVM itself would agree with."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from irsan.engine.commands.dump_commands import bitcode_of, dump_bitstream, dump_ir
from irsan.engine.front_end.ir_input import bitcode_to_bitcode, text_to_bitcode
from irsan.engine.options import FrontendOptions

TEXT = b"@g = global i32 3\ndefine i32 @main() {\n  %v = load i32, ptr @g\n  ret i32 %v\n}\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "program.ll"
    path.write_bytes(TEXT)
    return path


def test_blocks_and_records(program: Path) -> None:
    stream = io.StringIO()
    dump_bitstream(program, FrontendOptions(), stream)
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("IDENTIFICATION_BLOCK")
    assert any(line.startswith("MODULE_BLOCK") for line in lines)


def test_a_bitcode_file_is_shown_as_it_is(program: Path) -> None:
    wrapped = program.with_suffix(".bc")
    wrapped.write_bytes(text_to_bitcode(TEXT, program))
    assert bitcode_of(wrapped, FrontendOptions()) == wrapped.read_bytes()


def test_dumped_ir_is_the_same_module(program: Path) -> None:
    stream = io.StringIO()
    dump_ir(program, FrontendOptions(), stream)
    shown = stream.getvalue()
    assert "define i32 @main()" in shown
    again = text_to_bitcode(shown.encode(), program)
    assert bitcode_to_bitcode(again, program) == again
