"""Static libraries: members come on demand, with or without an index."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from irsan.engine.linker.archives import Archive
from irsan.errors import UnsupportedError
from tests.support.jit import compile_text, linked_call
from tests.support.library_archives import archive_bytes, member_header

LONG_NAME = "a_member_with_a_name_that_does_not_fit.o"
ONE = "define i32 @one() { ret i32 1 }"
TWO = "declare i32 @one()\ndefine i32 @two() { %a = call i32 @one() %b = add i32 %a, 1 ret i32 %b }"
BROKEN = "declare i32 @nowhere()\ndefine i32 @three() { %a = call i32 @nowhere() ret i32 %a }"


def sample(with_index: bool) -> bytes:
    members = {
        "one.o": compile_text(ONE),
        LONG_NAME: compile_text(TWO),
        "broken.o": compile_text(BROKEN),
    }
    symbols = {"one": "one.o", "two": LONG_NAME, "three": "broken.o"} if with_index else None
    return archive_bytes(members, symbols)


@pytest.mark.parametrize("with_index", [True, False])
def test_pulls_what_is_needed_and_no_more(with_index: bool) -> None:
    archive = Archive.parse(sample(with_index), "lib.a")
    assert archive.index.keys() == {"one", "two", "three"}
    assert archive.pull("nothing") is None
    member = archive.pull("two")
    assert member is not None
    assert member.name == f"lib.a({LONG_NAME})"
    assert archive.pull("two") is None


@pytest.mark.parametrize("with_index", [True, False])
def test_links_transitively(with_index: bool) -> None:
    program = compile_text(
        "declare i32 @two()\ndefine i32 @main() { %a = call i32 @two() ret i32 %a }"
    )
    assert linked_call(program, archives=[sample(with_index)]) == 2


@pytest.mark.skipif(shutil.which("ar") is None, reason="needs ar")
def test_reads_what_ar_writes(tmp_path: Path) -> None:
    for name, text in (("one.o", ONE), (LONG_NAME, TWO)):
        (tmp_path / name).write_bytes(compile_text(text))
    subprocess.run(["ar", "rcs", "lib.a", "one.o", LONG_NAME], cwd=tmp_path, check=True)
    archive = Archive.parse((tmp_path / "lib.a").read_bytes())
    assert archive.index.keys() == {"one", "two"}
    assert archive.member_name(archive.index["two"]) == LONG_NAME


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"!<thin>\n", "thin archive"),
        (b"junk", "not an archive"),
        (b"!<arch>\n" + b"x" * 60, "broken archive"),
        (b"!<arch>\n" + member_header("#1/20", 4) + b"abcd", "BSD"),
    ],
)
def test_other_archives_are_refused(raw: bytes, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        Archive.parse(raw)
