"""First lines of a memory error report: which fault, where, in which thread.

Each family of findings has a header of its own; its `details` decide which, and the kind where
there are none. Every function returns the lines after `==pid==ERROR: AddressSanitizer: `, the
first without that prefix.
"""

from __future__ import annotations

from irsan.reports.model.details import PanicFacts
from irsan.reports.model.report import (
    AllocationRequest,
    ContainerBounds,
    FamilyMismatch,
    Finding,
    OdrPair,
    PointerPair,
    PointerQuery,
    RangeOverlap,
    SignalFacts,
    SizeArgument,
    SizeMismatch,
)
from irsan.reports.text.frames import format_memory_stack, source_location
from irsan.reports.text.locations import hexadecimal, thread_label
from irsan.reports.text.style import TextStyle

_RSS_LIMIT = "rss-limit-exceeded"
_ZERO_PAGE_END = 0x1000
_CONTAINER_ARGUMENTS = {
    "__sanitizer_annotate_contiguous_container": ("beg", "end", "old_mid", "new_mid"),
    "__sanitizer_annotate_double_ended_contiguous_container": (
        "storage_beg",
        "storage_end",
        "old_container_beg",
        "old_container_end",
        "new_container_beg",
        "new_container_end",
    ),
}


def header_lines(finding: Finding, style: TextStyle) -> list[str]:
    """Header of any memory error; the lines up to the access stack."""
    facts = finding.details
    if isinstance(facts, SignalFacts):
        return _signal(finding, facts, style)
    if isinstance(facts, AllocationRequest):
        return [_request(finding, facts)]
    if isinstance(facts, SizeMismatch):
        return _size_mismatch(finding, facts)
    if isinstance(facts, ContainerBounds):
        return _container(facts)
    if isinstance(facts, PanicFacts):
        who = thread_label(finding, finding.thread)
        return [f"panic in thread {who}{': ' + facts.message if facts.message else ''}"]
    if isinstance(facts, OdrPair):
        return _odr(finding, facts, style)
    if finding.kind == "w-and-x-usage":
        return ["writable-executable page usage"]
    return _pointer_header(finding, style)


def _pointer_header(finding: Finding, style: TextStyle) -> list[str]:
    facts = finding.details
    if isinstance(facts, FamilyMismatch):
        pair = f"{facts.allocated_with} vs {facts.freed_with}"
        return [f"{finding.kind} ({pair}) on {_address(finding)}"]
    if isinstance(facts, RangeOverlap):
        first = f"[{hexadecimal(facts.first_lo)},{hexadecimal(facts.first_hi)})"
        second = f"[{hexadecimal(facts.second_lo)}, {hexadecimal(facts.second_hi)})"
        return [f"{finding.kind}: memory ranges {first} and {second} overlap"]
    if isinstance(facts, SizeArgument):
        return [f"{finding.kind}: (size={facts.size_bytes})"]
    if isinstance(facts, PointerPair):
        return [f"{finding.kind}: {hexadecimal(facts.first)} {hexadecimal(facts.second)}"]
    if isinstance(facts, PointerQuery):
        what = f"attempting to call {facts.function}() for pointer which is not owned:"
        return [f"{what} {hexadecimal(facts.address)}"]
    return _access(finding, style)


def _access(finding: Finding, style: TextStyle) -> list[str]:
    who = thread_label(finding, finding.thread)
    if finding.kind == "double-free":
        return [f"attempting double-free on {_address(finding)} in thread {who}:"]
    if finding.kind == "bad-free":
        what = "attempting free on address which was not malloc()-ed:"
        return [f"{what} {_address(finding)} in thread {who}"]
    registers = f"pc {hexadecimal(finding.pc)} bp {hexadecimal(finding.bp)}"
    first = f"{finding.kind} on address {_address(finding)} at {registers}"
    first += f" sp {hexadecimal(finding.sp)}"
    access = finding.access
    if access is None:
        return [first]
    word = access.operation.removeprefix("atomic ").upper()
    second = f"{word} of size {access.size} at {hexadecimal(access.address)} thread {who}"
    return [first, style.paint("access", second)]


def _address(finding: Finding) -> str:
    if finding.address is not None:
        return hexadecimal(finding.address)
    return hexadecimal(finding.access.address if finding.access else 0)


def _size_mismatch(finding: Finding, facts: SizeMismatch) -> list[str]:
    who = thread_label(finding, finding.thread)
    if finding.kind == "free-size-mismatch":
        sizes = f"{facts.freed_size} bytes, allocated {facts.allocated_size} bytes"
        return [f"{finding.kind} on {_address(finding)} in thread {who}:", f"  freed as {sizes}."]
    lines = [
        f"{finding.kind} on {_address(finding)} in thread {who}:",
        "  object passed to delete has wrong type:",
        f"  size of the allocated type:   {facts.allocated_size} bytes;",
        f"  size of the deallocated type: {facts.freed_size} bytes.",
    ]
    if facts.allocated_alignment == facts.freed_alignment:
        return lines
    allocated, freed = (
        f"{bytes_} bytes" if bytes_ else "default-aligned"
        for bytes_ in (facts.allocated_alignment, facts.freed_alignment)
    )
    return [
        *lines,
        f"  alignment of the allocated type:   {allocated};",
        f"  alignment of the deallocated type: {freed}.",
    ]


def _request(finding: Finding, facts: AllocationRequest) -> str:
    name = "hard-rss-limit" if finding.kind == _RSS_LIMIT and facts.total_bytes else finding.kind
    text = _REQUEST_TEXTS.get(name, "{kind} in {function}").format(
        kind=finding.kind,
        function=facts.function,
        count=_signed(facts.count),
        signed_size=_signed(facts.size_bytes),
        size=facts.size_bytes,
        total=facts.total_bytes,
        limit=facts.limit_bytes,
        limit_mb=facts.limit_bytes >> 20,
        total_mb=facts.total_bytes >> 20,
        alignment=facts.alignment,
    )
    if finding.kind in ("out-of-memory", "mmap-limit-exceeded", _RSS_LIMIT):
        return text
    return f"{text} (thread {thread_label(finding, finding.thread)})"


_OVERFLOW = (
    "{function} parameters overflow: count * size ({count} * {signed_size})"
    " cannot be represented in type size_t"
)
_REQUEST_TEXTS = {
    "calloc-overflow": _OVERFLOW,
    "reallocarray-overflow": _OVERFLOW,
    "pvalloc-overflow": "pvalloc parameters overflow: size {size:#x} rounded up to system page"
    " size 0x1000 cannot be represented in type size_t",
    "allocation-size-too-big": "requested allocation size {size:#x} ({total:#x} after adjustments"
    " for alignment, red zones etc.) exceeds maximum supported size of {limit:#x}",
    "out-of-memory": "allocator is out of memory trying to allocate {size:#x} bytes",
    "hard-rss-limit": "hard rss limit exhausted ({limit_mb}Mb vs {total_mb}Mb):"
    " hard_rss_limit_mb={limit_mb}",
    "mmap-limit-exceeded": "total_mmaped={total_mb}Mb exceeds mmap_limit_mb={limit_mb}",
    "rss-limit-exceeded": "specified RSS limit exceeded, currently set to"
    " soft_rss_limit_mb={limit_mb}",
    "invalid-allocation-alignment": "invalid allocation alignment: {alignment},"
    " alignment must be a power of two",
    "invalid-aligned-alloc-alignment": "invalid alignment requested in aligned_alloc: {alignment},"
    " alignment must be a power of two and the requested size {size:#x} must be a multiple of"
    " alignment",
    "invalid-posix-memalign-alignment": "invalid alignment requested in posix_memalign:"
    " {alignment}, alignment must be a power of two and a multiple of sizeof(void*) == 8",
}


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _container(facts: ContainerBounds) -> list[str]:
    names = _CONTAINER_ARGUMENTS.get(facts.function, ())
    width = max((len(name) for name in names), default=0)
    rows = zip(names, facts.arguments, strict=False)
    return [
        f"bad parameters to {facts.function}:",
        *(f"      {name:<{width}} : {hexadecimal(value)}" for name, value in rows),
    ]


def _odr(finding: Finding, facts: OdrPair, style: TextStyle) -> list[str]:
    lines = [f"odr-violation ({hexadecimal(facts.first.address)}):"]
    for number, definition in enumerate((facts.first, facts.second), 1):
        where = source_location(definition.file, definition.line, definition.column, style)
        module = f" in {definition.module}" if definition.module else ""
        size = f"size={definition.size_bytes}"
        lines.append(f"  [{number}] {size} '{definition.name}' {where}{module}")
    stacks = [finding.stack("allocation", subject=number) for number in (1, 2)]
    if None in stacks:
        return lines
    lines.append("These globals were registered at these points:")
    for number, stack in enumerate(stacks, 1):
        lines += [f"  [{number}]:", *format_memory_stack(stack, style)]
    return lines


def _signal(finding: Finding, facts: SignalFacts, style: TextStyle) -> list[str]:
    """Lines of a deadly signal, hints included; all but the first carry their own prefix."""
    where = "" if facts.address is None else f" {hexadecimal(facts.address)}"
    on = "on address" if facts.signal == "stack-overflow" else "on unknown address"
    registers = f"(pc {hexadecimal(finding.pc)} bp {hexadecimal(finding.bp)}"
    registers += f" sp {hexadecimal(finding.sp)} {finding.thread})"
    prefix = f"=={style.pid}=="
    what = finding.kind if facts.reason == "precondition" else f"{facts.signal} {on}{where}"
    lines = [f"{what} {registers}"]
    if facts.signal != "stack-overflow" and finding.pc < _ZERO_PAGE_END:
        lines.append(f"{prefix}Hint: pc points to the zero page.")
    if facts.pc_is_data:
        lines.append(f"{prefix}Hint: PC is at a non-executable region. Maybe a wild jump?")
    if facts.reason:
        lines.append(prefix + style.paint("access", _own_end(facts)))
    if not facts.cause:
        return lines
    cause = f"The signal is caused by a {facts.cause} memory access."
    lines.append(prefix + style.paint("access", cause))
    if facts.address is None:
        hint = "this fault was caused by a dereference of a high value address"
        hint += " (see register values below)" if facts.registers else ""
        lines.append(f"{prefix}Hint: {hint}.")
    elif facts.address < _ZERO_PAGE_END:
        lines.append(f"{prefix}Hint: address points to the zero page.")
    return lines


def _own_end(facts: SignalFacts) -> str:
    """Why the program has ended itself."""
    if facts.reason == "assertion":
        return f"Failed assertion: {facts.expression or facts.message}"
    if facts.reason == "precondition":
        return f"Broken precondition: {facts.message} ({facts.expression})"
    if facts.reason == "exception":
        return f"Uncaught exception: {facts.message}"
    if facts.reason == "panic":
        return f"A panic could not unwind{': ' + facts.message if facts.message else ''}"
    said = f" {facts.message}" if facts.message.startswith("while ") else f": {facts.message}"
    return f"The program has called abort{said if facts.message else ''}"
