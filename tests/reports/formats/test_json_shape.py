"""The shape of JSON reports: hints of all classes of the model can be had before one is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from irsan.reports.formats.json_shape import field_hints, resolve_hints
from irsan.reports.model.report import Finding, Frame, HeapRegion, Report


@dataclass(frozen=True)
class Leaf:
    """A class that only a hint leads to."""

    number: int
    again: Tree | None = None


@dataclass(frozen=True)
class Tree:
    """Leads to `Leaf`, which leads back."""

    leaves: tuple[Leaf | int, ...]
    address: Annotated[int, "address"]


def n_resolved_after(root: object) -> int:
    field_hints.cache_clear()
    resolve_hints(root)
    before = field_hints.cache_info().misses
    for cls in (Tree, Leaf, Report, Finding, Frame, HeapRegion):
        field_hints(cls)
    return before


def test_all_that_a_class_leads_to_is_resolved_once() -> None:
    assert n_resolved_after(Tree) == 2


def test_no_class_of_a_report_is_left_to_the_first_report() -> None:
    assert n_resolved_after(Report) > 20
    field_hints.cache_clear()
    resolve_hints(Report)
    n_before = field_hints.cache_info().misses
    for cls in (Report, Finding, Frame, HeapRegion):
        field_hints(cls)
    assert field_hints.cache_info().misses == n_before
