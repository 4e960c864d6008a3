"""The options of an executable that runs itself come from its build and from its environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.built_program import built_options
from irsan.engine.inputs.carried import SECTION, carried_unit
from irsan.engine.inputs.elf_file import with_section
from irsan.engine.options import DEFAULT_SANITIZERS
from irsan.errors import UsageError
from tests.support.jit import compile_text


def executable(folder: Path, *checks: str) -> Path:
    unit = carried_unit("ir", "a.c", "c", b"BC", sanitize=frozenset(checks))
    code = compile_text("define i32 @main() { ret i32 0 }")
    path = folder / "prog"
    path.write_bytes(with_section(code, SECTION, unit.encoded()))
    return path


def test_the_build_names_the_checks(tmp_path: Path) -> None:
    options = built_options(executable(tmp_path, "address", "undefined"), "./p", ("a", "b"))
    assert options.sanitize == {"address", "undefined"}
    assert (options.argv0, options.arguments) == ("./p", ("a", "b"))
    assert built_options(executable(tmp_path), "p", ()).sanitize == DEFAULT_SANITIZERS


def test_the_environment_has_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "sanitize=memory+leak:seed=7:engine=interp:report_path='/tmp/%p.json,/tmp/x.txt'"
    monkeypatch.setenv("IRSAN_OPTIONS", said)
    options = built_options(executable(tmp_path, "address"), "p", ())
    assert (options.sanitize, options.seed, options.engine) == ({"memory", "leak"}, 7, "interp")
    formats = [(one.format, one.is_per_process) for one in options.reports]
    assert formats == [("text", False), ("json", True), ("text", False)]
    assert options.reports[1].path_in(42) == Path("/tmp/42.json")


def test_a_wrong_word_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRSAN_OPTIONS", "sanitize=adress")
    with pytest.raises(UsageError, match="did you mean address"):
        built_options(executable(tmp_path), "p", ())
