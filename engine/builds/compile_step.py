"""One source becomes one native object that carries its IR.

    source --driver, the user's words and the marks--> bitcode     what irsan checks
    bitcode --driver, code generation alone--> object              the same code, natively
    object + record (engine/inputs/carried.py)
    record --instrumented, in this process--> the cache     what a run links (build_ahead.py)

The front end and LLVM's passes run once. Then the compiler generates the native code while this
process instruments the unit: of one big unit two cores share the work. The marks say to irsan which
functions are to be checked; natively they cost next to nothing (native_parts.py). An assembler
source has no IR: its record is the object itself.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from irsan.engine.builds.build_ahead import compile_ahead
from irsan.engine.builds.checks import BuildChecks
from irsan.engine.builds.native_parts import NativeParts
from irsan.engine.builds.newer_bitcode import refuse_newer_bitcode
from irsan.engine.builds.newer_objects import needs_own_llvm, own_object
from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.builds.words import LINK, OBJECT, Input, Words
from irsan.engine.inputs.carried import SECTION, CarriedUnit, carried_unit
from irsan.engine.inputs.elf_file import with_section
from irsan.engine.options import CHECKED

_DEPENDENCIES: Final = ("-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-MJ")
_DEPENDENCY_VALUES: Final = ("-MF", "-MT", "-MQ", "-MJ")
_PREPROCESSOR_FILES: Final = ("-Wp,-MD,", "-Wp,-MMD,")
_JSON_FILE: Final = "-MJ"
_FULL_DEBUG: Final = re.compile(r"-g([23]|gdb[23]?|dwarf(-\d)?|lldb)?")
_MODULE: Final = "-fmodule-output"
_LESS_DEBUG: Final = ("-g0", "-g1", "-ggdb0", "-ggdb1", "-gline-tables-only", "-gmlt",
                      "-gline-directives-only")  # fmt: skip
_SAVED: Final = ("-save-temps", "--save-temps")
#: words of a compilation that IR has behind it: code is generated without them
_LANGUAGE_WORDS: Final = ("-std=", "-include", "-imacros", "-D", "-U", "-I", "-W", "-ansi",
                          "-isystem", "-iquote", "-idirafter", "-nostdinc",
                          "-pedantic", "--target=", "-fmodule")  # fmt: skip
_LANGUAGE_VALUES: Final = ("-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote",
                           "-idirafter", "-include-pch", "-target")  # fmt: skip


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


def compile_source(one: Compilation, source: Input, target: Path, title: str = "") -> None:
    """Compile one source to an object. Raises StepFailed when the compiler does.

    target: the object to write, as the user named it or a temporary one.
    title: what the record calls the source, if not by its path.
    """
    if one.words.starts(*_SAVED):
        _save_steps(one, source, target)
    if source.language == "asm":
        words = [*one.command("c"), *_without_saved(one.words.options()), "-c", *_named(source)]
        _run([*words, "-o", str(target)], one)
        _attach(target, _unit(one, source, "object", target.read_bytes()))
        return
    if source.language == "ir" and needs_own_llvm(Path(source.path), one.toolchain):
        path = Path(source.path)
        body, made = own_object(path.read_bytes(), path)
        target.write_bytes(made)
        _attach(target, _unit(one, source, "ir", body, title))
        return
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        bitcode = Path(folder, "unit.bc")
        try:
            _make_bitcode(one, source, target, bitcode, Path(folder))
        except StepFailed:
            refuse_newer_bitcode(Path(source.path), title or source.path, one.toolchain)
            raise
        unit = _unit(one, source, "ir", bitcode.read_bytes(), title)
        with _running(_code_command(one, bitcode, target), one):
            if one.words.mode == OBJECT:  # a command that links does it for all its sources at once
                compile_ahead(unit, is_last=source is one.words.sources[-1])
        _attach(target, unit)


def _make_bitcode(
    one: Compilation, source: Input, target: Path, bitcode: Path, folder: Path
) -> None:
    words = [*one.command(source.language)]
    own = one.checks.front_end_words(one.words, one.toolchain)
    words += _without_macros(own) if _is_preprocessed(source) else _without_saved(own)
    if one.words.has(_MODULE):  # beside the object, not beside the bitcode
        words.append(f"{_MODULE}={target.with_suffix('.pcm')}")
    words += _debug_words(one.words)
    words += _dependency_words(one.words, source, target)
    if one.words.mode == LINK:  # the linker's words are not unused, they come later
        words.append("-Wno-unused-command-line-argument")
    plain = folder / "plain.bc" if one.checks.needs_passes(one.toolchain) else bitcode
    _run([*words, "-emit-llvm", *_named(source), "-c", "-o", str(plain)], one)
    _name_object(one.words, str(plain), str(target))
    if plain is not bitcode:
        passes = one.checks.pass_words(one.words, one.toolchain)
        _run([*one.command("c"), *passes, "-emit-llvm", "-c", str(plain), "-o", str(bitcode)], one)


def _save_steps(one: Compilation, source: Input, target: Path) -> None:
    """-save-temps: the compiler's own files of each step, made by the compiler alone."""
    words = [word for word in one.words.options() if not word.startswith(_DEPENDENCIES)]
    output = str(target) if one.words.mode == OBJECT else f"{Path(source.path).stem}.o"
    command = one.command(source.language)
    _run([*command, *one.quiet, "-w", *words, "-c", *_named(source), "-o", output], one)


def _name_object(words: Words, made: str, target: str) -> None:
    """-MJ: the entry of the compilation database names the object, not what it is made of."""
    following = dict(zip(words.words, words.words[1:], strict=False))
    joined = [word[len(_JSON_FILE) :] for word in words.words if word.startswith(_JSON_FILE)]
    for name in filter(None, [following.get(_JSON_FILE, ""), *joined]):
        path = Path(name)
        path.write_text(path.read_text().replace(f'"{made}"', f'"{target}"'))


def _is_preprocessed(source: Input) -> bool:
    ends = source.said.endswith("cpp-output") or source.path.endswith((".i", ".ii"))
    return ends or source.language in ("ir", "pcm")


def _without_saved(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith(_SAVED)]


def _without_macros(words: Sequence[str]) -> list[str]:
    """A file that the preprocessor has read already is not given macros again."""
    left_out = {at + 1 for at, word in enumerate(words) if word in ("-U", "-D")}
    return [word for at, word in enumerate(words)
            if at not in left_out and not word.startswith(("-U", "-D", *_SAVED))]  # fmt: skip


def _code_command(one: Compilation, bitcode: Path, target: Path) -> list[str]:
    """What makes the native object of bitcode that LLVM's passes have gone over already."""
    return [
        *(*one.command("c"), *one.quiet, *_code_words(one.words), *_place_words(one.words)),
        *("-w", "-Wno-override-module"),
        *("-Xclang", "-disable-llvm-passes"),
        *("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(one.parts.stubs)),
        *("-c", str(bitcode), "-o", str(target)),
    ]


def _place_words(words: Words) -> list[str]:
    """A library's code may lie anywhere. Who links objects for LTO says so to the linker alone."""
    is_said = words.starts("-fPIC", "-fpic", "-fno-PIC", "-fno-pic")
    return ["-fPIC"] if words.mode == LINK and words.has("-shared") and not is_said else []


def _unit(
    one: Compilation, source: Input, kind: Literal["ir", "object"], body: bytes, title: str = ""
) -> CarriedUnit:
    is_marked = kind == "ir" and source.language != "ir"  # what others made has no marks
    return carried_unit(
        kind=kind,
        path=title or source.path,
        language=_language(one, source),
        body=body,
        marked=one.checks.marked(one.toolchain) if is_marked else frozenset(),
        sanitize=one.checks.named,
        opt_level=one.words.opt_level,
        stdlib=_library(one, kind, source),
    )


def _library(one: Compilation, kind: str, source: Input) -> str:
    """C counts as well: a program of C may open libraries of C++."""
    is_own = kind == "ir" and source.language != "ir"
    return CHECKED if is_own and one.toolchain.is_checked else ""


def _attach(target: Path, unit: CarriedUnit) -> None:
    target.write_bytes(with_section(target.read_bytes(), SECTION, unit.encoded()))


def _language(one: Compilation, source: Input) -> str:
    is_taken = one.is_cxx and source.language == "c" and not source.said  # as clang++ does
    return "c++" if is_taken or source.language == "pcm" else source.language


def _named(source: Input) -> tuple[str, ...]:
    """The source with its language, where the name alone does not say it."""
    if source.said:
        return ("-x", source.said, source.path)
    is_object = source.language == "ir" and not source.path.endswith((".ll", ".bc"))
    return ("-x", "ir", source.path) if is_object else (source.path,)


def _debug_words(words: Words) -> list[str]:
    """Reports need places: debug information is always made."""
    asked = [word for word in words.words if word in _LESS_DEBUG or _FULL_DEBUG.fullmatch(word)]
    return ["-g"] if not asked or asked[-1] in _LESS_DEBUG else []


def _dependency_words(words: Words, source: Input, target: Path) -> list[str]:
    """Names for the dependency file and its rule, which the driver would take from the output."""
    if not words.has("-MD", "-MMD") and not words.starts(*_PREPROCESSOR_FILES):
        return []
    if words.mode == LINK and words.output is None:
        target = Path(Path(source.path).stem + ".o")
    output = Path(words.output or target)
    named: list[str] = []
    if not words.starts("-MF", *_PREPROCESSOR_FILES):
        named += ["-MF", str(output.with_suffix(".d"))]
    if not words.starts("-MT", "-MQ"):
        named += ["-MT", str(target if words.mode == OBJECT else output)]
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
    return _without_saved(kept)


def _run(command: Sequence[str], one: Compilation) -> None:
    with _running(command, one):
        pass


@contextmanager
def _running(command: Sequence[str], one: Compilation) -> Iterator[None]:
    """A command that runs beside other work. Raises StepFailed at the end when it fails."""
    with subprocess.Popen(command, env=one.toolchain.environment()) as process:
        try:
            yield
        except BaseException:
            process.kill()
            raise
    status = process.returncode
    if status:
        raise StepFailed(status if status > 0 else 128 - status)
