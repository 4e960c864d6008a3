"""Suppressions: findings the user knows and does not want to see.

    line     := blanks* ('#' anything | TYPE ':' TEMPLATE)? blanks*
    TEMPLATE := ['^'] text with '*' for anything ['$']        a substring match otherwise

Which type hides what (frames match by function, file or module):

    race                  any frame of the finding, then the global raced on and its module
    race_top              the innermost frame of an access
    thread, mutex, signal, deadlock    any frame of a finding of that sort
    called_from_lib       the module that called the library function of an access
    leak                  any frame of the allocation
    interceptor_name      the library function the fault is in
    interceptor_via_fun, interceptor_via_lib   any caller of that function; its module
    alloc_dealloc_mismatch   any frame of the free
    odr_violation         the name of the global
    <check>               a check of undefined behaviour by its -fsanitize name: file, function
                          or module of the place; not where the program ends by it
    vptr_check            the type of an object that is of the wrong one

Source: rules as compiler-rt documents and applies them (types of four tools in one table).
Deviations: 1. A template with `$` tries every match, not only the leftmost one.
2. Only a `^` at the very start and a `$` at the very end are anchors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from irsan.errors import UsageError
from irsan.reports.model.kinds import find_kind
from irsan.reports.model.names import demangled
from irsan.reports.model.report import (
    FamilyMismatch,
    Finding,
    Frame,
    GlobalVariable,
    LeakRecord,
    OdrPair,
    RangeOverlap,
    Stack,
    SuppressionUse,
    Tool,
    UndefinedCheck,
)

UNDEFINED_CHECKS = frozenset({
    "alignment", "bool", "bounds", "builtin", "cfi", "enum", "float-cast-overflow",
    "float-divide-by-zero", "function", "implicit-bitfield-conversion", "implicit-conversion",
    "implicit-integer-sign-change", "implicit-integer-truncation",
    "implicit-signed-integer-truncation", "implicit-unsigned-integer-truncation",
    "integer-divide-by-zero", "invalid-builtin-use", "invalid-objc-cast",
    "local-bounds", "nonnull-attribute", "null",
    "nullability-arg", "nullability-assign", "nullability-return", "object-size",
    "pointer-overflow", "return", "returns-nonnull-attribute", "shift", "shift-base",
    "shift-exponent", "signed-integer-overflow", "undefined", "unreachable",
    "unsigned-integer-overflow", "vla-bound", "vptr", "vptr_check",
})  # fmt: skip
_RACE_STACKS = (("access", "previous"), ("allocation", "free", "mutex-creation"))


@dataclass(frozen=True, slots=True)
class Suppression:
    """One line of a suppression file."""

    type: str
    template: str
    origin: str = ""


@dataclass(slots=True)
class Suppressions:
    """Suppressions in order, and how often each was used (the only thing that changes)."""

    entries: tuple[Suppression, ...] = ()
    counts: Counter[Suppression] = field(default_factory=Counter)
    total_bytes: Counter[Suppression] = field(default_factory=Counter)

    def suppress(self, finding: Finding) -> Suppression | None:
        """The first suppression that hides the finding, counted; None if it is to be shown."""
        found = find_suppression(self.entries, finding)
        if found is None:
            return None
        record = finding.details if isinstance(finding.details, LeakRecord) else None
        self.counts[found] += record.n_objects if record else 1
        self.total_bytes[found] += record.total_bytes if record else 0
        return found

    def uses(self) -> tuple[SuppressionUse, ...]:
        """What was used, in file order, for reports and print_suppressions=1."""
        return tuple(
            SuppressionUse(
                tool_of_type(s.type), s.type, s.template, self.counts[s], self.total_bytes[s]
            )
            for s in dict.fromkeys(self.entries)
            if self.counts[s]
        )


def parse_suppressions(text: str, origin: str = "suppressions") -> tuple[Suppression, ...]:
    """Read the lines of a suppression file; `origin` names it in messages.

    Raises UsageError for a line without a type or with an unknown one.
    """
    entries = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line and not line.startswith("#"):
            entries.append(_parse_line(line, f"{origin}:{number}"))
    return tuple(entries)


def template_matches(template: str, text: str) -> bool:
    """Whether `text` matches; an empty text matches nothing. Linear in both but for `*`."""
    if not text:
        return False
    at_start = template.startswith("^")
    body = template[1:] if at_start else template
    at_end = body.endswith("$")
    body = body[:-1] if at_end else body
    pieces = body.split("*")
    if len(pieces) == 1:
        return _matches_plain(pieces[0], text, at_start, at_end)
    first, *middle, last = pieces
    if at_start and not text.startswith(first):
        return False
    position = 0 if at_start else text.find(first)
    if position < 0:
        return False
    position += len(first)
    for piece in middle:
        # Leftmost is best: it leaves most of the text to what follows.
        position = text.find(piece, position)
        if position < 0:
            return False
        position += len(piece)
    if at_end:
        return text.endswith(last) and len(text) - len(last) >= position
    return text.find(last, position) >= 0


def find_suppression(entries: Sequence[Suppression], finding: Finding) -> Suppression | None:
    """First entry that hides the finding; entries are tried in the table's order."""
    for texts_by_types in _attempts(finding):
        types, texts = texts_by_types
        mine = [e for e in entries if e.type in types]
        if not mine:
            continue
        for text in texts:
            hit = next((e for e in mine if template_matches(e.template, text)), None)
            if hit is not None:
                return hit
    return None


def tool_of_type(type_: str) -> Tool:
    """The tool whose findings a suppression type is about."""
    if type_ == "leak":
        return "LeakSanitizer"
    if type_ in _ASAN_TYPES:
        return "AddressSanitizer"
    return "ThreadSanitizer" if type_ in _TSAN_TYPES else "UndefinedBehaviorSanitizer"


_TSAN_TYPES = ("race", "race_top", "thread", "mutex", "signal", "deadlock", "called_from_lib")
_ASAN_TYPES = ("interceptor_name", "interceptor_via_fun", "interceptor_via_lib", "odr_violation",
               "alloc_dealloc_mismatch")  # fmt: skip
_KNOWN_TYPES = frozenset({*_TSAN_TYPES, *_ASAN_TYPES, "leak"}) | UNDEFINED_CHECKS

Attempt = tuple[tuple[str, ...], Iterable[str]]


def _parse_line(line: str, place: str) -> Suppression:
    type_, colon, template = line.partition(":")
    if not colon:
        raise UsageError(f"{place}: expected TYPE:TEMPLATE, found {line!r}")
    if type_ not in _KNOWN_TYPES:
        import difflib  # only a wrong line needs it

        guess = next(iter(difflib.get_close_matches(type_, sorted(_KNOWN_TYPES), n=1)), "")
        hint = f"; did you mean {guess!r}?" if guess else ""
        raise UsageError(f"{place}: unknown suppression type {type_!r}{hint}")
    return Suppression(type_, template, place)


def _matches_plain(piece: str, text: str, at_start: bool, at_end: bool) -> bool:
    if at_start and at_end:
        return text == piece
    if at_start:
        return text.startswith(piece)
    return text.endswith(piece) if at_end else piece in text


def _attempts(finding: Finding) -> Iterator[Attempt]:
    """(types, texts) in the order of trial."""
    return _ATTEMPTS.get(finding.tool, _no_attempts)(finding)


def _no_attempts(finding: Finding) -> Iterator[Attempt]:
    del finding
    return iter(())


def _race_attempts(finding: Finding) -> Iterator[Attempt]:
    accesses = _stacks(finding, _RACE_STACKS[0])
    type_ = _race_type(finding.kind)
    if type_ == "race":
        tops = (s.frames[0] for s in accesses if s.frames)
        yield ("race_top",), _texts(tops)
        callers = (s.frames[1] for s in accesses if len(s.frames) > 1 and s.frames[0].interceptor)
        yield ("called_from_lib",), (f.module for f in callers)
    yield (type_,), _texts(f for s in accesses for f in s.frames)
    yield (type_,), _texts(f for s in _stacks(finding, _RACE_STACKS[1]) for f in s.frames)
    creations = _stacks(finding, ("thread-creation",))
    yield (type_,), _texts(f for s in creations for f in s.frames)
    if type_ == "race":
        variables = [p for p in finding.locations if isinstance(p, GlobalVariable)]
        yield ("race",), (text for v in variables for text in (v.name, v.module))


def _race_type(kind: str) -> str:
    known = find_kind("ThreadSanitizer", kind)
    return known.suppressed_by if known is not None else "race"


def _leak_attempts(finding: Finding) -> Iterator[Attempt]:
    stacks = _stacks(finding, ("allocation",))
    yield ("leak",), _texts(f for s in stacks for f in s.frames)


def _memory_attempts(finding: Finding) -> Iterator[Attempt]:
    if isinstance(finding.details, OdrPair):
        yield ("odr_violation",), (finding.details.first.name, finding.details.second.name)
        return
    stack = finding.stack("access")
    if stack is None or not stack.frames:
        return
    if isinstance(finding.details, FamilyMismatch):
        yield ("alloc_dealloc_mismatch",), _texts(stack.frames)
        return
    is_range = finding.access is not None or isinstance(finding.details, RangeOverlap)
    if not is_range or not stack.frames[0].interceptor:
        return
    yield ("interceptor_name",), (stack.frames[0].function,)
    yield ("interceptor_via_fun",), (f.function for f in stack.frames)
    yield ("interceptor_via_lib",), (f.module for f in stack.frames)


def _undefined_attempts(finding: Finding) -> Iterator[Attempt]:
    facts = finding.details
    if not isinstance(facts, UndefinedCheck) or finding.fatal:
        return
    stack = finding.stack("access")
    frames = stack.frames[:1] if stack else ()
    yield (*facts.check.split(","), "undefined"), _texts(frames)
    if facts.object_type:
        yield ("vptr_check",), (facts.object_type,)


_ATTEMPTS: Mapping[Tool, Callable[[Finding], Iterator[Attempt]]] = {
    "ThreadSanitizer": _race_attempts,
    "LeakSanitizer": _leak_attempts,
    "AddressSanitizer": _memory_attempts,
    "UndefinedBehaviorSanitizer": _undefined_attempts,
}


def _stacks(finding: Finding, roles: tuple[str, ...]) -> list[Stack]:
    return [s for s in finding.stacks if s.role in roles]


def _texts(frames: Iterable[Frame]) -> Iterator[str]:
    for frame in frames:
        yield frame.function
        if frame.function.startswith("_Z"):
            yield demangled(frame.function)
        yield frame.file
        yield frame.module
