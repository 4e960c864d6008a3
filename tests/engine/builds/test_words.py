"""A compiler's command line, read as gcc and clang read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.builds.probes import is_probe
from irsan.engine.builds.words import (
    ASSEMBLY,
    HEADER,
    INFO,
    LINK,
    OBJECT,
    TEXT,
    parse_words,
)
from irsan.errors import UsageError


@pytest.mark.parametrize(
    ("line", "mode", "inputs", "output"),
    [
        ("-c a.c", OBJECT, [("a.c", "c")], None),
        ("-c a.cc -o x.o", OBJECT, [("a.cc", "c++")], "x.o"),
        ("-ox.o -c a.C", OBJECT, [("a.C", "c++")], "x.o"),
        ("a.o -lm -o a", LINK, [("a.o", "")], "a"),
        ("-shared -o liba.so a.o b.a", LINK, [("a.o", ""), ("b.a", "")], "liba.so"),
        ("-x c -E - -dM", TEXT, [("-", "c")], None),
        ("-x c++ a.c -x none b.c -c", OBJECT, [("a.c", "c++"), ("b.c", "c")], None),
        ("-S a.c -o -", ASSEMBLY, [("a.c", "c")], "-"),
        ("-M a.c", TEXT, [("a.c", "c")], None),
        ("-MD -MF a.d -c a.c", OBJECT, [("a.c", "c")], None),
        ("-c start.S", OBJECT, [("start.S", "asm")], None),
        ("-I inc -D X -include y.h -c a.c", OBJECT, [("a.c", "c")], None),
        ("-x c++-header all.h -o all.h.gch", HEADER, [("all.h", "c++-header")], "all.h.gch"),
        ("-Wl,-soname -Wl,liba.so.1 -Xlinker -z a.o", LINK, [("a.o", "")], None),
        ("--version", INFO, [], None),
        ("-print-search-dirs", INFO, [], None),
        ("", INFO, [], None),
    ],
)
def test_what_a_command_makes(
    line: str, mode: str, inputs: list[tuple[str, str]], output: str | None
) -> None:
    found = parse_words(line.split())
    assert (found.mode, found.output) == (mode, output)
    assert [(one.path, one.language) for one in found.inputs] == inputs


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("-fsanitize=address,thread -c a.c", {"address", "thread"}),
        ("-fsanitize=address -fno-sanitize=address -c a.c", set()),
        ("-fsanitize=undefined -fno-sanitize=all -fsanitize=leak -c a.c", {"leak"}),
    ],
)
def test_sanitizers_are_counted_in_order(line: str, names: set[str]) -> None:
    assert parse_words(line.split()).sanitize == names


def test_words_of_sanitizers_and_lto_are_not_the_compilers() -> None:
    line = "-fsanitize=address -static-libasan -flto=auto -O2 -c a.c -o a.o -Wall"
    assert parse_words(line.split()).options() == ["-O2", "-Wall"]


@pytest.mark.parametrize(
    ("word", "level"), [("-O", 1), ("-Os", 2), ("-Ofast", 3), ("-O0", 0), ("-O9", 3), ("-Og", 1)]
)
def test_optimisation_levels(word: str, level: int) -> None:
    assert parse_words(["-O3", word, "-c", "a.c"]).opt_level == level


def test_response_files(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("-DX='a b' c.c\n")
    (tmp_path / "outer").write_text(f"-c @{tmp_path / 'inner'}")
    found = parse_words([f"@{tmp_path / 'outer'}", "@not-there"])
    assert found.words == ["-c", "-DX=a b", "c.c", "@not-there"]
    (tmp_path / "endless").write_text(f"@{tmp_path / 'endless'}")
    with pytest.raises(UsageError, match="without an end"):
        parse_words([f"@{tmp_path / 'endless'}"])


@pytest.mark.parametrize(
    ("line", "folder", "asks"),
    [
        ("-c conftest.c", "/src", True),
        ("conftest.o -o conftest", "/src", True),
        ("-c testfile.c", "/src/build/meson-private/tmpx1", True),
        ("-c /b/CMakeFiles/CMakeScratch/TryCompile-x/src.c", "/src", True),
        ("-c CMakeCCompilerId.c", "/b/CMakeFiles/3.25/CompilerIdC", True),
        ("-c .sconf_temp/conftest_1ab_0.c -o .sconf_temp/conftest_1ab_0.o", "/src", True),
        ("-c -o /tmp/ffconf.AbC/test.o /tmp/ffconf.AbC/test.c", "/src", True),
        ("-o config-temp/qemu-conf.exe config-temp/qemu-conf.c", "/src", True),
        ("-o objs/autotest objs/autotest.c", "/src", True),
        ("-c -o /dev/null conf123-1-2.c", "/src", True),
        ("-o try try.c", "/perl/UU", True),
        ("-c config.c", "/src", False),
        ("-c tests/confuse.c -o UUID.o", "/src", False),
        ("-c contest.c", "/home/CMake", False),
    ],
)
def test_probes_of_build_systems(line: str, folder: str, asks: bool) -> None:
    assert is_probe(parse_words(line.split()), Path(folder)) == asks
