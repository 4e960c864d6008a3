"""A finding as one sentence that a stranger understands.

    data race: (1) write of 4 bytes to 'n' in add by thread T1 (adder) at src/a.c:7:12, (2) earlier
    read of 4 bytes in main by main thread at src/a.c:20:3; nothing orders the two; object: the
    global 'n' of 4 bytes

Both accesses are numbered, in the words of the source where debug info has them.
"""

from __future__ import annotations

from irsan.reports.derived.places import (
    Place,
    awaited_words,
    place_of_stack,
    primary_place,
    thread_words,
)
from irsan.reports.model.details import (
    AllocationRequest,
    BlockedThreads,
    FamilyMismatch,
    LeakRecord,
    LockCycle,
    OdrPair,
    PanicFacts,
    SignalFacts,
    SizeMismatch,
    ThreadLeak,
    UndefinedCheck,
    UninitialisedUse,
)
from irsan.reports.model.locations import (
    FileDescriptor,
    GlobalVariable,
    HeapRegion,
    LibraryState,
    Location,
    StackLocation,
    ThreadStack,
    TlsBlock,
    WildAddress,
)
from irsan.reports.model.names import demangled, shortened
from irsan.reports.model.report import Access, Finding, Stack

NAME_WIDTH = 60  # characters of template arguments


def one_line(finding: Finding, root: str = "") -> str:
    """The sentence: no line break, no full stop at the end."""
    text = f"{finding.kind}: {_story(finding, root)}"
    if finding.count > 1:
        text += f" (seen {finding.count} times)"
    if finding.injected is not None:
        text += f"; behind an injected failure: {finding.injected.words}"
    return " ".join(text.split())


def object_words(finding: Finding, subject: int = 0) -> str:
    """The object of a finding: "a heap block of 40 bytes (freed)"; empty when none is known."""
    if subject >= len(finding.locations):
        return ""
    return _object(finding, finding.locations[subject])


def access_words(access: Access, expression: str = "") -> str:
    """`write of 4 bytes to 'p->x'`; without words of the source only the size."""
    n = f"{access.size} byte{'s' * (access.size != 1)}"
    toward = "to" if access.operation.endswith("write") else "from"
    what = f" {toward} '{expression}'" if expression else ""
    return f"{access.operation} of {n}{what}"


def _story(finding: Finding, root: str) -> str:
    if finding.previous_access is not None and finding.access is not None:
        return _pair(finding, finding.access, finding.previous_access, root)
    if "use-after-free" in finding.kind or finding.kind == "double-free":
        return _freed(finding, root)
    told = _by_details(finding, root)
    if told:
        return told
    if finding.access is not None:
        return f"{_acted(finding, root)}{_about(finding)}"
    return f"{_simple(finding)}{_at(primary_place(finding, root))}{_about(finding)}"


def _pair(finding: Finding, access: Access, previous: Access, root: str) -> str:
    first = _access_of(finding, access, finding.stack("access"), root)
    second = _access_of(finding, previous, finding.stack("previous"), root)
    return f"(1) {first}, (2) earlier {second}; nothing orders the two{_about(finding)}"


def _access_of(finding: Finding, access: Access, stack: Stack | None, root: str) -> str:
    place = place_of_stack(stack, root)
    held = " and ".join(mutex.name for mutex in access.mutexes)
    words = access_words(access, place.expression if place else "")
    who = thread_words(finding, access.thread)
    return f"{words}{_within(place)} by {who}{_at(place)}{f' holding {held}' if held else ''}"


def _acted(finding: Finding, root: str) -> str:
    assert finding.access is not None
    return _access_of(finding, finding.access, finding.stack("access"), root)


def _freed(finding: Finding, root: str) -> str:
    act = _acted(finding, root) if finding.access else f"free{_at(primary_place(finding, root))}"
    freed = finding.stack("free")
    if freed is None:
        return f"{act}{_about(finding)}"
    place = place_of_stack(freed, root)
    who = thread_words(finding, freed.thread)
    return f"(1) {act}, (2) after the free{_within(place)} by {who}{_at(place)}{_about(finding)}"


def _by_details(finding: Finding, root: str) -> str:
    facts = finding.details
    at = _at(primary_place(finding, root))
    if isinstance(facts, UndefinedCheck):
        return f"{facts.message}{at}"
    if isinstance(facts, LeakRecord):
        blocks = f"{facts.n_objects} block{'s' * (facts.n_objects != 1)}"
        return f"{facts.total_bytes} bytes in {blocks} allocated{at} are lost"
    if isinstance(facts, UninitialisedUse):
        made = f", made by {facts.created_by}" if facts.created_by else ""
        call = f" by {facts.function}" if facts.function else ""
        return f"an uninitialised value is used{call}{at}{made}"
    if isinstance(facts, LockCycle):
        names = " => ".join((*facts.mutexes, *facts.mutexes[:1]))
        return f"mutexes are taken in a circle {names}; one lock of it{at}"
    if isinstance(facts, BlockedThreads):
        return _blocked(finding, facts, root)
    if isinstance(facts, SignalFacts):
        return _signal(facts, at)
    if isinstance(facts, PanicFacts):
        return f"{facts.message or 'a payload that is no text'}{at}"
    return _by_call(finding, at)


def _by_call(finding: Finding, at: str) -> str:
    facts = finding.details
    if isinstance(facts, FamilyMismatch):
        return f"allocated with {facts.allocated_with}, freed with {facts.freed_with}{at}"
    if isinstance(facts, SizeMismatch):
        sizes = f"{facts.allocated_size} bytes, freed as {facts.freed_size}"
        return f"allocated as {sizes} bytes{at}"
    if isinstance(facts, AllocationRequest):
        times = f"{facts.count} times " if facts.count != 1 else ""
        return f"{facts.function} of {times}{facts.size_bytes} bytes{at}"
    if isinstance(facts, OdrPair):
        pair = (facts.first, facts.second)
        places = " and ".join(f"{one.file}:{one.line} ({one.size_bytes} bytes)" for one in pair)
        return f"'{demangled(facts.first.name)}' is defined twice: {places}"
    if isinstance(facts, ThreadLeak):
        return f"{thread_words(finding, facts.thread)} was never joined, created{at}"
    return ""


def _blocked(finding: Finding, facts: BlockedThreads, root: str) -> str:
    waits = []
    for number, wait in enumerate(facts.waits):
        place = place_of_stack(finding.stack("access", subject=number), root)
        who = thread_words(finding, wait.thread)
        waits.append(f"({number + 1}) {who} waits for {awaited_words(finding, wait)}{_at(place)}")
    return ", ".join(waits)


def _signal(facts: SignalFacts, at: str) -> str:
    if facts.reason == "assertion":
        return f"the assertion '{facts.expression}' failed{at}"
    if facts.reason == "precondition":
        return f"the C++ library says: {facts.message}{at}"
    if facts.message:
        return f"{facts.message}{at}"
    what = {"READ": "read of ", "WRITE": "write to "}.get(facts.cause, "")
    address = f"address {facts.address:#x}" if facts.address is not None else "an address"
    return f"{what}{address}{at}" if facts.cause or facts.address is not None else f"it stops{at}"


def _simple(finding: Finding) -> str:
    who = thread_words(finding, finding.thread)
    return f"by {who}" if finding.tool == "ThreadSanitizer" else f"in {who}"


def _within(place: Place | None) -> str:
    return f" in {shortened(place.function, NAME_WIDTH)}" if place and place.function else ""


def _at(place: Place | None) -> str:
    return f" at {place}" if place and place.path else _within(place)


def _about(finding: Finding) -> str:
    words = object_words(finding)
    return f"; object: {words}" if words else ""


def _object(finding: Finding, location: Location) -> str:
    if isinstance(location, HeapRegion):
        kind = f" ({location.object_type})" if location.object_type else ""
        state = ", already freed" if location.freed else ""
        return f"{_relation(location)}a heap block of {location.size_bytes} bytes{kind}{state}"
    if isinstance(location, GlobalVariable):
        name = demangled(location.name)
        return f"{_relation(location)}the global '{name}' of {location.size_bytes} bytes"
    if isinstance(location, StackLocation):
        return _stack_object(finding, location)
    if isinstance(location, ThreadStack):
        return f"on the stack of {thread_words(finding, location.thread)}"
    if isinstance(location, TlsBlock):
        name = f"'{location.name}' " if location.name else "a variable "
        return f"{name}thread-local to {thread_words(finding, location.thread)}"
    if isinstance(location, FileDescriptor):
        return f"file descriptor {location.number}"
    if isinstance(location, LibraryState):
        return location.in_words
    return _wild(location)


def _stack_object(finding: Finding, location: StackLocation) -> str:
    inside = [o for o in location.objects if o.begin <= location.offset < o.end]
    named = inside or [o for o in location.objects if len(location.objects) == 1]
    frame = demangled(location.frame.function)
    owner = f" of {frame}" if frame else ""
    if named:
        return f"the local variable '{named[0].name}'{owner}"
    return f"a local variable{owner} in {thread_words(finding, location.thread)}"


def _wild(location: WildAddress) -> str:
    return "no known object" if location.area == "wild" else f"the {location.area} area"


def _relation(location: HeapRegion | GlobalVariable) -> str:
    if location.relation == "inside":
        return f"{location.distance_bytes} bytes into " if location.distance_bytes else ""
    if not location.distance_bytes:
        return f"just {location.relation} "
    n = location.distance_bytes
    return f"{n} byte{'s' * (n != 1)} {location.relation} "
