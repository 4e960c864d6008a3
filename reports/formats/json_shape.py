"""How values of the model look in JSON; the codec and the schema both follow these rules.

    dataclass      object with one member per field, None left out
    SPARSE         the same, and whatever is unknown (equal to its default) is left out too, but
                   for the members named: in frames, and what later versions have added
    member of a union   object with a "type", the class name in kebab case: "heap-region"
    Address        "0x" and at least twelve hexadecimal digits
    bytes          two hexadecimal digits each
    tuple          array
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from irsan.reports.model.exploration import StrategyFacts
from irsan.reports.model.report import (
    Finding,
    Frame,
    HeapRegion,
    HostFacts,
    MemoryDump,
    Report,
    Sighting,
    Stack,
    TimelineEvent,
    Timing,
)
from irsan.reports.model.run_facts import BuildFacts, MergedFile

_ADDED = {
    Finding: {"timeline", "memory", "fingerprints", "seen", "baseline", "explored", "injected"},
    Timing: {"started"},
    Report: {
        *("command", "root", "build", "host", "cut", "sources", "merged", "test", "exploration"),
        "injection", "interleaving",
    },
    StrategyFacts: {"curve"},
}  # fmt: skip


def _but(cls: Any, added: set[str]) -> frozenset[str]:
    optional = {"access", "previous_access", "shadow", "details", "address"}
    return frozenset(f.name for f in fields(cls) if f.name not in added | optional)


SPARSE: dict[Any, frozenset[str]] = {
    **{cls: _but(cls, added) for cls, added in _ADDED.items()},
    BuildFacts: frozenset(),
    HostFacts: frozenset(),
    MergedFile: frozenset({"file"}),
    Sighting: frozenset({"program", "count"}),
    MemoryDump: frozenset({"lo", "hi", "rows"}),
    TimelineEvent: frozenset({"order", "thread", "action"}),
    Frame: frozenset({"function", "file", "line", "column"}),
    HeapRegion: frozenset(
        {"address", "relation", "distance_bytes", "region_lo", "region_hi", "freed"}
    ),
}
ID_FIELD = "id"
USER_FRAME_FIELD = "user_frame"
SCHEMA_FIELD = "schema"


@cache
def field_hints(cls: Any) -> Mapping[str, Any]:
    """Field name to resolved annotation, in order of definition."""
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in fields(cls)}


def resolve_hints(root: Any) -> None:
    """Fill the cache of `field_hints` for a class of the model and all that its fields may hold."""
    known: set[Any] = set()
    waiting = [root]
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, type) and is_dataclass(hint) and hint not in known:
            known.add(hint)
            waiting += field_hints(hint).values()
        waiting += get_args(hint)


def extra_fields(cls: Any) -> tuple[str, ...]:
    """Members that are written but are no fields: they are computed."""
    return {
        Finding: (ID_FIELD,), Report: (SCHEMA_FIELD,), Stack: (USER_FRAME_FIELD,),
    }.get(cls, ())  # fmt: skip


def is_left_out(cls: Any, field: Field[Any], member: Any) -> bool:
    """Whether a member need not be written, as it is what a reader takes for a missing one."""
    if cls not in SPARSE or field.name in SPARSE[cls]:
        return False
    if field.default_factory is not MISSING:
        return bool(member == field.default_factory())
    return bool(member == field.default)


def union_members(hint: Any) -> tuple[Any, ...]:
    """Members of a union annotation; () if it is none."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else ()


def is_address(hint: Any) -> bool:
    """Whether an annotation is `Address`."""
    return get_origin(hint) is Annotated and get_args(hint)[1:] == ("address",)


def tagged_classes(hint: Any) -> dict[str, type]:
    """For a union of dataclasses: type tag to class."""
    members = [m for m in union_members(hint) if isinstance(m, type) and is_dataclass(m)]
    return {_type_tag(m): m for m in members}


def type_tag(value: object) -> str:
    """Tag of a value: its class name in kebab case, HeapRegion -> heap-region."""
    return _type_tag(type(value))


def _type_tag(cls: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
