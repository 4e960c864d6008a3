"""Command-line words turned into the engine's records: where a program ends and its arguments
begin, which sanitizers, which reports go where.

    a.c b.c -- x y     programs a.c b.c, arguments x y
    prog.c x y         program prog.c, arguments x y: the first word that names no source ends
                       the programs, and everything after it is the program's
    a.c b.o lib.a x    objects and libraries are linked, whether they carry IR or not
    ./prog a.o x       behind an executable of irsan-cc everything is the program's
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from irsan.engine.front_end.languages import produced_language
from irsan.engine.options import SANITIZERS, STDLIBS, TOGETHER, GateOptions, ReportTarget
from irsan.errors import UsageError
from irsan.reports.renderers import renderer_names
from irsan.response_files import expanded

SOURCE_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".C", ".ll", ".bc")
NATIVE_SUFFIXES = (".o", ".a", ".so")
_OTHER_CODE = (".o", ".a", ".so", ".s", ".S", ".h", ".hpp", ".m", ".mm", ".f", ".f90", ".rs", ".go")
_UNMISTAKABLE = (".f90", ".f95", ".f03", ".f08", ".F90", ".rs", ".zig")
_ALL = "all"
#: first letters of compilers' options that are none of ours, and what to write instead
_COMPILER_OPTIONS = ("-W", "-f", "-m", "-g", "-p", "-x", "-U", "-i", "-a", "-n")
_LINKER_OPTIONS = ("-Wl,", "-rdynamic", "-shared", "-static", "-pie")
_FORMAT_BY_ENDING = {
    ".sarif.json": "sarif",
    ".sarif": "sarif",
    ".perfetto.json": "perfetto",
    ".json": "json",
    ".xml": "junit",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".txt": "text",
    ".log": "text",
}


@dataclass(frozen=True, slots=True)
class OptionDefaults:
    """What IRSAN_OPTIONS says about options that the command line leaves out."""

    engine: str = "jit"
    scheduler: str = "random"
    seed: int = 0
    schedule: str = ""
    clock_start: str = ""
    inject: str = ""
    sanitize: str = ""
    stdlib: str = ""
    report_formats: tuple[str, ...] = ()
    report_paths: tuple[str, ...] = ()
    gate: GateOptions = field(default_factory=GateOptions)


def option_defaults(environment: Mapping[str, str]) -> OptionDefaults:
    """The defaults of `irsan run`; wrong flags are reported when the run reads them."""
    if not environment.get("IRSAN_OPTIONS"):
        return OptionDefaults()
    from irsan.runtime.flags.flags import parse_flags

    flags = parse_flags(environment).flags
    return OptionDefaults(
        flags.get_str("engine"),
        flags.get_str("scheduler"),
        flags.get_int("seed"),
        flags.get_str("schedule"),
        flags.get_str("clock_start"),
        flags.get_str("inject"),
        flags.get_str("sanitize").replace("+", ","),
        flags.get_str("stdlib"),
        _listed(flags.get_str("report_format")),
        _listed(flags.get_str("report_path")),
        gate_options(*map(flags.get_str, ("root", "baseline", "fail_on", "triage"))),
    )


def chosen_library(said: str | None, defaults: OptionDefaults) -> str:
    """The C++ library that --stdlib or IRSAN_OPTIONS names; "" for none. UsageError."""
    if said:
        return require_known(said, STDLIBS, "--stdlib")
    if defaults.stdlib:
        return require_known(defaults.stdlib, STDLIBS, "IRSAN_OPTIONS: stdlib")
    return ""


def gate_options(root: str, baseline: str, fail_on: str, triage: str) -> GateOptions:
    """Options of the gate from words, each empty when it was not given."""
    return GateOptions(
        root, Path(baseline) if baseline else None, fail_on, Path(triage) if triage else None
    )  # fmt: skip


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def split_words(words: Sequence[str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The programs and the program's own arguments. The first word is always a program.

    UsageError for a file of other code between programs and `--`.
    """
    own_end = words.index("--") if "--" in words else len(words)
    words = [*expanded(words[:own_end]), *words[own_end:]]
    end = 1
    if _is_part(words[0]) or _is_produced(words[0]):
        while end < len(words) and words[end] != "--" and _follows(words[0], words[end]):
            end += 1
    rest = words[end:]
    if "--" in rest[1:] and _is_other_code(rest[0]):
        raise UsageError(
            f"{rest[0]}: is no program that irsan reads ({' '.join(SOURCE_SUFFIXES)} and bitcode); "
            "if it is an argument of the program, write -- before it"
        )
    arguments = rest[1:] if rest and rest[0] == "--" else rest
    return tuple(Path(word) for word in words[:end]), tuple(arguments)


def _is_produced(word: str) -> bool:
    """Whether a word names a source of a language with a compiler of its own."""
    return produced_language(Path(word)) != ""


def _follows(first: str, word: str) -> bool:
    """Whether a word behind a program names another part of it.

    Names of some languages' sources are those of data as well: these follow their like alone.
    """
    language = produced_language(Path(word))
    if not language:
        return _is_part(word)
    is_like = language == produced_language(Path(first)) or word.endswith(_UNMISTAKABLE)
    return is_like and Path(word).is_file()


def _is_part(word: str) -> bool:
    """Whether a word names a file that is linked with others, and no executable."""
    return word.endswith(SOURCE_SUFFIXES) or (
        word.endswith(NATIVE_SUFFIXES) and Path(word).is_file()
    )


def _is_other_code(word: str) -> bool:
    return word.endswith(_OTHER_CODE) or Path(word).is_file()


def compiler_option_hint(words: Sequence[str], refused: str) -> str:
    """What to write for a compiler's option among words that irsan refused; empty for others.

    refused: the option as typer names it, the first two characters of a long one-dash word.
    """
    word = next((one for one in words if one.startswith(refused)), refused)
    if word.startswith(_LINKER_OPTIONS):
        return (
            f"{word} is for a linker: irsan links the sources and the IR that it is given, and "
            "loads the C++ library by itself"
        )
    if word == "-g":
        return "irsan always compiles with -g: leave it out"
    if word.startswith("-std="):
        return f"the language standard is written --std {word.removeprefix('-std=')}"
    if word.startswith(_COMPILER_OPTIONS):
        return f"options of the compiler are written --cflag={word}"
    return ""


def misplaced_options(words: Sequence[str], own_options: Iterable[str]) -> list[str]:
    """Words after the program that look like irsan's own options and have no `--` before them."""
    before_marker = words[: words.index("--")] if "--" in words else words
    own = set(own_options)
    return [word for word in before_marker[1:] if word.partition("=")[0] in own]


def parse_sanitizers(text: str) -> frozenset[str]:
    """`address,thread` as a set, `all` as everything that can run together.

    Raises UsageError for a name that does not exist.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"--sanitize names none of: {', '.join(SANITIZERS)}")
    for name in names:
        require_known(name, (*SANITIZERS, _ALL), "--sanitize")
    return frozenset(names) - {_ALL} | (TOGETHER if _ALL in names else frozenset())


def require_known(name: str, known: Sequence[str], option: str) -> str:
    """The name itself. Raises UsageError with the nearest known name when there is none such."""
    if name in known:
        return name
    import difflib  # only a wrong word needs it

    near = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(f"{option}: unknown {name!r}{hint} (known: {', '.join(known)})")


def report_targets(formats: Sequence[str], paths: Sequence[Path]) -> tuple[ReportTarget, ...]:
    """Which report goes where.

    A path takes the format that its ending names if that one was asked for, else the next format in
    the order given, else the one its ending names. A format that no path takes goes to standard
    error, which gets text when nothing else does.
    """
    waiting = [require_known(name, renderer_names(), "--report-format") for name in formats]
    filed = []
    for path in paths:
        named = next((n for end, n in _FORMAT_BY_ENDING.items() if path.name.endswith(end)), "")
        if named not in waiting:
            named = waiting[0] if waiting else _format_of(path)
        if named in waiting:
            waiting.remove(named)
        filed.append(ReportTarget(named, path))
    shown = [ReportTarget(name) for name in waiting]
    return (*(shown or [ReportTarget("text")]), *filed)


def _format_of(path: Path) -> str:
    for ending, name in _FORMAT_BY_ENDING.items():
        if path.name.endswith(ending):
            return require_known(name, renderer_names(), f"--report-path {path}")
    raise UsageError(f"--report-path {path}: say its form with --report-format")
