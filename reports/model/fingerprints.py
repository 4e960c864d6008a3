"""Names of a finding that survive edits, so that tools can separate new findings from known ones.

    irsan/v2          exact: kind; of each side the three innermost functions of the program and
                      the statement at the innermost place
    irsan-text/v1     kind and statements: outlives renamed functions
    irsan-cause/v1    kind and the innermost function of each side: outlives an edited statement
    primaryLocationLineHash   GitHub's name of the line (`line_hash.py`)

A side is an access (in either order), and of a freed object its allocation and its free as well;
of what has no access, every stack. Left out is all that changes without the bug: addresses, lines
and columns, files and folders, threads, seeds, sizes, who came first, library frames, repeated
functions, the copies that a compiler makes of a function. docs/report-schema.md says what changes
which name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from irsan.reports.model.details import LockCycle, OdrPair

if TYPE_CHECKING:
    from irsan.reports.model.locations import Frame
    from irsan.reports.model.report import Finding, Stack

EXACT: Final = "irsan/v2"
TEXT: Final = "irsan-text/v1"
CAUSE: Final = "irsan-cause/v1"
LINE: Final = "primaryLocationLineHash"
ID_DIGITS: Final = 16
N_FUNCTIONS: Final = 3
_FREED: Final = re.compile(r"use-after-free|use.after.free|double.free|dead-provenance", re.I)
_COPY: Final = re.compile(r"\.(?:isra|constprop|part|cold|llvm|clone|lto_priv|\d+)\b.*$")
# Functions that a compiler makes around constructors and destructors of globals: they come and go
# with the level, and some are named after the file.
_MADE: Final = re.compile(r"_GLOBAL__|__cxx_global_|cxa_at_exit_callback|__dtor_")
_RUST_HASH: Final = re.compile(r"17h[0-9a-f]{16}E$")
_LAMBDA: Final = re.compile(r"\d*\$_\d+|(?<=E)\d*_(?=cl|D|C|$)")


class StatementsOf(Protocol):
    """What reads sources: `sources.Sources`."""

    def statement(self, file: str, line: int, column: int, word: str = "") -> str:
        """The statement at a place, normalised; empty when there is none.

        word: the name on the line when the column is 0, unknown
        """

    def line_hash(self, file: str, line: int) -> str:
        """GitHub's name of a line; empty when it is not known."""


def fingerprints(finding: Finding, sources: StatementsOf | None = None) -> dict[str, str]:
    """All names of a finding. Without sources, statements count as unknown."""
    sides = _sides(finding)
    head = (finding.tool, finding.kind)
    functions = [f"{label}|{'<'.join(_functions(stack))}" for label, stack in sides]
    statements = [f"{label}|{_statement(stack, sources)}" for label, stack in sides]
    causes = [f"{label}|{''.join(_functions(stack)[:1])}" for label, stack in sides]
    both = [f"{one}|{other}" for one, other in zip(functions, statements, strict=True)]
    subject = _subject(finding)
    found = {EXACT: _hash(head, both, subject), CAUSE: _hash(head, causes, subject)}
    if any(not text.endswith("|") for text in statements):
        found[TEXT] = _hash(head, statements, subject)
    line = _line_hash(finding, sources)
    return found | ({LINE: line} if line else {})


def numbered(exact: Sequence[str], order: Sequence[Any]) -> tuple[str, ...]:
    """Exact names made unique: the second with a name, by `order`, gets another, and so on.

    order: a sortable key each, that edits elsewhere leave in order, as places in the source
    """
    names = list(exact)
    counts: dict[str, int] = {}
    for number in sorted(range(len(exact)), key=lambda each: (exact[each], order[each])):
        name = exact[number]
        counts[name] = counts.get(name, 0) + 1
        names[number] = numbered_name(name, counts[name])
    return tuple(names)


def numbered_name(exact: str, number: int) -> str:
    """The name of the `number`th finding, from 1, of those with one exact name."""
    return exact if number == 1 else _digest(f"{exact}:{number}")


def _sides(finding: Finding) -> list[tuple[str, Stack]]:
    accesses = [s for s in finding.stacks if s.role in ("access", "previous")]
    if isinstance(finding.details, LockCycle):  # whether second stacks are kept is a flag's matter
        accesses = [s for s in accesses if s.role == "access"]
    sides = [("access", stack) for stack in accesses]
    if _FREED.search(finding.kind):
        sides += [(s.role, s) for s in finding.stacks if s.role in ("allocation", "free")]
    others = [stack for stack in finding.stacks if stack.role != "injected"]
    return sides or [(stack.role, stack) for stack in others]


def _subject(finding: Finding) -> str:
    """What distinguishes findings that have no side of the program's own."""
    if isinstance(finding.details, OdrPair):
        return "|".join(sorted({finding.details.first.name, finding.details.second.name}))
    return ""


def _own_frames(stack: Stack) -> list[Frame]:
    """The program's own frames; where a library alone is to be seen, the library's."""
    frames = [f for f in stack.frames if not f.interceptor and (f.function or f.file)]
    return [f for f in frames if not f.library] or frames


def _functions(stack: Stack) -> list[str]:
    names = [plain_name(frame.function) for frame in _own_frames(stack)]
    written = [name for name in names if not _MADE.match(name)]
    return list(dict.fromkeys(written or names))[:N_FUNCTIONS]


def _statement(stack: Stack, sources: StatementsOf | None) -> str:
    frame = next(iter(_own_frames(stack)), None)
    if frame is None or sources is None:
        return ""
    word = "" if frame.column else _own_word(frame.function)
    return sources.statement(frame.file, frame.line, frame.column, word)


def _own_word(symbol: str) -> str:
    """What the source calls a function, where its place is all of it: a frame without a column."""
    from irsan.reports.model.names import demangled  # few ask for it

    return demangled(symbol).partition("(")[0].partition("<")[0].rpartition("::")[2]


def _line_hash(finding: Finding, sources: StatementsOf | None) -> str:
    stack = next(iter(finding.stacks), None)
    frame = next(iter(_own_frames(stack)), None) if stack else None
    return sources.line_hash(frame.file, frame.line) if frame and sources else ""


@lru_cache(maxsize=8192)
def plain_name(symbol: str) -> str:
    """A linkage name without what compilers add: numbers of copies and lambdas, hashes of Rust."""
    return _LAMBDA.sub("$_", _RUST_HASH.sub("E", _COPY.sub("", symbol)))


def _hash(head: Iterable[str], sides: Iterable[str], subject: str) -> str:
    return _digest("\0".join([*head, *sorted(set(sides)), subject]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]
