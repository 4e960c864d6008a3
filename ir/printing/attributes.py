"""Attributes as text, and the numbering of attribute groups (`#3`).

    AttributeTexts.of(list) -> CallTexts(returns="noundef ", parameters=("noundef ", ""), suffix="
    #3")

A list is shared by many calls, so its texts are made once and found by identity.

Source: the LLVM Language Reference, "Parameter Attributes", "Function Attributes", "Attribute
Groups".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from irsan.ir.attributes import Attribute, AttributeList, AttributeSet, IntRange
from irsan.ir.text import escape_name
from irsan.ir.types import Type

_FP_CLASSES = ((0x3FF, "all"), (0x003, "nan"), (0x001, "snan"), (0x002, "qnan"), (0x204, "inf"),
               (0x004, "ninf"), (0x200, "pinf"), (0x108, "norm"), (0x008, "nnorm"),
               (0x100, "pnorm"), (0x090, "sub"), (0x010, "nsub"), (0x080, "psub"),
               (0x060, "zero"), (0x020, "nzero"), (0x040, "pzero"))  # fmt: skip
_ALLOC_KINDS = ("alloc", "realloc", "free", "uninitialized", "zeroed", "aligned")
_MOD_REF = ("none", "read", "write", "readwrite")
MEMORY_LOCATIONS = ("argmem", "inaccessiblemem", "errnomem", "", "target_mem0", "target_mem1")
"""Locations of the memory attribute, two bits each; the empty name is "everything else"."""
_CAPTURES = ((3, "address"), (1, "address_is_null"), (12, "provenance"), (4, "read_provenance"))
_ASYNC_UNWIND = 2
_UNBOUNDED = 0xFFFFFFFF


def attribute_text(attribute: Attribute, in_group: bool = False) -> str:
    """One attribute; `in_group` chooses the `align=8` style of attribute groups."""
    kind, value = attribute.kind, attribute.value
    if attribute.is_string:
        assert isinstance(value, str)
        spelt = f'"{escape_name(kind)}"'
        return f'{spelt}="{escape_name(value)}"' if value else spelt
    if value is None:
        return kind
    if isinstance(value, Type):
        return f"{kind}({value.text})"
    if isinstance(value, IntRange):
        return f"{kind}(i{value.width} {_range_inside(value)})"
    if isinstance(value, tuple):
        return f"{kind}({', '.join([f'({_range_inside(item)})' for item in value])})"
    assert isinstance(value, int)
    special = _INT_TEXTS.get(kind)
    if special is not None:
        return special(value)
    if in_group:
        return f"{kind}={value}"
    return f"{kind} {value}" if kind == "align" else f"{kind}({value})"


def _range_inside(item: IntRange) -> str:
    return f"{item.low}, {item.high}"


def _memory_text(value: int) -> str:
    effects = [value >> (2 * index) & 3 for index in range(len(MEMORY_LOCATIONS))]
    others = effects[MEMORY_LOCATIONS.index("")]
    words = []
    if others or not any(effects):
        words.append(_MOD_REF[others])
    for name, effect in zip(MEMORY_LOCATIONS, effects, strict=True):
        if name and effect != others:
            words.append(f"{name}: {_MOD_REF[effect]}")
    return f"memory({', '.join(words)})"


def _capture_words(components: int) -> str:
    words, rest = [], components
    for mask, name in _CAPTURES:
        if rest & mask == mask:
            words.append(name)
            rest &= ~mask
    return ", ".join(words) if words else "none"


def _captures_text(value: int) -> str:
    others, returned = value >> 4 & 15, value & 15
    words = []
    if others or not returned:
        words.append(_capture_words(others))
    if returned != others:
        words.append(f"ret: {_capture_words(returned)}")
    return f"captures({', '.join(words)})"


def _fp_class_text(value: int) -> str:
    words, rest = [], value
    for mask, name in _FP_CLASSES:
        if rest & mask == mask:
            words.append(name)
            rest &= ~mask
    return f"nofpclass({' '.join(words)})"


def _alloc_kind_text(value: int) -> str:
    words = [name for bit, name in enumerate(_ALLOC_KINDS) if value >> bit & 1]
    return f'allockind("{",".join(words)}")'


def _alloc_size_text(value: int) -> str:
    element, count = value >> 32, value & _UNBOUNDED
    return f"allocsize({element})" if count == _UNBOUNDED else f"allocsize({element},{count})"


def _unwind_text(value: int) -> str:
    return "uwtable" if value == _ASYNC_UNWIND else "uwtable(sync)"


def _dead_on_return_text(value: int) -> str:
    unlimited = value == (1 << 64) - 1
    return "dead_on_return" if unlimited else f"dead_on_return({value})"


_INT_TEXTS: dict[str, Callable[[int], str]] = {
    "memory": _memory_text,
    "captures": _captures_text,
    "nofpclass": _fp_class_text,
    "allockind": _alloc_kind_text,
    "allocsize": _alloc_size_text,
    "uwtable": _unwind_text,
    "vscale_range": lambda value: f"vscale_range({value >> 32},{value & _UNBOUNDED})",
    "dead_on_return": _dead_on_return_text,
}


def set_text(attributes: AttributeSet, in_group: bool = False) -> str:
    """The attributes of one place, separated by blanks."""
    return " ".join([attribute_text(attribute, in_group) for attribute in attributes])


@dataclass(frozen=True, slots=True)
class CallTexts:
    """The texts of one attribute list: each ends with a blank when not empty, `suffix` begins
    with one.
    """

    returns: str
    parameters: tuple[str, ...]
    suffix: str


class AttributeTexts:
    """Texts of attribute lists, and the groups met so far in the order of their numbers."""

    __slots__ = ("_lists", "groups")

    def __init__(self) -> None:
        self._lists: dict[int, tuple[AttributeList, CallTexts]] = {}
        self.groups: dict[str, int] = {}

    def of(self, attributes: AttributeList) -> CallTexts:
        """The texts of `attributes`, made once per list object."""
        found = self._lists.get(id(attributes))
        if found is None:
            texts = CallTexts(
                _with_blank(set_text(attributes.returns)),
                tuple([_with_blank(set_text(item)) for item in attributes.parameters]),
                self.group(attributes.function),
            )
            found = self._lists[id(attributes)] = (attributes, texts)
        return found[1]

    def group(self, attributes: AttributeSet) -> str:
        """` #N` of a function (or global variable) attribute set; empty for the empty set."""
        if not attributes:
            return ""
        number = self.groups.setdefault(set_text(attributes, True), len(self.groups))
        return f" #{number}"

    def definitions(self) -> list[str]:
        """The `attributes #N = { ... }` lines."""
        return [f"attributes #{number} = {{ {text} }}" for text, number in self.groups.items()]


def _with_blank(text: str) -> str:
    return f"{text} " if text else ""
