"""What lies at an address, in the words of memory error reports."""

from __future__ import annotations

from irsan.reports.model.locations import Address, LibraryState
from irsan.reports.model.names import demangled
from irsan.reports.model.report import (
    FileDescriptor,
    Finding,
    GlobalVariable,
    HeapRegion,
    Location,
    StackLocation,
    StackObject,
    ThreadStack,
    TlsBlock,
    WildAddress,
)
from irsan.reports.text.frames import MEMORY_FORMAT, format_frame, format_memory_stack
from irsan.reports.text.frames import source_location as _source_location
from irsan.reports.text.style import TextStyle

_CUSTOM_UNWIND_HINT = (
    "HINT: this may be a false positive if your program uses some custom stack unwind mechanism,"
    " swapcontext or vfork",
    "      (longjmp and C++ exceptions *are* supported)",
)
_RELATION_WORDS = {"before": "before", "inside": "inside of", "after": "after"}
_NO_NEIGHBOUR_BELOW = 0
_NO_NEIGHBOUR_ABOVE = 1 << 62


def hexadecimal(address: Address) -> str:
    """An address as reports print it: 0x and at least twelve digits."""
    return f"{address:#014x}"


def thread_label(finding: Finding, thread: str) -> str:
    """`T1`, or `T1 (name)` for a named thread."""
    facts = finding.thread_facts(thread)
    return f"{thread} ({facts.name})" if facts and facts.name else thread


def describe_location(finding: Finding, subject: int, style: TextStyle) -> list[str]:
    """Lines about location number `subject` of the finding, stacks included."""
    location = finding.locations[subject]
    if isinstance(location, HeapRegion):
        return _describe_heap(finding, location, subject, style)
    if isinstance(location, GlobalVariable):
        return _describe_global(finding, location, subject, style)
    if isinstance(location, StackLocation):
        return _describe_stack(finding, location, style)
    return [style.paint("location", _one_line(finding, location))]


def _one_line(finding: Finding, location: Location) -> str:
    if isinstance(location, FileDescriptor):
        return f"File descriptor {location.number} of thread {location.thread}"
    if isinstance(location, LibraryState):
        return f"Location is {location.in_words}"
    where = f"Address {hexadecimal(location.address)} is"
    if isinstance(location, ThreadStack):
        return f"{where} located in stack of thread {thread_label(finding, location.thread)}"
    if isinstance(location, TlsBlock):
        name = f" '{location.name}'" if location.name else ""
        return f"{where} located in thread-local variable{name} of thread {location.thread}"
    if isinstance(location, WildAddress) and location.area != "wild":
        return f"{where} located in the {location.area} area."
    size = location.access_size if isinstance(location, WildAddress) else 0
    return f"{where} a wild pointer inside of access range of size {hexadecimal(size)}."


def _describe_heap(
    finding: Finding, region: HeapRegion, subject: int, style: TextStyle
) -> list[str]:
    place = (
        f"{hexadecimal(region.address)} is located {region.distance_bytes} bytes"
        f" {_RELATION_WORDS[region.relation]} {region.size_bytes}-byte region"
        f" [{hexadecimal(region.region_lo)},{hexadecimal(region.region_hi)})"
    )
    lines = [style.paint("location", place)]
    freed = finding.stack("free", subject=subject)
    if freed is not None:
        who = f"freed by thread {thread_label(finding, freed.thread)} here:"
        lines += [style.paint("allocation", who), *format_memory_stack(freed, style)]
    allocated = finding.stack("allocation", subject=subject)
    if allocated is None:
        return lines if freed else [*lines, ""]
    word = "previously allocated" if freed else "allocated"
    who = f"{word} by thread {thread_label(finding, allocated.thread)} here:"
    return [*lines, style.paint("allocation", who), *format_memory_stack(allocated, style)]


def _describe_global(
    finding: Finding, variable: GlobalVariable, subject: int, style: TextStyle
) -> list[str]:
    where = _source_location(variable.file or variable.module, variable.line, 0, style)
    name = demangled(variable.name) if style.demangle else variable.name
    place = (
        f"{hexadecimal(variable.address)} is located {variable.distance_bytes} bytes"
        f" {_RELATION_WORDS[variable.relation]} global variable '{name}'"
        f" defined in '{where}' ({hexadecimal(variable.lo)}) of size {variable.size_bytes}"
    )
    lines = [style.paint("location", place)]
    if variable.text is not None:
        lines.append(f"  '{name}' is ascii string '{variable.text}'")
    registered = finding.stack("allocation", subject=subject)
    if registered is not None:
        lines += ["registered at:", *format_memory_stack(registered, style)]
    return lines


def _describe_stack(finding: Finding, place: StackLocation, style: TextStyle) -> list[str]:
    who = thread_label(finding, place.thread)
    head = (
        f"Address {hexadecimal(place.address)} is located in stack of thread {who}"
        f" at offset {place.offset} in frame"
    )
    return [
        style.paint("location", head),
        format_frame(place.frame, 0, style, MEMORY_FORMAT),
        "",
        f"  This frame has {len(place.objects)} object(s):",
        *_objects(place, style),
        *_CUSTOM_UNWIND_HINT,
    ]


def _objects(place: StackLocation, style: TextStyle) -> list[str]:
    objects = sorted(place.objects, key=lambda o: o.begin)
    ends = [_NO_NEIGHBOUR_BELOW, *(o.end for o in objects)]
    begins = [*(o.begin for o in objects[1:]), _NO_NEIGHBOUR_ABOVE]
    lines = []
    for variable, below, above in zip(objects, ends, begins, strict=False):
        line = f" (line {variable.line})" if variable.line else ""
        verb = intersection_verb(variable, place.offset, place.access_size, below, above)
        note = f" <== Memory access at offset {place.offset} {verb} this variable" if verb else ""
        name = f"    [{variable.begin}, {variable.end}) '{variable.name}'{line}"
        lines.append(name + (style.paint("location", note) if note else ""))
    return lines


def intersection_verb(
    variable: StackObject, offset: int, size: int, end_below: int, begin_above: int
) -> str:
    """What an access of `size` bytes at frame `offset` does to `variable`, or ''.

    An access that touches no variable belongs to the nearest one: `end_below` is where the
    neighbour before ends, `begin_above` where the one after begins.
    """
    end = offset + size
    if offset >= variable.begin and end <= variable.end:
        return "is inside"
    if offset >= variable.begin and offset < variable.end:
        return "partially overflows"
    if offset < variable.begin < end:
        return "partially underflows"
    if offset >= variable.end:
        nearer = end <= begin_above and begin_above - end >= offset - variable.end
        return "overflows" if nearer else ""
    nearer = offset >= end_below and offset - end_below >= variable.begin - end
    return "underflows" if nearer else ""
