"""What irsan-rustc makes of cargo's command lines."""

from __future__ import annotations

import pytest

from irsan.engine.builds.rustc_words import checked_words
from irsan.engine.front_end.front_end_flags import NO_EXTRA_READS

LINKER = "/bin/irsan-cc"
LINKING = ["-Clinker-plugin-lto", f"-Clinker={LINKER}", "-Clinker-flavor=gcc"]

NO_READS = f"-Cllvm-args={' '.join(NO_EXTRA_READS)}"


def made(*words: str) -> list[str]:
    return checked_words(words, LINKER)


def test_a_library_carries_its_ir() -> None:
    words = ["--crate-name", "a", "--crate-type", "lib", "-C", "embed-bitcode=no", "-g", "a.rs"]
    expected = ["--crate-name", "a", "--crate-type", "lib", "-g", "a.rs", "-Cembed-bitcode=yes"]
    assert made(*words) == [*expected, "-Ccodegen-units=1", NO_READS]


@pytest.mark.parametrize("kind", [["--crate-type", "bin"], ["--test"], ["--crate-type=cdylib"]])
def test_what_is_linked_is_ir_and_linked_by_irsan(kind: list[str]) -> None:
    words = ["--crate-name", "a", *kind, "-C", "debuginfo=2", "-C", "codegen-units=4", "a.rs"]
    assert made(*words) == [*words, *LINKING, NO_READS]


def test_a_library_that_is_linked_as_well() -> None:
    words = ["--crate-name", "a", "--crate-type", "lib,cdylib", "-g", "-Ccodegen-units=1", "a.rs"]
    assert made(*words) == [*words, *LINKING, NO_READS]


@pytest.mark.parametrize(
    "words",
    [
        ["-vV"],
        ["--crate-name", "build_script_build", "--crate-type", "bin", "build.rs"],
        ["--crate-name", "m", "--crate-type", "proc-macro", "-C", "embed-bitcode=no", "lib.rs"],
        ["-", "--crate-name", "___", "--print=file-names", "--crate-type", "bin"],
        ["--crate-name", "a", "--crate-type", "bin", "--print", "cfg"],
    ],
)
def test_what_runs_within_the_build_and_questions_stay(words: list[str]) -> None:
    assert made(*words) == words


def test_incremental_code_and_another_lto_are_left_out() -> None:
    words = ["--crate-name", "a", "--crate-type", "bin", "-C", "incremental=/t", "-Clto", "a.rs"]
    words += ["-C", "linker=cc", "-C", "opt-level=3"]
    expected = ["--crate-name", "a", "--crate-type", "bin", "a.rs", "-C", "opt-level=3", *LINKING]
    assert made(*words) == [*expected, "-g", "-Ccodegen-units=1", NO_READS]
