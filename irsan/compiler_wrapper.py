"""The entries of `irsan-cc`, `irsan-c++` and `irsan-rustc`, light: a build starts them thousands of
times."""

from __future__ import annotations

import sys

from irsan.saved_start import go_on

TYPE_CHECKING = False  # as typing's, without importing it
if TYPE_CHECKING:
    from collections.abc import Sequence

_INTERRUPTED = 130
_USAGE = 2


def main_c() -> int:
    """irsan-cc: a compiler for C."""
    return _main("c")


def main_cxx() -> int:
    """irsan-c++: a compiler for C++."""
    return _main("c++")


def main_rustc() -> int:
    """irsan-rustc: what cargo calls in front of rustc, with rustc's path and words."""
    import os
    import shutil
    from pathlib import Path

    from irsan.engine.builds.rustc_words import checked_words

    rustc, *words = sys.argv[1:] or [""]
    own = Path(sys.argv[0]).with_name("irsan-cc")
    linker = str(own.absolute()) if own.exists() else shutil.which("irsan-cc")
    if not rustc or linker is None:
        why = "no irsan-cc on PATH" if rustc else "cargo calls it: RUSTC_WRAPPER=irsan-rustc"
        print(f"irsan-rustc: error: {why}", file=sys.stderr)
        return _USAGE
    is_native = os.environ.get("IRSAN_NATIVE", "") not in ("", "0")
    given = words if is_native else checked_words(words, linker)
    try:
        os.execvp(rustc, [rustc, *given])
    except OSError as error:
        print(f"irsan-rustc: error: {rustc}: {error.strerror}", file=sys.stderr)
        return _USAGE


def _main(language: str) -> int:
    go_on(language, sys.argv)
    return main_started(["", language, *sys.argv])


def main_started(words: Sequence[str]) -> int:
    """The same in a process that Python has just started, which leaves a saved one behind.

    words: anything, the language, and argv.
    """
    status = compile_as(words)
    if status == 0:
        from irsan.engine.builds.build_ahead import compiler_ahead

        compiler_ahead()
    return status


def compile_as(words: Sequence[str]) -> int:
    """Do what a command says; words: as for main_started."""
    _, language, _, *arguments = words
    return drive_or_explain(arguments, is_cxx=language == "c++")


def drive_or_explain(arguments: Sequence[str], *, is_cxx: bool) -> int:
    """Run the wrapper; what it says no to is one line and the documented status."""
    from irsan.engine.builds.driver import drive
    from irsan.errors import IrsanError

    name = "irsan-c++" if is_cxx else "irsan-cc"
    try:
        return drive(arguments, is_cxx=is_cxx)
    except IrsanError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: error: {where}{error.strerror}", file=sys.stderr)
        return 1
