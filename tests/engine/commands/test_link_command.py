"""`irsan link`: verified text or bitcode, warnings, and clear refusals with their statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.engine.commands.link_command import link_to_file
from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import FrontendOptions
from irsan.ir.reading import read_module
from tests.support.irsan_runs import bundled_compiler

MAIN = "declare i32 @helper()\ndefine i32 @main() {\n  %r = call i32 @helper()\n  ret i32 %r\n}\n"
HELPER = "define i32 @helper() {\n  ret i32 3\n}\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
    found = []
    for name, text in (("main.ll", MAIN), ("helper.ll", HELPER)):
        found.append(tmp_path / name)
        found[-1].write_text(text)
    return found


def test_bitcode_of_several_files(files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.bc"
    link_to_file(files, out, FrontendOptions(), as_text=False)
    (unit,) = compile_to_ir([out], FrontendOptions())
    assert unit.bitcode
    function = read_module(out).function_by_name("helper")
    assert function is not None and not function.is_declaration


def test_text_and_bitcode_are_taken_and_given(files: list[Path], tmp_path: Path) -> None:
    first, whole = tmp_path / "helper.bc", tmp_path / "whole"
    assert main(["link", str(files[1]), "-o", str(first)]) == 0
    assert main(["link", "-S", str(files[0]), str(first), "-o", str(whole)]) == 0
    assert "define i32 @main()" in whole.read_text()


def test_a_symbol_of_two_files_is_status_2(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, again = tmp_path / "out.bc", tmp_path / "again.ll"
    again.write_text(HELPER)
    assert main(["link", *map(str, files), str(again), "-o", str(out)]) == 2
    said = f"irsan: error: cannot link: `helper` is defined in {files[1]} and in {again}\n"
    assert capsys.readouterr().err == said
    assert not out.exists()


def test_an_output_that_cannot_be_written_is_status_74(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "missing" / "out.bc"
    assert main(["link", *map(str, files), "-o", str(out)]) == 74
    assert f"{out} cannot be written: No such file" in capsys.readouterr().err


def test_warnings_are_printed(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, size in zip(files, (8, 16), strict=True):
        path.write_text(f"@v = common global [{size} x i8] zeroinitializer\n")
    assert main(["link", *map(str, files), "-o", str(tmp_path / "out.bc")]) == 0
    said = f"irsan: warning: `v` has 8 bytes in {files[0]} and 16 in {files[1]}\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("words", "message"), [
    (["main.ll"], "Missing option"),
    (["-o", "out.bc"], "Missing argument"),
    (["main.ll", "missing.bc", "-o", "out.bc"], "missing.bc: no such file"),
    (["main.ll", "notes.txt", "-o", "out.bc"], "notes.txt: unknown kind of program"),
])  # fmt: skip
def test_wrong_usage(
    words: list[str], message: str, files: list[Path], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(files[0].parent)
    Path("notes.txt").write_text("text")
    assert main(["link", *words]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("irsan: error: ") and message in shown and shown.count("\n") == 1


def marks_of(path: Path, mark: str) -> dict[str, bool]:
    return {
        function.name: function.attributes.has_function(mark)
        for function in read_module(path).functions
        if not function.is_declaration
    }


def test_modules_without_marks_are_checked_as_before(files: list[Path], tmp_path: Path) -> None:
    """Where one function is marked, unmarked ones are not checked: here the helper would not be."""
    text = MAIN.replace("@main() {", "@main() sanitize_address {")
    files[0].write_text(text + "define void @out() {\n  ret void\n}\n")
    out = tmp_path / "out.bc"
    link_to_file(files, out, FrontendOptions(), as_text=False)
    assert marks_of(out, "sanitize_address") == {"main": True, "out": False, "helper": True}
    assert marks_of(out, "sanitize_thread") == {"main": False, "out": False, "helper": False}


def test_sources_keep_what_they_leave_unchecked(files: list[Path], tmp_path: Path) -> None:
    source, out = tmp_path / "part.c", tmp_path / "out.bc"
    source.write_text(
        '__attribute__((no_sanitize("thread"))) void quiet(int *p) { *p = 1; }\n'
        '__attribute__((no_sanitize("address"))) void wild(int *p) { *p = 1; }\n'
    )
    link_to_file([*files, source], out, FrontendOptions(cc=bundled_compiler()), as_text=False)
    rest = {"main": True, "helper": True}
    assert marks_of(out, "sanitize_thread") == {"quiet": False, "wild": True, **rest}
    assert marks_of(out, "sanitize_address") == {"quiet": True, "wild": False, **rest}
    assert read_module(out).function_by_name("tsan.module_ctor") is None


def test_sources_that_leave_all_unchecked_stay_so(files: list[Path], tmp_path: Path) -> None:
    source, out = tmp_path / "part.c", tmp_path / "out.bc"
    source.write_text('__attribute__((no_sanitize("address"))) void wild(int *p) { *p = 1; }\n')
    files[0].write_text(MAIN.replace("@main() {", "@main() sanitize_address {"))
    link_to_file([*files, source], out, FrontendOptions(cc=bundled_compiler()), as_text=False)
    assert marks_of(out, "sanitize_address") == {"wild": False, "main": True, "helper": True}


def test_what_is_instrumented_in_part_is_said(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files[1].write_text(
        "declare void @__tsan_func_entry(ptr)\ndefine i32 @helper() {\n"
        "  call void @__tsan_func_entry(ptr null)\n  ret i32 3\n}\n"
    )
    assert main(["link", *map(str, files), "-o", str(tmp_path / "out.bc")]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"irsan: warning: {files[1]} was compiled with -fsanitize=thread and ")
