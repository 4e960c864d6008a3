"""Memory errors in the layout of AddressSanitizer.

    [AddressSanitizer:DEADLYSIGNAL]
    ===...=== (65)
    ==pid==ERROR: AddressSanitizer: <header>
    <access line, access stack, blank>
    <what lies there, with its stacks>
    <creation of every thread involved>
    <hints>
    SUMMARY: AddressSanitizer: <kind> <place> in <function>
    <hints of mismatches, shadow bytes, legend>
    ==pid==ABORTING
    replay: irsan replay <token> <program>

Source: output of clang 19's runtime, observed kind by kind.
Deviations: 1. SUMMARY names the innermost frame of the program, not malloc or memcpy above it.
2. The replay line, after everything else, so that no parser meets it inside a report.
3. No build ids: frames come from the IR.
"""

from __future__ import annotations

import shlex

from irsan.reports.model.report import AllocationRequest, Finding, OdrPair, SignalFacts
from irsan.reports.model.scariness import scariness
from irsan.reports.text.frames import format_memory_stack, source_location, summary_line
from irsan.reports.text.locations import describe_location, thread_label
from irsan.reports.text.memory_headers import header_lines
from irsan.reports.text.shadow import format_shadow
from irsan.reports.text.style import TextStyle

TOOL = "AddressSanitizer"
RULE = "=" * 65
_REGISTERS_PER_LINE = 4
_SILENCING_FLAGS = {
    "alloc-dealloc-mismatch": "alloc_dealloc_mismatch",
    "new-delete-type-mismatch": "new_delete_type_mismatch",
    "free-size-mismatch": "free_size_mismatch",
}
_CONTAINER_PAGE = "https://github.com/google/sanitizers/wiki/AddressSanitizerContainerOverflow"


def format_memory_error(finding: Finding, style: TextStyle) -> str:
    """Whole text of one memory error, final newline included."""
    stack = finding.stack("access")
    first, *more = header_lines(finding, style)
    signal = isinstance(finding.details, SignalFacts)
    lines = [
        *([f"{TOOL}:DEADLYSIGNAL"] if signal else []),
        RULE,
        style.paint("header", f"=={style.pid}=={_severity(finding)}: {TOOL}: {first}"),
        *more,
        *([f"SCARINESS: {scariness(finding)}"] if style.print_scariness else []),
    ]
    if not isinstance(finding.details, OdrPair):
        lines += format_memory_stack(stack, style, with_snippet=True)
    lines += _descriptions(finding, style)
    lines += _thread_lines(finding, style)
    lines += _hints_before_summary(finding, style)
    lines += _summary(finding, style)
    lines += _hints_after_summary(finding, style)
    if finding.shadow is not None:
        lines += format_shadow(finding.shadow, style)
    lines += [f"=={style.pid}==ABORTING"] if finding.fatal else []
    lines += replay_line(style)
    return "\n".join(lines) + "\n"


def _severity(finding: Finding) -> str:
    return "WARNING" if finding.kind == "w-and-x-usage" else "ERROR"


def replay_line(style: TextStyle) -> list[str]:
    """The command that repeats this run, as a list of one; of none when it is not known."""
    if not (style.print_replay and style.schedule and style.command):
        return []
    pairs = [setting.partition("=") for setting in style.settings]
    settings = [f"{name}={shlex.quote(value)}" for name, _, value in pairs]
    command = shlex.join(["irsan", "replay", style.schedule, *style.command])
    return ["replay: " + " ".join([*settings, command])]


def _descriptions(finding: Finding, style: TextStyle) -> list[str]:
    lines: list[str] = []
    for subject in range(len(finding.locations)):
        lines += describe_location(finding, subject, style)
    poisoning = finding.stack("poisoning")
    if poisoning is not None:
        who = thread_label(finding, poisoning.thread)
        lines.append(f"Memory was manually poisoned by thread {who}:")
        lines += format_memory_stack(poisoning, style)
    facts = finding.details
    if not isinstance(facts, SignalFacts):
        return lines
    if facts.instruction_bytes:
        shown = facts.instruction_bytes.hex(" ")
        lines.append(f"=={style.pid}==First 16 instruction bytes at pc: {shown} ")
    if facts.registers and style.dump_registers:
        lines += [f"=={style.pid}==Register values:", *_register_lines(facts)]
    is_explained = finding.locations or facts.signal == "stack-overflow" or facts.reason
    if not is_explained:
        lines.append(f"{TOOL} can not provide additional info.")
    return lines


def _register_lines(facts: SignalFacts) -> list[str]:
    cells = [f"{name:>3} = {value:#018x}  " for name, value in facts.registers]
    starts = range(0, len(cells), _REGISTERS_PER_LINE)
    return ["".join(cells[i : i + _REGISTERS_PER_LINE]) for i in starts]


def involved_threads(finding: Finding) -> list[str]:
    """Threads of the finding in the order of their appearance, main thread left out."""
    roles = ("access", "previous", "free", "allocation", "poisoning")
    stacks = [stack for role in roles for stack in finding.stacks if stack.role == role]
    order = [finding.thread, *(stack.thread for stack in stacks)]
    return [t for t in dict.fromkeys(order) if t != "T0"]


def _thread_lines(finding: Finding, style: TextStyle) -> list[str]:
    """`Thread T2 created by T1 here:` for each thread and, in turn, its ancestors."""
    lines: list[str] = []
    told: set[str] = set()
    for thread in involved_threads(finding):
        name: str | None = thread
        while name is not None and name not in told:
            told.add(name)
            name = _tell_thread(finding, name, style, lines)
            name = name if style.print_full_thread_history else None
    return lines


def _tell_thread(finding: Finding, name: str, style: TextStyle, lines: list[str]) -> str | None:
    """Append the lines of one thread; returns its parent, None at the main thread."""
    facts = finding.thread_facts(name)
    if name == "T0" or facts is None:
        return None
    parent = f" created by {thread_label(finding, facts.created_by)}" if facts.created_by else ""
    lines.append(f"Thread {thread_label(finding, name)}{parent} here:")
    lines += format_memory_stack(finding.stack("thread-creation", thread=name), style)
    return facts.created_by or None


def _hints_before_summary(finding: Finding, style: TextStyle) -> list[str]:
    lines = [f"HINT: {hint}" for hint in finding.hints]
    if finding.verdict == "heuristic" and finding.kind != "w-and-x-usage":
        lines.append("NOTE: this finding rests on a heuristic; see docs/report-schema.md")
    if finding.kind == "container-overflow":
        flag = "ASAN_OPTIONS=detect_container_overflow=0."
        lines.append(f"HINT: if you don't care about these errors you may set {flag}")
        lines.append(f"If you suspect a false positive see also: {_CONTAINER_PAGE}.")
    if isinstance(finding.details, AllocationRequest) and not _is_used_up(finding):
        lines.append(_silence(style, "allocator_may_return_null=1"))
    if isinstance(finding.details, OdrPair):
        lines.append(_silence(style, "ASAN_OPTIONS=detect_odr_violation=0"))
    return lines


def _hints_after_summary(finding: Finding, style: TextStyle) -> list[str]:
    flag = _SILENCING_FLAGS.get(finding.kind)
    return [_silence(style, f"ASAN_OPTIONS={flag}=0")] if flag else []


def _is_used_up(finding: Finding) -> bool:
    """Whether a limit of memory ended the run; then no answer to the request helps."""
    facts = finding.details
    is_limit = finding.kind in ("mmap-limit-exceeded", "rss-limit-exceeded")
    return is_limit and isinstance(facts, AllocationRequest) and facts.total_bytes > 0


def _silence(style: TextStyle, setting: str) -> str:
    return f"=={style.pid}==HINT: if you don't care about these errors you may set {setting}"


def _summary(finding: Finding, style: TextStyle) -> list[str]:
    facts = finding.details
    if not isinstance(facts, OdrPair):
        return summary_line(TOOL, finding.kind, finding.stack("access"), style)
    if not style.print_summary:
        return []
    first = facts.first
    where = source_location(first.file, first.line, first.column, style)
    module = f" in {first.module}" if first.module else ""
    return [f"SUMMARY: {TOOL}: odr-violation: global '{first.name}' at {where}{module}"]
