"""Module flags of several modules: each flag says itself how its values become one.

    1 error          values must be equal          5 append         lists one behind the other
    2 warning        first value, and a warning    6 append unique  the same, nothing twice
    3 require        another flag's value          7 max            the larger
    4 override       this value, whatever others   8 min            the smaller; absent is 0

A warning and a max (or min) go together as the max (min) does, and say when they differ.
Requirements are checked when all flags are known.

Source: the LLVM Language Reference, "Module Flags Metadata"; behaviour as observed with LLVM 22's
linker.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from irsan.ir.constants import ConstantInt
from irsan.ir.linker.metadata import MODULE_FLAGS
from irsan.ir.linker.problems import Problems
from irsan.ir.metadata import (
    Metadata,
    MetadataNode,
    MetadataString,
    MetadataTuple,
    NamedMetadata,
    ValueAsMetadata,
)
from irsan.ir.module import Module
from irsan.ir.types import TypeContext

ERROR, WARNING, REQUIRE, OVERRIDE, APPEND, APPEND_UNIQUE, MAX, MIN = range(1, 9)
_MIXING: Final = (MAX, MIN)
_LISTS: Final = (APPEND, APPEND_UNIQUE)


@dataclass(slots=True)
class Flag:
    """One flag and the file that it is from; in a requirement `value` is (name, value)."""

    behaviour: int
    name: str
    value: Metadata | None
    file: str


def merged_flags(
    modules: list[tuple[str, Module]], types: TypeContext, problems: Problems
) -> NamedMetadata | None:
    """The flags of all modules, whose types are those of `types`; None when there are none."""
    merger: _Merger | None = None
    for file, module in modules:
        flags = list(_flags_of(module, file))
        if merger is None:
            merger = _Merger(flags, types, problems) if flags else None
        elif flags:
            merger.add(flags)
    if merger is None:
        return None
    merger.check_requirements()
    return NamedMetadata(MODULE_FLAGS, [_node(flag, types) for flag in merger.everything()])


class _Merger:
    """The flags so far, by name, and the requirements."""

    def __init__(self, flags: list[Flag], types: TypeContext, problems: Problems) -> None:
        self.flags = {flag.name: flag for flag in flags if flag.behaviour != REQUIRE}
        self.requirements = [flag for flag in flags if flag.behaviour == REQUIRE]
        self.types = types
        self.problems = problems

    def add(self, flags: list[Flag]) -> None:
        """Takes the flags of one more module in."""
        given = {flag.name for flag in flags if flag.behaviour != REQUIRE}
        for flag in self.flags.values():
            if flag.behaviour == MIN and flag.name not in given:
                self._set_zero(flag)
        for flag in flags:
            old = self.flags.get(flag.name)
            if flag.behaviour == REQUIRE:
                known = [_key(one.value) for one in self.requirements]
                self.requirements += [] if _key(flag.value) in known else [flag]
            elif old is not None:
                self._merge(old, flag)
            else:
                self.flags[flag.name] = flag
                if flag.behaviour == MIN:
                    self._set_zero(flag)

    def everything(self) -> Iterator[Flag]:
        yield from self.flags.values()
        yield from self.requirements

    def check_requirements(self) -> None:
        """Says which requirements the result does not meet."""
        for required in self.requirements:
            name, wanted = _requirement(required)
            flag = self.flags.get(name)
            if flag is None or _key(flag.value) != _key(wanted):
                has = f"it is {_text(flag.value)} in {flag.file}" if flag else "no module sets it"
                self.problems.errors.append(
                    f"{required.file} requires the module flag `{name}` to be {_text(wanted)}, "
                    f"and {has}"
                )

    def _merge(self, old: Flag, new: Flag) -> None:
        are_same = _key(old.value) == _key(new.value)
        if OVERRIDE in (old.behaviour, new.behaviour):
            if old.behaviour == new.behaviour and not are_same:
                self._clash(old, new, "overridden with")
            elif old.behaviour != OVERRIDE:
                self.flags[old.name] = new
            return
        kinds = {old.behaviour, new.behaviour}
        if len(kinds) > 1 and not (WARNING in kinds and kinds & {MAX, MIN}):
            self._clash(old, new, "merged in two ways, with")
        elif kinds & {MAX, MIN}:
            self._warn(old, new, kinds, are_same)
            self._bound(old, new, MAX if MAX in kinds else MIN)
        elif old.behaviour in _LISTS:
            old.value = _joined(old, new)
        elif old.behaviour == ERROR and not are_same:
            self._clash(old, new, "given")
        else:
            self._warn(old, new, kinds, are_same)

    def _bound(self, old: Flag, new: Flag, kind: int) -> None:
        """The larger or the smaller value; two equal ones are the old one."""
        values = (_number(old), _number(new))
        is_new = values[1] > values[0] if kind == MAX else values[1] < values[0]
        source = new if is_new else old
        self.flags[old.name] = Flag(kind, old.name, source.value, source.file)

    def _warn(self, old: Flag, new: Flag, kinds: set[int], are_same: bool) -> None:
        if WARNING in kinds and not are_same:
            self.problems.warnings.append(
                f"the module flag `{old.name}` is {_text(old.value)} in {old.file} and "
                f"{_text(new.value)} in {new.file}"
            )

    def _clash(self, old: Flag, new: Flag, how: str) -> None:
        self.problems.errors.append(
            f"the module flag `{old.name}` is {how} {_text(old.value)} in {old.file} and "
            f"{_text(new.value)} in {new.file}"
        )

    def _set_zero(self, flag: Flag) -> None:
        value = flag.value
        if isinstance(value, ValueAsMetadata) and isinstance(value.value, ConstantInt):
            flag.value = ValueAsMetadata(ConstantInt(value.value.type, 0))


def _flags_of(module: Module, file: str) -> Iterator[Flag]:
    named = module.named_metadata.get(MODULE_FLAGS)
    for node in named.operands if named is not None else ():
        assert isinstance(node, MetadataTuple)
        kind, name, value = node.operands
        assert isinstance(kind, ValueAsMetadata) and isinstance(kind.value, ConstantInt)
        assert isinstance(name, MetadataString)
        yield Flag(kind.value.value, name.text, value, file)


def _node(flag: Flag, types: TypeContext) -> MetadataNode:
    kind = ValueAsMetadata(ConstantInt(types.i32, flag.behaviour))
    return MetadataTuple([kind, MetadataString(flag.name), flag.value])


def _requirement(flag: Flag) -> tuple[str, Metadata | None]:
    assert isinstance(flag.value, MetadataTuple)
    name, value = flag.value.operands
    assert isinstance(name, MetadataString)
    return name.text, value


def _joined(old: Flag, new: Flag) -> MetadataTuple:
    """Two lists as one."""
    assert isinstance(old.value, MetadataTuple) and isinstance(new.value, MetadataTuple)
    items = [*old.value.operands, *new.value.operands]
    if old.behaviour == APPEND_UNIQUE:
        first: dict[object, Metadata | None] = {}
        for item in items:
            first.setdefault(_key(item), item)
        items = list(first.values())
    return MetadataTuple(items)


def _number(flag: Flag) -> int:
    assert isinstance(flag.value, ValueAsMetadata) and isinstance(flag.value.value, ConstantInt)
    return flag.value.value.unsigned


def _key(value: Metadata | None) -> object:
    """Equal for values that LLVM would keep as one."""
    if isinstance(value, MetadataString):
        return ("text", value.text)
    if isinstance(value, ValueAsMetadata):
        return ("value", value.value.typed_ref)
    if isinstance(value, MetadataTuple) and not value.distinct:
        return ("tuple", *[_key(one) for one in value.operands])
    return value


def _text(value: Metadata | None) -> str:
    """A value as a message shows it."""
    if isinstance(value, MetadataString):
        return f'"{value.text}"'
    if isinstance(value, ValueAsMetadata):
        return value.value.ref
    if isinstance(value, MetadataTuple):
        return "{" + ", ".join([_text(one) for one in value.operands]) + "}"
    return "null" if value is None else "a node"
