"""Where each thread of a program is, as text: one line for each, or their stacks.

    main thread waits for thread T1 to end in main a.c:9:3
    threads T1, T2 and 5 more wait for a mutex at 0x000030004140, held by T9 in work a.c:4:5

Threads of one stack that wait for the same are one entry, in the order of their numbers.
"""

from __future__ import annotations

from irsan.reports.derived.places import thread_words
from irsan.reports.model.details import TURN
from irsan.reports.model.report import BlockedThreads, Finding, Stack, ThreadWait
from irsan.reports.text.frames import blamed_frame, format_frame, format_race_stack
from irsan.reports.text.race import awaited
from irsan.reports.text.style import TextStyle

_NAMED = 4  # threads of one entry that are named
_NO_ADDRESS = {
    TURN: "are", "sleep": "sleep", "input": "wait for input", "signal": "wait for a signal",
    "end of the program": "wait for the end of the program",
    "OpenMP team": "wait for their OpenMP team",
    "parallel region to begin": "wait for a parallel region to begin",
}  # fmt: skip

_Entry = tuple[Stack | None, list[ThreadWait]]


def format_thread_dump(finding: Finding, style: TextStyle, *, with_stacks: bool) -> str:
    """Lines about the threads of a finding whose details are BlockedThreads, newline included."""
    lines: list[str] = []
    for stack, waits in _entries(finding):
        head = f"  {_subject(finding, waits)} {_does(finding, waits)}"
        if with_stacks:
            here = " here" if waits[0].what == TURN else ""
            lines += [style.paint("access", f"{head}{here}:"), *format_race_stack(stack, style)]
        else:
            place = format_frame(blamed_frame(stack), 0, style, "%F %S")
            lines.append(f"{head} {place}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def _entries(finding: Finding) -> list[_Entry]:
    """Threads that are at one place for one reason, with their stack."""
    facts, found = finding.details, dict[object, _Entry]()
    waits = facts.waits if isinstance(facts, BlockedThreads) else ()
    for subject, wait in enumerate(waits):
        stack = finding.stack("access", subject=subject)
        key = (wait.what, wait.address, wait.holder, stack.frames if stack else ())
        found.setdefault(key, (stack, []))[1].append(wait)
    return list(found.values())


def _subject(finding: Finding, waits: list[ThreadWait]) -> str:
    if len(waits) == 1:
        return thread_words(finding, waits[0].thread)
    named = [wait.thread for wait in waits[:_NAMED]]
    n_more = len(waits) - len(named)
    if n_more:
        return f"threads {', '.join(named)} and {n_more} more"
    return f"threads {', '.join(named[:-1])} and {named[-1]}"


def _does(finding: Finding, waits: list[ThreadWait]) -> str:
    wait = waits[0]
    words = _NO_ADDRESS.get(wait.what)
    if words is None:
        words = f"wait for {awaited(wait, thread_words(finding, wait.holder))}"
    if len(waits) > 1:
        return words
    verb, _, rest = words.partition(" ")
    one = {"are": "is"}.get(verb, f"{verb}s")
    return f"{one} {rest.replace('their', 'its')}".rstrip()
