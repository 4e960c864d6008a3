"""`irsan-cc` and `irsan-c++`: a compiler's command line, done as a build means it.

    compile     each source by itself (compile_step.py), side by side only as the build asks
    link        sources to temporary objects first (link_step.py)
    the rest    -E, -M, -S, --version, -print-...: the compiler's own business
    a probe     what configure, CMake and Meson compile to learn of the compiler: plain native code

Exit status: the compiler's own; 2 for words that irsan-cc itself cannot take.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from irsan.engine.builds.checks import BuildChecks, checks_of
from irsan.engine.builds.compile_step import Compilation, StepFailed, compile_source
from irsan.engine.builds.cxx_choice import (
    is_for_checked,
    library_words,
    with_checked_library,
    without_choice,
)
from irsan.engine.builds.gcc_words import sorted_out
from irsan.engine.builds.link_step import link
from irsan.engine.builds.native_parts import native_parts
from irsan.engine.builds.probes import is_probe
from irsan.engine.builds.toolchain import Toolchain, find_toolchain
from irsan.engine.builds.words import ASSEMBLY, HEADER, INFO, LINK, OBJECT, TEXT, Words, parse_words
from irsan.errors import UnsupportedError

_TITLE: Final = "irsan-cc: compiles with {}"
_REFUSED: Final = ("cuda", "hip")
_OTHER_MACHINES: Final = ("-m32", "-mx32", "-m16")
_OWN_MACHINES: Final = ("x86_64-", "amd64-")


def drive(arguments: Sequence[str], *, is_cxx: bool) -> int:
    """Do what a compiler's command line says; returns the exit status.

    arguments: the words behind the wrapper's name.  Raises UsageError and UnsupportedError.
    """
    words, choice = without_choice(parse_words(arguments), os.environ)
    toolchain = find_toolchain(os.environ)
    if is_for_checked(words, choice, is_cxx=is_cxx):
        toolchain = with_checked_library(toolchain, words, is_cxx=is_cxx)
    driver = toolchain.driver(is_cxx=is_cxx)
    if words.has("--version", "-v") and words.mode == INFO:
        print(_TITLE.format(toolchain.title), file=sys.stderr, flush=True)
    if words.mode == INFO:
        return _become(driver, words.words, toolchain)
    if is_probe(words, Path.cwd()):
        return _become(driver, _native(words, toolchain, is_cxx=is_cxx), toolchain)
    words = _understood(words)
    checks = checks_of(words.sanitize)
    if words.is_for_compilers_alone or _is_other_machine(words):
        return _become(driver, _native(words, toolchain, is_cxx=is_cxx), toolchain)
    if words.mode in (TEXT, ASSEMBLY, HEADER) or words.has("-emit-llvm"):
        return _become(driver, _with_marks(words, checks, toolchain), toolchain)
    compilation = Compilation(words, toolchain, native_parts(toolchain), checks, is_cxx)
    try:
        if words.mode == OBJECT:
            _compile_all(compilation)
        elif words.mode == LINK:
            _build(compilation)
    except StepFailed as failed:
        return failed.status
    return 0


def _understood(words: Words) -> Words:
    """The words without those for gcc alone. Raises UnsupportedError for code that is never
    checked.
    """
    kept, lost = sorted_out(words.words)
    if lost:
        print(f"irsan-cc: notice: left out, as gcc alone knows it: {' '.join(lost)}",
              file=sys.stderr)  # fmt: skip
    for one in words.inputs:
        if one.language in _REFUSED:
            raise UnsupportedError(
                f"{one.path}: is {one.language.upper()}, and irsan checks C and C++; compile it "
                "with its own compiler, its objects are linked beside"
            )
    return words if len(kept) == len(words.words) else parse_words(kept)


def _is_other_machine(words: Words) -> bool:
    """Whether code for another machine is wanted, which stays native, with a notice."""
    pairs = zip(words.words, [*words.words[1:], ""], strict=True)
    targets = [after if word == "-target" else word.partition("=")[2] for word, after in pairs
               if word == "-target" or word.startswith("--target=")]  # fmt: skip
    named = [word for word in words.words if word in _OTHER_MACHINES]
    named += [target for target in targets[-1:] if not target.startswith(_OWN_MACHINES)]
    if named:
        print(f"irsan-cc: notice: {named[0]}: code for another machine is not checked",
              file=sys.stderr)  # fmt: skip
    return bool(named)


def _become(driver: Sequence[str], words: Sequence[str], toolchain: Toolchain) -> int:
    """This process becomes the compiler."""
    os.execve(driver[0], [*driver, *words], toolchain.environment())


def _native(words: Words, toolchain: Toolchain, *, is_cxx: bool) -> list[str]:
    """The words of a command whose code stays native."""
    return [*_plain(words), *(library_words(toolchain, words) if is_cxx else ())]


def _plain(words: Words) -> list[str]:
    """The words without sanitizers, for native code."""
    return [
        word for word in words.words
        if not word.startswith(("-fsanitize", "-fno-sanitize", "-static-lib", "-shared-lib"))
        or word in ("-static-libgcc", "-static-libstdc++", "-shared-libgcc")
    ]  # fmt: skip


def _with_marks(words: Words, checks: BuildChecks, toolchain: Toolchain) -> list[str]:
    """The words for preprocessing and headers: the same macros as in a compilation."""
    if words.mode == ASSEMBLY or words.has("-emit-llvm"):
        return _plain(words)
    debug = ["-g"] if words.mode == HEADER and not words.starts("-g") else []
    return [*_plain(words), *debug, *checks.mark_words(toolchain)]


def _compile_all(one: Compilation) -> None:
    words = one.words
    for source in words.sources:
        name = Path(source.path).stem if source.path != "-" else "-"
        if words.output == "-":
            with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
                target = Path(folder, "made.o")
                compile_source(one, source, target)
                sys.stdout.buffer.write(target.read_bytes())
        else:
            compile_source(one, source, Path(words.output or f"{name}.o"))


def _build(one: Compilation) -> None:
    """Compile the sources, into a folder of this command's own, then link."""
    if one.words.counts:
        print("irsan-cc: notice: coverage and profiles are not counted", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        objects: dict[int, str] = {}
        for number, source in enumerate(one.words.sources):
            target = Path(folder, f"{number}-{Path(source.path).stem}.o")
            compile_source(one, source, target)
            objects[source.index] = str(target)
        link(one, objects, Path(folder))
