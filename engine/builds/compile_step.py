"""One source becomes one native object that carries its IR.

    source --driver, the user's words and the marks--> bitcode     what irsan checks
    bitcode --driver, code generation alone--> object              the same code, natively
    object + record (engine/builds/carried.py)

The front end and LLVM's passes run once. The marks tell irsan which functions are to be checked;
natively they cost next to nothing (native_parts.py). An assembler source has no IR: its record is
the object itself.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from irsan.engine.builds.carried import SECTION, CarriedUnit
from irsan.engine.builds.checks import BuildChecks
from irsan.engine.builds.elf_file import with_section
from irsan.engine.builds.native_parts import NativeParts
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.builds.words import LINK, Input, Words

_DEPENDENCIES: Final = ("-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-MJ")
_DEPENDENCY_VALUES: Final = ("-MF", "-MT", "-MQ", "-MJ")
_NO_DEBUG: Final = "-g0"
#: words of a compilation that IR has behind it: code is generated without them
_LANGUAGE_WORDS: Final = ("-std=", "-include", "-imacros", "-D", "-U", "-I", "-W", "-ansi",
                          "-isystem", "-iquote", "-idirafter", "-nostdinc",
                          "-pedantic")  # fmt: skip
_LANGUAGE_VALUES: Final = ("-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote",
                           "-idirafter", "-include-pch")  # fmt: skip


class StepFailed(Exception):
    """The compiler has said why; `status` is its exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Compilation:
    """What all sources of one command share."""

    words: Words
    toolchain: Toolchain
    parts: NativeParts
    checks: BuildChecks
    is_cxx: bool
    quiet: tuple[str, ...] = field(default=("-Qunused-arguments",))

    def command(self, language: str) -> tuple[str, ...]:
        """The driver for a source of a language."""
        return self.toolchain.driver(is_cxx=self.is_cxx or language.startswith("c++"))


def compile_source(one: Compilation, source: Input, target: Path) -> None:
    """Compile one source to an object. Raises StepFailed when the compiler does.

    target: the object to write, as the user named it or a temporary one.
    """
    if source.language == "asm":
        words = [*one.command("c"), *one.words.options(), "-c", *_named(source)]
        _run([*words, "-o", str(target)], one)
        _attach(one, source, target, "object", target.read_bytes())
        return
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        bitcode = Path(folder, "unit.bc")
        _make_bitcode(one, source, target, bitcode, Path(folder))
        _make_code(one, bitcode, target)
        _attach(one, source, target, "ir", bitcode.read_bytes())


def _make_bitcode(
    one: Compilation, source: Input, target: Path, bitcode: Path, folder: Path
) -> None:
    words = [*one.command(source.language)]
    words += one.checks.front_end_words(one.words, one.toolchain)
    words += _debug_words(one.words)
    words += _dependency_words(one.words, target)
    if one.words.mode == LINK:  # the linker's words are not unused, they come later
        words.append("-Wno-unused-command-line-argument")
    plain = folder / "plain.bc" if one.checks.needs_passes(one.toolchain) else bitcode
    _run([*words, "-emit-llvm", *_named(source), "-c", "-o", str(plain)], one)
    if plain is not bitcode:
        passes = one.checks.pass_words(one.words, one.toolchain)
        _run([*one.command("c"), *passes, "-emit-llvm", "-c", str(plain), "-o", str(bitcode)], one)


def _make_code(one: Compilation, bitcode: Path, target: Path) -> None:
    """The native object of bitcode that LLVM's passes have gone over already."""
    words = [
        *(*one.command("c"), *one.quiet, *_code_words(one.words), "-w", "-Wno-override-module"),
        *("-Xclang", "-disable-llvm-passes"),
        *("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(one.parts.stubs)),
        *("-c", str(bitcode), "-o", str(target)),
    ]
    _run(words, one)


def _attach(one: Compilation, source: Input, target: Path, kind: str, body: bytes) -> None:
    unit = CarriedUnit(
        kind="object" if kind == "object" else "ir",
        path=source.path,
        folder=os.getcwd(),  # noqa: PTH109
        language="c++" if source.language == "c++" or _is_cxx(one, source) else source.language,
        body=body,
        marked=one.checks.marked(one.toolchain) if kind == "ir" else frozenset(),
        sanitize=one.checks.named,
        opt_level=one.words.opt_level,
    )
    target.write_bytes(with_section(target.read_bytes(), SECTION, unit.encoded()))


def _is_cxx(one: Compilation, source: Input) -> bool:
    return one.is_cxx and source.language == "c"  # as clang++ takes a .c file


def _named(source: Input) -> tuple[str, ...]:
    """The source with its language, where the name alone does not say it."""
    known = {"c": "c", "c++": "c++", "ir": "ir"}.get(source.language)
    if source.path == "-" and known is not None:
        return ("-x", known, "-")
    if known is not None and not source.path.endswith((".c", ".cc", ".cpp", ".cxx", ".C", ".bc")):
        ending = os.path.splitext(source.path)[1]  # noqa: PTH122
        if ending not in (".i", ".ii", ".ll"):
            return ("-x", known, source.path)
    return (source.path,)


def _debug_words(words: Words) -> list[str]:
    """Reports need places: debug information is always made."""
    asked = [word for word in words.words if word.startswith("-g") and not word.startswith("-gcc")]
    return ["-g"] if not asked or asked[-1] == _NO_DEBUG else []


def _dependency_words(words: Words, target: Path) -> list[str]:
    """Names for the dependency file and its rule, which the driver would take from the output."""
    if not words.has("-MD", "-MMD"):
        return []
    output = Path(words.output or target)
    named: list[str] = []
    if not words.starts("-MF"):
        named += ["-MF", str(output.with_suffix(".d"))]
    if not words.starts("-MT", "-MQ"):
        named += ["-MT", str(target if words.mode == "object" else output)]
    return named


def _code_words(words: Words) -> list[str]:
    """The user's words for code generation: no dependencies, nothing of the language."""
    kept: list[str] = []
    skip = False
    for word in words.options():
        if skip:
            skip = False
        elif word in _DEPENDENCY_VALUES or word in _LANGUAGE_VALUES:
            skip = True
        elif word.startswith("-Wa,") or not word.startswith((*_DEPENDENCIES, *_LANGUAGE_WORDS)):
            kept.append(word)
    return kept


def _run(command: Sequence[str], one: Compilation) -> None:
    answer = subprocess.run(command, check=False, env=one.toolchain.environment())
    if answer.returncode:
        raise StepFailed(answer.returncode if answer.returncode > 0 else 128 - answer.returncode)
