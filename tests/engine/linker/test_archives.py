"""Static libraries: members come on demand, with or without an index."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from irsan.engine.linker.archives import Archive
from irsan.errors import UnsupportedError
from tests.support.jit import compile_text, linked_call

LONG_NAME = "a_member_with_a_name_that_does_not_fit.o"
ONE = "define i32 @one() { ret i32 1 }"
TWO = "declare i32 @one()\ndefine i32 @two() { %a = call i32 @one() %b = add i32 %a, 1 ret i32 %b }"
BROKEN = "declare i32 @nowhere()\ndefine i32 @three() { %a = call i32 @nowhere() ret i32 %a }"


def header(name: str, size: int) -> bytes:
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{size:<10}`\n".encode()


def archive_bytes(members: dict[str, bytes], symbols: dict[str, str] | None) -> bytes:
    """A GNU archive; `symbols`: name -> member, None for an archive without index."""
    long_names = "".join(f"{name}/\n" for name in members if len(name) > 15).encode()
    parts: list[bytes] = []
    index_size = 0
    if symbols is not None:
        index_size = 4 + 4 * len(symbols) + sum(len(name) + 1 for name in symbols)
    at = 8 + (60 + index_size + index_size % 2 if symbols is not None else 0)
    if long_names:
        parts.append(header("//", len(long_names)) + long_names + b"\n" * (len(long_names) % 2))
        at += len(parts[0])
    offsets: dict[str, int] = {}
    for name, raw in members.items():
        label = f"/{long_names.index(name.encode())}" if len(name) > 15 else f"{name}/"
        offsets[name] = at
        parts.append(header(label, len(raw)) + raw + b"\n" * (len(raw) % 2))
        at += len(parts[-1])
    index = b""
    if symbols is not None:
        index = len(symbols).to_bytes(4, "big")
        index += b"".join(offsets[member].to_bytes(4, "big") for member in symbols.values())
        index += b"".join(name.encode() + b"\0" for name in symbols)
        index = header("/", len(index)) + index + b"\n" * (len(index) % 2)
    return b"!<arch>\n" + index + b"".join(parts)


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
        (b"!<arch>\n" + header("#1/20", 4) + b"abcd", "BSD"),
    ],
)
def test_other_archives_are_refused(raw: bytes, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        Archive.parse(raw)
