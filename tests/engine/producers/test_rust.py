"""Which rustc is used, and what is kept of what it makes; without a rustc."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.cache import Cache
from irsan.engine.inputs.elf_file import lto_bitcode
from irsan.engine.options import FrontendOptions
from irsan.engine.producers import rust, rust_libraries
from irsan.engine.producers.made_parts import MadeParts, decoded
from irsan.engine.producers.rust import VARIABLE, find_rustc
from irsan.engine.producers.rust_members import is_native_crate
from irsan.errors import UsageError

SOURCE = Path("x.rs")


def fake_rustc(folder: Path, llvm: str = "22.1.2", release: str = "1.95.0") -> dict[str, str]:
    """The environment of a rustc that only says what it is."""
    path = folder / "rustc"
    path.write_text(f"#!/bin/sh\nprintf 'release: {release}\\nLLVM version: {llvm}\\n'\n")
    path.chmod(0o700)
    return {"PATH": f"{folder}{os.pathsep}/bin"}


def test_the_rustc_on_path_is_used(tmp_path: Path) -> None:
    found = find_rustc(SOURCE, fake_rustc(tmp_path), Cache(None))
    assert (found.command, found.release) == (str(tmp_path / "rustc"), "1.95.0")


def test_a_rustc_that_is_too_new_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"x\.rs: rustc 1\.99\.0 has LLVM 99, .* IRSAN_RUSTC"):
        find_rustc(SOURCE, fake_rustc(tmp_path, "99.1.0", "1.99.0"), Cache(None))


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PATH": ""}, "x.rs: no rustc on PATH; install Rust"),
        ({"PATH": "", VARIABLE: "other"}, "IRSAN_RUSTC: other: no such command"),
        ({"PATH": "/bin", VARIABLE: "true"}, "true -vV: names no release"),
    ],
)
def test_no_rustc_is_one_message(environment: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_rustc(SOURCE, environment, Cache(None))


def test_words_say_what_the_options_do() -> None:
    options = FrontendOptions(opt_level=0, std="2018", defines=("mine",), cflags=("-Cx",))
    words = rust._words(Path("-x.rs"), options)
    assert words[-2:] == ["-Cx", "./-x.rs"]
    assert {"--edition=2018", "-Copt-level=0", "--cfg=mine"} <= set(words)


def test_the_files_of_a_program(tmp_path: Path) -> None:
    listing = tmp_path / "made.d"
    listing.write_text("out: main.rs a\\ b.rs\n\nmain.rs:\na\\ b.rs:\n")
    assert rust._files_read(listing) == (["main.rs", "a b.rs"], True)
    listing.write_text("out: main.rs\n\nmain.rs:\n\n# env-dep:HOME=/root\n")
    assert rust._files_read(listing) == (["main.rs"], False)


def test_parts_are_kept_whole() -> None:
    parts = MadeParts((("a", b"one"), ("b", b"")), (("c", b"native"),), ("z",), ("/lib",))
    assert decoded(parts.encoded()) == parts


def test_libraries_of_the_system_are_not_linked_again() -> None:
    words = ["-lgcc_s", "-lssl", "-lc", "-l", "-lssl", "-L", "/usr", "-L/no/such/place"]
    assert rust_libraries._libraries(words) == ["ssl"]
    assert rust_libraries._folders(words) == ["/usr"]


def test_crates_for_backtraces_are_native() -> None:
    assert is_native_crate("/a/libgimli-46dc78dc6a8cb06a.rlib")
    assert not is_native_crate("/a/libgimli_user-46dc78dc6a8cb06a.rlib")
    assert not is_native_crate("/a/libstd-46dc78dc6a8cb06a.rlib")


def test_ir_beside_code_is_that_of_one_module() -> None:
    start = b"BC\xc0\xde\x35\x14\x00\x00"
    assert lto_bitcode(_object(start + b"rest")) == start + b"rest"
    assert lto_bitcode(_object(start + start)) is None
    assert lto_bitcode(_object(b"\0")) is None


def _object(content: bytes) -> bytes:
    """An object with a section `.llvmbc`."""
    from llvmlite import binding as llvm

    from irsan.engine.inputs.elf_file import with_section
    from irsan.engine.target import target_machine

    raw = bytes(target_machine().emit_object(llvm.parse_assembly("@x = global i32 1")))
    return with_section(raw, ".llvmbc", content)
