"""Programs annotated with what must be reported, and the judgement of a run against them.

A program under tests/programs/ carries its own verdict, at the very line:

    int value = block[3]; // EXPECT: heap-use-after-free read 4
    total = 1;            // PREVIOUS: write 4
    free(block);          // FREED

EXPECT      kind[|kind...] [operation] [size]; operation is read, write, atomic read or atomic write
            a thread leak is at the line of its creation;
            direct-leak and indirect-leak are at the line of the allocation, with all their bytes
PREVIOUS    [operation] [size]; the other side of a race, when the EXPECT line is not both sides
ALLOCATED, FREED, THREAD-CREATED   top user frame of that stack, where a finding shows it

and head lines of its own (a whole line, anywhere in the file):

    // FLAGS: ASAN_OPTIONS=handle_abort=1     one environment variable per line
    // ARGS: 3 "two words"                    shell quoting
    // STDIN: one line of input               may repeat
    // STDOUT: one line of output             may repeat; none means nothing is checked
    // EXIT: 3                                exit status; none means 0 or the tool's own
    // ONLY: -O0 -O1 why                      levels at which the bug survives
    // SEEDS: some why                        reported under some schedules, not under all
    // SEEDS: few why                         takes its time: run under few schedules
    // SANITIZE: gwp-asan                     what the run is asked for; none means the default
    // CFLAGS: -fsanitize=integer             words for the compiler
    // WITH: parts/other.cpp                  another module, built together with this one
    // NATIVE: miss|false-alarm|skip why      where compiler-rt's verdict differs from the truth

Programs in the folders `undefined` and `provenance` are run with `--sanitize` of that name, which
knows no schedules: at -O0 and -O1 and at one seed, unless they say otherwise.

Findings are the `findings` objects of an irsan-report/1 JSON report. The user frame of a stack is
its innermost frame that lies in the program's own file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

__all__ = [
    "AnnotationError", "Expectation", "ProgramCase", "Side", "discover_cases",
    "findings_to_problems", "matches_expectation", "parse_program",
]

ROLE_OF_MARK = MappingProxyType(
    {"ALLOCATED": "allocation", "FREED": "free", "THREAD-CREATED": "thread-creation"}
)
LANGUAGE_OF_SUFFIX = MappingProxyType({".c": "c", ".cpp": "c++", ".cc": "c++"})
PARTS = "parts"
LEVELS = ("-O0", "-O1", "-O2")
SANITIZE_OF_FOLDER = MappingProxyType(
    {
        "undefined": frozenset({"undefined"}),
        "uninitialised": frozenset({"memory"}),
        "provenance": frozenset({"provenance"}),
    }
)
LEVELS_OF_FOLDER = MappingProxyType(dict.fromkeys(("undefined", "provenance"), LEVELS[:2]))
NATIVE_VERDICTS = ("miss", "false-alarm", "skip")

_MARK = re.compile(
    r"//\s*(EXPECT|PREVIOUS|ALLOCATED|FREED|THREAD-CREATED)\b"
    r"(?::\s*((?:[^/]|/(?!/))*))?"
)
_HEADS = "FLAGS|ARGS|STDIN|STDOUT|EXIT|ONLY|SEEDS|WITH|SANITIZE|CFLAGS|NATIVE"
# What can run beside main or interrupt it, what switches stacks, and what asks for random numbers.
_BESIDE_MAIN = re.compile(
    r"pthread_create|thrd_create|(?<![a-z_])j?thread(?![a-z_])|std::execution|async|fiber|context"
    r"|fork|clone|signal|sigaction|sigqueue|alarm|timer|atomic|seed|rand|#\s*include\s*\""
    r"|pragma omp",
    re.IGNORECASE,
)
_NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?<!include )\"(?:\\.|[^\"\\\n])*\"|#\s*include\s*<[^>\n]*>", re.DOTALL
)
_HEAD = re.compile(rf"^// ({_HEADS}):(?: (.*))?$")
_SIDE = re.compile(r"(?:(?P<operation>(?:atomic )?(?:read|write)))?(?: ?(?P<size>\d+))?")
_CLAIM = re.compile(
    r"(?P<kind>.+?)(?: (?P<operation>(?:atomic )?(?:read|write)))?(?: (?P<size>\d+))?"
)


class AnnotationError(ValueError):
    """An annotation that cannot be read: which file, which line, and what is wrong."""


@dataclass(frozen=True, slots=True)
class Side:
    """The other side of a race: `operation` and `size` (bytes) are None when not annotated."""

    line: int
    operation: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """One finding that must come: `kind`, or one of `other_kinds`, at source line `line`."""

    line: int
    kind: str
    operation: str | None = None
    size: int | None = None
    other_kinds: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that satisfies this expectation."""
        return (self.kind, *self.other_kinds)


@dataclass(frozen=True, slots=True)
class ProgramCase:
    """A program and everything its annotations promise.

    `exit_status` is None when not annotated: then 0 for a clean program, the tool's for the others.
    `stdout` is None when the output is not checked; `sanitize` is empty for the default; `native`
    is empty or one of NATIVE_VERDICTS.
    """

    path: Path
    language: str
    expectations: tuple[Expectation, ...] = ()
    previous: tuple[Side, ...] = ()
    role_lines: tuple[tuple[str, int], ...] = ()
    stdout: str | None = None
    exit_status: int | None = None
    args: tuple[str, ...] = ()
    stdin: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    only_levels: tuple[str, ...] = LEVELS
    seeds_some: bool = False
    seeds_few: bool = False
    sanitize: frozenset[str] = frozenset()
    cflags: tuple[str, ...] = ()
    parts: tuple[Path, ...] = ()
    native: str = ""
    native_reason: str = ""

    @property
    def sources(self) -> tuple[Path, ...]:
        """The program's modules, in link order."""
        return self.path, *self.parts

    @property
    def has_schedules(self) -> bool:
        """Whether another seed may be another run."""
        return self.sanitize not in SANITIZE_OF_FOLDER.values()

    @property
    def may_switch(self) -> bool:
        """Whether the code of the sources speaks of what could run beside main, or interrupt it."""
        texts = (path.read_text(encoding="utf-8", errors="replace") for path in self.sources)
        return any(_BESIDE_MAIN.search(_NO_CODE.sub(" ", text)) for text in texts)

    @property
    def name(self) -> str:
        """Folder and stem, such as `memory/double_free`: the test id."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all may be reported."""
        return not self.expectations

    @property
    def previous_lines(self) -> tuple[int, ...]:
        """Lines that carry PREVIOUS."""
        return tuple(side.line for side in self.previous)

    def lines_of_role(self, role: str) -> tuple[int, ...]:
        """Lines annotated for the stacks of one report role (`allocation`, `free`, ...)."""
        return tuple(line for name, line in self.role_lines if name == role)


# ---------------------------------------------------------------- reading a program


def discover_cases(root: Path) -> list[ProgramCase]:
    """Every annotated program below `root`, in path order; `parts` folders hold other modules."""
    paths = (path for path in root.rglob("*") if path.suffix in LANGUAGE_OF_SUFFIX)
    paths = (path for path in paths if path.parent.name != PARTS)
    return [parse_program(path) for path in sorted(paths)]


def parse_program(path: Path) -> ProgramCase:
    """Read the annotations of one source file; AnnotationError names the line that is wrong."""
    lines = path.read_text(encoding="utf-8").splitlines()
    expectations: list[Expectation] = []
    previous: list[Side] = []
    roles: list[tuple[str, int]] = []
    for number, mark, text in _marks(lines):
        where = f"{path}:{number}"
        if mark == "EXPECT":
            expectations.append(_text_to_expectation(where, number, text))
        elif mark == "PREVIOUS":
            previous.append(_text_to_side(where, number, text))
        else:
            roles.append((ROLE_OF_MARK[mark], number))
    if previous and not expectations:
        raise AnnotationError(f"{path}: PREVIOUS without an EXPECT")
    return ProgramCase(
        path=path,
        language=LANGUAGE_OF_SUFFIX[path.suffix],
        expectations=tuple(expectations),
        previous=tuple(previous),
        role_lines=tuple(roles),
        **_head_fields(path, _heads(lines)),
    )


def _marks(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """(line number from 1, mark, text after its colon) for every mark; a line may carry several."""
    for number, line in enumerate(lines, start=1):
        for match in _MARK.finditer(line):
            yield number, match[1], (match[2] or "").strip()


def _heads(lines: Sequence[str]) -> dict[str, list[str]]:
    """Texts of the head lines, by key, in file order."""
    heads: dict[str, list[str]] = {}
    for line in lines:
        match = _HEAD.match(line)
        if match:
            heads.setdefault(match[1], []).append(match[2] or "")
    return heads


def _head_fields(path: Path, heads: Mapping[str, list[str]]) -> dict[str, Any]:
    """The fields of ProgramCase that head lines set."""
    native, _, reason = heads.get("NATIVE", [""])[0].partition(" ")
    if native and native not in NATIVE_VERDICTS:
        raise AnnotationError(f"{path}: NATIVE must be one of {', '.join(NATIVE_VERDICTS)}")
    seeds = heads.get("SEEDS", [""])[0]
    if seeds and not seeds.startswith(("some ", "few ")):
        raise AnnotationError(f"{path}: SEEDS must be 'some' or 'few', and why")
    folder = path.parent.name
    flags = [text.partition("=") for text in heads.get("FLAGS", [])]
    return {
        "stdout": _joined_lines(heads["STDOUT"]) if "STDOUT" in heads else None,
        "stdin": _joined_lines(heads.get("STDIN", [])),
        "exit_status": int(heads["EXIT"][0].split()[0]) if "EXIT" in heads else None,
        "args": tuple(word for text in heads.get("ARGS", []) for word in shlex.split(text)),
        "environment": MappingProxyType({name: value for name, _, value in flags}),
        "only_levels": _only_levels(path, heads.get("ONLY", []))
        or LEVELS_OF_FOLDER.get(folder, LEVELS),
        "seeds_some": seeds.startswith("some"), "seeds_few": seeds.startswith("few"),
        "parts": tuple(path.parent / name for name in heads.get("WITH", [])),
        "sanitize": _words_of(heads, "SANITIZE") or SANITIZE_OF_FOLDER.get(folder, frozenset()),
        "cflags": tuple(word for text in heads.get("CFLAGS", []) for word in shlex.split(text)),
        "native": native, "native_reason": reason,
    }  # fmt: skip


def _words_of(heads: Mapping[str, list[str]], head: str) -> frozenset[str]:
    return frozenset(heads.get(head, [""])[0].replace(",", " ").split())


def _joined_lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _only_levels(path: Path, texts: Sequence[str]) -> tuple[str, ...]:
    if not texts:
        return ()
    levels = tuple(word for word in texts[0].split() if word in LEVELS)
    if not levels:
        raise AnnotationError(f"{path}: ONLY names none of {', '.join(LEVELS)}")
    return levels


def _text_to_expectation(where: str, line: int, text: str) -> Expectation:
    match = _CLAIM.fullmatch(text)
    if not match:
        raise AnnotationError(f"{where}: EXPECT needs a kind, for example 'data race write 4'")
    kind, *others = match["kind"].split("|")
    return Expectation(line, kind, match["operation"], _size(match), tuple(others))


def _text_to_side(where: str, line: int, text: str) -> Side:
    match = _SIDE.fullmatch(text)
    if not match:
        raise AnnotationError(f"{where}: PREVIOUS takes an operation and a size, not {text!r}")
    return Side(line, match["operation"], _size(match))


def _size(match: re.Match[str]) -> int | None:
    return int(match["size"]) if match["size"] else None


# ---------------------------------------------------------------- judging a run


def findings_to_problems(case: ProgramCase, findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with a run's findings: one sentence per problem, empty when all is right.

    Every expectation must be met by a finding, and every finding must meet an expectation.
    """
    problems = []
    for wanted in case.expectations:
        if not any(matches_expectation(case, wanted, finding) for finding in findings):
            problems.append(f"{case.name}:{wanted.line}: not reported: {_claim(wanted)}")
    for finding in findings:
        met = [e for e in case.expectations if matches_expectation(case, e, finding)]
        if met:
            problems += _role_problems(case, finding)
        else:
            problems.append(f"{case.name}: not expected: {_describe(case, finding)}")
    return problems


def matches_expectation(
    case: ProgramCase, wanted: Expectation, finding: Mapping[str, Any]
) -> bool:
    """Whether a finding (JSON object) is what `wanted` announces, at its line.

    A race has two sides; either may be the later one, so both orders are tried.
    """
    if finding["kind"] not in wanted.kinds:
        return False
    here = Side(wanted.line, wanted.operation, wanted.size)
    sides = _finding_sides(case, finding)
    if len(sides) < 2 or not case.previous:
        return any(_side_fits(here, side) for side in sides)
    pairs = (sides, sides[::-1])
    return any(
        _side_fits(here, first) and any(_side_fits(there, second) for there in case.previous)
        for first, second in pairs
    )


def _finding_sides(case: ProgramCase, finding: Mapping[str, Any]) -> tuple[Side, ...]:
    """The access and, for races, the previous access, each at its top user frame (0: none)."""
    if str(finding["kind"]).endswith("-leak"):
        stack = next(iter(_stacks_of_role(finding, "allocation")), ())
        return (Side(_top_user_line(case, stack), None, finding["details"]["total_bytes"]),)
    sides = [
        Side(definition["line"])
        for definition in _definitions(finding)
        if Path(definition["file"]).name == case.path.name
    ]
    is_thread_leak = finding["kind"] == "thread leak"
    for role in ("thread-creation",) if is_thread_leak else ("access", "previous"):
        frames = _stacks_of_role(finding, role)
        if not frames:
            continue
        access = finding.get(role) or finding.get(f"{role}_access") or {}
        line = _top_user_line(case, frames[0])
        sides.append(Side(line, access.get("operation"), access.get("size")))
    return tuple(sides)


def _definitions(finding: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The definitions that an odr-violation is about: it has no access."""
    details = finding.get("details") or {}
    return [details["first"], details["second"]] if details.get("type") == "odr-pair" else []


def _side_fits(wanted: Side, found: Side) -> bool:
    if wanted.line != found.line:
        return False
    if wanted.operation and found.operation and wanted.operation != found.operation:
        return False
    return not (wanted.size and found.size and wanted.size != found.size)


def _stacks_of_role(finding: Mapping[str, Any], role: str) -> list[Sequence[Mapping[str, Any]]]:
    return [s["frames"] for s in finding.get("stacks", ()) if s["role"] == role]


def _top_user_line(case: ProgramCase, frames: Sequence[Mapping[str, Any]]) -> int:
    for frame in frames:
        if Path(frame.get("file") or "").name == case.path.name:
            return int(frame["line"])
    return 0


def _role_problems(case: ProgramCase, finding: Mapping[str, Any]) -> Iterator[str]:
    """Stacks of an annotated role whose top user frame is not at an annotated line."""
    for role in ROLE_OF_MARK.values():
        wanted = case.lines_of_role(role)
        if not wanted:
            continue
        found = [_top_user_line(case, frames) for frames in _stacks_of_role(finding, role)]
        if not set(found) & set(wanted):
            yield f"{case.name}: {role} stack at lines {found}, wanted one of {list(wanted)}"


def _claim(wanted: Expectation) -> str:
    parts = ("|".join(wanted.kinds), wanted.operation, str(wanted.size or ""))
    return " ".join(part for part in parts if part)


def _describe(case: ProgramCase, finding: Mapping[str, Any]) -> str:
    sides = ", ".join(
        f"{side.operation or 'at'} {side.size or ''} line {side.line}".replace("  ", " ")
        for side in _finding_sides(case, finding)
    )
    return f"{finding['kind']} ({sides or 'no stack'})"
