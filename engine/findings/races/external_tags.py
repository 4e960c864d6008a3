"""Races on external objects: what the program's own library does to an object, by its tag.

    tag = __tsan_external_register_tag("Document")    kind of a race: race on Document
    __tsan_external_register_header(tag, "...")       kind of a race: these words
    __tsan_external_write(object, pc, tag)            "Modifying access of Document at ..."
    __tsan_external_read(object, pc, tag)             "Read-only access of Document at ..."

    __tsan_external_assign_tag(block, tag)            "Location is Document of size 16 at ..."

Source: ThreadSanitizer's tsan_external.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from irsan.engine.findings.run_symbols import read_text
from irsan.interceptors.registry import ROUTINE_SITE_BASE
from irsan.reports.model.report import Access, Finding, HeapRegion, Location
from irsan.runtime.layout.external_sites import MAX_TAGS, routine_to_tag
from irsan.runtime.views.heap_view import addr_to_chunk
from irsan.runtime.views.stackdepot import stack_to_sites

if TYPE_CHECKING:
    from irsan.engine.guest.machine import Machine

_FIRST: Final = 2  # 1 is the variable of a language that has its own detector
UNNAMED_RACE: Final = "race on external object"


@dataclass(slots=True)
class _Tag:
    object_type: str
    header: str


class ExternalTags:
    """The tags that one program has registered."""

    def __init__(self) -> None:
        self._tags = {1: _Tag("Swift variable", "Swift access race")}
        self.newest = 0  # tag of the newest race
        self._assigned: dict[int, tuple[int, int]] = {}  # start of a block: sequence number, tag

    def register_tag(self, _machine: Machine, arguments: Sequence[int]) -> int:
        """__tsan_external_register_tag: the new tag, 0 when there is no more."""
        number = max(max(self._tags) + 1, _FIRST)
        if number >= MAX_TAGS:
            return 0
        name = read_text(arguments[0])
        self._tags[number] = _Tag(name, f"race on {name}" if name else UNNAMED_RACE)
        return number

    def register_header(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """__tsan_external_register_header; a tag that was not registered is left alone."""
        if arguments[0] in self._tags:
            self._tags[arguments[0]].header = read_text(arguments[1])

    def assign_tag(self, machine: Machine, arguments: Sequence[int]) -> None:
        """__tsan_external_assign_tag: what a block of the heap holds, until it is freed."""
        chunk = addr_to_chunk(machine.ctx, arguments[0])
        if chunk is not None and chunk.is_live:
            self._assigned[chunk.begin] = chunk.sequence, arguments[1]

    def with_type(self, ctx: Any, location: Location) -> Location:
        """A heap block with the type of the tag that was assigned to it, if one was."""
        if not isinstance(location, HeapRegion):
            return location
        sequence, number = self._assigned.get(location.region_lo, (0, 0))
        chunk = addr_to_chunk(ctx, location.region_lo)
        if number not in self._tags or chunk is None or chunk.sequence != sequence:
            return location
        return replace(location, object_type=self._tags[number].object_type)

    def named(self, finding: Finding, stack: int, previous_stack: int) -> Finding:
        """A race with the kind of its tag and the types of its objects, if it has a tag."""
        tags = [stack_to_tag(stack), stack_to_tag(previous_stack)]
        self.newest = next(filter(None, tags), 0)
        if not self.newest:
            return finding
        known = self._tags.get(self.newest)
        return replace(
            finding,
            kind=known.header if known else UNNAMED_RACE,
            access=self._typed(finding.access, tags[0]),
            previous_access=self._typed(finding.previous_access, tags[1]),
        )

    def _typed(self, access: Access | None, tag: int) -> Access | None:
        if access is None or not tag:
            return access
        known = self._tags.get(tag)
        return replace(access, object_type=known.object_type if known else "external object")


def stack_to_tag(stack: int) -> int:
    """Tag of the access at the top of a stack, 0 for none."""
    sites = stack_to_sites(stack)
    return routine_to_tag(sites[0] - ROUTINE_SITE_BASE) if sites else 0
