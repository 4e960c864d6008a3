"""Valgrind's XML, protocol 4: what IDEs, Jenkins and converters that know valgrind read.

    races and locks only    shaped as helgrind's: announced threads, kinds Race, LockOrder ...
    anything else           shaped as memcheck's: InvalidRead, Leak_DefinitelyLost ...

What valgrind has no kind for is `Misc`, with irsan's own word at the head of the text.

Source: xml-output.txt and xml-output-protocol4.txt in the documentation of valgrind 3.25.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from irsan.reports.derived.places import RelatedPlace, primary_stack
from irsan.reports.derived.user_code import plain_path
from irsan.reports.derived.view import FindingView, view_of
from irsan.reports.formats.xml_text import Element, document, element
from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, Frame, LeakRecord, Report, SignalFacts

MAX_FRAMES: Final = 500  # valgrind's own upper bound of --num-callers
_OTHER: Final = "Misc"
_NO_LINE: Final = 0
_KINDS: Final[Mapping[str, str]] = {
    "double-free": "InvalidFree",
    "bad-free": "InvalidFree",
    "Double Free": "InvalidFree",
    "Invalid (Wild) Free": "InvalidFree",
    "alloc-dealloc-mismatch": "MismatchedFree",
    "new-delete-type-mismatch": "MismatchedFree",
    "free-size-mismatch": "MismatchedFree",
    "negative-size-param": "FishyValue",
    "direct-leak": "Leak_DefinitelyLost",
    "indirect-leak": "Leak_IndirectlyLost",
    "data race": "Race",
    "lock-order-inversion (potential deadlock)": "LockOrder",
    "unlock of an unlocked mutex (or by a wrong thread)": "UnlockUnlocked",
}
_API_KINDS: Final = ("join of ", "destroy of ", "use of an invalid mutex", "wait on a condition")


def report_to_valgrind_xml(report: Report) -> str:
    """The whole document."""
    findings = report.findings
    tool = "helgrind" if findings and all(_is_of_threads(f) for f in findings) else "memcheck"
    head = (
        element("protocolversion", "4"),
        element("protocoltool", tool),
        element("preamble", element("line", "irsan, in the form of valgrind's reports")),
        element("pid", str(report.pid)),
        element("ppid", "0"),
        element("tool", tool),
        _arguments(report),
        _status("RUNNING", "00:00:00:00.000"),
    )
    announced = _announced_threads(findings)
    errors = [_error(each) for each in view_of(report).findings]
    end = (_status("FINISHED", _run_time(report.timing.run_s)), _counts(findings), _hidden(report))
    return document(element("valgrindoutput", *head, *announced, *errors, *end))


def valgrind_kind(finding: Finding) -> str:
    """Valgrind's word for a finding; `Misc` where it has none."""
    if finding.kind in _KINDS:
        return _KINDS[finding.kind]
    if finding.tool == "ThreadSanitizer":
        return _kind_of_threads(finding)
    if finding.kind.endswith("-param-overlap"):
        return "Overlap"
    if finding.kind == "use-of-uninitialized-value":
        return "UninitValue" if finding.address else "UninitCondition"
    if isinstance(finding.details, SignalFacts):
        return _kind_of_signal(finding.details)
    if finding.access is not None:
        return "InvalidWrite" if finding.access.operation.endswith("write") else "InvalidRead"
    return _OTHER


def _kind_of_threads(finding: Finding) -> str:
    if finding.previous_access is not None:
        return "Race"
    return "PthAPIerror" if finding.kind.startswith(_API_KINDS) else _OTHER


def _kind_of_signal(facts: SignalFacts) -> str:
    if facts.wild_jump:
        return "InvalidJump"
    return {"READ": "InvalidRead", "WRITE": "InvalidWrite"}.get(facts.cause, _OTHER)


def _is_of_threads(finding: Finding) -> bool:
    return finding.tool == "ThreadSanitizer"


def _arguments(report: Report) -> Element:
    own = [report.program, *(f"--sanitize={name}" for name in report.options.sanitize)]
    words = (element("arg", word) for word in report.arguments)
    return element(
        "args",
        element("vargv", element("exe", "irsan"), *(element("arg", word) for word in own[1:])),
        element("argv", element("exe", report.program), *words),
    )


def _status(state: str, time: str) -> Element:
    return element("status", element("state", state), element("time", time))


def _run_time(seconds: float) -> str:
    """days:hours:minutes:seconds.milliseconds, as valgrind counts from its start."""
    minutes, rest_s = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    days, hours = divmod(hours, 24)
    return f"{days:02}:{hours:02}:{minutes:02}:{rest_s:06.3f}"


def thread_number(thread: str) -> str:
    """T0 is thread 1, as valgrind numbers them."""
    digits = thread.removeprefix("T")
    return str(int(digits) + 1) if digits.isdecimal() and digits.isascii() else "1"


def _announced_threads(findings: Sequence[Finding]) -> list[Element]:
    """Each thread of a race once: the main thread, then those whose creation is known."""
    created = {
        stack.thread: stack for f in findings if _is_of_threads(f)
        for stack in f.stacks if stack.role == "thread-creation"
    }  # fmt: skip
    if not created:
        return []
    main = element("announcethread", element("hthreadid", "1"), element("isrootthread"))
    others = (
        element("announcethread", element("hthreadid", thread_number(name)), _frames(s.frames))
        for name, s in created.items()
    )
    return [main, *others]


def _error(each: FindingView) -> Element:
    finding = each.finding
    facts = finding.thread_facts(finding.thread)
    name = (element("threadname", facts.name),) if facts and facts.name else ()
    stack = primary_stack(finding)
    return element(
        "error",
        element("unique", f"{each.number + 1:#x}"),
        element("tid", thread_number(finding.thread)),
        *name,
        element("kind", valgrind_kind(finding)),
        _what(each),
        *([_frames(stack.frames)] if stack else []),
        *(part for place in each.related for part in _auxiliary(place)),
        *(element("auxwhat", hint) for hint in finding.hints),
    )


def _what(each: FindingView) -> Element:
    record = each.finding.details
    text = element("text", each.message)
    if isinstance(record, LeakRecord):
        return element(
            "xwhat",
            text,
            element("leakedbytes", str(record.total_bytes)),
            element("leakedblocks", str(record.n_objects)),
        )
    if _is_of_threads(each.finding):
        return element("xwhat", text, element("hthreadid", thread_number(each.finding.thread)))
    return element("what", each.message)


def _auxiliary(related: RelatedPlace) -> Iterator[Element]:
    if related.role == "thread-creation" or related.stack is None:
        return  # announced already, or no stack
    yield element("auxwhat", related.words)
    yield _frames(related.stack.frames)


def _frames(frames: Sequence[Frame]) -> Element:
    return element("stack", *(_frame(frame) for frame in frames[:MAX_FRAMES]))


def _frame(frame: Frame) -> Element:
    folder, file = posixpath.split(plain_path(frame.file))
    parts = {
        "ip": f"{frame.pc:#x}",
        "obj": frame.module,
        "fn": demangled(frame.function),
        "dir": folder,
        "file": file,
        "line": str(frame.line) if frame.line > _NO_LINE else "",
    }
    return element("frame", *(element(tag, text) for tag, text in parts.items() if text))


def _counts(findings: Sequence[Finding]) -> Element:
    pairs = (
        element("pair", element("count", str(f.count)), element("unique", f"{number:#x}"))
        for number, f in enumerate(findings, 1)
    )
    return element("errorcounts", *pairs)


def _hidden(report: Report) -> Element:
    pairs = (
        element("pair", element("count", str(u.count)), element("name", f"{u.type}:{u.template}"))
        for u in report.suppressed
    )
    return element("suppcounts", *pairs)
