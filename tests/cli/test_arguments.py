"""Command-line words: where the program ends, which sanitizers, which reports go where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.arguments import (
    SOURCE_SUFFIXES,
    OptionDefaults,
    misplaced_options,
    option_defaults,
    parse_sanitizers,
    report_targets,
    require_known,
    split_words,
)
from irsan.engine.front_end.frontend import LANGUAGE_BY_SUFFIX
from irsan.engine.options import SANITIZERS, ReportTarget
from irsan.errors import UsageError


@pytest.mark.parametrize(
    ("words", "programs", "arguments"),
    [
        ("a.c", "a.c", ""),
        ("a.c x y", "a.c", "x y"),
        ("a.c b.cc c.ll", "a.c b.cc c.ll", ""),
        ("a.c b.c -- x.c y", "a.c b.c", "x.c y"),
        ("a.c -- -- x", "a.c", "-- x"),
        ("a.c x b.c", "a.c", "x b.c"),
        ("a.c -O2 b.c", "a.c", "-O2 b.c"),
        ("a.out x", "a.out", "x"),
        ("a.c --", "a.c", ""),
    ],
)
def test_where_the_programs_end(words: str, programs: str, arguments: str) -> None:
    expected = (tuple(Path(word) for word in programs.split()), tuple(arguments.split()))
    assert split_words(words.split()) == expected


@given(st.lists(st.sampled_from(["a.c", "b.ll", "x", "--", "-O0", ""]), min_size=1))
def test_no_word_is_lost_but_one_marker(words: list[str]) -> None:
    programs, arguments = split_words(words)
    assert programs
    joined = [*map(str, programs), *arguments]
    with_marker = [*map(str, programs), "--", *arguments]
    assert [str(Path(words[0])), *words[1:]] in (joined, with_marker)


def test_the_shell_knows_the_front_ends_suffixes() -> None:
    assert set(SOURCE_SUFFIXES) == set(LANGUAGE_BY_SUFFIX)


def test_bitcode_under_another_name_is_a_program(tmp_path: Path) -> None:
    bitcode, code = tmp_path / "a.o", tmp_path / "b.s"
    bitcode.write_bytes(b"BC\xc0\xde")
    code.write_text("nop")
    assert split_words(["a.c", str(bitcode), "x"]) == ((Path("a.c"), bitcode), ("x",))
    assert split_words(["a.c", str(code), "x"]) == ((Path("a.c"),), (str(code), "x"))
    with pytest.raises(UsageError, match=r"b\.s: is no program that irsan reads"):
        split_words(["a.c", str(code), "--", "x"])


def test_behind_an_executable_all_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "x.o").write_bytes(b"")
    words = ["./prog", "a.c", str(tmp_path / "x.o")]
    assert split_words(words) == ((Path("prog"),), tuple(words[1:]))
    (tmp_path / "words").write_text("a.c 'b c.c' -- d.c")
    assert split_words([f"@{tmp_path / 'words'}"]) == ((Path("a.c"), Path("b c.c")), ("d.c",))


def test_sources_of_other_languages_follow_their_like(tmp_path: Path) -> None:
    one, two, data, zig = (tmp_path / name for name in ("a.f90", "b.f90", "c.m", "d.zig"))
    for path in (one, two, data, zig):
        path.write_text("x")
    fortran = [str(one), str(two), str(data), "x"]
    assert split_words(fortran) == ((one, two), (str(data), "x"))
    assert split_words(["p.c", str(zig), str(data)]) == ((Path("p.c"), zig), (str(data),))
    assert split_words([str(data), str(data), "x.m"]) == ((data, data), ("x.m",))
    assert split_words([str(one), "none.f90"]) == ((one,), ("none.f90",))


def test_all_is_every_sanitizer_that_looks_for_errors() -> None:
    assert parse_sanitizers("all") == frozenset(SANITIZERS) - {"dumb"}
    assert parse_sanitizers("all,dumb") == frozenset(SANITIZERS)


def test_options_after_the_program_are_noticed() -> None:
    own = ("--seed", "--cflag")
    assert misplaced_options(["a.c", "--seed", "3", "--cflag=-g"], own) == ["--seed", "--cflag=-g"]
    assert misplaced_options(["a.c", "--", "--seed", "3"], own) == []
    assert misplaced_options(["a.c", "--verbose"], own) == []


def test_sanitizer_names() -> None:
    assert parse_sanitizers("address, thread") == {"address", "thread"}
    with pytest.raises(UsageError, match="did you mean address"):
        parse_sanitizers("adress")
    with pytest.raises(UsageError, match="names none of"):
        parse_sanitizers(",")


def test_a_name_that_resembles_nothing_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"--engine: unknown 'zzz' \(known: jit, interp\)"):
        require_known("zzz", ("jit", "interp"), "--engine")


TEXT = ReportTarget("text")


@pytest.fixture
def _all_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("text", "json", "sarif", "junit", "html")
    monkeypatch.setattr("irsan.arguments.renderer_names", lambda: names)


@pytest.mark.parametrize(
    ("formats", "paths", "targets"),
    [
        ([], [], [TEXT]),
        (["json"], [], [ReportTarget("json")]),
        (["json"], ["o"], [TEXT, ReportTarget("json", Path("o"))]),
        ([], ["o.sarif"], [TEXT, ReportTarget("sarif", Path("o.sarif"))]),
        ([], ["o.sarif.json"], [TEXT, ReportTarget("sarif", Path("o.sarif.json"))]),
        ([], ["o.xml"], [TEXT, ReportTarget("junit", Path("o.xml"))]),
        (
            ["json", "html"],
            ["a", "b", "c.txt"],
            [
                TEXT,
                ReportTarget("json", Path("a")),
                ReportTarget("html", Path("b")),
                ReportTarget("text", Path("c.txt")),
            ],
        ),
        (["json", "sarif"], ["a"], [ReportTarget("sarif"), ReportTarget("json", Path("a"))]),
    ],
)
@pytest.mark.usefixtures("_all_formats")
def test_which_report_goes_where(
    formats: list[str], paths: list[str], targets: list[ReportTarget]
) -> None:
    assert report_targets(formats, [Path(path) for path in paths]) == tuple(targets)


def test_a_report_of_no_known_form_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--report-path out\.dat: say its form"):
        report_targets([], [Path("out.dat")])
    with pytest.raises(UsageError, match="unknown 'xml'"):
        report_targets(["xml"], [])


def test_irsan_options_gives_what_the_command_line_leaves_out() -> None:
    assert option_defaults({}) == OptionDefaults()
    assert option_defaults({"ASAN_OPTIONS": "redzone=32"}) == OptionDefaults()
    text = "seed=7:engine=interp:scheduler=random:schedule=1-2-O1-at-00000000:oops=1"
    found = option_defaults({"IRSAN_OPTIONS": text})
    assert found == OptionDefaults("interp", "random", 7, "1-2-O1-at-00000000")
