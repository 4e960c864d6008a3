"""Where a finding is in the source: its primary place, and the places that explain it, in order.

The primary place is the innermost frame of the program's own in the stack of the access; where a
finding has no access, of its first stack. Lines and columns count from 1, columns in bytes, and 0
is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.reports.derived.root import relative_path
from irsan.reports.model.details import JOIN, TURN, BlockedThreads, LockCycle, ThreadWait
from irsan.reports.model.locations import Frame, GlobalVariable
from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, Role, Stack

_ORDER: tuple[Role, ...] = (
    "access", "previous", "free", "allocation", "store-origin", "poisoning", "mutex-creation",
    "thread-creation", "sleep", "injected",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the source.

    path         relative to the root, or as it is when `is_outside` of it
    end_column   behind what stands there; 0 when unknown
    function     as the source has it; `symbol` as the linker has it
    expression   the accessed object, in the words of the source
    file         the path as debug info has it: what `Sources` takes
    """

    path: str
    line: int = 0
    column: int = 0
    end_column: int = 0
    function: str = ""
    symbol: str = ""
    expression: str = ""
    is_outside: bool = False
    file: str = ""

    def __str__(self) -> str:
        """`path:line:column`, unknown parts left out."""
        numbers = [str(n) for n in ((self.line, self.column) if self.line else ()) if n]
        return ":".join([self.path or "unknown place", *numbers])


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """A place that explains the finding; `words` say how, without the place: "freed here by T1"."""

    role: Role
    words: str
    thread: str
    place: Place
    stack: Stack | None = None


def place_of_frame(frame: Frame, root: str) -> Place:
    """The place of one frame."""
    path = relative_path(frame.file, root)
    return Place(
        path.text, frame.line, frame.column, frame.end_column, demangled(frame.function),
        frame.function, frame.expression, path.is_outside, frame.file,
    )  # fmt: skip


def place_of_stack(stack: Stack | None, root: str) -> Place | None:
    """The place of a stack: its innermost frame of the program's own that has a file."""
    if stack is None:
        return None
    frames = [frame for frame in stack.frames if not frame.interceptor]
    own = [frame for frame in frames if not frame.library]
    with_file = next((frame for frame in own if frame.file), None)
    frame = with_file or next((f for f in (*own, *frames) if f.file or f.function), None)
    return place_of_frame(frame, root) if frame else None


def primary_stack(finding: Finding) -> Stack | None:
    """The stack that a finding is named by."""
    return finding.stack("access") or next(iter(finding.stacks), None)


def primary_place(finding: Finding, root: str) -> Place | None:
    """Where to look first; None when no stack says."""
    return place_of_stack(primary_stack(finding), root)


def related_places(finding: Finding, root: str) -> tuple[RelatedPlace, ...]:
    """The other places, the most telling first: previous access, free, allocation, creations."""
    first = primary_stack(finding)
    found = []
    for stack in sorted(finding.stacks, key=lambda each: (_ORDER.index(each.role), each.subject)):
        place = place_of_stack(stack, root)
        if stack is first or place is None:
            continue
        words = role_words(finding, stack)
        found.append(RelatedPlace(stack.role, words, stack.thread, place, stack))
    return (*found, *_definitions(finding, root))


def _definitions(finding: Finding, root: str) -> list[RelatedPlace]:
    """Where globals among the locations are defined."""
    found = []
    for each in finding.locations:
        if isinstance(each, GlobalVariable) and each.file and each.line:
            path = relative_path(each.file, root)
            place = Place(
                path.text, each.line, each.column, 0, "", each.name, demangled(each.name),
                path.is_outside, each.file,
            )  # fmt: skip
            words = f"'{demangled(each.name)}' defined here"
            found.append(RelatedPlace("allocation", words, "", place))
    return found


def role_words(finding: Finding, stack: Stack) -> str:
    """What happened in a stack, as the label of its place."""
    who = thread_words(finding, stack.thread)
    if stack.role == "access":
        return _access_words(finding, stack, who)
    if stack.role == "previous":
        before = finding.previous_access
        return f"previous {before.operation} by {who}" if before else f"earlier step of {who}"
    if stack.role == "thread-creation":
        created = finding.thread_facts(stack.thread)
        made_by = created.created_by if created else ""
        maker = f" by {thread_words(finding, made_by)}" if made_by else ""
        return f"{who} created here{maker}"
    return {
        "allocation": f"allocated by {who}",
        "free": f"freed by {who}",
        "mutex-creation": f"mutex {stack.mutex} created here",
        "store-origin": "the uninitialised value was stored here",
        "poisoning": f"poisoned by {who}",
        "injected": _injected_words(finding),
        "sleep": f"{who} slept here between the two accesses",
    }[stack.role]


def _injected_words(finding: Finding) -> str:
    failure = finding.injected
    return f"injected failure before: {failure.words}" if failure else "injected failure before"


def _access_words(finding: Finding, stack: Stack, who: str) -> str:
    facts = finding.details
    if isinstance(facts, BlockedThreads) and 0 <= stack.subject < len(facts.waits):
        return f"{who} waits here for {awaited_words(finding, facts.waits[stack.subject])}"
    if isinstance(facts, LockCycle) and facts.mutexes:
        n = len(facts.mutexes)
        held, taken = (facts.mutexes[(stack.subject + step) % n] for step in (0, 1))
        return f"{taken} locked here by {who}, which holds {held}"
    if finding.access is not None:
        return f"{finding.access.operation} by {who}"
    return f"{who} here"


def awaited_words(finding: Finding, wait: ThreadWait) -> str:
    """What a blocked thread waits for: `a mutex held by thread T2`, `thread T1 to end`."""
    if wait.what == TURN:
        return "its next turn"
    if wait.what == JOIN and wait.holder:
        return f"{thread_words(finding, wait.holder)} to end"
    by = f" held by {thread_words(finding, wait.holder)}" if wait.holder else ""
    return f"a {wait.what}{by}"


def thread_words(finding: Finding, thread: str) -> str:
    """`main thread`, `thread T1` or `thread T1 (name)`."""
    if thread in ("T0", ""):
        return "main thread"
    facts = finding.thread_facts(thread)
    return f"thread {thread} ({facts.name})" if facts and facts.name else f"thread {thread}"
