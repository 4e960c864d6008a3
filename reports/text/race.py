"""Races, mutex misuse, deadlocks, leaked threads and signal faults in ThreadSanitizer's layout.

    ==================
    WARNING: ThreadSanitizer: <kind> (pid=<n>)
      <what happened, with its stacks>
      Location is ...
      Mutex M0 (<address>) created at: ...
      Thread T1 'name' (tid=<n>, running) created by main thread at: ...
    SUMMARY: ThreadSanitizer: <kind> <place> in <function>
    ==================
    replay: irsan replay <token> <program>

Source: output of clang 19's runtime, observed kind by kind.
Deviations: 1. SUMMARY names the innermost frame of the program, not pthread_mutex_lock above it.
2. `report_style=compat` puts `==pid==` before the header and prints frames as memory reports do:
   that is what CodeChecker and ClusterFuzz need to read a race.
"""

from __future__ import annotations

from irsan.reports.model.details import JOIN, TURN
from irsan.reports.model.locations import LibraryState
from irsan.reports.model.names import demangled
from irsan.reports.model.report import (
    Access,
    BlockedThreads,
    FileDescriptor,
    Finding,
    GlobalVariable,
    HeapRegion,
    LockCycle,
    SignalHandlerFault,
    Stack,
    StackLocation,
    ThreadFacts,
    ThreadLeak,
    ThreadStack,
    ThreadWait,
    TlsBlock,
)
from irsan.reports.text.clocks import logical_times
from irsan.reports.text.frames import format_race_stack, summary_line
from irsan.reports.text.locations import hexadecimal
from irsan.reports.text.memory import replay_line
from irsan.reports.text.style import TextStyle

TOOL = "ThreadSanitizer"
RULE = "=" * 18
IGNORES_LEFT = "thread finished with ignores enabled"
INVALID_MUTEX = "use of an invalid mutex"
_SECOND_STACK_HINT = (
    "    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message"
)


def format_race(finding: Finding, style: TextStyle) -> str:
    """Whole text of one finding of the race detector, final newline included."""
    prefix = f"=={style.pid}==" if style.report_style == "compat" else ""
    header = f"{prefix}WARNING: {TOOL}: {finding.kind} (pid={style.pid})"
    lines = [RULE, style.paint("header", header), *_body(finding, style)]
    for subject in range(len(finding.locations)):
        lines += _location(finding, subject, style)
    lines += _mutexes(finding, style)
    lines += _threads(finding, style)
    lines += [f"  Hint: {hint}" for hint in finding.hints]
    if finding.verdict == "heuristic":
        lines.append("  NOTE: this finding rests on a heuristic; see docs/report-schema.md")
    lines += summary_line(TOOL, finding.kind, _summary_stack(finding), style)
    lines += [RULE, *replay_line(style)]
    return "\n".join(lines) + "\n"


def thread_in_words(thread: str) -> str:
    """`main thread` or `thread T1`."""
    return "main thread" if thread == "T0" else f"thread {thread}"


def _body(finding: Finding, style: TextStyle) -> list[str]:
    if isinstance(finding.details, LockCycle):
        return _cycle(finding, finding.details, style)
    if isinstance(finding.details, BlockedThreads):
        return _blocked(finding, finding.details, style)
    if isinstance(finding.details, ThreadLeak):
        return _leaked_thread(finding, finding.details, style)
    if finding.kind == IGNORES_LEFT:
        return _ignores_left(finding, style)
    if isinstance(finding.details, SignalHandlerFault):
        return _handler_fault(finding, finding.details, style)
    if finding.access is None:
        return _plain_stacks(finding, style)
    return _accesses(finding, finding.access, style)


def _accesses(finding: Finding, access: Access, style: TextStyle) -> list[str]:
    head = style.paint("access", f"  {_access_words(access, '')}:")
    lines = [head, *format_race_stack(finding.stack("access"), style, with_snippet=True)]
    previous = finding.previous_access
    if previous is None:
        return lines
    head = style.paint("access", f"  {_access_words(previous, 'Previous ')}:")
    lines += [head, *format_race_stack(finding.stack("previous"), style)]
    lines += logical_times(access, previous)
    sleep = finding.stack("sleep")
    if sleep is None:
        return lines
    return [*lines, "  As if synchronized via sleep:", *format_race_stack(sleep, style)]


def _access_words(access: Access, before: str) -> str:
    who = thread_in_words(access.thread)
    if access.object_type:
        verb = "modifying" if access.operation.endswith("write") else "read-only"
        what = f"{before}{verb} access of {access.object_type}"
    else:
        what = f"{before}{access.operation} of size {access.size}"
    held = ", ".join(f"{'write' if m.write else 'read'} {m.name}" for m in access.mutexes)
    mutexes = f" (mutexes: {held})" if held else ""
    return f"{what[0].upper()}{what[1:]} at {hexadecimal(access.address)} by {who}{mutexes}"


def _plain_stacks(finding: Finding, style: TextStyle) -> list[str]:
    """Mutex misuse: the faulty call; where a mutex that is destroyed was locked, or destroyed."""
    lines = format_race_stack(finding.stack("access"), style, with_snippet=True)
    other = finding.stack("previous")
    head = "  Mutex destroyed at:" if finding.kind.startswith(INVALID_MUTEX) else "  and:"
    return [*lines, head, *format_race_stack(other, style)] if other else lines


def _handler_fault(finding: Finding, fault: SignalHandlerFault, style: TextStyle) -> list[str]:
    """The handler that has spoiled errno, or the call that it must not make."""
    stack = format_race_stack(finding.stack("access"), style, with_snippet=True)
    if "errno" in finding.kind:
        return [f"  Signal {fault.number} handler invoked at:", *stack]
    return [*stack, f"  The call is made in the handler of signal {fault.number}.", ""]


def _cycle(finding: Finding, cycle: LockCycle, style: TextStyle) -> list[str]:
    addresses = {m.name: hexadecimal(m.address) for m in finding.mutexes}
    chain = [f"{name} ({addresses.get(name, '?')})" for name in cycle.mutexes]
    loop = " => ".join([*chain, *cycle.mutexes[:1]])
    lines = [f"  Cycle in lock order graph: {loop}", *_gap(style)]
    second_stacks = any(s.role == "previous" for s in finding.stacks)
    for edge, held in enumerate(cycle.mutexes):
        taken = cycle.mutexes[(edge + 1) % len(cycle.mutexes)]
        stack = finding.stack("access", subject=edge)
        who = thread_in_words(stack.thread if stack else finding.thread)
        head = f"  Mutex {taken} acquired here while holding mutex {held} in {who}:"
        lines += [style.paint("access", head), *format_race_stack(stack, style)]
        earlier = finding.stack("previous", subject=edge)
        if earlier is not None:
            head = f"  Mutex {held} previously acquired by the same thread here:"
            lines += [style.paint("access", head), *format_race_stack(earlier, style)]
        if edge == 0 and not second_stacks:
            lines += [_SECOND_STACK_HINT, ""]
    return lines


def _gap(style: TextStyle) -> list[str]:
    """The blank line before the first stack, which ends a report for CodeChecker."""
    return [] if style.report_style == "compat" else [""]


def _blocked(finding: Finding, blocked: BlockedThreads, style: TextStyle) -> list[str]:
    lines: list[str] = []
    if blocked.cycle:
        chain = " => ".join([*blocked.cycle, blocked.cycle[0]])
        lines += [f"  Threads that wait for each other: {chain}", *_gap(style)]
    for subject, wait in enumerate(blocked.waits):
        who = thread_in_words(wait.thread)
        what = awaited(wait, thread_in_words(wait.holder))
        head = f"  {who[0].upper()}{who[1:]} waits for {what}:"
        stack = finding.stack("access", subject=subject)
        lines += [style.paint("access", head), *format_race_stack(stack, style)]
    return lines


def awaited(wait: ThreadWait, holder: str) -> str:
    """What a thread waits for; holder: who has it, in words, unread where nobody has."""
    if wait.what == TURN:
        return "its next turn"
    if wait.what == JOIN and wait.holder:
        return f"{holder} to end"
    by = f", held by {holder}" if wait.holder else ""
    return f"a {wait.what} at {hexadecimal(wait.address)}{by}"


def _leaked_thread(finding: Finding, leak: ThreadLeak, style: TextStyle) -> list[str]:
    facts = finding.thread_facts(leak.thread) or ThreadFacts(leak.thread)
    lines = _thread(finding, facts, style)
    if not leak.n_similar:
        return lines
    plural = "s" if leak.n_similar > 1 else ""
    return [*lines, f"  And {leak.n_similar} more similar thread leak{plural}.", ""]


def _ignores_left(finding: Finding, style: TextStyle) -> list[str]:
    """A thread has ended without the end of an annotation; the innermost begin is shown last."""
    created = finding.stack("thread-creation", thread=finding.thread)
    head = f"{TOOL}: {thread_in_words(finding.thread)} finished with ignores enabled"
    lines = [head]
    if created is not None:
        lines = [f"{head}, created at:", *format_race_stack(created, style)]
    lines += ["  One of the following ignores was not ended (in order of probability)"]
    for stack in finding.stacks:
        if stack.role == "access":
            lines += ["  Ignore was enabled at:", *format_race_stack(stack, style)]
    return lines


def _location(finding: Finding, subject: int, style: TextStyle) -> list[str]:
    """`Location is ...` with its stack; nothing for addresses that nothing is known about."""
    location = finding.locations[subject]
    if isinstance(location, HeapRegion):
        stack = finding.stack("allocation", subject=subject)
        who = thread_in_words(stack.thread if stack else "T0")
        what = location.object_type or "heap block"
        block = f"{what} of size {location.size_bytes} at {hexadecimal(location.region_lo)}"
        head = f"  Location is {block} allocated by {who}:"
        return [style.paint("location", head), *format_race_stack(stack, style)]
    if isinstance(location, FileDescriptor):
        role, verb = ("free", "destroyed") if location.closed else ("allocation", "created")
        stack = finding.stack("free" if role == "free" else "allocation", subject=subject)
        what = f"file descriptor {location.number} {verb} by {thread_in_words(location.thread)}"
        return [
            style.paint("location", f"  Location is {what} at:"),
            *format_race_stack(stack, style),
        ]
    if isinstance(location, LibraryState):
        return [style.paint("location", f"  Location is {location.in_words}."), ""]
    if isinstance(location, GlobalVariable):
        module = location.module.rpartition("/")[2]
        offset = f" ({module}+{location.module_offset:#x})" if module else ""
        name = demangled(location.name) if style.demangle else location.name
        what = f"global '{name}' of size {location.size_bytes}"
        line = f"  Location is {what} at {hexadecimal(location.lo)}{offset}"
        return [style.paint("location", line), ""]
    if isinstance(location, StackLocation | ThreadStack):
        what = f"stack of {thread_in_words(location.thread)}"
        return [style.paint("location", f"  Location is {what}."), ""]
    if isinstance(location, TlsBlock):
        what = f"TLS of {thread_in_words(location.thread)}"
        return [style.paint("location", f"  Location is {what}."), ""]
    return []


def _mutexes(finding: Finding, style: TextStyle) -> list[str]:
    if isinstance(finding.details, LockCycle):
        return []
    lines: list[str] = []
    for mutex in finding.mutexes:
        stack = finding.stack("mutex-creation", mutex=mutex.name)
        if stack is None and mutex.destroyed:
            lines += [f"  Mutex {mutex.name} is already destroyed.", ""]
            continue
        head = f"  Mutex {mutex.name} ({hexadecimal(mutex.address)}) created at:"
        lines += [style.paint("allocation", head), *format_race_stack(stack, style)]
    return lines


def _threads(finding: Finding, style: TextStyle) -> list[str]:
    """Creation of the threads involved; of their ancestors too, if asked for."""
    if isinstance(finding.details, ThreadLeak) or finding.kind == IGNORES_LEFT:
        return []
    involved = {finding.thread, *(s.thread for s in finding.stacks if s.role != "thread-creation")}
    lines: list[str] = []
    for facts in finding.threads:
        if facts.thread == "T0":
            continue
        if style.print_full_thread_history or facts.thread in involved:
            lines += _thread(finding, facts, style)
    return lines


def _thread(finding: Finding, facts: ThreadFacts, style: TextStyle) -> list[str]:
    name = f" '{facts.name}'" if facts.name else ""
    state = f"(tid={facts.os_tid}, {facts.status})"
    by = f" created by {thread_in_words(facts.created_by)}" if facts.created_by else ""
    stack = finding.stack("thread-creation", thread=facts.thread)
    if stack is None:
        return [f"  Thread {facts.thread}{name} {state}{by}", ""]
    head = f"  Thread {facts.thread}{name} {state}{by} at:"
    return [style.paint("allocation", head), *format_race_stack(stack, style)]


def _summary_stack(finding: Finding) -> Stack | None:
    if isinstance(finding.details, ThreadLeak):
        return finding.stack("thread-creation", thread=finding.details.thread)
    return finding.stack("access")
