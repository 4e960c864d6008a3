"""The report before it is text: every fact of a run and of its findings, as frozen values.

    Report                       one run: program, engine, seed, replay token, exit status
      findings: Finding*         one per thing found
        access, previous_access  the access that failed; the one it conflicts with
        stacks: Stack*           every stack, distinguished by role, thread, mutex and subject
        locations: Location*     what lies at the address (two for overlap and pointer pairs)
        threads, mutexes         who took part
        details                  the facts only this family of findings has

Renderers read these values and nothing else; `irsan.runtime.diagnosis` builds them.
Thread names are `T0` (main), `T1`, ... in creation order; mutex names `M0`, `M1`, ... per finding.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from irsan.reports.model.details import (
    AllocationRequest,
    BlockedThreads,
    ContainerBounds,
    DerivedPointer,
    Details,
    FamilyMismatch,
    GlobalDefinition,
    GuardedSlot,
    LeakRecord,
    LockCycle,
    OdrPair,
    PointerPair,
    PointerQuery,
    RangeOverlap,
    SignalFacts,
    SignalHandlerFault,
    SizeArgument,
    SizeMismatch,
    ThreadLeak,
    ThreadWait,
    UndefinedCheck,
    UninitialisedUse,
)
from irsan.reports.model.exploration import Exploration, Explored, Interleaving
from irsan.reports.model.fingerprints import EXACT, fingerprints
from irsan.reports.model.injected import InjectedFailure, InjectionFacts
from irsan.reports.model.locations import (
    Address,
    FileDescriptor,
    Frame,
    GlobalVariable,
    HeapRegion,
    Location,
    Relation,
    StackLocation,
    StackObject,
    ThreadStack,
    TlsBlock,
    WildAddress,
)
from irsan.reports.model.memory import MemoryDump, MemoryField, MemoryRow
from irsan.reports.model.run_facts import (
    AccessCount,
    BuildFacts,
    Cut,
    Fingerprint,
    HostFacts,
    MergedFile,
    Sighting,
    SourceExcerpt,
)
from irsan.reports.model.timeline import Timeline, TimelineEdge, TimelineEvent

__all__ = [
    "SCHEMA",
    "Access",
    "AccessCount",
    "Address",
    "AllocationRequest",
    "BlockedThreads",
    "BuildFacts",
    "ContainerBounds",
    "Cut",
    "DerivedPointer",
    "Details",
    "Exploration",
    "Explored",
    "FamilyMismatch",
    "FileDescriptor",
    "Finding",
    "Fingerprint",
    "Frame",
    "GlobalDefinition",
    "GlobalVariable",
    "GuardedSlot",
    "HeapRegion",
    "HeldMutex",
    "HostFacts",
    "InjectedFailure",
    "InjectionFacts",
    "LeakRecord",
    "Location",
    "LockCycle",
    "MemoryDump",
    "MemoryField",
    "MemoryRow",
    "MergedFile",
    "MutexFacts",
    "OdrPair",
    "Operation",
    "PointerPair",
    "PointerQuery",
    "RangeOverlap",
    "Relation",
    "Report",
    "Role",
    "RunOptions",
    "ShadowDump",
    "ShadowRow",
    "Sighting",
    "SignalFacts",
    "SignalHandlerFault",
    "SizeArgument",
    "SizeMismatch",
    "SourceExcerpt",
    "Stack",
    "StackLocation",
    "StackObject",
    "SuppressionUse",
    "ThreadFacts",
    "ThreadLeak",
    "ThreadStack",
    "ThreadWait",
    "Timeline",
    "TimelineEdge",
    "TimelineEvent",
    "Timing",
    "TlsBlock",
    "Tool",
    "UndefinedCheck",
    "UninitialisedUse",
    "Verdict",
    "WildAddress",
]

SCHEMA = "irsan-report/1"

Tool = Literal[
    "AddressSanitizer", "ThreadSanitizer", "LeakSanitizer", "UndefinedBehaviorSanitizer",
    "MemorySanitizer", "GWP-ASan",
]
Verdict = Literal["bug", "limit", "heuristic"]
BaselineState = Literal["", "new", "unchanged", "updated"]
Operation = Literal["read", "write", "atomic read", "atomic write", "access"]
Role = Literal[
    "access", "previous", "allocation", "free", "thread-creation", "mutex-creation", "store-origin",
    "sleep",
    "poisoning", "injected",
]


@dataclass(frozen=True, slots=True)
class Stack:
    """One call stack, innermost frame first.

    `thread` ran it; for `thread-creation` it is the thread that was CREATED (its creator is in
    ThreadFacts). `mutex` names the mutex of a `mutex-creation`. `subject` distinguishes stacks of
    the same role apart: index of the location, of the lock-cycle edge, or of the store-origin step.
    """

    role: Role
    thread: str = "T0"
    frames: tuple[Frame, ...] = ()
    mutex: str = ""
    subject: int = 0

    @property
    def user_frame(self) -> int:
        """Number of the innermost frame that is the program's own; -1 when there is none."""
        own = (
            number for number, frame in enumerate(self.frames)
            if not (frame.interceptor or frame.library) and (frame.function or frame.file)
        )  # fmt: skip
        return next(own, -1)


@dataclass(frozen=True, slots=True)
class HeldMutex:
    """A mutex held at an access: name in this finding, and whether for writing."""

    name: str
    write: bool = True


@dataclass(frozen=True, slots=True)
class KnownTime:
    """A thread's time up to which another thread knew all it did."""

    thread: str
    time: int


@dataclass(frozen=True, slots=True)
class AccessClock:
    """Logical time of an access: its thread's own and Lamport's.

    `known`, of the later access of a race only, is the vector clock of its thread but for itself.
    """

    time: int
    lamport: int
    known: tuple[KnownTime, ...] = ()


@dataclass(frozen=True, slots=True)
class Access:
    """A memory access: `size` in bytes. `object_type` is set for races on tagged objects."""

    operation: Operation
    size: int
    address: Address
    thread: str = "T0"
    mutexes: tuple[HeldMutex, ...] = ()
    object_type: str = ""
    clock: AccessClock | None = None


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """A thread of the program. `os_tid` is the number printed as tid= (stable per run)."""

    thread: str
    name: str = ""
    os_tid: int = 0
    status: Literal["running", "finished"] = "running"
    created_by: str = ""


@dataclass(frozen=True, slots=True)
class MutexFacts:
    """A mutex named in the finding; its creation stack has role `mutex-creation`."""

    name: str
    address: Address
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class ShadowRow:
    """Shadow of len(shadow) * 8 application bytes from `address` on."""

    address: Address
    shadow: bytes


@dataclass(frozen=True, slots=True)
class ShadowDump:
    """Rows around `culprit`, the application address whose shadow byte explains the report."""

    culprit: Address
    rows: tuple[ShadowRow, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found. `kind` is the word of the native tool's SUMMARY line.

    `thread` is the one that was running; `fatal` says that the program was stopped by it;
    `hints` are whole sentences added to the report in the order given.
    `count` findings had the same cause (`same_cause.py`) and are reported as this one;
    `other_kinds` are those among them with another kind.
    `timeline`: what its threads did before, where the run has kept that; `memory`: bytes around.
    `fingerprints` are made with the source at hand (`finished.py`); `seen` is filled by a merge.
    `injected`: the newest failure that irsan had injected before; its stack has that role.
    `baseline` says how it stands to an earlier report, in SARIF's words; empty without one.
    `explored`: which of many schedules has found it.
    """

    tool: Tool
    kind: str
    verdict: Verdict = "bug"
    thread: str = "T0"
    access: Access | None = None
    previous_access: Access | None = None
    stacks: tuple[Stack, ...] = ()
    locations: tuple[Location, ...] = ()
    threads: tuple[ThreadFacts, ...] = ()
    mutexes: tuple[MutexFacts, ...] = ()
    shadow: ShadowDump | None = None
    details: Details | None = None
    address: Address | None = None
    pc: Address = 0
    bp: Address = 0
    sp: Address = 0
    hints: tuple[str, ...] = ()
    fatal: bool = True
    count: int = 1
    other_kinds: tuple[str, ...] = ()
    timeline: Timeline | None = None
    memory: MemoryDump | None = None
    fingerprints: tuple[Fingerprint, ...] = ()
    seen: tuple[Sighting, ...] = ()
    baseline: BaselineState = ""
    explored: Explored | None = None
    injected: InjectedFailure | None = None

    @property
    def id(self) -> str:
        """The exact fingerprint: same bug, same id, whatever the addresses, lines or seed.

        Of a finding that was not finished yet, one without the source's text.
        """
        known = {each.name: each.value for each in self.fingerprints}
        return known.get(EXACT) or fingerprints(self)[EXACT]

    def stack(
        self, role: Role, *, thread: str | None = None, mutex: str | None = None, subject: int = 0
    ) -> Stack | None:
        """First stack with this role (and thread, mutex if given) and subject, or None."""
        for stack in self.stacks:
            if stack.role != role or stack.subject != subject:
                continue
            if thread in (None, stack.thread) and mutex in (None, stack.mutex):
                return stack
        return None

    def thread_facts(self, thread: str) -> ThreadFacts | None:
        """Facts of the thread called `thread`, or None."""
        return next((t for t in self.threads if t.thread == thread), None)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds spent in each stage; `cached` when code generation was skipped.

    `started` is the date and time of the start in UTC, as ISO 8601 writes it.
    """

    frontend_s: float = 0.0
    instrument_s: float = 0.0
    codegen_s: float = 0.0
    run_s: float = 0.0
    cached: bool = False
    started: str = ""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What was checked and how the program was compiled (`-O0`, `-O1`, `-O2`)."""

    sanitize: tuple[str, ...] = ()
    optimization: str = "-O1"


@dataclass(frozen=True, slots=True)
class SuppressionUse:
    """A suppression that hid findings: how many, and for leaks how many bytes."""

    tool: Tool
    type: str
    template: str
    count: int
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """One run of one program. `schedule` is the token that `irsan replay` takes.

    `command` are the words that ran it, `test` the test that did; paths are shown relative to the
    folder `root`.
    `sources` are the lines around the places; `cut` says what was left out of this report.
    `merged` are the files that it was joined from; its findings then say where they were `seen`.
    `exploration`: the schedules, where it is a report of many; `schedule` is then the first one's.
    `interleaving`: of `irsan shrink`, the schedule that is left.
    """

    program: str
    arguments: tuple[str, ...] = ()
    engine: Literal["jit", "interp"] = "jit"
    seed: int = 0
    schedule: str = ""
    exit_status: int = 0
    timing: Timing = field(default_factory=Timing)
    options: RunOptions = field(default_factory=RunOptions)
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[SuppressionUse, ...] = ()
    statistics: tuple[AccessCount, ...] = ()
    pid: int = 0
    command: tuple[str, ...] = ()
    root: str = ""
    build: BuildFacts = field(default_factory=BuildFacts)
    host: HostFacts = field(default_factory=HostFacts)
    cut: tuple[Cut, ...] = ()
    sources: tuple[SourceExcerpt, ...] = ()
    merged: tuple[MergedFile, ...] = ()
    test: str = ""
    exploration: Exploration | None = None
    injection: InjectionFacts | None = None
    interleaving: Interleaving | None = None
