"""Which compiler is chosen: named before found, found only when llvmlite can read its IR."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.cache import Cache
from irsan.engine.front_end import compilers
from irsan.engine.front_end.compilers import choose_compiler, llvm_version
from irsan.errors import UsageError


def make_command(folder: Path, name: str, output: str) -> Path:
    """An executable that prints `output`, whatever it is asked."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{output}'\necho ran >> '{folder}/{name}.log'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def path_of(tools: Path) -> dict[str, str]:
    return {"PATH": str(tools)}


def test_llvm_version_is_remembered(cache: Cache) -> None:
    import llvmlite.binding

    assert llvm_version(cache) == tuple(llvmlite.binding.llvm_version_info)
    assert llvm_version(cache) == tuple(llvmlite.binding.llvm_version_info)


def test_first_readable_clang_on_path(cache: Cache, tools: Path) -> None:
    make_command(tools, "clang", "Debian clang version 99.0.1")
    make_command(tools, "clang-15", "clang version 15.0.7")
    make_command(tools, "clang-17", "clang version 17.0.2 (some tree)")
    chosen = choose_compiler(None, path_of(tools), cache)
    assert chosen.version == (17, 0, 2)
    assert chosen.kind == "clang"
    assert chosen.chosen_by == "PATH"


def test_option_goes_before_variable_before_path(cache: Cache, tools: Path) -> None:
    for name, version in (("clang", 18), ("clang-14", 14), ("own-cc", 16)):
        make_command(tools, name, f"clang version {version}.0.0")
    environment = path_of(tools) | {"IRSAN_CC": "own-cc -m64"}
    assert choose_compiler("clang-14", environment, cache).version[0] == 14
    by_variable = choose_compiler(None, environment, cache)
    assert by_variable.version[0] == 16
    assert by_variable.c[1:] == ("-m64",)
    assert choose_compiler(None, path_of(tools), cache).version[0] == 18


def test_version_is_asked_once_until_the_binary_changes(cache: Cache, tools: Path) -> None:
    command = make_command(tools, "clang", "clang version 18.1.0")
    log = tools / "clang.log"
    for _ in range(3):
        choose_compiler(None, path_of(tools), cache)
    assert log.read_text().count("ran") == 1
    make_command(tools, "clang", "clang version 17.1.10")
    os.utime(command, (1, 1))
    assert choose_compiler(None, path_of(tools), cache).version == (17, 1, 10)


def test_a_named_command_that_is_missing(cache: Cache, tools: Path) -> None:
    with pytest.raises(UsageError, match="--cc: nothing-there: no such command"):
        choose_compiler("nothing-there", path_of(tools), cache)


def test_a_named_command_that_makes_no_ir(cache: Cache, tools: Path) -> None:
    make_command(tools, "gcc", "gcc (Debian 12.2.0-14) 12.2.0")
    with pytest.raises(UsageError, match="not a clang or zig"):
        choose_compiler("gcc", path_of(tools), cache)


def test_no_compiler_at_all_says_what_to_install(
    cache: Cache, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilers, "_bundled_compiler", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'irsan\[cc\]'"):
        choose_compiler(None, path_of(tools), cache)


def test_the_pip_installed_compiler_is_found(cache: Cache, tools: Path) -> None:
    pytest.importorskip("ziglang", reason="the extra irsan[cc] is not installed")
    chosen = choose_compiler(None, path_of(tools), cache)
    assert chosen.kind == "zig"
    assert chosen.c[-1] == "cc"
    assert chosen.cxx[-1] == "c++"
    assert chosen.version[0] <= llvm_version(cache)[0]


def test_this_pythons_zig_is_started_without_python() -> None:
    pytest.importorskip("ziglang", reason="the extra irsan[cc] is not installed")
    asked = (sys.executable, "-m", "ziglang", "cc", "--version")
    started = compilers.started_directly(asked)
    assert Path(started[0]).name == "zig" and tuple(started[1:]) == asked[3:]
    answers = [subprocess.run(one, capture_output=True, check=True) for one in (asked, started)]
    assert answers[0].stdout == answers[1].stdout


@pytest.mark.parametrize(
    "command",
    [
        ("/other/python", "-m", "ziglang", "cc"),
        (sys.executable, "-m", "other", "cc"),
        ("/usr/bin/clang", "-c"),
        (),
    ],
)
def test_other_commands_are_started_as_they_are(command: tuple[str, ...]) -> None:
    assert compilers.started_directly(command) is command
