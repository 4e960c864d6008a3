"""Function, return and parameter attributes, immutable and shareable.

    AttributeList(
        function=(Attribute("nounwind"), Attribute("uwtable", 2), string_attribute("a", "b")),
        returns=(),
        parameters=((), (Attribute("align", 8), Attribute("byval", i32))),
    )

An `Attribute` is a kind and a value: None (enum), int, str (string attribute), `Type`, `IntRange`,
or a tuple of `IntRange` (`initializes`). A string attribute has `is_string` set: its kind is free
text.

Source: the LLVM Language Reference, "Parameter Attributes" and "Function Attributes".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irsan.ir.types import Type


@dataclass(frozen=True, slots=True)
class IntRange:
    """[low, high) of integers of `width` bits, both signed."""

    width: int
    low: int
    high: int


AttributeValue = int | str | Type | IntRange | tuple[IntRange, ...] | None


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: `Attribute("nounwind")`, `Attribute("align", 8)`, `Attribute("a", "b",
    True)`.
    """

    kind: str
    value: AttributeValue = None
    is_string: bool = False


def string_attribute(kind: str, value: str = "") -> Attribute:
    """The free text attribute `"kind"="value"`."""
    return Attribute(kind, value, True)


AttributeSet = tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class AttributeList:
    """The attributes of a function or of a call: of itself, its result, and each parameter."""

    function: AttributeSet = ()
    returns: AttributeSet = ()
    parameters: tuple[AttributeSet, ...] = ()

    def has_function(self, kind: str) -> bool:
        """Whether the function set holds an attribute named `kind`."""
        return any(attribute.kind == kind for attribute in self.function)

    def parameter(self, index: int) -> AttributeSet:
        """The attributes of parameter `index`; empty when it has none."""
        return self.parameters[index] if index < len(self.parameters) else ()

    def with_function(self, added: Sequence[Attribute]) -> AttributeList:
        """A copy whose function set also holds `added` (replacing the same kinds)."""
        kinds = {attribute.kind for attribute in added}
        kept = [attribute for attribute in self.function if attribute.kind not in kinds]
        return replace(self, function=(*kept, *added))

    def without_function(self, kinds: Sequence[str]) -> AttributeList:
        """A copy whose function set lacks `kinds`."""
        kept = tuple(attribute for attribute in self.function if attribute.kind not in kinds)
        return replace(self, function=kept)

    def with_parameter(self, index: int, added: Sequence[Attribute]) -> AttributeList:
        """A copy whose parameter `index` also has `added` (replacing the same kinds)."""
        sets = list(self.parameters) + [()] * (index + 1 - len(self.parameters))
        kinds = {attribute.kind for attribute in added}
        kept = tuple(attribute for attribute in sets[index] if attribute.kind not in kinds)
        sets[index] = (*kept, *added)
        return replace(self, parameters=tuple(sets))

    def with_returns(self, returns: AttributeSet) -> AttributeList:
        """A copy with this result set."""
        return replace(self, returns=returns)


NO_ATTRIBUTES = AttributeList()


def find_attribute(attributes: AttributeSet, kind: str) -> Attribute | None:
    """The attribute named `kind`, or None."""
    for attribute in attributes:
        if attribute.kind == kind:
            return attribute
    return None
